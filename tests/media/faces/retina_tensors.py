"""Weights of RetinaFace drawn at random: every name and shape of the published files."""

from __future__ import annotations

import numpy as np

from affectcheck.seeds import rng

CHANNELS = {"mobilenet0.25": (64, (64, 128, 256)), "resnet50": (256, (512, 1024, 2048))}


class Drawn:
    """Collects tensors by name."""

    def __init__(self, seed: int) -> None:
        self.draw, self.tensors = rng(seed, "retina"), dict[str, np.ndarray]()

    def convolution(self, name: str, norm: str, out: int, channels: int, size: int) -> None:
        scale = (channels * size * size) ** -0.5
        self.tensors[f"{name}.weight"] = self.draw.normal(0, scale, (out, channels, size, size)).astype(np.float32)
        if not norm:
            self.tensors[f"{name}.bias"] = self.draw.normal(0, 0.1, out).astype(np.float32)
            return
        for part, low, high in (
            ("weight", 0.5, 1.2),
            ("bias", -0.2, 0.2),
            ("running_mean", -0.2, 0.2),
            ("running_var", 0.5, 1.5),
        ):
            self.tensors[f"{norm}.{part}"] = self.draw.uniform(low, high, out).astype(np.float32)


def drawn_tensors(body: str, seed: int = 0) -> dict[str, np.ndarray]:
    """Tensors of a body, the pyramid, the context modules and the heads."""
    made = Drawn(seed)
    (_mobile if body == "mobilenet0.25" else _residual)(made)
    width, maps = CHANNELS[body]
    for n, channels in enumerate(maps, start=1):
        made.convolution(f"fpn.output{n}.0", f"fpn.output{n}.1", width, channels, 1)
        if n < 3:
            made.convolution(f"fpn.merge{n}.0", f"fpn.merge{n}.1", width, width, 3)
        parts = {"conv3X3": (2, 1), "conv5X5_1": (4, 1), "conv5X5_2": (4, 4), "conv7X7_2": (4, 4), "conv7x7_3": (4, 4)}
        for part, (out, taken) in parts.items():
            made.convolution(f"ssh{n}.{part}.0", f"ssh{n}.{part}.1", width // out, width // taken, 3)
        for head, numbers in (("ClassHead", 2), ("BboxHead", 4), ("LandmarkHead", 10)):
            made.convolution(f"{head}.{n - 1}.conv1x1", "", 2 * numbers, width, 1)
    return made.tensors


def _mobile(made: Drawn) -> None:
    widths = {1: (8, 16, 32, 32, 64, 64), 2: (128,) * 6, 3: (256, 256)}
    before = 3
    for stage, outs in widths.items():
        for block, out in enumerate(outs):
            name = f"body.stage{stage}.{block}"
            if before == 3:
                made.convolution(f"{name}.0", f"{name}.1", out, 3, 3)
            else:
                made.convolution(f"{name}.0", f"{name}.1", before, 1, 3)
                made.convolution(f"{name}.3", f"{name}.4", out, before, 1)
            before = out


def _residual(made: Drawn) -> None:
    made.convolution("body.conv1", "body.bn1", 64, 3, 7)
    before = 64
    for stage, (blocks, width) in enumerate(((3, 64), (4, 128), (6, 256), (3, 512)), start=1):
        for block in range(blocks):
            name = f"body.layer{stage}.{block}"
            for n, (out, taken, size) in enumerate(
                ((width, before, 1), (width, width, 3), (4 * width, width, 1)), start=1
            ):
                made.convolution(f"{name}.conv{n}", f"{name}.bn{n}", out, taken, size)
            if block == 0:
                made.convolution(f"{name}.downsample.0", f"{name}.downsample.1", 4 * width, before, 1)
            before = 4 * width
