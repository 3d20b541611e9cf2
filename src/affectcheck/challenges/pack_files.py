"""Crops and feature files for a participants' pack: pictures of items under the items' keys, features as they are.

A crop is named by the key that it belongs to, never by the folder it lay in: folders may be called by the class.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.annotations.listing import name_list, plural
from affectcheck.challenges.frame_keys import split_frames
from affectcheck.challenges.header import folded_name
from affectcheck.challenges.limits import Limits
from affectcheck.challenges.member_names import is_helper, require_names
from affectcheck.errors import InputError, MissingPathError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from affectcheck.challenges.track import Track

_PICTURES: Final = (".jpg", ".jpeg", ".png", ".bmp", ".webp")
_ARRAYS: Final = (".npy", ".npz", ".h5", ".hdf5", ".pt", ".safetensors", ".parquet", ".csv", ".txt")
_TEXTS: Final = (".csv", ".txt")
#: Words in the names of files of labels.
_LABELS: Final = re.compile(r"(?<!un)label|annotation|ground.?truth|gold", re.IGNORECASE)
_SHOWN: Final = 3
_HEAD: Final = 65_536


@dataclass(frozen=True)
class Files:
    """Files that go into a pack.

    Attributes:
        sources: path in the pack to file.
        notes: what was left out, counted.
    """

    sources: dict[str, Path]
    notes: tuple[str, ...] = ()


def crops_of(folder: Path, items: pl.Series, track: Track) -> Files:
    """Pictures of the items, under ``crops/``.

    Args:
        folder: pictures, at any depth, called as the items: by the whole path below it, by the name alone, or, of items
            that have several, by a number in a folder called as the item.
        items: what is given out.
        track: how keys look.

    Raises:
        MissingPathError: there is no such folder.
        InputError: no picture is of an item, or two are of one.
    """
    paths = [path for path in _walk(folder) if path.suffix.lower() in _PICTURES]
    names = {path: path.relative_to(folder).as_posix() for path in paths}
    keys = _frame_keys(names, track) if track.file.unit == "frame" else _item_keys(names, items)
    known, found, seen, others = set(items), dict[str, Path](), set[str](), 0
    for path, key in keys.items():
        item = key if key in known else key.rpartition("/")[0]
        if item not in known:
            others += 1
            continue
        seen.add(item)
        name = f"crops/{PurePosixPath(key).with_suffix('') if _is_picture(key) else key}{path.suffix.lower()}"
        if name in found:
            raise InputError(
                f"two crops of one item: {names[found[name]]} and {names[path]}",
                where=str(folder),
                expected="one picture an item",
            )
        found[name] = path
    if not found:
        raise InputError(
            f"no crop among {plural(len(paths), 'picture')} is of an item",
            where=str(folder),
            expected=f"pictures called as the items, such as {items[0]!r}",
        )
    lacking = len(items) - len(seen)
    notes = [(others, f"{plural(others, 'picture')} of no item left out")]
    notes += [(lacking, f"{plural(lacking, 'item')} without a crop")]
    return Files(found, tuple(note for count, note in notes if count))


def _is_picture(key: str) -> bool:
    return PurePosixPath(key).suffix.lower() in _PICTURES


def _frame_keys(names: dict[Path, str], track: Track) -> dict[Path, str]:
    """The last two steps of each path as the key of a frame; empty where they are none."""
    frame = pl.Series(list(names.values()), dtype=pl.String).str.extract(r"([^/]+/[0-9]{1,9}\.\w+)$")
    form = frame.str.contains(r"(?i)/[0-9]{1,9}\.(?:jpe?g|png)$").fill_null(value=False)
    fitting = frame.filter(form).str.replace(r"\.[^.]+$", "")
    keys = iter(split_frames(fitting, first=0, where="").get_column("item"))
    return {path: next(keys) if fits else "" for path, fits in zip(names, form, strict=True)}


def _item_keys(names: dict[Path, str], items: pl.Series) -> dict[Path, str]:
    """The key of each path.

    Its whole path or that without the ending; where its name is a number in a folder called as an item, the folder and the
    number, as of pictures of a clip; else its name, with or without the ending, unless other pictures go by their folder: a
    moment of one clip may be called as another clip is.
    """
    known = set(items)
    numbered = {path for path in names if path.stem.isdecimal() and path.parent.name in known}
    told = {}
    for path, name in names.items():
        forms = (name, name.removesuffix(path.suffix), *(() if numbered else (path.name, path.stem)))
        folder = f"{path.parent.name}/{path.stem}" if path in numbered else ""
        told[path] = next((form for form in forms if form in known), folder)
    return told


def features_of(folders: Sequence[Path], track: Track) -> Files:
    """Feature files, under ``features/`` and, of several folders, under the name of each.

    Raises:
        MissingPathError: there is no such folder.
        InputError: a table whose header names what is predicted, or no feature file at all.
    """
    found: dict[str, Path] = {}
    left: list[str] = []
    for folder in folders:
        front = "features" if len(folders) == 1 else f"features/{folder.resolve().name}"
        for path in _walk(folder):
            if path.suffix.lower() not in _ARRAYS:
                left.append(path.name)
                continue
            _require_no_labels(path, track)
            name = f"{front}/{path.relative_to(folder).as_posix()}"
            if name in found:
                raise InputError(
                    f"two folders of features called {folder.name!r}", expected="folders of different names"
                )
            found[name] = path
    if folders and not found:
        raise InputError("no feature file", where=str(folders[0]), expected=f"files {', '.join(_ARRAYS)}")
    told = f"{plural(len(left), 'file')} beside features left out: {name_list(left, shown=_SHOWN)}"
    return Files(found, (told,) if left else ())


def _require_no_labels(path: Path, track: Track) -> None:
    """A file beside features may be one of labels, also of the test set: by its name, or by the header of a table."""
    if _LABELS.search(path.stem):
        raise InputError(
            f"a feature file called {path.name!r}",
            where=str(path),
            expected="features alone; another name, if it holds no labels",
        )
    if path.suffix.lower() == ".parquet":
        try:
            names = pl.read_parquet_schema(path).keys()
        except (pl.exceptions.PolarsError, OSError) as error:
            raise InputError(f"not a Parquet file: {error}", where=str(path)) from error
    elif path.suffix.lower() in _TEXTS:
        with path.open("rb") as file:
            head = file.readline(_HEAD).decode("utf-8-sig", "replace")
        names = head.replace(";", ",").replace("\t", ",").split(",")  # type: ignore[assignment]
    else:
        return
    said = {folded_name(name) for name in names} & {
        folded_name(name) for name in (*track.columns, *track.parts, "label")
    }
    if said:
        raise InputError(
            f"a table of features with a column {sorted(said)[0]!r}, which is what is predicted",
            where=str(path),
            expected="features alone; labels of the test set must not get out",
        )


def _walk(folder: Path) -> Iterator[Path]:
    """Files below a folder by path, without helper files of operating systems."""
    if not folder.is_dir():
        raise MissingPathError.of("folder", folder, expected="a folder of files")
    for base, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = Path(base, name)
            if not is_helper(path.relative_to(folder).as_posix()):
                yield path


def require_safe(names: Sequence[str], where: str) -> None:
    """Every path of a pack stays in the folder it is unpacked to.

    Raises:
        InputError: it does not, or two are told apart by case alone.
    """
    require_names(names, longest=Limits().name, where=where)
