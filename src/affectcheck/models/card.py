"""What a model declares about itself, and the protocol that every model meets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from affectcheck.media.clip import Item
    from affectcheck.schemes import Kind

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
