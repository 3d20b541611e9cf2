"""MTCNN on real photographs: boxes, landmarks and their order, and what it does with every odd picture."""

from __future__ import annotations

import pickle
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np
import pytest

from affectcheck.errors import ExtraMissingError, InputError
from affectcheck.media.faces import mtcnn_networks
from affectcheck.media.faces.mtcnn import Mtcnn
from affectcheck.media.faces.registry import face_detector
from affectcheck.media.image import decode_image
from drawn_textures import textures

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(find_spec("mtcnn") is None, reason="the weights of MTCNN are not installed")

# Faces of each photograph; centres of box, left to right, to 2 % of its size (looked at by eye).
PORTRAITS = {
    "astronaut.png": [(225, 118)],
    "white_house_1.jpg": [(494, 251)],
    "white_house_2.jpg": [(572, 363)],
    "white_house_two_people.jpg": [(314, 122), (866, 147)],
}


@pytest.fixture(scope="module")
def detector() -> Mtcnn:
    made = face_detector()
    assert isinstance(made, Mtcnn)
    return made


@pytest.fixture(scope="module")
def astronaut(shared_data: Path) -> np.ndarray:
    return decode_image(shared_data / "data" / "portraits" / "astronaut.png").pixels


@pytest.fixture(scope="module")
def close_up(astronaut: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(astronaut[30:210, 140:310])


@pytest.mark.shared
@pytest.mark.parametrize("name", PORTRAITS)
def test_every_face_of_the_photographs_is_found(detector: Mtcnn, shared_data: Path, name: str) -> None:
    faces = detector.detect(decode_image(shared_data / "data" / "portraits" / name).pixels)
    assert [face.score for face in faces] == sorted((face.score for face in faces), reverse=True)
    faces.sort(key=lambda face: face.box.x1)
    assert len(faces) == len(PORTRAITS[name])
    for face, (across, down) in zip(faces, PORTRAITS[name], strict=True):
        box = face.box
        assert abs((box.x1 + box.x2) / 2 - across) < 0.05 * box.width
        assert abs((box.y1 + box.y2) / 2 - down) < 0.05 * box.height
        left_eye, right_eye, nose, left_mouth, right_mouth = face.landmarks
        assert box.x1 < left_eye[0] < nose[0] < right_eye[0] < box.x2
        assert box.x1 < left_mouth[0] < nose[0] < right_mouth[0] < box.x2
        assert box.y1 < max(left_eye[1], right_eye[1]) < nose[1] < min(left_mouth[1], right_mouth[1]) < box.y2


@pytest.mark.shared
def test_the_box_is_that_of_other_detectors(detector: Mtcnn, astronaut: np.ndarray) -> None:
    (face,) = detector.detect(astronaut)
    # Mean of MTCNN by others (179, 60, 267, 172) and of RetinaFace (179, 54, 271, 178), measured on this photograph.
    assert np.abs(np.array(face.box) - (179, 57, 269, 175)).max() < 8
    # Pupils, tip of the nose and corners of the mouth, by eye.
    points = np.array([(204, 101), (247, 103), (224, 129), (202, 140), (245, 142)])
    assert np.linalg.norm(face.landmarks - points, axis=1).max() < 4


@pytest.mark.shared
def test_a_mirrored_picture_has_the_mirrored_face(detector: Mtcnn, astronaut: np.ndarray) -> None:
    (face,) = detector.detect(astronaut)
    (mirrored,) = detector.detect(np.ascontiguousarray(astronaut[:, ::-1]))
    back = mirrored.landmarks[[1, 0, 2, 4, 3]] * (-1, 1) + (astronaut.shape[1], 0)
    eyes = np.linalg.norm(face.landmarks[0] - face.landmarks[1])
    assert np.linalg.norm(back - face.landmarks, axis=1).max() < 0.05 * eyes


@pytest.mark.shared
def test_landmarks_move_with_the_face(detector: Mtcnn, astronaut: np.ndarray) -> None:
    (still,) = detector.detect(astronaut)
    eyes = np.linalg.norm(still.landmarks[0] - still.landmarks[1])
    apart = []
    for down, across in ((3, 7), (11, 2), (18, 23), (5, 31)):
        (face,) = detector.detect(np.ascontiguousarray(astronaut[down:, across:]))
        apart.append(np.linalg.norm(face.landmarks + np.array([across, down]) - still.landmarks, axis=1))
    assert np.mean(apart) < 0.02 * eyes
    assert np.max(apart) < 0.05 * eyes


@pytest.mark.shared
@pytest.mark.parametrize("cut", [np.s_[85:], np.s_[:, 195:], np.s_[:, :250], np.s_[:150]])
def test_faces_at_the_edge_are_found_with_what_lies_outside(
    detector: Mtcnn, astronaut: np.ndarray, cut: tuple[slice, ...]
) -> None:
    (face,) = detector.detect(np.ascontiguousarray(astronaut[cut]))
    rows = cut if isinstance(cut, slice) else cut[0]
    columns = slice(None) if isinstance(cut, slice) else cut[1]
    back = face.landmarks + np.array([columns.start or 0, rows.start or 0])
    points = np.array([(204, 101), (247, 103), (224, 129), (202, 140), (245, 142)])
    assert np.linalg.norm(back - points, axis=1).max() < 6


@pytest.mark.shared
def test_forty_faces_are_forty(detector: Mtcnn, close_up: np.ndarray) -> None:
    faces = detector.detect(np.tile(close_up, (5, 8, 1)))
    cells = {(int(face.landmarks[2, 0] // 170), int(face.landmarks[2, 1] // 180)) for face in faces}
    assert len(faces) == len(cells) == 40


@pytest.mark.shared
def test_upside_down_is_no_face(detector: Mtcnn, astronaut: np.ndarray) -> None:
    assert detector.detect(np.ascontiguousarray(astronaut[::-1])) == []
    assert detector.detect(np.ascontiguousarray(astronaut[::-1, ::-1])) == []


@pytest.mark.shared
def test_faces_smaller_than_asked_for_need_a_smaller_least_size(astronaut: np.ndarray) -> None:
    small = np.ascontiguousarray(astronaut[2::5, 2::5])  # a face of 22 pixels
    assert face_detector("mtcnn?min_face=60").detect(small) == []
    (face,) = face_detector("mtcnn?min_face=16").detect(small)
    assert np.linalg.norm(face.landmarks[0] * 5 - (204, 101)) < 10


@pytest.mark.shared
def test_the_same_picture_has_the_same_faces(detector: Mtcnn, astronaut: np.ndarray) -> None:
    kept = astronaut.copy()
    (once,), (again,) = detector.detect(astronaut), pickle.loads(pickle.dumps(detector)).detect(astronaut)
    assert once.box == again.box
    assert once.score == again.score
    np.testing.assert_array_equal(once.landmarks, again.landmarks)
    np.testing.assert_array_equal(astronaut, kept)


def test_no_face_is_found_where_there_is_none(detector: Mtcnn) -> None:
    found = {name: detector.detect(pixels) for name, pixels in textures().items()}
    assert len(found) >= 20
    assert {name: faces for name, faces in found.items() if faces} == {}


@pytest.mark.shared
def test_no_face_is_found_in_parts_of_photographs_without_one(detector: Mtcnn, shared_data: Path) -> None:
    folder = shared_data / "data" / "portraits"
    parts = {
        "astronaut.png": [np.s_[180:], np.s_[:, 300:], np.s_[:, :150]],
        "white_house_1.jpg": [np.s_[440:], np.s_[:, :340], np.s_[:, 640:]],
        "white_house_2.jpg": [np.s_[600:], np.s_[600:1400, :500], np.s_[1200:, 500:], np.s_[:, :400], np.s_[:, 740:]],
        "white_house_two_people.jpg": [np.s_[270:], np.s_[:, 400:770], np.s_[:, 960:], np.s_[:, :220]],
    }
    for name, cuts in parts.items():
        whole = decode_image(folder / name).pixels
        for cut in cuts:
            assert detector.detect(np.ascontiguousarray(whole[cut])) == [], (name, cut)


@pytest.mark.shared
@pytest.mark.slow
def test_nearly_every_hard_crop_has_its_face(detector: Mtcnn, shared_data: Path) -> None:
    folder = shared_data / "data" / "fairface-subset" / "images"
    counts = np.array([len(detector.detect(decode_image(path).pixels)) for path in sorted(folder.iterdir())])
    assert len(counts) == 1511
    assert np.mean(counts >= 1) >= 0.97
    assert np.mean(counts > 1) <= 0.01


@pytest.mark.parametrize("shape", [(1, 1), (39, 400), (400, 39), (40, 40)])
def test_pictures_of_any_size_are_taken(detector: Mtcnn, shape: tuple[int, int]) -> None:
    assert detector.detect(np.full((*shape, 3), 128, np.uint8)) == []


def test_only_pictures_are_taken(detector: Mtcnn) -> None:
    with pytest.raises(InputError, match="no picture"):
        detector.detect(np.zeros((90, 90), np.uint8))


def test_weights_and_parameters_make_the_digest() -> None:
    digests = {
        face_detector(spec).digest
        for spec in ("mtcnn", "mtcnn?min_face=20", "mtcnn?threshold=0.9", "mtcnn?min_face=40")
    }
    assert len(digests) == 3


@pytest.mark.parametrize("spec", ["mtcnn?min_face=4", "mtcnn?threshold=2", "mtcnn?min_face=big"])
def test_options_out_of_range_are_told(spec: str) -> None:
    with pytest.raises(InputError, match="option"):
        face_detector(spec)


def test_the_package_of_the_weights_is_not_imported(detector: Mtcnn) -> None:
    detector.detect(np.zeros((60, 60, 3), np.uint8))
    assert not {"mtcnn", "tensorflow"} & sys.modules.keys()


def test_other_weights_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "mtcnn" / "assets" / "weights"
    folder.mkdir(parents=True)
    for name in ("pnet", "rnet", "onet"):
        (folder / f"{name}.lz4").write_bytes(b"other")
    monkeypatch.setattr(mtcnn_networks, "installed_folder", lambda *_, **__: tmp_path / "mtcnn")
    mtcnn_networks.load_networks.cache_clear()
    with pytest.raises(InputError, match="SHA-256") as raised:
        face_detector("mtcnn")
    assert "mtcnn==1.0.0" in str(raised.value)


def test_missing_packages_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    mtcnn_networks.load_networks.cache_clear()
    monkeypatch.setattr(mtcnn_networks, "find_spec", lambda _: None)
    with pytest.raises(ExtraMissingError, match="'lz4'"):
        face_detector("mtcnn")
    monkeypatch.setitem(sys.modules, "joblib", None)
    with pytest.raises(ExtraMissingError, match="'joblib'"):
        face_detector("mtcnn")
