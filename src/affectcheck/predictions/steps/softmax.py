"""Logits of classes as probabilities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from affectcheck.errors import InputError
from affectcheck.predictions.steps.registry import STEPS
from affectcheck.predictions.steps.step import Step, Told

if TYPE_CHECKING:
    from affectcheck.predictions.steps.signal import Signal


@STEPS.register("softmax")
@dataclass(frozen=True)
class Softmax(Step):
    """Turn logits of classes into probabilities that sum to 1. It changes no decision by itself, but what follows it."""

    NAME: ClassVar[str] = "softmax"

    @classmethod
    def read(cls, told: Told) -> Self:
        """From nothing."""
        told.require(0, 0, "softmax, without parameters")
        told.take()
        return cls(fitted=told.fitted)

    def words(self) -> tuple[str, ...]:
        """None."""
        return ()

    def apply(self, signal: Signal) -> Signal:
        """Probabilities."""
        require_logits(signal, self.NAME, "categories")
        shifted = np.exp(signal.values - signal.values.max(axis=1, keepdims=True))
        return signal.changed(shifted / shifted.sum(axis=1, keepdims=True), output="probability")


def require_logits(signal: Signal, step: str, kind: str) -> None:
    """Raise unless the numbers are declared to be logits of a kind of prediction; what they look like counts nothing.

    Raises:
        InputError: they are not.
    """
    card = signal.card
    if card.kind != kind or card.output != "logit":
        raise InputError(
            f"the step {step!r} takes logits of {kind}, but the model {card.name!r} returned "
            f"{card.kind} declared as {card.output}",
            expected=f"a model of {kind} whose output is declared as logit (in a file: columns logit_…)",
            cause="probabilities already" if card.output == "probability" else "an output that was not declared",
        )
