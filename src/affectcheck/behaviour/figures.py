"""Numbers behind the figures of a report on behaviour tests, as plain values that a record holds."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from affectcheck.behaviour.gathering import gather_for
from affectcheck.behaviour.predicting import CLEAN
from affectcheck.schemes import fold

if TYPE_CHECKING:
    from collections.abc import Iterator

    from affectcheck.behaviour.definition import Range
    from affectcheck.behaviour.planning import Plan, PlannedTest
    from affectcheck.behaviour.running import Examined

#: Names of the tables in a record.
CHANGES: Final = "behaviour_changes"
EXPECTED: Final = "behaviour_expected"
_CHANGES: Final = ["test", "before", "after", "count"]
_EXPECTED: Final = [
    "dimension", "category", "low", "lower", "middle", "upper", "high", "count", "expected_low", "expected_high",
    "share",
]  # fmt: skip


def figure_tables(plan: Plan, examined: Examined) -> dict[str, dict[str, list[Any]]]:
    """What the figures show: how classes change under each perturbation, and values by annotated class.

    Args:
        plan: what was done.
        examined: what came of it.

    Returns:
        Tables by name, each with ``columns`` and ``rows``; only those that there is something for.
    """
    changes = [row for test in plan.applicable if test.perturbation for row in _changes(test, examined)]
    expected = [
        row for test in plan.applicable if test.definition.kind == "consistency" for row in _bands(test, plan, examined)
    ]
    found: dict[str, dict[str, list[Any]]] = {}
    if changes:
        found[CHANGES] = {"columns": list(_CHANGES), "rows": changes}
    if expected:
        found[EXPECTED] = {"columns": list(_EXPECTED), "rows": expected}
    return found


def _changes(test: PlannedTest, examined: Examined) -> Iterator[list[Any]]:
    """How often each class became each other one, in the order of the model's classes."""
    if test.perturbation is None or examined.predictions[CLEAN].card.kind != "categories":
        return
    before = examined.predictions[test.reference.key if test.reference else CLEAN].frame
    after = examined.predictions[test.perturbation.key].frame
    joined = before.select("item", pl.col("prediction").cast(pl.String).alias("before")).join(
        after.select("item", pl.col("prediction").cast(pl.String).alias("after")), on="item"
    )
    counts = Counter(joined.select("before", "after").iter_rows())
    labels = examined.predictions[CLEAN].card.parts
    for one in labels:
        for other in labels:
            yield [test.definition.name, one, other, counts[one, other]]


def _bands(test: PlannedTest, plan: Plan, examined: Examined) -> Iterator[list[Any]]:
    """Five numbers of the predictions of each annotated class, and the band in which they are expected."""
    if examined.table is None or test.task is None:
        return
    rules = test.definition.rules(plan.mode)
    prediction = examined.predictions[CLEAN]
    material = gather_for(test.definition, examined.table, prediction, test.target, rules=rules)
    for index, dimension in enumerate(material.parts):
        for code, category in enumerate(material.categories):
            values = np.asarray(material.prediction[material.truth == code, index], np.float64)
            if not len(values):
                continue
            band = _expected(dimension, category, (*rules.ranges, *test.task.ranges))
            inside = None if band is None else float(np.mean((values >= band[0]) & (values <= band[1])))
            five = np.quantile(np.clip(values, 0, 1), [0, 0.25, 0.5, 0.75, 1]).tolist()
            yield [dimension, category, *five, len(values), *(band or (None, None)), inside]


def _expected(dimension: str, category: str, ranges: tuple[Range, ...]) -> tuple[float, float] | None:
    """The first range that names the category, of this dimension where ranges name one."""
    for one in ranges:
        of = getattr(one, "dimension", "")
        if (not of or fold(of) == fold(dimension)) and fold(category) in {fold(name) for name in one.categories}:
            return (one.low if one.low is not None else 0.0, one.high if one.high is not None else 1.0)
    return None
