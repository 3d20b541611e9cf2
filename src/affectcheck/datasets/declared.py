"""Built-in schemes of one kind, and the target of action units that an option may widen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affectcheck.errors import InputError, UnknownNameError
from affectcheck.schemes import ACTION_UNIT_NAMES, CategoryScheme, Target, UnitScheme, scheme

if TYPE_CHECKING:
    from collections.abc import Iterable

#: Name of every target of action units.
UNITS_TARGET = "au"


def categories(name: str) -> CategoryScheme:
    """A built-in scheme of categories.

    Raises:
        InputError: a scheme of another kind.
    """
    found = scheme(name)
    if not isinstance(found, CategoryScheme):
        raise InputError(f"{name!r} is no scheme of categories")
    return found


def units(name: str) -> UnitScheme:
    """A built-in scheme of action units.

    Raises:
        InputError: a scheme of another kind.
    """
    found = scheme(name)
    if not isinstance(found, UnitScheme):
        raise InputError(f"{name!r} is no scheme of action units")
    return found


def number_of(unit: str) -> int:
    """The number of a unit.

    Example:
        >>> number_of("AU12")
        12
    """
    return int(unit.removeprefix("AU"))


def unit_target(choice: str, declared: UnitScheme, found: Iterable[int], *, source: str) -> Target:
    """The target of action units that an option chooses.

    Args:
        choice: the number of declared units, or ``all`` for every unit that a list has.
        declared: the scheme that the data set is usually read with.
        found: numbers of the units in the list.
        source: name of the data set.

    Raises:
        UnknownNameError: another choice.
    """
    few = str(len(declared.units))
    if choice == few:
        return Target(UNITS_TARGET, declared)
    if choice != "all":
        raise UnknownNameError.of("choice of units", choice, (few, "all"), where=source)
    names = tuple(f"AU{number}" for number in sorted({*found, *map(number_of, declared.units)}))
    return Target(UNITS_TARGET, UnitScheme(f"au-{len(names)}-{source}", names, source=f"every unit coded in {source}"))


def unknown_units(numbers: Iterable[int]) -> list[str]:
    """Those numbers that the Facial Action Coding System does not have, as ``AU99``, sorted."""
    return [f"AU{number}" for number in sorted(set(numbers)) if f"AU{number}" not in ACTION_UNIT_NAMES]
