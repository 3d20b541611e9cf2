"""The door for tables: every container gives the same frame, and what it cannot say for certain is refused."""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from affectcheck.annotations import as_polars
from affectcheck.errors import InputError

COLUMNS = {"item": ["03", "NA", None], "n": [1, None, 3], "x": [0.5, None, 2.0]}


def test_polars_comes_through_as_it_is() -> None:
    frame = pl.DataFrame(COLUMNS)
    assert as_polars(frame) is frame
    assert as_polars(frame.lazy()).equals(frame)


def test_columns_arrow_and_pandas_give_one_frame() -> None:
    frame = pl.DataFrame(COLUMNS)
    nullable = pd.DataFrame({**COLUMNS, "n": pd.array(COLUMNS["n"], dtype="Int64")})
    for table in (COLUMNS, pa.table(COLUMNS), nullable):
        assert as_polars(table).equals(frame, null_equal=True)


@pytest.mark.parametrize("dtype", ["object", "str", "string", "category"])
def test_pandas_texts_of_every_type(dtype: str) -> None:
    frame = as_polars(pd.DataFrame({"a": pd.Series(["NA", None, "x"], dtype=dtype)}))
    assert frame["a"].to_list() == ["NA", None, "x"]
    assert frame["a"].dtype == pl.String


def test_pandas_without_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    table = pd.DataFrame({"a": ["x", None], "b": [1, 2], "c": [0.5, None], "d": pd.Categorical(["u", None])})
    assert as_polars(table).rows() == [("x", 1, 0.5, "u"), (None, 2, None, None)]


def test_nan_is_missing_in_pandas_numbers_and_a_value_elsewhere() -> None:
    assert as_polars(pd.DataFrame({"a": [1.0, np.nan]}))["a"].to_list() == [1.0, None]
    assert as_polars({"a": [1.0, float("nan")]})["a"].is_nan().to_list() == [False, True]
    assert as_polars({"a": np.array([1.0, np.nan])})["a"].is_nan().to_list() == [False, True]


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA])
def test_every_marker_of_pandas_objects_is_null(missing: object) -> None:
    assert as_polars(pd.DataFrame({"a": pd.Series(["x", missing], dtype="object")}))["a"].to_list() == ["x", None]


def test_pandas_numbers_yes_no_and_times_keep_their_kind() -> None:
    table = pd.DataFrame(
        {
            "i": np.array([1, 2], dtype="int32"),
            "b": [True, False],
            "nb": pd.array([True, None], dtype="boolean"),
            "o": pd.Series([np.int64(1), np.int64(2)], dtype="object"),
            "t": pd.to_timedelta([1.5, None], unit="s"),
        }
    )
    frame = as_polars(table)
    assert frame.schema == {"i": pl.Int32, "b": pl.Boolean, "nb": pl.Boolean, "o": pl.Int64, "t": pl.Duration("ns")}
    assert frame["t"].dt.total_microseconds().to_list() == [1_500_000, None]


def test_a_named_index_becomes_columns() -> None:
    table = pd.DataFrame({"x": [1, 2]}, index=pd.Index(["a", "b"], name="item"))
    assert as_polars(table).columns == ["item", "x"]
    levels = pd.MultiIndex.from_arrays([["a", "a"], pd.to_timedelta([0, 1], unit="s")], names=["file", "start"])
    assert as_polars(table.set_axis(levels)).columns == ["file", "start", "x"]


def test_an_index_that_counts_rows_is_left_out_even_after_a_filter() -> None:
    table = pd.DataFrame({"x": [1, 2, 3]})
    assert as_polars(table[table.x > 1]).columns == ["x"]
    assert as_polars(table[table.x > 5]).columns == ["x"]


def test_an_index_without_a_name_that_holds_keys_is_refused() -> None:
    with pytest.raises(InputError, match="an index without a name that holds values such as 'a'") as caught:
        as_polars(pd.DataFrame({"x": [1]}, index=["a"]))
    assert "rename_axis('item')" in str(caught.value)
    with pytest.raises(InputError, match="index without a name"):
        as_polars(pd.DataFrame({"x": [1]}, index=pd.MultiIndex.from_arrays([["a"], ["b"]], names=["file", None])))


def test_names_that_repeat_or_have_levels_are_refused() -> None:
    with pytest.raises(InputError, match="column names occur more than once: 'a'"):
        as_polars(pd.DataFrame([[1, 2]], columns=["a", "a"]))
    with pytest.raises(InputError, match="more than once: 'item'"):
        as_polars(pd.DataFrame({"item": [1]}, index=pd.Index(["x"], name="item")))
    with pytest.raises(InputError, match="names of several levels"):
        as_polars(pd.DataFrame([[1]], columns=pd.MultiIndex.from_tuples([("a", "b")])))
    with pytest.raises(InputError, match="Arrow table has two columns of one name"):
        as_polars(pa.table([[1], [2]], names=["a", "a"]))


@pytest.mark.parametrize("table", [{"a": ["03", 4, None]}, pd.DataFrame({"a": ["03", 4, None]}, dtype="object")])
def test_mixed_types_are_refused_with_rows(table: object) -> None:
    with pytest.raises(
        InputError, match=r"labels\.csv: column 'a' mixes types: str \(first in row 1\), int \(first in row 2\)"
    ):
        as_polars(table, where="labels.csv")


def test_columns_of_unequal_length_are_refused() -> None:
    with pytest.raises(InputError, match="columns of unequal length: 'a' has 1, 'b' has 2"):
        as_polars({"a": [1], "b": [1, 2]})


@pytest.mark.parametrize("value", ["text", 5])
def test_a_column_that_is_no_sequence_is_refused(value: object) -> None:
    with pytest.raises(InputError, match="column 'a' is a"):
        as_polars({"a": value})


def test_columns_may_be_series_of_either_library() -> None:
    frame = as_polars({"a": pl.Series("z", [1, 2]), "b": pd.Series(["x", None])})
    assert frame.rows() == [(1, "x"), (2, None)]


@pytest.mark.parametrize(
    ("table", "hint"),
    [
        (pd.Series([1]), "to_frame"),
        (pl.Series([1]), "to_frame"),
        ("labels.csv", "read_csv"),
        (np.zeros((2, 2)), "no table"),
        (None, "no table"),
    ],
)
def test_what_is_no_table_is_refused_with_the_way_out(table: object, hint: str) -> None:
    with pytest.raises(InputError, match=hint):
        as_polars(table)
