"""Which pieces are of one person, from how alike they look and who was met together: the most alike are joined first.

Rows are kept up by their best partner, so that a join costs a few rows and not the whole table: an hour of television
has thousands of pieces.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

_OUT: Final = -np.inf  # of pairs that cannot be joined


class Pair(NamedTuple):
    """Two pieces, the one of lower number first."""

    first: int
    second: int


def joined(alike: np.ndarray, met: np.ndarray, *, least: float, margin: float) -> list[list[int]]:
    """Join pieces as long as any two are one person.

    Args:
        alike: (n, n) how alike two look, symmetric.
        met: (n, n) whether two were seen at one time, and so are two people; true of each with itself.
        least: likeness from which two are one person.
        margin: by which they must be more alike than one of them and somebody who was met with the other: who looks
            like the one and was met with the other cannot be both.

    Returns:
        The pieces of each person, in the order of the first that each was joined to.

    Example:
        >>> alike = np.array([[1.0, 0.2, 0.9], [0.2, 1.0, 0.3], [0.9, 0.3, 1.0]])
        >>> joined(alike, np.eye(3, dtype=bool), least=0.8, margin=0.1)
        [[0, 2], [1]]
    """
    table = _Table(alike.astype(np.float64), met.copy())
    people: dict[int, list[int]] = {place: [place] for place in range(len(alike))}
    while (pair := table.best(least)) is not None:
        if table.rival(pair) + margin > table.alike[pair]:
            table.refuse(pair)
        else:
            people[pair.first] += people.pop(pair.second)
            table.join(pair)
    return list(people.values())


class _Table:
    """Likenesses of what is left, and of each row the best that can be joined with it.

    A pair that was refused stays so until one of both is joined with another: what others are joined to only adds
    rivals.
    """

    def __init__(self, alike: np.ndarray, met: np.ndarray) -> None:
        self.alike, self.met = alike, met
        self._free = np.where(met, _OUT, alike)
        self._best = self._free.max(axis=1, initial=_OUT)

    def best(self, least: float) -> Pair | None:
        """The most alike that can be joined; None where they are less alike than that."""
        if not len(self._best):
            return None
        row = int(self._best.argmax())
        if self._best[row] < least:
            return None
        column = int(self._free[row].argmax())
        return Pair(min(row, column), max(row, column))

    def rival(self, pair: Pair) -> float:
        """How alike one of both is to somebody else who was met together with the other."""
        found = [-1.0]
        for one, mate in (pair, pair[::-1]):
            others = self.met[mate].copy()
            others[mate] = False
            found.append(float(self.alike[one][others].max(initial=_OUT)))
        return max(found)

    def refuse(self, pair: Pair) -> None:
        """They are not one person."""
        first, second = pair
        self._free[first, second] = self._free[second, first] = _OUT
        for row in pair:
            self._best[row] = self._free[row].max()

    def join(self, pair: Pair) -> None:
        """The first takes over what the second looks like and whom it met; the second is gone."""
        first, second = pair
        own = self.alike[first, first]
        self.alike[first] = self.alike[:, first] = np.maximum(self.alike[first], self.alike[second])
        self.alike[first, first] = own
        self.met[first] |= self.met[second]
        self.met[:, first] = self.met[first]
        self.alike[second] = self.alike[:, second] = _OUT
        self.met[second] = self.met[:, second] = False
        gone = np.isneginf(self.alike[first])
        changed = np.where(self.met[first] | gone, _OUT, self.alike[first])
        were_best = self._best <= np.maximum(self._free[:, first], self._free[:, second])
        touched = np.flatnonzero(were_best & (self._best > _OUT))
        self._free[first] = self._free[:, first] = changed
        self._free[second] = self._free[:, second] = _OUT
        self._best = np.maximum(self._best, changed)
        for row in {first, second, *touched.tolist()}:
            self._best[row] = self._free[row].max()
