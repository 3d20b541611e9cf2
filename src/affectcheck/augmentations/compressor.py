"""A compressor of the dynamic range, with the numbers of sox's ``compand``.

A follower tracks the level ``v`` of the signal: it rises and falls towards the magnitude of each sample with time
constants of its own. The gain is a function of ``ln v``: constant below the threshold, then along a straight line to
no gain at full scale, and a parabola where the two meet.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Nepers (natural logarithm of an amplitude) of one decibel.
NEPERS_PER_DB: Final = math.log(10) / 20


@dataclass(frozen=True)
class Compressor:
    """Settings of a compressor; the defaults are those of a low-quality telephone (paper 2, section II-D).

    Attributes:
        threshold_db: level above which the range is compressed.
        output_db: level that the threshold comes out at; what is quieter gets the same gain.
        knee_db: how far the parabola reaches from the threshold along both lines.
        attack_s: time constant of a rising level.
        release_s: time constant of a falling level.

    Example:
        >>> [round(level, 2) for level in Compressor().output_of([-30.0, -22.0, -20.0, -10.0, 0.0])]
        [-26.0, -18.1, -16.26, -8.0, 0.0]
    """

    threshold_db: float = -20.0
    output_db: float = -16.0
    knee_db: float = 4.0
    attack_s: float = 0.01
    release_s: float = 0.02

    def __post_init__(self) -> None:
        """The range is compressed below full scale, and time constants are times."""
        if not self.threshold_db < self.output_db < 0:
            raise InputError(
                f"threshold_db is {self.threshold_db!r} and output_db {self.output_db!r}",
                expected="threshold_db < output_db < 0",
            )
        if not (self.knee_db > 0 and self.attack_s > 0 and self.release_s > 0):
            raise InputError(f"knee or time constants of {self} are not positive", expected="positive numbers")

    def output_of(self, levels_db: list[float]) -> list[float]:
        """The levels that steady levels come out at, in decibels."""
        gain = np.log(self.gain(10 ** (np.asarray(levels_db, np.float64) / 20))) / NEPERS_PER_DB
        levels: list[float] = (np.asarray(levels_db) + gain).tolist()
        return levels

    def gain(self, level: NDArray[np.float64]) -> NDArray[np.float64]:
        """The factor at each followed level, which is an amplitude."""
        knee = _knee(self)
        x = np.log(np.maximum(level, knee.low_amplitude))
        beyond = x - knee.low
        curved = knee.quiet_gain + beyond * (knee.square * beyond + knee.linear)
        straight = knee.slope * x
        return np.asarray(np.exp(np.where(x <= knee.high, curved, straight)))

    def apply(self, samples: NDArray[np.floating], rate_hz: int) -> NDArray[np.float64]:
        """Compress a clip, and clip it to full scale.

        Args:
            samples: (n,) samples.
            rate_hz: sampling rate.
        """
        values = np.asarray(samples, np.float64)
        level = follow(np.abs(values), _step(self.attack_s, rate_hz), _step(self.release_s, rate_hz))
        return np.clip(values * self.gain(level), -1.0, 1.0)


def follow(magnitudes: NDArray[np.float64], attack: float, release: float, start: float = 1.0) -> NDArray[np.float64]:
    """The level that is followed: a step of it depends on the one before, so that samples are taken one by one.

    Args:
        magnitudes: (n,) magnitudes of the samples.
        attack: share of the way that the level goes towards a larger magnitude within a sample.
        release: the same towards a smaller magnitude.
        start: level before the first sample.

    Example:
        >>> follow(np.array([0.0, 0.0, 2.0]), attack=0.5, release=0.25).tolist()
        [0.75, 0.5625, 1.28125]
    """
    level = start
    steps = magnitudes.tolist()  # plain numbers: a loop over an array would take ten times as long
    return np.array([level := level + (x - level) * (attack if x > level else release) for x in steps], np.float64)


@dataclass(frozen=True)
class _Knee:
    """The gain in nepers over the level in nepers: where its pieces begin, and what they are."""

    low: float
    high: float
    low_amplitude: float
    quiet_gain: float
    square: float
    linear: float
    slope: float


@lru_cache(maxsize=8)
def _knee(settings: Compressor) -> _Knee:
    """The parabola through both ends of the knee and the centre of the triangle that they make with the corner."""
    corner_x = settings.threshold_db * NEPERS_PER_DB
    corner_y = (settings.output_db - settings.threshold_db) * NEPERS_PER_DB
    radius = settings.knee_db * NEPERS_PER_DB
    to_full_scale = math.hypot(corner_x, corner_y)
    reach = min(radius, to_full_scale / 2)
    low = corner_x - radius
    high, high_gain = (corner * (1 - reach / to_full_scale) for corner in (corner_x, corner_y))
    centre_x, centre_y = (low + corner_x + high) / 3, (2 * corner_y + high_gain) / 3
    near = (centre_y - corner_y) / (centre_x - low)
    far = (high_gain - corner_y) / (high - low)
    square = (far - near) / (high - centre_x)
    return _Knee(low, high, math.exp(low), corner_y, square, near - square * (centre_x - low), corner_y / corner_x)


def _step(time_constant_s: float, rate_hz: int) -> float:
    return -math.expm1(-1 / (rate_hz * time_constant_s))
