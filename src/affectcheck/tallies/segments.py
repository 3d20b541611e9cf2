"""Moments by cell in one pass: rows of a chunk are sorted by cell, so that each cell is one segment of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from affectcheck.tallies.columns import require_finite
from affectcheck.tallies.tally import chunks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from affectcheck.tallies.columns import Pairs
    from affectcheck.tallies.tally import Cells

    Floats = NDArray[np.float64]

_SIDES: Final = ("truth", "prediction", "difference")


def moments_by_cell(pairs: Pairs, where: Cells) -> dict[str, Floats]:
    """The fields of ``Moments``, (cells, D) each.

    Each chunk's moments of a cell are about the mean of the cell within the chunk, and chunks are merged as Chan,
    Golub and LeVeque do.

    Raises:
        InputError: a prediction is NaN or infinite, or a truth is infinite.
    """
    totals = [_Totals(where.size) for _ in range(pairs.dimensions)]
    for rows in chunks(pairs.items):
        order = _Order.of(where.chunk(rows), where.size, rows.stop - rows.start)
        for dimension, total in enumerate(totals):
            made = _all_known(pairs, rows, dimension, order)
            if made is not None:
                total.add(made, order.present)
                continue
            truth, prediction, known, left = _checked(pairs, rows, dimension, order)
            total.leave(left)
            if known.starts.size:
                total.add(_segments(truth, prediction, known), known.present)
    return {
        name: np.stack([total.fields[name] for total in totals], axis=-1)
        if totals
        else np.empty((where.size, 0), np.float64)
        for name in _Totals(0).fields
    }


@dataclass(frozen=True)
class _Order:
    """Rows of a chunk, sorted by cell.

    Attributes:
        codes: cell of each row in that order; None where there is one cell.
        rows: the order; None where the rows are in it already.
        starts: first row of each segment, in the order.
    """

    codes: NDArray[np.intp] | None
    rows: NDArray[np.intp] | None
    starts: NDArray[np.intp]
    items: int

    @classmethod
    def of(cls, codes: NDArray[np.intp] | None, cells: int, items: int) -> _Order:
        """The order of some codes, stable."""
        if codes is None:
            return cls(None, None, np.zeros(min(items, 1), np.intp), items)
        rows = None if (codes[1:] >= codes[:-1]).all() else _argsort(codes, cells)
        placed = codes if rows is None else codes[rows]
        return cls(placed, rows, _starts(placed), items)

    def taken(self, values: NDArray[Any]) -> NDArray[Any]:
        """Values of the rows, in the order."""
        return values if self.rows is None else values[self.rows]

    def masked(self, kept: NDArray[np.bool_]) -> _Order:
        """Segments of those rows that are kept; the mask is in the order already."""
        codes = None if self.codes is None else self.codes[kept]
        items = int(kept.sum())
        starts = np.zeros(min(items, 1), np.intp) if codes is None else _starts(codes)
        return _Order(codes, None, starts, items)

    @property
    def present(self) -> NDArray[np.intp]:
        """Cells that have a segment."""
        return np.zeros(self.starts.size, np.intp) if self.codes is None else self.codes[self.starts]

    @property
    def lengths(self) -> NDArray[np.intp]:
        """Rows of each segment."""
        return np.diff(np.append(self.starts, self.items))


def _starts(codes: NDArray[np.intp]) -> NDArray[np.intp]:
    if not codes.size:
        return np.empty(0, np.intp)
    return np.concatenate([[0], np.flatnonzero(codes[1:] != codes[:-1]) + 1])


def _argsort(codes: NDArray[np.intp], cells: int) -> NDArray[np.intp]:
    """A stable order by counting, which NumPy does for numbers of up to 16 bits."""
    if cells <= 1 << 16:
        return np.argsort(codes.astype(np.uint8 if cells <= 1 << 8 else np.uint16), kind="stable")
    by_low = np.argsort((codes & 0xFFFF).astype(np.uint16), kind="stable")
    return by_low[np.argsort((codes[by_low] >> 16).astype(np.uint16), kind="stable")]


def _all_known(pairs: Pairs, rows: slice, dimension: int, order: _Order) -> dict[str, Floats] | None:
    """Moments of each segment of a chunk; None unless every value is finite, which their extremes show."""
    # Copied in order first, so that what is then taken out of order lies in cache.
    truth, prediction = (
        order.taken(side[rows, dimension].astype(np.float64)) for side in (pairs.truth, pairs.prediction)
    )
    with np.errstate(invalid="ignore", over="ignore"):
        made = _segments(truth, prediction, order)
    ends = [made[f"{end}_{side}"] for end in ("min", "max") for side in _SIDES[:2]]
    return made if all(np.isfinite(values).all() for values in ends) else None


def _checked(
    pairs: Pairs, rows: slice, dimension: int, order: _Order
) -> tuple[Floats, Floats, _Order, NDArray[np.intp]]:
    """Known truth and prediction of a chunk in order, their segments, and the cells of the rows of unknown truth."""
    truth = pairs.truth[rows, dimension].astype(np.float64)
    prediction = pairs.prediction[rows, dimension].astype(np.float64)
    require_finite(prediction, "prediction", rows.start, dimension)
    unknown = np.isnan(truth)
    require_finite(np.where(unknown, 0.0, truth), "truth", rows.start, dimension)
    truth, prediction, unknown = (order.taken(values) for values in (truth, prediction, unknown))
    left = np.zeros(int(unknown.sum()), np.intp) if order.codes is None else order.codes[unknown]
    return truth[~unknown], prediction[~unknown], order.masked(~unknown), left


class _Totals:
    """Moments of one dimension by cell, chunk after chunk."""

    def __init__(self, cells: int) -> None:
        self.fields = {name: np.zeros(cells) for name in ("n", "unknown")}
        self.fields |= {f"mean_{side}": np.zeros(cells) for side in _SIDES}
        self.fields |= {f"squares_{side}": np.zeros(cells) for side in _SIDES}
        self.fields |= {name: np.zeros(cells) for name in ("products", "sum_abs")}
        for side in _SIDES[:2]:
            self.fields |= {f"min_{side}": np.full(cells, np.inf), f"max_{side}": np.full(cells, -np.inf)}

    def leave(self, unknown: NDArray[np.intp]) -> None:
        """Count rows of unknown truth by their cells."""
        self.fields["unknown"] += np.bincount(unknown, minlength=self.fields["unknown"].size)

    def add(self, made: dict[str, Floats], cells: NDArray[np.intp]) -> None:
        """Merge the segments of a chunk into their cells."""
        old = {name: values[cells] for name, values in self.fields.items()}
        both = old["n"] + made["n"]
        share = old["n"] * made["n"] / both
        shifts = {side: made[f"mean_{side}"] - old[f"mean_{side}"] for side in _SIDES}
        for side in _SIDES:
            squares = old[f"squares_{side}"] + made[f"squares_{side}"] + share * shifts[side] * shifts[side]
            self.fields[f"squares_{side}"][cells] = squares
            moved = old[f"mean_{side}"] + shifts[side] * (made["n"] / both)
            self.fields[f"mean_{side}"][cells] = np.where(old["n"] > 0.0, moved, made[f"mean_{side}"])
        products = old["products"] + made["products"] + share * shifts["truth"] * shifts["prediction"]
        self.fields["products"][cells] = products
        self.fields["sum_abs"][cells] = old["sum_abs"] + made["sum_abs"]
        self.fields["n"][cells] = both
        for side in _SIDES[:2]:
            self.fields[f"min_{side}"][cells] = np.minimum(old[f"min_{side}"], made[f"min_{side}"])
            self.fields[f"max_{side}"][cells] = np.maximum(old[f"max_{side}"], made[f"max_{side}"])


def _segments(truth: Floats, prediction: Floats, order: _Order) -> dict[str, Floats]:
    """Moments of each segment about its own means."""
    starts, lengths = order.starts, order.lengths
    made: dict[str, Floats] = {"n": lengths.astype(np.float64)}
    sides = dict(zip(_SIDES, (truth, prediction, prediction - truth), strict=True))
    from_mean: dict[str, Floats] = {}
    for side, values in sides.items():
        mean = np.add.reduceat(values, starts) / made["n"]
        if side != "difference":
            made[f"min_{side}"] = np.minimum.reduceat(values, starts)
            made[f"max_{side}"] = np.maximum.reduceat(values, starts)
            # A mean lies between the extremes; clipping makes the mean of a constant that constant, to the last bit.
            mean = np.clip(mean, made[f"min_{side}"], made[f"max_{side}"])
        made[f"mean_{side}"] = mean
        from_mean[side] = values - np.repeat(mean, lengths)
        made[f"squares_{side}"] = np.add.reduceat(from_mean[side] * from_mean[side], starts)
    made["products"] = np.add.reduceat(from_mean["truth"] * from_mean["prediction"], starts)
    made["sum_abs"] = np.add.reduceat(np.abs(sides["difference"]), starts)
    return made
