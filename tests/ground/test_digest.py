from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from affectcheck.digest import digest_array, digest_bytes, digest_file, digest_mapping, digest_table

if TYPE_CHECKING:
    from pathlib import Path


def test_borders_between_parts_count() -> None:
    assert digest_bytes("ab", "c") != digest_bytes("a", "bc")
    assert digest_bytes("a", "b") == digest_bytes(b"a", b"b") == "6a93c5780b9861cdd8d2761a748d9591"


def test_file_digest_depends_on_content_alone(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two.txt"
    one.write_bytes(b"same")
    two.write_bytes(b"same")
    assert digest_file(one) == digest_file(two)


def test_array_digest_ignores_memory_layout_and_byte_order() -> None:
    values = np.arange(6, dtype="<i4").reshape(2, 3)
    assert digest_array(values) == digest_array(np.asfortranarray(values)) == digest_array(values.astype(">i4"))
    assert digest_array(values) != digest_array(values.reshape(3, 2))
    assert digest_array(values) != digest_array(values.astype("<i8"))


def test_mapping_digest_ignores_order() -> None:
    assert digest_mapping({"a": 1, "b": "x"}) == digest_mapping({"b": "x", "a": 1})
    assert digest_mapping({"a": 1}) != digest_mapping({"a": "1"})


@settings(deadline=None)
@given(st.permutations(list(range(4))), st.permutations(["item", "label", "value", "flag"]))
def test_table_digest_ignores_the_order_of_rows_and_columns(rows: list[int], columns: list[str]) -> None:
    frame = pl.DataFrame(
        {
            "item": ["a", "b", "c", "d"],
            "label": pl.Series(["x", None, "y", "x"], dtype=pl.Enum(["x", "y"])),
            "value": [0.5, None, -0.0, 1.0],
            "flag": [1, 0, None, 1],
        }
    )
    assert digest_table(frame) == digest_table(frame[rows].select(columns))


def test_table_digest_sees_every_value_and_tells_null_from_empty_and_zero() -> None:
    base = pl.DataFrame({"item": ["a"], "text": [""], "value": [0.0], "count": [0]})
    changes = [pl.lit("x").alias("text"), pl.lit(1.0).alias("value"), pl.lit(1).alias("count")]
    nulls = [pl.lit(None, dtype=base.schema[c]).alias(c) for c in ("text", "value", "count")]
    digests = {digest_table(base.with_columns(change)) for change in (*changes, *nulls)}
    assert len(digests | {digest_table(base)}) == 7


def test_table_digest_is_that_of_the_values_not_of_their_storage() -> None:
    text = pl.DataFrame({"item": ["a", "b"], "n": pl.Series([1, 2], dtype=pl.Int8)})
    wide = text.with_columns(pl.col("n").cast(pl.Int64), pl.col("item").cast(pl.Categorical))
    assert digest_table(text) == digest_table(wide)


@settings(deadline=None)
@given(st.lists(st.text(max_size=5) | st.none(), min_size=1, max_size=40))
def test_text_is_digested_as_its_cells_are_one_by_one(cells: list[str | None]) -> None:
    frame = pl.DataFrame({"text": pl.Series(cells, dtype=pl.String)})
    nulls = np.packbits(frame["text"].is_null().to_numpy()).tobytes()
    plain = digest_bytes(str(len(cells)), "text", "text", nulls, digest_bytes(*(cell or "" for cell in cells)))
    assert digest_table(frame) == plain


def test_more_cells_than_are_digested_at_a_time() -> None:
    cells = [f"Straße {i}" for i in range(70_000)]
    nulls = np.packbits(np.zeros(len(cells), bool)).tobytes()
    plain = digest_bytes(str(len(cells)), "text", "text", nulls, digest_bytes(*cells))
    assert digest_table(pl.DataFrame({"text": cells})) == plain
