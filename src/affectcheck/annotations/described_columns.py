"""From the columns of a file to those of the schema, as a table description says."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl

from affectcheck.annotations.described_schemes import group_scheme, target_of
from affectcheck.annotations.description import COLUMN_KEYS
from affectcheck.annotations.keys import seconds_column, segment_keys
from affectcheck.annotations.listing import name_list, plural, rows_by_value, suggestion, value_lines
from affectcheck.annotations.plain import blank_to_null, number_column, text_column, whole_number_column
from affectcheck.annotations.provenance import provenance_name
from affectcheck.annotations.table import COLUMNS
from affectcheck.annotations.validation import make_table
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.schemes import CategoryScheme, DimensionScheme, StatedMapping, Target, fold, rescale

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from affectcheck.annotations.description import GroupDescription, TableDescription, TargetDescription, Type
    from affectcheck.annotations.labels import Marker
    from affectcheck.annotations.table import AnnotationTable


def table_from(
    frame: pl.DataFrame, description: TableDescription, *, root: Path | None = None, where: str = ""
) -> AnnotationTable:
    """The annotation table that a frame and its description make.

    Args:
        frame: the columns as the file has them.
        description: what they mean.
        root: folder that media paths are relative to.
        where: stands in front of every error.

    Raises:
        UnknownNameError: the description names a column that the file does not have.
        InputError: whatever ``make_table`` refuses.
    """
    targets = {name: target_of(name, described, where) for name, described in description.targets.items()}
    groups = description.groups
    origins = _origins(frame, description, targets, groups)
    _require(frame, origins, description, where)
    columns = {ours: frame.get_column(theirs).alias(ours) for ours, theirs in origins.items()}
    _put_times(columns, where)
    for name in targets:
        _put_provenance(columns, name, description.targets[name], where)
    notes = [
        note
        for name, target in targets.items()
        for note in _put_labels(columns, target, description.targets[name], where)
    ]
    if "item" not in columns:
        columns["item"] = _derived_keys(columns, where)
    columns |= _others(frame, origins, columns, description, where)
    unknown = {
        name: found.unknown
        for name, found in description.targets.items()
        if found.unknown is not None and found.file_low is None  # else applied before the values were mapped
    }
    table = make_table(
        pl.DataFrame(list(columns.values())),
        targets=targets,
        groups={name: group_scheme(name, group, where) for name, group in groups.items()},
        name=description.name,
        root=root,
        unknown=unknown,
        where=where,
    )
    return replace(table, notes=tuple(dict.fromkeys((*description.notes, *notes, *table.notes))))


def _origins(
    frame: pl.DataFrame,
    description: TableDescription,
    targets: Mapping[str, Target],
    groups: Mapping[str, GroupDescription],
) -> dict[str, str]:
    """Our column to the file's. Named ones first; a column of the schema that is not named keeps its own name."""
    origins = {key: named for key in COLUMN_KEYS if (named := getattr(description, key)) is not None}
    for name in (*COLUMNS, "start_s", "end_s"):
        spelled = {"start_us": "start_s", "end_us": "end_s"}.get(name, name)
        if name in frame.columns and name not in origins and spelled not in origins and name not in description.drop:
            origins[name] = name
    for name, group in groups.items():
        origins[name] = group.column or origins.get(name, name)
    for name, target in targets.items():
        described = description.targets[name]
        for column in target.columns:
            origins[column] = (described.column or column) if column == name else described.columns.get(column, column)
        made = provenance_name(name)
        if described.provenance_column or (made in frame.columns and made not in (*origins, *description.drop)):
            origins[made] = described.provenance_column or made
    return origins


def _require(frame: pl.DataFrame, origins: Mapping[str, str], description: TableDescription, where: str) -> None:
    named = {**origins, **{f"drop: {name}": name for name in description.drop}}
    named |= {f"types: {name}": name for name in description.types}
    missing = {ours: theirs for ours, theirs in named.items() if theirs not in frame.columns}
    if missing:
        told = "".join(
            f"\n  {theirs!r}{f' for {ours!r}' if ours != theirs else ''}{suggestion(theirs, frame.columns)}"
            for ours, theirs in missing.items()
        )
        raise UnknownNameError(
            f"the file lacks {plural(len(missing), 'column')} that the description names:{told}",
            where=where,
            expected=f"columns of the file: {name_list(frame.columns)}",
            cause="a description of another file, or another delimiter",
        )


def _put_times(columns: dict[str, pl.Series], where: str) -> None:
    for end in ("start", "end"):
        if f"{end}_s" in columns:
            if f"{end}_us" in columns:
                raise InputError(
                    f"{end}_s and {end}_us at once", where=where, expected="the times in one of the two units"
                )
            columns[f"{end}_us"] = seconds_column(columns.pop(f"{end}_s"), where).alias(f"{end}_us")


def _derived_keys(columns: Mapping[str, pl.Series], where: str) -> pl.Series:
    """Media path and segment make the key where the file has none."""
    if "media" not in columns or "frame" in columns:
        raise UnknownNameError(
            "no column holds the item keys",
            where=where,
            expected='item = "COLUMN" in the description, or a media column whose paths (and segments) are the keys',
            cause="frames of a video need keys of their own" if "frame" in columns else "",
        )
    media = text_column(columns["media"], where)
    if media.null_count():
        raise InputError(
            f"no media path in row {media.is_null().arg_true()[0] + 1}, so no key",
            where=where,
            expected="a path in each row",
        )
    times = [whole_number_column(columns[name], where) if name in columns else None for name in ("start_us", "end_us")]
    return segment_keys(media, *times)


def _put_provenance(columns: dict[str, pl.Series], name: str, described: TargetDescription, where: str) -> None:
    made = provenance_name(name)
    if not described.provenance_mapping:
        return
    if made not in columns:
        raise InputError(
            f"provenance_mapping of {name!r} without a column", where=where, expected='provenance_column = "COLUMN"'
        )
    table = {fold(old): new for old, new in described.provenance_mapping.items()}
    text = blank_to_null(text_column(columns[made], where))
    values = {value: table.get(fold(value), value) for value in text.drop_nulls().unique()}
    columns[made] = text.replace_strict(values, default=None, return_dtype=pl.String)


def _put_labels(columns: dict[str, pl.Series], target: Target, described: TargetDescription, where: str) -> list[str]:
    """Apply a stated mapping or range, and say what was left out by it."""
    scheme, low, high = target.scheme, described.file_low, described.file_high
    if isinstance(scheme, CategoryScheme) and described.mapping:
        column = columns[target.name]
        columns[target.name] = _mapped(column, scheme, described.mapping, where)
        return _left_out(column, target.name, described.mapping)
    if isinstance(scheme, DimensionScheme) and low is not None and high is not None:
        own = DimensionScheme("the file", target.columns, low, high)
        checked = _in_own_range(columns, own, described.unknown or (), where)
        columns |= {name: _rescaled(checked.frame.get_column(name), own, scheme) for name in target.columns}
        return list(checked.notes)
    return []


def _mapped(column: pl.Series, scheme: CategoryScheme, mapping: Mapping[str, str], where: str) -> pl.Series:
    try:
        table = StatedMapping(mapping).resolve(scheme)
    except UnknownNameError as error:
        raise UnknownNameError(error.what, where=where, expected=error.expected, cause=error.cause) from error
    text = blank_to_null(text_column(column, where))
    values = {value: table.get(fold(value), value) for value in text.drop_nulls().unique()}
    return text.replace_strict(values, default=None, return_dtype=pl.String)


def _left_out(column: pl.Series, name: str, mapping: Mapping[str, str]) -> list[str]:
    folded = [fold(str(cell)) for cell in column.drop_nulls()]
    dropped = {old: folded.count(fold(old)) for old, new in mapping.items() if not new}
    return [
        f"{plural(count, 'item')} labelled {old!r} without a counterpart in {name!r}: unknown there"
        for old, count in dropped.items()
        if count
    ]


def _in_own_range(
    columns: Mapping[str, pl.Series], own: DimensionScheme, unknown: Sequence[Marker], where: str
) -> AnnotationTable:
    """The values checked against the file's own range, so that no marker can pass for a value once mapped."""
    values = [columns[name] for name in own.dimensions]
    rows = pl.int_range(len(values[0]), eager=True).cast(pl.String).alias("item")
    target = Target("values", own)
    return make_table(pl.DataFrame([rows, *values]), targets=[target], unknown={"values": unknown}, where=where)


def _rescaled(column: pl.Series, own: DimensionScheme, scheme: DimensionScheme) -> pl.Series:
    """On the scheme's range; clipped, since round-off may pass its ends by one step."""
    values = rescale(column.fill_null(own.low).to_numpy(), own, scheme)
    return pl.Series(column.name, values).clip(scheme.low, scheme.high).set(column.is_null(), None)


def _others(
    frame: pl.DataFrame,
    origins: Mapping[str, str],
    columns: Mapping[str, pl.Series],
    description: TableDescription,
    where: str,
) -> dict[str, pl.Series]:
    """Columns of the file that are not used, by their own name."""
    others = {}
    for column in frame.get_columns():
        if column.name in description.drop or column.name in origins.values():
            continue
        if column.name in columns:
            raise InputError(
                f"the file has a column {column.name!r} beside the one that becomes {column.name!r}",
                where=where,
                expected=f'drop = ["{column.name}"] in the description, or the column named in it',
            )
        others[column.name] = _typed(column, description.types.get(column.name, "text"), where)
    return others


def _typed(column: pl.Series, kind: Type, where: str) -> pl.Series:
    if column.dtype != pl.String or kind == "text":
        return column
    if kind == "whole number":
        return whole_number_column(column, where)
    if kind == "yes/no":
        return _yes_no(column, where)
    plain = column.is_in(["NaN", "inf", "-inf"]).fill_null(value=False)
    numbers = number_column(column.set(plain, None), where)
    return pl.Series(
        column.name,
        pl.select(pl.when(plain).then(column.cast(pl.Float64, strict=False)).otherwise(numbers)).to_series(),
    )


def _yes_no(column: pl.Series, where: str) -> pl.Series:
    text = column.replace("", None)
    wrong = text.is_not_null() & ~text.is_in(["yes", "no"])
    if wrong.any():
        raise InputError(
            f"column {column.name!r} has cells that are neither yes nor no:{value_lines(rows_by_value(text, wrong))}",
            where=where,
            expected="yes, no or an empty cell",
        )
    return text == "yes"
