"""Keys of segments in whole microseconds."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from affectcheck.annotations import Segment, seconds_to_us, segment_key, split_key
from affectcheck.annotations.keys import seconds_column, segment_keys
from affectcheck.errors import InputError


@pytest.mark.parametrize(
    ("seconds", "us"),
    [
        ("2.5225", 2_522_500),
        ("2.5224999", 2_522_500),
        ("2.522499", 2_522_499),
        ("2.52249949", 2_522_499),
        ("0.10002083333333334", 100_021),
        ("0.30000000000000004", 300_000),
        (0.1 + 0.2, 300_000),
        (1 / 48_000, 21),
        ("0.0000005", 0),  # half to even
        ("0.0000015", 2),
        ("0.0000025", 2),
        (5e-7, 0),
        (1.5e-6, 2),
        (Decimal("0.0000025"), 2),
        ("1e-3", 1000),
        (" 7 ", 7_000_000),
        (7, 7_000_000),
        (np.float64(0.1), 100_000),
        ("12345678901.123456", 12_345_678_901_123_456),
    ],
)
def test_seconds_round_half_to_even_on_their_decimal_digits(seconds: object, us: int) -> None:
    assert seconds_to_us(seconds) == us
    if not isinstance(seconds, Decimal):
        assert seconds_column(pl.Series([seconds])).to_list() == [us]


@pytest.mark.parametrize(
    ("text", "cause"), [("1,5", "decimal comma"), ("00:01:02", "hours, minutes"), ("nan", ""), ("inf", ""), ("x", "")]
)
def test_what_is_no_time_is_refused(text: str, cause: str) -> None:
    with pytest.raises(InputError, match="not a time in seconds") as caught:
        seconds_to_us(text, where="x.csv")
    assert cause in str(caught.value)
    with pytest.raises(InputError, match=rf"cells that are no time in seconds:\n  '{text}' \(row 2\)"):
        seconds_column(pl.Series("start", ["0.5", text]))


@pytest.mark.parametrize("value", ["-0.5", -0.5, float("nan"), float("inf")])
def test_negative_and_infinite_times_are_refused(value: object) -> None:
    with pytest.raises(InputError):
        seconds_to_us(value)
    with pytest.raises(InputError, match=r"\(row 1\)"):
        seconds_column(pl.Series("start", [value]))


@given(st.lists(st.one_of(st.none(), st.floats(0, 1e7), st.floats(0, 1e-3))))
def test_a_column_of_floats_equals_one_cell_at_a_time(values: list[float | None]) -> None:
    expected = [None if value is None else seconds_to_us(value) for value in values]
    assert seconds_column(pl.Series(values, dtype=pl.Float64)).to_list() == expected


@given(st.integers(0, 10**12))
def test_microseconds_written_as_seconds_read_back(us: int) -> None:
    assert seconds_to_us(us / 1_000_000) == us
    assert seconds_to_us(f"{us // 1_000_000}.{us % 1_000_000:06d}") == us


def test_time_spans_and_empty_cells() -> None:
    spans = pl.Series([timedelta(seconds=1.5), None])
    assert seconds_column(spans).to_list() == [1_500_000, None]
    nanoseconds = pl.Series([499, 500, 501, 1500, 2500]).cast(pl.Duration("ns"))
    assert seconds_column(nanoseconds).to_list() == [0, 0, 1, 2, 2]
    assert seconds_column(pl.Series(["", " ", None, "1"])).to_list() == [None, None, None, 1_000_000]
    assert seconds_column(pl.Series([None, None])).to_list() == [None, None]
    assert seconds_column(pl.Series([1, 2])).to_list() == [1_000_000, 2_000_000]


MEDIA = st.text(st.characters(blacklist_characters="#"), min_size=1)


@given(MEDIA, st.integers(0, 10**12), st.one_of(st.none(), st.integers(1, 10**12)))
def test_a_key_tells_its_segment(media: str, start: int, end: int | None) -> None:
    assert split_key(segment_key(media, start, end)) == Segment(media, start, end)
    assert split_key(segment_key(media)) == Segment(media)


def test_a_segment_from_the_beginning() -> None:
    assert segment_key("a.wav", None, 5) == "a.wav#0-5"


def test_a_path_that_ends_like_a_segment_is_refused() -> None:
    with pytest.raises(InputError, match="ends like a segment"):
        segment_key("a#1-2")
    assert split_key(segment_key("take #3 (1-2).wav")) == Segment("take #3 (1-2).wav")


def test_keys_of_columns() -> None:
    media, start = pl.Series(["a", "b"]), pl.Series([1, None])
    assert segment_keys(media, start, pl.Series([2, None])).to_list() == ["a#1-2", "b"]
    assert segment_keys(media, start).to_list() == ["a#1-", "b"]
    assert segment_keys(media).to_list() == ["a", "b"]


def test_one_segment_written_with_different_digits_is_one_key() -> None:
    """Decimal text, a sum of floats and nanoseconds that went through another program."""
    table = [
        ("a.wav", "0.3", "1.0"),
        ("a.wav", "2.0", "2.5225"),
        ("b.wav", "0.1", "0.5"),
        ("b.wav", "0.10002083", "0.5"),
    ]
    other = [
        ("a.wav", 0.1 + 0.2, 1.0),
        ("a.wav", 2.0, 2.5224999),
        ("b.wav", 0.100020833, 0.5),
        ("b.wav", 0.1, 0.5 + 1e-16),
    ]
    keys = [
        segment_keys(*(column if column.name == "file" else seconds_column(column) for column in frame.get_columns()))
        for frame in (pl.DataFrame(rows, schema=["file", "start", "end"], orient="row") for rows in (table, other))
    ]
    assert sorted(keys[0]) == sorted(keys[1])
    assert keys[0].n_unique() == 4
