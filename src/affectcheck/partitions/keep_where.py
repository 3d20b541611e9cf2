"""Where what is kept comes from: a manifest's folder, or the table's own partition; all of its sets or some."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.errors import InputError, MissingPathError, UnknownNameError
from affectcheck.partitions.manifest import load_manifest
from affectcheck.partitions.set_names import meant

if TYPE_CHECKING:
    from affectcheck.annotations.table import AnnotationTable

#: The place that is the table's own partition, not a folder.
OWN: Final = "partition"


def keep_where(where: str, table: AnnotationTable, names: tuple[str, ...]) -> pl.DataFrame:
    """What a place says of which item is where, as ``partition`` takes it by ``keep``.

    Args:
        where: ``partition`` for the table's own, or the folder of a manifest; behind a colon, the sets that are kept,
            by commas. The others are made anew.
        table: the data.
        names: sets of the new partition, by which others are understood.

    Returns:
        ``item`` and ``part``.

    Raises:
        InputError: the table has no partition of its own.
        MissingPathError: no such folder, or no manifest in it.
        UnknownNameError: the place has no such set.
    """
    place, wanted = _split(where)
    frame = _own(table) if place == OWN else _held(place)
    if not wanted:
        return frame
    parts = sorted(frame.get_column("part").drop_nulls().unique())
    understood = {part: meant(part, names) for part in parts}
    chosen = {meant(name, names) for name in wanted}
    strangers = [name for name in wanted if meant(name, names) not in understood.values()]
    if strangers:
        raise UnknownNameError.of("set to keep", strangers[0], parts, where=where)
    return frame.filter(pl.col("part").is_in([part for part, name in understood.items() if name in chosen]))


def _split(where: str) -> tuple[str, tuple[str, ...]]:
    """A place and its sets; a folder whose name has a colon is a folder."""
    place, colon, sets = where.rpartition(":")
    if not colon or Path(where).is_dir():
        return where, ()
    wanted = tuple(name.strip() for name in sets.split(",") if name.strip())
    if not wanted:
        raise InputError(f"no sets behind the colon of {where!r}", expected="WHERE, or WHERE:test or WHERE:train,test")
    return place, wanted


def _own(table: AnnotationTable) -> pl.DataFrame:
    if "partition" not in table.frame.columns or table.frame.get_column("partition").null_count() == table.height:
        raise InputError(
            f"the table {table.name!r} has no partition of its own to keep",
            expected="a column 'partition', or the folder of a manifest",
        )
    return table.frame.select("item", pl.col("partition").cast(pl.String).alias("part"))


def _held(place: str) -> pl.DataFrame:
    folder = Path(place)
    if not folder.is_dir():
        raise MissingPathError.of(
            "partition to keep", folder, expected=f"{OWN!r} for the table's own, or the folder of a manifest"
        )
    return load_manifest(folder).frame
