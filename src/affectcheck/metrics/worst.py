"""The worst group: what a model does for those whom it serves least."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from affectcheck.metrics.metric import Diagnosis, Metric, Names
from affectcheck.metrics.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from affectcheck.tallies import Tally

    Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Worst:
    r"""Value of an overall metric M in the group of an attribute that scores worst.

    $$\mathrm{worst}_M = \min_{g \in D} M(g),\quad D = \{g : M(g)\ \text{defined}\}$$

    and the maximum where lower is better; for a metric without a direction, the value farthest from 0.

    Range: that of M; the direction is that of M. Of many small groups the worst is bad by chance alone, so it gets no
    interval, and beside it stands what the worst of groups dealt out at random would score.

    Undefined when: M is defined in no group. A group in which M is undefined is left out and counted.

    Tally: that of M, with a group axis directly before its trailing axes.

    Signature: the fields of M (convention, undefined, options).

    Args:
        metric: the overall metric.
        per_part: the worst group of each dimension or unit by itself.
        tally: (..., G) tallies.
        convention: ``paper``, ``tables`` or ``upstream``, as for M.
        undefined: rule for undefined parts, as for M.

    Returns:
        (...) values; with ``per_part`` (..., D) or (..., M).

    Raises:
        InputError: M has no definition in the convention, or does not know the rule.

    Source: common; it is the worst-case loss over groups of distributionally robust optimisation. No paper of ours
        scores by it.

    Example:
        One group is always right, the other half the time.

        >>> from affectcheck.metrics import METRICS
        >>> from affectcheck.tallies import Confusion
        >>> tally = Confusion.of_counts([[[2, 0], [0, 2]], [[1, 1], [1, 1]]])
        >>> float(METRICS.get("uar_worst").compute(tally))
        0.5
    """

    metric: Metric
    per_part: bool = False

    def __call__(self, tally: Tally, *, convention: str = "paper", undefined: str = "") -> Floats:
        """The worst values."""
        compute = self.metric.parts if self.per_part and self.metric.parts is not None else self.metric.compute
        values = compute(tally, convention=convention, undefined=undefined)
        axis = -2 if self.per_part else -1
        # Where no group is defined, the first is taken, which is as undefined as the others.
        place = np.maximum(_worst_place(values, self.metric, axis), 0)
        return np.take_along_axis(values, np.expand_dims(place, axis), axis).squeeze(axis)


def worst_group(
    metric: Metric, tally: Tally, *, part: int | None = None, convention: str = "paper", undefined: str = ""
) -> NDArray[np.intp]:
    """Index of the group that scores worst in an overall metric.

    A metric without a direction (a signed error) is worst where it is farthest from 0. Ties go to the first group.

    Args:
        metric: an overall metric.
        tally: (..., G) tallies.
        part: of one class, unit or dimension alone.
        convention: as for the metric.
        undefined: as for the metric.

    Returns:
        (...) indices of groups; -1 where the metric is defined in none.

    Raises:
        InputError: the metric has no definition in the convention, or does not know the rule.

    Example:
        >>> from affectcheck.metrics import METRICS
        >>> from affectcheck.tallies import Confusion
        >>> tally = Confusion.of_counts([[[2, 0], [0, 2]], [[1, 1], [0, 2]]])
        >>> int(worst_group(METRICS.get("uar"), tally))
        1
    """
    compute = metric.compute if part is None or metric.parts is None else metric.parts
    values = compute(tally, convention=convention, undefined=undefined)
    return _worst_place(values if part is None else values[..., part], metric, -1)


def _worst_place(values: Floats, metric: Metric, axis: int) -> NDArray[np.intp]:
    """Place of the worst value over one axis, the first of equal ones; -1 where all are undefined."""
    badness = {None: np.abs(values), True: -values, False: values}[metric.higher_is_better]
    known = ~np.isnan(badness)
    worst = np.where(known, badness, -np.inf).argmax(axis=axis)
    return np.where(known.any(axis=axis), worst, -1)


def worst_metric(metric: Metric) -> Metric:
    """The metric that is the value of an overall metric in the worst group."""
    return Metric(
        name=f"{metric.name}_worst",
        title=f"{metric.title} of the worst group",
        kind=metric.kind,
        level="disparity",
        tally=metric.tally,
        compute=Worst(metric),
        parts=Worst(metric, per_part=True) if metric.parts is not None else None,
        low=metric.low,
        high=metric.high,
        higher_is_better=metric.higher_is_better,
        source="common",
        undefined=f"no group in which {metric.name} is defined",
        rules=Rules(metric.rules.default, metric.rules.allowed, metric.rules.distinct),
        options=metric.options,
        diagnosis=_diagnosis(metric),
        base=metric.name,
    )


def _diagnosis(metric: Metric) -> Diagnosis:
    """Groups without a value, and what is undefined within the worst one, which may be why it is worst."""

    def count(tally: Tally) -> NDArray[Any]:
        values = metric.compute(tally)
        place = np.maximum(_worst_place(values, metric, -1), 0)[..., None]
        within = np.take_along_axis(metric.undefined_parts(tally), place, -1)[..., 0]
        left_out = np.isnan(values).sum(axis=-1)
        return np.asarray(np.where(left_out < values.shape[-1], left_out + within, left_out))

    def sentences(tally: Tally, names: Names) -> tuple[str, ...]:
        values = metric.compute(tally)
        place = int(_worst_place(values, metric, -1))
        left_out = (
            f"group {names.group(int(g))!r} left out: {metric.reason(tally[g], names.parts)}"
            for g in np.flatnonzero(np.isnan(values))
        )
        within = metric.notes(tally[place], names.parts) if place >= 0 else ()
        return (*left_out, *(f"group {names.group(place)!r}: {note}" for note in within))

    return Diagnosis(count, sentences, None if metric.parts is None else _part_reasons(metric, metric.parts))


def _part_reasons(metric: Metric, parts: Callable[..., Floats]) -> Callable[[Any, Names], tuple[str, ...]]:
    def reasons(tally: Tally, names: Names) -> tuple[str, ...]:
        known = np.atleast_1d((~np.isnan(parts(tally))).any(axis=0))
        return tuple("" if k else f"{names.part(d)}: {metric.name} is defined in no group" for d, k in enumerate(known))

    return reasons
