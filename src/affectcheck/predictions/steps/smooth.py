"""Smoothing over time: each number becomes the mean, median or weighted mean of those around it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Final, Literal, Self, get_args

import numpy as np

from affectcheck.errors import InputError, UnknownNameError
from affectcheck.predictions.steps.registry import STEPS
from affectcheck.predictions.steps.step import Step, Told, plain_number
from affectcheck.predictions.steps.windows import Windows

if TYPE_CHECKING:
    from affectcheck.models.card import ModelCard
    from affectcheck.predictions.steps.sequences import Unit
    from affectcheck.predictions.steps.signal import Signal

Smoothing = Literal["mean", "median", "gaussian", "majority"]
KINDS: Final[tuple[str, ...]] = get_args(Smoothing)
MICROSECONDS: Final = 1_000_000
#: A window reaches this many standard deviations of a Gaussian to either side, where no other is stated.
REACH: Final = 3.0
EXPECTED: Final = "smooth:KIND,WINDOW, such as smooth:mean,11, smooth:gaussian,11,sigma=2 or smooth:median,0.5s,rate=30"


@STEPS.register("smooth")
@dataclass(frozen=True)
class Smooth(Step):
    """Smooth over a centred window, within one person of one recording, in the order of frames.

    The window of frame t holds the frames t - h … t + h of the same person and recording. It goes by frame number: a
    gap is not closed, frames that are missing are simply not in it, and at the ends it shrinks to what is there.

    Attributes:
        kind: ``mean``, ``median``, ``gaussian`` (weighted mean), or ``majority`` of the decided labels, where equal
            counts leave the item its own label if it is among them, else give the first class.
        window: its width in frames, odd.
        seconds: its width in seconds, in place of ``window``: what lies within half of it on either side.
        rate_hz: frames a second, by which ``seconds`` become frames; 0 takes each item's own time.
        sigma: standard deviation of the Gaussian, in frames, or in seconds where a window in seconds has no rate; 0
            for a sixth of the window.
    """

    kind: Smoothing = "mean"
    window: int = 0
    seconds: float = 0.0
    rate_hz: float = 0.0
    sigma: float = 0.0

    NAME: ClassVar[str] = "smooth"

    def __post_init__(self) -> None:
        """A window has a width and, in frames, a middle."""
        if self.kind not in KINDS:
            raise UnknownNameError.of("kind of smoothing", self.kind, KINDS)
        numbers = (self.seconds, self.rate_hz, self.sigma)
        if min(numbers) < 0 or not all(math.isfinite(number) for number in numbers):
            raise InputError(f"smoothing {self}: a width, rate or sigma that is not positive", expected=EXPECTED)
        if self.seconds and self.window:
            raise InputError(f"a window of {self.window} frames and of {self.seconds} s", expected="one of both")
        if not self.seconds and (self.window < 1 or self.window % 2 == 0):
            raise InputError(
                f"a smoothing window of {self.window} frames",
                expected="an odd number from 1 on, so that the window has a frame in its middle",
                cause=f"{self.window - 1} or {self.window + 1} was meant" if self.window > 1 else "",
            )
        if self.rate_hz and not self.seconds:
            raise InputError("a rate for a window in frames", expected="a rate with a window in seconds only")
        if self.rate_hz and not self._half_frames:
            raise InputError(
                f"a smoothing window of {plain_number(self.seconds)} s at {plain_number(self.rate_hz)} frames a second",
                expected="a window of 3 frames or more",
            )
        if self.sigma and self.kind != "gaussian":
            raise InputError(f"a sigma for smoothing by {self.kind}", expected="a sigma with smooth:gaussian only")

    @classmethod
    def read(cls, told: Told) -> Self:
        """From ``KIND,WINDOW`` with ``rate=`` and ``sigma=``."""
        kind, width = told.require(2, 2, EXPECTED)
        rate, sigma = (
            told.number(text, name) if text else 0.0
            for name, text in zip(("rate", "sigma"), told.take("rate", "sigma"), strict=True)
        )
        chosen: Smoothing = kind  # type: ignore[assignment]  # checked when it is made
        if width.endswith("s"):
            seconds = told.number(width.removesuffix("s"), "window")
            if seconds <= 0.0:
                raise InputError(f"a smoothing window of {width}", expected="a width above 0 s")
            return cls(chosen, 0, seconds, rate, sigma, fitted=told.fitted)
        return cls(chosen, told.whole(width, "window"), 0.0, rate, sigma, fitted=told.fitted)

    def words(self) -> tuple[str, ...]:
        """``KIND,WINDOW`` with ``rate=`` and ``sigma=``."""
        width = f"{plain_number(self.seconds)}s" if self.seconds else str(self.window)
        rate = (f"rate={plain_number(self.rate_hz)}",) if self.rate_hz else ()
        return (self.kind, width, *rate, *((f"sigma={plain_number(self.sigma)}",) if self.sigma else ()))

    def bound(self, card: ModelCard) -> Step:
        """With the standard deviation that the window brings."""
        del card
        if self.kind != "gaussian" or self.sigma:
            return self
        width = self.seconds if self._unit == "start_us" else float(2 * self._half_frames + 1)
        return replace(self, sigma=width / (2.0 * REACH))

    def apply(self, signal: Signal) -> Signal:
        """Smoothed numbers of every item."""
        self._require_kind(signal)
        order = signal.timeline.sequences(self._unit, self.NAME)
        windows = Windows(order, *order.windows(self._half))
        smoothed = np.empty_like(signal.values)
        smoothed[order.rows] = self._smoothed(signal.values[order.rows], windows, signal.card.kind)
        idle = self.window != 1 and bool((windows.sizes == 1).all())
        note = f"the step {self} changed nothing: no item has another within its window" if idle else ""
        return signal.changed(smoothed, output="label" if self.kind == "majority" else None, note=note)

    def _require_kind(self, signal: Signal) -> None:
        card = signal.card
        if self.kind != "majority":
            signal.require_numbers(self.NAME)
        elif card.kind == "dimensions" or (card.kind == "units" and card.output != "label"):
            raise InputError(
                f"a majority of the {card.kind} of model {card.name!r}, which are numbers and no labels",
                expected="smooth:mean, smooth:median or smooth:gaussian",
            )

    def _smoothed(self, values: np.ndarray, windows: Windows, kind: str) -> np.ndarray:
        if self.kind == "majority" and kind == "units":
            return windows.common_units(values)
        if self.kind == "majority":
            return windows.common_class(np.eye(values.shape[1])[values.argmax(axis=1)])
        if self.kind == "mean":
            return windows.means(values)
        if self.kind == "median":
            return windows.medians(values)
        return windows.gaussians(values, self.sigma * (MICROSECONDS if self._unit == "start_us" else 1))

    @property
    def _unit(self) -> Unit:
        return "start_us" if self.seconds and not self.rate_hz else "frame"

    @property
    def _half_frames(self) -> int:
        """Frames to either side; exact, since 0.2 s at 30 frames a second are 3 and not 2.999."""
        if not self.seconds:
            return self.window // 2
        return math.floor(Fraction(str(self.seconds)) * Fraction(str(self.rate_hz)) / 2)

    @property
    def _half(self) -> int:
        # Times are rounded to whole microseconds, so that a distance of two may be one off.
        return int(self.seconds * MICROSECONDS / 2) + 1 if self._unit == "start_us" else self._half_frames
