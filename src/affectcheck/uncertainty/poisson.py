"""Poisson(1) weights: each item enters a resample so many times, whatever the other items do."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from affectcheck.seeds import rng

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def poisson_weights(items: int, draw: tuple[int, int, int], most: int) -> Iterator[Floats]:
    """Weights (b, n) in lots: how often each item enters each of b resamples, in one pass over the items.

    Args:
        items: n.
        draw: number of resamples, seed, and which block of items it is.
        most: weights held at a time.
    """
    resamples, seed, block = draw
    random = rng(seed, "bootstrap", "poisson", block)
    table = _poisson_table()
    rows = max(1, most // max(items, 1))
    for start in range(0, resamples, rows):
        number = min(rows, resamples - start)
        yield np.take(table, random.integers(0, table.size, size=(number, items), dtype=np.uint16))


def _poisson_table() -> Floats:
    """Poisson(1) as 65,536 equally likely values, whose mean is exactly 1: a look-up is faster than a draw."""
    size = 1 << 16
    counts = [round(size * math.exp(-1.0) / math.factorial(k)) for k in range(9)]
    counts[0] += size - sum(counts)
    # Moving mass between 0 and 1 mends the mean, which rounding has moved by some 1e-5.
    excess = sum(k * c for k, c in enumerate(counts)) - size
    counts[1] -= excess
    counts[0] += excess
    return np.repeat(np.arange(len(counts), dtype=np.float64), counts)
