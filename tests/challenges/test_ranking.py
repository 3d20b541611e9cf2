"""Ranks: valid scores only, in the metric's direction, on full precision, whatever the order of the submissions."""

from __future__ import annotations

import csv
import json
import math
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affectcheck.challenges.ranking import MOST_DIGITS, Entry, digits_apart, ranking
from affectcheck.challenges.states import STATES
from affectcheck.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from pathlib import Path

BEGIN = datetime(2024, 3, 1, tzinfo=UTC)


def entry(team: str, score: float | None, *, hours: int = 0, state: Any = "scored", chosen: bool = False) -> Entry:
    return Entry(f"{team}-{hours}", team, BEGIN + timedelta(hours=hours), state, score, chosen)


@pytest.fixture(scope="module")
def submissions(cases: Path) -> list[Entry]:
    """Nine submissions of six teams: failed, NaN, infinite, withdrawn and valid ones."""
    told = json.loads((cases / "A25_submissions.json").read_text(encoding="utf-8"))
    return [
        Entry(
            str(one["id"]),
            one["team"],
            datetime.fromisoformat(one["time"]),
            one["status"],
            None if one["score"] is None else float(one["score"]),
        )
        for one in told
    ]


@pytest.mark.shared
def test_what_has_no_valid_score_ranks_nowhere(cases: Path, submissions: list[Entry]) -> None:
    expected = json.loads((cases / "A25.json").read_text(encoding="utf-8"))["expected"]
    found = ranking(submissions, higher_is_better=True)
    assert [[row.team, row.place] for row in found if row.place] == expected["ranking"]
    assert [row.team for row in found if row.place is None] == expected["unranked"]
    assert found[-1].reason == "no valid score: 9 has the score inf, which ranks nowhere"


@pytest.mark.shared
def test_the_other_direction_reverses_the_teams_and_ranks_no_invalid_one(submissions: list[Entry]) -> None:
    found = ranking(submissions, higher_is_better=False)
    assert [(row.team, row.place) for row in found] == [
        ("cedar", 1),
        ("dune", 2),
        ("amber", 3),
        ("elm", 3),
        ("birch", 5),
        ("fir", None),
    ]


@pytest.mark.shared
@pytest.mark.parametrize(("metric", "higher"), [("macro_f1", True), ("mae", False)])
def test_full_precision_decides(cases: Path, metric: str, higher: bool) -> None:
    expected = json.loads((cases / "A27.json").read_text(encoding="utf-8"))["expected"][metric]
    rows = list(csv.DictReader((cases / "A27_scores.csv").read_text(encoding="utf-8").splitlines()))
    found = ranking([entry(row["team"], float(row[metric])) for row in rows], higher_is_better=higher)
    assert {row.team: row.place for row in found} == expected
    scores = [float(row[metric]) for row in rows]
    digits = digits_apart(scores)
    assert len({f"{score:.{digits}f}" for score in scores}) == len(set(scores))


def test_a_better_withdrawn_score_does_not_count() -> None:
    (row,) = ranking([entry("a", 0.3), entry("a", 0.5, hours=1, state="withdrawn")], higher_is_better=True)
    assert row.entry is not None
    assert row.entry.score == 0.3


@pytest.mark.parametrize("state", [state for state in STATES if state != "scored"])
def test_only_scored_ones_rank(state: Any) -> None:
    (row,) = ranking([entry("a", 0.3, state=state)], higher_is_better=True)
    assert (row.place, row.entry) == (None, None)
    assert row.reason == f"no valid score: a-0 is {state}"


def test_a_team_may_choose_what_counts() -> None:
    entries = [entry("a", 0.5), entry("a", 0.3, hours=1, chosen=True), entry("b", 0.4)]
    assert [row.team for row in ranking(entries, higher_is_better=True, counting="chosen")] == ["b", "a"]
    assert [row.team for row in ranking(entries, higher_is_better=True)] == ["a", "b"]
    withdrawn = [entry("a", 0.5), entry("a", 0.3, hours=1, chosen=True, state="withdrawn")]
    (row,) = ranking(withdrawn, higher_is_better=True, counting="chosen")
    assert row.entry == withdrawn[0]


def test_equal_scores_share_a_place_and_the_earlier_stands_first() -> None:
    entries = [entry("late", 0.4, hours=5), entry("early", 0.4, hours=1), entry("best", 0.5), entry("last", 0.1)]
    found = ranking(entries, higher_is_better=True)
    assert [(row.place, row.team) for row in found] == [(1, "best"), (2, "early"), (2, "late"), (4, "last")]


def test_no_teams_make_an_empty_board() -> None:
    assert ranking([], higher_is_better=True) == ()


scores = st.one_of(st.none(), st.floats(allow_nan=True, allow_infinity=True), st.sampled_from([0.1, 0.2, -0.0, 0.0]))
made = st.builds(entry, st.sampled_from("abcde"), scores, hours=st.integers(0, 50), state=st.sampled_from(STATES))


@given(st.lists(made, max_size=12, unique_by=lambda one: one.key), st.booleans(), st.randoms())
def test_a_board_does_not_depend_on_the_order_of_submissions(entries: list[Entry], higher: bool, random: Any) -> None:
    found = ranking(entries, higher_is_better=higher)
    shuffled = list(entries)
    random.shuffle(shuffled)
    assert [row[:3] for row in ranking(shuffled, higher_is_better=higher)] == [row[:3] for row in found]
    ranked = [row.entry for row in found if row.entry is not None]
    assert all(one.score is not None and math.isfinite(one.score) and one.state == "scored" for one in ranked)
    signed = [(-1 if higher else 1) * (one.score or 0.0) for one in ranked]
    assert signed == sorted(signed)
    assert [row.place for row in found if row.place] == [1 + sum(other < one for other in signed) for one in signed]


@pytest.mark.parametrize(
    ("values", "digits"), [([], 3), ([0.5, 0.5], 3), ([0.1234, 0.1235], 4), ([0.0, 1e-20], MOST_DIGITS)]
)
def test_as_many_digits_as_tell_scores_apart(values: list[float], digits: int) -> None:
    assert digits_apart(values) == digits
    assert digits_apart(values, most=2) == 2


def test_entries_are_what_they_say() -> None:
    with pytest.raises(UnknownNameError, match="state of a submission 'done'"):
        entry("a", 0.1, state="done")
    with pytest.raises(InputError, match="without a zone"):
        Entry("1", "a", datetime(2024, 3, 1), "scored", 0.1)  # noqa: DTZ001  # that is what is refused
