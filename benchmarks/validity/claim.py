"""A claim: what one simulated data set gives, and which rates over many of them must lie within which bounds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from affectcheck.uncertainty import wilson

#: One simulated data set: what was found in it, by name; a rate is the mean of values that are 0 or 1.
Draw = Callable[[int], Mapping[str, float]]


@dataclass(frozen=True)
class Bar:
    """Bounds that the mean of a value over the repetitions must keep; those of a figure that is only printed are open."""

    name: str
    title: str
    low: float = -np.inf
    high: float = np.inf

    @property
    def judged(self) -> bool:
        return bool(np.isfinite(self.low) or np.isfinite(self.high))

    def holds(self, mean: float) -> bool:
        return self.low <= mean <= self.high

    @property
    def bounds(self) -> str:
        if not self.judged:
            return ""
        if not np.isfinite(self.low):
            return f"≤ {self.high:.3f}"
        return f"≥ {self.low:.3f}" if not np.isfinite(self.high) else f"{self.low:.3f} … {self.high:.3f}"


@dataclass(frozen=True)
class Claim:
    """What is simulated.

    Attributes:
        name: by which it is chosen.
        title: in words.
        draw: seed to what one simulated data set gives; deterministic.
        bars: what is printed, in order.
        repetitions: data sets by default.
    """

    name: str
    title: str
    draw: Draw
    bars: tuple[Bar, ...]
    repetitions: int = 2000


@dataclass(frozen=True)
class Found:
    """A mean over the repetitions beside its bar."""

    bar: Bar
    mean: float
    repetitions: int
    is_rate: bool

    @property
    def held(self) -> bool:
        return self.bar.holds(self.mean)

    @property
    def error(self) -> str:
        """Of the simulation itself: Wilson's interval of a rate."""
        if not self.is_rate or not self.repetitions:
            return ""
        share = wilson(round(self.mean * self.repetitions), self.repetitions)
        return f"[{float(share.low):.3f}, {float(share.high):.3f}]"


def read(claim: Claim, drawn: list[Mapping[str, float]]) -> list[Found]:
    """Means over the data sets in which a value is known."""
    found = []
    for bar in claim.bars:
        values = np.array([one[bar.name] for one in drawn if bar.name in one], np.float64)
        known = values[~np.isnan(values)]
        mean = float(known.mean()) if known.size else float("nan")
        found.append(Found(bar, mean, known.size, bool(np.isin(known, (0.0, 1.0)).all())))
    return found
