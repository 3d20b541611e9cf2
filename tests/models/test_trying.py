"""One picture through a model, and what its network receives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pytest

from affectcheck.errors import InputError
from affectcheck.models import RandomCategorical, known_picture, try_picture
from affectcheck.models.card import ModelCard
from affectcheck.models.python_model import PythonModel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.media.clip import Image, Item

CARD = ModelCard("mine", "dimensions", ("valence",), "value", media=("image",), rate_hz=None, high=1e9)


@dataclass(frozen=True)
class Seen:
    """A model that says that it receives this."""

    values: np.ndarray
    card: ModelCard = CARD

    def received(self, image: Image) -> np.ndarray:
        return self.values

    def predict(self, items: list[object]) -> np.ndarray:
        return np.ones((len(items), 1))


def test_pixels_as_they_are() -> None:
    trial = try_picture(PythonModel(lambda pixels: float(pixels.mean()), CARD), known_picture())
    assert trial.answer == {"valence": pytest.approx(127.5)}
    assert (trial.shape, trial.dtype, trial.low, trial.high) == ((224, 224, 3), "uint8", 0, 255)
    told = {place.name: place.pixel for place in trial.places}
    assert told == {
        "top left": (255, 0, 0),
        "top right": (0, 255, 0),
        "bottom left": (0, 0, 255),
        "bottom right": (255, 255, 255),
    }
    assert all(place.pixel == place.numbers for place in trial.places)


@pytest.mark.parametrize("way", ["nchw", "nhwc", "grey", "flat"])
def test_whatever_the_order_of_the_axes(way: str) -> None:
    values = np.linspace(-1, 1, 4 * 4 * 3).reshape(4, 4, 3).astype(np.float32)
    shown = {"nchw": values.transpose(2, 0, 1)[None], "nhwc": values[None], "grey": values[None, None, ..., 0]}
    trial = try_picture(Seen(shown.get(way, values[..., 0])), known_picture())
    wanted = values if way in {"nchw", "nhwc"} else values[..., :1]
    assert trial.places[1].numbers == pytest.approx(tuple(wanted[1, 3].tolist()), abs=1e-4)
    assert trial.view is not None
    assert (trial.view.shape, trial.view.dtype) == ((4, 4, 3), np.uint8)
    assert (trial.view.min(), trial.view.max()) == (0, 255)


def test_nothing_but_one_number() -> None:
    trial = try_picture(Seen(np.full((1, 3, 2, 2), 7.0)), known_picture())
    assert (trial.low, trial.high) == (7.0, 7.0)
    assert trial.view is not None
    assert trial.view.max() == 0


def test_a_model_that_does_not_show_it() -> None:
    trial = try_picture(RandomCategorical(("a", "b"), media=("image",)), known_picture())
    assert sum(trial.answer.values()) == 1.0
    assert (trial.shape, trial.places, trial.view) == ((), (), None)


def test_a_model_of_sound() -> None:
    with pytest.raises(InputError, match="takes audio"):
        try_picture(RandomCategorical(("a", "b"), media=("audio",)), known_picture())


def test_answers_that_are_not_the_same_are_told() -> None:
    ticks = iter(range(9))

    class Drawing:
        card = ModelCard("draws", "dimensions", ("valence",), "value", media=("image",), rate_hz=None)

        def predict(self, items: Sequence[Item]) -> np.ndarray:
            return np.array([[float(next(ticks))] for _ in items])

    (told,) = try_picture(Drawing(), known_picture()).cautions
    assert told.startswith("another answer each time, up to 2 apart")
