"""Detectors by name: what a specification says, and how a wrong one is told."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

import pytest

from affectcheck.errors import InputError, UnknownNameError
from affectcheck.media.faces.registry import FACE_DETECTORS, face_detector, in_range

if TYPE_CHECKING:
    from collections.abc import Iterator

    from affectcheck.media.faces.detector import Face


class Recording:
    name = "recording"

    def __init__(self, source: str = "", min_face: object = 40) -> None:
        self.source, self.min_face = source, min_face
        self.digest = f"{source}{min_face}"

    def detect(self, pixels: object) -> list[Face]:
        return []


def without_file(min_face: object = 40) -> Recording:
    return Recording(min_face=min_face)


@pytest.fixture(autouse=True)
def recording(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(FACE_DETECTORS._parts, "recording", Recording)
    monkeypatch.setitem(FACE_DETECTORS._parts, "without-file", without_file)
    return


def test_file_and_options_reach_the_detector() -> None:
    made = face_detector("recording:some/weights.onnx?min_face=20")
    assert isinstance(made, Recording)
    assert (made.source, made.min_face) == ("some/weights.onnx", "20")
    assert face_detector("recording", min_face=30).min_face == 30  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("", "no face detector is named"),
        (":weights.onnx", "no face detector is named"),
        ("recording?min_face", "not a list of options"),
        ("recording?min_face=1&min_face=2", "stated twice"),
        ("without-file:weights.onnx", "takes no file"),
    ],
)
def test_wrong_specifications_are_told(spec: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        face_detector(spec)


def test_options_are_stated_once() -> None:
    with pytest.raises(InputError, match="stated twice: min_face"):
        face_detector("recording?min_face=20", min_face=30)


@pytest.mark.parametrize(("spec", "near"), [("re-cording", "recording"), ("recording?minface=20", "min_face")])
def test_unknown_names_are_told_with_the_nearest(spec: str, near: str) -> None:
    with pytest.raises(UnknownNameError, match=f"did you mean '{near}'"):
        face_detector(spec)


def test_numbers_lie_in_their_range() -> None:
    assert in_range("min_face", "20", low=10, high=500) == 20
    for value in ("many", "5", 501, float("nan"), None):
        with pytest.raises(InputError, match="a number from 10 to 500"):
            in_range("min_face", value, low=10, high=500)


def test_every_detector_says_what_it_is_and_takes_a_least_size_and_score() -> None:
    assert {"mtcnn", "yunet", "retinaface-mobilenet0.25", "retinaface-resnet50"} <= set(FACE_DETECTORS.names())
    for name, factory in FACE_DETECTORS.items():
        if name not in ("recording", "without-file"):
            assert (factory.__doc__ or "").strip()
            assert {"min_face", "threshold"} <= inspect.signature(factory).parameters.keys()
