"""The behaviour tests of an audit: which, with which sounds, and what a record says of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from affectcheck import behaviour
from affectcheck.audits.scoring import predict_options
from affectcheck.augmentations import read_sounds
from affectcheck.behaviour.catalogue import FACES, WHOLE
from affectcheck.behaviour.fairness_any import group_test
from affectcheck.behaviour.medium import suites_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.audits.options import AuditOptions
    from affectcheck.augmentations import Sounds
    from affectcheck.models import ModelCard


def with_suites(options: AuditOptions, card: ModelCard, table: AnnotationTable) -> AuditOptions:
    """The options with the suites of the model's media, where none are named."""
    return options if options.suites is not None else replace(options, suites=suites_for(card, table))


def definitions_of(options: AuditOptions, *, labelled: bool = True) -> tuple[behaviour.Definition, ...]:
    """The tests that an audit runs, with one for each column that was asked for; see ``AuditOptions``.

    Args:
        options: the audit; as long as its suites are open, every suite that may be meant.
        labelled: whether what the model predicts is annotated, so that groups are compared in how well it works for
            them; else only in what is predicted.

    Raises:
        UnknownNameError: a suite, test, pattern or metric is not known.
    """
    named = behaviour.load_suites((WHOLE, FACES) if options.suites is None else options.suites)
    tests = (*named, *_by_column(options, named, labelled=labelled))
    return behaviour.select(tests, options.tests, options.only) if tests else ()


def _by_column(
    options: AuditOptions, named: Iterable[behaviour.Definition], *, labelled: bool
) -> Iterator[behaviour.Definition]:
    """A test of each group column of ``by``, or intersection, that no other test compares the groups of."""
    if not options.tests_columns and not {WHOLE, FACES, "fairness"} & set(options.suites or ()):
        return
    compared = {
        frozenset((column, *test.groups.crossed))
        for test in named
        if test.groups and not (test.groups.within or test.groups.pairs)
        for column in test.groups.columns
    }
    for attribute in options.by or ():
        columns = tuple(word.strip() for word in attribute.split("*"))
        if frozenset(columns) not in compared:
            compared.add(frozenset(columns))
            yield group_test("*".join(columns), labelled=labelled)


def require_groups(options: AuditOptions, table: AnnotationTable) -> None:
    """Raise if a column of ``by``, or one that it intersects, is none that holds groups.

    Raises:
        UnknownNameError: it is none.
    """
    for name in (word.strip() for attribute in options.by or () for word in attribute.split("*")):
        table.require_group(name)


def is_labelled(options: AuditOptions, card: ModelCard, table: AnnotationTable) -> bool:
    """Whether a data set annotates what a model predicts."""
    return bool(table.targets) and table.target(options.target).scheme.kind == card.kind


def suite_options(
    options: AuditOptions, sounds: Sounds | None, update: Callable[[int, int], None] | None = None
) -> behaviour.SuiteOptions:
    """The audit's options, as behaviour tests take them."""
    return behaviour.SuiteOptions(
        mode=options.mode,
        target=options.target,
        seed=options.seed,
        resamples=options.resamples,
        reruns=options.reruns,
        sounds=sounds,
        predict=predict_options(options, update),
    )


def sounds_of(options: AuditOptions) -> Sounds | None:
    """The noises, voices and rooms that were named.

    Raises:
        InputError: a folder or file of them cannot be read.
    """
    found = None
    for spec in options.sounds:
        read = read_sounds(spec)
        found = read if found is None else found + read
    return found


def tests_plain(plan: behaviour.Plan) -> list[dict[str, Any]]:
    """Every test of a plan, and why it is not run if it is not, as plain values."""
    return [{"name": t.definition.name, "applies": t.applies, "reason": t.reason} for t in plan.tests]


def suite_values(plan: behaviour.Plan | None, options: AuditOptions, sounds: Sounds | None) -> dict[str, Any]:
    """What a header says of the tests."""
    if plan is None:
        return {}
    values: dict[str, Any] = {"suites": list(options.suites or ()), "mode": options.mode, "tests": tests_plain(plan)}
    if sounds is not None:
        values["sounds"] = {
            role: {"name": one.name, "files": len(one.sounds), "digest": one.digest}
            for role, one in sounds.by_role.items()
        }
    return values
