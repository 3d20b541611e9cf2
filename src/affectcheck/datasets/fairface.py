"""FairFace: faces balanced over race, with gender and age; no affect is annotated."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.annotations import make_table, read_csv
from affectcheck.datasets.card import Card
from affectcheck.datasets.corpus_files import refuse
from affectcheck.datasets.declared import categories
from affectcheck.datasets.headerless import LINE, lines_where
from affectcheck.datasets.layouts import locate
from affectcheck.datasets.leaving_out import Kept
from affectcheck.datasets.pictures import put_media
from affectcheck.datasets.registry import dataset
from affectcheck.errors import UnknownNameError

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable

_LISTS: Final = {"fairface_label_train.csv": "train", "fairface_label_val.csv": "validation"}
_PACKED: Final = ("labels.csv", "labels_all_45k.csv.gz")
_GROUPS: Final = {
    "gender": categories("gender-3"),
    "race": categories("race-7-fairface"),
    "age": categories("age-9"),
}
_NEEDED: Final = ("file", "age", "gender", "race")
_PARTS: Final = {"train": "train", "val": "validation", "validation": "validation", "test": "test"}
#: Columns that this reader makes; those of a list are not read.
_MADE: Final = ("item", "media", "partition", LINE)
_MANGLED: Final = ("03-sep", "oct-19")
_SERVICE: Final = {"true": True, "false": False}

CARD: Final = Card(
    name="fairface",
    title="FairFace: faces balanced over race, gender and age",
    licence="CC BY 4.0",
    citation=(
        "Karkkainen K, Joo J (2021). FairFace: Face attribute dataset for balanced race, gender, and age for bias "
        "measurement and mitigation. WACV 2021"
    ),
    url="https://github.com/joojs/fairface",
    access="open",
    description=(
        "Faces from YFCC-100M and elsewhere, with race (seven groups), gender (two) and age (nine groups) as three "
        "annotators each perceived them. There is no label of expression, action units, valence or arousal."
    ),
    provenance="no affect labels; groups by three annotators a face, and a model where these disagreed at first",
    can_show=(
        "how evenly a partition can be made over groups, and how predictions of a model without true labels differ "
        "between them"
    ),
    cannot_show="anything about expressions or affect (no such labels), or subjects (who is who is not known)",
    layout=(
        "a folder with fairface_label_train.csv and fairface_label_val.csv (header file, age, gender, race, "
        "service_test) and pictures such as train/1.jpg; or a list of this form itself"
    ),
    groups=tuple(_GROUPS),
    items=97_698,
    notes=(
        "97698 items are 86744 train and 10954 val; parts of the set are in circulation",
        "service_test marks the faces that its makers tested commercial services on, balanced over race and gender",
        "ages 03-Sep and Oct-19, which a spreadsheet made of 3-9 and 10-19 in some copies, are read as these",
        "its seven races are not the five of paper 1: latino_hispanic and middle eastern have no counterpart there",
    ),
)


@dataclass(frozen=True, eq=False)
class Lists:
    """The lists of a copy.

    Attributes:
        frame: ``line``, ``file``, the groups, and ``partition``; ``service_test`` and others where there are.
        where: the file or folder, for messages.
        base: folder that pictures are relative to.
        notes: which list is not here, and which columns are not read.
    """

    frame: pl.DataFrame
    where: str
    base: Path
    notes: tuple[str, ...] = ()


@dataset(CARD)
def read(root: Path) -> AnnotationTable:
    """Read the lists.

    Args:
        root: folder of the lists, or one list.

    Returns:
        One item a face, named by its path in the list, with ``gender``, ``race``, ``age``, ``service_test`` and
        ``partition`` (train, validation); no targets.

    Raises:
        UnknownNameError: columns that a list lacks, or groups that the set does not have.
        InputError: rows without a path, of an unknown part, or with something else than True or False in service_test; all are
            listed.
    """
    lists = _one_list(root) if root.is_file() else _folder(root)
    frame = lists.frame
    ages = frame.get_column("age").str.strip_chars().str.to_lowercase()
    mangled = int(ages.is_in(_MANGLED).sum())
    told = (f"{mangled} ages that a spreadsheet made dates of (03-Sep, Oct-19) read as 03-09 and 10-19",)
    placed = put_media(frame, frame.get_column("file"), lists.base, noun="pictures")
    table = make_table(
        placed.frame.rename({"file": "item"}).drop(LINE),
        targets=(),
        groups=_GROUPS,
        name=CARD.name,
        root=lists.base,
        where=lists.where,
    )
    return replace(table, notes=(*lists.notes, *(told if mangled else ()), *placed.notes))


def _folder(root: Path) -> Lists:
    found = locate(root, (*_LISTS, *_PACKED), CARD)
    if found.path.name not in _LISTS:
        return _one_list(found.path)
    lists = [_list(found.base / name, part) for name, part in _LISTS.items() if (found.base / name).is_file()]
    notes = [f"{name} is not here: its items are not read" for name in _LISTS if not (found.base / name).is_file()]
    notes += [note for one in lists for note in one.notes]
    frame = pl.concat((one.frame for one in lists), how="diagonal")
    return Lists(frame, str(found.base), found.base, tuple(dict.fromkeys(notes)))


def _one_list(path: Path) -> Lists:
    one = _list(path, _LISTS.get(path.name.removesuffix(".gz")))
    return Lists(one.frame, str(path), path.parent, one.notes)


def _list(path: Path, part: str | None) -> Kept:
    """One list; the set is that of the file, or stands in a column ``part``, or before the slash of the path."""
    rows = read_csv(path)
    missing = [name for name in _NEEDED if name not in rows.columns]
    if missing:
        raise UnknownNameError(
            f"the list lacks {', '.join(missing)}",
            where=str(path),
            expected=f"a header with {', '.join(_NEEDED)}, and mostly service_test",
            cause="the output of a predictor (face_name_align, race4 …), or a list of another data set",
        )
    ours = [name for name in _MADE if name in rows.columns]
    file = pl.col("file").str.strip_chars().str.replace_all("\\", "/", literal=True)
    stated = pl.col("part") if "part" in rows.columns else file.str.extract(r"^([a-z]+)/", 1)
    found = stated.str.strip_chars().str.to_lowercase().replace_strict(_PARTS, default=None, return_dtype=pl.String)
    partition = found if part is None else pl.lit(part)
    frame = rows.drop(ours).with_row_index(LINE, 2).with_columns(partition.alias("partition"), file)
    wrong = pl.col("file").is_null()
    if part is None and "part" in rows.columns:
        wrong = wrong | (pl.col("part").is_not_null() & pl.col("partition").is_null())
    if "service_test" in frame.columns:
        tested = pl.col("service_test").str.strip_chars().str.to_lowercase()
        frame = frame.with_columns(tested.replace_strict(_SERVICE, default=None, return_dtype=pl.Boolean))
        wrong = wrong | pl.col("service_test").is_null()
    refuse(
        lines_where(frame, wrong),
        what="rows without a path, with another part, or without True or False in service_test",
        where=str(path),
        expected=f"rows of {', '.join(_NEEDED)}, service_test; a part, if any, of {', '.join(_PARTS)}",
    )
    make_table(frame.rename({"file": "item"}), targets=(), groups=_GROUPS, where=str(path))
    return Kept(frame, (f"columns that are not read: {', '.join(ours)}",) if ours else ())
