"""Speaker average and speaker ranking, against counts by hand."""

from __future__ import annotations

import csv
import json
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affectcheck.behaviour import SuiteOptions, load_suites
from affectcheck.behaviour.correctness import measure_correctness
from affectcheck.behaviour.judging import judge
from affectcheck.behaviour.material import Material
from affectcheck.behaviour.measured import Setting
from affectcheck.behaviour.speakers import counted
from unlabelled_items import LABELS

AVERAGE, RANKING = load_suites(["correctness-speaker-average", "correctness-speaker-ranking"])


def frame_of(speakers: Any) -> pl.DataFrame:
    return pl.DataFrame(
        {"item": [f"i{r:05d}" for r in range(len(speakers))], "subject": pl.Series(speakers, dtype=pl.String)}
    )


def ask(test: Any, material: Material, mode: Any = "corrected", **changes: Any) -> dict[tuple[str, str], Any]:
    task = test.task_of("categories" if material.truth.ndim == 1 else "dimensions")
    speakers = test.speakers.model_copy(
        update={k: v for k, v in changes.items() if k in type(test.speakers).model_fields}
    )
    rules = test.rules(mode).model_copy(update={k: v for k, v in changes.items() if k == "intervals"})
    definition = test.model_copy(update={"speakers": speakers})
    found = measure_correctness(material, Setting(definition, task, rules, SuiteOptions(mode=mode, resamples=50)))
    return {(one.comparison.metric, one.place.part): one for one in found}


def of_means(truth: Any, prediction: Any, names: Any = None, items: int = 10) -> Material:
    """Every speaker with so many items, all at the speaker's mean."""
    names = names or [f"sp{k:02d}" for k in range(len(truth))]
    sides = [np.repeat(np.asarray(side, np.float64), items)[:, None] for side in (truth, prediction)]
    return Material(frame_of(np.repeat(names, items)), *sides, ("valence",))


def of_classes(draw: Any, speakers: int, items: int) -> Material:
    n = speakers * items
    truth = np.tile(np.repeat(np.arange(4), items // 4), speakers)
    names = np.repeat([f"sp{k:02d}" for k in range(speakers)], items)
    return Material(frame_of(names), truth, draw.integers(0, 5, size=n), LABELS, 1)


def rank_correlation(truth: Any, prediction: Any) -> float:
    ranks = [
        [sum(x < v for x in side) + (sum(x == v for x in side) + 1) / 2 for v in side] for side in (truth, prediction)
    ]
    return float(np.corrcoef(ranks)[0, 1])


def credits(values: Any, k: int, *, top: bool) -> list[float]:
    """How much of each is among the k at an end, over all ways to break ties: by trying many of them."""
    signed = [-v if top else v for v in values]
    sure = [sum(x < v for x in signed) for v in signed]
    tied = [sum(x == v for x in signed) for v in signed]
    return [min(max((k - s) / t, 0), 1) for s, t in zip(sure, tied, strict=True)]


@given(seed=st.integers(0, 10_000), coarse=st.booleans())
@settings(max_examples=25, deadline=None)
def test_rankings_of_dimensions(seed: int, coarse: bool) -> None:
    draw = np.random.default_rng(seed)
    n = int(draw.integers(6, 15))
    truth, prediction = (draw.integers(0, 5 if coarse else 1000, size=n) / 1000 for _ in range(2))
    found = ask(RANKING, of_means(truth, prediction), intervals=False)
    k = round(n / 4)
    ends = {
        (side, top): credits(values, k, top=top)
        for side, values in (("t", truth), ("p", prediction))
        for top in (True, False)
    }

    def shared(one: Any, other: Any) -> float:
        return sum(a * b for a, b in zip(ends["t", one], ends["p", other], strict=True))

    expected = {
        "precision_top": shared(True, True) / k,
        "precision_bottom": shared(False, False) / k,
        "top_bottom_confusions": (shared(True, False) + shared(False, True)) / (2 * k),
    }
    for metric, value in expected.items():
        assert found[metric, "valence"].value == pytest.approx(value, abs=1e-12)
    if len(set(truth)) > 1 and len(set(prediction)) > 1:
        assert found["spearman", "valence"].value == pytest.approx(rank_correlation(truth, prediction), abs=1e-9)


@given(seed=st.integers(0, 10_000))
@settings(max_examples=20, deadline=None)
def test_published_rankings_sort_stably_by_the_order_of_rows(seed: int) -> None:
    draw = np.random.default_rng(seed)
    n = int(draw.integers(3, 15))
    names = [f"sp{k:02d}" for k in draw.permutation(n)]
    truth, prediction = (draw.integers(0, 4, size=n) / 4 for _ in range(2))
    found = ask(RANKING, of_means(truth, prediction, names), "published")
    k = round(n / 4)
    order = {side: sorted(range(n), key=lambda i: values[i]) for side, values in (("t", truth), ("p", prediction))}
    top, bottom = (
        {side: set(one) for side, one in ends.items()}
        for ends in (
            {side: rows[-k:] for side, rows in order.items()},
            {side: rows[:k] for side, rows in order.items()},
        )
    )
    assert found["precision_top", "valence"].value == len(top["t"] & top["p"]) / k
    assert found["precision_bottom", "valence"].value == len(bottom["t"] & bottom["p"]) / k
    crossed = len(top["t"] & bottom["p"]) + len(bottom["t"] & top["p"])
    assert found["top_bottom_confusions", "valence"].value == crossed / (2 * k)


def test_published_means_tie_where_they_are_equal_in_single_precision() -> None:
    means, spread = np.array([0.4, 0.4, 0.2, 0.7, 0.6]), np.array([0.08, 0.0, 0.01, 0.03, 0.0])
    prediction = np.stack([means - spread, means + spread, *[means] * 8], axis=1).reshape(-1, 1)
    truth = np.repeat([0.1, 0.5, 0.2, 0.9, 0.7], 10)[:, None]
    material = Material(frame_of(np.repeat(list("abcde"), 10)), truth, prediction, ("valence",))
    single = Material(material.frame, truth, np.round(prediction, 2).astype(np.float32), ("valence",))
    wanted = rank_correlation([0.1, 0.5, 0.2, 0.9, 0.7], [0.4, 0.4, 0.2, 0.7, 0.6])
    for mode, one in (("corrected", material), ("published", single)):
        assert ask(RANKING, one, mode, minimum_speakers=2)["spearman", "valence"].value == pytest.approx(wanted)


@pytest.mark.shared
def test_the_collected_case_of_ties(shared_data: Any) -> None:
    folder = shared_data / "cases" / "bugs"
    right = json.loads((folder / "A31.json").read_text(encoding="utf-8"))["expected"]
    with (folder / "A31_speaker_means.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for order in (1, -1):
        taken = rows[::order]
        sides = [[float(row[name]) for row in taken] for name in ("true_mean", "pred_mean")]
        material = of_means(*sides, [row["speaker"] for row in taken])
        found = ask(RANKING, material)
        bottom, top = found["precision_bottom", "valence"].value, found["precision_top", "valence"].value
        assert bottom == pytest.approx(right["bottom_precision_fractional_k2"]["value"], abs=1e-15)
        assert top == right["top_precision_k2"]["value"]
        assert found["spearman", "valence"].value == pytest.approx(rank_correlation(*sides))
        published = ask(RANKING, material, "published")["precision_bottom", "valence"].value
        assert published == (1.0 if order == 1 else 0.5)  # the order of rows decides, as the original's does


def test_a_reversed_ranking_passes_as_published_and_fails_as_corrected() -> None:
    truth = np.linspace(0.1, 0.9, 12)
    material = of_means(truth, truth[::-1])
    for mode, status, shown in (("published", "passed", "|x| > 0.7"), ("corrected", "failed", "x > 0.7")):
        rho = ask(RANKING, material, mode)["spearman", "valence"]
        assert rho.value == -1.0
        verdict = judge(rho, RANKING, mode)
        assert (verdict.status, str(verdict.threshold)) == (status, shown)
    confusions = ask(RANKING, material)["top_bottom_confusions", "valence"]
    assert (confusions.value, judge(confusions, RANKING, "corrected").status) == (1.0, "failed")


def test_the_length_of_a_quarter_is_rounded_half_to_even() -> None:
    for n, k in ((6, 2), (10, 2), (14, 4)):
        truth = np.arange(n) / n
        prediction = truth.copy()
        prediction[-1] = -1  # the last is put first: one of the k at the top is lost
        found = ask(RANKING, of_means(truth, prediction))["precision_top", "valence"]
        assert found.value == pytest.approx((k - 1) / k)
    half_up = ask(RANKING, of_means(np.arange(10), np.arange(10)), quantile_rounding="half up")
    assert half_up["precision_top", "valence"].value == 1.0


def test_speakers_of_equal_truth_are_not_ranked_but_as_published() -> None:
    material = of_means([0.5] * 12, np.linspace(0.1, 0.9, 12))
    found = ask(RANKING, material)
    assert {metric for metric, _ in found} == {"spearman", "precision_top", "precision_bottom", "top_bottom_confusions"}
    for one in found.values():
        assert "constant" in one.reason
        assert judge(one, RANKING, "corrected").status == "not applicable"
    assert "all 12 speakers have the same mean" in found["precision_top", "valence"].reason
    assert ask(RANKING, material, "published")["precision_top", "valence"].value is not None


def test_two_speakers_have_no_quarter() -> None:
    found = ask(RANKING, of_means([0.1, 0.9], [0.2, 0.8]), "published")
    assert found["spearman", "valence"].value == 1.0
    assert found["precision_top", "valence"].reason == "a quantile of 0.25 of 2 speakers holds nobody"
    constant = ask(RANKING, of_means([0.1, 0.9, 0.3], [0.2] * 3), "published")["spearman", "valence"]
    assert constant.value is None
    assert "constant" in constant.reason


@pytest.mark.parametrize(("test", "each"), [(AVERAGE, 2), (RANKING, 4)])
def test_fewer_than_six_speakers_are_too_few_in_corrected_mode_only(test: Any, each: int) -> None:
    material = of_means([0.1, 0.3, 0.5, 0.7, 0.9], [0.2, 0.3, 0.5, 0.7, 0.9])
    found = ask(test, material)
    assert len(found) == each
    for one in found.values():
        assert one.reason == "5 speakers with at least 10 items, the test takes 6"
        assert (one.support, one.minimum) == (5, 6)
        assert judge(one, test, "corrected").status == "not applicable"
    assert all(one.value is not None for one in ask(test, material, "published").values())


def test_speakers_with_few_items_and_items_without_speaker_are_left_out_and_counted() -> None:
    material = of_means(np.linspace(0, 1, 8), np.linspace(0, 1, 8))
    subjects = material.frame.get_column("subject").to_list()
    subjects[:3] = [None] * 3
    changed = Material(
        material.frame.with_columns(subject=pl.Series(subjects)), material.truth, material.prediction, ("valence",)
    )
    found = ask(AVERAGE, changed)["mae", "valence"]
    assert found.support == 7
    assert "3 items without a known speaker are left out" in found.notes
    assert "1 speaker with fewer than 10 items is left out" in found.notes
    assert "over the means of 7 speakers" in found.notes


@given(seed=st.integers(0, 10_000))
@settings(max_examples=20, deadline=None)
def test_averages_of_dimensions_count_every_speaker_once(seed: int) -> None:
    draw = np.random.default_rng(seed)
    numbers = draw.integers(8, 30, size=12)
    names = np.repeat([f"sp{k:02d}" for k in range(12)], numbers)
    rows = draw.permutation(len(names))
    truth, prediction = draw.random((len(names), 1)), draw.random((len(names), 1))
    material = Material(frame_of(names), truth, prediction, ("valence",)).take(rows)
    by_name: dict[str, list[int]] = {}
    for row, name in enumerate(names):
        by_name.setdefault(str(name), []).append(row)
    gaps = [float(np.mean(prediction[own]) - np.mean(truth[own])) for own in by_name.values() if len(own) >= 10]
    found = ask(AVERAGE, material, minimum_speakers=1, intervals=False)
    assert found["mae", "valence"].value == pytest.approx(np.mean(np.abs(gaps)), abs=1e-11)
    assert found["mde", "valence"].value == pytest.approx(np.mean(gaps), abs=1e-11)
    assert found["mae", "valence"].support == len(gaps)


@given(seed=st.integers(0, 10_000))
@settings(max_examples=20, deadline=None)
def test_shares_of_classes_by_speaker(seed: int) -> None:
    draw = np.random.default_rng(seed)
    material = of_classes(draw, 7, 40)
    gaps = {label: [] for label in LABELS}
    for k in range(7):
        own = slice(40 * k, 40 * k + 40)
        for code, label in enumerate(LABELS):
            predicted = sum(p == code for p in material.prediction[own]) / 40
            gaps[label].append(predicted - sum(t == code for t in material.truth[own]) / 40)
    found = ask(AVERAGE, material)
    for label in LABELS:
        assert found["mae", label].value == pytest.approx(np.mean(np.abs(gaps[label])), abs=1e-12)
        assert found["mde", label].value == pytest.approx(np.mean(gaps[label]), abs=1e-12)


def test_a_class_that_is_never_predicted_has_the_share_0() -> None:
    material = of_classes(np.random.default_rng(0), 7, 40)
    never = Material(material.frame, material.truth, np.zeros_like(material.truth), LABELS)
    for mode in ("corrected", "published"):
        found = ask(AVERAGE, never, mode)
        assert found["mae", "sadness"].value == pytest.approx(0.25)
        assert found["mde", "anger"].value == pytest.approx(0.75)


def test_eight_items_of_each_class_make_a_speaker_count() -> None:
    draw = np.random.default_rng(0)
    material = of_classes(draw, 8, 40)
    truth = material.truth.copy()
    truth[:3] = 1  # the first speaker has 7 items of the first class left
    found = ask(AVERAGE, Material(material.frame, truth, material.prediction, LABELS, 1))
    assert found["mae", "anger"].support == 7
    assert "1 speaker with fewer than 8 items of each class and 10 items is left out" in found["mae", "anger"].notes
    few = of_classes(draw, 8, 28)
    (reason,) = {one.reason for one in ask(RANKING, few).values()}
    assert reason == "0 speakers with at least 10 items and 8 of each class, the test takes 6"


def test_a_class_without_any_item_is_none_that_speakers_lack_except_as_published() -> None:
    material = of_classes(np.random.default_rng(0), 7, 40)
    truth = np.where(material.truth == 3, 0, material.truth)
    three = Material(material.frame, truth, material.prediction, LABELS, 1)
    found = ask(AVERAGE, three)
    assert {part for _, part in found} == {"anger", "happiness", "neutral"}
    assert found["mae", "anger"].support == 7
    # The share of the absent class still counts among the predictions of a speaker.
    shares = [np.mean(material.prediction[40 * k : 40 * k + 40] == 1) for k in range(7)]
    assert found["mde", "happiness"].value == pytest.approx(np.mean(shares) - 0.25)
    assert {one.support for one in ask(AVERAGE, three, "published").values()} == {0}
    nothing = Material(material.frame, np.full_like(truth, -1), material.prediction, LABELS, 1)
    assert [one.support for one in ask(AVERAGE, nothing).values()] == [0, 0]


def test_a_rare_class_that_is_none_of_the_papers_keeps_no_speaker_away() -> None:
    draw = np.random.default_rng(0)
    material = of_classes(draw, 8, 40)
    truth = material.truth.copy()
    truth[0] = 4
    labels = (*LABELS, "disgust")
    found = ask(AVERAGE, Material(material.frame, truth, material.prediction, labels))
    assert found["mae", "disgust"].support == 8
    others = tuple(f"class {k}" for k in range(5))
    (found,) = {
        one.support for one in ask(AVERAGE, Material(material.frame, truth, material.prediction, others)).values()
    }
    assert found == 0


def test_intervals_are_over_speakers() -> None:
    draw = np.random.default_rng(5)
    truth = draw.random(40)
    found = ask(RANKING, of_means(truth, truth + 0.05 * draw.standard_normal(40)))
    for one in found.values():
        assert one.interval is not None
        assert (one.interval.clusters, one.interval.unit) == (40, "subject")
        assert one.interval.low <= one.value <= one.interval.high
    few = ask(AVERAGE, of_means(truth[:6], truth[:6]))["mae", "valence"]
    assert few.interval is not None
    assert few.value == 0.0


@pytest.mark.parametrize("test", [AVERAGE, RANKING])
@given(seed=st.integers(0, 10_000))
@settings(max_examples=10, deadline=None)
def test_the_order_of_rows_changes_nothing(test: Any, seed: int) -> None:
    draw = np.random.default_rng(seed)
    names = np.repeat([f"sp{k:02d}" for k in range(8)], 12)
    sides = draw.integers(0, 4, size=(2, 96, 1)) / 10
    material = Material(frame_of(names), *sides, ("valence",))
    assert ask(test, material.take(draw.permutation(96))) == ask(test, material)


def test_a_definition_without_speakers_is_refused() -> None:
    bare = RANKING.model_copy(update={"speakers": None})
    with pytest.raises(LookupError, match="correctness-speaker-ranking"):
        counted(Setting(bare, bare.task[0], bare.corrected, SuiteOptions()))


def test_whole_runs(speech: Any, affect: Any, outcome: Any) -> None:
    for world, good, bad in (
        (affect, affect.truth, 1 - 0.2 * affect.truth),
        (speech, speech.truth, np.zeros(len(speech.truth), np.int64)),
    ):
        for test in ("correctness-speaker-average", "correctness-speaker-ranking"):
            right = outcome(test, world, world.predictions(good))
            assert "failed" not in right.statuses()
            assert "passed" in right.statuses()
            wrong = outcome(test, world, world.predictions(bad))
            assert "failed" in wrong.statuses()
    verdict = outcome("correctness-speaker-ranking", affect, affect.predictions(1 - affect.truth)).one(
        "spearman", part="valence"
    )
    assert (verdict.status, verdict.support, verdict.minimum_support) == ("failed", 40, 6)
    assert verdict.baseline is not None
