"""Do the intervals hold what they promise? Simulated subjects of differing difficulty, many data sets."""

from __future__ import annotations

import numpy as np
import pytest

from affectcheck.metrics import METRICS
from affectcheck.tallies import Confusion, Moments
from affectcheck.uncertainty import Resampling, cluster_bootstrap, resample_items, wilson

pytestmark = pytest.mark.slow
SETS, CLASSES = 300, 4


def categories(random: np.random.Generator, subjects: int) -> Confusion:
    skill = 1.0 / (1.0 + np.exp(-random.normal(0.6, 0.8, subjects)))
    cells = np.repeat(np.arange(subjects), 40)
    truth = random.integers(0, CLASSES, cells.size)
    right = random.random(cells.size) < skill[cells]
    prediction = np.where(right, truth, (truth + random.integers(1, CLASSES, cells.size)) % CLASSES)
    return Confusion.count(truth, prediction, labels=CLASSES, cells=cells, n_cells=subjects)


def dimensions(random: np.random.Generator, subjects: int) -> Moments:
    offset = random.normal(0, 0.15, subjects)
    cells = np.repeat(np.arange(subjects), 50)
    truth = np.clip(random.normal(0.5, 0.2, cells.size), 0, 1)
    prediction = np.clip(truth * 0.7 + 0.15 + offset[cells] + random.normal(0, 0.1, cells.size), 0, 1)
    return Moments.of(truth, prediction, cells=cells, n_cells=subjects)


def coverage(draw, name: str, subjects: int, method: str) -> float:
    compute = METRICS.get(name).compute
    true = float(compute(draw(np.random.default_rng(10**6), 20_000).pooled(0)))
    held = 0
    for seed in range(SETS):
        found = cluster_bootstrap(
            draw(np.random.default_rng(seed), subjects), compute, Resampling(400, seed, method=method)
        )
        held += bool(found.low <= true <= found.high)
    return held / SETS


@pytest.mark.parametrize("method", ["percentile-t", "bca"])
@pytest.mark.parametrize("subjects", [20, 40])
@pytest.mark.parametrize(("draw", "name"), [(categories, "uar"), (categories, "f1_macro"), (dimensions, "ccc")])
def test_subject_intervals_cover(draw, name, subjects, method):
    assert 0.88 <= coverage(draw, name, subjects, method) <= 0.97


@pytest.mark.parametrize(("draw", "name"), [(categories, "uar"), (dimensions, "ccc")])
def test_ten_subjects_still_cover_nearly(draw, name):
    assert 0.86 <= coverage(draw, name, 10, "percentile-t") <= 0.98


def test_item_intervals_fail_where_subjects_repeat():
    """Why subjects are resampled: items of one subject are not independent."""
    compute = METRICS.get("uar").compute
    true = float(compute(categories(np.random.default_rng(10**6), 20_000).pooled(0)))
    held = 0
    for seed in range(SETS):
        tally = categories(np.random.default_rng(seed), 20).pooled(0)
        found = resample_items(tally, Resampling(200, seed)).intervals(compute)
        held += bool(found.low <= true <= found.high)
    assert held / SETS < 0.7


def test_item_intervals_cover_independent_items():
    random = np.random.default_rng(0)
    compute = METRICS.get("f1_macro").compute
    cells = np.array([[0.30, 0.05, 0.05], [0.05, 0.25, 0.05], [0.05, 0.05, 0.15]])
    true = float(compute(Confusion.of_counts(np.round(cells * 10**6))))
    held = 0
    for seed in range(SETS):
        tally = Confusion.of_counts(random.multinomial(200, cells.ravel()).reshape(3, 3))
        found = resample_items(tally, Resampling(400, seed)).intervals(compute)
        held += bool(found.low <= true <= found.high)
    assert 0.9 <= held / SETS <= 0.98


def test_wilson_covers_rare_events():
    random = np.random.default_rng(0)
    for share in (0.02, 0.3):
        found = wilson(random.binomial(40, share, 20_000), 40)
        assert 0.92 <= float(((found.low <= share) & (share <= found.high)).mean()) <= 0.99
