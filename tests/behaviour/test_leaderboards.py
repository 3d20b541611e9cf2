"""The published tables, and a user's runs among them."""

from __future__ import annotations

from typing import Any

import pytest
from scipy.stats import spearmanr

from affectcheck.behaviour.leaderboards import board, board_names, standings, standings_frame
from affectcheck.behaviour.leaderboards_own import NothingToShowError, own_rows, task_of
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.records import Header, Place, RunRecord, Score, Signature, Undefined, Verdict

TASKS = ("arousal", "dominance", "valence")


def record(kind: str = "dimensions", name: str = "mine", **parts: Any) -> RunRecord:
    return RunRecord(Header(model={"name": name, "kind": kind}), **parts)


def verdict(test: str, status: Any, part: str = "", **more: Any) -> Verdict:
    return Verdict(
        test, test.split("-", maxsplit=1)[0], more.pop("metric", "m"), status, place=Place(part=part), **more
    )


def score(metric: str, value: float, part: str = "") -> Score:
    return Score(metric, value, 10, Signature(metric), Place(part=part))


@pytest.mark.parametrize("name", board_names())
def test_a_board_ships_with_its_source_and_a_row_for_each_model(name: str) -> None:
    found = board(name)
    assert found.source == f"paper 2, Table {name}"
    for rows in found.blocks.values():
        assert len(rows) == 8
        assert {len(row) for row in rows.values()} == {len(found.columns)}


@pytest.mark.parametrize("name", ["V", "VI"])
def test_the_printed_means_are_those_of_the_printed_values(name: str) -> None:
    """A typing mistake in any of the cells would show here."""
    decimals = 3 if name == "V" else 2
    for rows in board(name).blocks.values():
        means = []
        for *cells, mean in rows.values():
            assert abs(sum(cells) / 4 - mean) <= 0.5 * 10**-decimals + 1e-9
            means.append(mean)
        assert means == sorted(means, reverse=True)


def column(table: str, block: str, name: str) -> dict[str, float]:
    """Model to value."""
    found = board(table)
    values = {model: row[found.columns.index(name)] for model, row in found.blocks[block].items()}
    return {model: value for model, value in values.items() if value is not None}


def best(table: str, block: str, name: str) -> str:
    values = column(table, block, name)
    return max(values, key=lambda model: values[model])


def told(table: str) -> str:
    return " ".join(board(table).notes)


def test_what_the_text_says_of_passed_tests() -> None:
    """Paper 2, sections IV and V: what holds, and what stands as a note since it does not."""
    overall = [*column("V", "all tests", "mean")]
    assert overall[:2] == ["w2v2-L-robust", "hubert-L"]
    assert overall[-1] == "CNN14"
    mean = column("V", "all tests", "mean")
    assert mean["hubert-L"] > mean["hubert-b"]
    assert mean["w2v2-L"] > mean["w2v2-b"]  # larger architectures tend to pass more
    assert [*column("V", "fairness", "mean")][:3] == ["w2v2-L-vox", "hubert-b", "w2v2-L-xls-r"]
    robust, hubert = (
        {name: column("V", "robustness", name)[model] for name in board("V").columns}
        for model in ("w2v2-L-robust", "hubert-L")
    )
    assert all(robust[name] > hubert[name] for name in ("arousal", "dominance"))
    assert all(robust[name] < hubert[name] for name in ("valence", "emotion"))
    assert [*column("V", "robustness", "mean")][-1] == "CNN14"


def test_what_the_text_says_of_passed_tests_and_the_table_does_not() -> None:
    bests = {name: best("V", "all tests", name) for name in board("V").columns}
    assert bests == {
        "arousal": "w2v2-L-vox",
        "dominance": "w2v2-L-robust",
        "valence": "hubert-b",
        "emotion": "hubert-L",
        "mean": "w2v2-L-robust",
    }  # the text: w2v2-L-robust passes the most tests for all tasks
    assert "it does of dominance and on the mean" in told("V")
    low = {
        (model, name): value
        for name in (*TASKS, "emotion")
        for model, value in column("V", "fairness", name).items()
        if value < 0.91
    }
    assert low == {("w2v2-L", "dominance"): 0.9, ("CNN14", "valence"): 0.844}  # the text: at least 91 % for any task
    assert "90.0 %" in told("V")
    assert "84.4 %" in told("V")


def test_what_the_text_says_of_benchmarks_and_sentiment() -> None:
    benchmark = column("VI", "", "mean")
    assert [*benchmark][:2] == ["w2v2-L-robust", "hubert-L"]
    assert [*benchmark][-1] == "CNN14"
    for table, block in (("V", "correctness"), ("VI", "")):
        valence = column(table, block, "valence")
        assert {*sorted(valence, key=lambda model: -valence[model])[:3]} == {"w2v2-L-robust", "hubert-L", "hubert-b"}
    lower, higher = (column("VII", "English", name) for name in ("negative", "positive"))
    assert {model for model in lower if lower[model] <= -0.09} == {"w2v2-L-robust", "hubert-L", "hubert-b"}
    assert {model for model in higher if higher[model] >= 0.11} == {"w2v2-L-robust", "hubert-L", "hubert-b"}
    models = [*benchmark]
    for block, expected in (("all tests", 0.83), ("fairness", 0.07)):
        passed = column("V", block, "mean")
        found = spearmanr([benchmark[model] for model in models], [passed[model] for model in models]).statistic
        assert found == pytest.approx(expected, abs=0.005)
        assert f"{expected:+.2f}" in told("V")


def test_an_unknown_board_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="unknown table 'IV'"):
        board("IV")
    with pytest.raises(UnknownNameError, match="unknown table 'IV'"):
        own_rows("IV", [record()])


def test_no_run_has_no_rows() -> None:
    assert own_rows("V", []) == {}


def test_a_model_is_placed_in_every_column_and_sorted_by_what_all_have() -> None:
    rows = standings(board("VI"), {"": {"mine": (0.64, 0.1, None, None, None)}})
    (own,) = [one for one in rows if one.own]
    assert own.places == (1, 9, None, None, None)
    assert own.models == (9, 9, 8, 8, 8)
    assert rows[-1] == own  # dominance is the last column that all of them have
    whole = standings(board("VI"), {"": {"mine": (0.6, 0.5, 0.4, 0.5, 0.51)}})
    assert [one.own for one in whole].index(True) == 2  # of equal models the user's comes first
    assert [one.places[-1] for one in whole] == [1, 2, 3, 3, 3, 3, 7, 8, 9]


def test_a_model_without_any_value_stands_last() -> None:
    rows = standings(board("VI"), {"": {"mine": (None,) * 5}})
    assert rows[-1].own
    assert rows[-1].places == (None,) * 5


def test_the_frame_has_a_value_and_a_place_for_each_column() -> None:
    frame = standings_frame(board("VI"), standings(board("VI"), {}))
    assert frame.height == 8
    assert frame.row(0, named=True) == {
        "table": "VI", "block": "", "model": "w2v2-L-robust", "own": False,
        "arousal": 0.64, "arousal_place": 1, "dominance": 0.54, "dominance_place": 1, "valence": 0.5,
        "valence_place": 1, "emotion": 0.58, "emotion_place": 1, "mean": 0.57, "mean_place": 1,
    }  # fmt: skip


def test_verdicts_become_a_row_of_table_five() -> None:
    held = [verdict("robustness-gain", "passed", "valence"), verdict("robustness-clip", "failed", "valence")]
    held += [
        verdict("robustness-noise-music", "passed", "valence"),
        verdict("robustness-gain", "inconclusive", "valence"),
    ]
    held += [verdict("fairness-sex", "passed", "valence (0.25, 0.5]"), verdict("my-own-test", "failed", "valence")]
    held += [
        verdict("fairness-sex", "not applicable", "valence (0.5, 0.75]"),
        verdict("fairness-sex", "failed", "tension"),
    ]
    rows = own_rows("V", [record(verdicts=tuple(held))])
    # small changes are one test of three comparisons, noise is another
    assert rows["robustness"]["mine"] == (None, None, 0.666, None, None)
    assert rows["fairness"]["mine"][2] == 1.0
    assert rows["all tests"]["mine"][2] == 0.6


def test_a_model_and_its_twin_are_one_row() -> None:
    values = record(verdicts=tuple(verdict("robustness-gain", "passed", task) for task in TASKS))
    twin = record("categories", "other", verdicts=(verdict("robustness-gain", "failed"),))
    assert own_rows("V", [values, twin])["robustness"]["mine"] == (1.0, 1.0, 1.0, 0.0, 0.75)
    assert own_rows("V", [twin])["robustness"]["other"] == (None, None, None, 0.0, None)
    with pytest.raises(InputError, match="two runs hold verdicts on emotion"):
        own_rows("V", [twin, twin])


def test_a_verdict_of_a_group_of_a_dimension_is_of_that_dimension() -> None:
    one = Verdict("fairness-accent", "fairness", "mean", "passed", place=Place("accent", "arousal", ""))
    assert task_of(one, record()) == "arousal"


def test_values_derived_from_classes_are_in_no_column() -> None:
    derived = verdict("correctness-consistency", "failed", "arousal anger", metric="in_range")
    known = verdict("correctness-classification", "passed", "anger", metric="recall")
    rows = own_rows("V", [record("categories", verdicts=(derived, known))])
    assert rows["all tests"]["mine"] == (None, None, None, 1.0, None)
    assert task_of(derived, record()) == "arousal"


def test_scores_become_a_row_of_table_six() -> None:
    values = record(
        scores=(score("ccc", 0.612, "arousal"), score("ccc", 0.5, "dominance"), score("ccc", 0.4, "valence"))
    )
    undefined = Undefined("uar", "no items", 0, Place())
    twin = record(
        "categories", scores=(undefined, score("uar", 0.5), score("ccc", 0.1, "tension"), score("recall", 0.1))
    )
    assert own_rows("VI", [values, twin]) == {"": {"mine": (0.61, 0.5, 0.4, 0.5, 0.5)}}
    assert own_rows("VI", [twin]) == {"": {"mine": (None, None, None, 0.5, None)}}
    with pytest.raises(InputError, match="two runs hold a score of emotion on the same data"):
        own_rows("VI", [twin, twin])


def test_scores_on_several_data_sets_are_averaged() -> None:
    held = [
        Score("ccc", value, 9, Signature("ccc", data=data), Place(part="arousal"))
        for value, data in ((0.5, "a"), (0.7, "b"))
    ]
    assert own_rows("VI", [record(scores=tuple(held))])[""]["mine"][0] == 0.6


@pytest.mark.parametrize(
    ("table", "told"), [("V", "executed behaviour test"), ("VI", "concordance correlation"), ("VII", "mean shift")]
)
def test_a_run_that_holds_nothing_of_a_table_is_told(table: str, told: str) -> None:
    skipped = verdict("fairness-linguistic-sentiment", "not applicable", "valence negative")
    with pytest.raises(NothingToShowError, match=f"^no run holds .*{told}"):
        own_rows(table, [record(verdicts=(skipped,))])


def test_shifts_become_rows_of_languages_and_a_row_of_english() -> None:
    held = [
        Verdict(
            "fairness-linguistic-sentiment", "fairness", metric, "passed",
            place=Place("language", language, f"{part} {sentiment}"), value=value,
        )
        for metric, part in (("mean_difference", "valence"), ("mean_difference", "arousal"), ("share_difference", "valence"))
        for language, shift in (("Swiss German", 0.01), ("en", 0.1))
        for sentiment, value in (("negative", -shift), ("positive", shift if part == "valence" else 9.0))
    ]  # fmt: skip
    rows = own_rows("VII", [record(verdicts=tuple(held[:4] + held[4:8]))])
    assert rows["English"] == {"mine": (-0.1, None, 0.1)}
    assert rows["mine, by language"] == {"Swiss German": (-0.01, None, 0.01), "en": (-0.1, None, 0.1)}
    shown = standings(board("VII"), rows)
    assert [one.model for one in shown if one.own] == ["mine", "Swiss German", "en"]
    assert {one.places for one in shown} == {(None, None, None)}
    german = own_rows("VII", [record(verdicts=tuple(held[:2]))])
    assert list(german) == ["mine, by language"]
