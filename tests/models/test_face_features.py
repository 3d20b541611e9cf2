"""Features of a face: what they see, and what they do not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from affectcheck.errors import InputError
from affectcheck.media.clip import Image, Item
from affectcheck.media.faces.alignment import Similarity
from affectcheck.media.faces.template import template
from affectcheck.models import (
    Baseline,
    FeatureCache,
    FitOptions,
    face_crop,
    face_feature_digest,
    face_feature_names,
    face_features,
    fit,
)
from affectcheck.schemes import CategoryScheme, UnitScheme
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from pathlib import Path

cv2 = pytest.importorskip("cv2")
NAMES = face_feature_names()


def face(smile: float, *, moved: Similarity | None = None, skin: int = 200, size: int = 224) -> Image:
    """A disc with eyes, brows and a mouth that bends, and its landmarks."""
    moved = moved or Similarity(np.array([[1.0, 0, 56], [0, 1.0, 56]]))
    pixels = np.full((size, size, 3), 30, np.uint8)
    width = round(moved.scale * 4)

    def place(points: np.ndarray) -> np.ndarray:
        return np.round(moved.moved(np.asarray(points, float)) * 16).astype(np.int32)

    around = np.linspace(0, 2 * np.pi, 60)
    head = np.stack([56 + 48 * np.cos(around), 62 + 52 * np.sin(around)], axis=1)
    cv2.fillPoly(pixels, [place(head)], (skin, skin - 20, skin - 40), lineType=cv2.LINE_AA, shift=4)
    along = np.linspace(-16, 16, 20)
    mouth = np.stack([56 + along, 92 + smile * (6 - along**2 / 20)], axis=1)
    brows = [np.stack([x + along / 2, np.full(20, 40.0)], axis=1) for x in (38, 74)]
    for line in (mouth, *brows):
        cv2.polylines(pixels, [place(line)], False, (60, 30, 30), width, cv2.LINE_AA, 4)
    for x in (38, 74):
        eye = np.stack([x + 6 * np.cos(around), 52 + 3 * np.sin(around)], axis=1)
        cv2.fillPoly(pixels, [place(eye)], (20, 20, 20), lineType=cv2.LINE_AA, shift=4)
    return Image(pixels, landmarks=moved.moved(template()))


def apart(first: Image, second: Image) -> float:
    return float(np.linalg.norm(face_features(first) - face_features(second)))


def test_every_feature_has_a_name_and_is_finite() -> None:
    found = face_features(face(1.0))
    assert found.shape == (len(NAMES),)
    assert len(set(NAMES)) == len(NAMES)
    assert found.dtype == np.float64
    assert np.isfinite(found).all()


def test_a_mouth_changes_the_mouth() -> None:
    change = np.abs(face_features(face(1.0)) - face_features(face(-1.0)))
    by_region = {part: change[[n.startswith(part) for n in NAMES]].mean() for part in ("eyes", "nose", "mouth")}
    assert by_region["mouth"] > 10 * by_region["eyes"]


def test_where_a_face_is_and_how_it_is_turned_changes_little() -> None:
    turned = np.array([[1.6, -0.3, 40.0], [0.3, 1.6, 10.0]])
    other = face(1.0, moved=Similarity(turned), size=300)
    assert apart(face(1.0), other) < 0.5 * apart(face(1.0), face(-1.0))


def test_light_changes_little() -> None:
    image = face(1.0)
    dim = Image((image.pixels * 0.6).astype(np.uint8), landmarks=image.landmarks)
    assert apart(image, dim) < 0.15 * apart(image, face(-1.0))


def test_edges_by_hand() -> None:
    """A step from dark to bright, left to right, is an edge of direction 0 alone, in the cells that it runs through."""
    pixels = np.zeros((112, 112, 3), np.uint8)
    pixels[:, 56:] = 200
    found = dict(zip(NAMES, face_features(Image(pixels)), strict=True))
    assert found["mouth.0.5.edge0"] > 0.5
    assert found["mouth.0.5.edge4"] == 0.0
    assert found["mouth.0.0.edge0"] == 0.0
    assert found["mouth.0.0.brightness"] == pytest.approx(-1.0)
    assert found["mouth.0.11.brightness"] == pytest.approx(1.0)


def test_nothing_to_see() -> None:
    found = face_features(Image(np.full((112, 112, 3), 77, np.uint8)))
    assert (found == 0).all()


@pytest.mark.parametrize("shape", [(112, 112), (300, 200), (40, 48), (1, 1)])
def test_a_picture_without_landmarks_is_taken_as_a_whole(shape: tuple[int, int]) -> None:
    pixels = rng(0, "picture").integers(0, 256, (*shape, 3), dtype=np.uint8)
    assert face_crop(Image(pixels)).shape == (112, 112, 3)
    assert np.isfinite(face_features(Image(pixels))).all()


def test_landmarks_all_on_one_point() -> None:
    with pytest.raises(InputError, match="one point"):
        face_features(Image(np.zeros((112, 112, 3), np.uint8), landmarks=np.full((5, 2), 50.0)))


def test_the_digest_is_of_the_definition() -> None:
    assert face_feature_digest() == face_feature_digest()


def test_every_edge_that_a_cell_counts_is_measured_and_no_other_is_needed() -> None:
    import sys

    module = sys.modules[face_features.__module__]
    grey = rng(3, "grey").uniform(0.0, 255.0, (112, 112))
    planes = module._edges(grey)
    across, down = np.gradient(grey, axis=1), np.gradient(grey, axis=0)
    strength = np.hypot(across, down)
    for region in module.REGIONS:
        height = module._weights(region.top, region.bottom, region.cell).any(axis=0)
        width = module._weights(region.left, region.right, region.cell).any(axis=0)
        height[[0, -1]] = width[[0, -1]] = False  # at the rim of the crop there are no edges
        inside = np.ix_(height, width)
        assert np.allclose(planes.sum(axis=0)[inside], strength[inside])


def test_the_cache_tells_landmarks_apart(tmp_path: Path) -> None:
    cache, image = FeatureCache(tmp_path, "face"), face(1.0)
    found = cache.features(image)
    assert (FeatureCache(tmp_path, "face").features(image) == found).all()
    assert cache.path(image) != cache.path(Image(image.pixels))
    cache.path(image).write_bytes(b"cut off")
    assert (cache.features(image) == found).all()


@pytest.fixture(scope="module")
def items() -> list[Item]:
    return [Item(f"{n}", {"image": face(smile, skin=140 + 20 * n)}) for n, smile in enumerate([1, 1, 1, -1, -1, -1])]


@pytest.mark.parametrize("kind", ["categories", "units"])
def test_a_model_is_saved_and_says_the_same(kind: str, items: list[Item], tmp_path: Path) -> None:
    scheme = CategoryScheme("two", ("smile", "frown")) if kind == "categories" else UnitScheme("one", ("AU12",))
    truth = np.array([0, 0, 0, 1, 1, 1])
    measured = np.array([face_features(item.image) for item in items])
    learned = truth if kind == "categories" else (1.0 - truth)[:, None]
    model = fit(measured, learned, scheme, options=FitOptions("face"))
    assert (model.card.name, model.card.media, model.card.rate_hz) == ("face-baseline", ("image",), None)
    model.save(tmp_path / "face.npz")
    loaded = Baseline.load(tmp_path / "face.npz")
    assert loaded.card == model.card
    found = loaded.with_cache(tmp_path).predict(items)
    assert (found == model.predict(items[::-1])[::-1]).all()
    decided = found.argmax(axis=1) if kind == "categories" else 1 - (found[:, 0] >= 0.5)
    assert decided.tolist() == truth.tolist()
    assert ((found >= 0) & (found <= 1)).all()
