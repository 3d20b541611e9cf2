"""Functionals: how a contour over the frames of a clip is summed up in seven numbers."""

from __future__ import annotations

from typing import Final

import numpy as np

FUNCTIONALS: Final = ("mean", "sd", "p5", "p50", "p95", "iqr", "slope")
_QUANTILES: Final = (0.05, 0.25, 0.50, 0.75, 0.95)


def functionals(contours: np.ndarray) -> np.ndarray:
    """Sum up contours.

    Args:
        contours: (frames, k), at least one frame.

    Returns:
        (7, k): mean, standard deviation (ddof 0), 5th, 50th and 95th percentile (linear interpolation), interquartile
        range, and slope of the least-squares line over the clip's length, in units a whole clip.
    """
    ordered = np.sort(np.ascontiguousarray(contours.T), axis=1)
    count = ordered.shape[1]
    p5, p25, p50, p75, p95 = (_quantile(ordered, q) for q in _QUANTILES)
    mean = contours.mean(axis=0)
    deviation = contours - mean
    sd = np.sqrt(np.square(deviation).mean(axis=0))
    time = np.linspace(-0.5, 0.5, count) if count > 1 else np.zeros(1)
    spread = float(np.square(time).sum())
    slope = (time[:, None] * deviation).sum(axis=0) / spread if spread > 0.0 else np.zeros_like(mean)
    return np.stack([mean, sd, p5, p50, p95, p75 - p25, slope])


def changes(contours: np.ndarray) -> np.ndarray:
    """(frames, k) least-squares slope over five frames, the first and last repeated."""
    padded = np.concatenate([contours[:1], contours[:1], contours, contours[-1:], contours[-1:]])
    return np.asarray((2.0 * (padded[4:] - padded[:-4]) + padded[3:-1] - padded[1:-3]) / 10.0)


def _quantile(ordered: np.ndarray, q: float) -> np.ndarray:
    place = q * (ordered.shape[1] - 1)
    low = int(place)
    high = min(low + 1, ordered.shape[1] - 1)
    return np.asarray(ordered[:, low] + (place - low) * (ordered[:, high] - ordered[:, low]))
