"""What is done with the numbers of a network of others before they are read: softmax for classes, sigmoid for units."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.errors import InputError
from affectcheck.models.options import Option
from affectcheck.models.waveform import softmax

if TYPE_CHECKING:
    from affectcheck.models.card import ModelCard, Output

ACTIVATIONS: Final = ("none", "softmax", "sigmoid")
#: Which kind of thing an activation makes probabilities of.
_OF: Final = {"softmax": "categories", "sigmoid": "units"}
ACTIVATION_OPTION: Final = Option(
    "activation", "none; softmax or sigmoid, which make probabilities of logits of classes or of units", "none"
)


def activated(values: np.ndarray, activation: str) -> np.ndarray:
    """Numbers of one item after the activation."""
    if activation == "softmax":
        return softmax(values)
    return np.asarray((1 + np.tanh(values / 2)) / 2) if activation == "sigmoid" else values


def output_of(activation: str) -> Output:
    """What the numbers of classes or units are then."""
    return "logit" if activation == "none" else "probability"


def require_activation(activation: str, card: ModelCard, *, where: str) -> None:
    """A softmax is one of classes, a sigmoid one of units.

    Raises:
        InputError: it is of another kind.
    """
    wanted = _OF.get(activation, card.kind)
    if card.kind != wanted:
        names = {"categories": "classes"}
        raise InputError(
            f"a {activation} of {names.get(card.kind, card.kind)}",
            where=where,
            expected=f"activation={activation} for {names.get(wanted, wanted)} only",
        )
