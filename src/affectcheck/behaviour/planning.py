"""What a suite will do: which tests apply, which do not and why, and which predictions they take."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from affectcheck.augmentations import SoundsMissingError, make_perturbation
from affectcheck.behaviour.applicability import (
    attribute_of,
    measures_pitch,
    takes_labels,
    target_of,
    why_not,
    why_not_perturbed,
)
from affectcheck.behaviour.families import compared_columns, dimensions_of, families_of
from affectcheck.behaviour.options import SuiteOptions
from affectcheck.behaviour.own_limits import require_known_limits
from affectcheck.behaviour.prototypes import derived_card, has_prototypes
from affectcheck.behaviour.sampling import sampled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.augmentations import AnyPerturbation
    from affectcheck.behaviour.definition import Definition, Mode, Task
    from affectcheck.behaviour.requirements import PerturbationSpec
    from affectcheck.models.card import ModelCard
    from affectcheck.schemes import Target


@dataclass(frozen=True)
class PlannedTest:
    """One test of a plan.

    Attributes:
        definition: the test.
        task: its task for what the model predicts; None if it has none.
        reason: why it is not applicable; empty if it is run.
        target: what of the table it is about; None where nothing is annotated.
        attribute: the group column, if groups are compared.
        dimensions: how many dimensions are compared, each by itself.
        blocks: the group columns that are compared under a perturbation, and every two of them crossed; groups of a block
            are dealt out at once.
        perturbation: what sound or pictures are changed by, if they are.
        reference: what they are changed by that it is compared with; None for the media as they are.
        pitch: whether the fundamental frequency is measured for it.
        items: the items it takes, as keys; None for every item.
        predictions: predictions under perturbations that it takes, shared with every other test of the same
            perturbation.
    """

    definition: Definition
    task: Task | None = None
    reason: str = ""
    target: Target | None = None
    attribute: str = ""
    dimensions: int = 1
    blocks: tuple[tuple[str, ...], ...] = ()
    perturbation: AnyPerturbation | None = None
    reference: AnyPerturbation | None = None
    pitch: bool = False
    items: tuple[str, ...] | None = None
    predictions: int = 0

    @property
    def applies(self) -> bool:
        """Whether it is run."""
        return not self.reason

    @property
    def attributes(self) -> tuple[str, ...]:
        """Every column and crossing that is compared under a perturbation."""
        return tuple(one for block in self.blocks for one in block)

    def changes(self, reruns: int = 0) -> tuple[AnyPerturbation, ...]:
        """Every perturbation it takes, those that are drawn again among them."""
        if not self.applies or self.perturbation is None:
            return ()
        again = [self.drawn_again(number) for number in range(1, reruns + 1)]
        return tuple(one for one in (self.perturbation, self.reference, *again) if one is not None)

    def drawn_again(self, number: int) -> AnyPerturbation | None:
        """The perturbation with other draws; None where nothing is drawn."""
        if self.perturbation is None or getattr(self.perturbation.augmentation, "deterministic", False):
            return None
        return replace(self.perturbation, repetition=number)


@dataclass(frozen=True)
class Plan:
    """What a suite will do.

    Attributes:
        tests: every test asked for, applicable or not.
        target: what is tested; None where nothing is annotated.
        mode: ``corrected`` or ``published``.
        data: name of the data set.
        items: number of its items.
        reruns: how often random perturbations are drawn again.
    """

    tests: tuple[PlannedTest, ...]
    target: Target | None
    mode: Mode
    data: str
    items: int
    reruns: int = 0

    @property
    def perturbations(self) -> tuple[AnyPerturbation, ...]:
        """The perturbed prediction sets that are needed, each once."""
        return tuple({one.key: one for test in self.tests for one in test.changes(self.reruns)}.values())

    @property
    def applicable(self) -> tuple[PlannedTest, ...]:
        """The tests that are run."""
        return tuple(test for test in self.tests if test.applies)

    @property
    def families(self) -> int:
        """How many families of differences share the error of noise floors: of classes one a test, of values more."""
        sharing = [test for test in self.applicable if test.definition.rules(self.mode).shared_error]
        return max(1, sum(families_of(test) for test in sharing))

    @property
    def measures_pitch(self) -> bool:
        """Whether the fundamental frequency is measured for one of the tests."""
        return any(test.pitch for test in self.applicable)

    def items_of(self, key: str) -> frozenset[str] | None:
        """The items that a perturbed prediction set is needed for; None for every item."""
        wanted: set[str] = set()
        for test in self.tests:
            if key in {one.key for one in test.changes(self.reruns)}:
                if test.items is None:
                    return None
                wanted |= set(test.items)
        return frozenset(wanted)

    @property
    def predictions(self) -> int:
        """Predictions to be made besides those on the media as they are: the cost of the plan."""
        sizes = (self.items_of(one.key) for one in self.perturbations)
        return sum(self.items if size is None else len(size) for size in sizes)

    def __str__(self) -> str:
        """One line a test, then the cost."""
        lines = [
            f"{test.definition.name}: {'not applicable: ' + test.reason if test.reason else 'will be run'}"
            for test in self.tests
        ]
        sets = ", ".join(f"{one.augmentation.key}{_draw(one)}" for one in self.perturbations) or "none"
        lines.append(f"perturbed prediction sets: {sets} ({self.predictions} predictions)")
        if self.measures_pitch:
            lines.append(f"fundamental frequency: measured on {self.items} items")
        return "\n".join(lines)


def _draw(perturbation: AnyPerturbation) -> str:
    return f", draw {perturbation.repetition + 1}" if perturbation.repetition else ""


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
        table: the annotated items; without targets, only tests that take no labels apply.
        options: mode, target, seed, sounds.

    Returns:
        The plan; ``run`` carries it out.

    Raises:
        UnknownNameError: a test states a limit for a class, unit or dimension that nothing has.
    """
    options = options or SuiteOptions()
    for definition in definitions:
        require_known_limits(definition, card, table.targets.values())
    target = table.target(options.target) if table.targets else None
    planned = [_planned(definition, card, table, options) for definition in definitions]
    return Plan(tuple(planned), target, options.mode, table.name, table.height, options.reruns)


def _planned(definition: Definition, card: ModelCard, table: AnnotationTable, options: SuiteOptions) -> PlannedTest:
    card = _asked(definition, card, options.mode)
    target = target_of(definition, table, options.target)
    attribute = attribute_of(definition, table)
    rules = definition.rules(options.mode)
    reason = why_not(definition, card, table, target, rules)
    if definition.data.labels in ("where known", "where unknown") and not takes_labels(definition, card, target, rules):
        target = None
    task = definition.task_of(card.kind)
    labels = target if takes_labels(definition, card, target, rules) else None
    test = PlannedTest(definition, task, "", target, attribute, dimensions_of(card, task, labels, rules))
    if definition.kind == "group perturbation" and definition.groups is not None:
        test = replace(test, blocks=compared_columns(definition.groups, table))
    if reason or definition.perturbation is None:
        return replace(test, reason=reason, pitch=not reason and measures_pitch(definition, table))
    try:
        changed = _perturbation(definition.perturbation, definition, options)
        given = definition.reference.perturbation
        reference = _perturbation(given, definition, options) if given else None
    except SoundsMissingError as error:
        return replace(test, reason=error.what)
    made = all(one.key in options.perturbed for one in (changed, reference) if one is not None)
    reason = "" if made else why_not_perturbed(definition, card, table)
    if reason:
        return replace(test, reason=reason)
    kept = sampled(definition, table, seed=options.seed)
    items = None if kept.height == table.height else tuple(kept.items)
    return replace(
        test, perturbation=changed, reference=reference, items=items, predictions=kept.height * (1 + bool(reference))
    )


def _asked(definition: Definition, card: ModelCard, mode: Mode) -> ModelCard:
    """The card of what is judged: of values derived from classes, where only those can be asked for consistency."""
    task = definition.task_of("dimensions")
    if definition.kind != "consistency" or task is None or mode == "published" or not has_prototypes(card, task):
        return card
    return derived_card(card, task)


def _perturbation(spec: PerturbationSpec, definition: Definition, options: SuiteOptions) -> AnyPerturbation:
    """With the mode's own parameters, as far as the augmentation has them."""
    parameters = {**spec.parameters, **definition.rules(options.mode).parameters}
    return make_perturbation(spec.augmentation, parameters, options.sounds, options.seed)
