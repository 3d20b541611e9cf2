"""Modules that lie beside a model's file: found while it is loaded, and later by what it imports when it runs."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from affectcheck.digest import digest_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Folders of model files, and the modules that were imported from them.
_FOLDERS: Final[dict[Path, set[str]]] = {}


@contextmanager
def importing_beside(folder: Path) -> Iterator[None]:
    """Let ``import helper`` find ``helper.py`` of this folder before any other of that name.

    A module that another model's folder brought under the same name makes room first; that model keeps what it
    imported. The folder stays on the path, behind everything else, for imports that code makes when it runs.
    """
    folder = folder.resolve()
    for name in sorted(_names(folder)):
        if any(name.partition(".")[0] in brought for other, brought in _FOLDERS.items() if other != folder):
            _forget(name)
    before, place = set(sys.modules), str(folder)
    sys.path.insert(0, place)
    try:
        yield
    finally:
        sys.path.remove(place)
        if place not in sys.path:
            sys.path.append(place)
        new = {name for name in set(sys.modules) - before if folder in _file(name).parents}
        _FOLDERS.setdefault(folder, set()).update(name.partition(".")[0] for name in new)


def modules_beside(folder: Path) -> dict[str, Path]:
    """Modules that are loaded from a folder, by name."""
    folder = folder.resolve()
    tops = _FOLDERS.get(folder, set())
    names = [name for name in sys.modules if name.partition(".")[0] in tops]
    return {name: _file(name) for name in sorted(names) if folder in _file(name).parents}


def digest_beside(folder: Path) -> str:
    """Digest of the modules that are loaded from a folder; empty if there are none."""
    found = modules_beside(folder)
    parts = [part for name, path in found.items() for part in (name.encode(), path.read_bytes())]
    return digest_bytes(*parts) if parts else ""


def _names(folder: Path) -> set[str]:
    """What can be imported from a folder."""
    packages = {path.parent.name for path in folder.glob("*/__init__.py")}
    return packages | {path.stem for path in folder.glob("*.py")}


def _file(name: str) -> Path:
    file = getattr(sys.modules.get(name), "__file__", None)
    return Path(file).resolve() if file else Path()


def _forget(top: str) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == top]:
        del sys.modules[name]
