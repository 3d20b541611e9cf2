"""Pictures without a face, drawn: gradients, stripes, checks, discs, waves, noise of every scale, letters' strokes."""

from __future__ import annotations

import numpy as np

from affectcheck.seeds import rng

SIDE = 256


def textures() -> dict[str, np.ndarray]:
    """Twenty-four pictures of 256 × 256, the same on every call."""
    down, across = np.mgrid[0:SIDE, 0:SIDE] / SIDE
    radius = np.hypot(down - 0.5, across - 0.5)
    drawn = {
        "black": np.zeros((SIDE, SIDE)),
        "white": np.ones((SIDE, SIDE)),
        "gradient": across,
        "corner": across * down,
        "spot": np.exp(-30 * radius**2),
        "ring": (np.abs(radius - 0.3) < 0.05).astype(float),
        "target": np.sin(60 * radius) / 2 + 0.5,
        "cross": ((np.abs(across - 0.5) < 0.1) | (np.abs(down - 0.5) < 0.1)).astype(float),
        "waves": (np.sin(40 * across) + np.sin(40 * down)) / 4 + 0.5,
    }
    for width in (4, 16, 48):
        drawn[f"checks of {width}"] = ((across * SIDE // width + down * SIDE // width) % 2).astype(float)
        drawn[f"stripes of {width}"] = (across * SIDE // width % 2).astype(float)
        drawn[f"slanted stripes of {width}"] = ((across + down) * SIDE // width % 2).astype(float)
        drawn[f"noise of {width}"] = _noise(width)
    made = {name: _coloured(values, name) for name, values in drawn.items()}
    made["discs"], made["strokes"], made["mosaic"] = _discs(), _strokes(), _mosaic()
    return made


def _coloured(values: np.ndarray, name: str) -> np.ndarray:
    """Between two colours, one dark and one light."""
    draw = rng(0, "texture", name)
    dark, light = draw.uniform(0, 90, 3), draw.uniform(160, 255, 3)
    return (dark + values[:, :, None] * (light - dark)).astype(np.uint8)


def _noise(width: int) -> np.ndarray:
    cells = rng(0, "noise", str(width)).random((SIDE // width + 1,) * 2)
    return np.kron(cells, np.ones((width, width)))[:SIDE, :SIDE]


def _discs() -> np.ndarray:
    draw = rng(0, "discs")
    down, across = np.mgrid[0:SIDE, 0:SIDE]
    pixels = np.full((SIDE, SIDE, 3), 220, np.uint8)
    for _ in range(60):
        row, column, radius = draw.uniform(0, SIDE), draw.uniform(0, SIDE), draw.uniform(4, 30)
        pixels[np.hypot(down - row, across - column) < radius] = draw.integers(0, 256, 3)
    return pixels


def _strokes() -> np.ndarray:
    draw = rng(0, "strokes")
    pixels = np.full((SIDE, SIDE, 3), 245, np.uint8)
    for row in range(10, SIDE - 16, 18):
        for column in range(8, SIDE - 12, 10):
            if draw.random() < 0.85:
                top, left = row + draw.integers(0, 6), column + draw.integers(0, 4)
                pixels[top : row + 12, left : left + 2] = 20
                pixels[row + draw.integers(0, 12), column : column + 7] = 20
    return pixels


def _mosaic() -> np.ndarray:
    cells = rng(0, "mosaic").integers(0, 256, (16, 16, 3))
    return np.kron(cells, np.ones((16, 16, 1))).astype(np.uint8)
