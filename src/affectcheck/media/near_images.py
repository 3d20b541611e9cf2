"""Near copies of pictures: recompressed, rescaled, brightened, cropped by a few percent, mirrored.

Each picture is reduced to 32 x 32 grey values, its print. Two prints are compared twice. First by their low spatial
frequencies, weighted by frequency, since those of natural pictures fade with it: a perceptual hash whose numbers are
not cut to bits, which tells aligned faces apart far better than bits do. Then each pair that is left is aligned (shift
and scale of either axis, gain and offset, by Gauss-Newton steps), and the edges of the two must agree everywhere, not
only the strongest ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.media.candidates import Pairs, candidates, joined

if TYPE_CHECKING:
    from collections.abc import Callable

    from affectcheck.media.clip import Image

#: Changes with every change of the print.
FORMAT: Final = "image print 1"
SIZE: Final = 32
#: Agreement of edges from which on two pictures are near copies. Different pictures of one person, and of faces in one
#: pose, stay below 0.8; recompressed, rescaled, brightened and cropped ones lie above 0.95.
LEAST_AGREEMENT: Final = 0.9

_LEAST_LIKENESS: Final = 0.75  # of the low frequencies; copies lie above 0.85
_DOUBTFUL: Final = 0.6  # below it, aligning the other way round does not help either
_FREQUENCIES: Final = 10
_FLAT: Final = 2.0  # grey values: a picture that varies less shows nothing that could be compared
_BLUR: Final = 0.7  # pixels: what interpolation takes away is taken from both
_SATURATED: Final = 247.0  # grey value from which on a picture may have been cut off by its gain
_SEEN: Final = 0.25  # share of pixels that must not be saturated, else all count
_STEPS: Final = 6
_FARTHEST: Final = 0.06  # of half the width: shift or scale; a crop of 2 % on each side scales by 0.04
_CHUNK: Final = 512


def image_print(image: Image) -> np.ndarray:
    """A picture reduced to (32, 32) grey values, uint8, whatever its shape."""
    import PIL.Image  # noqa: PLC0415  # an optional package, there since the picture was decoded with it

    grey = PIL.Image.fromarray(image.pixels).convert("L")
    small: np.ndarray = np.asarray(grey.resize((SIZE, SIZE), PIL.Image.Resampling.BICUBIC))
    return small


def near_images(
    prints: np.ndarray,
    *,
    mirrored: bool = False,
    sets: np.ndarray | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Pairs:
    """Find near copies.

    Args:
        prints: (n, 32, 32) uint8, one a picture; exact copies are near copies too.
        mirrored: compare each picture with the mirror images of the others.
        sets: (n,) set of each picture, so that pairs within sets do not crowd out those across.
        progress: called with (done, total).

    Returns:
        Pairs with the agreement of their edges, ``LEAST_AGREEMENT`` to 1. A flat picture is in none.
    """
    others = prints[:, :, ::-1] if mirrored else prints
    vectors = _low_frequencies(prints)
    turned = _low_frequencies(others) if mirrored else vectors
    pairs = candidates(vectors, turned, _LEAST_LIKENESS, sets=sets, progress=progress)
    parts = [
        _verified(prints, others, pairs.take(np.arange(start, min(start + _CHUNK, len(pairs)))))
        for start in range(0, len(pairs), _CHUNK)
    ]
    kept = joined([pairs.take(np.zeros(0, np.int64)), *parts])
    return Pairs(kept.first, kept.second, kept.similarity, pairs.left_out)


def _low_frequencies(prints: np.ndarray) -> np.ndarray:
    """(n, 99) float32 of length 1: low frequencies but the mean, weighted by frequency; zeros for flat pictures."""
    from scipy.fft import dctn  # noqa: PLC0415  # SciPy loads where it is used

    weight = np.hypot(*np.mgrid[:_FREQUENCIES, :_FREQUENCIES])
    vectors = np.zeros((len(prints), _FREQUENCIES**2 - 1), np.float32)
    for start in range(0, len(prints), _CHUNK):
        grey = prints[start : start + _CHUNK].astype(np.float32)
        waves = dctn(grey, axes=(1, 2), norm="ortho")[:, :_FREQUENCIES, :_FREQUENCIES] * weight
        waves = waves.reshape(len(grey), -1)[:, 1:]
        waves[grey.std(axis=(1, 2)) < _FLAT] = 0.0
        length = np.linalg.norm(waves, axis=1, keepdims=True)
        vectors[start : start + _CHUNK] = waves / np.where(length > 0, length, 1.0)
    return vectors


def _verified(prints: np.ndarray, others: np.ndarray, pairs: Pairs) -> Pairs:
    """The pairs whose edges agree as they are, or once one is aligned to the other, or the other way round."""
    first, second = _smooth(prints[pairs.first]), _smooth(others[pairs.second])
    agreement = _aligned_agreement(first, second, steps=0)
    for fixed, moved, least in ((first, second, -1.0), (second, first, _DOUBTFUL)):
        doubtful = (agreement >= least) & (agreement < LEAST_AGREEMENT)
        if doubtful.any():
            again = _aligned_agreement(fixed[doubtful], moved[doubtful], steps=_STEPS)
            agreement[doubtful] = np.maximum(agreement[doubtful], again)
    alike = agreement >= LEAST_AGREEMENT
    return Pairs(pairs.first[alike], pairs.second[alike], agreement[alike])


def _smooth(prints: np.ndarray) -> np.ndarray:
    from scipy.ndimage import gaussian_filter  # noqa: PLC0415  # SciPy loads where it is used

    smooth: np.ndarray = gaussian_filter(prints.astype(np.float32), (0, _BLUR, _BLUR))
    return smooth


def _aligned_agreement(fixed: np.ndarray, moved: np.ndarray, *, steps: int) -> np.ndarray:
    """Align each second picture to the first in so many steps, and return how well their edges agree, (n,) float32."""
    warp = np.zeros((len(fixed), 4), np.float32)  # scale and shift of columns, of rows
    for _ in range(steps):
        current, seen = _warped(moved, warp)
        seen = _counted(seen, fixed, current)
        warp = np.clip(warp + _step(fixed, current, seen), -_FARTHEST, _FARTHEST)
    current, seen = _warped(moved, warp)
    return _agreement(fixed, current, _counted(seen, fixed, current))


def _warped(pictures: np.ndarray, warp: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Pictures at scaled and shifted places, and which of their pixels lie within the picture."""
    across, inside_across = _interpolation(warp[:, 0], warp[:, 1])
    down, inside_down = _interpolation(warp[:, 2], warp[:, 3])
    return down @ pictures @ across.transpose(0, 2, 1), inside_down[:, :, None] & inside_across[:, None, :]


def _interpolation(scale: np.ndarray, shift: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(n, 32, 32) matrices that interpolate one axis linearly, and which places lie inside, (n, 32)."""
    place = (_axis() * (1 + scale[:, None]) + shift[:, None]) * (SIZE / 2) + (SIZE - 1) / 2
    inside = (place >= -0.5) & (place <= SIZE - 0.5)
    place = np.clip(place, 0, SIZE - 1)
    return np.maximum(0, 1 - np.abs(place[:, :, None] - np.arange(SIZE, dtype=np.float32))), inside


def _axis() -> np.ndarray:
    """Places of pixels, -1 to 1 over the picture."""
    return ((np.arange(SIZE) - (SIZE - 1) / 2) / (SIZE / 2)).astype(np.float32)


def _counted(inside: np.ndarray, fixed: np.ndarray, current: np.ndarray) -> np.ndarray:
    """Pixels that count: inside, and saturated in neither picture unless nearly all are."""
    below = inside & (fixed < _SATURATED) & (current < _SATURATED)
    return np.where(below.mean(axis=(1, 2), keepdims=True) < _SEEN, inside, below)


def _step(fixed: np.ndarray, current: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """One Gauss-Newton step towards fixed = gain · warped + offset, (n, 4)."""
    count, axis, half = len(fixed), _axis(), SIZE / 2
    down, across = (slope * np.float32(half) for slope in np.gradient(current, axis=(1, 2)))
    columns = (across * axis, across, down * axis[:, None], down, current, np.ones_like(current))
    slopes = np.stack(columns, axis=-1).reshape(count, -1, 6)
    weighted = (slopes * seen.reshape(count, -1, 1)).transpose(0, 2, 1)
    normal = (weighted @ slopes).astype(np.float64)
    trace = np.trace(normal, axis1=1, axis2=2)
    normal += (1e-7 * trace + 1e-6)[:, None, None] * np.eye(6)  # solvable, where a picture has edges in one direction
    solved = np.linalg.solve(normal, weighted @ fixed.reshape(count, -1, 1))[:, :, 0]
    gain = np.maximum(np.abs(solved[:, 4:5]), 0.2) * np.where(solved[:, 4:5] < 0, -1, 1)
    step: np.ndarray = np.clip(solved[:, :4] / gain, -0.05, 0.05).astype(np.float32)
    return step


def _agreement(one: np.ndarray, other: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """Cosine between the edges of two pictures, strong ones compressed so that weak ones count too."""
    inner = seen[:, 1:, 1:] & seen[:, :-1, :-1] & seen[:, 1:, :-1] & seen[:, :-1, 1:]
    left, right = _edges(one, inner), _edges(other, inner)
    lengths = np.sqrt((left**2).sum(axis=(1, 2, 3)) * (right**2).sum(axis=(1, 2, 3)))
    agreement: np.ndarray = (left * right).sum(axis=(1, 2, 3)) / np.maximum(lengths, 1e-9)
    return agreement


def _edges(pictures: np.ndarray, inner: np.ndarray) -> np.ndarray:
    """(n, 31, 31, 2) gradients to the power of 0.3 of their size."""
    slopes = np.stack([np.diff(pictures, axis=2)[:, :-1], np.diff(pictures, axis=1)[:, :, :-1]], axis=-1)
    size = np.hypot(slopes[..., 0], slopes[..., 1])
    usual = np.sqrt((size**2 * inner).sum(axis=(1, 2)) / np.maximum(inner.sum(axis=(1, 2)), 1)) + 1e-6
    strength = (size / usual[:, None, None] + 0.15) ** (0.3 - 1) * inner
    edges: np.ndarray = slopes * strength[..., None]
    return edges
