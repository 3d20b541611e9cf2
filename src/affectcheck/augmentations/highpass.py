"""A high-pass filter (paper 2, section II-D: Small Changes, highpass filter)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from affectcheck.augmentations.first_order import FirstOrderFilter
from affectcheck.augmentations.registry import AUGMENTATIONS


@AUGMENTATIONS.register("highpass")
@dataclass(frozen=True)
class Highpass(FirstOrderFilter):
    """Attenuates what is below a frequency, by a Butterworth filter of first order that does not look ahead.

    Paper 2 prints the cutoff frequencies of the two filters in each other's place; its code draws from 50, 100 and 150
    Hz here, which alone is a small change, and so does this.

    Attributes:
        cutoff_hz: frequencies that one is drawn from for each clip; there the level is 3 dB lower.
    """

    NAME: ClassVar[str] = "highpass"

    cutoff_hz: float | tuple[float, ...] = (50.0, 100.0, 150.0)
