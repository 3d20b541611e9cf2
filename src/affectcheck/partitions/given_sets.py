"""The sets of a given partition: which item is in which, what the sets are called, and which are meant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from affectcheck.annotations.listing import plural
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.partitions.partition import Partition
from affectcheck.partitions.set_names import meant, natural

if TYPE_CHECKING:
    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.partitions.options import PartitionOptions

_SHOWN = 5


@dataclass(frozen=True, eq=False)
class Given:
    """A partition of a table sorted by item.

    Attributes:
        parts: (n,) set of each item; null where it is in none.
        names: of the sets, in the order of the protocol where they are its sets; empty ones too, if known.
        ratios: (K,) share that each is meant to have; its own share where nobody says.
        known: whether names and ratios are the protocol's.
        strangers: items that the partition names and the table does not have, with their sets: ``item``, ``part``.
    """

    parts: pl.Series
    names: tuple[str, ...]
    ratios: tuple[float, ...]
    known: bool
    strangers: pl.DataFrame

    def meaning(self, name: str) -> int:
        """Place of the set that is called so or means it; -1 for none."""
        meanings = [meant(own, ("train", "validation", "test")) for own in self.names]
        return meanings.index(name) if name in meanings else -1


def given_sets(table: AnnotationTable, given: Partition | pl.DataFrame | None, options: PartitionOptions) -> Given:
    """Find the set of every item.

    Args:
        table: sorted by item.
        given: a partition; a frame with ``item`` and ``part``; None for the table's own column ``partition``.
        options: the protocol and the names of its sets.

    Raises:
        InputError: there is no partition, no item of the table is in it, or it puts an item in two sets.
        UnknownNameError: a frame without one of the columns.
    """
    frame = _frame(table, given)
    parts = table.frame.select("item").join(frame, on="item", how="left", maintain_order="left").get_column("part")
    if parts.null_count() == table.height:
        raise _nothing(table, frame)
    strangers = frame.join(table.frame.select("item"), on="item", how="anti").sort("item")
    if isinstance(given, Partition):
        return Given(parts, given.names, given.options.ratios, known=True, strangers=strangers)
    names, ratios, known = _named(parts.drop_nulls(), options)
    return Given(parts, names, ratios, known, strangers)


def _frame(table: AnnotationTable, given: Partition | pl.DataFrame | None) -> pl.DataFrame:
    if isinstance(given, Partition):
        return given.frame.select("item", "part")
    if given is not None:
        return one_row_an_item(given)
    if "partition" not in table.frame.columns:
        raise InputError(
            f"the table {table.name!r} has no partition of its own",
            expected="a column 'partition', or a partition to judge",
        )
    return table.frame.select("item", pl.col("partition").cast(pl.String).alias("part"))


def one_row_an_item(frame: pl.DataFrame, *, where: str = "") -> pl.DataFrame:
    """``item`` and ``part`` of a partition as text; a blank set is none, and a row that says the same again is one.

    Args:
        frame: with the columns ``item`` and ``part``, of any type.
        where: the file that it was read from.

    Raises:
        InputError: an item is put in two sets; each with its sets.
        UnknownNameError: one of the columns is missing.
    """
    for name in ("item", "part"):
        if name not in frame.columns:
            raise UnknownNameError.of("column of the partition", name, frame.columns, where=where)
    text = frame.select(pl.col("item").cast(pl.String), pl.col("part").cast(pl.String).str.strip_chars())
    whole = text.with_columns(pl.col("part").replace("", None)).drop_nulls("item").unique(maintain_order=True)
    twice = whole.filter(pl.col("item").is_duplicated())
    if twice.height:
        sets = twice.group_by("item").agg(pl.col("part").fill_null("no set").sort()).sort("item")
        told = [f"{item} ({', '.join(parts)})" for item, parts in sets.head(_SHOWN).iter_rows()]
        more = f" and {sets.height - _SHOWN} more" if sets.height > _SHOWN else ""
        raise InputError(
            f"rows contradict each other on {plural(sets.height, 'item')}: {', '.join(told)}{more}",
            where=where,
            expected="one row an item",
            cause="an item key that is not unique, such as a file name without its folder",
        )
    return whole


def _nothing(table: AnnotationTable, frame: pl.DataFrame) -> InputError:
    named = frame.drop_nulls().get_column("item").head(3)
    return InputError(
        "no item of the table is in any set",
        where=table.name,
        expected=f"items such as {', '.join(table.items.head(3))}",
        cause=f"the partition names items such as {', '.join(named)}" if len(named) else "the partition names no set",
    )


def _named(parts: pl.Series, options: PartitionOptions) -> tuple[tuple[str, ...], tuple[float, ...], bool]:
    """Names of the sets, their target shares, and whether those are the protocol's (else the sets' own)."""
    found = sorted(parts.unique())
    meanings = {name: meant(name, options.names) for name in found}
    last = len(options.names) - 1

    def place(name: str) -> tuple[float, tuple[tuple[int, str], ...]]:
        # sets of other names stand before the last of the protocol's, which is the test set
        return (options.names.index(meanings[name]) if meanings[name] in options.names else last - 0.5, natural(name))

    ordered = tuple(sorted(found, key=place))
    if sorted(meanings.values()) == sorted(options.names):
        return ordered, options.ratios, True
    counts = dict(parts.value_counts().iter_rows())
    return ordered, tuple(counts[name] / len(parts) for name in ordered), False
