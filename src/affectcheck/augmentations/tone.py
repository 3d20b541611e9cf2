"""A tone (paper 2, section II-D: Small Changes, additive tone)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from affectcheck.augmentations.background import Background, Noise
from affectcheck.augmentations.draws import require, values_of
from affectcheck.augmentations.registry import AUGMENTATIONS
from affectcheck.errors import InputError

if TYPE_CHECKING:
    from numpy.random import Generator


@AUGMENTATIONS.register("tone")
@dataclass(frozen=True)
class Tone(Background):
    """Adds a sine that begins with phase 0, of a frequency and at a ratio that are drawn for each clip.

    Paper 2 does not say what the ratio refers to, and the original's documentation says the peak; its code, and this,
    take the root mean square, which is 3 dB below the peak of a sine. The level is not kept: the change is small.

    Attributes:
        snr_db: signal-to-noise ratio in decibels; with several, one is drawn for each clip.
        keep_level: whether the mix has the level of the clip.
        snr_over: ``clip`` or ``active`` (see ``Background``).
        frequency_hz: lowest and highest frequency; whole numbers between them, and they, are equally likely.
    """

    NAME: ClassVar[str] = "tone"

    snr_db: float | tuple[float, ...] = (40.0, 45.0, 50.0)
    keep_level: bool = False
    frequency_hz: float | tuple[float, ...] = (5_000, 7_000)

    def __post_init__(self) -> None:
        """Frequencies are whole numbers above 0."""
        super().__post_init__()
        expected = "the lowest and the highest frequency in whole hertz, or one"
        require("frequency_hz", self.frequency_hz, lambda value: value >= 1 and value == int(value), expected)
        if len(self.range_hz) > 2 or self.range_hz[0] > self.range_hz[-1]:
            raise InputError(f"frequency_hz is {self.frequency_hz!r}", expected=expected)

    @property
    def range_hz(self) -> tuple[float, ...]:
        """Lowest and highest frequency; only one if they are the same."""
        return values_of(self.frequency_hz)

    def refusal(self, rate_hz: int) -> str:
        """Samples can hold tones below half their rate only."""
        if 2 * self.range_hz[-1] < rate_hz:
            return ""
        return (
            f"a tone of up to {self.range_hz[-1]:g} Hz needs a sampling rate of more than twice that, not {rate_hz} Hz"
        )

    def draw(self, n: int, rate_hz: int, rng: Generator) -> Noise:
        """A sine of amplitude 1."""
        frequency_hz = int(rng.integers(int(self.range_hz[0]), int(self.range_hz[-1]) + 1))
        # Frequency and rate are whole numbers: the sine repeats itself, and all its samples are in one table.
        period = min(n, rate_hz // math.gcd(frequency_hz, rate_hz))
        sine = _sine(rate_hz)[np.arange(period) * frequency_hz % rate_hz]
        return Noise(np.resize(sine, n), {"frequency_hz": float(frequency_hz)})


@lru_cache(maxsize=4)
def _sine(rate_hz: int) -> np.ndarray:
    table = np.sin(2 * np.pi * np.arange(rate_hz) / rate_hz).astype(np.float32)
    table.setflags(write=False)
    return table
