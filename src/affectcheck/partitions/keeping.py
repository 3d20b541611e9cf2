"""Part of an existing partition that a new one keeps: no item of it moves, and new items of its subjects follow them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from affectcheck.annotations.frames import as_polars
from affectcheck.annotations.listing import name_list, plural
from affectcheck.digest import digest_table
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.partitions.set_names import meant

if TYPE_CHECKING:
    from affectcheck.partitions.options import PartitionOptions
    from affectcheck.partitions.units import Units

_SHOWN = 5


@dataclass(frozen=True, eq=False)
class Kept:
    """Items whose sets were given.

    Attributes:
        frame: ``item`` and ``part`` of those that the partition holds, sorted by item; sets by the partition's names.
        gone: how many were given that the table no longer has, or that it leaves out.
    """

    frame: pl.DataFrame
    gone: int = 0

    @property
    def count(self) -> int:
        """How many items are kept."""
        return self.frame.height

    @property
    def digest(self) -> str:
        """Digest of which item was kept where."""
        return digest_table(self.frame)


def kept_of(keep: object, items: pl.Series, options: PartitionOptions) -> Kept:
    """The kept items that a table has.

    Args:
        keep: any table of columns ``item`` and ``part``; an item without a part is free. Sets are named as the
            options name them, whatever the case, or as databases do, such as ``dev`` for ``validation``.
        items: of the table, without those that are left out.
        options: the new partition's.

    Raises:
        UnknownNameError: a column is missing, or a set is none of the partition's.
        InputError: an item is in two sets, or no item is in the table.
    """
    frame = as_polars(keep, where="the partition to keep")
    for column in ("item", "part"):
        if column not in frame.columns:
            raise UnknownNameError.of("column of the partition to keep", column, frame.columns)
    given = frame.select(pl.col("item", "part").cast(pl.String)).drop_nulls().unique()
    if not given.height:
        raise InputError(
            "there is nothing to keep: no row of the partition to keep has an item and a set",
            expected="a row an item, with its set; nothing to keep at all (None) for a partition made anew",
        )
    parts = sorted(given.get_column("part").unique())
    names = {part: meant(part, options.names) for part in parts}
    strangers = [part for part, name in names.items() if name not in options.names]
    if strangers:
        raise UnknownNameError(
            f"sets to keep that the new partition does not have: {name_list(strangers)}",
            expected=f"one of {', '.join(options.names)}, or the names of databases for them, such as dev",
            cause="another protocol; name its sets by --names, or keep some of the sets only",
        )
    given = (
        given.with_columns(pl.col("part").replace_strict(names, return_dtype=pl.String)).unique().sort("item", "part")
    )
    twice = given.filter(pl.col("item").is_duplicated()).get_column("item").unique(maintain_order=True)
    if len(twice):
        raise InputError(
            f"{plural(len(twice), 'item')} in two sets of the partition to keep: {name_list(twice, shown=_SHOWN)}",
            expected="one set an item",
        )
    inside = given.filter(pl.col("item").is_in(items.implode()))
    if not inside.height:
        raise InputError(
            f"the table has none of the {plural(given.height, 'item')} to keep",
            expected=f"items such as {name_list(items.head(3))}",
            cause="a partition of other data, or keys with another folder in front",
        )
    return Kept(inside, given.height - inside.height)


def fixed_of(kept: Kept, items: pl.Series, units: Units, options: PartitionOptions) -> np.ndarray:
    """The set that each item must be in: that of its unit's kept items; -1 where it is free.

    Args:
        kept: what is kept.
        items: of the table, sorted.
        units: of the same.
        options: the new partition's.

    Raises:
        InputError: a subject would be in two sets, or nothing free is left for a set that keeps none.
    """
    index = {name: code for code, name in enumerate(options.names)}
    rows = pl.DataFrame({"item": items}).join(kept.frame, on="item", how="left", maintain_order="left")
    given = rows.get_column("part").replace_strict(index, return_dtype=pl.Int64).fill_null(-1).to_numpy()
    of_unit = np.full(units.count, -1, dtype=np.int64)
    of_unit[units.codes[given >= 0]] = given[given >= 0]
    torn = np.unique(units.codes[(given >= 0) & (given != of_unit[units.codes])])
    if len(torn):
        raise _two_sets(rows.with_columns(pl.Series("unit", units.codes)), torn, units)
    _require_free(of_unit, units, options)
    return np.asarray(of_unit[units.codes])


def _two_sets(rows: pl.DataFrame, torn: np.ndarray, units: Units) -> InputError:
    if units.subjects:
        rows = rows.with_columns(pl.Series("subject", units.subjects))
    lines = []
    for code in torn[:_SHOWN]:
        inside = rows.filter(pl.col("unit") == int(code), pl.col("part").is_not_null())
        who = (
            name_list(inside.get_column("subject").unique(maintain_order=True), shown=3) if units.subjects else "items"
        )
        by_set = inside.group_by("part").agg(pl.col("item").sort().head(2), pl.len().alias("size")).sort("part")
        told = "; ".join(
            f"{plural(row['size'], 'item')} in {row['part']}: {name_list(row['item'])}" for row in by_set.to_dicts()
        )
        lines.append(f"\n  {who}: {told}")
    more = f"\n  and {len(torn) - _SHOWN} more" if len(torn) > _SHOWN else ""
    return InputError(
        f"{len(torn)} of {units.count} {units.noun} in two sets of the partition to keep:{''.join(lines)}{more}",
        expected="each subject in one set; some of the sets only, such as --keep WHERE:test; or --together none if "
        "different subjects of one recording may part",
        cause="the partition to keep was not made by subjects, or by other ones",
    )


def _require_free(of_unit: np.ndarray, units: Units, options: PartitionOptions) -> None:
    """Every set that keeps nothing needs something free."""
    empty = [name for code, name in enumerate(options.names) if not (of_unit == code).any()]
    free = int((of_unit < 0).sum())
    if free < len(empty):
        raise InputError(
            f"nothing of what is kept is in {', '.join(empty)}, and {free} free {units.noun} cannot fill that",
            expected="some of the sets only, such as --keep WHERE:test, so that the others are made anew",
        )
