"""What a model declares about itself, and the protocol that every model meets."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, Protocol, runtime_checkable

from affectcheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from affectcheck.media.clip import Item
    from affectcheck.schemes import Kind

#: Ten times the rate of studio recordings: beyond it a rate is a mistake, and resampling to it takes for ever.
HIGHEST_RATE_HZ: Final = 1_920_000

Output = Literal["label", "probability", "logit", "score", "value"]


@dataclass(frozen=True)
class ModelCard:
    """What a model is and returns.

    Attributes:
        name: as it stands in reports and signatures.
        kind: ``categories``, ``units`` or ``dimensions``.
        parts: the classes, units or dimensions, in the order of the model's columns.
        output: what a number is: ``label`` (one-hot decision), ``probability``, ``logit``, ``score`` or ``value``.
        media: the media it takes: ``audio``, ``image``, ``frames``.
        rate_hz: sampling rate of the sound it takes; None where it takes none or any.
        low, high: range of the values, for dimensions.
        parameters: number of trained parameters, if known.
        training_data: what it was trained on, in words.
        parent: the model it was tuned from, if any.
        digest: digest of its weights or code; part of the key under which predictions are cached.
        notes: sentences for the reader of a report.
    """

    name: str
    kind: Kind
    parts: tuple[str, ...]
    output: Output = "score"
    media: tuple[str, ...] = ("audio",)
    rate_hz: int | None = 16_000
    low: float = 0.0
    high: float = 1.0
    parameters: int | None = None
    training_data: str = ""
    parent: str = ""
    digest: str = ""
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Every part has a name of its own, the range is one, and the rate is one that sound can have."""
        twice = sorted(part for part, count in Counter(self.parts).items() if count > 1)
        if not self.parts or twice:
            raise InputError(
                f"the model {self.name!r} declares {' and '.join(map(repr, twice))} twice"
                if twice
                else f"the model {self.name!r} declares no {self.kind}",
                expected="each class, unit or dimension once, in the order of the numbers that the model returns",
            )
        if self.kind == "dimensions" and not self.low < self.high:
            raise InputError(
                f"the model {self.name!r} declares values from {self.low:g} to {self.high:g}",
                expected="a low end below the high one",
            )
        if self.rate_hz is not None and not 1 <= self.rate_hz <= HIGHEST_RATE_HZ:
            raise InputError(
                f"the model {self.name!r} takes sound at {self.rate_hz} Hz", expected=f"1 to {HIGHEST_RATE_HZ} Hz"
            )


@runtime_checkable
class Predictor(Protocol):
    """Anything that predicts affect for a batch of items.

    The prediction of an item must not depend on the other items of its batch, nor on their order.
    """

    @property
    def card(self) -> ModelCard:
        """What the model is and returns."""

    def predict(self, items: Sequence[Item]) -> np.ndarray:
        """Predict a batch.

        Args:
            items: n items with the media that the card names.

        Returns:
            (n, parts) float64, row i for item i: a number a class (the decision is the largest, ties to the first),
            a score a unit, or a value a dimension.
        """
