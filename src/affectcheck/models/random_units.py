"""A model that guesses action units: what chance scores on them."""

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
class RandomUnits:
    """Draws a probability for every unit, each from 0 to 1 alike, so that half of them are present.

    Attributes:
        units: their names.
        seed: another seed gives independent draws.
        media: the media it is given and does not look at; empty where none need be decoded.
    """

    units: tuple[str, ...]
    seed: int = 0
    media: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """There is something to guess."""
        if len(set(self.units)) < len(self.units) or not self.units:
            raise InputError(f"the units {self.units}", expected="at least one unit, each named once")

    @property
    def card(self) -> ModelCard:
        """What it is."""
        return ModelCard(
            name="random-units",
            kind="units",
            parts=self.units,
            output="probability",
            media=self.media,
            rate_hz=None,
            parameters=0,
            training_data="none",
            digest=digest_bytes("random-units", str(self.seed), *self.units),
            notes=("guesses: every unit is present or absent as likely, whatever is seen",),
        )

    def predict(self, items: Sequence[Item]) -> np.ndarray:
        """Probabilities, (n, units)."""
        draws = [rng(self.seed, "random-units", item.key, item.digest).random(len(self.units)) for item in items]
        return np.array(draws).reshape(len(items), len(self.units))


describe(
    "random-units",
    Option("units", "the units, separated by commas", needed="yes"),
    Option("seed", "another one gives independent draws", "0"),
    Option("media", "what it is given and does not look at; then changed pictures are guessed anew", "none"),
)


@MODELS.register("random-units")
def random_units(units: str | Iterable[str], *, seed: int | str = 0, media: str | Iterable[str] = ()) -> RandomUnits:
    """Guess action units; units and media as a sequence, or as text with commas."""
    return RandomUnits(words(units), whole("seed", seed, least=None), words(media))
