"""Counts of action units: the sufficient statistic of every metric of units, of which each cell may be unknown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from affectcheck.errors import InputError
from affectcheck.tallies.confusion import Confusion
from affectcheck.tallies.tally import CHUNK, Cells, Tally, chunks, whole_numbers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray

#: What one unit of one item can be: truth unknown, absent or present, times prediction absent or present.
_STATES = 6
#: Units whose states go into one key: 6**3 states are the most that fit into a byte.
_PACK = 3


@dataclass(frozen=True, eq=False)
class Units(Tally):
    """Counts of items by truth and prediction of each unit; an unknown truth leaves out that unit of the item alone.

    Attributes:
        counts: (..., M, 2, 2) items whose truth of the unit is known, axes truth then prediction, absent then present;
            whole numbers, int64 when counted from items.
        unknown: (..., M) items whose truth of the unit is unknown.
    """

    counts: NDArray[Any]
    unknown: NDArray[Any]

    TRAILING: ClassVar[Mapping[str, int]] = {"counts": 3, "unknown": 1}

    @classmethod
    def zero(cls, units: int, shape: tuple[int, ...] = ()) -> Units:
        """No items: the identity of ``+``.

        Example:
            >>> one = Units.count([[0, 1]], [[0, 0]])
            >>> (one + Units.zero(units=2)).counts.tolist()
            [[[1, 0], [0, 0]], [[0, 0], [1, 0]]]
        """
        return cls(np.zeros((*shape, units, 2, 2), np.int64), np.zeros((*shape, units), np.int64))

    @classmethod
    def of_counts(cls, counts: ArrayLike, unknown: ArrayLike | None = None) -> Units:
        """From two-by-two tables that somebody else counted.

        Args:
            counts: (..., M, 2, 2) whole numbers, axes truth then prediction, absent then present.
            unknown: (..., M) whole numbers, items whose truth is unknown; default none.

        Raises:
            InputError: other shapes, negative or not whole.

        Example:
            >>> Units.of_counts([[[5, 1], [2, 2]]]).support.tolist()
            [10]
        """
        array = _numbers(counts, "counts of units")
        if array.ndim < 3 or array.shape[-2:] != (2, 2):
            raise InputError(
                f"counts of units of shape {array.shape}", expected="(..., M, 2, 2), truth then prediction"
            )
        beside = np.zeros(array.shape[:-2], np.int64) if unknown is None else _numbers(unknown, "unknown items")
        if beside.shape != array.shape[:-2]:
            raise InputError(
                f"unknown items of shape {beside.shape}", expected=f"one number a unit, {array.shape[:-2]}"
            )
        return cls(array, beside)

    @classmethod
    def count(
        cls,
        truth: ArrayLike,
        prediction: ArrayLike,
        *,
        cells: ArrayLike | None = None,
        n_cells: int | tuple[int, ...] | None = None,
    ) -> Units:
        """Count items by cell and unit, in one pass.

        Fastest where each unit lies in one piece (int8, column-major), but any order and integer type will do.

        Args:
            truth: (n, M) 1 present, 0 absent, -1 unknown; or (n,) of a single unit.
            prediction: (n, M) or (n,) decisions, 1 present or 0 absent.
            cells: (n,) code of the cell (group, cluster) that each item belongs to, from 0.
            n_cells: number of cells, or the leading shape that the codes ravel; default the highest code + 1.

        Returns:
            Counts (..., M, 2, 2) with the leading shape of the cells.

        Raises:
            InputError: shapes differ, or a code is not whole or none of these; the message names its row and column.

        Example:
            Two items, two units; the second item's truth of the first unit is unknown.

            >>> tally = Units.count([[1, 0], [-1, 1]], [[1, 0], [1, 0]])
            >>> tally.counts.tolist(), tally.unknown.tolist()
            ([[[0, 0], [0, 1]], [[1, 0], [1, 0]]], [1, 0])
        """
        true, predicted = _columns(truth, "truth"), _columns(prediction, "prediction")
        if true.ndim != 2 or true.shape != predicted.shape:
            raise InputError(
                f"truth of shape {true.shape}, prediction of shape {predicted.shape}",
                expected="both (n, M), or both (n,)",
            )
        items, units = true.shape
        where = Cells.of(cells, n_cells, items)
        packs = _packs(units, where.size)
        totals = [np.zeros(where.size * _STATES ** (pack.stop - pack.start), np.int64) for pack in packs]
        # Adding up a table costs its size, so a pass takes at least as many rows as the largest table has entries.
        for rows in chunks(items, least=max((total.size for total in totals), default=0)):
            states, codes = _states(true, predicted, rows), where.chunk(rows)
            for k, pack in enumerate(packs):
                totals[k] += np.bincount(_key(states[pack], codes), minlength=totals[k].size)
        table = np.empty((where.size, units, 3, 2), np.int64)
        for pack, total in zip(packs, totals, strict=True):
            _unpack(total, table[:, pack])
        return cls(
            np.ascontiguousarray(table[:, :, 1:]).reshape(*where.shape, units, 2, 2),
            table[:, :, 0].sum(axis=-1).reshape(*where.shape, units),
        )

    @property
    def units(self) -> int:
        """M, the number of declared units."""
        return int(self.counts.shape[-3])

    @property
    def confusion(self) -> Confusion:
        """(..., M) two-class counts, absent and present, of which every metric of categories is one of each unit.

        Example:
            >>> Units.of_counts([[[5, 1], [2, 3]]]).confusion.support.tolist()
            [11]
        """
        return Confusion(self.counts, np.zeros(self.counts.shape[:-1], np.int64))

    @property
    def support(self) -> NDArray[Any]:
        """(..., M) items whose truth of the unit is known."""
        return np.asarray(self.counts.sum(axis=(-2, -1)))

    @property
    def positives(self) -> NDArray[Any]:
        """(..., M) items in which the unit is present."""
        return np.asarray(self.counts[..., 1, :].sum(axis=-1))

    @property
    def predicted_positives(self) -> NDArray[Any]:
        """(..., M) items of known truth in which the unit is predicted."""
        return np.asarray(self.counts[..., :, 1].sum(axis=-1))

    @property
    def hits(self) -> NDArray[Any]:
        """(..., M) items in which the unit is present and predicted."""
        return np.asarray(self.counts[..., 1, 1])

    @property
    def correct(self) -> NDArray[Any]:
        """(..., M) items in which the prediction of the unit is right, present or absent."""
        return np.asarray(self.counts[..., 0, 0] + self.counts[..., 1, 1])

    def __add__(self, other: Units) -> Units:
        """Counts of both; leading axes broadcast.

        Raises:
            InputError: the two have other numbers of units.
        """
        if self.units != other.units:
            raise InputError(f"counts of {self.units} and of {other.units} units", expected="one declared set of units")
        return Units(self.counts + other.counts, self.unknown + other.unknown)

    def pooled(self, axis: int = 0) -> Units:
        """Sum over one leading axis."""
        return self._summed(axis)

    def weighted(self, weights: ArrayLike) -> Units:
        """Weights @ counts: exact for whole weights while sums stay below 2**53.

        Args:
            weights: (B, S), S the length of the first leading axis.

        Returns:
            float64 counts with first leading axis B.

        Example:
            >>> tally = Units.count([1, -1], [1, 1], cells=[0, 1])
            >>> mixed = tally.weighted([[2, 0], [1, 1]])
            >>> mixed.hits.tolist(), mixed.unknown.tolist()
            ([[2.0], [1.0]], [[0.0], [1.0]])
        """
        return self._mixed(weights)


def _numbers(given: ArrayLike, name: str) -> NDArray[np.int64]:
    array = np.asarray(given)
    if array.size and not (np.isfinite(array).all() and (array >= 0).all() and (array == np.floor(array)).all()):
        raise InputError(f"{name} that are negative or not whole", expected="numbers of items")
    return array.astype(np.int64)


def _columns(given: ArrayLike, name: str) -> NDArray[Any]:
    """(n, M) integers; a single unit may be given as (n,)."""
    array = whole_numbers(given, f"{name} codes")
    return array[:, None] if array.ndim == 1 else array


def _packs(units: int, cells: int) -> list[slice]:
    """Neighbouring units that are counted together: as many as keep the table of their joint states in cache."""
    width = max((k for k in range(1, _PACK + 1) if cells * _STATES**k <= CHUNK), default=1)
    return [slice(start, min(start + width, units)) for start in range(0, units, width)]


def _states(truth: NDArray[Any], prediction: NDArray[Any], rows: slice) -> NDArray[np.uint8]:
    """(M, b) state of each unit of some items, each unit in one piece; checks the codes."""
    for array, name, low in ((truth, "truth", -1), (prediction, "prediction", 0)):
        block = array[rows]
        if block.size and (int(block.min()) < low or int(block.max()) > 1):
            _refuse(array, name, low)
    states = truth[rows].T.astype(np.int8, order="C")
    states += 1
    states *= 2
    states += prediction[rows].T.astype(np.int8, order="C", copy=False)
    return states.view(np.uint8)


def _key(states: NDArray[np.uint8], codes: NDArray[np.intp] | None) -> NDArray[Any]:
    """Place of each item in the table (cells, 6, ...) of one pack, ravelled."""
    joint: NDArray[Any] = states[0].copy()
    for other in states[1:]:
        joint *= _STATES
        joint += other
    if codes is not None:
        joint = codes * _STATES ** len(states) + joint
    return joint


def _unpack(total: NDArray[np.int64], table: NDArray[np.int64]) -> None:
    """Write the counts of each unit of one pack into (cells, pack, 3, 2)."""
    number = table.shape[1]
    joint = total.reshape(-1, *[_STATES] * number)
    for unit in range(number):
        others = tuple(axis + 1 for axis in range(number) if axis != unit)
        table[:, unit] = joint.sum(axis=others).reshape(-1, 3, 2)


def _refuse(codes: NDArray[Any], name: str, low: int) -> None:
    """Name the first cell that holds no code.

    Raises:
        InputError: always.
    """
    bad = (codes < low) | (codes > 1)
    row, column = np.unravel_index(int(bad.argmax()), bad.shape)
    raise InputError(
        f"{name} code {int(codes[row, column])} stands for nothing ({int(bad.sum())} such cells)",
        where=f"row {row}, column {column}",
        expected="1 present, 0 absent, -1 unknown" if low < 0 else "1 present or 0 absent",
        cause="another marker of what is unknown, such as 999, which is to be stated where the table is read"
        if low < 0
        else "scores that were not decided at a threshold, or items without a prediction",
    )
