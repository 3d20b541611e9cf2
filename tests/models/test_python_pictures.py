"""Python functions of pictures and of videos."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from affectcheck.errors import InputError, UnknownNameError
from affectcheck.media.clip import Clip, Frames, Image, Item
from affectcheck.models import load_model

if TYPE_CHECKING:
    from pathlib import Path

CODE = """
def red(pixels):
    assert pixels.ndim == 3 and pixels.dtype.name == "uint8", pixels.shape
    return float(pixels[..., 0].mean()) / 255
red.dimensions = ("valence",)
red.media = "image"

def shape(values):
    return values.shape[1:]
shape.dimensions = ("depth", "height", "width")
shape.media = "image"
shape.size = "6x4"
shape.high = 100

def first(values):
    return values.reshape(3, -1)[:, 0]
first.units = "AU1,AU2,AU4"
first.media = "image"

def length(pixels, rate_hz):
    return [len(pixels), rate_hz]
length.dimensions = ("frames", "rate")
length.media = "frames"
length.size = 7

def samples(values, rate_hz):
    return len(values)
samples.dimensions = "length"
samples.mean = 3
"""


@pytest.fixture
def code(tmp_path: Path) -> Path:
    path = tmp_path / "seeing.py"
    path.write_text(CODE)
    return path


def item() -> Item:
    return Item("a", {"image": Image(np.full((8, 10, 3), (51, 0, 255), np.uint8))})


def test_a_function_gets_pixels(code: Path) -> None:
    model = load_model(f"{code}:red")
    assert (model.card.media, model.card.rate_hz, model.card.parts) == (("image",), None, ("valence",))
    assert model.predict([item(), item()]).tolist() == [[0.2], [0.2]]


def test_what_is_stated_makes_an_array(code: Path) -> None:
    pytest.importorskip("cv2")
    assert load_model(f"{code}:shape").predict([item()]).tolist() == [[3, 4, 6]]
    model = load_model(f"{code}:first?channels=bgr&range=0,255&mean=1,2,3")
    assert (model.card.kind, model.card.output) == ("units", "score")
    assert model.predict([item()]).tolist() == [[254, -2, 48]]
    assert "bgr, nchw" in "; ".join(model.card.notes)


def test_what_is_stated_is_part_of_the_digest(code: Path) -> None:
    pytest.importorskip("cv2")
    ways = ("", "?mean=1", "?channels=bgr")
    assert len({load_model(f"{code}:first{way}").card.digest for way in ways}) == len(ways)


def test_a_function_of_frames_and_one_of_sound(code: Path) -> None:
    frames = Frames(np.zeros((5, 2, 2, 3), np.uint8), 25.0)
    assert load_model(f"{code}:length").predict([Item("a", {"frames": frames})]).tolist() == [[5, 25]]
    clip = Clip(np.zeros(9, np.float32), 16_000)
    assert load_model(f"{code}:samples").predict([Item("a", {"audio": clip})]).tolist() == [[9]]


def test_what_does_not_fit(code: Path) -> None:
    with pytest.raises(InputError, match="'size' says nothing of a function that takes no pictures"):
        load_model(f"{code}:samples?size=8")
    with pytest.raises(UnknownNameError, match="value of media"):
        load_model(f"{code}:samples?media=smell")
    with pytest.raises(InputError, match="has no picture"):
        load_model(f"{code}:red").predict([Item("a", {})])
