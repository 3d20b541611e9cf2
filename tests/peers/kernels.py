"""Our own value of a metric for a case."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from affectcheck.metrics import METRICS
from affectcheck.tallies import Binned, Coincidences, Confusion, Histogram, Range, Signs
from peers import draws, plain_categories, plain_dimensions, plain_units

if TYPE_CHECKING:
    from collections.abc import Callable

    from affectcheck.metrics import Metric
    from affectcheck.tallies import Tally
    from peers.draws import Case

PLAIN: dict[str, Callable[..., Any]] = {
    **plain_categories.PLAIN,
    **plain_units.PLAIN,
    **plain_dimensions.PLAIN,
    **plain_dimensions.RATERS,
}


def cases_of(name: str, seed: int) -> tuple[Case, ...]:
    """The awkward data of a metric's kind, with its number of parts."""
    metric = METRICS.get(name)
    return _drawn(metric.kind, metric.number_of_parts, seed)


@cache
def _drawn(kind: str, parts: int, seed: int) -> tuple[Case, ...]:
    draw = draws.FAMILIES[kind]
    return draw(seed, parts) if parts else draw(seed)


def tally_of(metric: Metric, case: Case) -> Tally:
    """The metric's own tally; with a group axis for disparities."""
    where: dict[str, Any] = {"cells": case.group, "n_cells": case.groups} if metric.level == "disparity" else {}
    if metric.kind == "raters":
        return Coincidences.count(case.truth, **where)
    if metric.kind == "units":
        if hasattr(metric.tally, "of_units"):
            return metric.tally.of_units(case.truth, case.score, **where)  # type: ignore[no-any-return]
        return metric.tally.count(case.truth, case.prediction, **where)  # type: ignore[attr-defined, no-any-return]
    if metric.kind == "categories":
        if metric.tally is Confusion:
            return Confusion.count(case.truth, case.prediction, labels=case.labels, missing="wrong", **where)
        return metric.tally.count(case.truth, case.score, missing="wrong", **where)  # type: ignore[attr-defined, no-any-return]
    declared = {Histogram: {"on": Range(-1, 1)}, Binned: {"edges": plain_dimensions.EDGES}, Signs: {"neutral": 0.0}}
    options = declared.get(metric.tally, {})
    return metric.tally.of(case.truth, case.prediction, **options, **where)  # type: ignore[attr-defined, no-any-return]


def ours(name: str, case: Case, *, convention: str = "paper", undefined: str = "") -> np.ndarray:
    """What the package computes."""
    metric = METRICS.get(name)
    return np.asarray(metric.compute(tally_of(metric, case), convention=convention, undefined=undefined))


@cache
def written_out(name: str, case: Case, *, convention: str = "paper", undefined: str = "") -> np.ndarray:
    """What the plain definition gives."""
    metric = METRICS.get(name)
    rule = metric.rules.resolve(convention, undefined)
    if not metric.base:
        return np.asarray(PLAIN[name](case, rule, convention), float)
    values = [PLAIN[metric.base](group, rule, convention) for group in case.by_group]
    defined = [value for value in values if not np.isnan(value)]
    if name.endswith("_gap"):
        return np.asarray(max(defined) - min(defined) if len(defined) > 1 else np.nan)
    badness = {True: lambda v: -v, False: lambda v: v, None: abs}[metric.higher_is_better]
    return np.asarray(max(defined, key=badness) if defined else np.nan)
