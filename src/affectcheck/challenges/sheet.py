"""What a submission says: a key a row, and what is predicted for it, every cell of it checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, cast

import numpy as np
import polars as pl

from affectcheck.annotations.listing import plural
from affectcheck.challenges.lines import Source
from affectcheck.challenges.member_names import shown
from affectcheck.errors import InputError
from affectcheck.schemes import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.challenges.track import Track
    from affectcheck.schemes import CategoryScheme, DimensionScheme

_SHOWN: Final = 5


@dataclass(frozen=True, eq=False)
class Sheet:
    """Predictions as they were sent.

    Attributes:
        keys: (n,) String, as written.
        values: (n, M) int8 of units, 1 where present; (n,) int16 of categories, the place of the class in the scheme;
            (n, D) float64 of dimensions.
        source: the file, and which row stands where.
    """

    keys: pl.Series
    values: np.ndarray
    source: Source

    @property
    def where(self) -> str:
        """The file."""
        return self.source.where


def sheet_of(frame: pl.DataFrame, track: Track, source: Source) -> Sheet:
    """Predictions from the cells of a file.

    Args:
        frame: the key, then one column for each of ``track.columns``, as numbers, or as text where the coding is
            ``label``; a null is an empty cell.
        track: what the cells mean.
        source: the file, for messages.

    Raises:
        InputError: an empty cell, a number out of range or not finite, a row that is not one-hot, or an unknown class; the
            first lines are named, and how many there are.
    """
    if frame.height == 0:
        raise InputError(
            "no predictions", where=source.where, expected="a line for each prediction below the header", code="E_EMPTY"
        )
    keys, cells = frame.to_series(0), frame.select(frame.columns[1:]).with_columns(pl.col(pl.Boolean).cast(pl.Int8))
    empty = frame.select(pl.any_horizontal(pl.all().is_null())).to_series()
    _require(empty, _Fault("E_EMPTY_CELL", "an empty cell", f"{', '.join(track.columns)} in every row"), source)
    return Sheet(keys, _values(cells, track, source), source)


def _values(cells: pl.DataFrame, track: Track, source: Source) -> np.ndarray:
    if track.file.coding == "label":
        return _classes(cells.to_series(0), track, source)
    if track.file.coding == "value":
        return _numbers(cells, track, source)
    binary = cells.select(pl.all_horizontal((pl.all() == 0) | (pl.all() == 1))).to_series()
    marker = track.labels.marker
    marked = marker is not None and bool(cells.select((pl.all() == marker).any()).sum_horizontal().item())
    cause = _marked(marker) if marked and marker is not None else _BINARY[track.file.coding]
    _require(~binary, _Fault("E_NOT_BINARY", "a cell that is neither 0 nor 1", "0 or 1", cause), source)
    found = cells.cast(pl.Int8).to_numpy()
    if track.file.coding == "indicator":
        return np.ascontiguousarray(found)
    wrong = pl.Series(found.sum(axis=1, dtype=np.int64) != 1)
    several = _Fault("E_NOT_ONE_HOT", "a row that names no class or several", "one 1 a row, 0 in the other columns")
    _require(wrong, several, source)
    codes: np.ndarray = found.argmax(axis=1).astype(np.int16)
    return codes


_BINARY: Final = {
    "indicator": "probabilities; a threshold makes decisions of them",
    "one-hot": "probabilities; the most probable class gets the 1",
}


def _numbers(cells: pl.DataFrame, track: Track, source: Source) -> np.ndarray:
    scheme = cast("DimensionScheme", track.declared)  # a track of values is one of dimensions
    endless = cells.select(pl.any_horizontal(~pl.all().cast(pl.Float64).is_finite())).to_series()
    _require(endless, _Fault("E_NOT_FINITE", "a number that is not finite", "numbers", "a model that diverged"), source)
    outside = cells.select(pl.any_horizontal(~pl.all().is_between(scheme.low, scheme.high))).to_series()
    marker = track.labels.marker
    marked = marker is not None and bool(
        cells.filter(outside).select(pl.any_horizontal(pl.all() == marker)).to_series().any()
    )
    cause = _marked(marker) if marked and marker is not None else ""
    span = f"{scheme.low:g} to {scheme.high:g}"
    _require(outside, _Fault("E_OUT_OF_RANGE", "a number out of range", span, cause), source)
    return np.ascontiguousarray(cells.cast(pl.Float64).to_numpy())


def _marked(marker: float) -> str:
    return f"the marker {marker:g} of annotations; a prediction is needed for every row"


def _classes(cells: pl.Series, track: Track, source: Source) -> np.ndarray:
    scheme = cast("CategoryScheme", track.declared)  # a track of labels is one of categories
    known = scheme.spellings() | {str(code): label for code, label in scheme.codes.items()}
    text = cells.cast(pl.String)
    meaning = {one: known.get(fold(one)) for one in text.unique().to_list()}
    unknown = [one for one, label in meaning.items() if label is None]
    told = f"an unknown class, {', '.join(shown(one) for one in sorted(unknown)[:_SHOWN])},"
    _require(text.is_in(unknown), _Fault("E_UNKNOWN_CLASS", told, ", ".join(scheme.labels)), source)
    codes = {one: scheme.labels.index(label) for one, label in meaning.items() if label is not None}
    found: np.ndarray = text.replace_strict(codes, return_dtype=pl.Int16).to_numpy()
    return found


class _Fault(NamedTuple):
    """What rows may not hold.

    Attributes:
        code, what, expected, cause: of the error.
    """

    code: str
    what: str
    expected: str
    cause: str = ""


def _require(wrong: pl.Series, fault: _Fault, source: Source) -> None:
    """No row is wrong; else the first lines are told, and the number of all."""
    rows = wrong.arg_true()
    if not len(rows):
        return
    lines = ", ".join(str(source.line(row)) for row in rows[:_SHOWN])
    more = f" and {len(rows) - _SHOWN} more" if len(rows) > _SHOWN else ""
    raise InputError(
        f"{fault.what} in {plural(len(rows), 'row')}: line {lines}{more}",
        where=source.place(rows[0]),
        expected=fault.expected,
        cause=fault.cause,
        code=fault.code,
    )


def joined(sheets: Sequence[Sheet], where: str) -> Sheet:
    """The rows of several files, one after the other; lines are those of no file any more."""
    keys = pl.concat([sheet.keys for sheet in sheets])
    return Sheet(keys, np.concatenate([sheet.values for sheet in sheets]), Source(where))
