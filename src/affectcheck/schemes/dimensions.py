"""Affect dimensions, their ranges, and the linear mapping between ranges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from affectcheck.schemes.scheme import DimensionScheme

if TYPE_CHECKING:
    import numpy as np

DIMENSIONS: Final = (
    DimensionScheme("valence-arousal", ("valence", "arousal"), -1.0, 1.0, "paper 1, section II; paper 3, section 2.1"),
    DimensionScheme("affect-3", ("arousal", "dominance", "valence"), 0.0, 1.0, "paper 2, section 3"),
    DimensionScheme("affect-3-centred", ("arousal", "dominance", "valence"), -1.0, 1.0, "affect-3 on [-1, 1]"),
    DimensionScheme("affect-3-of-5", ("arousal", "dominance", "valence"), 1.0, 5.0, "affect-3 as rated from 1 to 5"),
    DimensionScheme("affect-3-of-7", ("arousal", "dominance", "valence"), 1.0, 7.0, "affect-3 as rated from 1 to 7"),
    DimensionScheme("affect-3-percent", ("arousal", "dominance", "valence"), 0.0, 100.0, "affect-3 on 0 to 100"),
    DimensionScheme(
        "mimicry-6",
        ("admiration", "amusement", "determination", "empathic pain", "excitement", "joy"),
        0.0,
        1.0,
        "paper 3, section 2.5",
    ),
)


def rescale(values: np.ndarray, source: DimensionScheme, target: DimensionScheme) -> np.ndarray:
    """Map values from one scheme's range to another's, linearly, without clipping.

    Args:
        values: any shape, in the range of ``source``.
        source: where the values come from.
        target: where they go.

    Returns:
        Values of the same shape; the ends of the range map exactly onto the ends.

    Example:
        >>> import numpy as np
        >>> rescale(np.array([-1.0, 0.0, 1.0]), DIMENSIONS[0], DIMENSIONS[1])
        array([0. , 0.5, 1. ])
    """
    share = (values - source.low) / (source.high - source.low)
    return share * (target.high - target.low) + target.low
