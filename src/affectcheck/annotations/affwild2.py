"""Frame annotations as Aff-Wild2 writes them: one text file a video, a header, one line a frame.

The first line behind the header belongs to frame 1, whose image is ``<video>/00001.jpg``. A frame that was not
annotated holds a marker: -5 for valence and arousal (one is enough for both), -1 for an expression or an action
unit. Any other value out of range is an error with file and line, since it would otherwise be scored.

A video named ``<video>_left`` or ``<video>_right`` shows one of two persons of the recording ``<video>``: their
``media`` is the same, so that a resampling by media keeps both together.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.annotations.encoding import decode
from affectcheck.annotations.listing import name_list, plural, quoted, suggestion
from affectcheck.annotations.plain import NUMBER
from affectcheck.annotations.text import read_bytes
from affectcheck.annotations.validation import make_table
from affectcheck.errors import InputError, MissingPathError, UnknownNameError
from affectcheck.schemes import CategoryScheme, DimensionScheme, UnitScheme, fold

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.schemes import Target

#: Marker of a frame that was not annotated, by kind of target.
MARKERS: Final = {"dimensions": -5.0, "categories": -1.0, "units": -1.0}
_SETS: Final = {"train_set": "train", "training_set": "train", "validation_set": "validation"}
_PERSON: Final = re.compile(r"_(left|right)$")
_SHOWN: Final = 5
#: Names of a header in a message, and characters of each.
_MOST: Final = 20
_LONGEST: Final = 60


def read_frames(path: Path, target: Target, *, name: str = "", root: Path | None = None) -> AnnotationTable:
    """Read one annotation file, a folder of them, or a folder with ``Train_Set`` and ``Validation_Set``.

    Args:
        path: file or folder.
        target: what the files annotate. Classes are numbered in the order of the header.
        name: name of the data set.
        root: folder of the images or videos.

    Returns:
        One row a frame, in frame order: item ``<video>/00001.jpg``, media ``<video>``, frame, partition where the
        folder tells it, and labels, null where the frame was not annotated. A note counts those.

    Raises:
        MissingPathError: no such file, or no text file in the folder.
        InputError: a header that does not name the target's parts, a line with another number of values, a value
            that is no number or out of range (with file and line), a blank line before the last frame.
        UnknownNameError: the header names a class that the scheme does not have.
    """
    files = _files(path)
    frame = pl.concat([_read_file(file, target) for file in files], how="vertical")
    # Markers are resolved with the line at hand; the table is to know none, so that none passes for another.
    table = make_table(frame, targets=[target], name=name, root=root, where=str(path), unknown={target.name: ()})
    return replace(table, notes=(*table.notes, *_counts(table, target)))


def _counts(table: AnnotationTable, target: Target) -> tuple[str, ...]:
    """How many frames carry no label; units are told one by one, since they are masked one by one."""
    gone = {name: table.frame.get_column(name).null_count() for name in target.columns}
    if isinstance(target.scheme, UnitScheme):
        told = ", ".join(f"{name} {count}" for name, count in gone.items() if count)
    else:
        told = str(max(gone.values())) if any(gone.values()) else ""
    return (f"of {table.height} frames not annotated in {target.name!r}: {told}",) if told else ()


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    folders = [found for found in sorted(path.glob("*")) if found.name.lower() in _SETS] if path.is_dir() else []
    files = [file for folder in folders or [path] for file in sorted(folder.glob("*.txt"))]
    if not files:
        raise MissingPathError.of("annotation file", path, expected="a .txt file a video, or folders such as Train_Set")
    return files


def _read_file(path: Path, target: Target) -> pl.DataFrame:
    frame = frames_of(decode(read_bytes(path), str(path)), path.stem, target, where=str(path))
    part = _SETS.get(path.parent.name.lower())
    return frame.with_columns(partition=pl.lit(part)) if part else frame


def frames_of(text: str, video: str, target: Target, *, where: str) -> pl.DataFrame:
    """The frames of one video from the text of its file.

    Args:
        text: a header and one line a frame.
        video: name of the video, with ``_left`` or ``_right`` where it shows two persons.
        target: what is annotated.
        where: the file, for messages.

    Returns:
        ``item``, ``media``, ``frame`` and the labels, null where a frame was not annotated.

    Raises:
        InputError, UnknownNameError: see ``read_frames``.
    """
    header, lines = _lines(text, where)
    columns = _columns(lines, header, target, where)
    values = {name: _values(columns[name], target, where) for name in columns}
    for name, numbers in values.items():
        _check_range(numbers, name, target, len(header), where)
    frame = _frames(video, len(lines)).with_columns(**_masked(values, target))
    if isinstance(target.scheme, CategoryScheme):
        codes = dict(enumerate(_classes(header, target.scheme, where)))
        labels = pl.col(target.name).cast(pl.Int64).replace_strict(codes, default=None, return_dtype=pl.String)
        frame = frame.with_columns(labels.alias(target.name))
    return frame


def _frames(video: str, count: int) -> pl.DataFrame:
    number = pl.int_range(1, count + 1, dtype=pl.Int64, eager=True).alias("frame")
    columns = [
        pl.format("{}/{}.jpg", pl.lit(video), number.cast(pl.String).str.zfill(5)).alias("item"),
        pl.lit(_PERSON.sub("", video)).alias("media"),
        number,
    ]
    return pl.select(columns)


def _lines(text: str, where: str) -> tuple[list[str], pl.Series]:
    """Header names and the lines of the frames, without blank lines at the end."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    header = [cell.strip() for cell in lines[0].split(",")] if lines else []
    if len(lines) < 2:
        raise InputError(
            "no frame is annotated",
            where=where,
            expected="a header and one line a frame",
            cause="an empty file",
            code="E_EMPTY",
        )
    if all(re.match(NUMBER, cell) for cell in header):
        raise InputError(
            f"the first line holds values, not names: {quoted(lines[0])}",
            where=f"{where}:1",
            expected="a header such as valence,arousal",
            cause="a copy without its header; reading it would shift every frame by one",
            code="E_WRONG_COLUMNS",
        )
    return header, pl.Series(lines[1:])


def _columns(lines: pl.Series, header: Sequence[str], target: Target, where: str) -> dict[str, pl.Series]:
    blank = (lines.str.strip_chars() == "").arg_true()
    if len(blank):
        raise InputError(
            "a blank line between frames",
            where=f"{where}:{blank[0] + 2}",
            expected="one line a frame, with the marker where a frame is not annotated",
            cause="every later frame would move by one",
            code="E_BROKEN_TABLE",
        )
    if isinstance(target.scheme, CategoryScheme):
        return {target.name: lines.str.strip_chars()}
    places = {fold(name): place for place, name in enumerate(header)}
    missing = [part for part in target.columns if fold(part) not in places]
    if missing:
        raise InputError(
            f"the header does not name {name_list(missing)}{suggestion(missing[0], header)}",
            where=f"{where}:1",
            expected=f"{', '.join(target.columns)}; the header has {', '.join(name[:_LONGEST] for name in header[:_MOST])}",
            cause="annotations of another task",
            code="E_WRONG_COLUMNS",
        )
    uneven = (lines.str.count_matches(",") != len(header) - 1).arg_true()
    if len(uneven):
        raise InputError(
            f"{plural(lines[uneven[0]].count(',') + 1, 'value')}, but {len(header)} names in the header",
            where=f"{where}:{uneven[0] + 2}",
            expected="one value a name",
            code="E_BROKEN_TABLE",
        )
    cells = lines.str.split(",")
    return {part: cells.list.get(places[fold(part)]).str.strip_chars() for part in target.columns}


def _values(cells: pl.Series, target: Target, where: str) -> pl.Series:
    wrong = (~cells.str.contains(NUMBER)).arg_true()
    if len(wrong):
        raise InputError(
            f"not a number: {quoted(cells[wrong[0]])}",
            where=f"{where}:{wrong[0] + 2}",
            expected=f"numbers, {MARKERS[target.scheme.kind]:g} for a frame that is not annotated",
            code="E_NOT_A_NUMBER",
        )
    return cells.cast(pl.Float64)


def _check_range(numbers: pl.Series, name: str, target: Target, width: int, where: str) -> None:
    scheme, marker = target.scheme, MARKERS[target.scheme.kind]
    if isinstance(scheme, DimensionScheme):
        good, allowed = numbers.is_between(scheme.low, scheme.high), f"{scheme.low:g} to {scheme.high:g}"
    elif isinstance(scheme, CategoryScheme):
        good, allowed = (
            numbers.is_between(0, width - 1) & (numbers == numbers.round(0)),
            f"a class from 0 to {width - 1}",
        )
    else:
        good, allowed = numbers.is_in([0.0, 1.0]), "0 or 1"
    wrong = (~(good | (numbers == marker))).arg_true()
    if len(wrong):
        shown = ", ".join(f"{numbers[row]:g} in line {row + 2}" for row in wrong[:_SHOWN])
        more = f" and {len(wrong) - _SHOWN} more" if len(wrong) > _SHOWN else ""
        raise InputError(
            f"{name} out of range: {shown}{more}",
            where=f"{where}:{wrong[0] + 2}",
            expected=f"{allowed}, or {marker:g} for a frame that is not annotated",
            cause="a file of another task, or another marker",
            code="E_OUT_OF_RANGE",
        )


def _masked(values: dict[str, pl.Series], target: Target) -> dict[str, pl.Series]:
    marker = MARKERS[target.scheme.kind]
    gone = {name: numbers == marker for name, numbers in values.items()}
    if isinstance(target.scheme, DimensionScheme):
        either = pl.DataFrame(list(gone.values())).select(pl.any_horizontal(pl.all())).to_series()
        gone = dict.fromkeys(gone, either)
    return {name: numbers.set(gone[name], None) for name, numbers in values.items()}


def _classes(header: Sequence[str], scheme: CategoryScheme, where: str) -> list[str]:
    """The classes in the order of the header, which is what the numbers mean."""
    known = scheme.spellings()
    for name in header:
        if fold(name) not in known:
            raise UnknownNameError.of(
                f"class of {scheme.name} in the header", name[:_LONGEST], scheme.labels, where=f"{where}:1"
            )
    classes = [known[fold(name)] for name in header]
    contrary = [code for code, label in scheme.codes.items() if code < len(classes) and classes[code] != label]
    if contrary:
        code = contrary[0]
        raise InputError(
            f"class {code} is {classes[code]!r} by the header, but {scheme.codes[code]!r} by the scheme {scheme.name!r}",
            where=f"{where}:1",
            expected="one order of classes",
            code="E_WRONG_COLUMNS",
        )
    return classes
