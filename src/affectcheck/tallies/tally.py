"""What every tally can do: merge, pool over an axis, be indexed and be reweighted, always over leading axes."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from affectcheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

#: Rows per pass: small enough for its temporaries to stay in cache, so memory stays flat whatever the data's size.
CHUNK = 65_536


@dataclass(frozen=True, eq=False)
class Tally(ABC):
    """A sufficient statistic over any leading axes (group, cluster, resample).

    Tallies of disjoint items add up: ``tally(A) + tally(B)`` is the tally of A and B together; adding is associative
    and commutative (counts exactly, real sums up to rounding), and ``zero`` is its identity. So files, workers and
    groups merge without their rows.
    """

    #: Array fields, and how many of each one's last axes belong to the tally; the axes before are leading.
    TRAILING: ClassVar[Mapping[str, int]] = {}

    @property
    def shape(self) -> tuple[int, ...]:
        """Lengths of the leading axes; ``()`` for one tally."""
        name, axes = next(iter(self.TRAILING.items()))
        array = getattr(self, name)
        return tuple(array.shape[: array.ndim - axes])

    @property
    @abstractmethod
    def support(self) -> NDArray[Any]:
        """Items counted, over the leading axes (and, for dimensions, one number a dimension)."""

    @property
    def options(self) -> tuple[str, ...]:
        """What the tally was counted by and a signature must name, such as ``bins=15``."""
        return ()

    @abstractmethod
    def __add__(self, other: Self) -> Self:
        """The tally of both sets of items; leading axes broadcast."""

    @abstractmethod
    def pooled(self, axis: int = 0) -> Self:
        """Merge all tallies along one leading axis into one."""

    @abstractmethod
    def weighted(self, weights: ArrayLike) -> Self:
        """Reweight the tallies along the first leading axis.

        Args:
            weights: (B, S) non-negative: how often each of the S tallies enters each of the B results.

        Returns:
            A tally whose first leading axis has length B.
        """

    def dealt(self, groups: NDArray[Any], number: int) -> Self:
        """Deal the tallies along the first leading axis out to groups, in several ways.

        Args:
            groups: (B, S) the group, from 0, that each of the S tallies goes to in each of the B results.
            number: of groups.

        Returns:
            A tally whose first leading axes have the lengths B and ``number``.
        """
        weights = groups[:, None, :] == np.arange(number)[:, None]
        return self.weighted(weights.reshape(len(groups) * number, -1)).reshape(len(groups), number, *self.shape[1:])

    def __getitem__(self, key: Any) -> Self:
        """Index the leading axes only."""
        index = key if isinstance(key, tuple) else (key,)
        return self._map(lambda array, axes: array[(*index, *[slice(None)] * axes)])

    def reshape(self, *shape: int) -> Self:
        """The same tallies with leading axes of other lengths; one may be -1, as in NumPy."""
        size = math.prod(self.shape)
        known = math.prod(length for length in shape if length != -1)
        lead = tuple(size // max(known, 1) if length == -1 else length for length in shape)
        return self._map(lambda array, axes: array.reshape(*lead, *array.shape[array.ndim - axes :]))

    def joined(self, others: Sequence[Self]) -> Self:
        """The tallies of several, one after the other along the first leading axis; nothing is merged."""
        changed: dict[str, Any] = {
            name: np.concatenate([getattr(part, name) for part in (self, *others)]) for name in self.TRAILING
        }
        return replace(self, **changed)

    def _map(self, change: Callable[[NDArray[Any], int], NDArray[Any]]) -> Self:
        changed: dict[str, Any] = {name: change(getattr(self, name), axes) for name, axes in self.TRAILING.items()}
        return replace(self, **changed)

    def _summed(self, axis: int) -> Self:
        """``pooled`` of a tally whose fields are all sums over items."""
        lead = self._leading_axis(axis)
        return self._map(lambda array, _: array.sum(axis=lead))

    def _mixed(self, weights: ArrayLike) -> Self:
        """``weighted`` of a tally whose fields are all sums over items."""
        product = Product(self._checked_weights(weights))
        return self._map(lambda array, _: product.of(array))

    def _leading_axis(self, axis: int) -> int:
        """The axis as a non-negative number, so that it cannot reach into the trailing axes."""
        count = len(self.shape)
        if not -count <= axis < count:
            raise InputError(
                f"a tally with leading axes {self.shape} has no axis {axis}",
                expected="an axis of the group, cluster or resample kind",
                cause="the tally was counted without cells, or has been pooled already",
            )
        return axis % count

    def _weights(self, weights: ArrayLike) -> NDArray[np.float64]:
        """Checked weights as float64, in which whole numbers stay exact up to 2**53."""
        return self._checked_weights(weights).astype(np.float64, copy=False)

    def _checked_weights(self, weights: ArrayLike) -> NDArray[Any]:
        """Weights of the type they have."""
        self._leading_axis(0)
        matrix = np.asarray(weights)
        if matrix.ndim != 2 or matrix.shape[1] != self.shape[0]:
            raise InputError(
                f"weights of shape {matrix.shape} for {self.shape[0]} tallies",
                expected=f"(B, {self.shape[0]}): one weight for each tally along the first axis",
            )
        if matrix.size and matrix.dtype.kind not in "bu" and not matrix.min() >= 0.0:
            raise InputError("a weight is negative or NaN", expected="how often a tally enters, 0 or more")
        return matrix


class Product:
    """Weights @ sums, in which whole numbers stay exact.

    Sums of float32 are exact below 2**24 and take half the time of those of float64, which are exact below 2**53.
    """

    def __init__(self, weights: NDArray[Any]) -> None:
        """Of checked weights (B, S)."""
        self._weights = weights
        self._high = int(weights.max(initial=0)) if weights.dtype.kind in "bu" else None
        self._typed: dict[type[np.floating[Any]], NDArray[Any]] = {}

    def of(self, sums: NDArray[Any]) -> NDArray[np.float64]:
        """(B, ...) from (S, ...)."""
        flat = sums.reshape(sums.shape[0], -1)
        kind: type[np.floating[Any]] = np.float64
        if self._high is not None and flat.dtype.kind in "iu":
            total = int(flat.sum(axis=0).max(initial=0))
            if total == 0:
                return np.zeros((self._weights.shape[0], *sums.shape[1:]))
            kind = np.float32 if self._high * total < 1 << 24 else np.float64
        if kind not in self._typed:
            self._typed[kind] = self._weights.astype(kind, copy=False)
        made = self._typed[kind] @ flat.astype(kind)
        return made.astype(np.float64, copy=False).reshape(-1, *sums.shape[1:])


@dataclass(frozen=True)
class Cells:
    """Where each item is counted: a code for each item, and the leading shape that the codes ravel.

    Attributes:
        codes: (n,) from 0, or None where everything belongs to one tally.
        shape: the leading shape.
    """

    codes: NDArray[Any] | None
    shape: tuple[int, ...]

    @property
    def size(self) -> int:
        """Number of cells."""
        return math.prod(self.shape)

    @classmethod
    def of(cls, codes: ArrayLike | None, n_cells: int | tuple[int, ...] | None, items: int) -> Cells:
        """Check codes against their number and that of the items.

        Args:
            codes: (n,) cell of each item, from 0; None for one tally of all.
            n_cells: number of cells, or the leading shape that the codes ravel; None takes the highest code + 1.
            items: n.

        Raises:
            InputError: codes and items differ in number, a code is out of range or not whole.
        """
        if codes is None:
            if n_cells is not None:
                raise InputError("n_cells is given without cells", expected="the cell of each item")
            return cls(None, ())
        array = whole_numbers(codes, "cells")
        if array.shape != (items,):
            raise InputError(f"cells of shape {array.shape} for {items} items", expected="one cell code an item")
        high = int(array.max()) + 1 if items else 0
        shape = (high,) if n_cells is None else (n_cells,) if isinstance(n_cells, int) else tuple(n_cells)
        require_codes(array, math.prod(shape), "cell", "groups or clusters that were not all declared")
        return cls(array, shape)

    def chunk(self, rows: slice) -> NDArray[np.intp] | None:
        """Codes of some rows, ready for ``bincount``."""
        return None if self.codes is None else self.codes[rows].astype(np.intp, copy=False)


def whole_numbers(codes: ArrayLike, name: str) -> NDArray[Any]:
    """The codes as an integer array.

    Raises:
        InputError: they are not integers.
    """
    array = np.asarray(codes)
    if array.size == 0:
        return array.astype(np.intp)
    if array.dtype.kind not in "iub":
        raise InputError(
            f"{name} have the type {array.dtype}",
            expected="integer codes",
            cause="labels were not encoded, or missing values turned integers into floats",
        )
    return array


def require_codes(codes: NDArray[Any], high: int, name: str, cause: str, start: int = 0) -> None:
    """Raise unless all codes lie in 0 … high - 1; the message names the first that does not, counted from ``start``.

    Raises:
        InputError: a code is out of range.
    """
    if codes.size == 0 or (int(codes.min()) >= 0 and int(codes.max()) < high):
        return
    bad = np.flatnonzero((codes < 0) | (codes >= high))
    raise InputError(
        f"{name} code {int(codes[bad[0]])} is not one of {high} ({bad.size} such rows)",
        where=f"row {start + int(bad[0])}",
        expected=f"0 … {high - 1}" if high else "no rows at all",
        cause=cause,
    )


def chunks(items: int, least: int = 0) -> tuple[slice, ...]:
    """Slices of at most ``CHUNK`` rows, or of ``least`` if that is more, which cover all items in order."""
    width = max(CHUNK, least)
    return tuple(slice(start, min(start + width, items)) for start in range(0, items, width))
