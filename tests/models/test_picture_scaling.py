"""Pictures in another size: sides to the pixel, filters number for number beside Pillow, and torchvision's roundings."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from affectcheck.errors import ExtraMissingError
from affectcheck.media.pillow import pillow
from affectcheck.models.picture_input import PictureInput
from affectcheck.models.picture_scaling import FILTERS, PILLOW, fitted, resized
from affectcheck.seeds import rng

pytest.importorskip("cv2")
Pillow = pytest.importorskip("PIL.Image")


def pixels(width: int, height: int) -> np.ndarray:
    return rng(0, "pixels").integers(0, 256, (height, width, 3), np.uint8)


@pytest.mark.parametrize("name", PILLOW)
def test_filters_of_pillow_are_pillow(name: str) -> None:
    seen = pixels(31, 23)
    expected = np.asarray(Pillow.fromarray(seen).resize((12, 9), getattr(Pillow.Resampling, name.upper())))
    assert (resized(seen, (12, 9), name) == expected).all()


def test_every_filter_makes_another_picture() -> None:
    seen = pixels(40, 40)
    made = {resized(seen, (13, 13), name).tobytes() for name in FILTERS}
    assert len(made) == len(FILTERS)
    assert resized(seen, (40, 40), "bicubic") is seen


@pytest.mark.parametrize(
    ("size", "across", "down"),
    [((187, 241), 73, 94), ((241, 187), 94, 73), ((64, 64), 73, 73), ((30, 20), 109, 73)],
)
def test_the_shorter_side_is_hit_and_the_longer_cut_to_whole_pixels(
    size: tuple[int, int], across: int, down: int
) -> None:
    seen = pixels(*size)
    whole = np.asarray(Pillow.fromarray(seen).resize((across, down), Pillow.Resampling.BICUBIC))
    made = PictureInput(64, 64, fit="centre", share=0.875, filter="bicubic")
    left, top = (across - 64) // 2, (down - 64) // 2
    assert (fitted(seen, made) == whole[top : top + 64, left : left + 64]).all()


def test_stretched_pictures_lose_their_edges_too() -> None:
    seen = pixels(50, 80)
    whole = np.asarray(Pillow.fromarray(seen).resize((72, 72), Pillow.Resampling.BILINEAR))
    assert (fitted(seen, PictureInput(64, 64, share=64 / 72, filter="bilinear")) == whole[4:68, 4:68]).all()


@pytest.mark.parametrize(("even", "left"), [(False, 3), (True, 4)])
def test_half_of_an_odd_number_of_pixels(even: bool, left: int) -> None:
    seen = pixels(15, 8)
    made = PictureInput(8, 8, fit="centre", halves_even=even)
    assert (fitted(seen, made) == seen[:, left : left + 8]).all()


@pytest.mark.parametrize("larger", [256, 248, 235, 112, 73])
def test_what_is_resized_to_is_found_again_from_the_share(larger: int) -> None:
    seen = pixels(larger, larger)
    made = PictureInput(64, 64, share=64 / larger)
    assert (fitted(seen, made) == seen[(larger - 64) // 2 :][:64, (larger - 64) // 2 :][:, :64]).all()


def test_proportions_of_another_kind() -> None:
    assert fitted(pixels(100, 100), PictureInput(40, 20, fit="centre")).shape == (20, 40, 3)
    assert fitted(pixels(30, 100), PictureInput(20, 40, fit="centre", share=0.5)).shape == (40, 20, 3)


def test_without_pillow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    pillow.cache_clear()
    with pytest.raises(ExtraMissingError, match="resizing pictures"):
        resized(pixels(4, 4), (2, 2), "bilinear")
