"""A shared axis: where values stand on it, in percent, so that a drawing is as wide as its place on any screen."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

_STEPS: Final = (1.0, 2.0, 2.5, 5.0, 10.0)
_MOST_TICKS: Final = 5
_ROOM: Final = 0.06


@dataclass(frozen=True)
class Scale:
    """An axis from ``low`` to ``high`` with ticks.

    Attributes:
        low, high: its ends.
        ticks: values at which it is labelled.
        digits: behind the point, of the labels.
    """

    low: float
    high: float
    ticks: tuple[float, ...]
    digits: int

    def percent(self, value: float) -> str:
        """Where a value stands.

        Example:
            >>> scale_of([0, 1]).percent(0.5)
            '50%'
        """
        share = (value - self.low) / (self.high - self.low)
        return f"{min(max(share, 0.0), 1.0) * 100:.2f}".rstrip("0").rstrip(".") + "%"

    def label(self, value: float) -> str:
        """A tick in words."""
        return f"{value:.{self.digits}f}"


def scale_of(values: Iterable[float]) -> Scale:
    """An axis that holds values with some room, with at most five ticks at round numbers."""
    finite = [value for value in values if math.isfinite(value)] or [0.0, 1.0]
    low, high = min(finite), max(finite)
    spread = (high - low) or abs(high) * 0.1 or 1.0
    low, high = low - spread * _ROOM, high + spread * _ROOM
    step = _step((high - low) / (_MOST_TICKS - 1))
    first = math.ceil(low / step)
    ticks: list[float] = []
    while first * step <= high and len(ticks) < 2 * _MOST_TICKS:
        ticks.append(round(first * step, 12))
        first += 1
    return Scale(low, high, tuple(ticks), max(0, -math.floor(math.log10(step) + 1e-9)) + (_halves(step)))


def _step(least: float) -> float:
    size = 10.0 ** math.floor(math.log10(least))
    return next((step * size for step in _STEPS if step * size >= least * (1 - 1e-9)), 10 * size)


def _halves(step: float) -> int:
    """A step of 2.5 needs a digit more."""
    leading = step / 10.0 ** math.floor(math.log10(step) + 1e-9)
    return int(abs(leading - 2.5) < 1e-6)
