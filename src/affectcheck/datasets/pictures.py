"""Pictures that a list of labels names: which of them are in the user's copy."""

from __future__ import annotations

import errno
import os
from collections import Counter
from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.datasets.corpus_files import is_text
from affectcheck.datasets.leaving_out import Kept

if TYPE_CHECKING:
    from pathlib import Path

#: A list may name what no folder can be, and a link may lead back to itself.
_NOT_THERE: Final = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG)


def are_there(paths: pl.Series, root: Path) -> pl.Series:
    """Whether each path, relative to the root and written with slashes, is a file or folder below it.

    Every folder is listed once, which is faster by far than asking for each of hundreds of thousands of files. What
    leads out of the root is not there.
    """
    folders = paths.str.extract(r"^(.*/)?[^/]*$", 1).fill_null("")
    inside = ~(paths.str.starts_with("/") | paths.str.contains(r"(^|/)\.\.(/|$)"))
    there: list[str] = []
    for folder in folders.filter(inside.fill_null(value=False)).unique():
        there.extend(folder + name for name in _names(root / folder))
    return (inside & paths.is_in(pl.Series(there, dtype=pl.String).implode())).fill_null(value=False)


def _names(folder: Path) -> list[str]:
    """Names in a folder; none where there is no such folder, or there can be none."""
    try:
        return [name for name in os.listdir(folder) if is_text(name)]  # noqa: PTH208  # names alone, quickly
    except OSError as error:
        if error.errno in _NOT_THERE:
            return []
        raise


def put_media(frame: pl.DataFrame, paths: pl.Series, root: Path, *, noun: str) -> Kept:
    """The frame with the column ``media``: the path where the file is there, else null.

    A file whose name differs from the list in capital letters alone is taken under its own name.

    Args:
        frame: one row an item.
        paths: (n,) where each picture would lie, relative to the root.
        root: folder of the data set.
        noun: what the files are, such as ``pictures``.

    Returns:
        All rows, and notes that count the files that are not there, or are spelled otherwise.
    """
    media = in_any_case(paths, root)
    absent, other = media.is_null(), (media != paths).fill_null(value=False)
    told = [
        (other, f"{other.sum()} {noun} differ from the list in capital letters, such as {_first(paths.filter(other))}"),
        (
            absent,
            f"{absent.sum()} of {frame.height} {noun} are not here, such as {_first(paths.filter(absent))}: labels without media",
        ),
    ]
    return Kept(frame.with_columns(media.alias("media")), tuple(note for holds, note in told if holds.any()))


def _first(paths: pl.Series) -> object:
    return paths[0] if len(paths) else ""


def in_any_case(paths: pl.Series, root: Path) -> pl.Series:
    """Each path as its file is spelled, whose name may differ in capital letters; null where it is not there."""
    there = are_there(paths, root)
    spelled = _spelled(paths.filter(~there), root, taken=set(paths.filter(there)))
    other = paths.is_in(pl.Series(list(spelled), dtype=pl.String).implode()).fill_null(value=False)
    found = paths.replace(spelled) if spelled else paths
    return found.set(~(there | other), None)


def _spelled(paths: pl.Series, root: Path, taken: set[str]) -> dict[str, str]:
    """Paths to the one file of their folder that differs in capital letters of its name alone, and is no other's."""
    wanted: dict[str, list[str]] = {}
    for path in paths.drop_nulls().unique(maintain_order=True):
        folder, slash, name = path.rpartition("/")
        wanted.setdefault(folder + slash, []).append(name)
    found: dict[str, str] = {}
    for folder, names in wanted.items():
        if folder.startswith("/") or ".." in folder.split("/"):
            continue
        listed: dict[str, list[str]] = {}
        for name in _names(root / folder):
            listed.setdefault(name.lower(), []).append(name)
        found |= {
            folder + name: folder + listed[name.lower()][0] for name in names if len(listed.get(name.lower(), ())) == 1
        }
    times = Counter(found.values())
    return {path: file for path, file in found.items() if times[file] == 1 and file not in taken}
