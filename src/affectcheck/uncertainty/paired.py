"""Two models on the same items: differences by the same resamples, and the permutation test that exchanges them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from affectcheck.errors import InputError
from affectcheck.seeds import rng
from affectcheck.tallies import Paired, Tally
from affectcheck.uncertainty.bootstrap import Resampled, resample
from affectcheck.uncertainty.exchanged import Exchanged, Exchanging
from affectcheck.uncertainty.intervals import Resampling
from affectcheck.uncertainty.stacking import items_of, stack

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from affectcheck.uncertainty.bootstrap import Statistic

    Floats = NDArray[np.float64]
    Counts = NDArray[np.integer[Any]]

AnyTally = TypeVar("AnyTally", bound=Tally)

_WEIGHTS = 4_000_000  # weights held at a time: 32 MB
_ROWS = 1000  # draws whose tallies are held at a time
_ROUNDING = 1e-9  # by which two equal differences may differ, relative to their size


def resample_together(
    models: Sequence[AnyTally], options: Resampling | None = None, *, repeats: Counts | None = None
) -> tuple[Resampled[AnyTally], ...]:
    """Resample several models by the same weights, so that what their items have in common cancels in differences.

    Args:
        models: (S, ...) of each model, one tally a cluster, the same clusters in the same order.
        options: number, seed, level, method, unit.
        repeats: (S,) how many items each tally stands for, where a tally is that of one item and items are drawn;
            items without clusters that agree in everything are such.

    Returns:
        Resamples of each model over the other leading axes. ``first.evaluated(f) - second.evaluated(f)`` has the
        intervals of their difference.

    Raises:
        InputError: the models have other items, or there are none.

    Example:
        Two models that answer alike differ by nothing in every resample.

        >>> from affectcheck.metrics import METRICS
        >>> from affectcheck.tallies import Confusion
        >>> tally = Confusion.count([0, 1] * 20, [0, 1, 1, 1] * 10, labels=2, cells=[i // 4 for i in range(40)])
        >>> one, two = (r.evaluated(METRICS.get("uar").compute) for r in resample_together([tally, tally]))
        >>> (one - two).intervals().interval().high
        0.0
    """
    for other in models[1:]:
        Paired.of(models[0], other)
    if repeats is None:
        return tuple(resample(tallies, options) for tallies in models)
    chosen = options or Resampling()
    return tuple(_resample_repeated(tallies, repeats, chosen) for tallies in models)


def _resample_repeated(tallies: AnyTally, repeats: Counts, options: Resampling) -> Resampled[AnyTally]:
    """Draw items with replacement: a multinomial draw over the tallies that they fall into."""
    items = int(repeats.sum())
    if items == 0:
        raise InputError("no items to resample", expected="at least one item")
    chosen = replace(options, unit="item")
    random = rng(chosen.seed, "bootstrap", "item")
    rows = max(1, _WEIGHTS // repeats.size)
    parts = [
        tallies.weighted(random.multinomial(items, repeats / items, size=min(rows, chosen.resamples - start)))
        for start in range(0, chosen.resamples, rows)
    ]
    point = tallies.weighted(repeats[None])[0]
    known = np.asarray(items_of(point)).astype(np.int64)
    found = Resampled(point, stack(parts), None, known, chosen)
    if chosen.method == "percentile-t":
        return found
    # All items that are alike are left out alike, so that one of each stands for them.
    there = np.flatnonzero(repeats)
    without = [
        repeats - (np.arange(repeats.size) == some[:, None]) for some in np.array_split(there, -(-there.size // rows))
    ]
    return replace(found, left_out=stack([tallies.weighted(w) for w in without]), times=repeats[there].astype(np.int64))


def exchange(
    pair: Paired[Any],
    statistics: Sequence[Statistic],
    options: Exchanging | None = None,
    *,
    differs: NDArray[np.bool_] | None = None,
    repeats: Counts | None = None,
) -> tuple[Exchanged, ...]:
    """Test whether two models are exchangeable on every cluster, by exchanging them.

    The null says that on each cluster it is a coin's throw which of the two gave which answers. A draw throws the coin
    for every cluster and computes the difference anew. p is (1 + draws at least as far from 0) / (1 + draws); where
    there are no more ways to exchange than draws, it is the share of all ways, nothing left to the seed.

    Args:
        pair: (S, ...) both models' tallies by cluster.
        statistics: functions of a tally over its leading axes, such as ``Metric.compute``; disparities too.
        options: number of draws, seed, unit.
        differs: (S,) clusters in which the two answer differently at all; the others need no exchange. Default: all.
        repeats: (S,) how many items each tally stands for, where each is that of one item and items are exchanged.

    Returns:
        One test a statistic, from the same draws.

    Example:
        Right against wrong on each of 5 speakers: 2 of the 32 ways to exchange are as extreme.

        >>> from affectcheck.metrics import METRICS
        >>> from affectcheck.tallies import Confusion
        >>> truth, cells = [0, 1] * 5, [i // 2 for i in range(10)]
        >>> right = Confusion.count(truth, truth, labels=2, cells=cells)
        >>> wrong = Confusion.count(truth, [1, 0] * 5, labels=2, cells=cells)
        >>> (test,) = exchange(Paired.of(right, wrong), [METRICS.get("uar").compute])
        >>> float(test.difference), float(test.p_value), test.method
        (1.0, 0.0625, 'permutation of 5 subjects, all 32 ways')
    """
    coins = _Coins.of(pair, options or Exchanging(), differs, repeats)
    observed = [
        coins.exchanged(np.zeros((1, coins.counts.size), coins.counts.dtype)).difference(f)[0] for f in statistics
    ]
    hits = [np.zeros(value.shape, np.int64) for value in observed]
    known = [np.zeros(value.shape, np.int64) for value in observed]
    for swapped in coins.throws():
        drawn = coins.exchanged(swapped)
        for place, statistic in enumerate(statistics):
            sizes = np.abs(drawn.difference(statistic))
            known[place] += (~np.isnan(sizes)).sum(axis=0)
            hits[place] += (sizes >= np.abs(observed[place]) * (1.0 - _ROUNDING)).sum(axis=0)
    return tuple(coins.test(value, h, k) for value, h, k in zip(observed, hits, known, strict=True))


@dataclass(frozen=True, eq=False)
class _Coins:
    """The units that are exchanged or stay.

    Attributes:
        pair: (S, ...) tallies of both models.
        counts: (S,) items behind each tally.
        free: (S,) whether it may be exchanged; the two do not differ on the others.
        exact: whether each way to exchange is taken, once.
        options: how to draw.
    """

    pair: Paired[Any]
    counts: Counts
    free: NDArray[np.bool_]
    exact: bool
    options: Exchanging

    @classmethod
    def of(
        cls, pair: Paired[Any], options: Exchanging, differs: NDArray[np.bool_] | None, repeats: Counts | None
    ) -> _Coins:
        """Leave out units without items; where every way is taken, throw for items that are alike one by one."""
        held = items_of(pair.first).reshape(pair.shape[0], -1) > 0
        kept = np.flatnonzero(held.any(axis=1))
        # Small whole numbers of one byte each are multiplied fastest.
        counts = np.ones(kept.size, np.uint8) if repeats is None else _narrowed(repeats[kept])
        free = np.ones(kept.size, np.bool_) if differs is None else differs[kept]
        differing = int(counts[free].sum())
        if differing - 1 >= options.draws.bit_length() or 2 ** max(differing - 1, 0) > options.draws:
            return cls(pair[kept], counts, free, False, options)
        one = np.repeat(np.arange(kept.size), np.where(free, counts, 1))
        return cls(pair[kept[one]], np.where(free, np.uint8(1), counts)[one], free[one], True, options)

    @property
    def differing(self) -> int:
        """Units in which the two models differ."""
        return int(self.counts[self.free].sum())

    @property
    def ways(self) -> int:
        """Draws, or the ways to exchange that are looked at: half of them, the others only turn the sign."""
        return 2 ** max(self.differing - 1, 0) if self.exact else self.options.draws

    def throws(self) -> Iterator[Counts]:
        """(b, S) how many items behind each tally are exchanged, in blocks of draws."""
        rows = max(1, min(_ROWS, _WEIGHTS // max(self.counts.size, 1)))
        random = rng(self.options.seed, "exchange", self.options.unit)
        free = np.flatnonzero(self.free)
        for start in range(0, self.ways, rows):
            number = min(rows, self.ways - start)
            swapped = np.zeros((number, self.counts.size), self.counts.dtype)
            if self.exact:
                codes = np.arange(start, start + number)[:, None]
                swapped[:, free[1:]] = codes >> np.arange(max(free.size - 1, 0)) & 1
            else:
                swapped[:, free] = _heads(random, self.counts[free], number)
            yield swapped

    def exchanged(self, swapped: Counts) -> Paired[Any]:
        """Both models' tallies of all units, with so many items exchanged."""
        stayed = self.counts - swapped
        first, second = self.pair.first, self.pair.second
        return Paired(
            first.weighted(stayed) + second.weighted(swapped), first.weighted(swapped) + second.weighted(stayed)
        )

    def test(self, observed: Floats, hits: Counts, known: Counts) -> Exchanged:
        """The p-value of a statistic from how many defined draws are as extreme."""
        turned = 2 if self.exact and self.differing else 1
        undefined = np.asarray((self.ways - known) * turned, np.int64)
        draws = self.ways * turned
        p_value = hits / np.maximum(known, 1) if self.exact else (1.0 + hits) / (1.0 + known)
        # As for intervals: half the draws undefined means that the rest speak of a selection.
        given = ~np.isnan(observed) & (2 * undefined < draws)
        return Exchanged(
            difference=observed,
            p_value=np.where(given, p_value, np.nan),
            undefined=undefined,
            draws=draws,
            units=int(self.counts.sum()),
            differing=self.differing,
            exact=self.exact,
            unit=self.options.unit,
        )


def _narrowed(counts: Counts) -> Counts:
    """The same counts in the fewest bytes."""
    return counts.astype(np.min_scalar_type(int(counts.max(initial=0))))


def _heads(random: np.random.Generator, counts: Counts, rows: int) -> Counts:
    """(rows, F) heads among so many throws."""
    if counts.max() == 1:
        return random.integers(0, 2, size=(rows, counts.size), dtype=np.uint8)
    return random.binomial(counts, 0.5, size=(rows, counts.size))
