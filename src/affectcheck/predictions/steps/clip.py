"""Values outside a range are set to its nearer end."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Final, Self

import numpy as np

from affectcheck.annotations.listing import plural
from affectcheck.errors import InputError
from affectcheck.predictions.steps.registry import STEPS
from affectcheck.predictions.steps.step import Step, Told, plain_number

if TYPE_CHECKING:
    from affectcheck.models.card import ModelCard
    from affectcheck.predictions.steps.signal import Signal

EXPECTED: Final = "clip for the declared range, or clip:LOW,HIGH, such as clip:-1,1"


@STEPS.register("clip")
@dataclass(frozen=True)
class Clip(Step):
    """Set values below a range to its low end and those above it to its high end, and count them.

    Attributes:
        low, high: the range; None takes the declared one: that of the dimensions, or 0 to 1 of probabilities.
    """

    low: float | None = None
    high: float | None = None

    NAME: ClassVar[str] = "clip"

    def __post_init__(self) -> None:
        """A range has two ends, in order."""
        if (self.low is None) != (self.high is None):
            raise InputError(f"a clip from {self.low} to {self.high}", expected="both ends or none")
        if self.low is not None and self.high is not None:
            finite = math.isfinite(self.low) and math.isfinite(self.high)
            if not (finite and self.low < self.high):
                raise InputError(f"a clip from {self.low} to {self.high}", expected="a low end below the high one")

    @classmethod
    def read(cls, told: Told) -> Self:
        """From nothing or ``LOW,HIGH``."""
        told.take()
        ends = [told.number(word, "end") for word in told.require(0, 2, EXPECTED)]
        if len(ends) == 1:
            raise InputError(f"'clip:{told.plain[0]}' is no step", expected=EXPECTED)
        return cls(*ends, fitted=told.fitted)

    def words(self) -> tuple[str, ...]:
        """``LOW,HIGH``, or nothing for the declared range."""
        return () if self.low is None or self.high is None else (plain_number(self.low), plain_number(self.high))

    def bound(self, card: ModelCard) -> Step:
        """With the declared range."""
        if self.low is not None:
            return self
        if card.kind == "dimensions":
            return replace(self, low=card.low, high=card.high)
        if card.output == "probability":
            return replace(self, low=0.0, high=1.0)
        raise InputError(
            f"the {card.output}s of model {card.name!r} have no declared range",
            expected="clip:LOW,HIGH with stated ends",
        )

    def apply(self, signal: Signal) -> Signal:
        """Values within the range."""
        signal.require_numbers(self.NAME)
        values = np.clip(signal.values, self.low, self.high)
        outside = int((values != signal.values).any(axis=1).sum())
        note = f"the step {self}: {plural(outside, 'item')} with a value outside the range" if outside else ""
        return signal.changed(values, note=note)
