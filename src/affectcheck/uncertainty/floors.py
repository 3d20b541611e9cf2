"""Noise floors: what a disparity scores for a model that treats all groups alike, at these supports."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from affectcheck.records import NoiseFloor
from affectcheck.seeds import rng
from affectcheck.tallies import Confusion, Tally
from affectcheck.uncertainty.assignments import every_way, number_of_ways
from affectcheck.uncertainty.grouped import Grouped
from affectcheck.uncertainty.intervals import number_of
from affectcheck.uncertainty.margins import dealt_answers
from affectcheck.uncertainty.quantiles import tolerance_rank
from affectcheck.uncertainty.stacking import stack

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from affectcheck.records import Outcome
    from affectcheck.uncertainty.bootstrap import Statistic

    Floats = NDArray[np.float64]

AnyTally = TypeVar("AnyTally", bound=Tally)

_WEIGHTS = 4_000_000  # entries of an assignment matrix held at a time: 32 MB
_ONE_GROUP = "fewer than two groups have items"
#: Confidence that the reported quantile of random draws is not below the true one.
CERTAINTY = 0.95
_COARSE = 40  # with fewer distinct assignments, the observed one alone is more than 2.5 % of them


@dataclass(frozen=True)
class Permuting:
    """How to draw from the null.

    Attributes:
        draws: their number, at most; fewer are taken where there are no more ways to deal.
        seed: the run's seed.
        quantile: the quantile that a value must exceed to stand out of the noise. Where not every way to deal is
            taken, its upper bound at ``CERTAINTY``: the draws must not make the floor too low by luck.
        unit: what a cluster is: ``subject``, ``media`` or ``item``.
    """

    draws: int = 1000
    seed: int = 0
    quantile: float = 0.95
    unit: str = "subject"


@dataclass(frozen=True)
class Floors:
    """The null distribution of a disparity, over any axes of parts.

    Attributes:
        mean: (...) mean over the defined draws, NaN where none is.
        quantile: (...) upper quantile: that of the defined draws where they are every way to deal, else its upper
            bound over the draws.
        undefined: (...) draws in which the disparity was undefined.
        draws: number of draws.
        method: how groups were permuted.
        why_not: why there is no floor at all; empty where there is one.
    """

    mean: Floats
    quantile: Floats
    undefined: NDArray[np.int64]
    draws: int
    method: str
    why_not: str = ""

    def floor(self, *index: int) -> NoiseFloor | None:
        """The floor at a place; None where there is none, of which ``reason`` says why."""
        if self.reason(*index):
            return None
        return NoiseFloor(float(self.mean[index]), float(self.quantile[index]), self.draws, self.method)

    def reason(self, *index: int) -> str:
        """Why there is no floor at a place; empty where there is one."""
        if self.why_not:
            return self.why_not
        if np.isnan(self.mean[index]):
            return f"the disparity is undefined in all {self.draws} draws"
        return ""


@dataclass(frozen=True)
class Dealt(Generic[AnyTally]):
    """Draws from the null, which serve any number of disparities.

    Attributes:
        draws: (R, G, ...) one tally of each group a draw; None where there is no null.
        options: how they were made.
        method: how, in words.
        why_not: why there is none; empty where there is one.
        every: whether the draws are every way to deal, each once.
    """

    draws: AnyTally | None
    options: Permuting
    method: str
    why_not: str = ""
    every: bool = False

    def floors(self, statistic: Statistic) -> Floors:
        """Null distribution of a disparity, a function that reduces the group axis, such as ``Metric.compute``."""
        if self.draws is None:
            nothing = np.asarray(np.nan)
            return Floors(nothing, nothing, np.asarray(0), self.options.draws, self.method, self.why_not)
        return self._summary(np.asarray(statistic(self.draws), np.float64))

    def _summary(self, values: Floats) -> Floors:
        known = ~np.isnan(values)
        number = known.sum(axis=0)
        mean = np.where(known, values, 0.0).sum(axis=0) / np.maximum(number, 1)
        ordered = np.sort(values, axis=0)
        share = self.options.quantile
        # The smallest value that at least this share of the draws does not exceed.
        rank = np.ceil(share * number) if self.every else tolerance_rank(number, share, CERTAINTY)
        place = np.maximum(rank.astype(np.intp) - 1, 0)
        quantile = np.take_along_axis(ordered, np.asarray(place)[None], axis=0)[0]
        return Floors(
            mean=np.where(number > 0, mean, np.nan),
            quantile=np.asarray(quantile),
            undefined=np.asarray((~known).sum(axis=0)),
            draws=self.options.draws,
            method=self.method,
        )


def deal(tallies: AnyTally | Grouped[AnyTally], options: Permuting | None = None) -> Dealt[AnyTally]:
    """Deal groups out anew among clusters.

    Where there are no more ways to do so than draws, each way is taken once, and nothing is left to the seed.

    Where every cluster belongs to one group, groups are dealt out among whole clusters, so that items of one subject
    stay together. Where a cluster has items of several groups, its part in each group is a unit of its own.

    Args:
        tallies: (S, G, ...) tallies by cluster and group, or the parts of such that hold items.
        options: number of draws, seed, quantile, unit.

    Returns:
        Draws with the group axis kept.
    """
    chosen = options or Permuting()
    held = tallies if isinstance(tallies, Grouped) else Grouped.of(tallies)
    units, groups, number, nested = held.parts, held.group, held.groups, held.nested
    method = _method(groups, nested, chosen)
    if np.unique(groups).size < 2:
        return Dealt(None, chosen, method, _ONE_GROUP)
    draws = stack(list(_deals(units, groups, number, chosen)))
    every = number_of_ways(groups, chosen.draws) <= chosen.draws
    return Dealt(draws, replace(chosen, draws=draws.shape[0]), method, every=every)


def deal_items(tally: Confusion, options: Permuting | None = None) -> Dealt[Confusion]:
    """Deal the predictions of independent items out anew among the groups, within each true class.

    Each group keeps its number of items of each true class, and each true class the answers that all groups together
    got. Answers drawn from the pooled shares instead, as if these were known, vary too little: a model that treats all
    alike would stand out of such a floor more often than it should.

    Args:
        tally: (G, C, C) counts by group.
        options: number of draws, seed, quantile.

    Returns:
        Draws with the group axis kept.
    """
    chosen = options or Permuting()
    method = "predictions permuted over items within each true class"
    if (tally.support > 0).sum() < 2:
        return Dealt(None, chosen, method, _ONE_GROUP)
    random = rng(chosen.seed, "noise floor", "item")
    drawn = dealt_answers(np.asarray(tally.cells, np.int64), chosen.draws, random)
    return Dealt(Confusion.of_cells(drawn), chosen, method)


def noise_floor(tallies: Tally | Grouped[Any], statistic: Statistic, options: Permuting | None = None) -> Floors:
    """Null distribution of one disparity under groups dealt out anew among clusters; ``deal`` serves several.

    Args:
        tallies: (S, G, ...) tallies by cluster and group, or the parts of such that hold items.
        statistic: a disparity, which reduces the group axis, such as ``Metric.compute``.
        options: number of draws, seed, quantile, unit.

    Returns:
        Floors over the statistic's axes (parts).

    Example:
        Two speakers, one in each group, both alike: any deal gives the same.

        >>> from affectcheck.metrics import METRICS
        >>> tally = Confusion.of_counts([[[[1, 1], [0, 2]], [[0, 0], [0, 0]]], [[[0, 0], [0, 0]], [[1, 1], [0, 2]]]])
        >>> noise_floor(tally, METRICS.get("eop").compute, Permuting(draws=10)).floor().quantile
        0.0
    """
    return deal(tallies, options).floors(statistic)


def noise_floor_items(tally: Confusion, statistic: Statistic, options: Permuting | None = None) -> Floors:
    """Null distribution of one disparity of independent items, whose predictions are dealt out anew at these supports.

    Args:
        tally: (G, C, C) counts by group.
        statistic: a disparity, which reduces the group axis.
        options: number of draws, seed, quantile.

    Returns:
        Floors over the statistic's axes.

    Example:
        >>> from affectcheck.metrics import METRICS
        >>> tally = Confusion.of_counts([[[8, 2], [3, 7]], [[80, 20], [30, 70]]])
        >>> floor = noise_floor_items(tally, METRICS.get("eop").compute).floor()
        >>> 0.05 < floor.mean < floor.quantile < 0.4
        True
    """
    return deal_items(tally, options).floors(statistic)


def decide(value: float, floor: NoiseFloor | None, limit: float) -> Outcome:
    """Whether a disparity exceeds a limit, in view of what chance alone gives.

    Args:
        value: the disparity.
        floor: its noise floor; None where there is none.
        limit: the largest value that is accepted.

    Returns:
        ``within`` at most the limit; ``exceeds`` above both the limit and the floor's quantile; else
        ``inconclusive``: above the limit, but no more than groups dealt out at random show at this support.

    Example:
        >>> floor = NoiseFloor(mean=0.12, quantile=0.2, draws=1000)
        >>> decide(0.08, floor, 0.1), decide(0.15, floor, 0.1), decide(0.25, floor, 0.1)
        ('within', 'inconclusive', 'exceeds')
    """
    if value <= limit:
        return "within"
    return "exceeds" if floor is not None and value > floor.quantile else "inconclusive"


def _deals(units: AnyTally, groups: NDArray[Any], number: int, options: Permuting) -> Iterator[AnyTally]:
    """Tallies (b, G, ...) of groups dealt out anew among the units, in blocks of draws."""
    for dealt in _assignments(groups, number, options):
        yield units.dealt(dealt, number)


def _assignments(groups: NDArray[Any], number: int, options: Permuting) -> Iterator[NDArray[Any]]:
    """(b, S) groups dealt out anew, in blocks: every way once where the draws would cover them all, else at random."""
    if number_of_ways(groups, options.draws) <= options.draws:
        yield every_way(groups)
        return
    random = rng(options.seed, "noise floor", options.unit)
    block = max(1, _WEIGHTS // (groups.size * number))
    groups = groups.astype(np.uint8 if number < 1 << 8 else np.uint32)  # a permutation moves fewer bytes
    for start in range(0, options.draws, block):
        rows = min(block, options.draws - start)
        yield random.permuted(np.tile(groups, (rows, 1)), axis=1)


def _method(groups: NDArray[Any], nested: bool, options: Permuting) -> str:
    what = (
        f"groups permuted over {number_of(groups.size, options.unit) if nested else f'{options.unit}-by-group cells'}"
    )
    ways = number_of_ways(groups, options.draws)
    if ways > options.draws:
        return what
    if ways < _COARSE:
        return f"{what} (only {ways} ways to do so: the quantile is coarse)"
    return f"{what} (all {ways} ways to do so)"
