"""Divergences of predicted probabilities from the shares of the truth: one value an item, summed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from affectcheck.errors import InputError
from affectcheck.tallies.probabilities import shares_of_classes
from affectcheck.tallies.tally import Cells, Tally

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Divergences(Tally):
    """Sums over items of what a distribution of classes tells badly of another.

    Attributes:
        n: (...) items.
        unanswered: (...) items without probabilities, which enter ``n`` and nothing else.
        infinite: (...) items of which a class has a share in the truth and the probability 0.
        cross_entropy: (...) sum of the cross-entropies of the other items, in bits.
        entropy: (...) sum of the entropies of the truth of all answered items, in bits.
        jensen_shannon: (...) sum of the Jensen-Shannon distances of all answered items.
    """

    n: Floats
    unanswered: Floats
    infinite: Floats
    cross_entropy: Floats
    entropy: Floats
    jensen_shannon: Floats

    TRAILING: ClassVar[Mapping[str, int]] = dict.fromkeys(
        ("n", "unanswered", "infinite", "cross_entropy", "entropy", "jensen_shannon"), 0
    )

    @classmethod
    def zero(cls, shape: tuple[int, ...] = ()) -> Divergences:
        """No items: the identity of ``+``.

        Example:
            >>> float((Divergences.count([[1, 1]], [[0.5, 0.5]]) + Divergences.zero()).cross_entropy)
            1.0
        """
        return cls(**{name: np.zeros(shape) for name in cls.TRAILING})

    @classmethod
    def count(  # truth and prediction, and keywords that are rarely given together
        cls,
        truth: ArrayLike,
        probabilities: ArrayLike,
        *,
        cells: ArrayLike | None = None,
        n_cells: int | tuple[int, ...] | None = None,
        missing: Literal["error", "wrong"] = "error",
    ) -> Divergences:
        """Compare item by item.

        Args:
            truth: (n, C) votes or shares of each class, 0 or more and not all 0; or (n,) codes of one class an item.
            probabilities: (n, C) of each class; divided by their sum, which has to be nearly 1.
            cells: (n,) code of the cell (group, cluster) that each item belongs to, from 0.
            n_cells: number of cells, or the leading shape that the codes ravel; default the highest code + 1.
            missing: what an item is whose probabilities are all NaN: an ``error``, or a ``wrong`` answer. The latter
                has no distribution to be compared, so it is counted and nothing else.

        Raises:
            InputError: shapes differ, or numbers are no shares or probabilities; the message names the row.

        Example:
            Votes 1 and 1 against probabilities 1/4 and 3/4: 1/2 · 2 + 1/2 · log2(4/3).

            >>> round(float(Divergences.count([[1, 1]], [[0.25, 0.75]]).cross_entropy), 6)
            1.207519
        """
        given = np.asarray(probabilities, np.float64)
        share = _shares(truth, given)
        gone = np.asarray(np.isnan(given).all(axis=1)) if missing == "wrong" else np.zeros(len(given), np.bool_)
        given = shares_of_classes(given, ~gone, 0)
        given = given / np.where(gone, 1.0, given.sum(axis=1))[:, None]
        where = Cells.of(cells, n_cells, len(given))
        items = _of_items(share, given, gone)
        codes = np.zeros(len(given), np.intp) if where.codes is None else where.codes.astype(np.intp)
        sums: dict[str, Any] = {
            name: np.bincount(codes, values, where.size).reshape(where.shape) for name, values in items.items()
        }
        return cls(**sums)

    @property
    def support(self) -> NDArray[Any]:
        """(...) items."""
        return self.n

    def __add__(self, other: Divergences) -> Divergences:
        """Sums of both; leading axes broadcast."""
        return Divergences(**{name: getattr(self, name) + getattr(other, name) for name in self.TRAILING})

    def pooled(self, axis: int = 0) -> Divergences:
        """Sum over one leading axis."""
        return self._summed(axis)

    def weighted(self, weights: ArrayLike) -> Divergences:
        """Weights @ sums.

        Args:
            weights: (B, S), S the length of the first leading axis.

        Returns:
            Divergences with first leading axis B.
        """
        return self._mixed(weights)


def _shares(truth: ArrayLike, given: Floats) -> Floats:
    """(n, C) shares of the truth, whether it is codes, votes or shares."""
    true = np.asarray(truth)
    if given.ndim != 2 or (true.shape != given.shape and true.shape != given.shape[:1]):
        raise InputError(
            f"truth of shape {true.shape}, probabilities of shape {given.shape}",
            expected="(n, C) or (n,), and (n, C): a probability for each declared class",
        )
    if true.ndim == 1:
        _require((true >= 0) & (true < given.shape[1]), "truth", f"codes 0 … {given.shape[1] - 1}")
        return np.asarray(np.eye(given.shape[1])[true.astype(np.intp)])
    share = true.astype(np.float64)
    total = share.sum(axis=1)
    _require(np.isfinite(share).all(axis=1) & (share >= 0.0).all(axis=1) & (total > 0.0), "truth", "votes, not all 0")
    return np.asarray(share / total[:, None])


def _require(good: NDArray[np.bool_], name: str, expected: str) -> None:
    if not good.all():
        bad = np.flatnonzero(~good)
        raise InputError(f"{name} are none ({bad.size} such rows)", where=f"row {int(bad[0])}", expected=expected)


def _of_items(share: Floats, given: Floats, gone: NDArray[np.bool_]) -> dict[str, Floats]:
    voted = share > 0.0
    infinite = (voted & (given == 0.0)).any(axis=1) & ~gone
    safe = np.where(given > 0.0, given, 1.0)
    cross = -(share * np.log2(safe)).sum(axis=1)
    own = -(share * np.log2(np.where(voted, share, 1.0))).sum(axis=1)
    answered = ~gone
    return {
        "n": np.ones(len(share)),
        "unanswered": gone.astype(np.float64),
        "infinite": infinite.astype(np.float64),
        "cross_entropy": np.where(infinite | gone, 0.0, np.maximum(cross, 0.0)),
        "entropy": np.where(answered, np.maximum(own, 0.0), 0.0),
        "jensen_shannon": np.where(answered, jensen_shannon_distance(share, given), 0.0),
    }


def jensen_shannon_distance(first: Floats, second: Floats) -> Floats:
    """Root of the base-2 Jensen-Shannon divergence of shares along the last axis.

    Each class's part of the divergence is written as a function of its relative difference d = (p-q)/(p+q), which is
    never negative and loses no digits where the two nearly agree.

    Args:
        first: (..., C) shares that add up to 1.
        second: the same.

    Returns:
        (...) distances in 0 … 1; NaN where either has none.

    Example:
        >>> float(jensen_shannon_distance(np.array([1.0, 0.0]), np.array([0.0, 1.0])))
        1.0
    """
    total = first + second
    d = np.divide(first - second, total, out=np.zeros_like(total), where=total > 0.0)
    inside = np.abs(d) < 1.0
    safe = np.where(inside, d, 0.0)
    terms = np.where(inside, np.log1p(-safe * safe) + 2.0 * safe * np.arctanh(safe), 2.0 * np.log(2.0))
    divergence = (total * terms).sum(axis=-1) / (4.0 * np.log(2.0))
    return np.asarray(np.minimum(np.sqrt(divergence), 1.0))
