"""Databases in audformat: tables of files or segments, with schemes, splits and speakers.

A column whose scheme lists labels is a target of categories; real numbers with a range are dimensions, those of one
range together; yes/no columns are units. The speaker scheme gives the subject, and its text attributes (sex or
gender, accent, language) the group columns. Needs the extra ``audformat``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from affectcheck.annotations.audformat_library import META, SPEAKER, load_audformat
from affectcheck.annotations.audformat_writing import write_audformat
from affectcheck.annotations.described_columns import table_from
from affectcheck.annotations.description import describe
from affectcheck.annotations.frames import as_polars
from affectcheck.annotations.keys import seconds_column, segment_keys
from affectcheck.annotations.listing import name_list
from affectcheck.annotations.validation import make_table
from affectcheck.errors import InputError, MissingPathError, UnknownNameError
from affectcheck.schemes import CategoryScheme, DimensionScheme, Target, UnitScheme

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from affectcheck.annotations.table import AnnotationTable

#: audformat's word to ours; both databases and papers mean the annotated or perceived one.
_GROUP_NAMES: Final = {"gender": "sex"}


@dataclass(frozen=True)
class AudformatOptions:
    """What to take from a database.

    Attributes:
        targets: what is annotated; None for every column whose scheme says enough.
        groups: attributes of the speaker, or columns, that are groups; None for the speaker's text attributes.
        subject: column that names the speaker, looked up in the other tables of files if the table lacks it.
    """

    targets: tuple[Target, ...] | None = None
    groups: tuple[str, ...] | None = None
    subject: str = SPEAKER


def read_audformat(root: Path, table: str | None = None, *, options: AudformatOptions | None = None) -> AnnotationTable:
    """Read one table of an audformat database.

    Args:
        root: folder of the database, with ``db.yaml``.
        table: name of the table; None if there is only one.
        options: targets, groups and subject.

    Raises:
        ExtraMissingError: audformat is not installed.
        MissingPathError: no database in the folder.
        UnknownNameError: no such table, or no such column.
        InputError: a damaged database, or a cell that does not fit its scheme.
    """
    database = _load(root)
    name = _table_name(database, table, root)
    where = f"{root}: table {name!r}"
    frame = _frame(database[name], where)
    meta = database.meta.get(META)
    if meta is not None and options is None:
        described = describe(meta, where=where)
        return table_from(_with_speakers(frame, database), described, root=root, where=where)
    chosen = options or AudformatOptions()
    frame = _with_subject(frame, database, chosen.subject)
    attributes = _speaker_attributes(database, chosen.subject)
    groups = _group_names(frame, attributes, chosen, where)
    frame = _joined(frame, attributes)
    if database[name].split_id is not None and "partition" not in frame.columns:
        frame = frame.with_columns(partition=pl.lit(str(database[name].split_id)))
    taken = {*groups, "item", "media", "subject", "partition"}
    targets = chosen.targets if chosen.targets is not None else _targets(database, name, taken)
    return make_table(frame, targets=targets, groups=groups, name=database.name, root=root, where=where)


def _load(root: Path) -> Any:
    audformat = load_audformat()
    if not (root / "db.yaml").is_file():
        raise MissingPathError.of("audformat database", root, expected="a folder with db.yaml and its tables")
    try:
        return audformat.Database.load(str(root), load_data=True)
    except Exception as error:  # third-party code may raise anything on a damaged file
        raise InputError(
            f"audformat cannot read the database: {error}", where=str(root), expected="a database that audformat saved"
        ) from error


def _table_name(database: Any, table: str | None, root: Path) -> str:
    names = list(database.tables)
    if table is None and len(names) == 1:
        return str(names[0])
    if table is None:
        raise InputError(
            f"the database has {len(names)} tables", where=str(root), expected=f"one of {name_list(names)}"
        )
    if table not in names:
        raise UnknownNameError.of("table", table, names, where=str(root))
    return table


def _frame(table: Any, where: str) -> pl.DataFrame:
    """Its columns with keys and segments under our names; the segment from 0 to the end is the whole file."""
    frame = as_polars(table.get().reset_index(), where=where).rename({"file": "media"})
    if not table.is_segmented:
        return frame.with_columns(item="media") if "item" not in frame.columns else frame
    start, end = (seconds_column(frame.get_column(name), where).alias(f"{name}_us") for name in ("start", "end"))
    start = start.set((start == 0) & end.is_null(), None)
    keys = [] if "item" in frame.columns else [segment_keys(frame.get_column("media"), start, end)]
    return frame.drop("start", "end").with_columns(start, end, *keys)


def _with_subject(frame: pl.DataFrame, database: Any, subject: str) -> pl.DataFrame:
    """The speaker column as ``subject``, from this table or from another table of whole files."""
    if subject in frame.columns:
        return frame.rename({subject: "subject"}).with_columns(pl.col("subject").cast(pl.String))
    for other in database.tables.values():
        if subject in other.columns and other.is_filewise:
            found = as_polars(other.get()[[subject]].reset_index()).rename({"file": "media", subject: "subject"})
            return frame.join(found.with_columns(pl.col("subject").cast(pl.String)), on="media", how="left")
    return frame


def _speaker_attributes(database: Any, subject: str) -> pl.DataFrame:
    """One row a speaker, from the labels of the speaker scheme or the table that they point to."""
    labels = database.schemes[subject].labels if subject in database.schemes else None
    if isinstance(labels, str):
        frame = as_polars(database[labels].get().reset_index())
    elif isinstance(labels, dict) and all(isinstance(found, dict) for found in labels.values()):
        names = dict.fromkeys(name for found in labels.values() for name in found)
        columns = {name: [found.get(name) for found in labels.values()] for name in names}
        frame = as_polars({"subject": [str(label) for label in labels], **columns})
    else:
        return pl.DataFrame({"subject": []}, schema={"subject": pl.String})
    frame = frame.rename({frame.columns[0]: "subject"}).with_columns(pl.col("subject").cast(pl.String))
    return frame.rename({old: new for old, new in _GROUP_NAMES.items() if old in frame.columns})


def _with_speakers(frame: pl.DataFrame, database: Any) -> pl.DataFrame:
    if SPEAKER not in frame.columns:
        return frame
    attributes = _speaker_attributes(database, SPEAKER).rename({"subject": SPEAKER})
    frame = frame.with_columns(pl.col(SPEAKER).cast(pl.String))
    return frame.join(attributes, on=SPEAKER, how="left", maintain_order="left")


def _joined(frame: pl.DataFrame, attributes: pl.DataFrame) -> pl.DataFrame:
    new = [name for name in attributes.columns if name == "subject" or name not in frame.columns]
    if "subject" not in frame.columns or len(new) < 2:
        return frame
    return frame.join(attributes.select(new), on="subject", how="left", maintain_order="left")


def _group_names(
    frame: pl.DataFrame, attributes: pl.DataFrame, options: AudformatOptions, where: str
) -> tuple[str, ...]:
    if options.groups is None:
        return tuple(column.name for column in attributes.get_columns()[1:] if column.dtype == pl.String)
    known = [*attributes.columns[1:], *frame.columns]
    for name in options.groups:
        if name not in known:
            raise UnknownNameError.of("group", name, known, where=where)
    return options.groups


def _targets(database: Any, table: str, taken: set[str]) -> tuple[Target, ...]:
    """Targets that the schemes of the columns spell out."""
    categories: list[Target] = []
    units: list[str] = []
    ranges: dict[tuple[float, float], list[str]] = {}
    for column, scheme in _columns(database, table, taken):
        labels = _labels(scheme)
        if labels and scheme.dtype == "str":
            categories.append(Target(column, CategoryScheme(column, labels, source=f"audformat: {database.name}")))
        elif scheme.dtype == "bool":
            units.append(column)
        elif scheme.dtype == "float" and scheme.minimum is not None and scheme.maximum is not None:
            ranges.setdefault((float(scheme.minimum), float(scheme.maximum)), []).append(column)
    dimensions = [
        DimensionScheme("dimensions" if len(ranges) == 1 else "-".join(names), tuple(names), low, high)
        for (low, high), names in ranges.items()
    ]
    extra = [Target("units", UnitScheme("units", tuple(units)))] if units else []
    return (*categories, *(Target(found.name, found) for found in dimensions), *extra)


def _columns(database: Any, table: str, taken: set[str]) -> Iterator[tuple[str, Any]]:
    for name, column in database[table].columns.items():
        if name not in taken and name != SPEAKER and column.scheme_id is not None:
            yield name, database.schemes[column.scheme_id]


def _labels(scheme: Any) -> tuple[str, ...]:
    return tuple(str(label) for label in scheme.labels) if isinstance(scheme.labels, list | dict) else ()


__all__ = ["AudformatOptions", "read_audformat", "write_audformat"]
