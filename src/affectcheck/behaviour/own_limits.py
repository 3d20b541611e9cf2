"""Limits that a test states for single classes, units or dimensions: a name that nothing has would never be looked up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affectcheck.errors import UnknownNameError
from affectcheck.schemes import CategoryScheme, fold, parts, scheme, scheme_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from affectcheck.behaviour.definition import Definition, Task
    from affectcheck.models.card import ModelCard
    from affectcheck.schemes import Target


def require_known_limits(definition: Definition, card: ModelCard, targets: Iterable[Target]) -> None:
    """Raise if a limit of its own is stated for what neither the data, the model nor the test knows.

    A class of another scheme is let pass, as data sets differ in their classes; another spelling of a class that the data
    have is not.

    Args:
        definition: the test.
        card: what is tested.
        targets: what is annotated.

    Raises:
        UnknownNameError: such a name; the nearest are told.
    """
    schemes = [one.scheme for one in targets]
    here = {*card.parts, *(part for one in schemes for part in parts(one))}
    spelt = {
        spelling: label
        for one in schemes
        if isinstance(one, CategoryScheme)
        for spelling, label in one.spellings().items()
    }
    elsewhere = {part for name in scheme_names() for part in parts(scheme(name))}
    for task in definition.task:
        known = here | set(_declared(task))
        for comparison in task.comparison:
            for name in sorted(comparison.limits.keys() - known):
                if name not in elsewhere or fold(name) in spelt:
                    where = f"test {definition.name!r}, limits of {comparison.metric}"
                    raise UnknownNameError.of(f"part of the {task.kind}", name, known, where=where)


def _declared(task: Task) -> Iterator[str]:
    yield from (*task.classes, *task.units, *task.dimensions)
    yield from (one.name for one in task.ranges)
