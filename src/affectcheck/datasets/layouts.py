"""Where in a copy of a data set its lists lie: copies are unpacked a level higher or lower than their makers meant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from affectcheck.datasets.corpus_files import require_folder
from affectcheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from affectcheck.datasets.card import Card

_NAMED = 3  # paths that a message names
_ABOVE = 3  # levels above a root in which a list is looked for, to say that the root is too deep


@dataclass(frozen=True)
class Found:
    """A list or folder that was looked for.

    Attributes:
        base: the folder that its layout begins in: the root, or one below it.
        path: the list or folder itself.
    """

    base: Path
    path: Path


def find(root: Path, patterns: Sequence[str]) -> Found | None:
    """The first of several paths that is there, in the root or in a folder directly below it; None if none is.

    Args:
        root: where to look.
        patterns: paths relative to the base of the layout, the most likely first.

    Raises:
        InputError: several folders below the root have one: which copy is meant, is not guessed.
    """
    at_root = _within(root, patterns)
    if at_root is not None:
        return at_root
    below = sorted(path for path in root.iterdir() if path.is_dir() and not path.name.startswith("."))
    found = [place for place in (_within(base, patterns) for base in below) if place is not None]
    if len(found) > 1:
        raise InputError(
            f"several copies lie below the root: {', '.join(place.base.name for place in found)}",
            where=str(root),
            expected="the folder of one of them",
        )
    return found[0] if found else None


def _within(base: Path, patterns: Sequence[str]) -> Found | None:
    return next((Found(base, base / pattern) for pattern in patterns if (base / pattern).exists()), None)


def locate(root: Path, patterns: Sequence[str], card: Card) -> Found:
    """The first of several paths that is there.

    Raises:
        MissingPathError: there is no such root.
        InputError: none is there (the message says what is there instead, and whether the root is too deep), or
            several copies are.
    """
    require_folder(root, card.name, card.layout)
    found = find(root, patterns)
    if found is None:
        raise not_found(root, patterns, card)
    return found


def not_found(root: Path, patterns: Sequence[str], card: Card, *, cause: str = "") -> InputError:
    """The error for a root without any of the paths that a data set is known by."""
    entries = sorted(path.name for path in root.iterdir())
    shown = ", ".join(entries[:5]) + (f" and {len(entries) - 5} more" if len(entries) > 5 else "")
    return InputError(
        f"no {' or '.join(patterns[:_NAMED])} of data set {card.name!r}: the folder holds {shown or 'nothing'}",
        where=str(root),
        expected=card.layout,
        cause=cause or _too_deep(root, patterns) or "a folder too high or too low, or an archive that was not unpacked",
    )


def _too_deep(root: Path, patterns: Sequence[str]) -> str:
    for parent in list(root.resolve().parents)[:_ABOVE]:
        if any((parent / pattern).exists() for pattern in patterns):
            return f"a folder within the data set; its root is {parent}"
    return ""
