"""Logits of units as probabilities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from affectcheck.predictions.steps.registry import STEPS
from affectcheck.predictions.steps.softmax import require_logits
from affectcheck.predictions.steps.step import Step, Told

if TYPE_CHECKING:
    from affectcheck.predictions.steps.signal import Signal


@STEPS.register("sigmoid")
@dataclass(frozen=True)
class Sigmoid(Step):
    """Turn the logit of each unit into a probability of its own."""

    NAME: ClassVar[str] = "sigmoid"

    @classmethod
    def read(cls, told: Told) -> Self:
        """From nothing."""
        told.require(0, 0, "sigmoid, without parameters")
        told.take()
        return cls(fitted=told.fitted)

    def words(self) -> tuple[str, ...]:
        """None."""
        return ()

    def apply(self, signal: Signal) -> Signal:
        """Probabilities."""
        require_logits(signal, self.NAME, "units")
        # Of either sign without an overflow: exp of minus the size never exceeds 1.
        small = np.exp(-np.abs(signal.values))
        return signal.changed(np.where(signal.values >= 0.0, 1.0, small) / (1.0 + small), output="probability")
