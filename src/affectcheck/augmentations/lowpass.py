"""A low-pass filter (paper 2, section II-D: Small Changes, lowpass filter)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from affectcheck.augmentations.first_order import FirstOrderFilter
from affectcheck.augmentations.registry import AUGMENTATIONS


@AUGMENTATIONS.register("lowpass")
@dataclass(frozen=True)
class Lowpass(FirstOrderFilter):
    """Attenuates what is above a frequency, by a Butterworth filter of first order that does not look ahead.

    Paper 2 prints the cutoff frequencies of the two filters in each other's place; its code draws from 7500, 7000 and
    6500 Hz here, which alone is a small change, and so does this.

    Attributes:
        cutoff_hz: frequencies that one is drawn from for each clip; there the level is 3 dB lower.
    """

    NAME: ClassVar[str] = "lowpass"

    cutoff_hz: float | tuple[float, ...] = (7_500.0, 7_000.0, 6_500.0)
