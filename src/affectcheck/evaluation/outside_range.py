"""Ranges of predictions: another than the truth's is mapped onto it; values outside are scored as they are, and told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from affectcheck.schemes import DimensionScheme, rescale

if TYPE_CHECKING:
    from affectcheck.evaluation.alignment import Aligned
    from affectcheck.models.card import ModelCard
    from affectcheck.schemes import Scheme


def on_range(values: np.ndarray, card: ModelCard, scheme: Scheme) -> tuple[np.ndarray, tuple[str, ...]]:
    """Predictions on the range of the truth, mapped from the model's own by a straight line; with a note where it is another.

    Args:
        values: (n, D) as the model returned them.
        card: what it declares.
        scheme: of the truth.
    """
    if not isinstance(scheme, DimensionScheme) or (card.low, card.high) == (scheme.low, scheme.high):
        return values, ()
    own = DimensionScheme("the model's", scheme.dimensions, card.low, card.high)
    note = f"predictions mapped from [{card.low:g}, {card.high:g}], the model's range, onto [{scheme.low:g}, {scheme.high:g}]"
    return rescale(values, own, scheme), (note,)


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
