"""Tallies that were counted before, by cell: what scores are computed from where rows are too many to keep."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np

from affectcheck.errors import InputError, UnknownNameError
from affectcheck.evaluation.grouping import EXCLUDED
from affectcheck.tallies import Tally
from affectcheck.tallies.merging import merged
from affectcheck.uncertainty.grouped import Grouped

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from affectcheck.evaluation.grouping import Attribute, Clusters

Kind = TypeVar("Kind", bound=Tally)


@dataclass(frozen=True, eq=False)
class Tallied:
    """Tallies by cell, a cell being a combination of groups and cluster that occurs. A source of ``Tallies``.

    Attributes:
        parts: the classes, units or dimensions.
        tallies: kind to its tallies (R, ...), one a cell.
        attributes: by name; their codes are those of cells, each weighing as many items as it has.
        height: items counted.
        divided: clusters, with the cluster of each cell; None where none were asked for.
        lacking: kind of tally to what the predictions lack for it.
        no_items: why no tallies of single items can be had.
    """

    parts: tuple[str, ...]
    tallies: Mapping[type[Tally], Tally]
    attributes: Mapping[str, Attribute]
    height: int
    divided: Clusters | None = None
    lacking: Mapping[type[Tally], str] = field(default_factory=dict)
    no_items: str = "the items were counted, and not kept"
    _made: dict[tuple[type[Tally], str, bool], Tally] = field(default_factory=dict)
    _grouped: dict[tuple[type[Tally], str], Grouped[Any]] = field(default_factory=dict)

    @property
    def clusters(self) -> Clusters:
        """What is resampled as a whole.

        Raises:
            InputError: nothing was counted by cluster.
        """
        if self.divided is None:
            raise InputError(
                "the items were not counted by cluster", expected="a column of clusters, named when counting"
            )
        return self.divided

    @property
    def whole(self) -> bool:
        """Every item counts once and whole."""
        return True

    def by_cluster(self, kind: type[Kind], attribute: Attribute | str | None = None) -> Kind:
        """Tallies by cluster (S,), or by cluster and group (S, G) without the items that have no group."""
        return self._get(kind, self._attribute(attribute), by_cluster=True)

    def pooled(self, kind: type[Kind], attribute: Attribute | str | None = None) -> Kind:
        """One tally of all items, or one a group (G,) of an attribute."""
        return self._get(kind, self._attribute(attribute), by_cluster=False)

    def grouped(self, kind: type[Kind], attribute: Attribute | str) -> Grouped[Kind]:
        """Tallies by cluster and group, of the parts that hold items."""
        found = self._attribute(attribute)
        if found is None:
            raise InputError("tallies by cluster and group", expected="an attribute")
        key = (kind, found.name)
        if key not in self._grouped:
            width, inside = len(found.groups), found.codes != EXCLUDED
            held, place = np.unique((self.clusters.codes * width + found.codes)[inside], return_inverse=True)
            codes = np.full(inside.size, EXCLUDED)
            codes[inside] = place
            parts = merged(self._of(kind), codes, held.size)
            self._grouped[key] = Grouped(parts, held // width, held % width, width, self._number)
        return cast("Grouped[Kind]", self._grouped[key])

    def item_blocks(self, kind: type[Kind], attribute: Attribute | None = None) -> Iterator[Kind]:
        """Tallies of single items: there are none.

        Raises:
            InputError: always.
        """
        del attribute
        raise InputError(f"no tallies {kind.__name__} of single items: {self.no_items}", expected="tallies of cells")

    def lacks(self, kind: type[Tally]) -> str:
        """What the predictions lack for a kind of tally; empty where they lack nothing."""
        return self.lacking.get(kind, "")

    def _attribute(self, attribute: Attribute | str | None) -> Attribute | None:
        if not isinstance(attribute, str):
            return attribute
        if attribute not in self.attributes:
            raise UnknownNameError.of("counted attribute", attribute, self.attributes)
        return self.attributes[attribute]

    def _of(self, kind: type[Kind]) -> Kind:
        """(R,) tallies of one kind."""
        if kind not in self.tallies:
            known = ", ".join(sorted(each.__name__ for each in self.tallies))
            raise InputError(f"a tally {kind.__name__} was not counted", expected=known)
        return cast("Kind", self.tallies[kind])

    @property
    def _number(self) -> int:
        """Clusters, or the lots that items were dealt into."""
        clusters = self.clusters
        return int(clusters.codes.max(initial=-1)) + 1 if clusters.unit == "item" else clusters.size

    def _get(self, kind: type[Kind], attribute: Attribute | None, *, by_cluster: bool) -> Kind:
        key = (kind, attribute.name if attribute else "", by_cluster)
        if key not in self._made:
            self._made[key] = self._merged(kind, attribute, by_cluster)
        return cast("Kind", self._made[key])

    def _merged(self, kind: type[Kind], attribute: Attribute | None, by_cluster: bool) -> Tally:
        cells = self._of(kind)
        codes = np.zeros(cells.shape[0], np.int64)
        shape: tuple[int, ...] = (1,)
        if by_cluster:
            codes, shape = self.clusters.codes, (self._number,)
        if attribute is not None:
            number = len(attribute.groups)
            outside = attribute.codes == EXCLUDED
            codes = np.where(outside, EXCLUDED, codes * number + attribute.codes)
            shape = (*shape, number) if by_cluster else (number,)
        found = merged(cells, codes, int(np.prod(shape)))
        return found.reshape(*shape) if by_cluster or attribute is not None else found[0]
