"""Bring a submission and the list of items together, frame by frame, each difference by a stated rule.

| difference | rule |
|---|---|
| zeros in front of a number, kind of picture | nothing; the number counts |
| zeros in front of a key that is a number, its ending | nothing where the track says so; counted |
| rows of frames of a listed video that are not listed, up to its last one | left out, counted |
| surplus frames behind the last of a video | as many as the track tolerates are left out, counted; more are an error |
| missing frames behind the last that is predicted | as many as the track tolerates take the prediction of that one, counted |
| other missing frames, unknown videos, keys twice | one error that names them all |
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from affectcheck.annotations.listing import name_list, plural
from affectcheck.annotations.matching import Match, match
from affectcheck.challenges.frame_keys import split_frames
from affectcheck.challenges.number_keys import as_listed
from affectcheck.errors import InputError

if TYPE_CHECKING:
    import numpy as np

    from affectcheck.challenges.sheet import Sheet
    from affectcheck.challenges.track import Track
    from affectcheck.challenges.wanted import Wanted


class Aligned(NamedTuple):
    """Predictions in the order of the list.

    Attributes:
        values: as in ``Sheet``, a row an item.
        notes: what was done by a rule.
    """

    values: np.ndarray
    notes: tuple[str, ...] = ()


def align(sheet: Sheet, wanted: Wanted, track: Track) -> Aligned:
    """Pair predictions with items.

    Args:
        sheet: what was sent.
        wanted: what is to be predicted.
        track: how frames are counted, and what is tolerated.

    Raises:
        InputError: items without a prediction, keys of no item, or keys that occur twice; all are named at once.
    """
    if len(sheet.keys) == len(wanted.items) and bool((sheet.keys == wanted.items).all()):
        return Aligned(sheet.values)
    if wanted.first is None:
        return _align_items(sheet, wanted, track)
    return _align_frames(sheet, wanted, track)


def _align_items(sheet: Sheet, wanted: Wanted, track: Track) -> Aligned:
    keys = as_listed(sheet.keys, wanted.items) if track.file.numbers else sheet.keys
    rows = match(wanted.items, _table(keys, sheet), where=sheet.where).pairs.get_column("prediction_row")
    told = int((keys != sheet.keys).sum())
    notes = (f"{plural(told, 'key')} told by the number: zeros in front and endings do not count",) if told else ()
    return Aligned(sheet.values[rows.to_numpy()], notes)


def _table(keys: pl.Series, sheet: Sheet) -> pl.DataFrame:
    """Keys with what is predicted, so that two equal rows are told from two that contradict each other."""
    values = sheet.values if sheet.values.ndim == 2 else sheet.values[:, None]
    columns = [pl.Series(f"value {place}", values[:, place]) for place in range(values.shape[1])]
    return pl.DataFrame([keys.alias("item"), *columns])


def _align_frames(sheet: Sheet, wanted: Wanted, track: Track) -> Aligned:
    sent = split_frames(sheet.keys, first=track.labels.first_frame, where=sheet.where).with_row_index("row")
    _require_persons(sent, wanted, sheet.where)
    placed = sent.join(wanted.last, on="video", how="left", maintain_order="left")
    listed = pl.col("item").is_in(wanted.items.implode())
    within = ~listed & (pl.col("number") <= pl.col("last"))
    behind = (
        ~listed & (pl.col("number") > pl.col("last")) & (pl.col("number") <= pl.col("last") + track.labels.tolerance)
    )
    marked = placed.select("row", within=within.fill_null(value=False), behind=behind.fill_null(value=False))
    keep = ~(marked["within"] | marked["behind"])
    kept = sent.filter(keep)
    lent = _lent(kept, wanted, track.labels.tolerance)
    table = _table(sent["item"], sheet)
    rows = pl.concat([kept["row"], lent["row"]])
    keys = pl.concat([kept["item"], lent["item"]])
    found = _frames_matched(wanted, table[rows].with_columns(keys.alias("item")), sheet.where)
    order = rows[found.pairs.get_column("prediction_row")].to_numpy()
    notes = (
        (int(marked["within"].sum()), "left out: of frames that are not to be predicted"),
        (int(marked["behind"].sum()), "left out: behind the last frame of their video"),
        (lent.height, "taken for the frame behind it, the last of its video, which has no prediction"),
    )
    return Aligned(sheet.values[order], tuple(f"{plural(count, 'row')} {what}" for count, what in notes if count))


def _frames_matched(wanted: Wanted, table: pl.DataFrame, where: str) -> Match:
    try:
        return match(wanted.items, table, where=where)
    except InputError as error:
        error.code = "E_MISSING_FRAMES" if error.code == "E_MISSING_ITEMS" else error.code
        raise


def _require_persons(sent: pl.DataFrame, wanted: Wanted, where: str) -> None:
    """A video that shows two persons is not predicted under the name of the recording alone."""
    videos, listed = set(sent["video"].unique()), set(wanted.last["video"])
    alone = sorted(one for one in videos - listed if {f"{one}_left", f"{one}_right"} & listed)
    if alone:
        persons = [one for name in alone[:2] for one in (f"{name}_left", f"{name}_right") if one in listed]
        raise InputError(
            f"{plural(len(alone), 'video')} of several persons under one name: {name_list(alone, shown=5)}",
            where=where,
            expected=f"a row a person and frame, such as of {name_list(persons)}",
            code="E_PERSONS",
        )


def _lent(kept: pl.DataFrame, wanted: Wanted, tolerance: int) -> pl.DataFrame:
    """``item`` and ``row``: missing last frames of videos, with the row of the last frame that is predicted."""
    if not tolerance:
        return pl.DataFrame(schema={"item": pl.String, "row": pl.UInt32})
    missing = wanted.frames.join(kept.select("item"), on="item", how="anti", maintain_order="left")
    last = kept.sort("number").group_by("video", maintain_order=True).agg(pl.col("number", "row").last())
    near = missing.join(last, on="video", how="inner", suffix="_sent", maintain_order="left")
    near = near.join(wanted.last, on="video", how="inner", maintain_order="left")
    short = pl.col("last") - pl.col("number_sent") <= tolerance  # more are no matter of a decoder
    return near.filter((pl.col("number") > pl.col("number_sent")) & short).select("item", "row")
