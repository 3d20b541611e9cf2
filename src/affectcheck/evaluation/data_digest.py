"""Digests of the data that a score depends on: its items with their labels and clusters, and who is in which group.

Groups have a digest of their own, so that a score over all items is signed alike whatever else is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from affectcheck.digest import digest_bytes, digest_table
from affectcheck.evaluation.options import CROSS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import polars as pl

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.schemes import Target

#: Characters of a digest that a signature shows.
DIGEST_SHOWN: Final = 12
#: Columns that say what is resampled, and in which order items follow one another, by which steps change predictions.
ORDER: Final = ("subject", "media", "frame", "start_us")


@dataclass(frozen=True)
class DataDigest:
    """What signatures say of the data.

    Attributes:
        data: name and digest of the items, their labels and clusters.
        members: attribute to the digest of who is in which of its groups.
    """

    data: str
    members: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, table: AnnotationTable, target: Target, attributes: Iterable[str]) -> DataDigest:
        """Of a table in memory.

        Args:
            table: the annotations.
            target: what is scored.
            attributes: by which the items are divided.
        """
        ordered = table.frame.sort("item")
        scored = digest_table(_existing(ordered, ("item", *target.columns, *ORDER)), key="")
        members = {
            name: digest_bytes(scored, digest_table(_existing(ordered, columns_of(name)), key=""))[:DIGEST_SHOWN]
            for name in attributes
        }
        return cls(f"{table.name}@{scored[:DIGEST_SHOWN]}", members)


def columns_of(attribute: str) -> tuple[str, ...]:
    """The group columns that an attribute is made of.

    Example:
        >>> columns_of("age*sex")
        ('age', 'sex')
    """
    return tuple(piece.strip() for piece in attribute.split(CROSS))


def _existing(frame: pl.DataFrame, names: Iterable[str]) -> pl.DataFrame:
    """The columns that are there, each once: with votes as the truth, a table has no labels of its own."""
    return frame.select([name for name in dict.fromkeys(names) if name in frame.columns])
