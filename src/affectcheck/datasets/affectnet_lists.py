"""The lists of AffectNet's full release: one row a face, with its box, 68 landmarks and labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.datasets.corpus_files import refuse
from affectcheck.datasets.headerless import Form, first_line, misfits, read_columns
from affectcheck.errors import InputError
from affectcheck.schemes import fold

if TYPE_CHECKING:
    from pathlib import Path

_MANUAL: Final = (
    "Manually_Annotated_file_lists",
    "Manually_Annotated/Manually_Annotated_file_lists",
    "Manually_Annotated",
)
_AUTOMATIC: Final = (
    "Automatically_Annotated_file_lists",
    "Automatically_Annotated_file_list",
    "Automatically_Annotated/Automatically_Annotated_file_list",
    "Automatically_Annotated",
)
_BOX: Final = ("face_x", "face_y", "face_width", "face_height")
_COLUMNS: Final = ("subDirectory_filePath", *_BOX, "facial_landmarks", "expression", "valence", "arousal")
_KEPT: Final = tuple(name for name in _COLUMNS if name != "facial_landmarks")
_FORM: Final = Form(_COLUMNS, "689/737db2.jpg,134,134,899,899,181.64;530.91;…;907.81,1,0.785714,-0.055556", quoted=True)
_LARGEST: Final = 10  # the last code, non-face
_EXPECTED: Final = (
    f"the columns {', '.join(_COLUMNS)}: expression from 0 to {_LARGEST}; valence and arousal from -1 to 1, or -2"
)


@dataclass(frozen=True)
class AffectNetList:
    """One list.

    Attributes:
        file: its name.
        folders: where it may lie.
        pictures: where its pictures may lie.
        partition: the set that it is of; None for none.
        provenance: how its labels were made.
    """

    file: str
    folders: tuple[str, ...]
    pictures: tuple[str, ...]
    partition: str | None
    provenance: str

    @property
    def patterns(self) -> tuple[str, ...]:
        """Where it may lie, relative to the root."""
        return (*tuple(f"{folder}/{self.file}" for folder in self.folders), self.file)


_MANUAL_PICTURES: Final = ("Manually_Annotated_Images", "Manually_Annotated/Manually_Annotated_Images")
_AUTOMATIC_PICTURES: Final = (
    "Automatically_Annotated_Images",
    "Automatically_Annotated/Automatically_Annotated_Images",
)
LISTS: Final = (
    AffectNetList("training.csv", _MANUAL, _MANUAL_PICTURES, "train", "manual"),
    AffectNetList("validation.csv", _MANUAL, _MANUAL_PICTURES, "validation", "manual"),
    AffectNetList("automatically_annotated.csv", _AUTOMATIC, _AUTOMATIC_PICTURES, None, "automatic"),
)


@dataclass(frozen=True, eq=False)
class Part:
    """Rows of a release before anything is left out.

    Attributes:
        frame: ``item``, ``path`` (of the picture, relative to the base), ``partition``, ``code``, ``valence``,
            ``arousal``, and what else the release has.
        notes: which lists there were.
    """

    frame: pl.DataFrame
    notes: tuple[str, ...] = ()


def read_lists(base: Path, *, automatic: bool) -> Part:
    """Every list that is there.

    Raises:
        InputError: a list of another form, codes and values that the release does not have (all are listed), or no list
            but the one that is not wanted.
    """
    frames: list[pl.DataFrame] = []
    notes: list[str] = []
    for each in LISTS:
        path = next((base / pattern for pattern in each.patterns if (base / pattern).is_file()), None)
        if path is None:
            notes += [f"{each.file} is not here: its items are not read"] if each.partition else []
        elif automatic or each.provenance == "manual":
            frames.append(_read(path, each, base))
    if not frames:
        raise InputError(
            "automatic=no, but the only list here is the automatically annotated one",
            where=str(base),
            expected=" or ".join(each.file for each in LISTS if each.partition),
        )
    frame = pl.concat(frames)
    made = frame.get_column("provenance")
    if not (made == "manual").all():
        frame = frame.with_columns(made.alias("expression_provenance"), made.alias("affect_provenance"))
        notes.append(f"labels of {int((made == 'automatic').sum())} listed faces were made by a program, not by people")
    return Part(frame.drop("provenance"), tuple(notes))


def _read(path: Path, each: AffectNetList, base: Path) -> pl.DataFrame:
    first = [fold(cell.strip('"')) for cell in first_line(path).split(",")]
    # The validation list of some copies has no header.
    header = first[0] == fold(_COLUMNS[0])
    if header:
        wanted = [fold(name) for name in _COLUMNS]
        refuse(
            [
                f"column {place}: {got!r} for {name!r}"
                for place, (got, name) in enumerate(zip(first, wanted, strict=False), 1)
                if got != name
            ],
            what="columns that are not those of the list",
            where=str(path),
            expected=_EXPECTED,
        )
    rows = read_columns(path, _FORM, keep=_KEPT, skip=int(header))
    numbers = rows.with_columns(
        pl.col("expression").str.strip_chars().cast(pl.Int64, strict=False).alias("code"),
        *(pl.col(name).str.strip_chars().cast(pl.Float64, strict=False) for name in ("valence", "arousal")),
        *(pl.col(name).str.strip_chars().cast(pl.Float64, strict=False).cast(pl.Int64, strict=False) for name in _BOX),
    )
    fits = {_KEPT[0]: pl.col(_KEPT[0]).is_not_null(), "expression": pl.col("code").is_between(0, _LARGEST)}
    fits |= {name: pl.col(name).is_between(-1, 1) | (pl.col(name) == -2) for name in ("valence", "arousal")}
    refuse(
        misfits(rows, {name: numbers.select(fit).to_series() for name, fit in fits.items()}),
        what="rows with a label that the list does not have",
        where=str(path),
        expected=_EXPECTED,
        cause="a list of another data set or release, or one saved again by a table program",
    )
    folder = next((f"{name}/" for name in each.pictures if (base / name).is_dir()), f"{each.pictures[0]}/")
    name = pl.col(_KEPT[0]).str.strip_chars().str.replace_all("\\", "/", literal=True)
    return numbers.select(
        name.alias("item"),
        (folder + name).alias("path"),
        pl.lit(each.partition, pl.String).alias("partition"),
        "code",
        "valence",
        "arousal",
        *_BOX,
        pl.lit(each.provenance).alias("provenance"),
    )
