"""Covers lie on their part of the face, whatever its tilt and size, and nowhere else."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from affectcheck.augmentations.pictures import Mask, OccludeEyes, OccludeHalf, OccludeMouth, Sunglasses
from affectcheck.augmentations.pictures.face_points import TAKEN_FOR_ALIGNED, FacePoints
from affectcheck.errors import InputError
from affectcheck.media.faces.template import template
from augmentations.small_pictures import applied, textured

if TYPE_CHECKING:
    from affectcheck.media.clip import Image

EYES, MOUTH = (0, 1), (3, 4)
FACES = {
    "aligned": template(),
    "large": template(300, 300) + 20,
    "tilted": (template() - 56) @ np.array([[0.8, 0.6], [-0.6, 0.8]]) + 70,
    "upside down": 140 - template(),
}


def changed_at(before: Image, after: Image, place: np.ndarray) -> bool:
    x, y = np.rint(place).astype(int)
    return bool((before.pixels[y, x] != after.pixels[y, x]).any())


@pytest.fixture(params=sorted(FACES))
def face(request: pytest.FixtureRequest) -> Image:
    points = FACES[request.param]
    return replace(textured(340, 340), landmarks=points)


@pytest.mark.parametrize(
    ("cover", "hidden", "seen"),
    [
        (OccludeEyes(), EYES, (2, *MOUTH)),
        (OccludeMouth(), MOUTH, EYES),
        (Mask(), (2, *MOUTH), EYES),
        (Sunglasses(), EYES, MOUTH),
    ],
    ids=lambda value: getattr(value, "NAME", ""),
)
def test_a_cover_hides_its_part_alone(
    cover: OccludeEyes, hidden: tuple[int, ...], seen: tuple[int, ...], face: Image
) -> None:
    assert face.landmarks is not None
    made = applied(cover, face)
    assert made.notes == ()
    assert all(changed_at(face, made.image, face.landmarks[index]) for index in hidden)
    assert not any(changed_at(face, made.image, face.landmarks[index]) for index in seen)
    share = (made.image.pixels != face.pixels).any(axis=-1).sum() / FacePoints.of(face).eye_distance ** 2
    assert 0.3 < share < 4
    assert cover.deterministic


def test_one_half_is_hidden_and_both_sides_are_drawn(face: Image) -> None:
    assert face.landmarks is not None
    sides = set()
    for seed in range(8):
        made = applied(OccludeHalf(), face, seed=seed)
        left, right = (changed_at(face, made.image, face.landmarks[index]) for index in EYES)
        assert left != right
        assert left == (made.drawn["side"] == "left") or face.landmarks[0, 0] > face.landmarks[1, 0]
        sides.add(made.drawn["side"])
    assert sides == {"left", "right"}
    assert not OccludeHalf().deterministic


def test_a_cover_is_of_the_grey_that_was_asked_for() -> None:
    made = applied(OccludeMouth(grey_level=99), replace(textured(), landmarks=template()))
    x, y = np.rint(template()[3:].mean(axis=0)).astype(int)
    assert made.image.pixels[y, x].tolist() == [99, 99, 99]
    for kind, wrong in ((OccludeEyes, 256), (OccludeMouth, -1), (OccludeHalf, 300)):
        with pytest.raises(InputError, match="grey_level is"):
            kind(grey_level=wrong)
    with pytest.raises(InputError, match="opacity is"):
        Sunglasses(opacity=0.0)


def test_points_that_are_not_known_are_taken_for_granted_aloud() -> None:
    assert applied(Sunglasses(), textured()).notes == (TAKEN_FOR_ALIGNED,)
    points = FacePoints.of(textured(56, 56))
    assert points.points == pytest.approx(template() / 2)


def test_the_frame_of_a_face_goes_both_ways_and_copes_with_a_profile() -> None:
    face = FacePoints(FACES["tilted"])
    places = np.array([[0.3, 0.4], [-1.0, 2.0]])
    assert face.inward(face.outward(places)) == pytest.approx(places)
    profile = FacePoints(np.array([[50.0, 50], [50, 50], [60, 60], [52, 80], [52, 80]]))
    assert profile.eye_distance == 1.0
    assert np.isfinite(profile.outward(places)).all()
