"""Whether a test applies to a model and a table; and if not, why, in one sentence that says what is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from affectcheck.behaviour.gathering import predicted_parts
from affectcheck.behaviour.material import tested_parts
from affectcheck.schemes import CategoryScheme, fold

if TYPE_CHECKING:
    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.behaviour.definition import Definition, Rules, Task
    from affectcheck.models.card import ModelCard
    from affectcheck.schemes import Target

#: Column of the mean fundamental frequency, which is measured where a test takes it and the table lacks it.
PITCH: Final = "f0_hz"


def target_of(definition: Definition, table: AnnotationTable, wanted: str | None) -> Target | None:
    """What of a table a test is about: the wanted target, or the annotated classes where values follow classes."""
    if not table.targets:
        return None
    target = table.target(wanted)
    if definition.kind != "consistency" or isinstance(target.scheme, CategoryScheme):
        return target
    others = (one for one in table.targets.values() if isinstance(one.scheme, CategoryScheme))
    return next(others, target)


def attribute_of(definition: Definition, table: AnnotationTable) -> str:
    """The column that holds the groups of a test; empty where there is none."""
    if definition.groups is None:
        return ""
    if definition.groups.bins is not None:
        return definition.groups.bins.column
    return next((column for column in definition.groups.columns if column in table.groups), "")


def measures_pitch(definition: Definition, table: AnnotationTable) -> bool:
    """Whether the fundamental frequency must be measured for a test."""
    bins = definition.groups.bins if definition.groups else None
    return bins is not None and bins.column == PITCH and PITCH not in table.frame.columns


def why_not(
    definition: Definition, card: ModelCard, table: AnnotationTable, target: Target | None, rules: Rules
) -> str:
    """Why a test does not apply; empty if it does."""
    task = definition.task_of(card.kind)
    labelled = definition.data.labels and target is not None and definition.task_of(target.scheme.kind) is not None
    other = _kinds_differ(card, target) if target is not None and labelled else ""
    if other:
        return other
    if task is None:
        return f"the test has no task for {card.kind}"
    return _parts_reason(definition, card, target, task, rules) or _data_reason(definition, table)


def why_not_perturbed(definition: Definition, card: ModelCard, table: AnnotationTable) -> str:
    """Why perturbed sound would not reach the model; empty if it does."""
    missing = [medium for medium in definition.data.media if medium not in card.media]
    if missing:
        return f"the model takes no {missing[0]}: perturbed sound would not reach it"
    if not has_media(table):
        return "the table names no media files that could be perturbed"
    return ""


def has_media(table: AnnotationTable) -> bool:
    """Whether the table names at least one media file."""
    return "media" in table.frame.columns and table.frame.get_column("media").null_count() < table.height


def _parts_reason(definition: Definition, card: ModelCard, target: Target | None, task: Task, rules: Rules) -> str:
    """Why labels, classes or dimensions of model and table do not serve the test."""
    least = 2 if task.kind == "categories" else 1
    named = "fewer than two of the tested classes" if least > 1 else "none of the tested dimensions"
    if not definition.data.labels:
        return "" if len(predicted_parts(card, task, rules)) >= least else f"the model predicts {named}"
    if target is None:
        return "the table has no labels"
    if definition.kind == "consistency":
        return _expected_reason(card, target, task, rules)
    shared = tested_parts(target.scheme, card.parts, task, rules)
    few = "" if len(shared) >= least else f"model and target share {named}"
    return _kinds_differ(card, target) or few


def _kinds_differ(card: ModelCard, target: Target) -> str:
    same = card.kind == target.scheme.kind
    return "" if same else f"the model predicts {card.kind}, the target {target.name!r} is {target.scheme.kind}"


def _expected_reason(card: ModelCard, target: Target, task: Task, rules: Rules) -> str:
    """Values are expected of annotated classes, so there must be classes that something is expected of."""
    if not isinstance(target.scheme, CategoryScheme):
        return "the table has no annotated classes that values could be expected of"
    if not predicted_parts(card, task, rules):
        return "the model predicts none of the tested dimensions"
    spellings = {fold(label) for label in target.scheme.labels}
    expected = {fold(one) for ranged in (*task.ranges, *rules.ranges) for one in ranged.categories}
    return "" if spellings & expected else f"no class of {target.name!r} has an expected range"


def _data_reason(definition: Definition, table: AnnotationTable) -> str:
    data, groups = definition.data, definition.groups
    if measures_pitch(definition, table):
        if not has_media(table):
            return f"the table has no column {PITCH!r}, and no sound that it could be measured on"
    elif groups is not None and attribute_of(definition, table) not in table.frame.columns:
        named = groups.bins.column if groups.bins is not None else " or ".join(groups.columns)
        return f"the table has no group column {named}"
    within = [groups.within] if groups is not None and groups.within else []
    paired = [definition.reference.column, *definition.reference.join] if definition.reference.column else []
    missing = [column for column in (*data.columns, *within, *paired) if column not in table.frame.columns]
    if missing and missing != [PITCH]:
        return f"the table has no column {missing[0]!r}"
    if definition.kind.startswith("speaker") and not table.has_subjects:
        return "the table does not say who speaks: it has no column 'subject'"
    if table.height < data.minimum_items:
        return f"{table.height} items, the test takes {data.minimum_items}"
    return ""
