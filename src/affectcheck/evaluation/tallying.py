"""One pass over the rows for each way to divide them: tallies by cluster, and by cluster and group."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

import numpy as np

from affectcheck.evaluation.counting import COUNTS, count, lacks
from affectcheck.evaluation.grouping import EXCLUDED
from affectcheck.tallies import Tally
from affectcheck.uncertainty import Grouped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from affectcheck.evaluation.alignment import Aligned
    from affectcheck.evaluation.grouping import Attribute, Clusters

Kind = TypeVar("Kind", bound=Tally)

#: Items in one block of single items: small enough for memory, large enough for speed.
BLOCK: Final = 4096
#: Lots that items are dealt into where they are many: the error of an interval's width is 1 in the root of twice it.
MOST_BLOCKS: Final = 2000


@dataclass(eq=False)
class TallyBook:
    """Tallies of the scored items, each counted when it is first asked for.

    Attributes:
        aligned: the items.
        clusters: what is resampled as a whole.
        most_blocks: blocks that items are dealt into where they are clusters of their own and more.
    """

    aligned: Aligned
    clusters: Clusters
    most_blocks: int = MOST_BLOCKS
    _counted: dict[tuple[type[Tally], str], Tally] = field(default_factory=dict)
    _pooled: dict[tuple[type[Tally], str], Tally] = field(default_factory=dict)
    _grouped: dict[tuple[type[Tally], str], Grouped[Any]] = field(default_factory=dict)

    def by_cluster(self, kind: type[Kind], attribute: Attribute | None = None) -> Kind:
        """Tallies by cluster (S,), or by cluster and group (S, G) without the items that have no group.

        Items that are clusters of their own are dealt into blocks where they are many: their sum is the same, and
        what is left out together in a jackknife may be any set of independent units.
        """
        return self._get(kind, attribute, lambda: self._count(kind, attribute, self.blocks, self.n_blocks))

    def pooled(self, kind: type[Kind], attribute: Attribute | None = None) -> Kind:
        """One tally of all items, or one a group (G,)."""
        key = (kind, attribute.name if attribute else "")
        if key not in self._pooled:
            by_cluster = key in self._counted or kind not in COUNTS
            found = self.by_cluster(kind, attribute).pooled(0) if by_cluster else self._count(kind, attribute, None)
            self._pooled[key] = found
        return cast("Kind", self._pooled[key])

    def grouped(self, kind: type[Kind], attribute: Attribute) -> Grouped[Kind]:
        """Tallies by cluster and group, of the parts that hold items."""
        key = (kind, attribute.name)
        if key not in self._grouped:
            self._grouped[key] = self._parts(kind, attribute, self.blocks, self.n_blocks)
        return cast("Grouped[Kind]", self._grouped[key])

    def item_blocks(
        self, kind: type[Kind], attribute: Attribute | None = None
    ) -> Iterator[Kind] | Iterator[Grouped[Kind]]:
        """Tallies with one item each, block after block, so that memory stays flat."""
        for start in range(0, self.aligned.height, BLOCK):
            rows = slice(start, min(start + BLOCK, self.aligned.height))
            number = rows.stop - rows.start
            if attribute is None:
                yield self._count(kind, None, np.arange(number), number, rows)
            else:
                yield self._parts(kind, attribute, np.arange(number), number, rows)

    @property
    def parts(self) -> tuple[str, ...]:
        """The classes, units or dimensions that are scored."""
        return self.aligned.parts

    @property
    def height(self) -> int:
        """Items scored."""
        return self.aligned.height

    @property
    def whole(self) -> bool:
        """Every item counts once and whole."""
        return True

    def lacks(self, kind: type[Tally]) -> str:
        """What the predictions lack for a kind of tally; empty where they lack nothing."""
        return lacks(kind, self.aligned)

    @property
    def n_blocks(self) -> int:
        """Number of clusters, or of the blocks that stand for them."""
        return min(self.clusters.size, self.most_blocks) if self.clusters.unit == "item" else self.clusters.size

    @property
    def blocks(self) -> np.ndarray:
        """(n,) cluster of each item, or block."""
        return self.clusters.codes % self.n_blocks if self.n_blocks < self.clusters.size else self.clusters.codes

    def _of_rows(self, kind: type[Tally], rows: slice, where: dict[str, Any]) -> Tally:
        """The tally of some rows by cell, every row counting once."""
        return count(kind, self.aligned, rows, where)

    def _get(self, kind: type[Kind], attribute: Attribute | None, count: Callable[[], Kind]) -> Kind:
        key = (kind, attribute.name if attribute else "")
        if key not in self._counted:
            self._counted[key] = count()
        return cast("Kind", self._counted[key])

    def _count(  # what is counted, how it is divided, and of which rows
        self,
        kind: type[Kind],
        attribute: Attribute | None,
        units: np.ndarray | None,
        number: int = 1,
        rows: slice = slice(None),
    ) -> Kind:
        """Tallies by unit, and by group; of all units together where none are given."""
        if attribute is None:
            where = {} if units is None else {"cells": units, "n_cells": (number,)}
            return cast("Kind", self._of_rows(kind, rows, where))
        groups = attribute.codes[rows]
        known = len(attribute.groups)
        # Items that are in no group make one more, which is left behind: cheaper than copying the rows of the others.
        outside = groups == EXCLUDED
        cells = np.where(outside, known, groups)
        width = known + bool(outside.any())
        cells = cells if units is None else units * width + cells
        shape = (width,) if units is None else (number, width)
        counted = self._of_rows(kind, rows, {"cells": cells, "n_cells": shape})
        kept = slice(known)
        return cast("Kind", counted[kept] if units is None else counted[:, kept])

    def _parts(
        self, kind: type[Kind], attribute: Attribute, units: np.ndarray, number: int, rows: slice = slice(None)
    ) -> Grouped[Kind]:
        """Tallies by unit and group, of the parts that hold items."""
        codes, width = attribute.codes[rows], len(attribute.groups)
        inside = codes != EXCLUDED
        cells = units * width + codes
        held = np.flatnonzero(np.bincount(cells[inside], minlength=number * width))
        place = np.full(number * width, held.size, np.intp)
        place[held] = np.arange(held.size)
        # Items that are in no group make one more part, which is left behind.
        where = {"cells": np.where(inside, place[cells], held.size), "n_cells": held.size + 1}
        counted = self._of_rows(kind, rows, where)[: held.size]
        return Grouped(cast("Kind", counted), held // width, held % width, width, number)
