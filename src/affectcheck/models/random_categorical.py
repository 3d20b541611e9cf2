"""A model that guesses a class: what chance scores, to stand beside every number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from affectcheck.digest import digest_bytes
from affectcheck.errors import InputError
from affectcheck.models.card import ModelCard
from affectcheck.models.options import Option, describe
from affectcheck.models.registry import MODELS, whole, words
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from affectcheck.media.clip import Item


@dataclass(frozen=True)
class RandomCategorical:
    """Draws one of the classes, each as likely, keyed by the item and by what it holds.

    The same item gives the same class whatever its batch. A perturbed recording is another draw, as it would be for
    a model that guesses anew.

    Attributes:
        labels: the classes.
        seed: another seed gives independent draws.
        media: the media it is given and does not listen to; empty where none need be decoded.
    """

    labels: tuple[str, ...]
    seed: int = 0
    media: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """There is something to choose from."""
        if len(set(self.labels)) < len(self.labels) or not self.labels:
            raise InputError(f"the classes {self.labels}", expected="at least one class, each named once")

    @property
    def card(self) -> ModelCard:
        """What it is."""
        return ModelCard(
            name="random-categorical",
            kind="categories",
            parts=self.labels,
            output="label",
            media=self.media,
            rate_hz=None,
            parameters=0,
            training_data="none",
            digest=digest_bytes("random-categorical", str(self.seed), *self.labels),
            notes=("guesses: every class is as likely, whatever is heard or seen",),
        )

    def predict(self, items: Sequence[Item]) -> np.ndarray:
        """One-hot decisions, (n, classes)."""
        one_hot = np.zeros((len(items), len(self.labels)))
        for row, item in enumerate(items):
            draw = rng(self.seed, "random-categorical", item.key, item.digest)
            one_hot[row, draw.integers(len(self.labels))] = 1.0
        return one_hot


describe(
    "random-categorical",
    Option("labels", "the classes, separated by commas; those of the data where no option is stated", needed="yes"),
    Option("seed", "another one gives independent draws", "0"),
    Option(
        "media", "what it is given and does not listen to, such as audio; then changed sound is guessed anew", "none"
    ),
)


@MODELS.register("random-categorical")
def random_categorical(
    labels: str | Iterable[str], *, seed: int | str = 0, media: str | Iterable[str] = ()
) -> RandomCategorical:
    """Guess a class, each as likely; labels and media as a sequence, or as text separated by commas."""
    return RandomCategorical(words(labels), whole("seed", seed, least=None), words(media))
