"""Temporal behaviour: changes from segment to segment within recordings."""

from __future__ import annotations

from itertools import pairwise
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
from unlabelled_items import LABELS

(TEST,) = load_suites(["correctness-temporal-behaviour"])
CLASSES, VALUES = TEST.task


def frame_of(recordings: Any, **columns: Any) -> pl.DataFrame:
    n = len(recordings)
    starts = pl.Series([1000 * r for r in range(n)], dtype=pl.Int64)
    return pl.DataFrame({"item": [f"i{r:05d}" for r in range(n)], "media": recordings, "start_us": starts} | columns)


def ask(material: Material, mode: Any = "corrected", *, minimum: int = 1) -> dict[str, Any]:
    task = CLASSES if material.truth.ndim == 1 else VALUES
    rules = TEST.rules(mode).model_copy(update={"minimum_per_group": minimum})
    found = measure_correctness(material, Setting(TEST, task, rules, SuiteOptions(mode=mode, resamples=50)))
    return {one.comparison.metric: one for one in found}


def end_mean(by: Any, values: Any, k: int, *, top: bool) -> float:
    """Mean over every way to pick the k at an end: those at the edge share the places."""
    edge = sorted(by, reverse=top)[k - 1]
    sure = [v for b, v in zip(by, values, strict=True) if (b > edge if top else b < edge)]
    tied = [v for b, v in zip(by, values, strict=True) if b == edge]
    return (sum(sure) + (k - len(sure)) * sum(tied) / len(tied)) / k


def expected_of(true: list[float], predicted: list[float], largest: float) -> dict[str, float]:
    k = int(len(true) * 0.25)
    rising = [(p / largest + 1) / (t / largest + 1) for t, p in zip(true, predicted, strict=True)]
    found = {
        "mae": float(np.mean([abs(p - t) for t, p in zip(true, predicted, strict=True)])),
        "mde": float(np.mean([p - t for t, p in zip(true, predicted, strict=True)])),
    }
    if k:
        steady = [1 / one for one in rising]
        found["reactivity"] = (min(end_mean(true, rising, k, top=True), 1) - 0.5) * 2
        found["stability"] = (min(end_mean(true, steady, k, top=False), 1) - 0.5) * 2
    return found


@given(seed=st.integers(0, 10_000), kind=st.sampled_from(["categories", "dimensions"]))
@settings(max_examples=30, deadline=None)
def test_changes_are_those_of_a_loop(seed: int, kind: str) -> None:
    draw = np.random.default_rng(seed)
    numbers = draw.integers(1, 9, size=14)
    recordings = np.repeat([f"r{k:02d}.wav" for k in range(14)], numbers)
    n = len(recordings)
    sides = draw.integers(0, 3, size=(2, n)) if kind == "categories" else draw.random((2, n, 1))
    true, predicted = [], []
    for name in sorted(set(recordings.tolist())):
        rows = [r for r in range(n) if recordings[r] == name]
        if len(rows) < 4:
            continue
        for side, kept in zip(sides, (true, predicted), strict=True):
            own = [float(np.ravel(side)[r]) for r in rows]
            steps = [float(b != a) if kind == "categories" else abs(b - a) for a, b in pairwise(own)]
            kept.append(sum(steps) / len(steps))
    material = Material(frame_of(recordings), *sides, LABELS if kind == "categories" else ("valence",))
    found = ask(material.take(draw.permutation(n)))
    for metric, value in expected_of(true, predicted, 1.0 if kind == "categories" else 0.3).items():
        assert found[metric].value == pytest.approx(value, abs=1e-9)
        assert found[metric].support == len(true)
    if kind == "categories":
        edges = np.arange(11) / 10
        bins = [np.histogram(np.round(side, 9), edges)[0] for side in (true, predicted)]
        p, q = (one / one.sum() for one in bins)
        m = (p + q) / 2
        with np.errstate(divide="ignore", invalid="ignore"):
            parts = [np.where(x > 0, x * np.log2(x / m), 0).sum() / 2 for x in (p, q)]
        assert found["jsd"].value == pytest.approx(np.sqrt(max(sum(parts), 0)), abs=1e-7)


def steady(files: int = 24, each: int = 5) -> tuple[pl.DataFrame, np.ndarray]:
    draw = np.random.default_rng(0)
    recordings = np.repeat([f"r{k:02d}.wav" for k in range(files)], each)
    spread = np.repeat(np.linspace(0.01, 0.3, files), each)
    return frame_of(recordings), np.clip(0.5 + spread * draw.standard_normal(files * each), 0, 1)[:, None]


def test_a_model_that_follows_passes_and_one_that_stands_still_fails() -> None:
    frame, truth = steady()
    right = ask(Material(frame, truth, truth, ("valence",)), minimum=10)
    assert {judge(one, TEST, "corrected").status for one in right.values()} == {"passed"}
    assert (right["reactivity"].value, right["stability"].value) == (1.0, 1.0)
    still = ask(Material(frame, truth, np.full_like(truth, 0.5), ("valence",)))
    assert judge(still["reactivity"], TEST, "corrected").status == "failed"
    assert judge(still["stability"], TEST, "corrected").status == "passed"
    assert judge(still["mde"], TEST, "corrected").status == "failed"
    assert still["mae"].interval is not None
    assert "over 24 recordings" in still["mae"].notes


def test_changes_beyond_the_histogram_are_counted() -> None:
    frame, truth = steady()
    wild = np.tile([[0.0], [1.0]], (60, 1))
    found = ask(Material(frame, truth, wild, ("valence",)))
    assert any(note.startswith("24 predictions outside 0 to 0.3") for note in found["jsd"].notes)
    assert not any("outside" in note for note in found["mae"].notes)


def test_short_recordings_and_unknown_times_are_left_out_and_counted() -> None:
    frame, truth = steady()
    media = frame.get_column("media").to_list()
    starts = frame.get_column("start_us").to_list()
    media[:2], starts[3] = [None, None], None
    changed = frame.with_columns(media=pl.Series(media), start_us=pl.Series(starts, dtype=pl.Int64))
    found = ask(Material(changed, truth, truth, ("valence",)))["mae"]
    assert found.support == 23
    assert "3 segments of unknown recording or time are left out" in found.notes
    assert "1 recordings with fewer than 4 segments are left out" in found.notes


def test_few_recordings_are_not_judged() -> None:
    frame, truth = steady(3)
    material = Material(frame, truth, truth, ("valence",))
    assert ask(material, minimum=10)["mae"].reason == "3 recordings with enough segments, the test takes at least 10"
    assert ask(material)["reactivity"].reason == "a quarter of 3 recordings holds none"
    assert ask(material)["mae"].value == 0.0
    short = Material(frame.with_columns(media=pl.col("item")), truth, truth, ("valence",))
    none = {one.reason for one in ask(short).values()}
    assert none == {"0 recordings with enough segments, the test takes at least 1"}
    assert ask(short.take(np.zeros(0, np.int64)))["mae"].support == 0


def test_tables_without_recordings_or_times_say_so() -> None:
    frame, truth = steady()

    def reasons(changed: pl.DataFrame) -> set[str]:
        return {one.reason for one in ask(Material(changed, truth, truth, ("valence",))).values()}

    (no_file,) = reasons(frame.drop("media"))
    assert "no column 'video' or 'media' or 'file'" in no_file
    (no_time,) = reasons(frame.drop("start_us"))
    assert "no column 'start_us' or 'frame'" in no_time
    emptied = frame.with_columns(file=pl.col("media"), media=pl.lit(None, dtype=pl.String))
    assert reasons(emptied.rename({"start_us": "frame"})) == {""}


def test_it_is_not_judged_as_published(affect: Any, outcome: Any) -> None:
    found = outcome("correctness-temporal-behaviour", affect, affect.predictions(affect.near(0.01)), mode="published")
    (verdict,) = found.verdicts
    assert verdict.status == "not applicable"
    assert verdict.reason.startswith("nothing was published of this test")


def test_persons_of_a_video_are_followed_one_by_one() -> None:
    frame, truth = steady(4)
    crops = frame.with_columns(video=pl.lit("street"), person=pl.col("media"), media=pl.col("item"))
    together = ask(Material(crops, truth, truth, ("valence",)))["mae"]
    assert together.support == 4
    assert ask(Material(crops.drop("person"), truth, truth, ("valence",)))["mae"].support == 1


def test_own_limits_say_that_they_are_none_of_the_paper() -> None:
    assert all(one.source.startswith("own limit: none was published") for task in TEST.task for one in task.comparison)


def test_a_whole_run(affect: Any, outcome: Any) -> None:
    rows = np.arange(affect.table.height)
    frame = affect.table.frame.with_columns(
        media=pl.Series([f"f{r // 8:03d}.wav" for r in rows]), start_us=pl.Series(rows * 1000)
    )
    world = affect.with_frame(frame)
    found = outcome("correctness-temporal-behaviour", world, world.predictions(affect.near(0.01)))
    assert len(found.verdicts) == 15
    assert found.one("mae", part="valence").status == "passed"
    assert found.one("mae", part="valence").support == 200
    assert found.one("reactivity", part="arousal").baseline is not None
