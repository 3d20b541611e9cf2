"""One pass over the rows for each way to divide them: tallies by cluster, and by cluster and group."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

import numpy as np

from affectcheck.errors import InputError
from affectcheck.evaluation.grouping import EXCLUDED
from affectcheck.schemes import DimensionScheme
from affectcheck.tallies import Confusion, Histogram, Moments, Range, Tally

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from affectcheck.evaluation.alignment import Aligned
    from affectcheck.evaluation.grouping import Attribute, Clusters

Kind = TypeVar("Kind", bound=Tally)

#: Items in one block of single items: small enough for memory, large enough for speed.
BLOCK: Final = 4096
#: A delete-a-block jackknife over more blocks than this is no more exact.
MOST_BLOCKS: Final = 400


@dataclass(eq=False)
class TallyBook:
    """Tallies of the scored items, each counted when it is first asked for.

    Attributes:
        aligned: the items.
        clusters: what is resampled as a whole.
    """

    aligned: Aligned
    clusters: Clusters
    _counted: dict[tuple[type[Tally], str], Tally] = field(default_factory=dict)

    def by_cluster(self, kind: type[Kind], attribute: Attribute | None = None) -> Kind:
        """Tallies by cluster (S,), or by cluster and group (S, G) without the items that have no group.

        Items that are clusters of their own are dealt into blocks where they are many: their sum is the same, and
        what is left out together in a jackknife may be any set of independent units.
        """
        return self._get(kind, attribute, lambda: self._count(kind, attribute, self.blocks, self.n_blocks))

    def pooled(self, kind: type[Kind], attribute: Attribute | None = None) -> Kind:
        """One tally of all items, or one a group (G,)."""
        return self.by_cluster(kind, attribute).pooled(0)

    def item_blocks(self, kind: type[Kind], attribute: Attribute | None = None) -> Iterator[Kind]:
        """Tallies with one item each (b,) or (b, G), block after block, so that memory stays flat."""
        for start in range(0, self.aligned.height, BLOCK):
            rows = slice(start, min(start + BLOCK, self.aligned.height))
            yield self._count(kind, attribute, np.arange(rows.stop - rows.start), rows.stop - rows.start, rows)

    @property
    def parts(self) -> tuple[str, ...]:
        """The classes, units or dimensions that are scored."""
        return self.aligned.parts

    @property
    def height(self) -> int:
        """Items scored."""
        return self.aligned.height

    def why_no_items(self, kind: type[Tally]) -> str:
        """Why there are no tallies of single items: rows in memory always have them."""
        del kind
        return ""

    @property
    def n_blocks(self) -> int:
        """Number of clusters, or of the blocks that stand for them."""
        return min(self.clusters.size, MOST_BLOCKS) if self.clusters.unit == "item" else self.clusters.size

    @property
    def blocks(self) -> np.ndarray:
        """(n,) cluster of each item, or block."""
        return self.clusters.codes % self.n_blocks if self.n_blocks < self.clusters.size else self.clusters.codes

    def _get(self, kind: type[Kind], attribute: Attribute | None, count: Callable[[], Kind]) -> Kind:
        key = (kind, attribute.name if attribute else "")
        if key not in self._counted:
            self._counted[key] = count()
        return cast("Kind", self._counted[key])

    def _count(  # what is counted, how it is divided, and of which rows
        self,
        kind: type[Kind],
        attribute: Attribute | None,
        units: np.ndarray,
        number: int,
        rows: slice = slice(None),
    ) -> Kind:
        truth, prediction = self.aligned.truth[rows], self.aligned.prediction[rows]
        cells = units
        shape: tuple[int, ...] = (number,)
        if attribute is not None:
            groups = attribute.codes[rows]
            known = groups != EXCLUDED
            truth, prediction = truth[known], prediction[known]
            cells, shape = units[known] * len(attribute.groups) + groups[known], (number, len(attribute.groups))
        where: dict[str, Any] = {"cells": cells, "n_cells": shape}
        counted: Tally
        if kind is Confusion:
            counted = Confusion.count(truth, prediction, labels=len(self.aligned.parts), missing="wrong", **where)
        elif kind is Moments:
            counted = Moments.of(truth, prediction, **where)
        elif kind is Histogram:
            counted = Histogram.of(truth, prediction, on=self._range(), **where)
        else:
            raise InputError(
                f"a tally {kind.__name__} cannot be counted here", expected="Confusion, Moments, Histogram"
            )
        return cast("Kind", counted)

    def _range(self) -> Range:
        scheme = self.aligned.target.scheme
        if not isinstance(scheme, DimensionScheme):
            raise InputError(f"target {self.aligned.target.name!r} has no range", expected="dimensions")
        return Range(scheme.low, scheme.high)
