"""Copies: items that hold the same content, or nearly the same, within a set and across sets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from affectcheck.media.near_images import near_images
from affectcheck.media.near_sounds import near_sounds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from affectcheck.media.candidates import Pairs
    from affectcheck.partitions.contents import Contents

EXACT: Final = "exact"
SOUND: Final = "sound"
IMAGE: Final = "image"
MIRRORED: Final = "mirrored image"

_EXACT_SCHEMA: Final = {"group": pl.String, "item": pl.String, "part": pl.String}
_NEAR_SCHEMA: Final = {
    "item": pl.String,
    "other": pl.String,
    "part": pl.String,
    "other_part": pl.String,
    "kind": pl.String,
    "distance": pl.Float64,
}


@dataclass(frozen=True, eq=False)
class Copies:
    """Copies among the items of a table.

    Attributes:
        exact: ``group``, ``item``, ``part``: items whose content another item holds too, by group; a group is named
            by its first item.
        near: ``item``, ``other``, ``part``, ``other_part``, ``kind``, ``distance``: pairs whose contents differ but
            come from one another. ``kind`` is sound, image or mirrored image; ``distance`` is 1 less the agreement of
            waveforms or of edges, 0 for the same. Where several items of a set hold the same content, the first
            stands for all.
        counts: ``kind``, ``across`` (pairs in different sets: leaks), ``within`` (pairs in one set: no leaks, but
            items that count twice) and ``items`` (that are in any such pair).
        left_out: near pairs that were not looked at, since their items have many nearer ones.
    """

    exact: pl.DataFrame
    near: pl.DataFrame
    counts: pl.DataFrame
    left_out: int = 0


def copies_of(
    contents: Contents,
    parts: Mapping[str, str] | None = None,
    *,
    near: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> Copies:
    """Find copies.

    Args:
        contents: of the items.
        parts: item to its set; None, or an item that is missing, is in no set, which is none of its own.
        near: whether to look for near copies too.
        progress: called with (done, total) contents that were compared.

    Returns:
        Exact groups and near pairs, within sets and across them, by item.
    """
    held = _held(contents, parts or {})
    shared = held.filter(pl.len().over("digest") > 1).with_columns(pl.col("item").first().over("digest").alias("group"))
    exact = shared.select("group", "item", "part").sort("group", "item")
    pairs, left_out = _near(contents, held, progress) if near else (pl.DataFrame(schema=_NEAR_SCHEMA), 0)
    return Copies(exact, pairs, _counts(exact, pairs), left_out)


def _held(contents: Contents, parts: Mapping[str, str]) -> pl.DataFrame:
    """``digest``, ``item``, ``part`` of every item that has content, by item."""
    items = sorted(contents.digests)
    columns = {
        "digest": [contents.digests[item] for item in items],
        "item": items,
        "part": [parts.get(item) for item in items],
    }
    return pl.DataFrame(columns, schema={"digest": pl.String, "item": pl.String, "part": pl.String})


def _near(
    contents: Contents, held: pl.DataFrame, progress: Callable[[int, int], None] | None
) -> tuple[pl.DataFrame, int]:
    """Near pairs of items, and how many were left out."""
    first = held.unique("digest", keep="first", maintain_order=True).get_column("digest").to_list()
    images = [digest for digest in first if digest in contents.images]
    sounds = [digest for digest in first if digest in contents.sounds]
    found: list[tuple[str, list[str], Pairs]] = []
    if len(images) > 1:
        prints, sets = np.stack([contents.images[digest] for digest in images]), _sets(held, images)
        for kind in (IMAGE, MIRRORED):
            pairs = near_images(prints, mirrored=kind == MIRRORED, sets=sets, progress=progress)
            found.append((kind, images, pairs))
    if len(sounds) > 1:
        waves, sets = [contents.sounds[digest] for digest in sounds], _sets(held, sounds)
        found.append((SOUND, sounds, near_sounds(waves, sets=sets, progress=progress)))
    return _of_items(held, found), sum(pairs.left_out for _, _, pairs in found)


def _sets(held: pl.DataFrame, digests: list[str]) -> np.ndarray:
    """The set of each content, as a number; content that is in several sets is in one of its own."""
    sets = held.group_by("digest").agg(pl.col("part").fill_null("").unique().sort().str.join("\0").alias("sets"))
    codes = sets.with_columns(pl.col("sets").rank("dense").cast(pl.Int64).alias("code"))
    place: dict[str, int] = dict(codes.select("digest", "code").iter_rows())
    return np.array([place[digest] for digest in digests], dtype=np.int64)


def _of_items(held: pl.DataFrame, found: Iterable[tuple[str, list[str], Pairs]]) -> pl.DataFrame:
    """Pairs of contents as pairs of items: of each content the first item in each set."""
    rows = [
        pl.DataFrame(
            {
                "digest": pl.Series([digests[place] for place in pairs.first], dtype=pl.String),
                "other_digest": pl.Series([digests[place] for place in pairs.second], dtype=pl.String),
                "kind": pl.Series([kind] * len(pairs), dtype=pl.String),
                "distance": np.maximum(1.0 - pairs.similarity.astype(np.float64), 0.0),
            }
        )
        for kind, digests, pairs in found
    ]
    if not rows:
        return pl.DataFrame(schema=_NEAR_SCHEMA)
    best = (
        pl.concat(rows).sort("distance", "kind").unique(["digest", "other_digest"], keep="first", maintain_order=True)
    )
    first = held.unique(["digest", "part"], keep="first", maintain_order=True)
    others = first.rename({"digest": "other_digest", "item": "other", "part": "other_part"})
    both = best.join(first, on="digest").join(others, on="other_digest")
    return _ordered(both).select(*_NEAR_SCHEMA).sort("item", "other")


def _ordered(pairs: pl.DataFrame) -> pl.DataFrame:
    """Each pair with the item first that sorts first."""
    swap = pl.col("item") > pl.col("other")
    return pairs.with_columns(
        pl.when(swap).then(one).otherwise(other).alias(name)
        for one, other, name in (
            ("other", "item", "item"),
            ("item", "other", "other"),
            ("other_part", "part", "part"),
            ("part", "other_part", "other_part"),
        )
    )


def _counts(exact: pl.DataFrame, near: pl.DataFrame) -> pl.DataFrame:
    sizes = exact.group_by("group", "part").len().group_by("group")
    pairs = sizes.agg(
        (pl.col("len").cast(pl.Int64).sum() ** 2).alias("all"), (pl.col("len").cast(pl.Int64) ** 2).sum().alias("same")
    )
    across = int((pairs.get_column("all") - pairs.get_column("same")).sum()) // 2
    within = int(pairs.get_column("same").sum() - exact.height) // 2
    rows = [(EXACT, across, within, exact.height)]
    for kind in (SOUND, IMAGE, MIRRORED):
        some = near.filter(pl.col("kind") == kind)
        inside = some.filter(pl.col("part").eq_missing(pl.col("other_part"))).height
        items = pl.concat([some.get_column("item"), some.get_column("other").alias("item")]).n_unique()
        rows.append((kind, some.height - inside, inside, items))
    schema = {"kind": pl.String, "across": pl.Int64, "within": pl.Int64, "items": pl.Int64}
    return pl.DataFrame(rows, schema=schema, orient="row")
