"""What was measured, before it is judged; and the one place where tests ask the metrics for numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from affectcheck.annotations.listing import plural
from affectcheck.metrics import METRICS
from affectcheck.records import Place
from affectcheck.tallies import Confusion, Moments

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from affectcheck.behaviour.definition import Comparison, Definition, Rules, Task
    from affectcheck.behaviour.material import Material
    from affectcheck.behaviour.options import SuiteOptions
    from affectcheck.records import Interval, NoiseFloor, Threshold
    from affectcheck.tallies import Tally


@dataclass(frozen=True)
class Setting:
    """What every measurement of a test needs to know.

    Attributes:
        definition: the test.
        task: its task for this kind of prediction.
        rules: those of the mode.
        options: seed, resamples, level.
        judged: whether intervals and thresholds are wanted; not for the random model.
        families: how many families of differences share the error of noise floors.
    """

    definition: Definition
    task: Task
    rules: Rules
    options: SuiteOptions
    judged: bool = True
    families: int = 1


@dataclass(frozen=True)
class Measured:
    """One value, or why there is none.

    Attributes:
        comparison: what is compared.
        place: group, and class, bin or dimension.
        value: None where undefined.
        reason: why there is no value, or why the test does not apply here.
        support: items that entered.
        minimum: items it takes.
        interval: of the value, over clusters.
        floor: what groups drawn at random over clusters would show.
        threshold: the limit, where it is not simply the stated one.
        detectable: smallest difference that this support could have shown.
        notes: sentences.
    """

    comparison: Comparison
    place: Place = field(default_factory=Place)
    value: float | None = None
    reason: str = ""
    support: int = 0
    minimum: int = 0
    interval: Interval | None = None
    floor: NoiseFloor | None = None
    threshold: Threshold | None = None
    detectable: float | None = None
    notes: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, str, Place]:
        """What the same measurement of another model is found by."""
        return self.comparison.metric, self.comparison.per, self.place


@dataclass(frozen=True, eq=False)
class Question:
    """One comparison put to a tally by cluster: the statistic gives a value for each place.

    Attributes:
        comparison: what is compared.
        tally: first leading axis the clusters; further ones as the statistic takes them.
        statistic: tally with any first leading axis to (..., places).
        places: where the values belong.
        supports: items of each place.
        minimum: items that a place takes.
        reasons: why the value of each place is undefined, asked only where one is.
        unsigned: whether values are distances, which chance alone raises above 0.
        levels: for each place, the value of all groups together, where the spread of differences hangs on it.
    """

    comparison: Comparison
    tally: Tally
    statistic: Callable[[Tally], NDArray[np.float64]]
    places: tuple[Place, ...]
    supports: tuple[int, ...]
    minimum: int
    reasons: Callable[[], tuple[str, ...]]
    unsigned: bool = False
    levels: tuple[float, ...] = ()

    @property
    def shares(self) -> tuple[float, ...]:
        """For each place, the share of the items of its class, bin or dimension that it has."""
        total: dict[str, int] = {}
        for place, support in zip(self.places, self.supports, strict=True):
            total[place.part] = total.get(place.part, 0) + support
        return tuple(
            support / max(1, total[place.part]) for place, support in zip(self.places, self.supports, strict=True)
        )

    def values(self) -> NDArray[np.float64]:
        """The value of each place over all clusters."""
        return np.asarray(self.statistic(self.tally.pooled(0)), np.float64)

    def answers(self, notes: tuple[str, ...] = ()) -> list[Measured]:
        """A measurement for each place, without intervals; below the minimum there is no value."""
        found = []
        for index, value in enumerate(self.values().tolist()):
            support, reason = self.supports[index], ""
            if support < self.minimum:
                reason = f"{plural(support, 'item')}, the test takes at least {self.minimum}"
            elif np.isnan(value):
                reason = self.reasons()[index] or "undefined"
            found.append(
                Measured(
                    self.comparison,
                    self.places[index],
                    None if reason else value,
                    reason,
                    support,
                    self.minimum,
                    notes=notes,
                )
            )
        return found


def class_tally(material: Material, rules: Rules, cells: NDArray[Any], shape: tuple[int, ...]) -> Confusion:
    """Counts by cell. Predictions of untested classes are wrong answers; as published, they are labels of their own."""
    labels = len(material.parts)
    if rules.labels == "observed":
        return Confusion.count(
            material.truth, material.prediction, labels=labels + material.others, cells=cells, n_cells=shape
        )
    decided = np.where(material.prediction < labels, material.prediction, -1)
    return Confusion.count(material.truth, decided, labels=labels, cells=cells, n_cells=shape, missing="wrong")


def value_tally(material: Material, cells: NDArray[Any], shape: tuple[int, ...]) -> Moments:
    """Moments of one dimension by cell."""
    truth = np.asarray(material.truth, np.float64)
    return Moments.of(truth, np.asarray(material.prediction, np.float64), cells=cells, n_cells=shape)


def bin_tally(material: Material, edges: Sequence[float], cells: NDArray[Any], shape: tuple[int, ...]) -> Confusion:
    """Counts by bin of truth and prediction; bins are closed on the right and open at the outer ends."""
    truth, predicted = bins_of(material.truth, edges), bins_of(material.prediction, edges)
    return Confusion.count(truth, predicted, labels=len(edges) + 1, cells=cells, n_cells=shape)


def bins_of(values: NDArray[Any], edges: Sequence[float]) -> NDArray[np.int64]:
    """Bin of each value, from 0.

    Example:
        >>> bins_of(np.array([-1.0, 0.25, 0.26, 0.75, 2.0]), [0.25, 0.5, 0.75]).tolist()
        [0, 0, 1, 2, 3]
    """
    return np.searchsorted(np.asarray(edges), np.asarray(values, np.float64), side="left").astype(np.int64)


def bin_names(edges: Sequence[float]) -> tuple[str, ...]:
    """Names of the bins.

    Example:
        >>> bin_names([0.25, 0.5])
        ('(-inf, 0.25]', '(0.25, 0.5]', '(0.5, inf)')
    """
    ends = ["-inf", *(f"{edge:g}" for edge in edges), "inf"]
    closing = ["]"] * len(edges) + [")"]
    return tuple(f"({low}, {high}{end}" for low, high, end in zip(ends, ends[1:], closing, strict=False))


def values_of(metric: str, tally: Tally, parts: int, rules: Rules) -> NDArray[np.float64]:
    """Values of a metric over the leading axes, with a last axis of parts (of length 1 for the whole set).

    Args:
        metric: registered name, or ``mean`` for the mean prediction of a dimension.
        tally: counts or moments of one dimension.
        parts: number of tested classes or bins, those that come first.
        rules: as published, only labels that occur are averaged and 0/0 is 0. Values of dimensions are the same in
            both modes: what the metrics call upstream is the code of paper 1, which takes single items.
    """
    if metric == "mean":
        if not isinstance(tally, Moments):
            raise TypeError(tally)
        return np.where(tally.n > 0, tally.mean_prediction, np.nan)
    found = METRICS.get(metric)
    published = rules.labels == "observed" and found.kind == "categories"
    values = found.compute(tally, convention="upstream" if published else "paper")
    if found.level != "part":
        return values[..., None]
    values = values[..., :parts]
    return np.where(np.isnan(values), 0.0, values) if published else values


def by_part(metric: str, tally: Any) -> NDArray[np.float64]:
    """Values of a metric for each part, also of one that is a mean over parts."""
    found = METRICS.get(metric)
    return (found.parts or found.compute)(tally, convention="paper")


def reasons_of(metric: str, tally: Tally, parts: tuple[str, ...]) -> tuple[str, ...]:
    """Why each part of one tally has no value, in the order of ``values_of``; a mean of items always has one."""
    found = METRICS.get(metric)
    if found.level == "part":
        return found.part_reasons(tally, parts)
    return (found.reason(tally, parts),)
