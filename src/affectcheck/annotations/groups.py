"""Group columns: annotated or perceived sex, age, race, language and the like."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from affectcheck.annotations.listing import plural, rows_by_value, value_lines
from affectcheck.annotations.plain import blank_to_null, text_column
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.schemes import UNKNOWN_GROUPS, fold

if TYPE_CHECKING:
    from affectcheck.schemes import CategoryScheme


def group_column(column: pl.Series, scheme: CategoryScheme | None, where: str) -> pl.Series:
    """A group column without surrounding blanks, an empty cell as null; yes and no values are ``true`` and ``false``.

    With a scheme, cells become its labels; the names of "no group known" (unsure, other, unknown) stay as they are.
    Without one, the spelling stands, so two spellings that differ in case alone are refused: they would be two
    groups.

    Raises:
        UnknownNameError: cells hold no label of the scheme; all are listed.
        InputError: no scheme is declared and one value has several spellings.
    """
    told = column.cast(pl.String) if column.dtype == pl.Boolean else column
    text = blank_to_null(text_column(told, where))
    values = text.drop_nulls().unique(maintain_order=True).to_list()
    if scheme is None:
        _refuse_spellings(text, values, where)
        return text
    known = {word: word for word in UNKNOWN_GROUPS} | scheme.spellings()
    table = {value: known[fold(value)] for value in values if fold(value) in known}
    if len(table) < len(values):
        strange = text.is_not_null() & ~text.is_in(list(table))
        raise UnknownNameError(
            f"{plural(int(strange.sum()), 'cell')} of the group column {column.name!r} hold no label of {scheme.name!r}:"
            f"{value_lines(rows_by_value(text, strange), [*scheme.labels, *scheme.aliases])}",
            where=where,
            expected=f"one of {', '.join(scheme.labels)}; or an empty cell",
            cause="a spelling mistake, or a column that follows another scheme",
        )
    return text.replace_strict(table, return_dtype=pl.String)


def _refuse_spellings(text: pl.Series, values: list[str], where: str) -> None:
    spellings: dict[str, list[str]] = {}
    for value in values:
        spellings.setdefault(fold(value), []).append(value)
    several = [value for group in spellings.values() if len(group) > 1 for value in group]
    if several:
        raise InputError(
            f"the group column {text.name!r} spells one value in several ways, which would make several groups:"
            f"{value_lines(rows_by_value(text, text.is_in(several)))}",
            where=where,
            expected="one spelling a value, or a scheme for the column that says what each means",
            cause="files of several sources put together",
        )
