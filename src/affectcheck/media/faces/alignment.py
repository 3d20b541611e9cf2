"""Align a face: turn, scale and move its picture so that its five points lie where the template has them.

Landmarks here are in centres of pixels: 0 is the middle of the first pixel, as in tables and in every crop. Those of a
detector count from the outer edge of the first pixel; ``pixel_centres`` moves them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.errors import InputError
from affectcheck.media.faces.template import SIDE, template
from affectcheck.media.opencv import opencv

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.media.faces.detector import Box

_HALF: Final = 0.5  # between the outer edge of a pixel and its centre
_SHRUNK: Final = 0.5  # scale below which single pixels are no longer what a crop should show


@dataclass(frozen=True, eq=False)
class Similarity:
    """A turn, one scale and a move: ``target = matrix[:, :2] @ source + matrix[:, 2]``.

    Attributes:
        matrix: (2, 3) float64.
    """

    matrix: np.ndarray

    @property
    def scale(self) -> float:
        """Pixels of the target a pixel of the source."""
        return float(np.hypot(*self.matrix[:, 0]))

    @property
    def angle_deg(self) -> float:
        """Turn from source to target; positive where it goes from right to down, clockwise to the eye."""
        return float(np.degrees(np.arctan2(self.matrix[1, 0], self.matrix[0, 0])))

    def moved(self, points: np.ndarray) -> np.ndarray:
        """Where (n, 2) points of the source lie in the target."""
        result: np.ndarray = points @ self.matrix[:, :2].T + self.matrix[:, 2]
        return result

    def moved_back(self, points: np.ndarray) -> np.ndarray:
        """Where (n, 2) points of the target lie in the source."""
        result: np.ndarray = np.linalg.solve(self.matrix[:, :2], (points - self.matrix[:, 2]).T).T
        return result


def pixel_centres(landmarks: np.ndarray) -> np.ndarray:
    """A detector's landmarks, counted from the edge of the first pixel, counted from its centre."""
    return landmarks - _HALF


def similarity(source: np.ndarray, target: np.ndarray) -> Similarity:
    r"""The similarity that brings points nearest to others, by least squares.

    With :math:`\Sigma = \frac1n \sum (t_i - \bar t)(s_i - \bar s)^\top = U D V^\top`, the turn is
    :math:`R = U S V^\top`, where :math:`S` keeps it from mirroring, and the scale
    :math:`\operatorname{tr}(D S) / \sigma_s^2`.

    Args:
        source: (n, 2) points.
        target: (n, 2) points that these shall come to lie on.

    Raises:
        InputError: other shapes, numbers that are not finite, or points of which all are the same.

    Source:
        Umeyama S (1991). Least-squares estimation of transformation parameters between two point patterns. IEEE TPAMI
        13(4), Eqs. 40 to 42.

    Example:
        >>> square = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]])
        >>> similarity(square, 2 * square + (3, 4)).matrix.round(6).tolist()
        [[2.0, 0.0, 3.0], [0.0, 2.0, 4.0]]
    """
    _require_points(source, target)
    from_mean, to_mean = source.mean(axis=0), target.mean(axis=0)
    around, wanted = source - from_mean, target - to_mean
    spread = (around**2).sum() / len(source)
    if spread <= 0:
        raise InputError("landmarks that all lie on one point", expected="five points of a face")
    left, sizes, right = np.linalg.svd(wanted.T @ around / len(source))
    signs = np.array([1.0, np.sign(np.linalg.det(left) * np.linalg.det(right)) or 1.0])
    turn = left @ np.diag(signs) @ right
    scaled = (sizes @ signs / spread) * turn
    return Similarity(np.column_stack([scaled, to_mean - scaled @ from_mean]))


def to_template(landmarks: np.ndarray, *, side: int = SIDE) -> Similarity:
    """The similarity from a picture to an aligned crop of ``side``×``side`` pixels.

    Args:
        landmarks: (5, 2) in centres of pixels.
        side: of the crop.
    """
    return similarity(landmarks, template(side, side))


def residual(landmarks: np.ndarray, *, side: int = SIDE) -> float:
    """Mean distance of a face's five points from the template after alignment, in pixels of the crop.

    A face seen from the front has about 2 of 112; large values are faces seen from the side, or wrong landmarks.
    """
    moved = to_template(landmarks, side=side).moved(landmarks)
    return float(np.hypot(*(moved - template(side, side)).T).mean())


def align(pixels: np.ndarray, landmarks: np.ndarray, *, side: int = SIDE) -> np.ndarray:
    """The aligned crop of a face.

    What lies outside of the picture is black. A face that is more than twice as large as in the crop is made smaller
    by areas first, so that single pixels do not show through.

    Args:
        pixels: (height, width, 3) uint8.
        landmarks: (5, 2) in centres of pixels.
        side: of the crop; the standard is 112.

    Returns:
        (side, side, 3) uint8.

    Raises:
        InputError: landmarks of which no similarity can be made.
        ExtraMissingError: the extra ``faces`` is not installed.
    """
    return warp(pixels, to_template(landmarks, side=side), side=side)


def warp(pixels: np.ndarray, change: Similarity, *, side: int = SIDE) -> np.ndarray:
    """The square of the target plane, from the picture that lies in the source plane.

    Raises:
        ExtraMissingError: the extra ``faces`` is not installed.
    """
    cv2 = opencv()
    matrix = change.matrix
    if change.scale < _SHRUNK:
        pixels, matrix = _shrunk(pixels, matrix, change.scale, side)
    result: np.ndarray = cv2.warpAffine(pixels, matrix, (side, side), flags=cv2.INTER_LINEAR)
    return result


def crop_box(pixels: np.ndarray, box: Box, *, side: int = SIDE, margin: float = 0.0) -> np.ndarray:
    """The square around a face's box, without turning it.

    Args:
        pixels: (height, width, 3) uint8.
        box: as the detector gives it, counted from the edge of the first pixel.
        side: of the crop.
        margin: what is added on each side, as a share of the longer side of the box.

    Returns:
        (side, side, 3) uint8; what lies outside of the picture is black.

    Raises:
        InputError: a box without area.
        ExtraMissingError: the extra ``faces`` is not installed.
    """
    longer = max(box.width, box.height) * (1 + 2 * margin)
    if not longer > 0:
        raise InputError(f"a box without area: {tuple(box)}", expected="a box, and a margin that leaves some of it")
    scale = side / longer
    across, down = (box.x1 + box.x2) / 2, (box.y1 + box.y2) / 2
    # Centre to centre, both counted from edges; then half a pixel on either side for centres of pixels.
    move = side / 2 - scale * (np.array([across, down]) - _HALF) - _HALF
    return warp(pixels, Similarity(np.array([[scale, 0, move[0]], [0, scale, move[1]]])), side=side)


def tensor(crops: Sequence[np.ndarray]) -> np.ndarray:
    """Crops as networks take them: (n, 3, height, width) float32 from -1 to 1, ``pixel / 127.5 - 1``.

    Args:
        crops: (height, width, 3) uint8, all of one size.

    Raises:
        InputError: crops of different sizes, or of something else than 8-bit RGB.
    """
    shapes = {(one.shape, str(one.dtype)) for one in crops}
    if len(shapes) > 1 or any(len(shape) != 3 or shape[2] != 3 or kind != "uint8" for shape, kind in shapes):
        raise InputError(f"crops of shapes {sorted(shapes)}", expected="(height, width, 3) uint8, all of one size")
    if not crops:
        return np.empty((0, 3, SIDE, SIDE), np.float32)
    stacked = np.stack(crops).transpose(0, 3, 1, 2)
    return np.ascontiguousarray(stacked, np.float32) / np.float32(127.5) - np.float32(1)


def _require_points(source: np.ndarray, target: np.ndarray) -> None:
    if source.shape == target.shape and source.ndim == 2 and source.shape[1] == 2 and len(source) > 1:
        if np.isfinite(source).all() and np.isfinite(target).all():
            return
        raise InputError("landmarks that are not finite numbers", expected="x and y of each point in pixels")
    raise InputError(f"points of shapes {source.shape} and {target.shape}", expected="(n, 2) each, two points or more")


def _shrunk(pixels: np.ndarray, matrix: np.ndarray, scale: float, side: int) -> tuple[np.ndarray, np.ndarray]:
    """The part of a picture that the crop shows, made smaller by whole steps, and the matrix from there."""
    cv2 = opencv()
    corners = Similarity(matrix).moved_back(np.array([[0.0, 0], [side, 0], [0, side], [side, side]]))
    height, width = pixels.shape[:2]
    step = int(1 / scale)
    first = np.clip(np.floor(corners.min(axis=0)).astype(int) - step, 0, (width - 1, height - 1))
    last = np.clip(np.ceil(corners.max(axis=0)).astype(int) + step + 1, first + 1, (width, height))
    part = pixels[first[1] : last[1], first[0] : last[0]]
    size = np.maximum((last - first) // step, 1)
    part = part[: max(size[1] * step, 1), : max(size[0] * step, 1)]
    small = cv2.resize(part, (int(size[0]), int(size[1])), interpolation=cv2.INTER_AREA)
    steps = np.array([part.shape[1] / size[0], part.shape[0] / size[1]])
    # A small pixel's centre u lies at steps · (u + ½) − ½ of the part, which begins at `first`.
    linear = matrix[:, :2] * steps
    moved = matrix[:, 2] + matrix[:, :2] @ (first + steps * _HALF - _HALF)
    return small, np.column_stack([linear, moved])
