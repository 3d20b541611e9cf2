"""Tests in plain words: what particular tests of correctness do in each mode."""

from __future__ import annotations

import pytest

from affectcheck.behaviour import explain, load_suites

CONSISTENCY, DISTRIBUTION, AVERAGE, RANKING, TEMPORAL = load_suites(
    [
        "correctness-consistency",
        "correctness-distribution",
        "correctness-speaker-average",
        "correctness-speaker-ranking",
        "correctness-temporal-behaviour",
    ]
)


def mode(text: str, name: str) -> str:
    (line,) = [line for line in text.splitlines() if line.strip().startswith(name)]
    return line


def test_ranges_are_shown_and_the_one_that_a_mode_moves() -> None:
    text = explain(CONSISTENCY)
    assert "expected low arousal, up to 0.45: boredom, sadness" in text
    assert "expected neutral valence, from 0.3 up to 0.6: boredom, neutral" in text
    assert "neutral, from 0.3 up to 0.7" in mode(text, "Published mode")
    assert "below 10 items of a class" in mode(text, "Corrected mode")


def test_histograms_of_both_modes() -> None:
    text = explain(DISTRIBUTION)
    assert "a histogram of 9 bins from 0 to 0.9, values outside dropped" in mode(text, "Published mode")
    assert "values outside the histogram count in its outermost bin" in mode(text, "Corrected mode")
    assert "Judged: what the predictions show minus what the annotations show" in text


def test_speakers_and_ties() -> None:
    text = explain(RANKING)
    assert "speakers with at least 10 items, for classes 8 of each" in text
    assert "at least 6 speakers; equal means share the last places" in mode(text, "Corrected mode")
    assert "any number of speakers; the order of rows decides" in mode(text, "Published mode")
    assert "whatever its sign" in mode(text, "Published mode")
    assert "whatever its sign" not in mode(explain(AVERAGE), "Published mode")
    bare = AVERAGE.speakers.model_copy(update={"minimum_items_per_class": 0})
    assert "for classes" not in explain(AVERAGE.model_copy(update={"speakers": bare}))


@pytest.mark.parametrize(
    ("name", "ranked"),
    [
        ("correctness-speaker-ranking", "speakers"),
        ("face-correctness-subject-ranking", "subjects"),
        ("face-correctness-video-ranking", "videos"),
    ],
)
def test_what_is_ranked_is_told_by_its_name(name: str, ranked: str) -> None:
    text = explain(*load_suites([name]))
    assert f"rank correlation of the {ranked} per class" in text
    assert f"\n    - {ranked} that fall into the opposite quantile" in text


def test_what_was_never_published_is_said() -> None:
    text = explain(TEMPORAL)
    assert "recordings with at least 4 segments" in text
    assert mode(text, "Published mode").endswith("nothing was published of this test: no limits, no data, no results.")


def test_a_range_of_every_dimension_names_none() -> None:
    anywhere = CONSISTENCY.task[0].ranges[0].model_copy(update={"dimension": ""})
    task = CONSISTENCY.task[0].model_copy(update={"ranges": (anywhere,)})
    assert "expected low, up to 0.45" in explain(CONSISTENCY.model_copy(update={"task": (task,)}))


def test_limits_of_single_classes_are_told() -> None:
    (test,) = load_suites(["correctness-classification"])
    task = test.task[0]
    own = task.comparison[1].model_copy(update={"limits": {"anger": 0.75, "sadness": 0.6}})
    told = explain(test.model_copy(update={"task": (task.model_copy(update={"comparison": (own,)}),)}))
    assert "recall per class passes above 0.5 (anger 0.75, sadness 0.6) [paper 2" in told
