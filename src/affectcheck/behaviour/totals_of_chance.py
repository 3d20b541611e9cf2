"""Totals of models that answer at random, for cells of given sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from affectcheck.behaviour.totals import Totals
from affectcheck.seeds import rng
from affectcheck.uncertainty import draw_counts, draw_means

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from affectcheck.uncertainty import Simulation

#: Numbers that are drawn at a time.
_ENTRIES: Final = 4_000_000


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


def drawn_presence(sizes: NDArray[np.int64], units: int, options: Simulation) -> Iterator[Totals]:
    """Units found at random in cells of sizes (...), each as likely as not."""
    random = rng(options.seed, "null", "units found")
    most = max(1, _ENTRIES // max(1, sizes.size * units))
    for start in range(0, options.repetitions, most):
        rows = min(most, options.repetitions - start)
        yield _totals(sizes, random.binomial(sizes[..., None], 0.5, size=(rows, *sizes.shape, units)))


def _totals(sizes: NDArray[np.int64], sums: NDArray[Any]) -> Totals:
    shape = (len(sums), *sizes.shape)
    return Totals(np.broadcast_to(sizes, shape), sums.reshape(*shape, -1))
