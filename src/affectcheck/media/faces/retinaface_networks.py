"""The networks of RetinaFace (Deng et al. 2020, DOI 10.1109/CVPR42600.2020.00525) in NumPy.

Names of weights are those of biubug6/Pytorch_Retinaface, whose trained files are the ones that are published: a body,
a pyramid of three maps, a context module for each, and three heads. Their layers are those of the paper's figures and
of MobileNet (width 0.25) and ResNet-50.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from affectcheck.media.faces.padded_layers import Layer, by_channel, enlarged, greatest, padded, rectify

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Body = Literal["mobilenet0.25", "resnet50"]

_MOBILE_STRIDES: Final = ((2, 1, 2, 1, 2, 1), (2, 1, 1, 1, 1, 1), (2, 1))
_RESIDUAL_BLOCKS: Final = (3, 4, 6, 3)
_LEAKY: Final = 0.1  # slope of the small network's negative values
_MAPS: Final = (1, 2, 3)


@dataclass(frozen=True, eq=False)
class Said:
    """What the network says of each anchor of all maps.

    Attributes:
        odds: (n,) logarithm of the odds that it is a face.
        boxes: (n, 4) offsets of centre and size.
        landmarks: (n, 5, 2) offsets.
    """

    odds: np.ndarray
    boxes: np.ndarray
    landmarks: np.ndarray


class RetinaNetwork:
    """Body, pyramid, context and heads.

    Args:
        tensors: weights by name.
        body: which body they are of.

    Raises:
        KeyError: a weight is missing.
    """

    def __init__(self, tensors: Mapping[str, np.ndarray], body: Body) -> None:
        self._body = _Mobile(tensors) if body == "mobilenet0.25" else _Residual(tensors)
        slope = _LEAKY if body == "mobilenet0.25" else 0
        self._lateral = [padded(tensors, f"fpn.output{n}.0", f"fpn.output{n}.1", slope=slope) for n in _MAPS]
        self._merge = [padded(tensors, f"fpn.merge{n}.0", f"fpn.merge{n}.1", slope=slope) for n in (1, 2)]
        self._context = [_Context(tensors, f"ssh{n}", slope) for n in _MAPS]
        self._heads = [
            [padded(tensors, f"{head}.{n - 1}.conv1x1") for head in ("ClassHead", "BboxHead", "LandmarkHead")]
            for n in _MAPS
        ]

    def __call__(self, pixels: np.ndarray) -> Said:
        """What it says of (3, rows, columns) float32."""
        fine, middle, coarse = (layer(one) for layer, one in zip(self._lateral, self._body(pixels), strict=True))
        middle = self._merge[1](middle + enlarged(coarse, *middle.shape[1:]))
        fine = self._merge[0](fine + enlarged(middle, *fine.shape[1:]))
        seen = [context(one) for one, context in zip((fine, middle, coarse), self._context, strict=True)]
        said = [
            [_by_anchor(head(one), width) for head, width in zip(heads, (2, 4, 10), strict=True)]
            for one, heads in zip(seen, self._heads, strict=True)
        ]
        classes, boxes, landmarks = (np.concatenate(part) for part in zip(*said, strict=True))
        return Said(classes[:, 1] - classes[:, 0], boxes, landmarks.reshape(-1, 5, 2))


class _Mobile:
    """MobileNet of a quarter of the channels; its three stages are the maps."""

    def __init__(self, tensors: Mapping[str, np.ndarray]) -> None:
        self._stages: list[list[Layer]] = []
        for stage, strides in enumerate(_MOBILE_STRIDES, start=1):
            layers: list[Layer] = []
            for block, stride in enumerate(strides):
                name = f"body.stage{stage}.{block}"
                if stage == 1 and block == 0:
                    layers.append(padded(tensors, f"{name}.0", f"{name}.1", stride=stride, slope=_LEAKY))
                    continue
                layers.append(by_channel(tensors, f"{name}.0", f"{name}.1", stride=stride, slope=_LEAKY))
                layers.append(padded(tensors, f"{name}.3", f"{name}.4", slope=_LEAKY))
            self._stages.append(layers)

    def __call__(self, pixels: np.ndarray) -> Sequence[np.ndarray]:
        maps = []
        for stage in self._stages:
            for layer in stage:
                pixels = layer(pixels)
            maps.append(pixels)
        return maps


class _Residual:
    """ResNet-50; the last three of its four stages are the maps."""

    def __init__(self, tensors: Mapping[str, np.ndarray]) -> None:
        self._stem = padded(tensors, "body.conv1", "body.bn1", stride=2, slope=0)
        self._stages = [
            [
                _Bottleneck(tensors, f"body.layer{stage}.{block}", 1 + (stage > 1 and block == 0))
                for block in range(count)
            ]
            for stage, count in enumerate(_RESIDUAL_BLOCKS, start=1)
        ]

    def __call__(self, pixels: np.ndarray) -> Sequence[np.ndarray]:
        pixels = greatest(self._stem(pixels))
        maps = []
        for stage in self._stages:
            for block in stage:
                pixels = block(pixels)
            maps.append(pixels)
        return maps[1:]


class _Bottleneck:
    """Three convolutions beside a shortcut; the stride is the second one's."""

    def __init__(self, tensors: Mapping[str, np.ndarray], name: str, stride: int) -> None:
        self._layers = [
            padded(tensors, f"{name}.conv1", f"{name}.bn1", slope=0),
            padded(tensors, f"{name}.conv2", f"{name}.bn2", stride=stride, slope=0),
            padded(tensors, f"{name}.conv3", f"{name}.bn3"),
        ]
        beside = f"{name}.downsample"
        self._shortcut = (
            padded(tensors, f"{beside}.0", f"{beside}.1", stride=stride) if f"{beside}.0.weight" in tensors else None
        )

    def __call__(self, pixels: np.ndarray) -> np.ndarray:
        total = pixels
        for layer in self._layers:
            total = layer(total)
        total += pixels if self._shortcut is None else self._shortcut(pixels)
        return rectify(total, 0)


class _Context:
    """Kernels of 3, 5 and 7 side by side, the larger ones made of several of 3."""

    def __init__(self, tensors: Mapping[str, np.ndarray], name: str, slope: float) -> None:
        slopes = {"conv3X3": 1, "conv5X5_1": slope, "conv5X5_2": 1, "conv7X7_2": slope, "conv7x7_3": 1}
        self._layers = {
            one: padded(tensors, f"{name}.{one}.0", f"{name}.{one}.1", slope=steep) for one, steep in slopes.items()
        }

    def __call__(self, pixels: np.ndarray) -> np.ndarray:
        shared = self._layers["conv5X5_1"](pixels)
        seven = self._layers["conv7x7_3"](self._layers["conv7X7_2"](shared))
        joined = np.concatenate([self._layers["conv3X3"](pixels), self._layers["conv5X5_2"](shared), seven])
        return rectify(joined, 0)


def _by_anchor(values: np.ndarray, width: int) -> np.ndarray:
    return values.transpose(1, 2, 0).reshape(-1, width)
