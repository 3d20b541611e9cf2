"""Weights of detectors: those that come with a package, and files of the user's own."""

from __future__ import annotations

import hashlib
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from affectcheck.errors import ExtraMissingError, InputError, MissingPathError

_HEAD: Final = 256  # bytes in which a web page says what it is


def installed_folder(package: str, *, feature: str, extra: str) -> Path:
    """The folder of an installed package, found without importing it.

    Raises:
        ExtraMissingError: it is not installed.
    """
    spec = find_spec(package)
    places = list(spec.submodule_search_locations or ()) if spec else []
    if not places:
        raise ExtraMissingError.of(feature, extra, package)
    return Path(places[0])


def read_pinned(path: Path, checksum: str, *, kind: str, cause: str) -> bytes:
    """A file's content, if it is the one that was pinned.

    Args:
        path: the file.
        checksum: SHA-256 of its content, in hexadecimal digits.
        kind: what the file is called in messages.
        cause: why it may be another one, and what to do.

    Raises:
        MissingPathError: it is not there.
        InputError: its content is another.
    """
    content = read_weights(path, kind=kind)
    found = hashlib.sha256(content).hexdigest()
    if found != checksum:
        raise InputError(
            f"another file than the {kind} that are known: its SHA-256 is {found}",
            where=str(path),
            expected=f"SHA-256 {checksum}",
            cause=cause,
        )
    return content


def read_weights(path: Path, *, kind: str) -> bytes:
    """A file's content.

    Raises:
        MissingPathError: it is not there.
        InputError: it cannot be read, is empty, or what came in place of the file that is meant.
    """
    if path.is_dir():
        raise InputError(f"a folder, not the {kind}", where=str(path), expected="a file of weights")
    if not path.is_file():
        raise MissingPathError.of(
            kind, path, expected="a file of weights; `affectcheck faces fetch` names what there is"
        )
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read the {kind}: {error.strerror}", where=str(path)) from error
    if content.startswith(b"version https://git-lfs"):
        raise InputError(
            f"not the {kind} themselves, but a pointer to them",
            where=str(path),
            expected="the file that Git LFS brings",
            cause="cloned without Git LFS: run `git lfs pull`, or `affectcheck faces fetch`",
        )
    if content[:_HEAD].lstrip().lower().startswith((b"<!doctype html", b"<html")):
        raise InputError(
            f"not the {kind}, but a web page",
            where=str(path),
            expected="the file itself",
            cause="a download that was refused or needs a log-in, or the page about the file was saved",
        )
    if not content:
        raise InputError(
            f"not the {kind}, but an empty file", where=str(path), cause="a download or a copy that broke off"
        )
    return content
