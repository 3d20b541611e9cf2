"""Ratings on the range of their questionnaire, brought to the range of a target; what is not on it is unknown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from affectcheck.annotations.listing import plural
from affectcheck.datasets.leaving_out import Kept

if TYPE_CHECKING:
    from affectcheck.schemes import DimensionScheme


def rescaled(frame: pl.DataFrame, source: DimensionScheme, target: DimensionScheme) -> Kept:
    """The frame with its dimensions mapped linearly from one range to the other.

    Args:
        frame: with a Float64 column for every dimension.
        source: the range of the ratings.
        target: the range wanted.

    Returns:
        All rows; ratings outside the range of the questionnaire are null, and a note counts them.
    """
    names = target.dimensions
    width = (target.high - target.low) / (source.high - source.low)
    within = {name: pl.col(name).is_between(source.low, source.high) for name in names}
    outside = sum(int(frame.select((~is_in).sum()).item()) for is_in in within.values())
    missing = sum(frame.get_column(name).null_count() for name in names)
    scaled = frame.with_columns(
        pl.when(is_in).then((pl.col(name) - source.low) * width + target.low).alias(name)
        for name, is_in in within.items()
    )
    notes = []
    if outside:
        notes.append(f"{plural(outside, 'rating')} outside {source.low:g} to {source.high:g} count as unknown")
    if missing:
        notes.append(f"{plural(missing, 'rating')} of {', '.join(names)} missing")
    return Kept(scaled, tuple(notes))
