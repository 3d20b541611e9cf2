"""Pictures that tests change."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from affectcheck.media.clip import Image
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from affectcheck.augmentations.pictures import ChangedPicture, PictureAugmentation


def textured(height: int = 112, width: int = 112, *, seed: int = 1) -> Image:
    """Smooth colours with some texture, neither black nor white."""
    draw = rng(seed, "picture")
    rows, columns = np.mgrid[0:height, 0:width]
    waves = [np.sin(rows / 9 + k) * np.cos(columns / 13 + 2 * k) for k in range(3)]
    pixels = 128 + 60 * np.stack(waves, axis=-1) + draw.normal(0, 6, (height, width, 3))
    return Image(np.clip(pixels, 0, 255).astype(np.uint8))


def plain(level: int, side: int = 64) -> Image:
    """One shade of grey."""
    return Image(np.full((side, side, 3), level, np.uint8))


def point(x: int, y: int, side: int = 65) -> Image:
    """A white pixel on black."""
    pixels = np.zeros((side, side, 3), np.uint8)
    pixels[y, x] = 255
    return Image(pixels)


def applied(augmentation: PictureAugmentation, image: Image, *, seed: int = 0) -> ChangedPicture:
    draw = rng(seed, "applied")
    return augmentation.apply(image, augmentation.drawn(draw), draw)


def psnr_db(one: np.ndarray, other: np.ndarray) -> float:
    return float(10 * np.log10(255**2 / np.mean((one.astype(float) - other.astype(float)) ** 2)))


def middle_of_mass(pixels: np.ndarray) -> np.ndarray:
    """(2,) x and y of the middle of what is not black."""
    weight = pixels.astype(float).sum(axis=-1)
    rows, columns = np.mgrid[0 : pixels.shape[0], 0 : pixels.shape[1]]
    return np.array([(weight * columns).sum(), (weight * rows).sum()]) / weight.sum()
