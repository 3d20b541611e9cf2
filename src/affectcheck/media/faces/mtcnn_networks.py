"""The three networks of MTCNN (Zhang et al. 2016, DOI 10.1109/LSP.2016.2603342), in NumPy.

Layers follow the published figure; the weights are those of the package ``mtcnn`` (MIT licence), which stores kernels
as (rows, columns, channels in, channels out). Its dense layers meet columns before rows.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from affectcheck.errors import ExtraMissingError
from affectcheck.media.faces.convolution import Convolution, pooled, rectified
from affectcheck.media.faces.weights import installed_folder, read_pinned

if TYPE_CHECKING:
    from collections.abc import Sequence

_FEATURE: Final = "the face detector 'mtcnn'"
_KIND: Final = "weights of MTCNN"

#: SHA-256 of the files of weights in mtcnn 1.0.0, by the name of the network.
CHECKSUMS: Final = {
    "pnet": "ea6b0c3e685ebee3165326ad6484acc95f2ef78f1c94fbf40a55704fa989f7b5",
    "rnet": "cb00e6460f3c98b0bfafaba3c0a0ded4bdf6e62cee7174d969e8670d7e757fee",
    "onet": "94f6ea2f4cf985275ee958cdd762d17b6009348a4fb9d8c6be39ba73ffd22ca3",
}


@dataclass(frozen=True, eq=False)
class Found:
    """What a network says of windows or patches.

    Attributes:
        odds: logarithm of the odds that it is a face.
        offsets: (…, 4) by which the edges should move, as shares of width and height.
        landmarks: (…, 5, 2) as shares of width and height; empty of the first two networks.
    """

    odds: np.ndarray
    offsets: np.ndarray
    landmarks: np.ndarray


class ProposalNetwork:
    """Looks at every window of 12 × 12 pixels, two pixels apart."""

    def __init__(self, weights: Sequence[np.ndarray]) -> None:
        self._first = Convolution.of(*weights[0:3])
        self._second = Convolution.of(*weights[3:6])
        self._third = Convolution.of(*weights[6:9])
        kernel = np.concatenate([weights[9], weights[11]], axis=3)
        self._heads = Convolution.of(kernel, np.concatenate([weights[10], weights[12]]))

    def __call__(self, picture: np.ndarray) -> Found:
        """What it says of (3, rows, columns), for each row and column of windows."""
        rows, columns = picture.shape[1] - 2, picture.shape[2] - 2
        first = pooled(self._first(picture), rows, columns, size=2, partial=True)
        rows, columns = first.shape[1] - 4, first.shape[2] - 4
        said = self._heads(self._third(self._second(first)))[:, :rows, :columns]
        return Found(said[5] - said[4], said[:4].transpose(1, 2, 0), np.empty(0))


class RefinementNetwork:
    """Looks at patches of 24 × 24 pixels."""

    def __init__(self, weights: Sequence[np.ndarray]) -> None:
        self._first = Convolution.of(*weights[0:3])
        self._second = Convolution.of(*weights[3:6])
        self._third = Convolution.of(*weights[6:9])
        self._dense = weights[9:12]
        self._heads = weights[12:16]

    def __call__(self, patches: np.ndarray) -> Found:
        """What it says of (3, n, 24, 24)."""
        first = pooled(self._first(patches), 22, 22, size=3, partial=True)
        second = pooled(self._second(first), 9, 9, size=3, partial=False)
        features = _dense(self._third(second)[..., :3, :3], self._dense)
        offsets, offsets_bias, odds, odds_bias = self._heads
        return Found(_odds(features @ odds + odds_bias), features @ offsets + offsets_bias, np.empty(0))


class OutputNetwork:
    """Looks at patches of 48 × 48 pixels, and finds the landmarks."""

    def __init__(self, weights: Sequence[np.ndarray]) -> None:
        self._layers = [Convolution.of(*weights[place : place + 3]) for place in (0, 3, 6, 9)]
        self._dense = weights[12:15]
        self._heads = weights[15:21]

    def __call__(self, patches: np.ndarray) -> Found:
        """What it says of (3, n, 48, 48)."""
        first, second, third, fourth = self._layers
        small = pooled(first(patches), 46, 46, size=3, partial=True)
        small = pooled(second(small), 21, 21, size=3, partial=False)
        small = pooled(third(small), 8, 8, size=2, partial=True)
        features = _dense(fourth(small)[..., :3, :3], self._dense)
        offsets, offsets_bias, points, points_bias, odds, odds_bias = self._heads
        landmarks = (features @ points + points_bias).reshape(-1, 2, 5).swapaxes(1, 2)
        return Found(_odds(features @ odds + odds_bias), features @ offsets + offsets_bias, landmarks)


@dataclass(frozen=True, eq=False)
class Networks:
    """The cascade's networks in their order."""

    propose: ProposalNetwork
    refine: RefinementNetwork
    decide: OutputNetwork


@cache
def load_networks() -> Networks:
    """The networks with the weights of the installed package, which is not imported: that would start TensorFlow.

    Raises:
        ExtraMissingError: the package, or what it keeps its weights with, is not installed.
        InputError: the package holds other weights.
    """
    return Networks(
        ProposalNetwork(_weights("pnet")), RefinementNetwork(_weights("rnet")), OutputNetwork(_weights("onet"))
    )


def _weights(name: str) -> list[np.ndarray]:
    path = installed_folder("mtcnn", feature=_FEATURE, extra="faces") / "assets" / "weights" / f"{name}.lz4"
    content = read_pinned(
        path, CHECKSUMS[name], kind=_KIND, cause="another version of the package: pip install mtcnn==1.0.0"
    )
    # A joblib file can run code when it is read; this one is known to the last bit.
    weights: list[np.ndarray] = _joblib().load(io.BytesIO(content))
    return weights


def _joblib() -> Any:
    try:
        import joblib  # noqa: PLC0415  # an optional package
    except ImportError as error:
        raise ExtraMissingError.of(_FEATURE, "faces", "joblib") from error
    if find_spec("lz4") is None:  # joblib reads this compression only with it
        raise ExtraMissingError.of(_FEATURE, "faces", "lz4")
    return joblib


def _dense(maps: np.ndarray, layer: Sequence[np.ndarray]) -> np.ndarray:
    """(n, features) from (channels, n, rows, columns), columns before rows before channels."""
    weights, bias, slope = layer
    flat = maps.transpose(1, 3, 2, 0).reshape(maps.shape[1], -1)
    return rectified(flat @ weights + bias, slope)


def _odds(said: np.ndarray) -> np.ndarray:
    odds: np.ndarray = said[:, 1] - said[:, 0]
    return odds
