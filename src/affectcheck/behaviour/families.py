"""How many families of differences a test has: those of one are bounded at once, all of a run share their error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affectcheck.behaviour.column_bins import pairs_of
from affectcheck.behaviour.fairness_changes import UNLABELLED
from affectcheck.behaviour.fairness_columns import dealt_at_once
from affectcheck.behaviour.gathering import predicted_parts
from affectcheck.behaviour.material import tested_parts

if TYPE_CHECKING:
    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.behaviour.definition import Comparison, Rules, Task
    from affectcheck.behaviour.planning import PlannedTest
    from affectcheck.behaviour.requirements import Groups
    from affectcheck.models.card import ModelCard
    from affectcheck.schemes import Target


def families_of(test: PlannedTest) -> int:
    """Comparisons of classes are judged at once; of every dimension, values and bins by themselves.

    Under a perturbation, every comparison is judged by itself, and every block of columns.
    """
    if test.task is None:
        return 1
    if test.perturbation:
        apart = len([one for one in test.task.comparison if test.target is not None or one.metric in UNLABELLED])
    else:
        apart = len({_by(one) for one in test.task.comparison}) if test.task.kind == "dimensions" else 1
    return test.dimensions * apart * max(1, len(test.blocks))


def _by(comparison: Comparison) -> str:
    """Bins are judged by themselves; what is one number for all groups beside the numbers of each."""
    return "set" if comparison.per == "attribute" else comparison.per


def dimensions_of(card: ModelCard, task: Task | None, labels: Target | None, rules: Rules) -> int:
    """How many dimensions are compared, each by itself; 1 where classes or units are.

    Args:
        card: the model's.
        task: the test's for what the model predicts.
        labels: what is annotated; None where no labels are looked at.
        rules: those of the mode.
    """
    if task is None or task.kind != "dimensions":
        return 1
    if labels is None or labels.scheme.kind != "dimensions":
        return max(1, len(predicted_parts(card, task, rules)))
    return max(1, len(tested_parts(labels.scheme, card.parts, task, rules)))


def compared_columns(groups: Groups, table: AnnotationTable) -> tuple[tuple[str, ...], ...]:
    """The columns of a table that a test under a perturbation compares, with every two of them crossed where it wants.

    Columns are one block, so that they are bounded at once, and crossings another one: their many small groups would
    widen the bounds of the columns. Where somebody has several values of a column, each is a block of its own.
    """
    columns = tuple(one for one in groups.columns if one in table.groups)
    crossed = pairs_of(table.frame, columns) if groups.pairs else ()
    if not dealt_at_once(table.frame, columns):
        return tuple((one,) for one in (*columns, *crossed))
    return tuple(block for block in (columns, crossed) if block)
