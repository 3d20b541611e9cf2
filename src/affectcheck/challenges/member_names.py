"""Paths inside archives: never trusted, never mended. Helper files of operating systems are passed over."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from affectcheck.annotations.listing import quoted
from affectcheck.challenges.characters import UNSEEN
from affectcheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

_HELPER_FOLDERS: Final = ("__macosx", ".git", ".ipynb_checkpoints")
_HELPER_FILES: Final = (".ds_store", "thumbs.db", "desktop.ini")
_DRIVE: Final = re.compile(r"^[A-Za-z]:")
_SHOWN: Final = 60


def is_helper(name: str) -> bool:
    """Whether an operating system or a tool put a file there: ``__MACOSX/``, ``._name``, ``.DS_Store``, ``Thumbs.db``.

    Example:
        >>> [name for name in ("a/b.csv", "__MACOSX/a/._b.csv", "a/.DS_Store") if is_helper(name)]
        ['__MACOSX/a/._b.csv', 'a/.DS_Store']
    """
    parts = [part.casefold() for part in name.split("/") if part]
    if not parts:
        return False
    return any(part in _HELPER_FOLDERS for part in parts) or parts[-1] in _HELPER_FILES or parts[-1].startswith("._")


def require_names(names: Sequence[str], *, longest: int, where: str) -> None:
    """Every path stays inside the archive and is told from every other, by any file system.

    Raises:
        InputError: an empty or absolute path, ``..``, a drive, a backslash, a control or invisible character, a path that
            is too long, letters in another normal form than NFC, or two paths that differ in case alone.
    """
    for name in names:
        fault = _fault(name, longest)
        if fault:
            raise InputError(
                f"a path that {fault}",
                where=f"{where}: {shown(name)}",
                expected="plain paths such as predictions.csv",
                cause="an archive that was made by hand, or made to write outside its folder",
                code="E_ARCHIVE_PATH",
            )
    counted = Counter(name.casefold() for name in names)
    twice = [name for name in names if counted[name.casefold()] > 1]
    if twice:
        raise InputError(
            f"two files of one path: {', '.join(shown(name) for name in twice[:2])}",
            where=where,
            expected="each path once, whatever the case of its letters",
            code="E_ARCHIVE_PATH",
        )


def shown(name: str) -> str:
    """A path for messages: quoted, without control characters, not too long."""
    return quoted(name, most=_SHOWN)


def _fault(name: str, longest: int) -> str:
    """The first thing wrong with a path; empty where nothing is."""
    if len(name) > longest:  # first: marks put in order take time by the square of their number
        return f"has {len(name)} characters, more than {longest}"
    faults = {
        "is empty": not name,
        "is absolute": name.startswith("/") or _DRIVE.match(name) is not None,
        "has a backslash": "\\" in name,
        "leads out of the archive": ".." in PurePosixPath(name).parts,
        "has a control or invisible character": any(unicodedata.category(letter) in UNSEEN for letter in name),
        "is not in the normal form NFC": unicodedata.normalize("NFC", name) != name,
    }
    return next((told for told, wrong in faults.items() if wrong), "")
