"""Totals of models that answer at random, for cells of given sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from affectcheck.behaviour.totals import Totals
from affectcheck.uncertainty import draw_counts, draw_means

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from affectcheck.uncertainty import Simulation


def drawn_codes(sizes: NDArray[np.int64], shares: NDArray[np.float64], options: Simulation) -> Iterator[Totals]:
    """Classes or bins drawn with given probabilities.

    Args:
        sizes: (...) items of each cell.
        shares: (P,) probabilities.
        options: repetitions and seed.

    Yields:
        Totals (r, ...), some repetitions at a time.
    """
    for counts in draw_counts(sizes.ravel().tolist(), shares, options=options):
        yield _totals(sizes, counts)


def drawn_values(sizes: NDArray[np.int64], options: Simulation) -> Iterator[Totals]:
    """Sums of values drawn from the truncated normal distribution, for cells of sizes (...)."""
    for means in draw_means(sizes.ravel().tolist(), options=options):
        yield _totals(sizes, (means * sizes.ravel())[..., None])


def _totals(sizes: NDArray[np.int64], sums: NDArray[Any]) -> Totals:
    shape = (len(sums), *sizes.shape)
    return Totals(np.broadcast_to(sizes, shape), sums.reshape(*shape, -1))
