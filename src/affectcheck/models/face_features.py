"""Features of a face: which way its edges run, and how bright it is, around brows, eyes, nose and mouth.

The picture is aligned by its five landmarks where it has them; without them it is taken to be the crop of a face and
scaled as a whole. Then histograms of oriented gradients (Dalal and Triggs 2005) are taken in cells of two sizes. Each
is divided by the edges around it, so that a lamp that is brighter changes little.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from affectcheck.digest import digest_bytes
from affectcheck.media.faces.alignment import align
from affectcheck.media.faces.template import SIDE
from affectcheck.media.opencv import opencv

if TYPE_CHECKING:
    from affectcheck.media.clip import Image

VERSION: Final = 1  # raised whenever a number that this file returns changes
DIRECTIONS: Final = 8  # of edges, over half a turn: from dark to bright and from bright to dark are one direction
#: Edges as weak as this many levels of grey a pixel, of 255, are noise: they add to what histograms are divided by.
_FAINT: Final = 2.0
_FLAT: Final = 1.0  # standard deviation in levels of grey below which a picture shows nothing


class Region(NamedTuple):
    """A part of the aligned crop that is divided into square cells.

    Attributes:
        name: part of the face.
        left, top, right, bottom: in pixels of the 112×112 crop.
        cell: side of a cell in pixels.
    """

    name: str
    left: int
    top: int
    right: int
    bottom: int
    cell: int


#: The template has the eyes at a height of 52 pixels, the tip of the nose at 72, the corners of the mouth at 92.
REGIONS: Final = (
    Region("eyes", 20, 28, 92, 64, 4),
    Region("nose", 24, 64, 88, 80, 8),
    Region("mouth", 32, 80, 80, 108, 4),
)

#: Rows and columns of the crop that some cell reaches: a cell counts what lies less than its side beyond its edge.
_REACHED: Final = (
    slice(min(one.top - one.cell for one in REGIONS), max(one.bottom + one.cell for one in REGIONS)),
    slice(min(one.left - one.cell for one in REGIONS), max(one.right + one.cell for one in REGIONS)),
)


def face_features(image: Image) -> np.ndarray:
    """Features of the face in a picture.

    Args:
        image: a picture with landmarks, or the crop of a face.

    Returns:
        (d,) float64, finite; named by ``face_feature_names``.

    Raises:
        InputError: landmarks of which no similarity can be made.
        ExtraMissingError: the extra ``faces`` is not installed.
    """
    grey = opencv().cvtColor(face_crop(image), opencv().COLOR_RGB2GRAY).astype(np.float64)
    planes = _edges(grey)
    bright = (grey - grey.mean()) / max(float(grey.std()), _FLAT)
    found = []
    for region in REGIONS:
        down, across = (
            _weights(region.top, region.bottom, region.cell),
            _weights(region.left, region.right, region.cell),
        )
        cells = down @ planes @ across.T
        found.append(_normalised(cells, region.cell).ravel())
        found.append((down @ bright @ across.T).ravel() / region.cell**2)
    return np.concatenate(found)


def face_crop(image: Image) -> np.ndarray:
    """(112, 112, 3) uint8: the face aligned by its landmarks, or the whole picture where it has none."""
    if image.landmarks is not None:
        return align(image.pixels, image.landmarks)
    if image.pixels.shape[:2] == (SIDE, SIDE):
        return image.pixels
    cv2 = opencv()
    shrinks = min(image.pixels.shape[:2]) > SIDE
    how = cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
    scaled: np.ndarray = cv2.resize(image.pixels, (SIDE, SIDE), interpolation=how)
    return scaled


@cache
def face_feature_names() -> tuple[str, ...]:
    """Name of every feature, in order: part of the face, row and column of the cell, direction or brightness."""
    names = []
    for region in REGIONS:
        places = [
            f"{row}.{column}"
            for row in range((region.bottom - region.top) // region.cell)
            for column in range((region.right - region.left) // region.cell)
        ]
        names += [f"{region.name}.{place}.edge{one}" for one in range(DIRECTIONS) for place in places]
        names += [f"{region.name}.{place}.brightness" for place in places]
    return tuple(names)


@cache
def face_feature_digest() -> str:
    """Digest of the definition of the features: part of the key under which they are cached."""
    return digest_bytes("face-features", str(VERSION), repr(REGIONS), *face_feature_names())


def _edges(grey: np.ndarray) -> np.ndarray:
    """(directions, height, width) strength of the edges, each shared out between the two nearest directions.

    Only what cells of some region reach is measured; zero elsewhere.
    """
    rows, columns = _REACHED
    across, down = np.zeros_like(grey), np.zeros_like(grey)
    across[:, 1:-1] = (grey[:, 2:] - grey[:, :-2]) / 2
    down[1:-1] = (grey[2:] - grey[:-2]) / 2
    height, width = across[rows, columns].shape
    across, down = across[rows, columns].ravel(), down[rows, columns].ravel()
    strength = np.hypot(across, down)
    place = np.arctan2(down, across) % np.pi * (DIRECTIONS / np.pi)
    first = place.astype(np.int64)  # of nothing below 0, so that it is the floor
    share = place - first
    shared = np.zeros((DIRECTIONS, across.size))
    flat, at = shared.reshape(-1), np.arange(across.size)
    flat[first % DIRECTIONS * across.size + at] = strength * (1 - share)
    flat[(first + 1) % DIRECTIONS * across.size + at] += strength * share
    planes = np.zeros((DIRECTIONS, *grey.shape))
    planes[:, rows, columns] = shared.reshape(DIRECTIONS, height, width)
    return planes


@cache
def _weights(first: int, last: int, cell: int) -> np.ndarray:
    """(cells, 112) how much each pixel counts for each cell: by its distance from the middle, none a cell away."""
    middles = np.arange(first, last, cell) + (cell - 1) / 2
    found: np.ndarray = np.maximum(0.0, 1.0 - np.abs(np.arange(SIDE) - middles[:, None]) / cell)
    return found


def _normalised(cells: np.ndarray, side: int) -> np.ndarray:
    """Histograms divided by the root of the squares in the cell and its eight neighbours."""
    squares = np.pad((cells**2).sum(axis=0), 1, mode="edge")
    rows, columns = cells.shape[1:]
    around = sum(squares[i : i + rows, j : j + columns] for i in range(3) for j in range(3)) / 9
    found: np.ndarray = cells / np.sqrt(around + (_FAINT * side**2) ** 2)
    return found
