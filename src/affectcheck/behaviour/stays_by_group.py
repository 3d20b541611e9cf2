"""Shares of predictions that stay under every perturbation, group by group, at one look."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import polars as pl

from affectcheck.behaviour.column_bins import JOIN, with_groups
from affectcheck.behaviour.groups import Grouped
from affectcheck.behaviour.measuring import case_of
from affectcheck.behaviour.robustness import unchanged

if TYPE_CHECKING:
    from collections.abc import Iterator

    from affectcheck.behaviour.planning import Plan, PlannedTest
    from affectcheck.behaviour.running import Examined

#: Name of the table in a record, and its columns; a row without a group is of all items that have one.
STAYS: Final = "behaviour_stays"
COLUMNS: Final = ("test", "dimension", "attribute", "group", "items", "share")


def stays_rows(plan: Plan, examined: Examined) -> list[list[Any]]:
    """A row for each perturbation that groups are compared under, dimension, column and group.

    Args:
        plan: what was done.
        examined: what came of it.
    """
    return [row for test in plan.applicable for row in _of_test(test, plan, examined)]


def _of_test(test: PlannedTest, plan: Plan, examined: Examined) -> Iterator[list[Any]]:
    groups, case = test.definition.groups, case_of(test, examined, plan.mode)
    if groups is None or test.perturbation is None or case is None:
        return
    asked = next((one for one in case.setting.task.comparison if one.metric == "unchanged"), None)
    if asked is None:
        return
    whole = case.changed(test.perturbation.key)
    dimensions = whole.clean.parts if case.setting.task.kind == "dimensions" else ("",)
    for index, dimension in enumerate(dimensions):
        pair = whole.dimension(index) if dimension else whole
        stays = unchanged(pair, asked)
        shares = pl.Series("share", stays.reshape(len(stays), -1).mean(axis=1))
        for attribute in (one for one in test.attributes if JOIN not in one):
            rows = with_groups(pair.clean.frame, groups, attribute).frame.with_columns(shares)
            known = Grouped.of(pair.clean.with_frame(rows), attribute)
            for told in _by_group(known):
                yield [test.definition.name, dimension, attribute, *told]


def _by_group(known: Grouped) -> list[tuple[str, int, float]]:
    """Group, items and mean share; of all items together first, without a name."""
    group = pl.Series("group", known.names, dtype=pl.String).gather(known.codes)
    frame = pl.DataFrame([group, known.material.frame.get_column("share")])
    told = frame.group_by("group").agg(pl.len(), pl.col("share").mean()).sort("group").rows()
    items = sum(count for _, count, _ in told)
    return [("", items, sum(count * share for _, count, share in told) / items), *told] if items else []
