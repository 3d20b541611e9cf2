"""What a network receives of a picture, number for number."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from affectcheck.errors import AffectcheckError, InputError, UnknownNameError
from affectcheck.media.clip import Image
from affectcheck.media.faces.detector import Box, Face
from affectcheck.media.faces.template import template
from affectcheck.models.picture_input import PictureInput, picture_input

pytest.importorskip("cv2")
RED, GREEN, BLUE, WHITE = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)


def known(side: int = 4) -> Image:
    """Red and green above, blue and white below."""
    quarters = np.array([[RED, GREEN], [BLUE, WHITE]], np.uint8)
    return Image(quarters.repeat(side // 2, axis=0).repeat(side // 2, axis=1))


def made(**options: object) -> PictureInput:
    return picture_input({"size": 4, **options}, PictureInput(), where="onnx:x")


def test_the_plain_way() -> None:
    found = made().array(known())
    assert (found.shape, found.dtype) == ((1, 3, 4, 4), np.float32)
    assert found[0, :, 0, 0].tolist() == [1, 0, 0]
    assert found[0, :, 0, 3].tolist() == [0, 1, 0]
    assert found[0, :, 3, 0].tolist() == [0, 0, 1]
    assert found[0, :, 3, 3].tolist() == [1, 1, 1]


def test_blue_first() -> None:
    assert made(channels="bgr").array(known())[0, :, 0, 0].tolist() == [0, 0, 1]


def test_channels_last() -> None:
    found = made(layout="nhwc").array(known())
    assert found.shape == (1, 4, 4, 3)
    assert found[0, 3, 0].tolist() == [0, 0, 1]


def test_grey_is_the_luma() -> None:
    found = made(channels="grey", range="0,255").array(known())
    assert found.shape == (1, 1, 4, 4)
    assert found[0, 0, [0, 0, 3, 3], [0, 3, 0, 3]].tolist() == pytest.approx([76, 150, 29, 255])


def test_range_mean_and_std_in_the_order_of_the_channels() -> None:
    found = made(channels="bgr", range="0,255", mean="10,20,30", std="1,2,5").array(known())
    assert found[0, :, 0, 0].tolist() == [-10, -10, 45]
    assert made(range="-1,1").array(known())[0, :, 0, 0].tolist() == [1, -1, -1]


def test_sizes() -> None:
    found = made(size="6x2")
    assert found.array(known(8)).shape == (1, 3, 2, 6)
    assert made(size=2).array(known(8))[0, :, 0, 0].tolist() == [1, 0, 0]
    assert made(size=16).array(known(8))[0, :, 0, 0].tolist() == [1, 0, 0]


def test_the_middle_of_a_wide_picture() -> None:
    pixels = np.zeros((4, 12, 3), np.uint8)
    pixels[:, 4:8] = 255
    assert made(fit="centre").array(Image(pixels)).min() == 1.0
    assert made().array(Image(pixels)).min() == 0.0
    assert made(fit="centre", share=0.5, size=2).array(known(8)).shape == (1, 3, 2, 2)


@dataclass(frozen=True)
class Finds:
    """A detector that finds one face, or none."""

    faces: tuple[Face, ...] = ()
    name: str = "finds"
    digest: str = "d"

    def detect(self, pixels: np.ndarray) -> list[Face]:
        return list(self.faces)


def dotted(landmarks: np.ndarray) -> np.ndarray:
    """A black picture with a white dot on each eye."""
    pixels = np.zeros((200, 200, 3), np.uint8)
    for x, y in landmarks[:2].round().astype(int):
        pixels[y - 1 : y + 2, x - 1 : x + 2] = 255
    return pixels


def test_faces_are_aligned_by_landmarks_or_by_the_detector() -> None:
    landmarks = template() + 50
    pixels = dotted(landmarks)
    face = Face(box=Box(60, 60, 150, 150), landmarks=landmarks + 0.5, score=1.0)
    for image, finder in ((Image(pixels, landmarks=landmarks), Finds()), (Image(pixels), Finds((face,)))):
        seen = PictureInput(112, 112, crop="aligned", detector=finder).seen(image)
        assert seen.shape == (112, 112, 3)
        for x, y in template()[:2].round().astype(int):
            assert seen[y, x].min() > 150


def test_the_box_of_the_face_and_its_margin() -> None:
    pixels = np.zeros((100, 100, 3), np.uint8)
    pixels[40:60, 40:60] = 255
    face = Face(box=Box(40, 40, 60, 60), landmarks=template() / 5 + 40, score=1.0)
    close = PictureInput(20, 20, crop="detector", detector=Finds((face,)))
    assert close.seen(Image(pixels)).min() == 255
    wide = PictureInput(20, 20, crop="detector", margin=0.5, detector=Finds((face,)))
    assert wide.seen(Image(pixels)).mean() == pytest.approx(255 / 4, abs=8)


@pytest.mark.parametrize("crop", ["detector", "aligned"])
def test_without_a_face_the_whole_picture(crop: str) -> None:
    seen = PictureInput(4, 4, crop=crop, detector=Finds()).seen(known(8))
    assert (seen == known(4).pixels).all()


def test_without_a_size_pictures_stay_as_they_are() -> None:
    found = picture_input({}, PictureInput(), where="http://x", sized=False)
    assert found.seen(known(6)).shape == (6, 6, 3)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"size": "0"}, "size is '0'"),
        ({"size": "2x3x4"}, "200x260"),
        ({"size": "99999"}, "size is"),
        ({"range": "1"}, "black and white"),
        ({"range": "1,1"}, "black and white"),
        ({"mean": ""}, "mean is empty"),
        ({"mean": "a"}, "'a'"),
        ({"mean": "1,2"}, "mean has 2 numbers"),
        ({"channels": "grey", "mean": "1,2,3"}, "expected: one, or 1"),
        ({"std": "0"}, "numbers above 0"),
        ({"share": "2"}, "from 0.05 to 1"),
        ({"margin": "-1"}, "from 0 to 3"),
    ],
)
def test_what_cannot_be(options: dict[str, str], words: str) -> None:
    with pytest.raises(AffectcheckError, match=words):
        made(**options)


@pytest.mark.parametrize("option", ["channels", "layout", "crop", "fit", "filter"])
def test_unknown_words(option: str) -> None:
    with pytest.raises(UnknownNameError, match=f"value of {option}"):
        made(**{option: "sideways"})


def test_a_size_is_needed() -> None:
    with pytest.raises(InputError, match=r"size of the pictures .* is not declared"):
        picture_input({}, PictureInput(), where="onnx:x")


def test_everything_that_changes_a_number_is_in_the_digest() -> None:
    ways = [{}, {"size": 5}, {"range": "0,255"}, {"mean": 1}, {"std": 2}, {"channels": "bgr"}, {"layout": "nhwc"}]
    ways += [{"fit": "centre"}, {"share": 0.5}, {"margin": 0.1}]
    digests = [made(**way).digest for way in ways]
    digests += [PictureInput(4, 4, crop="aligned", detector=Finds(digest=one)).digest for one in "ab"]
    assert len(set(digests)) == len(digests)


def test_it_is_told_in_words() -> None:
    told = made(mean="0.485,0.456,0.406", crop="picture", fit="centre", share=0.875).told
    assert told == (
        "pictures: whole, the middle 0.875, 4×4 pixels by area, rgb, nchw, black to white 0 to 1, less 0.485, 0.456, "
        "0.406, over 1"
    )
