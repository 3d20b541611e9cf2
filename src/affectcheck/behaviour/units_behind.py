"""From a verdict on action units to the items behind it: those with units that are wrong, or that a change moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from affectcheck.behaviour.column_bins import with_groups
from affectcheck.behaviour.gathering import gather_for
from affectcheck.behaviour.predicting import CLEAN
from affectcheck.behaviour.robustness import Pair

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from affectcheck.behaviour.material import Material
    from affectcheck.behaviour.planning import PlannedTest
    from affectcheck.behaviour.running import Examined
    from affectcheck.records import Verdict


def unit_rows(verdict: Verdict, test: PlannedTest, examined: Examined, key: str) -> pl.DataFrame:
    """Items with the units that are annotated and found, and the share of units that are wrong, or that change.

    Args:
        verdict: on one unit, or on all of them.
        test: the planned test that it belongs to.
        examined: the predictions that were judged.
        key: of the perturbed predictions; empty for the media as they are.
    """
    before = _material(test, examined, CLEAN)
    after = None
    if key != CLEAN:
        pair = Pair.of(before, _material(test, examined, key))
        before, after = pair.clean, pair.perturbed
    part = verdict.place.part
    units = [before.parts.index(part)] if part in before.parts else list(range(len(before.parts)))
    recall = verdict.metric.startswith("unit_recall")
    known = before.truth[:, units] == 1 if recall else before.truth[:, units] >= 0
    wrong = known & (before.prediction[:, units] != before.truth[:, units])
    counted = known
    if after is not None:
        wrong = before.prediction[:, units] != after.prediction[:, units]
        counted = np.ones_like(wrong)
    size = wrong.sum(axis=1) / np.maximum(counted.sum(axis=1), 1)
    frame, attribute = before.frame, verdict.place.attribute
    names = [before.parts[unit] for unit in units]
    null = pl.Series([None] * frame.height, dtype=pl.String)
    return frame.with_columns(
        *(null.alias(name) for name in ("media", "subject") if name not in frame.columns),
        (frame.get_column(attribute).cast(pl.String) if attribute in frame.columns else null).alias("group"),
        _named(before.truth[:, units] == 1, names).alias("truth"),
        _named(before.prediction[:, units] == 1, names).alias("prediction"),
        (null if after is None else _named(after.prediction[:, units] == 1, names)).alias("perturbed"),
        pl.Series("size", size, dtype=pl.Float64),
    )


def _material(test: PlannedTest, examined: Examined, key: str) -> Material:
    """Decisions and annotations, with the groups that are compared."""
    if examined.table is None:
        raise LookupError(test.definition.name)
    rules = test.definition.corrected
    found = gather_for(test.definition, examined.table, examined.predictions[key], test.target, rules=rules)
    groups = test.definition.groups
    if groups is None:
        return found
    frame = found.frame
    for attribute in test.attributes or (test.attribute,):
        frame = with_groups(frame, groups, attribute).frame
    return found.with_frame(frame)


def _named(present: NDArray[np.bool_], names: list[str]) -> pl.Series:
    """The units that are present, in one text."""
    return pl.Series([" ".join(np.array(names)[row].tolist()) for row in present], dtype=pl.String)
