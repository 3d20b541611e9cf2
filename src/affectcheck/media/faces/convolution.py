"""Layers of small convolutional networks in NumPy, for pictures and for stacks of patches.

Activations are (channels, …, rows, columns) float32, in one stretch of memory. A convolution without padding is a
product of matrices: the pixels that one weight meets are a stretch of the flattened rows, so that a block of them is
gathered by copies of whole stretches, and stays in the processor's cache until it is multiplied and rectified.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

_CACHED: Final = 1 << 16  # numbers gathered at a time: 256 KiB, which leaves room for the products
_SHORTEST: Final = 256  # pixels at a time, however many weights a pixel has


@dataclass(frozen=True, eq=False)
class Convolution:
    """A convolution without padding, its bias and its parametric rectifier.

    Attributes:
        weights: (channels out, rows × columns × channels in + 1), the bias last.
        slope: (channels out, 1) of negative values; None without a rectifier.
        size: rows, and columns, of a kernel.
    """

    weights: np.ndarray
    slope: np.ndarray | None
    size: int

    @classmethod
    def of(cls, kernel: np.ndarray, bias: np.ndarray, slope: np.ndarray | None = None) -> Convolution:
        """A convolution from a kernel of (rows, columns, channels in, channels out)."""
        size, _, _, channels = kernel.shape
        weights = np.concatenate([kernel.reshape(-1, channels).T, bias.reshape(-1, 1)], axis=1)
        slopes = None if slope is None else slope.reshape(-1, 1).astype(np.float32)
        return cls(np.ascontiguousarray(weights, np.float32), slopes, size)

    def __call__(self, pixels: np.ndarray) -> np.ndarray:
        """Convolve and rectify.

        Returns:
            As many rows and columns as were given, so that it can be convolved again as it is; the last
            ``size - 1`` rows and columns of each picture hold numbers without a meaning.
        """
        flat = pixels.reshape(len(pixels), -1)
        columns = pixels.shape[-1]
        offsets = [row * columns + column for row in range(self.size) for column in range(self.size)]
        whole = flat.shape[1] - offsets[-1]
        out = np.empty((len(self.weights), flat.shape[1]), np.float32)
        out[:, whole:] = 0
        length = min(whole, max(_SHORTEST, _CACHED // self.weights.shape[1]))
        gathered = np.ones((self.weights.shape[1], length), np.float32)
        room = np.empty((len(self.weights), length), np.float32)
        steep = np.empty(0, int) if self.slope is None else np.flatnonzero(self.slope > 1)
        for start in range(0, whole, length):
            stop = min(start + length, whole)
            block = gathered[:, : stop - start]
            for place, offset in enumerate(offsets):
                block[place * len(flat) : (place + 1) * len(flat)] = flat[:, start + offset : stop + offset]
            product = np.matmul(self.weights, block, out=out[:, start:stop])
            if self.slope is not None:
                _rectify(product, self.slope, steep, room[:, : stop - start])
        return out.reshape(-1, *pixels.shape[1:])


def _rectify(values: np.ndarray, slope: np.ndarray, steep: np.ndarray, room: np.ndarray) -> None:
    """Multiply negative values by the slope, in place: the greater of both, but the less where the slope is steep."""
    np.multiply(values, slope, out=room)
    less = np.minimum(values[steep], room[steep])
    np.maximum(values, room, out=values)
    values[steep] = less


def rectified(values: np.ndarray, slope: np.ndarray) -> np.ndarray:
    """Negative values multiplied by a slope."""
    result: np.ndarray = np.maximum(values, 0) + slope * np.minimum(values, 0)
    return result


def pooled(pixels: np.ndarray, rows: int, columns: int, *, size: int, partial: bool) -> np.ndarray:
    """The greatest value of each window of ``size`` × ``size``, every second row and column.

    Args:
        pixels: (channels, …, rows, columns).
        rows: how many rows have a meaning.
        columns: how many columns have one.
        size: of a window.
        partial: whether a window that reaches beyond the last row or column counts.
    """
    return _pooled_along(_pooled_along(pixels[..., :rows, :columns], -2, size, partial), -1, size, partial)


def _pooled_along(pixels: np.ndarray, axis: int, size: int, partial: bool) -> np.ndarray:
    moved = pixels if axis == -1 else pixels.swapaxes(-1, -2)
    beyond = moved.shape[-1] - size
    count = (-(-beyond // 2) if partial else beyond // 2) + 1
    first = moved[..., ::2][..., :count]
    greatest = first.copy(order="K") if axis == -1 else first.swapaxes(-1, -2).copy().swapaxes(-1, -2)
    for place in range(1, size):
        other = moved[..., place::2][..., :count]
        reached = greatest[..., : other.shape[-1]]
        np.maximum(reached, other, out=reached)
    return greatest if axis == -1 else greatest.swapaxes(-1, -2)
