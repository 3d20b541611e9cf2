"""A model that guesses values around the middle of the range: what chance scores on dimensions."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.digest import digest_bytes
from affectcheck.errors import InputError
from affectcheck.models.card import ModelCard
from affectcheck.models.options import Option, describe
from affectcheck.models.registry import MODELS, number, whole, words
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from affectcheck.media.clip import Item

#: paper 2, section on random baselines: normal with mean 1/2 and standard deviation 1/6, truncated to [0, 1].
NORMAL: Final = NormalDist(0.5, 1.0 / 6.0)


@dataclass(frozen=True)
class RandomGaussian:
    """Draws every dimension from a normal distribution truncated to the range, keyed by item and content.

    Draws outside the range do not occur (they are not moved to its ends): a uniform draw goes through the inverse
    distribution function of the part inside.

    Attributes:
        dimensions: their names.
        low, high: the range; its middle is the mean, a sixth of its width the standard deviation.
        seed: another seed gives independent draws.
        media: the media it is given and does not listen to; empty where none need be decoded.
    """

    dimensions: tuple[str, ...]
    low: float = 0.0
    high: float = 1.0
    seed: int = 0
    media: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """There are dimensions, and a range of positive width."""
        if len(set(self.dimensions)) < len(self.dimensions) or not self.dimensions:
            raise InputError(f"the dimensions {self.dimensions}", expected="at least one, each named once")
        if not self.low < self.high:
            raise InputError(f"the range [{self.low}, {self.high}]", expected="low below high")

    @property
    def card(self) -> ModelCard:
        """What it is."""
        return ModelCard(
            name="random-gaussian",
            kind="dimensions",
            parts=self.dimensions,
            output="value",
            media=self.media,
            rate_hz=None,
            low=self.low,
            high=self.high,
            parameters=0,
            training_data="none",
            digest=digest_bytes("random-gaussian", repr((self.seed, self.low, self.high)), *self.dimensions),
            notes=("guesses: normal around the middle of the range, truncated to it, whatever is heard or seen",),
        )

    def predict(self, items: Sequence[Item]) -> np.ndarray:
        """Values, (n, dimensions)."""
        outside = NORMAL.cdf(0.0)
        values = np.empty((len(items), len(self.dimensions)))
        for row, item in enumerate(items):
            draws = rng(self.seed, "random-gaussian", item.key, item.digest).random(len(self.dimensions))
            values[row] = [NORMAL.inv_cdf(outside + (1.0 - 2.0 * outside) * draw) for draw in draws.tolist()]
        return self.low + (self.high - self.low) * values.clip(0.0, 1.0)  # rounding only: the draws lie inside


describe(
    "random-gaussian",
    Option(
        "dimensions", "the dimensions, separated by commas; those of the data where no option is stated", needed="yes"
    ),
    Option("low", "lower end of the range", "0"),
    Option("high", "upper end of the range", "1"),
    Option("seed", "another one gives independent draws", "0"),
    Option(
        "media", "what it is given and does not listen to, such as audio; then changed sound is guessed anew", "none"
    ),
)


@MODELS.register("random-gaussian")
def random_gaussian(
    dimensions: str | Iterable[str],
    *,
    low: float | str = 0.0,
    high: float | str = 1.0,
    seed: int | str = 0,
    media: str | Iterable[str] = (),
) -> RandomGaussian:
    """Guess values around the middle of the range; dimensions and media as a sequence, or as text with commas."""
    return RandomGaussian(
        words(dimensions), number("low", low), number("high", high), whole("seed", seed, least=None), words(media)
    )
