"""What databases call the protocol's sets, and what sets are called where nobody names them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

#: What databases call the protocol's sets.
ALIASES: Final = {
    "dev": "validation",
    "devel": "validation",
    "development": "validation",
    "eval": "test",
    "evaluation": "test",
    "training": "train",
    "val": "validation",
    "valid": "validation",
}


def default_names(sets: int) -> tuple[str, ...]:
    """Names of so many sets, in the order of the protocol.

    Example:
        >>> default_names(2), default_names(4)
        (('train', 'test'), ('set-1', 'set-2', 'set-3', 'set-4'))
    """
    if sets == 2:
        return "train", "test"
    return ("train", "validation", "test") if sets == 3 else tuple(f"set-{number}" for number in range(1, sets + 1))


def meant(name: str, known: Sequence[str]) -> str:
    """The known set that a name means: itself, else without case and blanks, else by what databases call it.

    Returns:
        The known name; the name as it is, folded, where it means none of them.

    Example:
        >>> meant("Dev", ("train", "validation", "test"))
        'validation'
    """
    if name in known:
        return name
    folded = name.strip().casefold()
    for choice in (folded, ALIASES.get(folded, folded)):
        found = next((one for one in known if one.casefold() == choice), None)
        if found is not None:
            return found
    return ALIASES.get(folded, folded)


def natural(name: str) -> tuple[tuple[int, str], ...]:
    """A key that sorts names as people number them, ``fold10`` after ``fold9``.

    Example:
        >>> sorted(["fold10", "fold9", "Fold", "10"], key=natural)
        ['10', 'Fold', 'fold9', 'fold10']
    """
    # texts stand where numbers do not, so that a text is never compared with a number; 1 and 01 differ by name alone
    parts = ((int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name))
    return (*parts, (-1, name))
