"""Fairness of robustness: does a perturbation change predictions of one group more than those of all?

Compared is the change of each group minus the change of all groups together, for every column and every crossing of
two. The threshold is what groups show that are dealt out at random over subjects, with this very model and this very
perturbation.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from affectcheck.behaviour.definition import COMPARED
from affectcheck.behaviour.fairness_answers import answered_by_dealing
from affectcheck.behaviour.fairness_changes import Changes
from affectcheck.behaviour.fairness_columns import Cells, Column
from affectcheck.behaviour.fairness_support import not_applicable
from affectcheck.behaviour.measured import Measured, Question
from affectcheck.metrics.rules import ratio
from affectcheck.records import Place

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from affectcheck.behaviour.column_bins import GroupedRows
    from affectcheck.behaviour.definition import Comparison
    from affectcheck.behaviour.measured import Setting
    from affectcheck.behaviour.robustness import Pair
    from affectcheck.behaviour.totals import Totals

    Floats = NDArray[np.float64]


def measure_group_changes(pair: Pair, groupings: Iterable[GroupedRows], setting: Setting) -> list[Measured]:
    """The change of every group minus that of all, for each attribute, and of values for each dimension.

    Args:
        pair: the items before and after.
        groupings: the items before with each column of groups, or crossing, that is compared; all are dealt out at once.
        setting: test, task, rules and options.
    """
    block = tuple(groupings)
    return [found for one in _by_dimension(pair, setting) for found in _measure(one, block, setting)]


def _by_dimension(pair: Pair, setting: Setting) -> list[Pair]:
    if setting.task.kind != "dimensions":
        return [pair]
    return [pair.dimension(index) for index in range(len(pair.clean.parts))]


def _measure(pair: Pair, block: tuple[GroupedRows, ...], setting: Setting) -> list[Measured]:
    part = pair.clean.parts[0] if setting.task.kind == "dimensions" else ""
    columns = [Column.of(pair.clean, rows, setting) for rows in block]
    found: list[Measured] = []
    for one in columns:
        if one.admitted.reason:
            found += not_applicable(one.grouped, setting, one.admitted.reason, part)
    enough = [one for one in columns if not one.admitted.reason]
    for comparison in setting.task.comparison:
        changes = Changes.of(comparison, pair)
        lacking = [changes.lacking(one, setting.rules) for one in enough]
        found += [_untold(comparison, one, changes, why, part) for one, why in zip(enough, lacking, strict=True) if why]
        compared = [one for one, why in zip(enough, lacking, strict=True) if not why]
        found += _compared(comparison, compared, changes, pair, setting) if compared else []
    return found + [told for one in columns for told in one.admitted.untold(setting, part)]


def _untold(comparison: Comparison, column: Column, changes: Changes, why: str, part: str) -> Measured:
    """Why the groups of a column are not compared."""
    grouped, number = column.grouped, int(changes.kept[column.rows].sum())
    return Measured(comparison, Place(grouped.attribute, "", part), None, why, number, notes=grouped.material.notes)


def _compared(
    comparison: Comparison, columns: Sequence[Column], changes: Changes, pair: Pair, setting: Setting
) -> list[Measured]:
    """Differences of all groups of the columns, bounded at once, with the means that each is a difference of."""
    material = pair.clean
    cells = Cells.of(columns, material.size, changes.kept)
    tally = changes.tally(cells, material.clusters, material.n_clusters)
    part = material.parts[0] if setting.task.kind == "dimensions" else ""
    questions: list[Question] = []
    notes: list[tuple[str, ...]] = []
    for number, column in enumerate(columns):
        grouped = column.grouped
        value = partial(_mean, strata=changes.common(column, setting.rules))
        sizes = np.bincount(grouped.codes[changes.kept[column.rows]], minlength=len(grouped.names))
        places = tuple(Place(grouped.attribute, group, part) for group in grouped.names)
        difference = partial(cells.against_all, value=value, column=number, inner=1)
        # Every group has what it takes, so that every value is defined.
        reasons = ("undefined",) * len(places)
        own, together = cells.own_and_all(tally.pooled(0), value, number, inner=1)
        question = Question(comparison, tally, difference, places, tuple(sizes.tolist()), 1, partial(tuple, reasons))
        questions.append(replace(question, levels=changes.levels(float(together[0])) * len(places)))
        told = [_told(comparison, *each, float(together[0])) for each in zip(grouped.names, own[:, 0], strict=True)]
        notes += [(*grouped.material.notes, one) for one in told]
    answers = answered_by_dealing(questions, material, setting)
    return [replace(one, notes=note) for one, note in zip(answers, notes, strict=True)]


def _mean(tally: Totals, strata: NDArray[np.int64]) -> Floats:
    """(..., 1) mean over some strata of the mean of each."""
    means = ratio(tally.sums[..., strata, 0], tally.items[..., strata])
    return np.asarray(means.mean(axis=-1, keepdims=True))


def _told(comparison: Comparison, name: str, own: float, together: float) -> str:
    """The shares or changes that a difference is of."""
    if comparison.metric == "unchanged":
        return f"{own:.3f} of the predictions for {name} stay, {together:.3f} of all"
    return f"{COMPARED[comparison.metric]} changes by {own:+.3f} for {name}, by {together:+.3f} for all"
