"""RetinaFace: ``retinaface-mobilenet0.25`` and ``retinaface-resnet50``, once fetched, or with ``:FILE.pth``."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.digest import digest_bytes
from affectcheck.errors import InputError
from affectcheck.media.faces.boxes import apart
from affectcheck.media.faces.detector import Face, ordered, require_picture
from affectcheck.media.faces.fetch import weights_of
from affectcheck.media.faces.pyramid import Pyramid
from affectcheck.media.faces.registry import FACE_DETECTORS, in_range
from affectcheck.media.faces.retinaface_networks import Body, RetinaNetwork, Said
from affectcheck.media.faces.torch_file import read_tensors

if TYPE_CHECKING:
    from affectcheck.media.faces.registry import DetectorFactory

_REVISION: Final = "1"  # counts up whenever the same weights find other faces
_STRIDES: Final = (8, 16, 32)  # pixels from one cell of each map to the next
_ANCHORS: Final = ((16, 32), (64, 128), (256, 512))  # sides of the squares of each map's cells (paper, Table 2)
_CENTRE, _SIZE = 0.1, 0.2  # scales of the offsets
_MEAN: Final = np.array([123, 117, 104], np.float32)  # of red, green and blue, which is left out
_OVERLAP: Final = 0.4  # intersection over union of two faces


@dataclass(frozen=True)
class RetinaFace:
    """The detector; it travels to other processes with its weights.

    Attributes:
        name: registered name.
        body: which network it has.
        weights: content of the file.
        min_face: least height of a face in pixels of the picture.
        threshold: least score of a face.
        longest: pixels that the longer side of a picture is brought down to.
    """

    name: str
    body: Body
    weights: bytes = field(repr=False)
    min_face: float = 16.0
    threshold: float = 0.8
    longest: int = 640

    @cached_property
    def digest(self) -> str:
        """Digest of weights and parameters."""
        parameters = repr((self.min_face, self.threshold, self.longest))
        return digest_bytes(self.name, _REVISION, self.weights, parameters)

    def detect(self, pixels: np.ndarray) -> list[Face]:
        """Find every face of (height, width, 3) uint8 pixels.

        Raises:
            InputError: these are no such pixels, or the weights are of another network.
        """
        require_picture(pixels)
        scale = min(1.0, self.longest / max(pixels.shape[:2]))
        said = _network(self.weights, self.body)(_input(pixels, scale))
        rows, columns = (int(np.ceil(length * scale)) for length in pixels.shape[:2])
        found = _decoded(said, _anchors(rows, columns), self.threshold)
        return ordered(
            Face.of(np.array(face.box) / scale, face.landmarks / scale, face.score)
            for face in found
            if face.box.height >= self.min_face * scale
        )


def _factory(body: Body, what: str) -> DetectorFactory:
    """What makes the detector of one network; both take the same options."""

    def load(source: str = "", *, min_face: object = 16, threshold: object = 0.8, longest: object = 640) -> RetinaFace:
        name = f"retinaface-{body}"
        weights = weights_of(name, source)
        made = RetinaFace(
            name,
            body,
            weights.content,
            in_range("min_face", min_face, low=1, high=10_000),
            in_range("threshold", threshold, low=0, high=1),
            int(in_range("longest", longest, low=32, high=10_000)),
        )
        try:
            _network(made.weights, body)
        except InputError as error:
            error.where = str(weights.path)
            raise
        return made

    load.__doc__ = f"{what}\n\n{_OPTIONS}"
    return FACE_DETECTORS.register(f"retinaface-{body}")(load)


_OPTIONS: Final = """Args:
    source: the file of weights; without it the one that was fetched.
    min_face: least height of a face in pixels.
    threshold: least score of a face.
    longest: pixels that the longer side of a picture is brought down to.

Raises:
    InputError: an option is out of range, or the file holds other weights.
    MissingPathError: there is no such file, or it was not fetched.
"""

_factory("mobilenet0.25", "RetinaFace with MobileNet of a quarter of its channels: quick, and good at small faces.")
_factory(
    "resnet50",
    "RetinaFace with ResNet-50, as paper 3 used it: the most exact one, and a second for a picture of 640 × 360.",
)


@lru_cache(maxsize=2)
def _network(weights: bytes, body: Body) -> RetinaNetwork:
    tensors = read_tensors(weights)
    try:
        return RetinaNetwork(tensors, body)
    except KeyError as error:
        names = ", ".join(sorted(tensors)[:3])
        raise InputError(
            f"weights of another network than RetinaFace with {body}: no {error.args[0]!r}",
            expected="names as biubug6/Pytorch_Retinaface gives them, such as body.…, fpn.…, ssh1.…, ClassHead.…",
            cause=f"a file of the other size, or of another project; it begins with {names}",
        ) from error


def _input(pixels: np.ndarray, scale: float) -> np.ndarray:
    """Blue, green and red less their means, as the networks were trained."""
    if scale == 1:
        return np.ascontiguousarray((pixels - _MEAN).transpose(2, 0, 1)[::-1])
    whole = Pyramid.of(pixels).scaled(scale) * 128 + 127.5 - _MEAN[:, None, None]
    return np.ascontiguousarray(whole[::-1], np.float32)


@lru_cache(maxsize=4)
def _anchors(rows: int, columns: int) -> np.ndarray:
    """(n, 3): x and y of the centre and side of every anchor, map by map, row by row."""
    found = []
    for stride, sides in zip(_STRIDES, _ANCHORS, strict=True):
        down, across = np.mgrid[0 : -(-rows // stride), 0 : -(-columns // stride)]
        centres = (np.stack([across, down], axis=-1).reshape(-1, 1, 2) + 0.5) * stride
        sized = np.broadcast_to(np.array(sides, float)[:, None], (len(centres), 2, 1))
        found.append(np.concatenate([np.broadcast_to(centres, (len(centres), 2, 2)), sized], axis=2).reshape(-1, 3))
    return np.concatenate(found)


def _decoded(said: Said, anchors: np.ndarray, threshold: float) -> list[Face]:
    scores = 0.5 * (1 + np.tanh(said.odds / 2))
    sure = scores >= threshold
    scores, centres, sides = scores[sure], anchors[sure, :2], anchors[sure, 2:]
    middle = centres + said.boxes[sure, :2] * _CENTRE * sides
    half = sides * np.exp(said.boxes[sure, 2:] * _SIZE) / 2
    boxes = np.concatenate([middle - half, middle + half], axis=1)
    points = centres[:, None] + said.landmarks[sure] * _CENTRE * sides[:, None]
    kept = apart(boxes, scores, overlap=_OVERLAP)
    return [Face.of(boxes[one], points[one], scores[one]) for one in kept]
