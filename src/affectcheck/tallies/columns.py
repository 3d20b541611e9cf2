"""Real truth and prediction side by side: checked once, then read one dimension and one chunk at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from affectcheck.errors import InputError
from affectcheck.tallies.tally import chunks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike, NDArray

    from affectcheck.tallies.tally import Cells

    Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Pairs:
    """Truth and prediction, (n, D) each, of a real type.

    Attributes:
        truth: NaN where unknown.
        prediction: finite, which is checked chunk by chunk.
    """

    truth: NDArray[Any]
    prediction: NDArray[Any]

    @classmethod
    def of(cls, truth: ArrayLike, prediction: ArrayLike) -> Pairs:
        """Check types and shapes.

        Raises:
            InputError: they are not two real arrays of one shape (n, D) or (n,).
        """
        arrays = []
        for name, given in (("truth", truth), ("prediction", prediction)):
            array = np.asarray(given)
            if array.dtype.kind not in "fiub":
                raise InputError(f"{name} has the type {array.dtype}", expected="real numbers", cause="text or nulls")
            arrays.append(array[:, None] if array.ndim == 1 else array)
        first, second = arrays
        if first.ndim != 2 or first.shape != second.shape:
            raise InputError(
                f"truth of shape {first.shape}, prediction of shape {second.shape}",
                expected="both (n, D), or both (n,)",
            )
        return cls(first, second)

    @property
    def items(self) -> int:
        """Number of items, n."""
        return int(self.truth.shape[0])

    @property
    def dimensions(self) -> int:
        """Number of dimensions, D."""
        return int(self.truth.shape[1])

    def read(self, dimension: int, where: Cells) -> Iterator[Chunk]:
        """Chunks of one dimension in float64, without the items whose truth is unknown.

        Raises:
            InputError: a prediction is NaN or infinite, or a truth is infinite.
        """
        for rows in chunks(self.items):
            truth = self.truth[rows, dimension].astype(np.float64)
            prediction = self.prediction[rows, dimension].astype(np.float64)
            require_finite(prediction, "prediction", rows.start, dimension)
            codes = where.chunk(rows)
            known = ~np.isnan(truth)
            if known.all():
                require_finite(truth, "truth", rows.start, dimension)
                yield Chunk(truth, prediction, codes, codes[:0] if codes is not None else None, 0)
                continue
            require_finite(np.where(known, truth, 0.0), "truth", rows.start, dimension)
            unknown = None if codes is None else codes[~known]
            yield Chunk(
                truth[known], prediction[known], None if codes is None else codes[known], unknown, int((~known).sum())
            )


@dataclass(frozen=True)
class Chunk:
    """Some items of one dimension.

    Attributes:
        truth, prediction: (k,) float64, finite.
        codes: (k,) cell of each item; None where there is one cell.
        unknown_codes: cells of the items whose truth is unknown.
        unknown: how many those are.
    """

    truth: Floats
    prediction: Floats
    codes: NDArray[np.intp] | None
    unknown_codes: NDArray[np.intp] | None
    unknown: int

    def number_unknown(self, cells: int) -> Floats:
        """Items of unknown truth by cell."""
        codes = self.unknown_codes
        return np.asarray([self.unknown], np.float64) if codes is None else _bins(codes, cells)


def require_finite(values: NDArray[Any], name: str, start: int, dimension: int) -> None:
    """Raise unless all are finite; the message names the first row that is not.

    Raises:
        InputError: NaN or infinite.
    """
    finite = np.isfinite(values)
    if finite.all():
        return
    bad = np.flatnonzero(~finite)
    raise InputError(
        f"{name} is {values[bad[0]]} in dimension {dimension}",
        where=f"row {start + int(bad[0])}",
        expected="a finite number",
        cause="a model that abstains or diverges; leaving such items out would reward it"
        if name == "prediction"
        else "",
    )


def _bins(codes: NDArray[np.intp], cells: int) -> Floats:
    return np.bincount(codes, minlength=cells).astype(np.float64)
