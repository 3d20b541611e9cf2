"""Tallies of two predictions of the same items, side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from affectcheck.errors import InputError
from affectcheck.tallies.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike, NDArray

AnyTally = TypeVar("AnyTally", bound=Tally)


@dataclass(frozen=True, eq=False)
class Paired(Tally, Generic[AnyTally]):
    """Two predictions of the same items, tallied over the same leading axes.

    Both enter every resample together, so what the items have in common cancels in a difference of the two.

    Attributes:
        first: tally of the first prediction.
        second: tally of the second.

    Example:
        Two models on two speakers; the second is wrong once.

        >>> from affectcheck.metrics import METRICS
        >>> from affectcheck.tallies import Confusion
        >>> first = Confusion.count([0, 1, 0, 1], [0, 1, 0, 1], labels=2, cells=[0, 0, 1, 1])
        >>> second = Confusion.count([0, 1, 0, 1], [0, 1, 0, 0], labels=2, cells=[0, 0, 1, 1])
        >>> pair = Paired(first, second)
        >>> float(pair.pooled().difference(METRICS.get("accuracy").compute))
        0.25
        >>> pair.exchanged([[False, False], [False, True]]).difference(METRICS.get("accuracy").compute).tolist()
        [0.25, -0.25]
    """

    first: AnyTally
    second: AnyTally

    def __post_init__(self) -> None:
        """Check that the two can be compared.

        Raises:
            InputError: they are tallies of two classes, or over other leading axes.
        """
        kinds = [type(tally).__name__ for tally in (self.first, self.second)]
        if kinds[0] != kinds[1]:
            raise InputError(f"a pair of {kinds[0]} and {kinds[1]}", expected="two tallies of one class")
        if self.first.shape != self.second.shape:
            raise InputError(
                f"a pair of tallies with leading axes {self.first.shape} and {self.second.shape}",
                expected="the same groups and clusters on both sides",
            )

    @classmethod
    def of(cls, first: AnyTally, second: AnyTally) -> Paired[AnyTally]:
        """A pair that is known to hold as many items on both sides.

        Raises:
            InputError: the two are of other classes, leading axes or numbers of items.
        """
        pair = cls(first, second)
        if not np.array_equal(np.asarray(first.support), np.asarray(second.support)):
            raise InputError(
                "a pair of tallies of other numbers of items",
                expected="two predictions of the same items",
                cause="items that only one of the two has predicted",
            )
        return pair

    @property
    def shape(self) -> tuple[int, ...]:
        """Lengths of the leading axes, which both share."""
        return self.first.shape

    @property
    def support(self) -> NDArray[Any]:
        """Items counted on each side."""
        return self.first.support

    def difference(self, statistic: Callable[[Any], NDArray[np.float64]]) -> NDArray[np.float64]:
        """Statistic of the first minus that of the second, NaN where either is undefined."""
        return np.asarray(np.subtract(statistic(self.first), statistic(self.second)), np.float64)

    def exchanged(self, swap: ArrayLike) -> Paired[AnyTally]:
        """First and second exchanged in some of the clusters, then pooled over them: one draw of a permutation test.

        Args:
            swap: (B, S) true where cluster s is exchanged in draw b; S is the length of the first leading axis.

        Returns:
            Pairs with first leading axis B.

        Raises:
            InputError: not truth values, or of another shape.
        """
        chosen = np.asarray(swap)
        if chosen.dtype != np.bool_:
            raise InputError(f"exchanges of the type {chosen.dtype}", expected="true where a cluster is exchanged")
        return Paired(
            self.first.weighted(~chosen) + self.second.weighted(chosen),
            self.first.weighted(chosen) + self.second.weighted(~chosen),
        )

    def __add__(self, other: Paired[AnyTally]) -> Paired[AnyTally]:
        """Both sides added."""
        return Paired(self.first + other.first, self.second + other.second)

    def pooled(self, axis: int = 0) -> Paired[AnyTally]:
        """Both sides pooled over one leading axis."""
        return Paired(self.first.pooled(axis), self.second.pooled(axis))

    def weighted(self, weights: ArrayLike) -> Paired[AnyTally]:
        """Both sides under the same weights (B, S)."""
        return Paired(self.first.weighted(weights), self.second.weighted(weights))

    def joined(self, others: Sequence[Paired[AnyTally]]) -> Paired[AnyTally]:
        """Both sides joined along the first leading axis."""
        return Paired(
            self.first.joined([other.first for other in others]),
            self.second.joined([other.second for other in others]),
        )

    def __getitem__(self, key: Any) -> Paired[AnyTally]:
        """Index the leading axes of both sides."""
        return Paired(self.first[key], self.second[key])

    def reshape(self, *shape: int) -> Paired[AnyTally]:
        """Both sides with leading axes of other lengths."""
        return Paired(self.first.reshape(*shape), self.second.reshape(*shape))
