"""Check a submission as the server does, without any label: its format, what it covers, and every value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from affectcheck.annotations.listing import name_list, plural, quoted
from affectcheck.challenges.aligning import align
from affectcheck.challenges.fault_codes import coded
from affectcheck.challenges.frame_keys import split_frames
from affectcheck.challenges.limits import Limits
from affectcheck.challenges.number_keys import numbers_of
from affectcheck.challenges.submission import read_submission
from affectcheck.errors import InputError
from affectcheck.models import ModelCard
from affectcheck.predictions import PredictionTable, make_predictions
from affectcheck.schemes import DimensionScheme

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np

    from affectcheck.challenges.sheet import Sheet
    from affectcheck.challenges.track import Track
    from affectcheck.challenges.wanted import Wanted


@dataclass(frozen=True, eq=False)
class Checked:
    """A submission without a fault.

    Attributes:
        items: (n,) String, what is predicted, in the order of the list where there is one.
        values: (n,) or (n, parts), as in ``Sheet``.
        files: names of the files that they are in.
        digest: of what was sent.
        notes: what was done by a rule, and what could not be checked.
    """

    items: pl.Series
    values: np.ndarray
    files: tuple[str, ...]
    digest: str
    notes: tuple[str, ...]


def check(
    path: Path, track: Track, *, wanted: Wanted | None = None, limits: Limits | None = None, name: str = ""
) -> Checked:
    """Check a submission.

    Args:
        path: the upload.
        track: what it is to hold.
        wanted: what is to be predicted; without it, what a submission covers cannot be checked.
        limits: what it may cost.
        name: what the file was called by whoever sent it.

    Raises:
        MissingPathError: there is no such file.
        InputError: the first fault, with file, line and cure, and its code.
    """
    if wanted is not None:
        key = int(wanted.items.str.len_bytes().max())  # type: ignore[arg-type]  # a list is not empty
        limits = (limits or Limits()).for_rows(len(wanted.items), columns=len(track.columns), key=key)
    with coded("E_INVALID"):
        sent = read_submission(path, track, limits=limits, name=name)
        if wanted is not None:
            values, notes = align(sent.sheet, wanted, track)
            return Checked(wanted.items, values, sent.files, sent.digest, notes)
        items, notes = _own_items(sent.sheet, track)
        return Checked(items, sent.sheet.values, sent.files, sent.digest, notes)


def _own_items(sheet: Sheet, track: Track) -> tuple[pl.Series, tuple[str, ...]]:
    """Keys without a list to compare them with: each once, frames without gaps as far as one can see."""
    notes = ["no list of items was given: whether all of them are predicted was not checked"]
    items = sheet.keys
    if track.file.unit == "frame":
        frames = split_frames(items, first=track.labels.first_frame, where=sheet.where, place=sheet.source.place)
        items = frames.get_column("item")
        spans = frames.group_by("video", maintain_order=True).agg(
            gaps=pl.col("number").max() - track.labels.first_frame + 1 - pl.col("number").n_unique()
        )
        gapped = spans.filter(pl.col("gaps") > 0)
        if gapped.height:
            notes.append(
                f"{plural(int(gapped['gaps'].sum()), 'frame')} without a row within "
                f"{plural(gapped.height, 'video')}: {name_list(gapped['video'], shown=5)}"
            )
    twice = (numbers_of(items) if track.file.numbers else items).is_duplicated().arg_true()
    if len(twice):
        raise InputError(
            f"{plural(len(twice), 'row')} with a key that another row has: {quoted(items[twice[0]])}",
            where=sheet.source.place(twice[0]),
            expected="each key once",
            cause="two runs written into one file",
            code="E_REPEATED_KEYS",
        )
    return items.alias("item"), tuple(notes)


def prediction_table(checked: Checked, track: Track, name: str) -> PredictionTable:
    """A submission as the predictions of a model of this name."""
    scheme = track.declared
    output = {"dimensions": "value", "units": "probability"}.get(track.kind, "label")
    low, high = (scheme.low, scheme.high) if isinstance(scheme, DimensionScheme) else (0.0, 1.0)
    card = ModelCard(
        name=name,
        kind=track.kind,
        parts=track.parts,
        output=output,  # type: ignore[arg-type]  # one of its words
        media=(),
        rate_hz=None,
        low=low,
        high=high,
        digest=checked.digest,
    )
    values = checked.values
    if track.kind == "categories":
        values = values[:, None] == range(len(track.parts))
    return make_predictions(checked.items, values.astype(float), card, data=track.name)
