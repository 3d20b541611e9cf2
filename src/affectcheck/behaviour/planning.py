"""What a suite will do: which tests apply, which do not and why, and which predictions they take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from affectcheck.augmentations import AUGMENTATIONS, Perturbation, make_augmentation
from affectcheck.behaviour.material import tested_parts
from affectcheck.behaviour.options import SuiteOptions
from affectcheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.behaviour.definition import Definition, Mode, Task
    from affectcheck.behaviour.requirements import PerturbationSpec
    from affectcheck.models.card import ModelCard
    from affectcheck.schemes import Target

#: The kinds of test that this version runs; the format carries the others.
RUNNABLE = frozenset({"classification", "regression", "group difference", "perturbation"})


@dataclass(frozen=True)
class PlannedTest:
    """One test of a plan.

    Attributes:
        definition: the test.
        task: its task for the kind of the target; None if it has none.
        reason: why it is not applicable; empty if it is run.
        perturbation: what the sound is changed by, if it is.
        attribute: the group column, if groups are compared.
        predictions: new predictions that it takes, shared with every other test of the same perturbation.
    """

    definition: Definition
    task: Task | None = None
    reason: str = ""
    perturbation: Perturbation | None = None
    attribute: str = ""
    predictions: int = 0

    @property
    def applies(self) -> bool:
        """Whether it is run."""
        return not self.reason


@dataclass(frozen=True)
class Plan:
    """What a suite will do.

    Attributes:
        tests: every test asked for, applicable or not.
        target: what is tested.
        mode: ``corrected`` or ``published``.
        data: name of the data set.
        items: number of its items.
    """

    tests: tuple[PlannedTest, ...]
    target: Target
    mode: Mode
    data: str
    items: int

    @property
    def perturbations(self) -> tuple[Perturbation, ...]:
        """The perturbed prediction sets that are needed, each once."""
        needed = {t.perturbation.key: t.perturbation for t in self.tests if t.applies and t.perturbation is not None}
        return tuple(needed.values())

    @property
    def predictions(self) -> int:
        """Predictions to be made besides those on the sound as recorded: the cost of the plan."""
        return len(self.perturbations) * self.items

    def __str__(self) -> str:
        """One line a test, then the cost."""
        lines = [
            f"{test.definition.name}: {'not applicable: ' + test.reason if test.reason else 'will be run'}"
            for test in self.tests
        ]
        sets = ", ".join(one.augmentation.key for one in self.perturbations) or "none"
        return "\n".join([*lines, f"perturbed prediction sets: {sets} ({self.predictions} predictions)"])


def plan(
    definitions: Sequence[Definition],
    card: ModelCard,
    table: AnnotationTable,
    *,
    options: SuiteOptions | None = None,
) -> Plan:
    """Decide which tests apply to a model and a table.

    Args:
        definitions: the tests, as ``load_suites`` returns them.
        card: the model's card.
        table: the annotated items.
        options: mode, target, seed.

    Returns:
        The plan; ``run`` carries it out.

    Raises:
        InputError: a definition is of a kind that this version does not run yet.
    """
    options = options or SuiteOptions()
    target = table.target(options.target)
    planned = []
    for definition in definitions:
        require_runnable(definition)
        task = definition.task_of(target.scheme.kind)
        reason = _reason(definition, card, table, target, options)
        attribute = _attribute(definition, table)
        perturbation = _perturbation(definition.perturbation, options.seed)
        count = table.height if perturbation and not reason else 0
        planned.append(PlannedTest(definition, task, reason, perturbation, attribute, count))
    return Plan(tuple(planned), target, options.mode, table.name, table.height)


def unrunnable(definition: Definition) -> str:
    """What a test takes that this version does not have yet; empty if it can be run."""
    groups, reference = definition.groups, definition.reference.kind
    specs = [spec for spec in (definition.perturbation, definition.reference.perturbation) if spec is not None]
    lacking = {
        f"tests of kind {definition.kind!r}": definition.kind not in RUNNABLE,
        "groups by bins of a number": groups is not None and groups.bins is not None,
        "merged groups": groups is not None and bool(groups.merged),
        "groups that are not balanced": groups is not None and definition.balance is None,
        f"groups compared with {reference!r}": groups is not None and reference != "combined",
        f"perturbed sound compared with {reference!r}": definition.kind == "perturbation" and reference != "clean",
        "samples and filters of the data": bool(definition.data.maximum_items or definition.data.duration_s),
    }
    lacking |= {f"the augmentation {s.augmentation!r}": s.augmentation not in AUGMENTATIONS for s in specs}
    return next((what for what, missing in lacking.items() if missing), "")


def require_runnable(definition: Definition) -> None:
    """Raise unless this version can run a test.

    Raises:
        InputError: it cannot; nothing is put in place of a result.
    """
    lacking = unrunnable(definition)
    if lacking:
        raise InputError(
            f"the test {definition.name!r} is not runnable yet by this version: it takes {lacking}",
            expected=f"tests of kind {', '.join(sorted(RUNNABLE))}",
            cause="the definition is valid, but its runner has not been written",
        )


def _reason(
    definition: Definition, card: ModelCard, table: AnnotationTable, target: Target, options: SuiteOptions
) -> str:
    """Why a test does not apply; empty if it does."""
    scheme = target.scheme
    task = definition.task_of(scheme.kind)
    if task is None:
        return f"the test has no task for {scheme.kind}"
    if card.kind != scheme.kind:
        return f"the model predicts {card.kind}, the target {target.name!r} is {scheme.kind}"
    shared = tested_parts(scheme, card.parts, task, definition.rules(options.mode))
    if len(shared) < (2 if scheme.kind == "categories" else 1):
        named = (
            "fewer than two of the tested classes" if scheme.kind == "categories" else "none of the tested dimensions"
        )
        return f"model and target share {named}"
    return _data_reason(definition, table) or _media_reason(definition, card, table, options)


def _data_reason(definition: Definition, table: AnnotationTable) -> str:
    if definition.groups and not _attribute(definition, table):
        return f"the table has no group column {' or '.join(definition.groups.columns)}"
    missing = [column for column in definition.data.columns if column not in table.frame.columns]
    if missing:
        return f"the table has no column {missing[0]!r}"
    if table.height < definition.data.minimum_items:
        return f"{table.height} items, the test takes {definition.data.minimum_items}"
    return ""


def _media_reason(definition: Definition, card: ModelCard, table: AnnotationTable, options: SuiteOptions) -> str:
    perturbation = _perturbation(definition.perturbation, options.seed)
    if perturbation is None or perturbation.key in options.perturbed:
        return ""
    missing = [medium for medium in definition.data.media if medium not in card.media]
    if missing:
        return f"the model takes no {missing[0]}: perturbed sound would not reach it"
    if "media" not in table.frame.columns or table.frame.get_column("media").null_count() == table.height:
        return "the table names no media files that could be perturbed"
    return ""


def _attribute(definition: Definition, table: AnnotationTable) -> str:
    columns = definition.groups.columns if definition.groups else ()
    return next((column for column in columns if column in table.groups), "")


def _perturbation(spec: PerturbationSpec | None, seed: int) -> Perturbation | None:
    return Perturbation(make_augmentation(spec.augmentation, spec.parameters), seed) if spec else None
