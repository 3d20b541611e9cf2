"""Bootstrap on tallies: resampling clusters is one matrix product, ``weights @ tallies``; rows are never touched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from affectcheck.errors import InputError
from affectcheck.seeds import rng
from affectcheck.tallies import Confusion, Tally
from affectcheck.uncertainty.behind import clusters_behind
from affectcheck.uncertainty.grouped import Grouped
from affectcheck.uncertainty.holding import COUNTED, holding, items_holding
from affectcheck.uncertainty.intervals import Intervals, ResampledValues, Resampling
from affectcheck.uncertainty.poisson import poisson_weights
from affectcheck.uncertainty.stacking import items_by_part, items_of, stack

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

AnyTally = TypeVar("AnyTally", bound=Tally)
#: A function of a tally over its leading axes, such as ``Metric.compute``.
Statistic = Callable[[Any], "NDArray[np.float64]"]

_WEIGHTS = 4_000_000  # weights held at a time: 32 MB
_KEPT = 64_000_000  # weights of one byte each that are kept for the next tally of the same clusters
_BLOCKS = 1000  # the acceleration of BCa needs no more than this many left-out blocks


@dataclass(frozen=True)
class Resampled(Generic[AnyTally]):
    """Resamples of a tally, which serve any number of statistics.

    Attributes:
        point: (...) the tally of all items.
        resamples: (B, ...) one tally a resample.
        left_out: (K, ...) tallies without each cluster, for the acceleration of BCa; None by other methods.
        clusters: (...) clusters that hold items.
        options: how they were made.
        by_part: (..., parts) clusters that hold items of each unit or dimension; None where these are not told apart.
        times: (K,) how many clusters each of ``left_out`` stands for; None where it is one.
        held: (S, ...) the tallies that were resampled; None where single items were.
    """

    point: AnyTally
    resamples: AnyTally
    left_out: AnyTally | None
    clusters: NDArray[np.int64]
    options: Resampling
    by_part: NDArray[np.int64] | None = None
    times: NDArray[np.int64] | None = None
    held: AnyTally | Grouped[AnyTally] | None = None

    def values(self, statistic: Statistic) -> Floats:
        """(B, ...) the statistic in every resample, NaN where undefined."""
        return np.asarray(statistic(self.resamples), np.float64)

    def intervals(self, statistic: Statistic) -> Intervals:
        """Intervals of a statistic.

        Not for disparities (EOP, SP, gaps): a distance is biased upwards and each resample adds the noise again, so
        percentiles of it cover nothing; they get a noise floor. A signed difference of groups is no distance.

        Args:
            statistic: a function of a tally over its leading axes. One that reduces the group axis, as a difference
                does, is taken to have the clusters of the group that has fewest.

        Returns:
            Intervals over the statistic's axes (group, part).
        """
        return self.evaluated(statistic).intervals()

    def evaluated(self, statistic: Statistic) -> ResampledValues:
        """The values of a statistic; those of two models that were resampled by the same weights may be subtracted."""
        point = np.asarray(statistic(self.point), np.float64)
        left_out = None if self.left_out is None else np.asarray(statistic(self.left_out), np.float64)
        clusters = clusters_behind(statistic, self.point, point.shape, self.clusters, self.by_part)
        if point.ndim and point.shape[:-1] == self.clusters.shape and isinstance(self.point, COUNTED):
            clusters = np.minimum(clusters, self._holding(statistic))
        return ResampledValues(point, self.values(statistic), left_out, clusters, self.options, self.times)

    def _holding(self, statistic: Statistic) -> NDArray[np.int64]:
        """(..., parts) clusters that have a value of each class by themselves."""
        if self.held is not None:
            return holding(statistic, self.held)
        if isinstance(self.point, Confusion):
            return items_holding(statistic, self.point)
        return np.asarray(np.iinfo(np.int64).max)


def resample(tallies: AnyTally | Grouped[AnyTally], options: Resampling | None = None) -> Resampled[AnyTally]:
    """Resample clusters with replacement.

    Args:
        tallies: (S, ...) one tally a cluster, or one a group of it; clusters without items are left out.
        options: number, seed, level, method, unit.

    Returns:
        Resamples over the other leading axes (groups).

    Example:
        >>> from affectcheck.metrics import METRICS
        >>> tally = Confusion.count([0, 1] * 20, [0, 1] * 15 + [0, 0] * 5, labels=2, cells=[i // 4 for i in range(40)])
        >>> found = resample(tally, Resampling(resamples=200)).intervals(METRICS.get("uar").compute)
        >>> float(found.value), found.interval().clusters, found.low < found.value < found.high
        (0.875, 10, np.True_)
    """
    chosen = options or Resampling()
    held = _occupied(tallies)
    clusters = held.shape[0]
    if clusters == 0:
        raise InputError("no items to resample", expected="at least one cluster with items")
    parts = [
        held.weighted(weights) for weights in multinomial_weights(clusters, chosen.resamples, chosen.seed, chosen.unit)
    ]
    left_out = held.weighted(leave_one_out(clusters)) if chosen.method == "bca" else None
    by_part = _held_by_part(held)
    apart = by_part if by_part.shape[-1] > 1 else None
    return Resampled(held.pooled(0), stack(parts), left_out, _held(held), chosen, apart, held=held)


def _held(tallies: Tally | Grouped[Any]) -> NDArray[np.int64]:
    """(...) clusters that hold items."""
    held = tallies.present if isinstance(tallies, Grouped) else items_of(tallies) > 0
    return np.asarray(held.sum(axis=0), np.int64)


def _held_by_part(tallies: Tally | Grouped[Any]) -> NDArray[np.int64]:
    """(..., parts) clusters that hold items of each unit or dimension."""
    if isinstance(tallies, Grouped):
        return tallies.clusters_by_part()
    return np.asarray((items_by_part(tallies) > 0).sum(axis=0), np.int64)


def _occupied(tallies: AnyTally | Grouped[AnyTally]) -> AnyTally | Grouped[AnyTally]:
    """Without the clusters that hold nothing."""
    if isinstance(tallies, Grouped):
        return tallies.compact()
    occupied = items_of(tallies) > 0
    return tallies[occupied.reshape(occupied.shape[0], -1).any(axis=1)]


def cluster_bootstrap(tallies: AnyTally, statistic: Statistic, options: Resampling | None = None) -> Intervals:
    """Intervals of one statistic by resampling clusters; ``resample`` serves several at the price of one.

    Args:
        tallies: (S, ...) one tally a cluster.
        statistic: a function of a tally over its leading axes, such as ``Metric.compute``; not a disparity.
        options: number, seed, level, method, unit.

    Returns:
        Intervals over the statistic's axes.

    Raises:
        InputError: there are no items.
    """
    return resample(tallies, options).intervals(statistic)


def resample_items(tally: Confusion, options: Resampling | None = None) -> Resampled[Confusion]:
    """Resample items that belong to no clusters: a multinomial draw over the cells of the tally.

    Drawing rows with replacement and drawing cells by their counts give the same distribution of counts, at a cost
    that does not grow with the number of rows.

    Args:
        tally: (...) counts; all leading axes (groups) are resampled together.
        options: as for ``resample``.

    Returns:
        Resamples over the same leading axes; a cluster is an item.

    Raises:
        InputError: there are no items.

    Example:
        >>> tally = Confusion.of_counts([[30, 10], [0, 40]])
        >>> resample_items(tally, Resampling(resamples=5)).resamples.support.tolist()
        [80, 80, 80, 80, 80]
    """
    chosen = replace(options or Resampling(), unit="item")
    cells = tally.cells
    flat = np.asarray(cells.reshape(-1), np.int64)
    total = int(flat.sum())
    if total == 0:
        raise InputError("no items to resample", expected="at least one item")
    occupied = np.flatnonzero(flat)
    drawn = np.zeros((chosen.resamples, flat.size), np.int64)
    random = rng(chosen.seed, "bootstrap", "item")
    drawn[:, occupied] = random.multinomial(total, flat[occupied] / total, size=chosen.resamples)
    resamples = Confusion.of_cells(drawn.reshape(chosen.resamples, *cells.shape))
    found = Resampled(tally, resamples, None, np.asarray(tally.support), chosen)
    if chosen.method == "percentile-t":
        return found
    # All items of one cell are left out alike, so that one of each stands for them.
    without = np.tile(flat, (occupied.size, 1))
    without[np.arange(occupied.size), occupied] -= 1
    left_out = Confusion.of_cells(without.reshape(-1, *cells.shape))
    return replace(found, left_out=left_out, times=flat[occupied])


def resample_blocks(
    blocks: Iterable[AnyTally | Grouped[AnyTally]],
    options: Resampling | None = None,
    *,
    lots: AnyTally | Grouped[AnyTally] | None = None,
) -> Resampled[AnyTally]:
    """Resample items in one pass by Poisson(1) weights: each item enters each resample so many times.

    Args:
        blocks: tallies (n_b, ...) with one item each along the first axis, block by block; order and sizes of blocks
            enter the draw.
        options: as for ``resample``.
        lots: (S, ...) tallies of the same items dealt into lots, which are left out in turn for the acceleration of
            BCa; without, the method is percentiles.

    Returns:
        Resamples over the other leading axes; a cluster is an item.

    Raises:
        InputError: there are no items.

    Example:
        >>> from affectcheck.tallies import Moments
        >>> items = Moments.of([0.0, 1.0, 2.0], [0.0, 1.0, 4.0], cells=[0, 1, 2])
        >>> resample_blocks([items], Resampling(resamples=4)).resamples.shape
        (4,)
    """
    chosen = replace(options or Resampling(), unit="item")
    if lots is None:
        chosen = replace(chosen, method="percentile-t")
    point: AnyTally | None = None
    resamples: AnyTally | None = None
    items: Any = 0
    by_part: Any = 0
    for number, block in enumerate(blocks):
        weights = poisson_weights(block.shape[0], (chosen.resamples, chosen.seed, number), _WEIGHTS)
        drawn = stack([block.weighted(part) for part in weights])
        point = block.pooled(0) if point is None else point + block.pooled(0)
        resamples = drawn if resamples is None else resamples + drawn
        items, by_part = items + _held(block), by_part + _held_by_part(block)
    if point is None or resamples is None:
        raise InputError("no items to resample", expected="at least one block")
    apart = by_part if by_part.shape[-1] > 1 else None
    found = Resampled(point, resamples, None, np.asarray(items), chosen, apart)
    if chosen.method == "percentile-t" or lots is None:
        return found
    dealt = _occupied(lots)
    return replace(found, left_out=dealt.weighted(leave_one_out(dealt.shape[0])))


def multinomial_weights(clusters: int, resamples: int, seed: int, unit: str) -> Iterator[NDArray[Any]]:
    """Weights (b, S) in blocks: how often each cluster is drawn in each of b resamples of S draws."""
    if clusters * resamples <= _KEPT:
        yield from _kept_weights(clusters, resamples, seed, unit, _WEIGHTS)
    else:
        yield from _drawn_weights(clusters, resamples, seed, unit, _WEIGHTS)


@lru_cache(maxsize=1)
def _kept_weights(clusters: int, resamples: int, seed: int, unit: str, most: int) -> tuple[NDArray[Any], ...]:
    """The last draw, since each way to divide the same clusters into groups is resampled by the same weights."""
    return tuple(_drawn_weights(clusters, resamples, seed, unit, most))


def _drawn_weights(clusters: int, resamples: int, seed: int, unit: str, most: int) -> Iterator[NDArray[Any]]:
    random = rng(seed, "bootstrap", unit)
    rows = max(1, most // clusters)
    for start in range(0, resamples, rows):
        number = min(rows, resamples - start)
        drawn = random.integers(clusters, size=(number, clusters))
        drawn += np.arange(number)[:, None] * clusters
        often = np.bincount(drawn.ravel(), minlength=number * clusters).reshape(number, clusters)
        weights = often.astype(np.uint8 if often.max() < 1 << 8 else np.uint32)
        weights.flags.writeable = False
        yield weights


def leave_one_out(clusters: int) -> NDArray[np.bool_]:
    """(K, S) weights that leave out one block of clusters each."""
    blocks = min(clusters, _BLOCKS)
    return np.not_equal(np.arange(blocks)[:, None], np.arange(clusters)[None, :] % blocks)
