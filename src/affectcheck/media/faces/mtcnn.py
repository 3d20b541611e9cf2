"""MTCNN, the default detector: three networks, each looking closer at what the one before has found.

What differs from the published cascade: the first network sees a border around the picture, which finds a third of
those faces that fill it and are otherwise missed; the last one sees each patch mirrored too, and what it says of both
is averaged, which finds more faces at fewer false ones; box and landmarks are those of a second look at the box that
it has corrected, which halves how much they tremble when a face moves. Faces are found up to about 60 degrees from
upright; one that lies on its side may be found with wrong landmarks, one upside down is not found.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

import numpy as np

from affectcheck.digest import digest_bytes
from affectcheck.media.faces.boxes import apart, moved, sizes, squared
from affectcheck.media.faces.detector import Face, ordered, require_picture
from affectcheck.media.faces.mtcnn_networks import CHECKSUMS, Found, Networks, load_networks
from affectcheck.media.faces.pyramid import Pyramid
from affectcheck.media.faces.registry import FACE_DETECTORS, in_range

if TYPE_CHECKING:
    from collections.abc import Callable

_REVISION: Final = "1"  # of the cascade: counts up whenever the same weights find other faces
_WINDOW: Final = 12  # pixels that the first network sees
_STRIDE: Final = 2
_BORDER: Final = 4  # pixels around the picture, grey, that the first network sees too: faces are cut off by the edge
_STEP: Final = 0.709  # from one size of the picture to the next: half its pixels (Zhang et al. 2016, their code)
_PROPOSED: Final = 0.6  # least score of the first network, as published
_REFINED: Final = 0.7  # least score of the second network, as published
_WORTH: Final = 0.3  # least score of the last network for a look at the mirrored patch
_MIRRORED_EDGES: Final = (2, 1, 0, 3)
_MIRRORED_POINTS: Final = (1, 0, 2, 4, 3)


class _Candidates(NamedTuple):
    boxes: np.ndarray
    scores: np.ndarray


@dataclass(frozen=True)
class Mtcnn:
    """The cascade.

    Attributes:
        min_face: least size of a face in pixels; halving it takes four times as long.
        threshold: least score of a face.
    """

    name: ClassVar[str] = "mtcnn"
    min_face: float = 40.0
    threshold: float = 0.8

    @property
    def digest(self) -> str:
        """Digest of weights and parameters."""
        return digest_bytes(self.name, _REVISION, *CHECKSUMS.values(), repr((self.min_face, self.threshold)))

    def detect(self, pixels: np.ndarray) -> list[Face]:
        """Find every face of (height, width, 3) uint8 pixels; a picture smaller than a face has none.

        Raises:
            InputError: these are no such pixels.
            ExtraMissingError: the weights are not installed.
        """
        require_picture(pixels)
        networks = load_networks()
        if min(pixels.shape[:2]) < self.min_face:
            return []
        pyramid = Pyramid.of(pixels)
        proposed = _proposed(pyramid, networks, self.min_face)
        refined = _refined(pyramid, networks, proposed)
        return ordered(_decided(pyramid, networks, refined, self.threshold))


@FACE_DETECTORS.register("mtcnn")
def load_mtcnn(*, min_face: object = 40, threshold: object = 0.8) -> Mtcnn:
    """MTCNN with the weights of the package mtcnn (MIT licence): works once the extra ``faces`` is installed.

    Args:
        min_face: least size of a face in pixels, at least 12.
        threshold: least score of a face.

    Raises:
        InputError: an option is out of range, or the weights are others.
        ExtraMissingError: the weights are not installed.
    """
    least = in_range("min_face", min_face, low=_WINDOW, high=10_000)
    score = in_range("threshold", threshold, low=0, high=1)
    load_networks()
    return Mtcnn(least, score)


def _proposed(pyramid: Pyramid, networks: Networks, min_face: float) -> _Candidates:
    """Windows of every size that may hold a face."""
    found = [_Candidates(np.empty((0, 4)), np.empty(0))]
    scale = _WINDOW / min_face
    while min(pyramid.rows, pyramid.columns) * scale >= _WINDOW:
        framed = np.pad(pyramid.scaled(scale), ((0, 0), (_BORDER, _BORDER), (_BORDER, _BORDER)))
        said = networks.propose(framed)
        rows, columns = np.nonzero(said.odds > _log_odds(_PROPOSED))
        corners = np.stack([columns, rows], axis=1) * float(_STRIDE) - _BORDER
        windows = np.concatenate([corners, corners + _WINDOW], axis=1)
        scores = _score(said.odds[rows, columns])
        kept = apart(windows, scores, overlap=0.5)
        found.append(_Candidates(moved(windows, said.offsets[rows, columns])[kept] / scale, scores[kept]))
        scale *= _STEP
    boxes, scores = (np.concatenate(part) for part in zip(*found, strict=True))
    kept = apart(boxes, scores, overlap=0.7)
    return _Candidates(squared(boxes[kept]), scores[kept])


def _refined(pyramid: Pyramid, networks: Networks, proposed: _Candidates) -> _Candidates:
    if not proposed.scores.size:
        return proposed
    said = networks.refine(pyramid.patches(proposed.boxes, 24))
    sure = said.odds > _log_odds(_REFINED)
    boxes, scores = moved(proposed.boxes[sure], said.offsets[sure]), _score(said.odds[sure])
    kept = apart(boxes, scores, overlap=0.7)
    return _Candidates(squared(boxes[kept]), scores[kept])


def _decided(pyramid: Pyramid, networks: Networks, refined: _Candidates, threshold: float) -> list[Face]:
    boxes = refined.boxes
    if not len(boxes):
        return []
    once = networks.decide(pyramid.patches(boxes, 48))
    corrected = moved(boxes, once.offsets)
    worth = np.flatnonzero(once.odds > _log_odds(_WORTH))
    worth = worth[apart(corrected[worth], once.odds[worth], overlap=0.7, of_smaller=True)]
    if not len(worth):
        return []
    mirrored = _mirrored(networks.decide, pyramid.patches(boxes[worth], 48))
    odds = (once.odds[worth] + mirrored.odds) / 2
    offsets = (once.offsets[worth] + mirrored.offsets) / 2
    sure = _score(odds) >= threshold
    if not sure.any():
        return []
    return _looked_at_again(pyramid, networks, moved(boxes[worth], offsets)[sure], _score(odds[sure]))


def _looked_at_again(pyramid: Pyramid, networks: Networks, boxes: np.ndarray, scores: np.ndarray) -> list[Face]:
    """Box and landmarks from patches around the boxes, as they are and mirrored."""
    boxes = squared(boxes)
    patches = pyramid.patches(boxes, 48)
    plain, mirrored = networks.decide(patches), _mirrored(networks.decide, patches)
    edges = moved(boxes, (plain.offsets + mirrored.offsets) / 2)
    points = boxes[:, None, :2] + (plain.landmarks + mirrored.landmarks) / 2 * sizes(boxes)[:, None]
    kept = apart(edges, scores, overlap=0.7, of_smaller=True)
    return [Face.of(edges[one], points[one], scores[one]) for one in kept]


def _mirrored(decide: Callable[[np.ndarray], Found], patches: np.ndarray) -> Found:
    """What the network says of mirrored patches, in coordinates of the patches as they are."""
    said = decide(np.ascontiguousarray(patches[..., ::-1]))
    offsets = said.offsets[:, _MIRRORED_EDGES] * (-1, 1, -1, 1)
    landmarks = said.landmarks[:, _MIRRORED_POINTS] * (-1, 1) + (1, 0)
    return Found(said.odds, offsets, landmarks)


def _log_odds(score: float) -> float:
    return float(np.log(score / (1 - score)))


def _score(odds: np.ndarray) -> np.ndarray:
    """From 0 to 1, without overflow."""
    score: np.ndarray = 0.5 * (1 + np.tanh(odds / 2))
    return score
