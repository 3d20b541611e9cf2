"""The annotation table: one row an item, with its media, subject, groups and labels, under one schema.

Columns (``COLUMNS``), of which only ``item`` is required:

| column | type | meaning |
|---|---|---|
| ``item`` | String | unique key |
| ``media`` | String | path relative to the root of the data set; null where there is none |
| ``start_us``, ``end_us`` | Int64 | segment of the media in whole microseconds; null for the whole file |
| ``frame`` | Int64 | frame number within the media, counted from 1 |
| ``subject`` | String | who is seen or heard; null where unknown |
| ``partition`` | String | the data set's own partition |
| group columns | String | annotated or perceived sex, age, race, language …; null where unknown |
| ``<target>_provenance`` | String | how this item's label was made: manual, semi-automatic or automatic; null: as the target says |
| label columns | Enum, Int8 or Float64 | class, unit (0/1) or dimension; null where unknown, cell by cell |

Every other column is kept as it is.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.digest import digest_table
from affectcheck.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from affectcheck.schemes import Target

COLUMNS: Final[dict[str, type[pl.DataType]]] = {
    "item": pl.String,
    "media": pl.String,
    "start_us": pl.Int64,
    "end_us": pl.Int64,
    "frame": pl.Int64,
    "subject": pl.String,
    "partition": pl.String,
}


@dataclass(frozen=True)
class AnnotationTable:
    """Annotations of a set of items. Made by ``make_table``, which validates; never changed in place.

    Attributes:
        frame: one row an item; see the head of this module.
        targets: what is annotated: target name to target, in order; the first is the default.
        groups: names of the group columns.
        name: name of the data set, as it stands in signatures.
        root: folder that ``media`` is relative to.
        notes: what the reader of a score must know of the table, such as items that were left out, counted.
    """

    frame: pl.DataFrame
    targets: Mapping[str, Target] = field(default_factory=dict)
    groups: tuple[str, ...] = ()
    name: str = ""
    root: Path | None = None
    notes: tuple[str, ...] = ()

    @property
    def height(self) -> int:
        """Number of items."""
        return self.frame.height

    @property
    def items(self) -> pl.Series:
        """The item keys, in table order."""
        return self.frame.get_column("item")

    @property
    def has_subjects(self) -> bool:
        """Whether at least one item names its subject."""
        return "subject" in self.frame.columns and self.frame.get_column("subject").null_count() < self.height

    @cached_property
    def digest(self) -> str:
        """Digest of every value, independent of row order and file format."""
        return digest_table(self.frame)

    def target(self, name: str | None = None) -> Target:
        """A target by name; the first one if no name is given.

        Raises:
            InputError: the table has no target at all.
            UnknownNameError: it has others, but not this one.
        """
        if not self.targets:
            raise InputError(f"the table {self.name!r} has no labels", expected="at least one label column")
        if name is None:
            return next(iter(self.targets.values()))
        if name not in self.targets:
            raise UnknownNameError.of("target", name, self.targets)
        return self.targets[name]

    def require_group(self, name: str) -> str:
        """The name itself, if it is a group column.

        Raises:
            UnknownNameError: it is none.
        """
        if name not in self.groups:
            raise UnknownNameError.of("group column", name, self.groups)
        return name

    def select(self, items: pl.Series | Sequence[str]) -> AnnotationTable:
        """The rows of these items, in table order.

        Raises:
            UnknownNameError: an item is not in the table.
        """
        wanted = pl.Series("item", items, dtype=pl.String)
        strangers = wanted.filter(~wanted.is_in(self.items.implode()))
        if len(strangers):
            raise UnknownNameError(
                f"{len(strangers)} items are not in the table {self.name!r}: {', '.join(strangers.head(5))}",
                expected=f"keys such as {', '.join(self.items.head(3))}",
                cause="keys of another table, or with another folder in front",
            )
        return self.filter(pl.col("item").is_in(wanted.implode()))

    def filter(self, condition: pl.Expr) -> AnnotationTable:
        """The rows that meet a condition, in table order."""
        return replace(self, frame=self.frame.filter(condition))
