"""A picture at every size: halved again and again, and sampled between two halvings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

_SMALLEST: Final = 24  # pixels: below, no network looks at it


@dataclass(frozen=True, eq=False)
class Pyramid:
    """A picture and its halvings, each pixel the mean of four of the one before; values from −1 to 1.

    Attributes:
        levels: (3, rows, columns) float32 each, the whole picture first.
    """

    levels: tuple[np.ndarray, ...]

    @classmethod
    def of(cls, pixels: np.ndarray) -> Pyramid:
        """The pyramid of (rows, columns, 3) uint8 pixels."""
        level = np.ascontiguousarray(pixels.transpose(2, 0, 1)).astype(np.float32)
        level -= 127.5
        level /= 128  # as the networks of MTCNN were trained (models of ipazc/mtcnn 1.0.0)
        levels = [level]
        while min(level.shape[1:]) >= 2 * _SMALLEST:
            rows, columns = level.shape[1] // 2 * 2, level.shape[2] // 2 * 2
            pairs = level[:, 0:rows:2] + level[:, 1:rows:2]
            level = pairs[:, :, 0:columns:2] + pairs[:, :, 1:columns:2]
            level *= 0.25
            levels.append(level)
        return cls(tuple(levels))

    @property
    def rows(self) -> int:
        """Of the whole picture."""
        return int(self.levels[0].shape[1])

    @property
    def columns(self) -> int:
        """Of the whole picture."""
        return int(self.levels[0].shape[2])

    def scaled(self, scale: float) -> np.ndarray:
        """The whole picture at another size, at most its own; pixels of the last row and column may be cut off."""
        octave = min(int(np.log2(1 / scale)), len(self.levels) - 1)
        level, left = self.levels[octave], scale * 2**octave
        first, second, share = _between(level.shape[1], int(np.ceil(self.rows * scale)), left)
        rows = _mixed(level[:, first], level[:, second], share[:, None])
        first, second, share = _between(level.shape[2], int(np.ceil(self.columns * scale)), left)
        return _mixed(rows[:, :, first], rows[:, :, second], share)

    def patches(self, boxes: np.ndarray, size: int) -> np.ndarray:
        """Squares cut out and brought to one size; what lies outside of the picture is grey.

        Args:
            boxes: (n, 4) of left, upper, right and lower edge.
            size: rows and columns of a patch.

        Returns:
            (3, n, size, size) float32.
        """
        out = np.empty((3, len(boxes), size, size), np.float32)
        shrinking = np.maximum((boxes[:, 2] - boxes[:, 0]) / size, 1)
        octaves = np.minimum(np.log2(shrinking).astype(int), len(self.levels) - 1)
        for octave in np.unique(octaves):
            chosen = np.flatnonzero(octaves == octave)
            out[:, chosen] = _sampled(self.levels[octave], boxes[chosen] / 2**octave, size)
        return out


def _between(length: int, count: int, scale: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Between which two pixels each one of a scaled line lies, and how far from the first."""
    places = np.clip((np.arange(count) + 0.5) / scale - 0.5, 0, length - 1)
    first = places.astype(int)
    return first, np.minimum(first + 1, length - 1), (places - first).astype(np.float32)


def _mixed(first: np.ndarray, second: np.ndarray, share: np.ndarray) -> np.ndarray:
    """In place of what was gathered."""
    second -= first
    second *= share
    first += second
    return first


def _sampled(level: np.ndarray, boxes: np.ndarray, size: int) -> np.ndarray:
    rows, columns = level.shape[1:]
    steps = (np.arange(size) + 0.5) / size
    across = boxes[:, 0:1] + steps * (boxes[:, 2:3] - boxes[:, 0:1]) - 0.5
    down = boxes[:, 1:2] + steps * (boxes[:, 3:4] - boxes[:, 1:2]) - 0.5
    inside = ((down > -0.5) & (down < rows - 0.5))[:, :, None] & ((across > -0.5) & (across < columns - 0.5))[:, None]
    left, right, share_across = _neighbours(across, columns)
    upper, lower, share_down = _neighbours(down, rows)
    flat = level.reshape(3, -1)
    above = _cut(flat, upper * columns, left, right, share_across)
    below = _cut(flat, lower * columns, left, right, share_across)
    mixed = _mixed(above, below, share_down[:, :, None])
    mixed *= inside
    return mixed


def _neighbours(places: np.ndarray, length: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    kept = np.clip(places, 0, length - 1)
    first = kept.astype(int)
    return first, np.minimum(first + 1, length - 1), (kept - first).astype(np.float32)


def _cut(flat: np.ndarray, starts: np.ndarray, left: np.ndarray, right: np.ndarray, share: np.ndarray) -> np.ndarray:
    rows = starts[:, :, None]
    return _mixed(flat[:, rows + left[:, None]], flat[:, rows + right[:, None]], share[:, None])
