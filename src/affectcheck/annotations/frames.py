"""The one door for tables from elsewhere: Polars, pandas, Arrow or a dict of columns become a Polars frame.

What each container means by a missing cell differs. pandas marks missing numbers by NaN in NumPy columns, so NaN
becomes null there; Polars, Arrow and plain columns have null or None, so NaN stays a value (and is refused later as
a label). Nothing is guessed about an index that could hold keys: a named one becomes columns, an unnamed one is
refused unless it only counts rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from affectcheck.annotations.listing import name_list
from affectcheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

EXPECTED: Final = "a Polars DataFrame or LazyFrame, a pandas DataFrame, an Arrow table, or a dict of columns"


def as_polars(table: object, *, where: str = "") -> pl.DataFrame:
    """A Polars DataFrame with the columns of any supported table.

    Args:
        table: Polars DataFrame or LazyFrame, pandas DataFrame (with or without pyarrow installed), any object with
            the Arrow C stream interface, or a mapping of column name to values.
        where: stands in front of an error's message, such as the file the table came from.

    Raises:
        InputError: another type, columns of unequal length or mixed type, duplicate column names, or a pandas index
            that holds values but has no name.
    """
    if isinstance(table, pl.DataFrame):
        return table
    if isinstance(table, pl.LazyFrame):
        return table.collect()
    if _is_pandas(table):
        return _from_pandas(table, where)
    if isinstance(table, Mapping):
        return _from_columns(table, where)
    if hasattr(table, "__arrow_c_stream__") and type(table).__name__ != "Series":
        return _from_arrow(table, where)
    raise InputError(
        f"a {type(table).__module__}.{type(table).__qualname__} is no table",
        where=where,
        expected=EXPECTED,
        cause=_cause(table),
    )


def _cause(table: object) -> str:
    kind = type(table).__name__
    if kind == "Series":
        return "a single column; make it a table first, for instance with .to_frame()"
    if isinstance(table, str) or hasattr(table, "__fspath__"):
        return "a path; read it first, for instance with read_csv(path)"
    return ""


def _from_columns(table: Mapping[Any, Any], where: str) -> pl.DataFrame:
    names = _names(table, where)
    columns = [_column(name, values, where) for name, values in zip(names, table.values(), strict=True)]
    lengths = {column.name: len(column) for column in columns}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name!r} has {length}" for name, length in lengths.items())
        raise InputError(f"columns of unequal length: {told}", where=where, expected="one value a row in every column")
    return pl.DataFrame(columns)


def _column(name: str, values: Any, where: str) -> pl.Series:  # a column may be any sequence
    if isinstance(values, str) or not hasattr(values, "__len__"):
        raise InputError(
            f"column {name!r} is a {type(values).__name__}, not a sequence of values", where=where, expected=EXPECTED
        )
    if isinstance(values, pl.Series):
        return values.alias(name)
    if type(values).__module__.partition(".")[0] == "pandas":
        return _from_pandas_column(name, values, where)
    try:
        return pl.Series(name, values, strict=True)
    except (TypeError, ValueError, pl.exceptions.PolarsError) as error:
        raise _mixed(name, values, where) from error


def _mixed(name: str, values: Iterable[object], where: str) -> InputError:
    kinds: dict[str, int] = {}
    for row, value in enumerate(values, 1):
        if value is not None:
            kinds.setdefault(type(value).__name__, row)
    told = ", ".join(f"{kind} (first in row {row})" for kind, row in kinds.items())
    return InputError(
        f"column {name!r} mixes types: {told}",
        where=where,
        expected="one type in a column, with None for a missing cell",
        cause="keys such as '03' and 4 in one column; make all of them texts",
    )


def _from_arrow(table: object, where: str) -> pl.DataFrame:
    try:
        return pl.DataFrame(table)  # type: ignore[arg-type]  # Polars reads the Arrow stream; its stub does not say so
    except pl.exceptions.DuplicateError as error:
        raise InputError(f"the Arrow table has two columns of one name: {error}", where=where) from error


def _names(names: Iterable[object], where: str) -> list[str]:
    texts = [str(name) for name in names]
    twice = sorted({name for name in texts if texts.count(name) > 1})
    if twice:
        raise InputError(
            f"column names occur more than once: {name_list(twice)}",
            where=where,
            expected="distinct column names",
            cause="a join that kept both copies of a column",
        )
    return texts


def _is_pandas(table: object) -> bool:
    return type(table).__module__.partition(".")[0] == "pandas" and type(table).__name__ == "DataFrame"


def _from_pandas(table: Any, where: str) -> pl.DataFrame:  # pandas is optional, so it has no type here
    if table.columns.nlevels > 1:
        raise InputError(
            "the pandas table has column names of several levels", where=where, expected="one name a column"
        )
    index = _index_columns(table, where)
    names = _names([*index, *table.columns], where)
    values = [*index.values(), *(table.iloc[:, position] for position in range(table.shape[1]))]
    return pl.DataFrame([_from_pandas_column(name, column, where) for name, column in zip(names, values, strict=True)])


def _index_columns(table: Any, where: str) -> dict[str, Any]:
    """Levels of the index that hold values; an unnamed integer index only counts rows, as after a filter."""
    index = table.index
    if index.nlevels == 1 and index.name is None and (index.dtype.kind in "iu" or not len(index)):
        return {}
    if any(name is None for name in index.names):
        raise InputError(
            f"the pandas table has an index without a name that holds values such as {index[0]!r}",
            where=where,
            expected="a named index, which becomes columns, or the default one, which is left out",
            cause="keys kept in the index; table.rename_axis('item') names it, table.reset_index(drop=True) drops it",
        )
    return {str(name): index.get_level_values(level) for level, name in enumerate(index.names)}


def _from_pandas_column(name: str, column: Any, where: str) -> pl.Series:
    """By value and without pyarrow, which pandas itself may lack."""
    kind = str(column.dtype)
    numpy_kind = getattr(column.dtype, "kind", "O")
    if numpy_kind in "iub" and not hasattr(column.dtype, "na_value"):
        return pl.Series(name, column.to_numpy())
    if numpy_kind == "f" and not hasattr(column.dtype, "na_value"):
        return pl.Series(name, column.to_numpy(), nan_to_null=True)
    missing = np.asarray(column.isna())
    if numpy_kind == "m":
        nanoseconds = column.to_numpy().astype("timedelta64[ns]").astype("int64")
        known = pl.Series(~missing)
        return pl.select(pl.when(known).then(pl.Series(nanoseconds)).cast(pl.Duration("ns")).alias(name)).to_series()
    values = [None if gone else value for value, gone in zip(column.tolist(), missing.tolist(), strict=True)]
    if kind.startswith(("str", "category")) and all(value is None or isinstance(value, str) for value in values):
        return pl.Series(name, values, dtype=pl.String)
    return _column(name, _one_type(values), where)


def _one_type(values: Sequence[Any]) -> list[Any]:
    """NumPy scalars in an object column as Python values."""
    return [value.item() if hasattr(value, "item") else value for value in values]
