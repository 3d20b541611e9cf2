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

import numpy as np
import polars as pl

from affectcheck.annotations.listing import name_list, plural
from affectcheck.annotations.matching import TO_STATE, Match, match, refusal
from affectcheck.challenges.frame_keys import FrameNames
from affectcheck.challenges.frame_places import Frames, places
from affectcheck.challenges.number_keys import as_listed
from affectcheck.errors import InputError

if TYPE_CHECKING:
    from affectcheck.challenges.frame_places import Places
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
    try:
        rows = match(wanted.items, _table(keys, sheet), where=sheet.where).pairs.get_column("prediction_row")
    except InputError as error:
        raise _needed(error) from None
    told = int((keys != sheet.keys).sum())
    notes = (f"{plural(told, 'key')} told by the number: zeros in front and endings do not count",) if told else ()
    return Aligned(sheet.values[rows.to_numpy()], notes)


def _table(keys: pl.Series, sheet: Sheet) -> pl.DataFrame:
    """Keys with what is predicted, so that two equal rows are told from two that contradict each other."""
    values = sheet.values if sheet.values.ndim == 2 else sheet.values[:, None]
    columns = [pl.Series(f"value {place}", values[:, place]) for place in range(values.shape[1])]
    return pl.DataFrame([keys.alias("item"), *columns])


def _align_frames(sheet: Sheet, wanted: Wanted, track: Track) -> Aligned:
    first = track.labels.first_frame
    keys = sheet.keys.str.strip_chars()
    listed = Frames.of(wanted.items, first=first, where=wanted.where)
    sent = Frames.of(keys, first=first, where=sheet.where, before=listed.videos, place=sheet.source.place)
    _require_persons(set(sent.videos) - set(listed.videos), set(listed.videos), sheet.where)
    found = places(sent, listed, track.labels.tolerance)
    blanks = sheet.keys.filter(keys != sheet.keys)
    if not found.fit or len(blanks):
        raise _unfit(found, sheet, wanted, blanks)
    return Aligned(sheet.values[found.rows], _notes(found.within, found.behind, found.lent))


def _unfit(found: Places, sheet: Sheet, wanted: Wanted, blanks: pl.Series) -> InputError:
    """One error that names what does not fit, as far as a message shows it."""
    values = sheet.values.reshape(len(sheet.keys), -1)
    differ = (values[found.again[:, 0]] != values[found.again[:, 1]]).any(axis=1)
    conflicting = np.unique(found.again[differ, 1])
    identical = np.setdiff1d(found.again[:, 1], conflicting)
    strangers = np.setdiff1d(found.strangers, found.again[:, 0])  # each key once
    faults = Match(
        pl.DataFrame(),
        conflicting=FrameNames(sheet.keys[conflicting]),
        identical=FrameNames(sheet.keys[identical]),
        missing=FrameNames(wanted.items.filter(pl.Series(found.rows < 0))),
        extra=FrameNames(sheet.keys[strangers]),
        blanks=FrameNames(blanks),
    )
    error = refusal(faults, len(wanted.items), sheet.where)
    error.code = "E_MISSING_FRAMES" if error.code == "E_MISSING_ITEMS" else error.code
    return _needed(error)


def _needed(error: InputError) -> InputError:
    """A submission needs a prediction of every item: what becomes of missing ones is not the team's to state."""
    error.cause = error.cause.removesuffix(TO_STATE)
    return error


def _notes(within: int, behind: int, lent: int) -> tuple[str, ...]:
    told = (
        (within, "left out: of frames that are not to be predicted"),
        (behind, "left out: behind the last frame of their video"),
        (lent, "taken for the frame behind it, the last of its video, which has no prediction"),
    )
    return tuple(f"{plural(count, 'row')} {what}" for count, what in told if count)


def _require_persons(others: set[str], listed: set[str], where: str) -> None:
    """A video that shows two persons is not predicted under the name of the recording alone."""
    alone = sorted(one for one in others if {f"{one}_left", f"{one}_right"} & listed)
    if alone:
        persons = [one for name in alone[:2] for one in (f"{name}_left", f"{name}_right") if one in listed]
        raise InputError(
            f"{plural(len(alone), 'video')} of several persons under one name: {name_list(alone, shown=5)}",
            where=where,
            expected=f"a row a person and frame, such as of {name_list(persons)}",
            code="E_PERSONS",
        )
