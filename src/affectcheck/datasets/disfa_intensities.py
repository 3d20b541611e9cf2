"""DISFA's label files: one a subject and action unit, one line a frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.datasets.corpus_files import refuse, require_folder
from affectcheck.datasets.declared import number_of, units
from affectcheck.datasets.headerless import LINE, Form, read_columns
from affectcheck.datasets.leaving_out import Kept
from affectcheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SUBJECTS: Final = 27
HIGHEST: Final = 5
#: Frames of a subject; copies differ by one.
FRAMES: Final = (4844, 4845)
_FORM: Final = Form(("frame", "intensity"), "1,0 (frame from 1, intensity from 0 to 5)")
_UNITS: Final = units("au-12-disfa").units


def read_subjects(folder: Path, progress: Callable[[int, int], None] | None) -> Kept:
    """The intensities of every subject that has a folder.

    Args:
        folder: ``ActionUnit_Labels``.
        progress: called with the subjects read and all of them.

    Returns:
        ``subject``, ``frame``, and ``AU1_intensity`` and so on (Int8, null where unknown), with notes on what is
        missing or of an unusual length.

    Raises:
        InputError: no subject, or lines of another form; all are listed.
    """
    require_folder(folder, "disfa", "SN001/SN001_au1.txt and so on")
    subjects = sorted(path for path in folder.iterdir() if path.is_dir() and path.name.startswith("SN"))
    if not subjects:
        raise InputError(
            f"no folder such as SN001: it holds {_listed(folder)}",
            where=str(folder),
            expected="SN001/SN001_au1.txt and so on",
        )
    frames: list[pl.DataFrame] = []
    faults: list[str] = []
    notes = [] if len(subjects) == SUBJECTS else [f"{len(subjects)} of the {SUBJECTS} subjects of the set are here"]
    for place, path in enumerate(subjects, 1):
        of_subject = _subject(path, faults)
        frames.append(of_subject.frame)
        notes.extend(of_subject.notes)
        if progress is not None:
            progress(place, len(subjects))
    refuse(
        faults,
        what="lines that are not of the set's form",
        where=str(folder),
        expected=f"lines such as {_FORM.example}, each frame once",
        cause="files cut off or edited, or of another data set",
    )
    return Kept(pl.concat(frames), tuple(notes))


def _subject(folder: Path, faults: list[str]) -> Kept:
    """All units of one subject by frame; a unit without a file, and a frame that a file lacks, are unknown."""
    subject = folder.name
    columns: list[pl.DataFrame] = []
    missing: list[str] = []
    for unit in _UNITS:
        path = folder / f"{subject}_au{number_of(unit)}.txt"
        if path.is_file():
            columns.append(_intensities(path, unit, faults))
        else:
            missing.append(unit)
    if not columns:
        raise InputError(
            f"no file such as {subject}_au1.txt: it holds {_listed(folder)}",
            where=str(folder),
            expected="one file a unit",
        )
    numbers = pl.concat(column.select("frame") for column in columns).unique().sort("frame")
    frame = numbers
    for column in columns:
        frame = frame.join(column, on="frame", how="left", maintain_order="left")
    empty = [pl.lit(None, pl.Int8).alias(f"{unit}_intensity") for unit in missing]
    frame = frame.with_columns(empty).select(
        pl.lit(subject).alias("subject"), "frame", *(f"{unit}_intensity" for unit in _UNITS)
    )
    return Kept(frame, _notes(subject, numbers.height, missing, columns))


def _listed(folder: Path) -> str:
    names = sorted(path.name for path in folder.iterdir())
    return (", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")) or "nothing"


def _notes(subject: str, frames: int, missing: list[str], columns: list[pl.DataFrame]) -> tuple[str, ...]:
    lengths = sorted({column.height for column in columns})
    notes = [f"{subject} has no file of {', '.join(missing)}: unknown"] if missing else []
    if len(lengths) > 1:
        notes.append(f"{subject} has files of {lengths[0]} to {lengths[-1]} frames: unknown where a file lacks a frame")
    if frames not in FRAMES:
        notes.append(f"{subject} has {frames} frames, not {FRAMES[-1]}")
    elif frames == FRAMES[0]:
        notes.append(f"{subject} has {frames} frames, the others {FRAMES[-1]}")
    return tuple(notes)


def _intensities(path: Path, unit: str, faults: list[str]) -> pl.DataFrame:
    name = f"{unit}_intensity"
    lines = read_columns(path, _FORM)
    rows = lines.select(
        LINE,
        pl.col("frame").str.strip_chars().cast(pl.Int64, strict=False),
        pl.col("intensity").str.strip_chars().cast(pl.Int8, strict=False).alias(name),
    )
    fits = (pl.col("frame") >= 1) & pl.col(name).is_between(0, HIGHEST) & pl.col("frame").is_first_distinct()
    wrong = rows.select((~fits.fill_null(value=False)).alias("wrong")).to_series()
    for line, *cells in lines.filter(wrong).iter_rows():
        faults.append(f"{path.parent.name}/{path.name}:{line}: {','.join(map(str, cells))!r}")
    return rows.select("frame", name)
