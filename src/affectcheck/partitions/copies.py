"""Copies: items that hold the same content, or nearly the same, within a set and across sets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Mapping

    from affectcheck.partitions.contents import Contents


@dataclass(frozen=True, eq=False)
class Copies:
    """Copies among the items of a table.

    Attributes:
        exact: ``group``, ``item``, ``part``: items whose content is held by another item too, by group.
        near: ``item``, ``other``, ``part``, ``other_part``, ``kind``, ``distance``: pairs whose contents differ but
            come from one another; ``kind`` is sound, image or mirrored image, ``distance`` is 0 for the same and 1
            for the most that still counts.
    """

    exact: pl.DataFrame
    near: pl.DataFrame


def copies_of(contents: Contents, parts: Mapping[str, str] | None = None) -> Copies:
    """Find copies.

    Args:
        contents: of the items.
        parts: item to its set; None or a missing item for none.

    Returns:
        Exact groups and near pairs, within sets and across them.
    """
    parts = parts or {}
    frame = pl.DataFrame(
        {
            "group": list(contents.digests.values()),
            "item": list(contents.digests),
            "part": [parts.get(item) for item in contents.digests],
        },
        schema={"group": pl.String, "item": pl.String, "part": pl.String},
    )
    exact = frame.filter(pl.len().over("group") > 1).sort("group", "item")
    near = pl.DataFrame(
        schema={
            "item": pl.String,
            "other": pl.String,
            "part": pl.String,
            "other_part": pl.String,
            "kind": pl.String,
            "distance": pl.Float64,
        }
    )
    return Copies(exact, near)
