from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affectcheck.evaluation import coding
from affectcheck.evaluation.coding import Combinations

if TYPE_CHECKING:
    from collections.abc import Sequence

CELLS = st.tuples(st.sampled_from(["a", "b", "", None, "ä"]), st.sampled_from([1, 2, None]), st.booleans())
ENUM = pl.Enum(["b", "a", "ä", ""])


def frames(rows: Sequence[tuple[object, ...]]) -> list[pl.DataFrame]:
    """The same rows in types that are numbered in different ways."""
    text = pl.DataFrame(rows, schema={"x": pl.String, "y": pl.Int64, "z": pl.Boolean}, orient="row")
    small = text.with_columns(pl.col("x").cast(ENUM), pl.col("y").cast(pl.Int8), pl.col("z").cast(pl.UInt16))
    return [text, small, text.with_columns(pl.col("x").cast(ENUM)), text.with_columns(pl.col("x").cast(pl.Categorical))]


@given(st.lists(CELLS, max_size=60), st.integers(1, 60))
@settings(max_examples=40, deadline=None)
def test_numbers_stand_for_rows_and_count_them(rows, cut):
    for frame in frames(rows):
        found = Combinations()
        numbers = np.concatenate([found.numbers(part) for part in (frame[:cut], frame[cut:])])
        assert found.frame[numbers.tolist()].equals(frame)
        assert found.size == frame.n_unique() if frame.height else found.size == 0
        assert found.counts.tolist() == np.bincount(numbers, minlength=found.size).tolist()
        assert [frame.row(first) for first in found.first] == found.frame.rows()
        assert (np.diff(found.first) > 0).all()
        assert found.seen == frame.height


@pytest.mark.parametrize("distinct", [3, 5000, 90_000])
@pytest.mark.parametrize("ordered", [False, True])
def test_few_and_many_values(distinct, ordered):
    random = np.random.default_rng(distinct)
    values = random.integers(0, distinct, 200_000)
    frame = pl.DataFrame({"x": pl.Series(np.sort(values) if ordered else values).cast(pl.String)})
    found = Combinations()
    numbers = found.numbers(frame)
    assert found.frame[numbers.tolist()].equals(frame)
    assert found.size == np.unique(values).size


def test_places_of_a_table_that_are_taken(monkeypatch):
    monkeypatch.setattr(coding, "_BITS", (16,))  # never a larger one, so that places are shared
    frame = pl.DataFrame({"x": [f"value {number}" for number in range(30_000)]})
    found = Combinations()
    first, second = found.numbers(frame), found.numbers(frame)
    assert (first == np.arange(30_000)).all()
    assert (second == first).all()


def test_the_empty_cell_is_a_value_of_small_numbers():
    column = pl.Series("x", [-128, None, 127, None, -1], pl.Int8)
    found = Combinations()
    assert found.numbers(column.to_frame()).tolist() == [0, 1, 2, 1, 3]
    assert found.frame.to_series().to_list() == [-128, None, 127, -1]
    assert Combinations().frame.is_empty()
