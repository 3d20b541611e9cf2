"""Real truth and prediction by bin: the sufficient statistic of recall and precision in a range of values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from affectcheck.errors import InputError
from affectcheck.tallies.columns import Pairs
from affectcheck.tallies.tally import Cells, Tally

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import ArrayLike, NDArray

#: Inner edges of the four bins on [0, 1] of paper 2.
EDGES: Final = (0.25, 0.5, 0.75)


@dataclass(frozen=True, eq=False)
class Binned(Tally):
    """Counts by bin of the truth and bin of the prediction, one table a dimension.

    Bins are closed on the right, and the outer ones are open at their far end, so that no value is outside: edges
    .25, .5, .75 make (-inf, .25], (.25, .5], (.5, .75], (.75, inf).

    Attributes:
        counts: (..., D, K, K) items, axes bin of the truth then bin of the prediction.
        unknown: (..., D) items whose truth is unknown.
        edges: the K - 1 inner edges.
    """

    counts: NDArray[Any]
    unknown: NDArray[Any]
    edges: tuple[float, ...] = EDGES

    TRAILING: ClassVar[Mapping[str, int]] = {"counts": 3, "unknown": 1}

    @classmethod
    def zero(cls, dimensions: int, shape: tuple[int, ...] = (), edges: tuple[float, ...] = EDGES) -> Binned:
        """No items: the identity of ``+``.

        Example:
            >>> Binned.zero(dimensions=2).counts.shape
            (2, 4, 4)
        """
        bins = len(edges) + 1
        full = (*shape, dimensions)
        return cls(np.zeros((*full, bins, bins), np.int64), np.zeros(full, np.int64), edges)

    @classmethod
    def of(
        cls,
        truth: ArrayLike,
        prediction: ArrayLike,
        *,
        edges: tuple[float, ...] = EDGES,
        cells: ArrayLike | None = None,
        n_cells: int | tuple[int, ...] | None = None,
    ) -> Binned:
        """Count items by bin, compared in float64.

        Args:
            truth: (n, D); NaN where a dimension's truth is unknown, which leaves the item out of it. (n,) means D = 1.
            prediction: (n, D), finite.
            edges: inner edges in the unit of the scheme, rising; ``inner_edges`` makes equal bins on a range.
            cells: (n,) code of the cell (group, cluster) that each item belongs to, from 0.
            n_cells: number of cells, or the leading shape that the codes ravel; default the highest code + 1.

        Returns:
            Counts (..., D, K, K) with the leading shape of the cells.

        Raises:
            InputError: shapes differ, edges do not rise, a prediction is NaN or infinite, a truth is infinite.

        Example:
            >>> Binned.of([0.25, 0.9], [0.3, 0.8]).counts[0].tolist()
            [[0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 1]]
        """
        inner = np.asarray(edges, np.float64)
        if inner.ndim != 1 or not np.isfinite(inner).all() or (np.diff(inner) <= 0).any():
            raise InputError(f"edges of bins {edges}", expected="finite numbers that rise")
        pairs = Pairs.of(truth, prediction)
        where = Cells.of(cells, n_cells, pairs.items)
        counts, unknown = joint_counts(
            pairs, where, lambda values: np.searchsorted(inner, values, side="left"), inner.size + 1
        )
        return cls(counts, unknown, tuple(float(edge) for edge in inner))

    @property
    def dimensions(self) -> int:
        """D, the number of dimensions."""
        return int(self.counts.shape[-3])

    @property
    def bins(self) -> int:
        """K, the number of bins."""
        return int(self.counts.shape[-1])

    @property
    def options(self) -> tuple[str, ...]:
        """The edges, for signatures."""
        return (f"edges={'/'.join(f'{edge:.12g}' for edge in self.edges)}",)

    @property
    def support(self) -> NDArray[Any]:
        """(..., D) items whose truth is known."""
        return np.asarray(self.counts.sum(axis=(-2, -1)))

    def names(self, dimensions: tuple[str, ...]) -> tuple[str, ...]:
        """Names of the bins of every dimension, dimension by dimension.

        Example:
            >>> Binned.zero(dimensions=1, edges=(0.5,)).names(("valence",))
            ('valence (-inf, 0.5]', 'valence (0.5, inf)')
        """
        ends = ["-inf", *(f"{edge:.12g}" for edge in self.edges), "inf"]
        closing = ["]"] * len(self.edges) + [")"]
        spans = [f"({low}, {high}{end}" for low, high, end in zip(ends, ends[1:], closing, strict=False)]
        return tuple(f"{dimension} {span}" for dimension in dimensions for span in spans)

    def __add__(self, other: Binned) -> Binned:
        """Counts of both; leading axes broadcast.

        Raises:
            InputError: the two have other edges or numbers of dimensions.
        """
        if self.edges != other.edges or self.dimensions != other.dimensions:
            raise InputError(
                f"bins of {self.dimensions} dimensions at {self.edges} and of {other.dimensions} at {other.edges}",
                expected="one declared scheme and one set of edges",
            )
        return Binned(self.counts + other.counts, self.unknown + other.unknown, self.edges)

    def pooled(self, axis: int = 0) -> Binned:
        """Sum over one leading axis."""
        return self._summed(axis)

    def weighted(self, weights: ArrayLike) -> Binned:
        """Weights @ counts.

        Args:
            weights: (B, S), S the length of the first leading axis.

        Returns:
            float64 counts with first leading axis B.

        Example:
            >>> Binned.of([0.1, 0.9], [0.1, 0.1], cells=[0, 1]).weighted([[2, 1]]).counts[0, 0, :, 0].tolist()
            [2.0, 0.0, 0.0, 1.0]
        """
        return self._mixed(weights)


def inner_edges(low: float, high: float, bins: int = 4) -> tuple[float, ...]:
    """Inner edges of equal bins on a declared range.

    Example:
        >>> inner_edges(-1.0, 1.0)
        (-0.5, 0.0, 0.5)
    """
    return tuple(low + (high - low) * k / bins for k in range(1, bins))


def joint_counts(
    pairs: Pairs, where: Cells, code_of: Callable[[NDArray[np.float64]], NDArray[Any]], codes: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Counts by code of the truth and of the prediction, and items of unknown truth, by cell and dimension.

    Args:
        pairs: the items.
        where: their cells.
        code_of: code of each value, 0 … codes - 1.
        codes: number of codes, K.

    Returns:
        (..., D, K, K) and (..., D).
    """
    counts = np.zeros((pairs.dimensions, where.size * codes * codes), np.int64)
    unknown = np.zeros((pairs.dimensions, where.size), np.int64)
    for d in range(pairs.dimensions):
        for part in pairs.read(d, where):
            key = code_of(part.truth) * codes + code_of(part.prediction)
            if part.codes is not None:
                key += part.codes * (codes * codes)
            counts[d] += np.bincount(key, minlength=counts.shape[1])
            unknown[d] += part.number_unknown(where.size).astype(np.int64)
    table = np.moveaxis(counts.reshape(pairs.dimensions, where.size, codes, codes), 0, 1)
    return (
        np.ascontiguousarray(table).reshape(*where.shape, pairs.dimensions, codes, codes),
        np.ascontiguousarray(unknown.T).reshape(*where.shape, pairs.dimensions),
    )
