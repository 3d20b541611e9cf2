"""Content digests of bytes, files, arrays and tables: equal content, equal digest, whatever the container."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import polars as pl

_CELLS = 65_536  # cells of text that are digested at a time
SIZE = 16  # bytes: 128 bits, far beyond the birthday bound of any data set


def digest_bytes(*parts: bytes | str) -> str:
    """Hex digest of the parts, each written with its length so that borders count."""
    state = hashlib.blake2b(digest_size=SIZE)
    for part in parts:
        raw = part.encode() if isinstance(part, str) else part
        state.update(len(raw).to_bytes(8, "little") + raw)
    return state.hexdigest()


def digest_file(path: Path) -> str:
    """Hex digest of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=SIZE)).hexdigest()


def digest_array(array: np.ndarray) -> str:
    """Hex digest of an array's dtype, shape and values (little endian, C order)."""
    values = np.ascontiguousarray(array)
    values = values.astype(values.dtype.newbyteorder("<"), copy=False)
    return digest_bytes(values.dtype.str, repr(values.shape), values.tobytes())


def digest_mapping(mapping: Mapping[str, object]) -> str:
    """Hex digest of a flat mapping, independent of its order."""
    return digest_bytes(*(f"{key}={mapping[key]!r}" for key in sorted(mapping)))


def digest_table(frame: pl.DataFrame, *, key: str = "item") -> str:
    """Hex digest of a table's values, independent of row order, column order and file format.

    Categorical columns count by their labels, integers and floats by value, null as its own value.
    """
    rows = frame.sort(key) if key in frame.columns else frame
    parts: list[bytes | str] = [str(rows.height)]
    for name in sorted(rows.columns):
        parts.append(name)
        parts.extend(_column_parts(rows.get_column(name)))
    return digest_bytes(*parts)


def _column_parts(series: pl.Series) -> list[bytes | str]:
    import polars as pl  # noqa: PLC0415  # a table's digest is the only need for it in this room

    nulls = series.is_null().to_numpy()
    if series.dtype.is_float():
        values = series.cast(pl.Float64).fill_null(0.0).to_numpy() + 0.0  # +0.0 folds -0.0 into 0.0
        values[np.isnan(values)] = np.nan  # one NaN, whatever its bits
        return ["float", np.packbits(nulls).tobytes(), values.astype("<f8").tobytes()]
    if series.dtype.is_integer() or series.dtype == pl.Boolean:
        values = series.cast(pl.Int64).fill_null(0).to_numpy()
        return ["int", np.packbits(nulls).tobytes(), values.astype("<i8").tobytes()]
    if series.dtype.is_nested():  # lists and structures, such as landmarks, have no text of their own
        series = pl.Series(series.name, [repr(value) for value in series.to_list()])
    return ["text", np.packbits(nulls).tobytes(), _text_digest(series.cast(pl.String).fill_null(""))]


def _text_digest(text: pl.Series) -> str:
    """What ``digest_bytes`` gives for the cells one by one, at the price of a few passes over their bytes."""
    state = hashlib.blake2b(digest_size=SIZE)
    for start in range(0, len(text), _CELLS):
        cells = text.slice(start, _CELLS)
        lengths = cells.str.len_bytes().to_numpy().astype("<u8")
        ends = np.cumsum(lengths + 8, dtype=np.int64)
        heads = (ends - lengths.astype(np.int64) - 8)[:, None] + np.arange(8)
        stream = np.empty(int(ends[-1]), np.uint8)
        is_text = np.ones(stream.size, bool)
        is_text[heads] = False
        stream[heads] = lengths.view(np.uint8).reshape(-1, 8)
        stream[is_text] = np.frombuffer(cells.str.join("").item().encode(), np.uint8)
        state.update(stream.tobytes())
    return state.hexdigest()
