"""YuNet through OpenCV: ``yunet``, once its weights are fetched, or ``yunet:FILE.onnx``."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from affectcheck.digest import digest_bytes
from affectcheck.errors import InputError
from affectcheck.media.faces.detector import Face, ordered, require_picture
from affectcheck.media.faces.fetch import weights_of
from affectcheck.media.faces.registry import FACE_DETECTORS, in_range
from affectcheck.media.opencv import opencv

if TYPE_CHECKING:
    from collections.abc import Iterator

_OVERLAP: Final = 0.3  # intersection over union of two faces, as OpenCV's own
_MOST: Final = 5000  # faces before overlapping ones are removed, as OpenCV's own


@dataclass(frozen=True)
class Yunet:
    """The detector; it travels to other processes with its weights.

    Attributes:
        weights: content of the ONNX file.
        min_face: least height of a face in pixels of the picture.
        threshold: least score of a face.
        longest: pixels that the longer side is brought down to: it was trained on faces of 10 to 300 pixels.
    """

    name: ClassVar[str] = "yunet"
    weights: bytes = field(repr=False)
    min_face: float = 16.0
    threshold: float = 0.6
    longest: int = 640

    @cached_property
    def digest(self) -> str:
        """Digest of weights, parameters and the version of OpenCV, which runs them."""
        parameters = repr((self.min_face, self.threshold, self.longest))
        return digest_bytes(self.name, opencv().__version__, self.weights, parameters)

    def detect(self, pixels: np.ndarray) -> list[Face]:
        """Find every face of (height, width, 3) uint8 pixels.

        Raises:
            InputError: these are no such pixels, or OpenCV cannot run the weights.
            ExtraMissingError: OpenCV is not installed.
        """
        require_picture(pixels)
        cv2 = opencv()
        height, width = pixels.shape[:2]
        scale = min(1.0, self.longest / max(height, width))
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        reduced = pixels if scale == 1 else cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
        network = _network(self.weights, self.threshold)
        with _clear_errors(cv2):
            network.setInputSize(size)
            _, rows = network.detect(np.ascontiguousarray(reduced[:, :, ::-1]))
        if rows is None:
            return []
        back = np.array([width / size[0], height / size[1]])
        faces = [_face(row, back) for row in rows.astype(float)]
        return ordered(face for face in faces if face.box.height >= self.min_face)


@FACE_DETECTORS.register("yunet")
def load_yunet(source: str = "", *, min_face: object = 16, threshold: object = 0.6, longest: object = 640) -> Yunet:
    """YuNet (MIT licence), run by OpenCV: fast, and good at small faces.

    Args:
        source: the ONNX file; without it the one that was fetched.
        min_face: least height of a face in pixels.
        threshold: least score of a face.
        longest: pixels that the longer side of a picture is brought down to.

    Raises:
        InputError: an option is out of range, or OpenCV cannot read the file.
        MissingPathError: there is no such file, or it was not fetched.
        ExtraMissingError: OpenCV is not installed.
    """
    opencv()
    weights = weights_of("yunet", source)
    made = Yunet(
        weights.content,
        in_range("min_face", min_face, low=1, high=10_000),
        in_range("threshold", threshold, low=0, high=1),
        int(in_range("longest", longest, low=32, high=10_000)),
    )
    with _clear_errors(opencv(), where=str(weights.path)):
        _network(made.weights, made.threshold)
    return made


def _face(row: np.ndarray, back: np.ndarray) -> Face:
    """One row: left, top, width, height, five points, score. Its "right eye" is the person's: the picture's left."""
    corner, size = row[:2] * back, row[2:4] * back
    return Face.of([*corner, *(corner + size)], row[4:14].reshape(5, 2) * back, min(max(row[14], 0.0), 1.0))


@contextmanager
def _clear_errors(opencv: Any, *, where: str = "") -> Iterator[None]:
    try:
        yield
    except opencv.error as error:
        raise InputError(
            "OpenCV cannot run these weights of YuNet",
            where=where,
            expected="face_detection_yunet_….onnx of the OpenCV Zoo, as `affectcheck faces fetch yunet` brings it",
            cause=next(iter(str(error).splitlines()), ""),
        ) from error


@lru_cache(maxsize=4)
def _network(weights: bytes, threshold: float) -> Any:
    content = np.frombuffer(weights, np.uint8)
    nothing = np.empty(0, np.uint8)
    return opencv().FaceDetectorYN.create("onnx", content, nothing, (320, 320), threshold, _OVERLAP, _MOST)
