"""Label columns of the three kinds: what a cell may hold, and what it becomes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

import polars as pl

from affectcheck.annotations.listing import name_list, plural, rows_by_value, value_lines
from affectcheck.annotations.plain import blank_to_null, number_column, text_column
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.schemes import CategoryScheme, DimensionScheme, UnitScheme, fold

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from affectcheck.schemes import Target

Marker: TypeAlias = str | int | float

#: How public label files write "this action unit was not coded": -1 (Aff-Wild2, EmotioNet in the fair protocol),
#: 999 (EmotioNet as distributed), 9 and -999 (GFT). None can be mistaken for a label of 0 or 1.
UNKNOWN_UNITS: Final[tuple[Marker, ...]] = (-1, 9, 999, -999)


@dataclass(frozen=True)
class LabelColumns:
    """The label columns of a target in their final types.

    Attributes:
        columns: by name, in order.
        notes: how many cells a marker made unknown.
    """

    columns: Mapping[str, pl.Series]
    notes: tuple[str, ...] = ()


def label_columns(table: pl.DataFrame, target: Target, unknown: Sequence[Marker] | None, where: str) -> LabelColumns:
    """Read the label columns of a target.

    Raises:
        UnknownNameError: a class label that the scheme does not have.
        InputError: a code without a code table, a unit that is neither 0 nor 1, a value out of range or not finite.
    """
    scheme = target.scheme
    if isinstance(scheme, CategoryScheme):
        column = table.get_column(target.name)
        return LabelColumns(
            {target.name: category_column(column, scheme, unknown or (), where)}, _category_notes(column, unknown or ())
        )
    markers = unknown if unknown is not None else UNKNOWN_UNITS if isinstance(scheme, UnitScheme) else ()
    columns: dict[str, pl.Series] = {}
    masked: dict[str, int] = {}
    for name in target.columns:
        raw = table.get_column(name)
        plain = _plain_units(raw, markers) if isinstance(scheme, UnitScheme) else None
        numbers = _marked(raw, markers, where) if plain is None else plain
        masked[name] = numbers.null_count() - _empty(raw)
        if plain is None:
            numbers = _units(numbers, where) if isinstance(scheme, UnitScheme) else _values(numbers, scheme, where)
        columns[name] = numbers
    told = ", ".join(f"{name} {count}" for name, count in masked.items() if count)
    return LabelColumns(columns, (f"cells marked as not annotated: {told}",) if told else ())


def _plain_units(column: pl.Series, markers: Sequence[Marker]) -> pl.Series | None:
    """Units that are whole numbers from 0 to 1, and -1 if it is a marker: what most files hold, and quick to tell."""
    low, high = (column.min(), column.max()) if column.dtype.is_integer() else (None, None)
    if not isinstance(low, int) or not isinstance(high, int) or high > 1 or low < (-1 if -1 in markers else 0):
        return None
    small = column.cast(pl.Int8)
    return small.set(small < 0, None) if low < 0 else small


def _empty(column: pl.Series) -> int:
    return (column.str.strip_chars().replace("", None) if column.dtype == pl.String else column).null_count()


def _category_notes(column: pl.Series, unknown: Sequence[Marker]) -> tuple[str, ...]:
    marked = {fold(str(marker)) for marker in unknown}
    count = sum(fold(str(cell)) in marked for cell in column.drop_nulls()) if marked else 0
    return (f"cells marked as not annotated: {column.name} {count}",) if count else ()


def category_column(column: pl.Series, scheme: CategoryScheme, unknown: Sequence[Marker], where: str) -> pl.Series:
    """Class labels as an enumeration of the scheme's labels, in its order.

    Raises:
        UnknownNameError: cells hold neither a label nor an alias; all are listed with rows and suggestions.
        InputError: cells are numbers and the scheme declares no codes.
    """
    text = blank_to_null(_category_text(column, where))
    marked = {fold(str(marker)) for marker in unknown}
    values = [value for value in text.drop_nulls().unique(maintain_order=True) if fold(value) not in marked]
    known = _spellings(scheme)
    meaning = {value: known[key] for value in values if (key := fold(value)) in known}
    if len(meaning) < len(values):
        strange = text.is_in([value for value in values if value not in meaning])
        raise _stranger(text, strange, scheme, where)
    return text.replace_strict(meaning, default=None, return_dtype=pl.Enum(scheme.labels))


def _category_text(column: pl.Series, where: str) -> pl.Series:
    if column.dtype == pl.Boolean:
        raise InputError(
            f"column {column.name!r} holds yes/no values", where=where, expected="the label of a class in each cell"
        )
    return text_column(column, where)


def _spellings(scheme: CategoryScheme) -> dict[str, str]:
    """Labels, aliases and codes; a code may not contradict a label that is itself written as a number."""
    known = scheme.spellings()
    for code, label in scheme.codes.items():
        if known.get(str(code), label) != label:
            raise InputError(
                f"in the scheme {scheme.name!r} the code {code} means {label!r}, but {known[str(code)]!r} is a label too",
                expected="labels that are no numbers where codes are declared",
            )
        known[str(code)] = label
    return known


def _stranger(text: pl.Series, strange: pl.Series, scheme: CategoryScheme, where: str) -> InputError:
    found = rows_by_value(text, strange)
    count = plural(int(strange.sum()), "cell")
    verb = "holds" if strange.sum() == 1 else "hold"
    if all(re.fullmatch(r"[+-]?\d+", value) for value in found):
        declared = ", ".join(f"{code} = {label}" for code, label in scheme.codes.items())
        return InputError(
            f"{count} of column {text.name!r} {verb} a number that no code table explains:{value_lines(found)}",
            where=where,
            expected=f"codes {declared}"
            if declared
            else f"labels such as {name_list(scheme.labels[:3])}, or a scheme "
            f"whose codes say which number is which class; {scheme.name!r} has none",
            cause="class numbers differ between copies of one data set (official order or alphabetical order of folders)"
            "; a marker of 'not annotated' such as -1 has to be declared",
        )
    return UnknownNameError(
        f"{count} of column {text.name!r} {verb} no label of the scheme {scheme.name!r}:"
        f"{value_lines(found, [*scheme.labels, *scheme.aliases])}",
        where=where,
        expected=f"one of {', '.join(scheme.labels)}{_alias_text(scheme)}",
        cause="a spelling mistake, an alias that is not declared, or labels of another scheme",
    )


def _alias_text(scheme: CategoryScheme) -> str:
    aliases = ", ".join(f"{alias} = {label}" for alias, label in scheme.aliases.items())
    return f" (or {aliases})" if aliases else ""


def _marked(column: pl.Series, markers: Sequence[Marker], where: str) -> pl.Series:
    """The numbers of a column, null where a cell holds a marker."""
    words = [fold(marker) for marker in markers if isinstance(marker, str)]
    if words and column.dtype == pl.String:
        folded = column.str.strip_chars().str.to_lowercase()
        column = column.set(folded.is_in(words).fill_null(value=False), None)
    if column.dtype == pl.Boolean:
        return column.cast(pl.Float64)
    hint = (
        "a marker of 'not annotated' that has to be declared: unknown in a description, or --truth-labels n/a= of score"
    )
    numbers = number_column(column, where, hint=hint)
    values = [float(marker) for marker in markers if not isinstance(marker, str)]
    return numbers.set(numbers.is_in(values).fill_null(value=False), None) if values else numbers


def _units(numbers: pl.Series, where: str) -> pl.Series:
    wrong = numbers.is_not_null() & ~numbers.is_in([0.0, 1.0])
    if wrong.any():
        raise InputError(
            f"column {numbers.name!r} has cells that are neither 0 nor 1:{value_lines(rows_by_value(numbers, wrong))}",
            where=where,
            expected="1 present, 0 absent, an empty cell or a declared marker where not coded",
            cause="intensities from 0 to 5, which need a threshold first, or scores of a model",
        )
    return numbers.cast(pl.Int8)


def _values(numbers: pl.Series, scheme: DimensionScheme, where: str) -> pl.Series:
    outside = numbers.is_not_null() & ~(numbers.is_between(scheme.low, scheme.high) & numbers.is_finite())
    if not outside.any():
        return numbers
    strange = numbers.filter(outside)
    finite = strange.filter(strange.is_finite())
    not_finite = "NaN or infinite; an empty cell marks a value that is not known"
    raise InputError(
        f"{plural(len(strange), 'cell')} of column {numbers.name!r} outside [{scheme.low:g}, {scheme.high:g}]:"
        f"{value_lines(rows_by_value(numbers, outside))}",
        where=where,
        expected=f"finite numbers from {scheme.low:g} to {scheme.high:g}, the range of {scheme.name!r}",
        cause=not_finite
        if not len(finite)
        else "another scale, or a marker of 'not annotated' (such as -5 or -2) that has to be "
        "declared: unknown in a description, or --truth-labels=-5= of score",
    )
