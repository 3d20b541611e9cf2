"""Counts of a data set by its sets and values: the frames that statistics, reports and published tables share."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, Literal

import polars as pl

from affectcheck.partitions.balance import SIZE
from affectcheck.partitions.set_names import meant, natural

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Role = Literal["size", "group", "label", "unit", "region"]

#: The set of the items that a partition puts nowhere.
NOWHERE: Final = "(in no set)"
#: The one set of a data set that is not divided.
ALL: Final = "all"
_ROLES: Final[tuple[Role, ...]] = ("size", "group", "label", "unit", "region")
_PROTOCOL: Final = ("train", "validation", "test")
FRAME: Final = {
    "partition": pl.String,
    "set": pl.String,
    "column": pl.String,
    "value": pl.String,
    "count": pl.Int64,
    "subjects": pl.Int64,
}
CROSS: Final = {
    "partition": pl.String,
    "set": pl.String,
    "column": pl.String,
    "value": pl.String,
    "by": pl.String,
    "by_value": pl.String,
    "count": pl.Int64,
}
PLANE: Final = {
    "partition": pl.String,
    "set": pl.String,
    "valence": pl.Float64,
    "arousal": pl.Float64,
    "count": pl.Int64,
}


@dataclass(frozen=True)
class Described:
    """A column that is counted.

    Attributes:
        name: of the column; ``items`` for the size.
        role: the size, a group attribute, the labels of categories, one unit, or regions of dimensions.
        of: the target that a label, unit or region belongs to; empty for others.
    """

    name: str
    role: Role
    of: str = ""


@dataclass(frozen=True)
class Division:
    """One way to divide the data.

    Attributes:
        name: of the partition.
        sets: in the order of the protocol; the items that are in none come last, under ``NOWHERE``.
        ratios: what was asked for; empty where nobody asked.
        unit: what is counted, such as ``images``.
    """

    name: str
    sets: tuple[str, ...]
    ratios: tuple[float, ...] = ()
    unit: str = "items"

    @property
    def real(self) -> tuple[str, ...]:
        """The sets without ``NOWHERE``."""
        return tuple(name for name in self.sets if name != NOWHERE)


@dataclass(frozen=True, eq=False)
class Statistics:
    """How many items of every value are in every set, for one or several partitions.

    Attributes:
        frame: ``partition, set, column, value, count, subjects``: one row a cell, zeros included. Subjects are null
            where nobody says whose items these are. The size stands under ``items`` and ``all``.
        cross: ``partition, set, column, value, by, by_value, count``: each label or unit by each group.
        columns: what is counted, in order.
        divisions: the partitions, in order.
        name: of the data.
        plane: ``partition, set, valence, arousal, count``: items in squares of the plane, by their lower corner.
        square: side of such a square.
        low: lower end of both dimensions.
        digest: of the data.
        people: subjects in the data; None where nobody says whose items these are.
        source: where published counts are printed; empty for counted ones.
        notes: what must be read with them.
    """

    frame: pl.DataFrame
    cross: pl.DataFrame
    columns: tuple[Described, ...]
    divisions: tuple[Division, ...]
    name: str = ""
    plane: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema=PLANE))
    square: float = 0.1
    low: float = -1.0
    digest: str = ""
    people: int | None = None
    source: str = ""
    notes: tuple[str, ...] = ()

    def division(self, name: str) -> Division:
        """A partition by its name."""
        return next(one for one in self.divisions if one.name == name)

    def values(self, column: str, partition: str | None = None) -> tuple[str, ...]:
        """Values of a column, in order; of one partition, or of all."""
        rows = self.frame.filter(pl.col("column") == column)
        if partition is not None:
            rows = rows.filter(pl.col("partition") == partition)
        return tuple(rows.get_column("value").unique(maintain_order=True))

    def counts(self, partition: str, column: str) -> dict[tuple[str, str], int]:
        """Count by set and value of one column; a cell that a source does not give is not in it."""
        rows = self.frame.filter(pl.col("partition") == partition, pl.col("column") == column).drop_nulls("count")
        return {(part, value): count for part, value, count in rows.select("set", "value", "count").iter_rows()}

    def sizes(self, partition: str) -> dict[str, int]:
        """Items of every set."""
        return {part: count for (part, _), count in self.counts(partition, SIZE[0]).items()}

    def rows(self) -> list[dict[str, Any]]:
        """The frame as plain rows, each with its share of the set and of the value's items over all sets."""
        return with_shares(self.frame).to_dicts()


def with_shares(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with ``share`` (of the set's items) and ``allocation`` (of the value's items in any set, in this one)."""
    size = frame.filter(pl.col("column") == SIZE[0]).select("partition", "set", size="count")
    placed = pl.when(pl.col("set") != NOWHERE).then(pl.col("count")).sum().over("partition", "column", "value")
    joined = frame.join(size, on=["partition", "set"], how="left", maintain_order="left")
    share = pl.when(pl.col("size") > 0).then(pl.col("count") / pl.col("size"))
    allocation = pl.when((placed > 0) & (pl.col("set") != NOWHERE)).then(pl.col("count") / placed)
    return joined.with_columns(share.alias("share"), allocation.alias("allocation")).drop("size")


def in_order(names: Iterable[str]) -> tuple[str, ...]:
    """Names of sets in the order of the protocol, others after them by name.

    Example:
        >>> in_order(["Test", "fold10", "dev", "fold9", "Train"])
        ('Train', 'dev', 'Test', 'fold9', 'fold10')
    """

    def place(name: str) -> tuple[int, tuple[tuple[int, str], ...]]:
        known = meant(name, _PROTOCOL)
        return (_PROTOCOL.index(known) if known in _PROTOCOL else len(_PROTOCOL), natural(name))

    return tuple(sorted(names, key=place))


def is_protocol(sets: Sequence[str]) -> bool:
    """Whether sets are the three of the protocol, under whatever name, in its order."""
    return tuple(meant(name, _PROTOCOL) for name in sets) == _PROTOCOL


def beside(first: Statistics, second: Statistics, names: Mapping[str, str] | None = None) -> Statistics:
    """Two statistics as one, the second's partitions after the first's.

    Args:
        first: whose columns come first and whose name the result has.
        second: whose partitions are added.
        names: column of the second to the column of the first that means the same.
    """
    names = names or {}
    renamed = pl.col("column").replace(names)
    columns = [Described(names.get(one.name, one.name), one.role, one.of) for one in second.columns]
    known = {one.name for one in first.columns}
    units = next((one.of for one in first.columns if one.role == "unit"), "")
    more = (replace(one, of=units or one.of) if one.role == "unit" else one for one in columns if one.name not in known)
    every = sorted((*first.columns, *more), key=lambda one: _ROLES.index(one.role))
    return Statistics(
        pl.concat([first.frame, second.frame.with_columns(renamed)]),
        pl.concat([first.cross, second.cross.with_columns(renamed, pl.col("by").replace(names))]),
        tuple(every),
        (*first.divisions, *second.divisions),
        first.name,
        pl.concat([first.plane, second.plane]),
        first.square,
        first.low,
        first.digest,
        first.people,
        "; ".join(filter(None, (first.source, second.source))),
        (*first.notes, *second.notes),
    )
