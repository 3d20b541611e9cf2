"""Numbers behind the figures of a report on behaviour tests, as plain values that a record holds."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from affectcheck.behaviour.consistency import expectations
from affectcheck.behaviour.measuring import case_of, reference_key
from affectcheck.behaviour.predicting import CLEAN
from affectcheck.behaviour.stays_by_group import COLUMNS as STAYS_COLUMNS
from affectcheck.behaviour.stays_by_group import STAYS, stays_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from affectcheck.behaviour.planning import Plan, PlannedTest
    from affectcheck.behaviour.running import Examined

#: Names of the tables in a record.
CHANGES: Final = "behaviour_changes"
EXPECTED: Final = "behaviour_expected"
_CHANGES: Final = ("test", "before", "after", "count")
_EXPECTED: Final = (
    "dimension", "category", "low", "lower", "middle", "upper", "high", "count", "expected_low", "expected_high",
    "share",
)  # fmt: skip


def figure_tables(plan: Plan, examined: Examined) -> dict[str, dict[str, list[Any]]]:
    """What the figures show: how classes change under each perturbation, what stays by group, values by annotated class.

    Args:
        plan: what was done.
        examined: what came of it.

    Returns:
        Tables by name, each with ``columns`` and ``rows``; only those that there is something for.
    """
    changes = [
        row for test in plan.applicable if test.definition.family == "robustness" for row in _changes(test, examined)
    ]
    expected = [
        row for test in plan.applicable if test.definition.kind == "consistency" for row in _bands(test, plan, examined)
    ]
    found: dict[str, dict[str, list[Any]]] = {}
    if changes:
        found[CHANGES] = {"columns": list(_CHANGES), "rows": changes}
    stays = stays_rows(plan, examined)
    if stays:
        found[STAYS] = {"columns": list(STAYS_COLUMNS), "rows": stays}
    if expected:
        found[EXPECTED] = {"columns": list(_EXPECTED), "rows": expected}
    return found


def _changes(test: PlannedTest, examined: Examined) -> Iterator[list[Any]]:
    """How often each class became each other one, in the order of the model's classes."""
    if test.perturbation is None or examined.predictions[CLEAN].card.kind != "categories":
        return
    before = examined.predictions[reference_key(test)].frame
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
    case = case_of(test, examined, plan.mode)
    if case is None:
        return
    material = case.material().labelled()
    bands = {(one.dimension, one.code): one for one in expectations(material, case.setting)}
    for index, dimension in enumerate(material.parts):
        for code, category in enumerate(material.categories):
            values = np.asarray(material.prediction[material.truth == code, index], np.float64)
            if not len(values):
                continue
            band = bands.get((index, code))
            ends = (None, None) if band is None else (max(band.low, 0.0), min(band.high, 1.0))
            inside = None if band is None else float(np.mean(band.holds(material)[material.truth == code]))
            five = np.quantile(np.clip(values, 0, 1), [0, 0.25, 0.5, 0.75, 1]).tolist()
            yield [dimension, category, *five, len(values), *ends, inside]
