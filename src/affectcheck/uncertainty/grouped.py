"""Clusters divided by group: only the parts that hold items, however many clusters and groups there are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from affectcheck.tallies import Tally
from affectcheck.uncertainty.stacking import items_by_part, items_of, stack

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

AnyTally = TypeVar("AnyTally", bound=Tally)


@dataclass(frozen=True, eq=False)
class Grouped(Generic[AnyTally]):
    """Tallies by cluster and group, of the parts that hold items.

    A cluster mostly belongs to one group, so that of S times G parts only some S hold anything: a table of them all
    would cost G times the memory and the work of each resample.

    Attributes:
        parts: (K,) tallies, by cluster and within it by group.
        cluster: (K,) cluster of each, from 0 to S - 1.
        group: (K,) group of each, from 0 to G - 1.
        groups: G.
        size: S.
    """

    parts: AnyTally
    cluster: NDArray[np.intp]
    group: NDArray[np.intp]
    groups: int
    size: int

    @classmethod
    def of(cls, tallies: AnyTally) -> Grouped[AnyTally]:
        """From tallies (S, G).

        Example:
            >>> from affectcheck.tallies import Confusion
            >>> table = Confusion.count([0, 1], [0, 0], labels=2, cells=[0, 3], n_cells=(2, 2))
            >>> found = Grouped.of(table)
            >>> found.cluster.tolist(), found.group.tolist(), found.parts.support.tolist()
            ([0, 1], [0, 1], [1, 1])
        """
        cluster, group = np.nonzero(items_of(tallies) > 0)
        return cls(tallies[cluster, group], cluster, group, tallies.shape[1], tallies.shape[0])

    @property
    def shape(self) -> tuple[int, int]:
        """(S, G), as a table of all parts would have."""
        return self.size, self.groups

    @property
    def present(self) -> NDArray[np.bool_]:
        """(S', G) whether each cluster that holds items has some in each group."""
        clusters, rows = np.unique(self.cluster, return_inverse=True)
        found = np.zeros((clusters.size, self.groups), np.bool_)
        found[rows, self.group] = True
        return found

    @property
    def nested(self) -> bool:
        """Whether every cluster lies within one group."""
        return np.unique(self.cluster).size == self.cluster.size

    def kept(self, groups: Sequence[int]) -> Grouped[AnyTally]:
        """Some groups alone, in this order."""
        place = np.full(self.groups, -1, np.intp)
        place[list(groups)] = np.arange(len(groups))
        inside = place[self.group] >= 0
        group = place[self.group[inside]]
        order = np.lexsort((group, self.cluster[inside]))
        rows = np.flatnonzero(inside)[order]
        return Grouped(self.parts[rows], self.cluster[rows], group[order], len(groups), self.size)

    def pooled(self, axis: int = 0) -> AnyTally:
        """(G,) one tally a group; the only axis that can be pooled is that of the clusters, 0."""
        del axis
        return stack([self._of_group(g, None).reshape(1) for g in range(self.groups)])

    def compact(self) -> Grouped[AnyTally]:
        """The same with clusters counted anew from 0, without those that hold nothing."""
        clusters, rows = np.unique(self.cluster, return_inverse=True)
        return Grouped(self.parts, rows.astype(np.intp), self.group, self.groups, clusters.size)

    def clusters_by_part(self) -> NDArray[np.int64]:
        """(G, parts) clusters that hold items of each group, by unit or dimension where these are told apart."""
        held = items_by_part(self.parts) > 0
        return np.stack([held[self.group == g].sum(axis=0) for g in range(self.groups)]).astype(np.int64)

    def weighted(self, weights: ArrayLike) -> AnyTally:
        """Reweight the clusters.

        Args:
            weights: (B, S) how often each cluster enters each of the B results.

        Returns:
            Tallies (B, G).
        """
        matrix = np.asarray(weights)
        rows = matrix.shape[0]
        by_group = [self._of_group(g, matrix) for g in range(self.groups)]
        # One block of B after the other becomes B rows of G.
        order = np.arange(rows * self.groups).reshape(self.groups, rows).T
        return stack(by_group)[order.ravel()].reshape(rows, self.groups)

    def _of_group(self, group: int, weights: NDArray[Any] | None) -> AnyTally:
        """All parts of a group together, or (B,) of them by the weights of their clusters."""
        inside = np.flatnonzero(self.group == group)
        if not inside.size:  # nothing of anything is nothing
            rows = 1 if weights is None else len(weights)
            nothing = self.parts[:1].weighted(np.zeros((rows, 1)))
            return nothing if weights is not None else nothing[0]
        parts = self.parts[inside]
        return parts.pooled(0) if weights is None else parts.weighted(weights[:, self.cluster[inside]])
