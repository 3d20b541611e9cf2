"""Gaps: how far apart the groups of an attribute score."""

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
class Gap:
    r"""Largest minus smallest value of an overall metric M over the groups of an attribute.

    $$\mathrm{gap}_M = \max_{g \in D} M(g) - \min_{g \in D} M(g),\quad D = \{g : M(g)\ \text{defined}\}$$

    Range: 0 (all groups score alike) up to the width of M's range; lower is better.

    Undefined when: M is defined in fewer than two groups. A group in which M is undefined is left out and counted.

    Tally: that of M, with a group axis directly before its trailing axes.

    Signature: the fields of M (convention, undefined, options).

    Args:
        metric: the overall metric.
        per_part: compare each dimension or unit by itself.
        tally: (..., G) tallies.
        convention: ``paper``, ``tables`` or ``upstream``, as for M.
        undefined: rule for undefined parts, as for M.

    Returns:
        (...) gaps; with ``per_part`` (..., D) or (..., M).

    Raises:
        InputError: M has no definition in the convention, or does not know the rule.

    Source: paper 1, Eq. 6 (DPD) takes the same maximum minus minimum, of selection rates; here of any metric.

    Example:
        One group is always right, the other always wrong; a third has no items and is left out.

        >>> from affectcheck.metrics import METRICS
        >>> from affectcheck.tallies import Confusion
        >>> tally = Confusion.of_counts([[[2, 0], [0, 2]], [[0, 2], [2, 0]], [[0, 0], [0, 0]]])
        >>> float(METRICS.get("uar_gap").compute(tally))
        1.0
    """

    metric: Metric
    per_part: bool = False

    def __call__(self, tally: Tally, *, convention: str = "paper", undefined: str = "") -> Floats:
        """The gaps."""
        compute = self.metric.parts if self.per_part and self.metric.parts is not None else self.metric.compute
        values = compute(tally, convention=convention, undefined=undefined)
        return spread(values, axis=-2 if self.per_part else -1)


def spread(values: Floats, axis: int = -1) -> Floats:
    """Maximum minus minimum over one axis, NaN entries left out; NaN with fewer than two others.

    Example:
        >>> spread(np.array([[0.5, 0.25, np.nan], [0.5, np.nan, np.nan]])).tolist()
        [0.25, nan]
    """
    known = ~np.isnan(values)
    high = np.where(known, values, -np.inf).max(axis=axis, initial=-np.inf)
    low = np.where(known, values, np.inf).min(axis=axis, initial=np.inf)
    enough = known.sum(axis=axis) >= 2
    return np.where(enough, np.where(enough, high, 0.0) - np.where(enough, low, 0.0), np.nan)


def gap_of(metric: Metric) -> Metric:
    """The metric that is the gap of an overall metric over groups."""
    return Metric(
        name=f"{metric.name}_gap",
        title=f"gap in {metric.title}",
        kind=metric.kind,
        level="disparity",
        tally=metric.tally,
        compute=Gap(metric),
        parts=Gap(metric, per_part=True) if metric.parts is not None else None,
        low=0.0,
        high=metric.high - metric.low,
        higher_is_better=False,
        source="paper 1, Eq. 6 takes the same difference of selection rates",
        undefined=f"fewer than two groups in which {metric.name} is defined",
        rules=Rules(metric.rules.default, metric.rules.allowed, metric.rules.distinct),
        options=metric.options,
        diagnosis=_diagnosis(metric),
        base=metric.name,
        # An error in the unit of the data has no scale on which one limit could hold.
        limit_in=tuple(metric.rules.default) if np.isfinite(metric.high - metric.low) else (),
    )


def _diagnosis(metric: Metric) -> Diagnosis:
    """A group counts as undefined where the metric itself is, by its default rule."""

    def count(tally: Tally) -> NDArray[Any]:
        left_out = np.isnan(metric.compute(tally))
        return np.asarray(np.where(left_out, 1, metric.undefined_parts(tally)).sum(axis=-1))

    def sentences(tally: Tally, names: Names) -> tuple[str, ...]:
        values = metric.compute(tally)
        return tuple(
            f"group {names.group(int(g))!r} left out: {metric.reason(tally[g], names.parts)}"
            for g in np.flatnonzero(np.isnan(values))
        ) + _within_groups(metric, tally, names, ~np.isnan(values))

    return Diagnosis(count, sentences, _part_reasons(metric))


def _within_groups(metric: Metric, tally: Tally, names: Names, defined: NDArray[Any]) -> tuple[str, ...]:
    """Undefined parts inside groups that do have a value, so that no substitution goes unsaid."""
    return tuple(
        f"group {names.group(int(g))!r}: {note}"
        for g in np.flatnonzero(defined)
        for note in metric.notes(tally[g], names.parts)
    )


def _part_reasons(metric: Metric) -> Callable[[Tally, Names], tuple[str, ...]] | None:
    if metric.parts is None:
        return None
    parts = metric.parts

    def reasons(tally: Tally, names: Names) -> tuple[str, ...]:
        known = (~np.isnan(parts(tally))).sum(axis=0)
        return tuple(
            "" if k >= 2 else f"{names.part(d)}: {metric.name} is defined in {k} of {tally.shape[-1]} groups"
            for d, k in enumerate(known)
        )

    return reasons
