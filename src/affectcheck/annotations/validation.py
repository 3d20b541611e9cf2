"""``make_table``: the one way to an annotation table. What it lets through, every later stage may rely on.

Nothing is dropped, invented or corrected in silence. Trimmed are surrounding blanks of labels and groups; the empty
text is null in every column; a declared marker of an unknown label is null in its cell alone. All else that does
not fit is an error that names every cell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

import polars as pl

from affectcheck.annotations.frames import as_polars
from affectcheck.annotations.groups import group_column
from affectcheck.annotations.labels import label_columns
from affectcheck.annotations.listing import name_list, plural, suggestion
from affectcheck.annotations.plain import item_column, text_column, whole_number_column
from affectcheck.annotations.provenance import provenance_column, provenance_name
from affectcheck.annotations.table import COLUMNS, AnnotationTable
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.schemes import CategoryScheme, Target

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from affectcheck.annotations.labels import Marker

Targets: TypeAlias = Mapping[str, Target] | Sequence[Target]
Groups: TypeAlias = Sequence[str] | Mapping[str, CategoryScheme | None]

#: Columns of the schema that may serve as groups too.
_ALSO_GROUPS: Final = frozenset({"subject", "partition"})


def make_table(  # noqa: PLR0913  # one keyword an attribute of the table, and two that say how to read the cells
    frame: object,
    *,
    targets: Targets,
    groups: Groups = (),
    name: str = "",
    root: Path | None = None,
    unknown: Mapping[str, Sequence[Marker]] | None = None,
    where: str = "",
) -> AnnotationTable:
    """Validate a table and give its columns the types of the schema.

    Args:
        frame: any table that ``as_polars`` takes, with the column ``item`` and every label and group column; a
            column ``<target>_provenance`` says how each label was made.
        targets: what is annotated, in order. Categories are read from the column of the target's name, by label or
            alias whatever the case, or by integer code if the scheme declares codes. Units are 0, 1 or unknown.
            Dimensions are finite numbers within the range of the scheme.
        groups: names of the group columns; as a mapping, each with the scheme whose labels and aliases it follows
            (None for free text).
        name: name of the data set, as it stands in signatures.
        root: folder that ``media`` is relative to.
        unknown: target name to the markers that mean "not known" in its cells, such as ``{"affect": [-5]}``. Units
            take -1, 9, 999 and -999 for unknown unless other markers are declared here.
        where: stands in front of every error, such as the path of the file.

    Raises:
        InputError: the table is empty, lacks a column, repeats an item, or has a cell that does not fit its column.
        UnknownNameError: cells hold labels that the scheme does not have; all are listed with rows and suggestions.

    Example:
        >>> from affectcheck.schemes import Target, scheme
        >>> table = make_table(
        ...     {"item": ["a.wav", "b.wav"], "emotion": ["Happy ", "sad"], "sex": ["F", None]},
        ...     targets=[Target("emotion", scheme("expressions-4"))],
        ...     groups={"sex": scheme("sex-2")},
        ... )
        >>> table.frame.rows()
        [('a.wav', 'female', 'happiness'), ('b.wav', None, 'sadness')]
    """
    by_name = _targets(targets, where)
    schemes = dict(groups) if isinstance(groups, Mapping) else dict.fromkeys(groups)
    _check_names(by_name, schemes, where)
    markers = _markers(unknown or {}, by_name, where)
    table = as_polars(frame, where=where)
    _require_columns(table, by_name, schemes, where)
    if not table.height:
        raise InputError(
            "the table has no rows",
            where=where,
            expected="at least one item",
            cause="a filter that matched nothing, or a file with a header only",
        )
    columns = _schema_columns(table, schemes, where)
    notes: list[str] = []
    for target in by_name.values():
        labels = label_columns(table, target, markers.get(target.name), where)
        columns.update(labels.columns)
        notes.extend(labels.notes)
        made = provenance_name(target.name)
        if made in table.columns and made not in columns:
            columns[made] = provenance_column(table.get_column(made), where)
    columns.update(_other_columns(table, columns))
    return AnnotationTable(pl.DataFrame(list(columns.values())), by_name, tuple(schemes), name, root, tuple(notes))


def _targets(targets: Targets, where: str) -> dict[str, Target]:
    listed = list(targets.values()) if isinstance(targets, Mapping) else list(targets)
    names = [target.name for target in listed]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InputError(f"two targets of one name: {name_list(twice)}", where=where, expected="distinct names")
    return {target.name: target for target in listed}


def _check_names(targets: Mapping[str, Target], groups: Iterable[str], where: str) -> None:
    """No column may serve two purposes."""
    purposes = {column: "a column of the schema" for column in COLUMNS if column not in _ALSO_GROUPS}
    claims = [(group, "a group column") for group in groups]
    claims += [(column, f"a label of {target.name!r}") for target in targets.values() for column in target.columns]
    for column, purpose in claims:
        if column in purposes or (column in _ALSO_GROUPS and purpose != "a group column"):
            other = purposes.get(column, "a column of the schema")
            raise InputError(
                f"the column {column!r} is meant to be {purpose}, but is {other} too",
                where=where,
                expected="one purpose a column",
            )
        purposes[column] = purpose


def _markers(
    unknown: Mapping[str, Sequence[Marker]], targets: Mapping[str, Target], where: str
) -> Mapping[str, Sequence[Marker]]:
    for name in unknown:
        if name not in targets:
            raise UnknownNameError.of("target with markers of unknown labels", name, targets, where=where)
    return unknown


def _require_columns(table: pl.DataFrame, targets: Mapping[str, Target], groups: Iterable[str], where: str) -> None:
    needed = ["item", *groups, *(column for target in targets.values() for column in target.columns)]
    missing = [column for column in needed if column not in table.columns]
    if not missing:
        return
    spare = [column for column in table.columns if column not in needed]
    told = "".join(f"\n  {column!r}{suggestion(column, spare)}" for column in missing)
    raise UnknownNameError(
        f"the table lacks {plural(len(missing), 'column')}:{told}",
        where=where,
        expected=f"all of {name_list(needed)}; the table has {name_list(table.columns) or 'no columns at all'}",
        cause="columns of other names (a table description says which is which), or another delimiter",
    )


def _schema_columns(
    table: pl.DataFrame, groups: Mapping[str, CategoryScheme | None], where: str
) -> dict[str, pl.Series]:
    columns = {"item": item_column(table.get_column("item"), where)}
    for name, dtype in COLUMNS.items():
        if name in table.columns and name != "item":
            read = text_column if dtype == pl.String else whole_number_column
            columns[name] = read(table.get_column(name), where)
    _check_segments(columns, where)
    for name, scheme in groups.items():
        columns[name] = group_column(table.get_column(name), scheme, where)
    return columns


def _check_segments(columns: Mapping[str, pl.Series], where: str) -> None:
    for name, least in (("start_us", 0), ("end_us", 1), ("frame", 1)):
        column = columns.get(name)
        low = column.min() if column is not None else None
        if column is not None and isinstance(low, int) and low < least:
            row = (column < least).arg_true()[0] + 1
            raise InputError(
                f"{name} is {column[row - 1]} in row {row}",
                where=where,
                expected=f"at least {least}",
                cause="frames counted from 0" if name == "frame" else "a marker of 'whole file' that should be empty",
            )
    if "start_us" in columns and "end_us" in columns:
        turned = (columns["end_us"] <= columns["start_us"]).fill_null(value=False).arg_true()
        if len(turned):
            row = turned[0] + 1
            start, end = columns["start_us"][row - 1], columns["end_us"][row - 1]
            raise InputError(
                f"{plural(len(turned), 'segment')} without a length, first in row {row}: {start} to {end} us",
                where=where,
                expected="end_us greater than start_us",
                cause="swapped columns, or a length where the end is meant",
            )


def _other_columns(table: pl.DataFrame, columns: Iterable[str]) -> dict[str, pl.Series]:
    """Kept as they are, but that the empty text is null as everywhere."""
    taken = set(columns)
    return {
        column.name: text_column(column, "") if column.dtype in (pl.String, pl.Null) else column
        for column in table.get_columns()
        if column.name not in taken
    }
