"""Limits of fairness tests, simulated: how far a group lies from all groups for models that answer at random.

The procedure of paper 2 (section II-C): 1000 random models, groups of equal size, and of one group the largest
difference over classes or bins. Paper 2 takes the largest of 1000 models as its guide; that varies by some 15 % between
seeds, so the quantile stands beside it, and the share of random models that a limit would fail in any group.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from affectcheck.behaviour.comparable import is_simulated
from affectcheck.behaviour.fairness_answers import against_all
from affectcheck.behaviour.fairness_shifts import shifts
from affectcheck.behaviour.fairness_support import expected_in_lowest_bin
from affectcheck.behaviour.measured import values_of
from affectcheck.behaviour.thresholds import POWER, possible
from affectcheck.behaviour.totals_of_chance import drawn_codes, drawn_values
from affectcheck.errors import InputError
from affectcheck.predictions import no_progress
from affectcheck.tallies import Confusion
from affectcheck.uncertainty import Simulation, bin_shares, draw_counts, draw_values, drawn_quantile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from affectcheck.behaviour.definition import Comparison, Definition, Task
    from affectcheck.tallies import Tally

    Floats = NDArray[np.float64]
    Progress = Callable[[int, int], None]

#: Shares of the four classes in paper 2's sparse truth.
SPARSE: Final = (0.05, 0.05, 0.3, 0.6)
#: Values of the column that shifts are taken of: negative, neutral, positive.
CONTEXTS: Final = 3
#: Items of one random model, all of which memory holds.
MOST_ITEMS: Final = 10_000_000
_EVEN: Final = (0.25, 0.25, 0.25, 0.25)


@dataclass(frozen=True)
class Simulating:
    """What is simulated.

    Attributes:
        groups: number of groups; None for that of the test's published limits.
        samples: items of each group, of each sentiment where shifts are compared; None for the published number.
        repetitions: random models of one round.
        rounds: how often so many are drawn: each round has a maximum of its own, the quantile is that of all together.
        quantile: of the limit that stands beside the maximum.
        seed: the seed.
    """

    groups: int | None = None
    samples: int | None = None
    repetitions: int = 1000
    rounds: int = 4
    quantile: float = 0.99
    seed: int = 0

    def __post_init__(self) -> None:
        """Numbers that can be simulated."""
        if (self.groups or 2) < 2 or (self.samples or 2) < 2:
            raise InputError(f"{self.groups} groups of {self.samples} items", expected="two or more of each")
        if self.repetitions < 1 or self.rounds < 1 or not 0.0 < self.quantile <= 1.0:
            raise InputError(
                f"{self.rounds} rounds of {self.repetitions} repetitions and a quantile of {self.quantile:g}",
                expected="at least one of each, and a quantile above 0 and up to 1",
            )


@dataclass(frozen=True, eq=False)
class SimulatedLimit:
    """What random models show of one comparison.

    Attributes:
        test: name of the test.
        task: ``categories`` or ``dimensions``.
        comparison: what is compared, with the published limit.
        groups, samples: simulated sizes.
        simulating: repetitions, quantile, seed.
        differences: (R, G, P) differences of each group, in each class, bin or sentiment.
    """

    test: str
    task: str
    comparison: Comparison
    groups: int
    samples: int
    simulating: Simulating
    differences: Floats

    @property
    def maxima(self) -> tuple[float, ...]:
        """The largest difference of one group over the random models of each round, as paper 2 takes it."""
        return tuple(self._sizes[:, 0].reshape(self.simulating.rounds, -1).max(axis=1).tolist())

    def maximum_at_most(self, value: float) -> float:
        """Probability that the maximum of one round is at most this large, by the tail of the normal distribution."""
        tails = [2.0 * (1.0 - NormalDist().cdf(value / spread)) for spread in self.spread.tolist()]
        return float(max(0.0, 1.0 - sum(tails)) ** self.simulating.repetitions)

    @property
    def value(self) -> float:
        """The quantile of the difference of one group; all groups, which are alike, tell of it."""
        return drawn_quantile(self._sizes.ravel(), self.simulating.quantile)

    @property
    def family(self) -> float:
        """The quantile of the largest difference over all groups: the limit that a random model keeps in all of them."""
        return drawn_quantile(self._largest, self.simulating.quantile)

    @property
    def error(self) -> float:
        """Share of random models that the quantile of one group would fail in any group: its family-wise error."""
        return float((self._largest > self.value).mean())

    @property
    def published_error(self) -> float:
        """Share of random models that the published limit would fail in any group."""
        return float((self._largest >= self.comparison.limit).mean())

    @property
    def detectable(self) -> float | None:
        """Smallest difference of one group that exceeds the limit for all groups with a power of 0.8, if there is one."""
        return possible(self.family + NormalDist().inv_cdf(POWER) * float(self.spread.max()))

    @property
    def spread(self) -> Floats:
        """(P,) standard deviation of the difference of one group, in each class or bin."""
        flat = self.differences.reshape(-1, self.differences.shape[-1])
        return np.asarray(np.nanstd(flat, axis=0))

    @property
    def minimum_of_bin(self) -> int:
        """Items that are expected in the lowest bin, which a bin takes to be compared; 0 where there are no bins."""
        return expected_in_lowest_bin(self.samples) if self.comparison.per == "bin" else 0

    @property
    def _sizes(self) -> Floats:
        """(R, G) largest size of a difference over classes or bins."""
        return np.asarray(np.nan_to_num(np.abs(self.differences)).max(axis=-1))

    @property
    def _largest(self) -> Floats:
        return np.asarray(self._sizes.max(axis=-1))


def simulate_limits(
    definitions: Iterable[Definition],
    simulating: Simulating | None = None,
    *,
    task: str = "",
    metric: str = "",
    progress: Progress = no_progress,
) -> tuple[SimulatedLimit, ...]:
    """Simulate the limits of fairness tests.

    Args:
        definitions: the tests; those that compare no groups are passed over.
        simulating: sizes, repetitions, quantile, seed.
        task: ``categories`` or ``dimensions``; empty for both.
        metric: one metric; empty for all.
        progress: told the number of random models that are drawn, and of all.

    Returns:
        One entry a comparison, in the order of the tests.

    Raises:
        InputError: a test says for no sizes what its limits were simulated for, and none are given, or they are too
            large.
    """
    chosen = simulating or Simulating()
    drawings = [
        drawing
        for test in definitions
        for one in test.task
        if is_simulated(test, one) and task in ("", one.kind)
        for drawing in _drawings(test, one, chosen, metric)
    ]
    found: list[SimulatedLimit] = []
    each = chosen.rounds * chosen.repetitions
    for number, drawing in enumerate(drawings):
        found += _drawn(drawing, partial(_tell, progress, number * each, len(drawings) * each))
    return tuple(found)


def _tell(progress: Progress, before: int, total: int, models: int) -> None:
    progress(before + models, total)


@dataclass(frozen=True)
class _Drawing:
    """Comparisons that share their draws.

    Attributes:
        test: their test.
        task: their task.
        form: ``class``, ``set`` or ``bin``.
        comparisons: the comparisons.
        sizes: groups, and items of each.
        simulating: repetitions, rounds, seed.
    """

    test: Definition
    task: Task
    form: str
    comparisons: tuple[Comparison, ...]
    sizes: tuple[int, int]
    simulating: Simulating

    @property
    def options(self) -> Simulation:
        """All rounds, one after the other."""
        return Simulation(self.simulating.rounds * self.simulating.repetitions, self.simulating.seed)


def _drawings(test: Definition, task: Task, simulating: Simulating, metric: str) -> Iterator[_Drawing]:
    groups = simulating.groups or (test.simulation.groups if test.simulation else 0)
    samples = simulating.samples or (test.simulation.items_per_group if test.simulation else 0)
    if not groups or not samples:
        raise InputError(
            f"the test {test.name!r} states no sizes", expected="--groups and --samples, or a [simulation] of the test"
        )
    if groups * samples > MOST_ITEMS:
        raise InputError(f"{groups} groups of {samples} items", expected=f"at most {MOST_ITEMS} items in all groups")
    for form in ("class",) if task.kind == "categories" else ("set", "bin"):
        simulated = (one for one in task.comparison if one.per != "attribute" and metric in ("", one.metric))
        wanted = tuple(one for one in simulated if form in ("class", one.per))
        if wanted:
            yield _Drawing(test, task, form, wanted, (groups, samples), simulating)


def _drawn(drawing: _Drawing, update: Callable[[int], None]) -> Iterator[SimulatedLimit]:
    for one, differences in zip(drawing.comparisons, _differences(drawing, update), strict=True):
        kind, sizes = drawing.task.kind, drawing.sizes
        yield SimulatedLimit(drawing.test.name, kind, one, *sizes, drawing.simulating, differences)


def _differences(drawing: _Drawing, update: Callable[[int], None]) -> list[Floats]:
    """(R, G, P) of each comparison, which share their draws.

    Of shifts, each sentiment of a language takes the place of a group: paper 2's maximum is that of one.
    """
    test, comparisons = drawing.test, drawing.comparisons
    if test.kind == "group difference":
        statistics = [_metric(test, one) for one in comparisons]
    else:
        statistics = [_shift if test.kind == "group shift" else _share] * len(comparisons)
    blocks: list[list[Floats]] = []
    for tally in _draws(drawing):
        blocks.append([statistic(tally) for statistic in statistics])
        update(sum(len(block[0]) for block in blocks))
    return [np.concatenate(column) for column in zip(*blocks, strict=True)]


def _draws(drawing: _Drawing) -> Iterator[Tally]:
    """Tallies of random models by class, of values, or by bin."""
    (groups, samples), options, form = drawing.sizes, drawing.options, drawing.form
    shares = np.asarray(bin_shares(tuple(drawing.task.bin_edges)) if form == "bin" else _EVEN)
    if drawing.test.kind != "group difference":
        cells = np.full((groups, CONTEXTS) if drawing.test.kind == "group shift" else (groups,), samples)
        return drawn_values(cells, options) if form == "set" else drawn_codes(cells, shares, options)
    sizes = [samples] * groups
    if form == "set":
        return draw_values(sizes, options=options)
    # Truth and prediction are independent, so that their joint counts are drawn at once.
    joint = np.outer(SPARSE if form == "class" else shares, shares)
    return (
        Confusion.of_counts(counts.reshape(*counts.shape[:-1], *joint.shape))
        for counts in draw_counts(sizes, joint.ravel(), options=options)
    )


def _metric(test: Definition, comparison: Comparison) -> Callable[[Any], Floats]:
    def by_group(tally: Any) -> Floats:
        parts = 1 if comparison.per == "set" else tally.labels
        value = partial(values_of, comparison.metric, parts=parts, rules=test.published)
        found = against_all(tally, value)
        return found.reshape(len(found), tally.shape[-1], -1)

    return by_group


def _share(tally: Any) -> Floats:
    found = against_all(tally, lambda one: np.asarray(one.means()))  # type: ignore[attr-defined]  # totals
    return found.reshape(len(found), tally.shape[-1], -1)


def _shift(tally: Any) -> Floats:
    found = shifts(tally, tally.sums.shape[-1])
    return found.reshape(len(found), tally.shape[-1] * tally.shape[-2], -1)
