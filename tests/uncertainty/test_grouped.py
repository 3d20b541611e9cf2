"""Clusters divided by group give what a table of all their parts would give."""

from __future__ import annotations

import numpy as np
import pytest

from affectcheck.metrics import METRICS
from affectcheck.tallies import Confusion, Moments, Tally, Units
from affectcheck.uncertainty import Grouped, Permuting, Resampling, deal, resample

CLUSTERS, GROUPS, ITEMS = 12, 3, 200


def tables(*, nested: bool) -> list[Tally]:
    """Tallies (S, G) of each kind; cluster 5 holds nothing, nor does group 1 of a nested table."""
    random = np.random.default_rng(3)
    cluster = random.integers(0, CLUSTERS, ITEMS)
    cluster[cluster == 5] = 4
    group = (cluster % 2) * 2 if nested else random.integers(0, GROUPS, ITEMS)
    where = {"cells": cluster * GROUPS + group, "n_cells": (CLUSTERS, GROUPS)}
    truth, value = random.integers(0, 3, ITEMS), random.uniform(0, 1, (ITEMS, 2))
    return [
        Confusion.count(truth, random.integers(0, 3, ITEMS), labels=3, **where),
        Units.count(random.integers(-1, 2, (ITEMS, 4)), random.integers(0, 2, (ITEMS, 4)), **where),
        Moments.of(value, value + random.normal(0, 0.2, value.shape), **where),
    ]


def same(first: Tally, second: Tally) -> None:
    for name in first.TRAILING:
        np.testing.assert_allclose(getattr(first, name), getattr(second, name), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("nested", [True, False])
@pytest.mark.parametrize("place", range(3))
class TestAsTheTable:
    def test_pooled_and_weighted(self, nested: bool, place: int) -> None:
        table = tables(nested=nested)[place]
        found = Grouped.of(table)
        assert found.nested is nested
        same(found.pooled(), table.pooled(0))
        weights = np.random.default_rng(0).integers(0, 4, (5, CLUSTERS))
        same(found.weighted(weights), table.weighted(weights))

    def test_resampled(self, nested: bool, place: int) -> None:
        table = tables(nested=nested)[place]
        how = Resampling(resamples=20, method="bca")
        first, second = resample(Grouped.of(table), how), resample(table, how)
        same(first.resamples, second.resamples)
        same(first.left_out, second.left_out)
        assert first.clusters.tolist() == second.clusters.tolist()
        assert (first.by_part is None) == (second.by_part is None)
        if first.by_part is not None:
            assert first.by_part.tolist() == second.by_part.tolist()

    def test_some_groups(self, nested: bool, place: int) -> None:
        table = tables(nested=nested)[place]
        found = Grouped.of(table).kept([2, 0])
        again = Grouped.of(table[:, [2, 0]])
        same(found.parts, again.parts)
        assert found.cluster.tolist() == again.cluster.tolist()
        assert found.group.tolist() == again.group.tolist()

    def test_dealt(self, nested: bool, place: int) -> None:
        table = tables(nested=nested)[place]
        same(deal(Grouped.of(table), Permuting(10)).draws, deal(table, Permuting(10)).draws)


def test_who_is_present() -> None:
    table = tables(nested=False)[0]
    held = table.support > 0
    assert Grouped.of(table).present.tolist() == held[held.any(axis=1)].tolist()
    assert Grouped.of(table).shape == (CLUSTERS, GROUPS)
    assert Grouped.of(table).compact().shape == (CLUSTERS - 1, GROUPS)
    assert METRICS.get("uar").compute(Grouped.of(table).pooled()).shape == (GROUPS,)
