"""The files of RAF-DB's two parts: a list of labels, pictures, and a file of attributes a picture."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.annotations import make_table
from affectcheck.datasets.card import Option
from affectcheck.datasets.corpus_files import refuse
from affectcheck.datasets.declared import categories
from affectcheck.datasets.headerless import LINE, lines_where, read_lines
from affectcheck.datasets.pictures import put_media
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.schemes import Target

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable
    from affectcheck.schemes import Target

#: As the set spells it, and as one would; the second is met in copies that were tidied up.
LIST_NAMES: Final = ("list_patition_label.txt", "list_partition_label.txt")
_PICTURES: Final = {"aligned": "_aligned.jpg", "original": ".jpg"}
_ATTRIBUTES: Final = "_manu_attri.txt"
_EVERY: Final = 500
_FOLDERS: Final = ("basic", "compound")
_SUFFIXES: Final = frozenset({".jpg", ".jpeg", ".png", ".bmp"})
#: The last three lines of a file of attributes; before them come five landmarks.
_CODES: Final = {
    "gender": ("male", "female", "other/uncertain"),
    "race": ("white", "black", "asian"),  # the set calls them Caucasian, African-American and Asian
    "age": ("00-03", "04-19", "20-39", "40-69", "70+"),
}
_LANDMARKS: Final = 5
GROUPS: Final = {"gender": categories("gender-3"), "race": categories("race-5"), "age": categories("age-5-rafdb")}
IMAGES_OPTION: Final = Option("images", "which pictures are the media: aligned (100 x 100) or original", "aligned")
LICENCE: Final = (
    "research that is not commercial, by an agreement that a member of staff of a university or institute signs; not "
    "to be passed on"
)
ACCESS: Final = "on request"
URL: Final = "http://www.whdeng.cn/raf/model1.html"
CITATION: Final = (
    "Li S, Deng W, Du J (2017). Reliable crowdsourcing and deep locality-preserving learning for expression "
    "recognition in the wild. CVPR 2017"
)
PROVENANCE: Final = (
    "manual: about 40 annotators a picture; gender, race and age by hand too, as perceived (unsure genders are "
    "other/uncertain)"
)
NOTES: Final = (
    "subjects are not known: faces of one person may lie in both sets, and no partition is known to be "
    "subject-independent",
    "race is white, black or asian here: Caucasian, African-American and Asian in the set's own words",
)


@dataclass(frozen=True)
class RafPart:
    """One part of the set.

    Attributes:
        name: of the data set.
        target: its labels.
        codes: what the codes of the list mean.
        folder: which it lies in.
        items: how many it has.
    """

    name: str
    target: Target
    codes: Mapping[int, str]
    folder: str
    items: int

    @property
    def example(self) -> str:
        """A line of the list, for messages."""
        return f"train_00001.jpg {min(self.codes)} (name, blank, code from {min(self.codes)} to {max(self.codes)})"


def read_part(part: RafPart, path: Path, images: str, progress: Callable[[int, int], None] | None) -> AnnotationTable:
    """Read one part from its list.

    Args:
        part: which.
        path: its list, in the folder ``EmoLabel``.
        images: ``aligned`` or ``original``.
        progress: called with the files of attributes read and all of them.

    Raises:
        UnknownNameError: another word for the pictures.
        InputError: lines or attributes of another form; all are listed.
    """
    if images not in _PICTURES:
        raise UnknownNameError.of("kind of pictures", images, _PICTURES, where=part.name)
    base = path.parent.parent
    rows = _labels(part, path)
    _require_part(part, base, rows.height, path)
    stems = rows.get_column("item").str.strip_suffix(".jpg")
    groups = _attributes(base / "Annotation" / "manual", stems, progress)
    placed = put_media(
        rows.with_columns(groups.columns), f"Image/{images}/" + stems + _PICTURES[images], base, noun="pictures"
    )
    table = make_table(placed.frame, targets=[part.target], groups=GROUPS, name=part.name, root=base, where=str(path))
    absent = [label for label in part.codes.values() if label not in rows.get_column(part.target.name)]
    lacking = (f"no picture of {', '.join(absent)}: a part of the set, or the list of another one",) if absent else ()
    return replace(table, notes=(*lacking, *groups.notes, *placed.notes))


def _require_part(part: RafPart, base: Path, items: int, path: Path) -> None:
    """Both parts have lists of one form, and codes 1 to 7 are in both: a folder or a length tells them apart."""
    other = base.name.casefold()
    if other in _FOLDERS and other != part.folder:
        raise InputError(
            f"the list is that of the {other} part, not of {part.name}",
            where=str(path),
            expected=f"the folder {part.folder}, or the one that holds it",
        )
    if items > part.items:
        raise InputError(
            f"{items} lines, but {part.name} has {part.items} pictures",
            where=str(path),
            expected=f"the list of the {part.folder} part",
            cause="the list of another part, or lists put together",
        )


def _labels(part: RafPart, path: Path) -> pl.DataFrame:
    lines = read_lines(path, example=part.example)
    pieces = pl.col("text").str.extract_groups(r"^((train|test)_[0-9]+\.jpg)[ \t]+([0-9]+)$").struct
    rows = lines.with_columns(
        pieces.field("1").alias("item"),
        pieces.field("2").alias("partition"),
        pieces.field("3").cast(pl.Int64, strict=False).alias("code"),
    )
    refuse(
        lines_where(rows, pl.col("item").is_null() | ~pl.col("code").is_in(list(part.codes))),
        what="lines that are not of the list",
        where=str(path),
        expected=f"lines such as {part.example}",
        cause="the list of another part (basic has codes 1 to 7, compound 1 to 11) or another data set",
    )
    label = pl.col("code").replace_strict(dict(part.codes), return_dtype=pl.String)
    return rows.select("item", "partition", label.alias(part.target.name), pl.col(LINE)).drop(LINE)


@dataclass(frozen=True, eq=False)
class Attributes:
    """Group columns of a list of pictures.

    Attributes:
        columns: ``gender``, ``race`` and ``age``; null where there is no file.
        notes: how many files there were not.
    """

    columns: tuple[pl.Series, ...]
    notes: tuple[str, ...] = ()


def _attributes(folder: Path, stems: pl.Series, progress: Callable[[int, int], None] | None) -> Attributes:
    values: dict[str, list[str | None]] = {name: [] for name in _CODES}
    faults: list[str] = []
    absent = 0
    there = folder.is_dir()
    for place, stem in enumerate(stems, 1):
        path = folder / f"{stem}{_ATTRIBUTES}"
        try:
            found = _codes(path.read_text(encoding="ascii", errors="replace")) if there else {}
        except FileNotFoundError:
            found = {}
        except ValueError as error:
            found = {}
            faults.append(f"{path.name}: {error}")
        absent += not found
        for name, column in values.items():
            column.append(found.get(name))
        if progress is not None and there and (place % _EVERY == 0 or place == len(stems)):
            progress(place, len(stems))
    refuse(
        faults,
        what="files of attributes that cannot be used",
        where=str(folder),
        expected="five lines of landmarks, then one code a line: gender 0 to 2, race 0 to 2, age 0 to 4",
    )
    columns = tuple(pl.Series(name, column, dtype=pl.String) for name, column in values.items())
    what = f"{absent} of {len(stems)} pictures have no file of attributes in Annotation/manual: groups not known"
    return Attributes(columns, (what,) if absent else ())


def _codes(text: str) -> dict[str, str]:
    """Gender, race and age of one file.

    Raises:
        ValueError: not of the form.
    """
    lines = [line.split() for line in text.splitlines() if line.strip()]
    codes = lines[_LANDMARKS:]
    if [len(cells) for cells in lines] != [2] * _LANDMARKS + [1] * len(_CODES):
        raise ValueError(f"{len(lines)} lines")
    found = {}
    for (name, labels), (cell,) in zip(_CODES.items(), codes, strict=True):
        if cell not in map(str, range(len(labels))):
            raise ValueError(f"{name} {cell!r} is no code from 0 to {len(labels) - 1}")
        found[name] = labels[int(cell)]
    return found


def read_folders(part: RafPart, base: Path) -> AnnotationTable:
    """A repacked copy without lists: ``train/1/train_00001_aligned.jpg``, where folders are codes.

    Raises:
        InputError: no picture of the part, or one in a folder that is no code.
    """
    rows: list[tuple[str, str, str, str]] = []
    strange: list[str] = []
    others = 0
    for path in sorted(path for name in ("train", "test") for path in (base / name).glob("*/[!.]*")):
        code, suffix = path.parent.name, path.suffix.lower()
        if suffix not in _SUFFIXES:
            others += 1
        elif not (code.isdecimal() and int(code) in part.codes):
            strange.append(path.relative_to(base).as_posix())
        else:
            item = path.stem.removesuffix("_aligned") + suffix
            rows.append((item, path.relative_to(base).as_posix(), path.parent.parent.name, part.codes[int(code)]))
    refuse(strange, what="pictures in folders that are no codes", where=str(base), expected="folders 1 to 7")
    if not rows:
        raise InputError("no pictures", where=str(base), expected="train/1/train_00001_aligned.jpg and so on")
    frame = pl.DataFrame(rows, schema=["item", "media", "partition", part.target.name], orient="row")
    refuse(
        frame.filter(pl.col("item").is_duplicated()).sort("item", "media").get_column("media").to_list(),
        what="pictures that share a name with another",
        where=str(base),
        expected="each picture once, in the folder of its label",
        cause="one picture in two folders, or aligned and original pictures side by side",
    )
    frame = frame.with_columns(pl.lit(None, pl.String).alias(name) for name in GROUPS)
    table = make_table(frame, targets=[part.target], groups=GROUPS, name=part.name, root=base, where=str(base))
    notes = ["a repacked copy, whose folders are the labels; it has no attributes: groups not known"]
    beside = sorted(path.parent.name for path in base.glob("*/1") if path.parent.name not in ("train", "test"))
    notes += (
        [f"folders that are not read, since the set has only train and test: {', '.join(beside)}"] if beside else []
    )
    notes += [f"beside the pictures, not read: {others} files or folders"] if others else []
    return replace(table, notes=tuple(notes))
