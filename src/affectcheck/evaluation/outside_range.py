"""Predictions outside the declared range: they are scored as they are, which a reader must know."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from affectcheck.schemes import DimensionScheme

if TYPE_CHECKING:
    from affectcheck.evaluation.alignment import Aligned


def predicted_outside(aligned: Aligned) -> tuple[str, ...]:
    """A note of how many predictions of each dimension the range does not hold; empty where it holds all."""
    scheme = aligned.target.scheme
    if not isinstance(scheme, DimensionScheme) or not aligned.height:
        return ()
    low, high, values = scheme.low, scheme.high, aligned.prediction
    if low <= float(values.min()) and float(values.max()) <= high:
        return ()
    counts = np.count_nonzero((values < low) | (values > high), axis=0)
    told = ", ".join(f"{part} {count}" for part, count in zip(aligned.parts, counts.tolist(), strict=True) if count)
    return (f"predictions outside [{low:g}, {high:g}], scored as they are: {told}",)
