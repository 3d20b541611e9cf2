"""Any folder of recordings as sounds: of one role, or of several that a small TOML file describes."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Final

from affectcheck.augmentations.collection import ROLES, Collection, Sound, Sounds
from affectcheck.errors import InputError, MissingPathError, UnknownNameError

#: Suffixes of recordings that libsndfile reads.
SUFFIXES: Final = (".wav", ".flac", ".ogg", ".opus", ".mp3", ".aiff", ".aif")
_FIELDS: Final = ("name", "licence", "folder", "roles")
_ROLE_FIELDS: Final = ("files", "exclude", "folder", "licence", "reference", "channel", "variable")


def recordings(folder: Path, patterns: tuple[str, ...] = ("**/*",)) -> tuple[Path, ...]:
    """Recordings below a folder, sorted by their path in it; hidden files, and copies that macOS makes, are left out.

    Args:
        folder: where to look.
        patterns: globs relative to it; a pattern that names a suffix takes files of any suffix.
    """
    found = {
        path.relative_to(folder).as_posix(): path
        for pattern in patterns
        for path in folder.glob(pattern)
        if path.is_file() and (path.suffix.lower() in SUFFIXES or "." in pattern.rpartition("/")[2])
    }
    return tuple(found[key] for key in sorted(found) if not any(part.startswith(".") for part in key.split("/")))


def collection_of(role: str, name: str, folder: Path, files: tuple[Path, ...], licence: str = "") -> Collection:
    """A collection of files below a folder, called by their path in it."""
    return Collection(
        role, name, tuple(Sound(path.relative_to(folder).as_posix(), path) for path in files), licence=licence
    )


def read_folder(role: str, folder: Path) -> Collection:
    """Every recording below a folder, in one role.

    Args:
        role: one of ``ROLES``.
        folder: searched with its subfolders.

    Raises:
        UnknownNameError: no such role.
        InputError: no recording is there.
    """
    if role not in ROLES:
        raise UnknownNameError.of("role of sounds", role, ROLES)
    files = recordings(folder)
    if not files:
        raise InputError("no recordings", where=str(folder), expected=f"files that end in {', '.join(SUFFIXES)}")
    return collection_of(role, folder.resolve().name, folder, files)


def read_described(path: Path) -> Sounds:
    """Sounds that a TOML file describes.

    The file says ``name``, ``licence`` and ``folder`` (relative to itself; without it, where it lies), and has a table
    for each role, such as ``[roles.cough]``, with ``files``: globs in the folder. A role may also say ``exclude``
    (globs), ``folder`` and ``licence`` of its own, ``channel`` (a number from 0), ``reference`` (path in the folder of
    the impulse response that others are compared with) and ``variable`` (what holds samples in MATLAB files).

    Raises:
        MissingPathError: the file is not there.
        InputError: it is no TOML, says something unknown, or nothing is found by its globs.
    """
    if not path.is_file():
        raise MissingPathError.of("description of sounds", path)
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"no TOML: {error}", where=str(path), cause="a typing mistake") from error
    _known(told, _FIELDS, str(path))
    roles = told.get("roles")
    if not isinstance(roles, dict) or not roles:
        raise InputError(
            "no roles", where=str(path), expected=f"a table such as [roles.cough]; roles are {', '.join(ROLES)}"
        )
    return Sounds.of(*(_role(role, table, told, path) for role, table in roles.items()))


def _role(role: str, table: Any, told: dict[str, Any], path: Path) -> Collection:
    where = f"{path}: roles.{role}"
    if role not in ROLES:
        raise UnknownNameError.of("role of sounds", role, ROLES, where=str(path))
    if not isinstance(table, dict):
        raise InputError("is no table", where=where, expected="files, and what else is to be said")
    _known(table, _ROLE_FIELDS, where)
    texts = {key: _text({**told, **table}, key, where) for key in ("folder", "licence", "reference", "variable")}
    folder = path.parent / Path(texts["folder"]).expanduser()
    if not folder.is_dir():
        raise MissingPathError.of("folder of sounds", folder)
    channel = table.get("channel")
    if channel is not None and (not isinstance(channel, int) or isinstance(channel, bool) or channel < 0):
        raise InputError(f"channel is {channel!r}", where=where, expected="a whole number from 0")
    left_out = set(recordings(folder, _globs(table, "exclude", (), where)))
    files = [one for one in recordings(folder, _globs(table, "files", ("**/*",), where)) if one not in left_out]
    if not files:
        raise InputError("no file is matched", where=where, expected=f"globs of recordings in {folder}")
    sounds = tuple(Sound(one.relative_to(folder).as_posix(), one, channel, texts["variable"]) for one in files)
    name = _text(told, "name", where) or path.stem
    return Collection(role, name, sounds, texts["reference"], texts["licence"])


def _known(table: dict[str, Any], known: tuple[str, ...], where: str) -> None:
    for key in table:
        if key not in known:
            raise UnknownNameError.of("field of a description of sounds", key, known, where=where)


def _text(table: dict[str, Any], key: str, where: str) -> str:
    value = table.get(key, "")
    if not isinstance(value, str):
        raise InputError(f"{key} is {value!r}", where=where, expected="text")
    return value


def _globs(table: dict[str, Any], key: str, default: tuple[str, ...], where: str) -> tuple[str, ...]:
    value = table.get(key, list(default))
    patterns = [value] if isinstance(value, str) else value
    if not isinstance(patterns, list) or not all(isinstance(one, str) and one for one in patterns):
        raise InputError(f"{key} is {value!r}", where=where, expected="a glob, or a list of them")
    if any(Path(one).is_absolute() or ".." in Path(one).parts for one in patterns):
        raise InputError(f"{key} is {value!r}", where=where, expected="globs in the folder; state another as folder")
    return tuple(patterns)
