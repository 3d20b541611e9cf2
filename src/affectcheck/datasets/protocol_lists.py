"""The lists of the fair protocol: one folder a database with train.csv, valid.csv and test.csv, read by header."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.annotations import make_table, read_csv
from affectcheck.datasets.corpus_files import require_folder
from affectcheck.datasets.pictures import put_media
from affectcheck.datasets.protocol_databases import DATABASES
from affectcheck.errors import InputError, MissingPathError, UnknownNameError
from affectcheck.schemes import fold

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable
    from affectcheck.datasets.card import Card
    from affectcheck.datasets.protocol_databases import Database

#: File to the name of its set.
SETS: Final = {"train.csv": "train", "valid.csv": "validation", "test.csv": "test"}
#: Spellings that a spreadsheet made of 3-9 and 10-19.
_MANGLED: Final = ("03-sep", "oct-19")
_UNIT: Final = re.compile(r"AU\s*0*([0-9]+)", re.IGNORECASE)


@dataclass(frozen=True)
class Reading:
    """How lists are read.

    Attributes:
        card: of the data set that they are read as.
        images: folder of the pictures; empty where there are none.
        subjects: expression that finds the subject in the name; empty where none is known.
    """

    card: Card
    images: str = ""
    subjects: str = ""


def read_protocol(root: Path, database: str, reading: Reading) -> AnnotationTable:
    """Read the three lists of one database.

    Args:
        root: their folder, or one above it.
        database: which; empty to tell by the header, or by the folder.
        reading: how.

    Raises:
        UnknownNameError: no such database; a label or group that its scheme does not have.
        MissingPathError: a list is not there.
        InputError: columns that the database does not have or lacks, or a database that cannot be told.
    """
    require_folder(root, reading.card.name, reading.card.layout)
    if database and database not in DATABASES:
        raise UnknownNameError.of("database of the fair protocol", database, DATABASES)
    folder = _folder(root, DATABASES[database] if database else None, reading.card)
    files = {name: read_csv(_file(folder, name)) for name in SETS}
    chosen = DATABASES[database] if database else _told(folder, files["train.csv"].columns)
    frame = pl.concat(_checked(frame, chosen, folder / name) for name, frame in files.items())
    if reading.subjects:
        frame = _with_subjects(frame, reading.subjects, folder)
    notes = [f"database {chosen.key}", *_mangled(frame), *_unread(files, frame.columns)]
    base = folder
    if reading.images:
        base = _images(root, folder, reading.images)
        names = frame.get_column("item")
        paths = names.str.replace(r"(\.[A-Za-z]+)$", "_aligned${1}") if chosen.aligned else names
        placed = put_media(frame, paths, base, noun="pictures")
        frame, notes = placed.frame, [*notes, *placed.notes]
    else:
        frame = frame.with_columns(pl.lit(None, pl.String).alias("media"))
        notes.append("labels without media: images= says where the pictures are")
    table = make_table(
        frame, targets=[chosen.target], groups=chosen.groups, name=reading.card.name, root=base, where=str(folder)
    )
    return replace(table, notes=(*notes, *table.notes))


def _folder(root: Path, database: Database | None, card: Card) -> Path:
    """The folder of the lists: the root, or below it along the folders of the database, wherever in them the root is."""
    if any((root / name).is_file() for name in SETS):
        return root
    found: dict[Path, str] = {}
    for known in [database] if database else DATABASES.values():
        place = _place(root, known)
        if place is not None:
            found.setdefault(place, known.key)
    if len(found) == 1:
        return next(iter(found))
    entries = sorted(path.name for path in root.iterdir())
    shown = ", ".join(entries[:5]) + (f" and {len(entries) - 5} more" if len(entries) > 5 else "")
    several = f"it has lists of several databases: state database=, one of {', '.join(found.values())}"
    raise InputError(
        f"no {', '.join(SETS)} of data set {card.name!r}: the folder holds {shown or 'nothing'}",
        where=str(root),
        expected=card.layout,
        cause=several if found else "a folder too high or too low",
    )


def _place(root: Path, database: Database) -> Path | None:
    for chain in database.folders:
        for start in range(len(chain)):
            found = _descend(root, chain[start:])
            if found is not None and any((found / name).is_file() for name in SETS):
                return found
    return None


def _descend(root: Path, folders: Sequence[str]) -> Path | None:
    """Down by folder names of which only letters and digits count, and a plural s does not."""
    for wanted in folders:
        below = [path for path in sorted(root.iterdir()) if path.is_dir() and _bare(path.name) == _bare(wanted)]
        if not below:
            return None
        root = below[0]
    return root


def _bare(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower()).removesuffix("s")


def _file(folder: Path, name: str) -> Path:
    if not (folder / name).is_file():
        others = ", ".join(sorted(path.name for path in folder.glob("*.csv")))
        raise MissingPathError.of(
            "list", folder / name, expected=f"all of {', '.join(SETS)}", cause=f"the folder has {others}"
        )
    return folder / name


def _told(folder: Path, columns: Sequence[str]) -> Database:
    """The database by its columns or, for those of expressions, by its folder.

    Raises:
        InputError: it cannot be told.
    """
    names = {fold(column) for column in columns}
    if {"valence", "arousal"} <= names:
        return DATABASES["affectnet-va"]
    numbers = {int(found.group(1)) for column in columns if (found := _UNIT.fullmatch(column))}
    for database in DATABASES.values():
        if {f"AU{number}" for number in numbers} == set(database.target.columns):
            return database
    if "expression" in names:
        parents = {_bare(path.name) for path in (folder, *folder.parents)}
        for word, key in (("expr7", "affectnet-7"), ("expr8", "affectnet-8"), ("rafdb", "raf-db")):
            if word in parents:
                return DATABASES[key]
    raise InputError(
        f"the columns do not tell the database: {', '.join(columns)}",
        where=str(folder),
        expected=f"database=, one of {', '.join(DATABASES)}",
        cause="lists of expressions look alike; or action units that no database of the protocol has",
    )


def _checked(frame: pl.DataFrame, database: Database, path: Path) -> pl.DataFrame:
    """One list as the annotation table has it, its cells still text: a fault is told by file and row."""
    columns = _columns(frame, database, path).with_columns(pl.lit(SETS[path.name]).alias("partition"))
    make_table(columns, targets=[database.target], groups=database.groups, where=str(path))
    return columns


def _columns(frame: pl.DataFrame, database: Database, path: Path) -> pl.DataFrame:
    """The columns under the names of the annotation table; order and case do not count.

    Raises:
        UnknownNameError: columns that the database lacks, or action units that it does not have.
    """
    meant: dict[str, str] = {}
    for column in frame.columns:
        found = _UNIT.fullmatch(column)
        meant[column] = f"AU{found.group(1)}" if found else fold(column)
    needed = ["name", *database.target.columns, *database.groups]
    _require_once(meant, needed, path)
    missing = [name for name in needed if name not in meant.values()]
    strange = [name for name in meant.values() if _UNIT.fullmatch(name) and name not in database.target.columns]
    if missing or strange:
        told = [f"lacks {', '.join(missing)}"] if missing else []
        told += [f"has the unknown action units {', '.join(strange)}"] if strange else []
        raise UnknownNameError(
            f"the list of {database.key} {' and '.join(told)}",
            where=str(path),
            expected=f"a header with {', '.join(needed)}, in any order",
            cause=f"a list of another database; it has {', '.join(frame.columns)}",
        )
    by_name = {name: column for column, name in meant.items()}
    renamed = frame.select(pl.col(by_name[name]).alias("item" if name == "name" else name) for name in needed)
    empty = renamed.get_column("item").is_null()
    if empty.any():
        raise InputError(f"no name in row {empty.arg_true()[0] + 1}", where=str(path), expected="a name in every row")
    return renamed.with_columns(pl.col("item").str.replace_all("\\", "/", literal=True))


def _require_once(meant: Mapping[str, str], needed: Sequence[str], path: Path) -> None:
    columns = {name: [repr(column) for column, other in meant.items() if other == name] for name in needed}
    twice = [f"{name} is in {' and '.join(several)}" for name, several in columns.items() if len(several) > 1]
    if twice:
        raise InputError(
            f"columns of one meaning: {'; '.join(twice)}",
            where=str(path),
            expected="each column once, whatever its case and leading zeros",
            cause="two tables pasted side by side",
        )


def _with_subjects(frame: pl.DataFrame, rule: str, folder: Path) -> pl.DataFrame:
    try:
        pattern = re.compile(rule)
    except re.error as error:
        raise InputError(f"subjects={rule} is no regular expression: {error}", where=str(folder)) from error
    found = [pattern.search(name) for name in frame.get_column("item")]
    subjects = [match and (match.group(1) if pattern.groups else match.group()) for match in found]
    missed = [name for name, subject in zip(frame.get_column("item"), subjects, strict=True) if not subject]
    if missed:
        raise InputError(
            f"subjects={rule} finds no subject in {len(missed)} of {len(found)} names, such as {missed[0]}",
            where=str(folder),
            expected=r"an expression that every name matches, such as SN\d+ for DISFA",
        )
    return frame.with_columns(pl.Series("subject", subjects, dtype=pl.String))


def _mangled(frame: pl.DataFrame) -> tuple[str, ...]:
    count = int(frame.get_column("age").str.strip_chars().str.to_lowercase().is_in(_MANGLED).sum())
    return (f"{count} ages that a spreadsheet made dates of (03-Sep, Oct-19) read as 03-09 and 10-19",) if count else ()


def _unread(files: Mapping[str, pl.DataFrame], read: Sequence[str]) -> tuple[str, ...]:
    known = {"name", *read}
    others = [column for frame in files.values() for column in frame.columns]
    others = [name for name in dict.fromkeys(others) if fold(name) not in known and not _UNIT.fullmatch(name)]
    return (f"columns that are not read: {', '.join(others)}",) if others else ()


def _images(root: Path, folder: Path, images: str) -> Path:
    for base in (root / images, folder / images):
        if base.is_dir():
            return base
    raise MissingPathError.of("folder of pictures", images, expected=f"a path from {root}, or an absolute one")
