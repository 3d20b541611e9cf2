"""How each label was made, row by row: by hand, by a program, or by both.

A target says it for all of its labels (``Target.provenance``). Where a database mixes, such as an automatically
annotated part beside a manual one, a column ``<target>_provenance`` says it for each item.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from affectcheck.annotations.listing import plural, rows_by_value, value_lines
from affectcheck.annotations.plain import blank_to_null, text_column
from affectcheck.errors import UnknownNameError
from affectcheck.schemes import PROVENANCES, fold

if TYPE_CHECKING:
    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.schemes import Target


def provenance_name(target: str) -> str:
    """Name of the column that says how each of a target's labels was made."""
    return f"{target}_provenance"


def provenance_column(column: pl.Series, where: str) -> pl.Series:
    """Manual, semi-automatic or automatic, whatever the case; an empty cell is null: as the target says.

    Raises:
        UnknownNameError: cells hold another word; all are listed.
    """
    text = blank_to_null(text_column(column, where))
    known = {fold(name).replace("-", ""): name for name in PROVENANCES}
    spelled = {
        value: fold(value).replace("-", "").replace(" ", "").replace("_", "") for value in text.drop_nulls().unique()
    }
    table = {value: known[key] for value, key in spelled.items() if key in known}
    if len(table) < len(spelled):
        strange = text.is_not_null() & ~text.is_in(list(table))
        raise UnknownNameError(
            f"{plural(int(strange.sum()), 'cell')} of the column {column.name!r} do not say how a label was made:"
            f"{value_lines(rows_by_value(text, strange), PROVENANCES)}",
            where=where,
            expected=f"{', '.join(PROVENANCES)}, or an empty cell",
            cause="words of the database's own (a table description maps them by provenance_mapping)",
        )
    return text.replace_strict(table, return_dtype=pl.String)


def provenance_of(table: AnnotationTable, target: Target) -> pl.Series:
    """How each item's label of a target was made, in table order; the target's own provenance where no row says more."""
    name = provenance_name(target.name)
    if name not in table.frame.columns:
        return pl.repeat(target.provenance, table.height, dtype=pl.String, eager=True).alias(name)
    return table.frame.get_column(name).cast(pl.String).fill_null(target.provenance)
