"""Where tallies come from: rows in memory, or tallies that were counted before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

from affectcheck.tallies import Tally

if TYPE_CHECKING:
    from collections.abc import Iterator

    from affectcheck.evaluation.grouping import Attribute, Clusters
    from affectcheck.uncertainty import Grouped

Kind = TypeVar("Kind", bound=Tally)


class Tallies(Protocol):
    """What scores are computed from; they see nothing else of the items."""

    @property
    def parts(self) -> tuple[str, ...]:
        """The classes, units or dimensions that are scored."""

    @property
    def height(self) -> int:
        """Items scored."""

    @property
    def whole(self) -> bool:
        """Whether every item counts once and whole; false where its shares count, such as those of its votes."""

    @property
    def clusters(self) -> Clusters:
        """What is resampled as a whole."""

    def by_cluster(self, kind: type[Kind], attribute: Attribute | None = None) -> Kind:
        """Tallies by cluster (S,), or by cluster and group (S, G) without the items that have no group."""

    def grouped(self, kind: type[Kind], attribute: Attribute) -> Grouped[Kind]:
        """The same by cluster and group, of the parts that hold items; ``Grouped.of`` makes it from a table of all."""

    def pooled(self, kind: type[Kind], attribute: Attribute | None = None) -> Kind:
        """One tally of all items, or one a group (G,)."""

    def item_blocks(
        self, kind: type[Kind], attribute: Attribute | None = None
    ) -> Iterator[Kind] | Iterator[Grouped[Kind]]:
        """Tallies with one item each (b,), or the parts of (b, G) that hold one, block after block."""

    def lacks(self, kind: type[Tally]) -> str:
        """What the predictions lack for a kind of tally, such as scores; empty where they lack nothing."""
