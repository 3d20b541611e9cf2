"""Every metric of a confusion is a ratio: it takes shares of items, such as those of votes, as it takes items."""

from __future__ import annotations

import numpy as np
import pytest

from affectcheck.metrics import METRICS
from affectcheck.tallies import Confusion, Moments


class TestFractionalCounts:
    """Every metric of a confusion is a ratio: it takes shares of items as it takes items."""

    NAMES = tuple(
        n for n in METRICS.names() if METRICS.get(n).tally is Confusion and not METRICS.get(n).number_of_parts
    )

    def tally(self, metric, seed: int, scale: float) -> Confusion:
        random = np.random.default_rng(seed)
        shape = (3, 4, 4) if metric.level == "disparity" else (4, 4)
        counts = random.integers(0, 6, shape)
        return Confusion(counts * scale, np.zeros(shape[:-1]) * scale)

    @pytest.mark.parametrize("name", NAMES)
    def test_thirds_of_items_score_as_items(self, name):
        metric = METRICS.get(name)
        for seed in range(4):
            whole, thirds = (metric.compute(self.tally(metric, seed, scale)) for scale in (1, 1 / 3))
            np.testing.assert_allclose(thirds, whole, rtol=1e-9, atol=1e-12)
            assert (
                metric.undefined_parts(self.tally(metric, seed, 1 / 3))
                == metric.undefined_parts(self.tally(metric, seed, 1))
            ).all()

    @pytest.mark.parametrize("name", NAMES)
    def test_shares_merge_and_batch(self, name):
        metric = METRICS.get(name)
        one, other = (self.tally(metric, seed, 1 / 7) for seed in (1, 2))
        both = one.reshape(1, *one.shape).joined([other.reshape(1, *other.shape)])
        np.testing.assert_allclose(metric.compute(both)[0], metric.compute(one), rtol=1e-12, atol=1e-15)
        np.testing.assert_allclose(metric.compute(both.pooled(0)), metric.compute(one + other), rtol=1e-12, atol=1e-15)
        known = np.asarray(metric.compute(one))
        known = known[~np.isnan(known)]
        assert ((known >= metric.low - 1e-12) & (known <= metric.high + 1e-12)).all()


def test_a_moment_of_weighted_rows_is_that_of_repeated_ones():
    one = Moments.of([0.0, 1.0, 3.0], [0.5, 1.0, 2.0])
    scaled = one.reshape(1).weighted([[2.0]])[0]
    for name in ("ccc", "pcc", "mae", "rmse", "mde"):
        np.testing.assert_allclose(METRICS.get(name).compute(scaled), METRICS.get(name).compute(one + one), rtol=1e-12)
