"""What every perturbation of pictures keeps to: sizes, types, draws by item, inputs that stay as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from affectcheck.augmentations import (
    PICTURE_AUGMENTATIONS,
    Perturbation,
    PicturePerturbation,
    make_augmentation,
    make_perturbation,
)
from affectcheck.augmentations.pictures import PictureAugmentation, changed
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.media.clip import Clip, Frames, Image
from augmentations.small_pictures import textured

if TYPE_CHECKING:
    from collections.abc import Callable

NAMES = PICTURE_AUGMENTATIONS.names()


@pytest.fixture(params=NAMES)
def make(request: pytest.FixtureRequest) -> Callable[..., PicturePerturbation]:
    def made(seed: int = 0) -> PicturePerturbation:
        found = make_perturbation(request.param, seed=seed)
        assert isinstance(found, PicturePerturbation)
        return found

    return made


def test_a_perturbation_is_what_the_protocol_says(make: Callable[..., PicturePerturbation]) -> None:
    one = make()
    assert isinstance(one.augmentation, PictureAugmentation)
    assert one.media == ("image", "frames")
    assert one.key.startswith(f"{one.augmentation.key}|seed=0")


@pytest.mark.parametrize(("height", "width"), [(112, 112), (97, 131), (224, 160)])
def test_pictures_stay_pictures(make: Callable[..., PicturePerturbation], height: int, width: int) -> None:
    given = textured(height, width)
    before = given.pixels.copy()
    made = make()(given, "item")
    assert isinstance(made, Image)
    assert made.pixels.dtype == np.uint8
    assert made.pixels.ndim == 3
    assert made.pixels.shape[2] == 3
    assert not np.shares_memory(made.pixels, given.pixels)
    assert np.array_equal(given.pixels, before)


def test_an_item_gets_the_same_pixels_whatever_came_before(make: Callable[..., PicturePerturbation]) -> None:
    first, second = make(), make()
    for key in ("c", "a", "b"):
        second(textured(seed=3), key)
    one, other = first(textured(), "item"), second(textured(), "item")
    assert isinstance(one, Image)
    assert isinstance(other, Image)
    assert one.digest == other.digest


def test_frames_of_a_video_have_one_draw(make: Callable[..., PicturePerturbation]) -> None:
    still = textured(64, 64)
    video = Frames(np.stack([still.pixels] * 4), 25.0)
    before = video.pixels.copy()
    made = make()(video, "item")
    assert isinstance(made, Frames)
    assert made.pixels.dtype == np.uint8
    assert made.pixels.shape[0] == 4
    assert np.array_equal(video.pixels, before)


def test_sound_is_no_picture(make: Callable[..., PicturePerturbation]) -> None:
    with pytest.raises(TypeError, match="changes pictures, not Clip"):
        make()(Clip(np.ones(8, np.float32), 8), "item")


def test_a_picture_is_no_sound() -> None:
    with pytest.raises(TypeError, match="changes sound, not Image"):
        Perturbation(make_augmentation("gain"))(textured(), "item")


def test_names_and_parameters_are_checked() -> None:
    with pytest.raises(UnknownNameError, match="unknown augmentation 'brightnes'"):
        make_perturbation("brightnes")
    with pytest.raises(UnknownNameError, match="parameter of augmentation 'brightness' 'exposure_stop'"):
        make_perturbation("brightness", {"exposure_stop": 1})
    with pytest.raises(InputError, match="exposure_stops is"):
        make_perturbation("brightness", {"exposure_stops": [0.0]})
    assert isinstance(make_perturbation("gain", {"gain_db": [2.0]}, seed=3), Perturbation)


def test_what_changes_no_pixel_is_said() -> None:
    given = textured()
    made = changed(given, given.pixels.astype(np.float64) + 0.2, {})
    assert not made.changed
    assert made.image is given
    assert "nothing differs" in made.notes[0]
    black = Image(np.zeros((8, 8, 3), np.uint8))
    assert make_perturbation("brightness")(black, "item") is None
    assert make_perturbation("brightness")(Frames(np.zeros((2, 8, 8, 3), np.uint8), 25.0), "item") is None
