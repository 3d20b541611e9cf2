"""Layers of larger convolutional networks in NumPy: padded, with strides, by channel; batch normalisation folded in.

Activations are (channels, rows, columns) float32.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

_CACHED: Final = 1 << 17  # numbers gathered at a time: 512 KiB
_EPSILON: Final = 1e-5  # of PyTorch's batch normalisation


class Layer(Protocol):
    """What maps activations to activations."""

    def __call__(self, pixels: np.ndarray) -> np.ndarray:
        """(channels, rows, columns) of the next layer."""


@dataclass(frozen=True, eq=False)
class Padded:
    """A convolution whose result has as many rows and columns as its input, divided by the stride.

    Attributes:
        weights: (channels out, channels in × rows × columns).
        bias: (channels out, 1).
        size: rows, and columns, of a kernel.
        stride: rows, and columns, from one product to the next.
        slope: of negative values; 1 leaves them.
    """

    weights: np.ndarray
    bias: np.ndarray
    size: int
    stride: int
    slope: float

    def __call__(self, pixels: np.ndarray) -> np.ndarray:
        """Convolve and rectify."""
        if self.size == 1:
            taken = pixels[:, :: self.stride, :: self.stride]
            flat = self._activated(np.matmul(self.weights, taken.reshape(len(pixels), -1)))
            return flat.reshape(-1, *taken.shape[1:])
        rows, columns = (-(-length // self.stride) for length in pixels.shape[1:])
        framed = _framed(pixels, self.size)
        out = np.empty((len(self.weights), rows, columns), np.float32)
        flat = out.reshape(len(out), -1)
        together = max(1, _CACHED // (self.weights.shape[1] * columns))
        for first in range(0, rows, together):
            last = min(first + together, rows)
            gathered = self._gathered(framed, first, last, columns)
            block = flat[:, first * columns : last * columns]
            self._activated(np.matmul(self.weights, gathered, out=block))
        return out

    def _gathered(self, framed: np.ndarray, first: int, last: int, columns: int) -> np.ndarray:
        size, stride = self.size, self.stride
        gathered = np.empty((len(framed), size, size, last - first, columns), np.float32)
        for row in range(size):
            taken = framed[:, first * stride + row : (last - 1) * stride + row + 1 : stride]
            for column in range(size):
                gathered[:, row, column] = taken[:, :, column : column + (columns - 1) * stride + 1 : stride]
        return gathered.reshape(self.weights.shape[1], -1)

    def _activated(self, values: np.ndarray) -> np.ndarray:
        values += self.bias
        return rectify(values, self.slope)


@dataclass(frozen=True, eq=False)
class ByChannel:
    """A convolution of 3 × 3 of each channel with itself.

    Attributes:
        weights: (channels, 3, 3).
        bias: (channels, 1, 1).
        stride: rows, and columns, from one product to the next.
        slope: of negative values.
    """

    weights: np.ndarray
    bias: np.ndarray
    stride: int
    slope: float

    def __call__(self, pixels: np.ndarray) -> np.ndarray:
        """Convolve and rectify."""
        rows, columns = (-(-length // self.stride) for length in pixels.shape[1:])
        out = np.empty((len(pixels), rows, columns), np.float32)
        together = max(1, _CACHED // (rows * columns))
        for first in range(0, len(pixels), together):
            some = slice(first, first + together)
            framed = _framed(pixels[some], 3)
            total = out[some]
            total[:] = self.bias[some]
            for row, column in np.ndindex(3, 3):
                taken = framed[:, row :: self.stride, column :: self.stride][:, :rows, :columns]
                total += taken * self.weights[some, row, column, None, None]
            rectify(total, self.slope)
        return out


def rectify(values: np.ndarray, slope: float) -> np.ndarray:
    """Multiply negative values by a slope of at most 1, in place."""
    if slope == 0:
        np.maximum(values, 0, out=values)
        return values
    if slope != 1:
        np.maximum(values, values * np.float32(slope), out=values)
    return values


def greatest(pixels: np.ndarray) -> np.ndarray:
    """The greatest of each window of 3 × 3, every second row and column; what lies outside does not count."""
    framed = np.pad(pixels, ((0, 0), (1, 1), (1, 1)), constant_values=-np.inf)
    rows, columns = (-(-length // 2) for length in pixels.shape[1:])
    parts = [framed[:, row::2, column::2][:, :rows, :columns] for row, column in np.ndindex(3, 3)]
    result: np.ndarray = np.maximum.reduce(parts)
    return result


def enlarged(pixels: np.ndarray, rows: int, columns: int) -> np.ndarray:
    """Brought to a size by repeating the nearest pixel."""
    down = np.arange(rows) * pixels.shape[1] // rows
    across = np.arange(columns) * pixels.shape[2] // columns
    result: np.ndarray = pixels[:, down[:, None], across]
    return result


def padded(
    tensors: Mapping[str, np.ndarray], name: str, norm: str = "", *, stride: int = 1, slope: float = 1
) -> Padded:
    """The convolution of a name, with the batch normalisation of another folded into it."""
    kernel, bias = _folded(tensors, name, norm)
    return Padded(np.ascontiguousarray(kernel.reshape(len(kernel), -1)), bias[:, None], kernel.shape[2], stride, slope)


def by_channel(tensors: Mapping[str, np.ndarray], name: str, norm: str, *, stride: int, slope: float) -> ByChannel:
    """The convolution by channel of a name, with the batch normalisation of another folded into it."""
    kernel, bias = _folded(tensors, name, norm)
    return ByChannel(kernel[:, 0], bias[:, None, None], stride, slope)


def _folded(tensors: Mapping[str, np.ndarray], name: str, norm: str) -> tuple[np.ndarray, np.ndarray]:
    kernel = tensors[f"{name}.weight"].astype(float)
    bias = tensors.get(f"{name}.bias", np.zeros(len(kernel))).astype(float)
    if norm:
        mean, variance = tensors[f"{norm}.running_mean"].astype(float), tensors[f"{norm}.running_var"].astype(float)
        gain = tensors[f"{norm}.weight"] / np.sqrt(variance + _EPSILON)
        kernel, bias = kernel * gain[:, None, None, None], tensors[f"{norm}.bias"] + (bias - mean) * gain
    return kernel.astype(np.float32), bias.astype(np.float32)


def _framed(pixels: np.ndarray, size: int) -> np.ndarray:
    width = size // 2
    return np.pad(pixels, ((0, 0), (width, width), (width, width)))
