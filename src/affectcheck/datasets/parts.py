"""One partition of a data set's own, as an option; and what is drawn from a set that is larger than a test needs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from affectcheck.datasets.card import Option
from affectcheck.datasets.leaving_out import Kept
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.annotations import AnnotationTable

PART_OPTION: Final = Option("part", "items of one partition of the set's own only, such as test; empty for all")
SEED_OPTION: Final = Option("seed", "of what is drawn; the same seed draws the same", 0)


def take_part(table: AnnotationTable, part: str) -> AnnotationTable:
    """The items of one partition, with a note; the table itself where none is stated.

    Raises:
        UnknownNameError: no item is in such a partition.
    """
    kept = rows_of_part(table.frame, part, where=table.name)
    return replace(table, frame=kept.frame, notes=(*table.notes, *kept.notes)) if part else table


def rows_of_part(frame: pl.DataFrame, part: str, *, where: str) -> Kept:
    """The rows of one partition, with a note; all of them where none is stated.

    Args:
        frame: with the column ``partition``.
        part: its name, or empty.
        where: the data set, for messages.

    Raises:
        UnknownNameError: no row is in such a partition.
    """
    if not part:
        return Kept(frame)
    known = frame.get_column("partition").drop_nulls().unique() if "partition" in frame.columns else ()
    if part not in known:
        raise UnknownNameError.of("partition", part, known, where=where)
    rows = frame.filter(pl.col("partition") == part)
    return Kept(rows, (f"{rows.height} of {frame.height} items are in the partition {part}",))


def words(text: str) -> tuple[str, ...]:
    """The words of an option that separates them by commas.

    Example:
        >>> words("de, en,")
        ('de', 'en')
    """
    return tuple(word for word in (piece.strip() for piece in text.split(",")) if word)


def drawn(keys: Sequence[str], most: int, seed: int, *purpose: str) -> set[str]:
    """At most so many of several keys, the same whatever their order; all of them where ``most`` is 0.

    Args:
        keys: distinct keys.
        most: how many at most.
        seed: of the draw.
        *purpose: what it is for.

    Raises:
        InputError: a negative number.

    Example:
        >>> sorted(drawn(["a", "b", "c"], 2, 0, "an example")) == sorted(drawn(["c", "b", "a"], 2, 0, "an example"))
        True
    """
    if most < 0:
        raise InputError(f"{most} to draw", where=" ".join(purpose), expected="0 for all, or how many at most")
    if not most or len(keys) <= most:
        return set(keys)
    chosen = rng(seed, *purpose).permutation(len(keys))[:most]
    return set(np.array(sorted(keys))[chosen].tolist())
