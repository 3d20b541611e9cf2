"""From an annotation table to an audformat database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import polars as pl

from affectcheck.annotations.audformat_library import META, SPEAKER, load_audformat
from affectcheck.annotations.described_schemes import description_of
from affectcheck.annotations.listing import row_text, rows_of
from affectcheck.errors import InputError
from affectcheck.schemes import CategoryScheme, DimensionScheme

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.schemes import Target

_INDEX: Final = ("media", "start_us", "end_us")


def write_audformat(table: AnnotationTable, root: Path, *, name: str = "annotations") -> None:
    """Write a table as an audformat database, from which ``read_audformat`` makes an equal one.

    Speakers with the groups that are the same in all their items become a table of their own. Schemes, groups and
    notes that audformat has no place for stand in the header under ``affectcheck``.

    Args:
        table: each item with its media path; two items may not share a file and segment, since audformat takes
            these for the key.
        root: folder of the database; media are not copied.
        name: name of its table.

    Raises:
        ExtraMissingError: audformat is not installed.
        InputError: an item has no media or shares it with another, a column is of a type that audformat lacks, or a
            column is called like the speaker's.
    """
    audformat = load_audformat()
    _check(table)
    database = audformat.Database(table.name or name, meta={META: _meta(table)})
    steady = _steady_groups(table)
    if table.has_subjects:
        _put_speakers(audformat, database, table, steady)
    index = _index(audformat, table.frame)
    database[name] = audformat.Table(index)
    targets = {column: target for target in table.targets.values() for column in target.columns}
    for column in table.frame.get_columns():
        if column.name in (*_INDEX, *steady):
            continue
        theirs = SPEAKER if column.name == "subject" and table.has_subjects else column.name
        if theirs not in database.schemes:
            database.schemes[theirs] = _scheme(audformat, column, targets.get(column.name))
        database[name][theirs] = audformat.Column(scheme_id=theirs)
        database[name][theirs].set(_values(column), index=index)
    database.save(str(root))


def _check(table: AnnotationTable) -> None:
    frame = table.frame
    if SPEAKER in frame.columns and table.has_subjects:
        raise InputError(f"the table has a column {SPEAKER!r} beside 'subject'", expected="one of the two")
    media = frame.get_column("media") if "media" in frame.columns else pl.Series([None] * frame.height)
    if media.null_count():
        raise InputError(
            f"no media path in {row_text(rows_of(media.is_null()))}",
            expected="a media path for every item, which audformat takes for the key",
        )
    keys = frame.select(name for name in _INDEX if name in frame.columns)
    twice = rows_of(keys.is_duplicated())
    if twice:
        raise InputError(
            f"{row_text(twice)} share file and segment with another row",
            expected="one item a file and segment, which audformat takes for the key",
            cause="frames of a video, or several persons in one recording; write Parquet instead",
        )


def _meta(table: AnnotationTable) -> dict[str, Any]:
    meta: dict[str, Any] = {
        "name": table.name,
        "item": "item",
        "groups": list(table.groups),
        "notes": list(table.notes),
    }
    if table.has_subjects:
        meta["subject"] = SPEAKER
    if any(name in table.frame.columns for name in _INDEX[1:]):
        meta["drop"] = [name for name in _INDEX[1:] if name not in table.frame.columns]
    return meta | {"targets": {name: description_of(target) for name, target in table.targets.items()}}


def _steady_groups(table: AnnotationTable) -> tuple[str, ...]:
    """Groups that are the same in all items of a speaker and unknown where the speaker is."""
    if not table.has_subjects:
        return ()
    frame = table.frame.select("subject", *(name for name in table.groups if name != "subject"))
    counts = frame.filter(pl.col("subject").is_not_null()).group_by("subject").agg(pl.all().n_unique())
    nameless = frame.filter(pl.col("subject").is_null())
    return tuple(
        name
        for name in frame.columns[1:]
        if name != "partition" and (counts[name] == 1).all() and nameless[name].null_count() == nameless.height
    )


def _put_speakers(audformat: Any, database: Any, table: AnnotationTable, steady: tuple[str, ...]) -> None:
    speakers = table.frame.filter(pl.col("subject").is_not_null()).unique("subject", maintain_order=True)
    names = speakers.get_column("subject").to_list()
    if not steady:
        database.schemes[SPEAKER] = audformat.Scheme("str", labels=names)
        return
    import pandas as pd  # noqa: PLC0415  # comes with audformat

    index = pd.Index(names, name=SPEAKER, dtype="string")
    database[SPEAKER] = audformat.MiscTable(index)
    for group in steady:
        column = speakers.get_column(group)
        database.schemes[group] = audformat.Scheme("str")
        database[SPEAKER][group] = audformat.Column(scheme_id=group)
        database[SPEAKER][group].set(_values(column))
    database.schemes[SPEAKER] = audformat.Scheme("str", labels=SPEAKER)


def _index(audformat: Any, frame: pl.DataFrame) -> Any:
    files = frame.get_column("media").to_list()
    if "start_us" not in frame.columns and "end_us" not in frame.columns:
        return audformat.filewise_index(files)
    import pandas as pd  # noqa: PLC0415  # comes with audformat

    nothing = [None] * frame.height
    starts = frame.get_column("start_us").fill_null(0).to_list() if "start_us" in frame.columns else [0] * frame.height
    ends = frame.get_column("end_us").to_list() if "end_us" in frame.columns else nothing
    times = [[pd.NaT if us is None else pd.Timedelta(us, unit="us") for us in column] for column in (starts, ends)]
    return audformat.segmented_index(files, *times)


def _scheme(audformat: Any, column: pl.Series, target: Target | None) -> Any:
    if target is not None and isinstance(target.scheme, CategoryScheme):
        return audformat.Scheme("str", labels=list(target.scheme.labels))
    if target is not None and isinstance(target.scheme, DimensionScheme):
        return audformat.Scheme("float", minimum=target.scheme.low, maximum=target.scheme.high)
    if target is not None or column.dtype == pl.Boolean:
        return audformat.Scheme("bool")
    if column.dtype == pl.String:
        return audformat.Scheme("str")
    if column.dtype.is_numeric():
        return audformat.Scheme("float" if column.dtype.is_float() else "int")
    raise InputError(f"column {column.name!r} of type {column.dtype} has no place in audformat", expected="Parquet")


def _values(column: pl.Series) -> list[Any]:
    values = column.to_list()
    return [None if value is None else bool(value) for value in values] if column.dtype == pl.Int8 else values
