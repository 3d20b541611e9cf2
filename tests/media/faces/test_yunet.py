"""YuNet through OpenCV's own decoder, with a graph of the same outputs whose faces are known."""

from __future__ import annotations

import pickle
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np
import pytest

from affectcheck.errors import ExtraMissingError, InputError, MissingPathError
from affectcheck.media.faces.registry import face_detector
from affectcheck.media.opencv import opencv
from media.faces.yunet_graph import POINTS, SIZE, write_yunet

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.media.faces.detector import FaceDetector

pytestmark = pytest.mark.skipif(
    find_spec("cv2") is None or find_spec("onnx") is None, reason="OpenCV or onnx is not installed"
)


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_yunet(tmp_path_factory.mktemp("weights") / "yunet.onnx", 128)


@pytest.fixture(scope="module")
def detector(weights: Path) -> FaceDetector:
    return face_detector(f"yunet:{weights}")


def with_faces(*cells: tuple[int, int, int]) -> np.ndarray:
    """Black, with cells (row, column, brightness) of 8 × 8 pixels."""
    pixels = np.zeros((128, 128, 3), np.uint8)
    for row, column, brightness in cells:
        pixels[8 * row : 8 * row + 8, 8 * column : 8 * column + 8] = brightness
    return pixels


def test_faces_lie_where_they_are_with_the_left_eye_of_the_picture_first(detector: FaceDetector) -> None:
    surer, other = detector.detect(with_faces((4, 3, 200), (10, 11, 255)))
    assert surer.score == pytest.approx(1, abs=0.01)
    assert other.score == pytest.approx(200 / 255, abs=0.01)
    np.testing.assert_allclose(
        surer.box,
        (8 * (11.5 - SIZE[0] / 2), 8 * (10.5 - SIZE[1] / 2), 8 * (11.5 + SIZE[0] / 2), 8 * (10.5 + SIZE[1] / 2)),
        atol=1.01,
    )
    np.testing.assert_allclose(surer.landmarks, 8 * (np.reshape(POINTS, (5, 2)) + np.array([11, 10])), atol=0.01)
    assert surer.landmarks[0, 0] < surer.landmarks[1, 0]


def test_no_face_is_none(detector: FaceDetector) -> None:
    assert detector.detect(with_faces()) == []


def test_the_least_size_and_score_are_kept_to(weights: Path) -> None:
    picture = with_faces((4, 3, 200))
    assert face_detector(f"yunet:{weights}?threshold=0.9").detect(picture) == []
    assert face_detector(f"yunet:{weights}?min_face=60").detect(picture) == []
    assert len(face_detector(f"yunet:{weights}?min_face=30").detect(picture)) == 1


def test_large_pictures_are_brought_down_and_faces_back(weights: Path) -> None:
    picture = np.kron(with_faces((4, 3, 255)), np.ones((3, 3, 1), np.uint8))
    (face,) = face_detector(f"yunet:{weights}?longest=128").detect(picture)
    np.testing.assert_allclose(face.landmarks, 24 * (np.reshape(POINTS, (5, 2)) + np.array([3, 4])), atol=0.1)


def test_it_travels_to_other_processes(detector: FaceDetector) -> None:
    picture = with_faces((4, 3, 255))
    copy = pickle.loads(pickle.dumps(detector))
    assert copy.digest == detector.digest
    assert copy.detect(picture)[0].box == detector.detect(picture)[0].box


def test_weights_and_parameters_make_the_digest(weights: Path, tmp_path: Path) -> None:
    other = write_yunet(tmp_path / "other.onnx", 64)
    specs = (f"yunet:{weights}", f"yunet:{other}", f"yunet:{weights}?threshold=0.7", f"yunet:{weights}?min_face=16")
    assert len({face_detector(spec).digest for spec in specs}) == 3


def test_another_file_is_told(tmp_path: Path) -> None:
    path = tmp_path / "yunet.onnx"
    path.write_bytes(b"no graph at all")
    with pytest.raises(InputError, match="OpenCV cannot run these weights") as raised:
        face_detector(f"yunet:{path}")
    assert str(path) in str(raised.value)


def test_weights_that_were_not_fetched_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AFFECTCHECK_CACHE", str(tmp_path))
    with pytest.raises(MissingPathError, match="faces fetch yunet"):
        face_detector("yunet")
    with pytest.raises(MissingPathError, match="weights of yunet not found"):
        face_detector(f"yunet:{tmp_path / 'none.onnx'}")


def test_only_pictures_are_taken(detector: FaceDetector) -> None:
    with pytest.raises(InputError, match="no picture"):
        detector.detect(np.zeros((90, 90), np.uint8))


def test_missing_opencv_is_told(weights: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opencv.cache_clear()
    monkeypatch.setitem(sys.modules, "cv2", None)
    with pytest.raises(ExtraMissingError, match="opencv-python-headless"):
        face_detector(f"yunet:{weights}")
