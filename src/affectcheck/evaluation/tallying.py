"""One pass over the rows for each way to divide them: tallies by cluster, and by cluster and group."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np

from affectcheck.errors import InputError
from affectcheck.evaluation.grouping import EXCLUDED
from affectcheck.schemes import DimensionScheme
from affectcheck.tallies import Confusion, Histogram, Moments, Range, Tally

if TYPE_CHECKING:
    from collections.abc import Callable

    from affectcheck.evaluation.alignment import Aligned
    from affectcheck.evaluation.grouping import Attribute, Clusters

Kind = TypeVar("Kind", bound=Tally)


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

    def whole(self, kind: type[Kind]) -> Kind:
        """Tallies of all items, by cluster (S,)."""
        rows = np.ones(self.aligned.height, bool)
        return self._get(kind, "", lambda: self._count(kind, rows, self.clusters.codes, (self.clusters.size,)))

    def grouped(self, kind: type[Kind], attribute: Attribute) -> Kind:
        """Tallies by cluster and group (S, G); items without a group are left out."""

        def count() -> Tally:
            rows = attribute.codes != EXCLUDED
            groups = len(attribute.groups)
            cells = self.clusters.codes[rows] * groups + attribute.codes[rows]
            return self._count(kind, rows, cells, (self.clusters.size, groups))

        return self._get(kind, attribute.name, count)

    def _get(self, kind: type[Kind], name: str, count: Callable[[], Tally]) -> Kind:
        found = self._counted.get((kind, name))
        if found is None:
            found = self._counted[kind, name] = count()
        return cast("Kind", found)

    def _count(self, kind: type[Tally], rows: np.ndarray, cells: np.ndarray, shape: tuple[int, ...]) -> Tally:
        truth, prediction = self.aligned.truth[rows], self.aligned.prediction[rows]
        where: dict[str, Any] = {"cells": cells, "n_cells": shape}
        if kind is Confusion:
            return Confusion.count(truth, prediction, labels=len(self.aligned.parts), missing="wrong", **where)
        if kind is Moments:
            return Moments.of(truth, prediction, **where)
        if kind is Histogram:
            return Histogram.of(truth, prediction, on=self._range(), **where)
        raise InputError(
            f"a metric of tally {kind.__name__} cannot be scored here", expected="Confusion, Moments or Histogram"
        )

    def _range(self) -> Range:
        scheme = self.aligned.target.scheme
        if not isinstance(scheme, DimensionScheme):
            raise InputError(f"target {self.aligned.target.name!r} has no range", expected="dimensions")
        return Range(scheme.low, scheme.high)
