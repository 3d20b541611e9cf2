"""Re-scoring: what a switch of the board would do is what the two boards say."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affectcheck.challenges.campaign import RankChange, ScoreChange, rank_changes
from affectcheck.challenges.ranking import Entry, ranking
from affectcheck.errors import InputError

BEGIN = datetime(2027, 3, 1, tzinfo=UTC)


def entry(key: str, score: float | None, *, state: Any = "scored", hours: int = 0) -> Entry:
    return Entry(key, key[0], BEGIN + timedelta(hours=hours), state, score)


BOARD = [
    entry("a1", 0.5),
    entry("a2", 0.6, hours=1),
    entry("b1", 0.55),
    entry("c1", 0.4),
    entry("d1", None, state="failed"),
    entry("e1", 0.3),
]
MENDED = {"a1": 0.5, "a2": 0.45, "b1": 0.55, "c1": float("nan"), "e1": 0.3}


def test_what_moves_and_what_is_lost_is_told() -> None:
    found = rank_changes(BOARD, MENDED, higher_is_better=True)
    assert found.teams == (
        RankChange("b", 2, 1, 0.55, 0.55, "b1", "b1"),
        RankChange("a", 1, 2, 0.6, 0.5, "a2", "a1"),
        RankChange("e", 4, 3, 0.3, 0.3, "e1", "e1"),
        RankChange("c", 3, None, 0.4, None, "c1", "", "no valid score: c1 has the score nan, which ranks nowhere"),
        RankChange("d", None, None, None, None, "", "", "no valid score: d1 is failed"),
    )
    assert found.scores == (ScoreChange("c1", "c", 0.4, None), ScoreChange("a2", "a", 0.6, 0.45))
    assert found.scored == 5
    assert [row.team for row in found.moved] == ["b", "a", "e", "c"]
    assert [row.team for row in found.teams if row.lost] == ["c"]
    assert found.undefined == found.scores[:1]


def test_an_organiser_reads_it_before_the_switch() -> None:
    assert rank_changes(BOARD, MENDED, higher_is_better=True).text() == (
        "5 submissions scored anew: 2 scores differ, 4 teams move, 1 score is lost.\n"
        "2 → 1  b  0.550\n"
        "1 → 2  a  0.600 → 0.500  counts: a2 → a1\n"
        "4 → 3  e  0.300\n"
        "3 → –  c  0.400 → –  no valid score: c1 has the score nan, which ranks nowhere"
    )


def test_a_score_that_comes_back_ranks_again() -> None:
    found = rank_changes([entry("a1", None)], {"a1": 0.25}, higher_is_better=True)
    assert found.text() == (
        "1 submission scored anew: 1 score differs, 1 team moves, 0 scores are lost.\n– → 1  a  – → 0.250  counts: – → a1"
    )


def test_scores_that_differ_by_little_are_shown_apart_and_move_nobody() -> None:
    found = rank_changes([entry("a1", 0.5)], {"a1": 0.500001}, higher_is_better=False)
    assert found.moved == ()
    assert found.text().splitlines()[1] == "1  a  0.500000 → 0.500001"


def test_where_nothing_differs_only_that_is_said() -> None:
    found = rank_changes(BOARD, {one.key: one.score for one in BOARD if one.score}, higher_is_better=True)
    assert found.text() == "5 submissions scored anew: 0 scores differ, 0 teams move, 0 scores are lost."
    assert rank_changes([], {}, higher_is_better=True).text().startswith("0 submissions scored anew")


def test_programs_read_it_too() -> None:
    found = json.loads(json.dumps(rank_changes(BOARD, MENDED, higher_is_better=True).plain(), allow_nan=False))
    assert (found["scored"], found["moved"], found["undefined"]) == (5, 4, ["c1"])
    assert found["teams"][1]["place_after"] == 2
    assert found["teams"][1]["moves"]
    assert found["scores"][1] == {"key": "a2", "team": "a", "before": 0.6, "after": 0.45}


def test_the_direction_of_the_metric_holds() -> None:
    found = rank_changes(BOARD, MENDED, higher_is_better=False)
    assert [(row.team, row.place_before, row.place_after) for row in found.teams[:3]] == [
        ("e", 1, 1),
        ("a", 3, 2),
        ("b", 4, 3),
    ]


def test_a_re_scoring_that_is_not_done_is_refused() -> None:
    with pytest.raises(InputError, match="1 submission not scored anew: 'e1'"):
        rank_changes(BOARD, {key: score for key, score in MENDED.items() if key != "e1"}, higher_is_better=True)
    with pytest.raises(InputError, match="2 new scores of what is not a scored submission: 'd1', 'x'"):
        rank_changes(BOARD, MENDED | {"x": 0.1, "d1": 0.1}, higher_is_better=True)
    with pytest.raises(InputError, match="submissions of one key: 'a1'"):
        rank_changes([entry("a1", 0.1), entry("a1", 0.2)], {"a1": 0.1}, higher_is_better=True)


SCORES = st.none() | st.sampled_from([0.1, 0.2, 0.3, float("nan"), float("inf")])


@given(st.lists(st.tuples(st.sampled_from("abc"), SCORES, SCORES), max_size=12), st.booleans())
def test_both_places_are_those_of_the_boards(submissions: list[tuple[str, Any, Any]], higher: bool) -> None:
    old = [entry(f"{team}{place}", before, hours=place) for place, (team, before, _) in enumerate(submissions)]
    after = {one.key: new for one, (_, _, new) in zip(old, submissions, strict=True)}
    found = rank_changes(old, after, higher_is_better=higher)
    boards = [
        {row.team: row.place for row in ranking(some, higher_is_better=higher)}
        for some in (old, [Entry(one.key, one.team, one.received, "scored", after[one.key]) for one in old])
    ]
    assert {row.team: row.place_before for row in found.teams} == boards[0]
    assert {row.team: row.place_after for row in found.teams} == boards[1]
    assert all(row.differs or not row.moves for row in found.teams)
