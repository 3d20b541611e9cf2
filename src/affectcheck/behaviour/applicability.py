"""Whether a test applies to a model and a table; and if not, why, in one sentence that says what is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from affectcheck.annotations.listing import plural
from affectcheck.behaviour.gathering import predicted_parts
from affectcheck.behaviour.material import tested_parts
from affectcheck.behaviour.medium import counted_as, medium_of
from affectcheck.behaviour.recording_names import RECORDING, recording_column
from affectcheck.behaviour.units import undecided
from affectcheck.schemes import CategoryScheme, fold

if TYPE_CHECKING:
    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.behaviour.definition import Definition, Rules, Task
    from affectcheck.models.card import ModelCard
    from affectcheck.schemes import Target

#: Column of the mean fundamental frequency, which is measured where a test takes it and the table lacks it.
PITCH: Final = "f0_hz"
#: Parts that a comparison takes, by kind; one of the others.
_LEAST: Final = {"categories": 2}


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
    idle = rules.not_judged or _of_another_medium(definition, card) or _known_labels(definition, card, target, rules)
    if idle:
        return idle
    task = definition.task_of(card.kind)
    needed = definition.data.labels is True and target is not None
    other = _kinds_differ(card, target) if needed and target and definition.task_of(target.scheme.kind) else ""
    if other:
        return other
    if task is None:
        return f"the test has no task for {card.kind}"
    return undecided(card) or _parts_reason(definition, card, target, task, rules) or _data_reason(definition, table)


def takes_labels(definition: Definition, card: ModelCard, target: Target | None, rules: Rules) -> bool:
    """Whether a test looks at labels here: always, never, or where what the model predicts is annotated."""
    if definition.data.labels != "where known":
        return definition.data.labels is True
    return _annotated(definition, card, target, rules)


def why_not_perturbed(definition: Definition, card: ModelCard, table: AnnotationTable) -> str:
    """Why what is perturbed would not reach the model; empty if it does."""
    media = definition.data.media
    if media and not set(media) & set(card.media):
        name = medium_of(definition).name
        return f"the model takes no {' or '.join(media)}: perturbed {name} would not reach it"
    if not has_media(table):
        return "the table names no media files that could be perturbed"
    return ""


def has_media(table: AnnotationTable) -> bool:
    """Whether the table names at least one media file."""
    return "media" in table.frame.columns and table.frame.get_column("media").null_count() < table.height


def _parts_reason(definition: Definition, card: ModelCard, target: Target | None, task: Task, rules: Rules) -> str:
    """Why labels, classes or dimensions of model and table do not serve the test."""
    least = _LEAST.get(task.kind, 1)
    named = "fewer than two of the tested classes" if least > 1 else f"none of the tested {task.kind}"
    if not takes_labels(definition, card, target, rules):
        return "" if len(predicted_parts(card, task, rules)) >= least else f"the model predicts {named}"
    if target is None:
        return "the table has no labels"
    if definition.kind == "consistency":
        return _expected_reason(card, target, task, rules)
    shared = tested_parts(target.scheme, card.parts, task, rules)
    few = "" if len(shared) >= least else f"model and target share {named}"
    return _kinds_differ(card, target) or few


def _annotated(definition: Definition, card: ModelCard, target: Target | None, rules: Rules) -> bool:
    """Whether enough of what a model predicts is annotated."""
    task = definition.task_of(card.kind)
    if task is None or target is None or target.scheme.kind != card.kind:
        return False
    return len(tested_parts(target.scheme, card.parts, task, rules)) >= _LEAST.get(task.kind, 1)


def _known_labels(definition: Definition, card: ModelCard, target: Target | None, rules: Rules) -> str:
    """Why a test that does without labels is not run where there are some."""
    if definition.data.labels != "where unknown" or not _annotated(definition, card, target, rules):
        return ""
    return "what the model predicts is annotated, so that the tests with labels tell more"


def _of_another_medium(definition: Definition, card: ModelCard) -> str:
    """Why a test is not about a model; finished predictions are of any medium."""
    media = definition.data.media
    if definition.perturbation is not None or not card.media or not media or set(media) & set(card.media):
        return ""
    return f"the model takes no {' or '.join(media)}, which the test is about"


def _kinds_differ(card: ModelCard, target: Target) -> str:
    same = card.kind == target.scheme.kind
    return "" if same else f"the model predicts {card.kind}, the target {target.name!r} is {target.scheme.kind}"


def _expected_reason(card: ModelCard, target: Target, task: Task, rules: Rules) -> str:
    """Values are expected of annotated classes, so there must be classes that something is expected of."""
    if not isinstance(target.scheme, CategoryScheme):
        return "the table has no annotated classes that values could be expected of"
    if not predicted_parts(card, task, rules):
        return f"the model predicts none of the tested {task.kind}"
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
    within = [*groups.crossed, *filter(None, [groups.within])] if groups is not None else []
    paired = [definition.reference.column, *definition.reference.join] if definition.reference.column else []
    missing = [column for column in (*data.columns, *within, *paired) if column not in table.frame.columns]
    if missing and missing != [PITCH]:
        return f"the table has no column {missing[0]!r}"
    nobody = _nobody_to_average(definition, table)
    if nobody:
        return nobody
    if table.height < data.minimum_items:
        return f"{plural(table.height, 'item')}, the test takes {data.minimum_items}"
    return ""


def _nobody_to_average(definition: Definition, table: AnnotationTable) -> str:
    """Why averages cannot be taken over subjects, or over recordings; empty for tests without averages."""
    if definition.speakers is None or not definition.kind.startswith("speaker"):
        return ""
    if definition.speakers.unit == "recording":
        column, names = recording_column(table.frame), " or ".join(map(repr, RECORDING))
        if not column:
            return f"the table does not say which {counted_as(definition)} there are: it has no column {names}"
        single = table.height > 1 and table.frame.get_column(column).is_unique().all()
        return f"there are no {counted_as(definition)} of several items: each item is one of its own" if single else ""
    who = f"the table does not say {medium_of(definition).who}: it has no column 'subject'"
    return "" if table.has_subjects else who
