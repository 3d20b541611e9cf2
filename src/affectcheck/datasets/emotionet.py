"""EmotioNet: addresses of faces on the web with action units, most of them found by a program."""

from __future__ import annotations

from dataclasses import replace
from fnmatch import fnmatch
from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.annotations import make_table
from affectcheck.datasets.card import Card, Option
from affectcheck.datasets.corpus_files import refuse, require_folder
from affectcheck.datasets.declared import UNITS_TARGET, number_of, unit_target, units
from affectcheck.datasets.headerless import LINE, Form, misfits, read_columns
from affectcheck.datasets.layouts import not_found
from affectcheck.datasets.leaving_out import without_repeats
from affectcheck.datasets.registry import dataset
from affectcheck.schemes import Target

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable

_FOLDER: Final = "emotio[Nn]et_challenge_files*"
_PATTERNS: Final = (f"{_FOLDER}/*.txt", f"*/{_FOLDER}/*.txt", "*.txt")
_UNITS: Final = tuple(f"AU{number}" for number in range(1, 61))
_FORM: Final = Form(
    ("item", "original", *_UNITS), "http://…/a.jpg<TAB>…<TAB>0<TAB>1<TAB>999 … (60 units in the order of numbers)", "\t"
)
_DECLARED: Final = units("au-11-emotionet")
_UNKNOWN: Final = 999
_PARTITIONS: Final = {"train": "train", "val": "validation", "test": "test"}

CARD: Final = Card(
    name="emotionet",
    title="EmotioNet: action units of a million faces in the wild",
    licence="research that is not commercial, by an agreement with its makers; pictures belong to their owners",
    citation=(
        "Fabian Benitez-Quiroz C, Srinivasan R, Martinez AM (2016). EmotioNet: An accurate, real-time algorithm for the "
        "automatic annotation of a million facial expressions in the wild. CVPR 2016"
    ),
    url="http://cbcsl.ece.ohio-state.edu/EmotionNetChallenge/",
    access="on request (addresses)",
    description=(
        "Addresses of pictures on the web with 60 columns of action units, present, absent or not known. The training "
        "part was annotated by a program, the validation and test parts by experts."
    ),
    provenance=(
        "automatic in the training part, manual in validation and test (paper 1, section I); told apart by file in "
        "au_provenance: a file is manual if the option manual names it, else automatic"
    ),
    can_show="how well a model finds action units in pictures from the web, on the part that experts coded",
    cannot_show=(
        "anything about subjects (who is who is not known), age, gender or race (not annotated in the release), and, on "
        "the automatic part, anything but agreement with another program"
    ),
    layout=(
        "a folder that holds emotioNet_challenge_files/ (or is it) with .txt files: address, a second field and 60 "
        "action units, separated by tabs, without a header"
    ),
    targets=(Target(UNITS_TARGET, _DECLARED),),
    options=(
        Option("units", "11 (those of the fair protocol), or all that are known in at least one row", "11"),
        Option("manual", "names of the files that people annotated, with * and ?, by commas", "*val*,*test*,*manual*"),
    ),
    notes=(
        "the lists hold addresses only, many of which lead nowhere by now: items have no media here",
        "most cells of most units are not known (999): a unit counts only where it was coded",
        "an item is its address; one picture may stand on the web at several",
        "the fair protocol's lists of it (fair-protocol?database=emotionet) hold the 45005 manually annotated faces",
    ),
)


@dataset(CARD)
def read(
    root: Path,
    *,
    units: str = "11",
    manual: str = "*val*,*test*,*manual*",
    progress: Callable[[int, int], None] | None = None,
) -> AnnotationTable:
    """Read every list.

    Args:
        root: folder of the lists.
        units: ``11`` or ``all``.
        manual: patterns of the names of files whose labels are manual.
        progress: called with the lists read and all of them.

    Returns:
        One item an address, with the file it is from, ``au_provenance``, and ``partition`` where the file's name
        says train, val or test. Notes count repeats and what is known of each unit.

    Raises:
        UnknownNameError: another choice of units.
        InputError: lines of another form; all are listed.
    """
    lists = _lists(root)
    keep = _UNITS if units == "all" else _DECLARED.units
    frames: list[pl.DataFrame] = []
    for place, path in enumerate(lists, 1):
        frames.append(_read(path, keep, root))
        if progress is not None:
            progress(place, len(lists))
    frame = pl.concat(frames)
    known = [number_of(unit) for unit in keep if frame.get_column(unit).null_count() < frame.height]
    target = unit_target(units, _DECLARED, known, source=CARD.name)
    made = _provenance([path.relative_to(root).as_posix() for path in lists], manual)
    frame = frame.with_columns(
        pl.col("file").replace_strict(made, return_dtype=pl.String).alias(f"{UNITS_TARGET}_provenance")
    )
    kept = without_repeats(
        frame, "item", [*target.columns, "partition", f"{UNITS_TARGET}_provenance"], noun="addresses"
    )
    columns = [name for name in kept.frame.columns if name not in _UNITS or name in target.columns]
    whole = kept.frame.select(*columns, pl.lit(None, pl.String).alias("media"))
    table = make_table(whole, targets=[target], name=CARD.name, root=root, where=str(root))
    return replace(table, notes=(*_notes(made, manual), *kept.notes, *_unknown(table.frame, target), *table.notes))


def _lists(root: Path) -> list[Path]:
    require_folder(root, CARD.name, CARD.layout)
    for pattern in _PATTERNS:
        found = sorted(root.glob(pattern))
        if found:
            return found
    raise not_found(root, ("emotioNet_challenge_files/*.txt",), CARD)


def _read(path: Path, keep: tuple[str, ...], root: Path) -> pl.DataFrame:
    rows = read_columns(path, _FORM, keep=("item", "original", *keep))
    cells = rows.with_columns(pl.col(keep).str.strip_chars().cast(pl.Int16, strict=False))
    fits = {unit: cells.get_column(unit).is_in([0, 1, _UNKNOWN]) for unit in keep}
    refuse(
        misfits(rows.rename({"item": "address"}), {"address": rows.get_column("item").is_not_null(), **fits}),
        what="lines that are not of the list",
        where=str(path),
        expected=f"lines such as {_FORM.example}; 1 present, 0 absent, {_UNKNOWN} not known",
        cause="a list of another release, or one saved again by a table program",
    )
    part = next((name for word, name in _PARTITIONS.items() if word in path.stem.lower()), None)
    return cells.drop(LINE).with_columns(
        pl.col("item").str.strip_chars(),
        pl.col(keep).replace(_UNKNOWN, None).cast(pl.Int8),
        pl.lit(path.relative_to(root).as_posix()).alias("file"),
        pl.lit(part, pl.String).alias("partition"),
    )


def _provenance(files: list[str], manual: str) -> dict[str, str]:
    patterns = [pattern.strip().lower() for pattern in manual.split(",") if pattern.strip()]
    names = {file: file.rpartition("/")[2].lower() for file in files}
    return {
        file: "manual" if any(fnmatch(name, pattern) for pattern in patterns) else "automatic"
        for file, name in names.items()
    }


def _notes(made: dict[str, str], manual: str) -> tuple[str, ...]:
    parts = []
    for provenance in ("manual", "automatic"):
        files = [file for file, found in made.items() if found == provenance]
        shown = ", ".join(files[:3]) + (f" and {len(files) - 3} more" if len(files) > 3 else "")
        parts += [f"{provenance}: {shown}"] if files else []
    return (f"how labels were made, by the files' names (manual={manual}): {'; '.join(parts)}",)


def _unknown(frame: pl.DataFrame, target: Target) -> tuple[str, ...]:
    counts = {unit: frame.get_column(unit).null_count() for unit in target.columns}
    told = ", ".join(f"{unit} {count}" for unit, count in counts.items() if count)
    return (f"cells not annotated (999): {told}",) if told else ()
