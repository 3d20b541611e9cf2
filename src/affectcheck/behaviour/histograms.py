"""Histograms of truth and prediction by stated edges, as each of the two modes bins them.

| mode | bins | a value outside |
|---|---|---|
| corrected | closed on the left, the last one on both sides | counts in the outermost bin, and is counted as outside |
| published | closed on the right, the first one on both sides; values in single precision | is dropped |
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from affectcheck.metrics.divergence import jensen_shannon
from affectcheck.tallies import Histogram, Range

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from affectcheck.behaviour.definition import Rules


def edges_of(stated: Sequence[float], rules: Rules) -> NDArray[np.float64]:
    """The edges of a task, unless the mode has its own."""
    return np.asarray(rules.histogram_edges or stated, np.float64)


def bin_codes(values: NDArray[Any], edges: NDArray[np.float64], *, published: bool) -> NDArray[np.int64]:
    """Bin of each value, from 0; the number of bins where the value is dropped.

    Example:
        >>> edges = np.array([0.0, 0.1, 0.2])
        >>> bin_codes(np.array([-0.01, 0.0, 0.1, 0.2, 0.3]), edges, published=False).tolist()
        [0, 0, 1, 1, 1]
        >>> bin_codes(np.array([-0.01, 0.0, 0.1, 0.2, 0.3]), edges, published=True).tolist()
        [2, 0, 1, 2, 2]
    """
    if not published:
        return np.searchsorted(edges[1:-1], values, side="right").astype(np.int64)
    # In single precision 0.1 and 0.2 lie above the edges of their names, 0.7 and 0.9 below: as published.
    single = np.asarray(values, np.float32).astype(np.float64)
    codes = np.searchsorted(edges, single, side="left") - 1
    codes = np.where(single == edges[0], 0, codes)
    return np.where(codes < 0, len(edges) - 1, codes).astype(np.int64)


def histogram_tally(
    truth: NDArray[Any], prediction: NDArray[Any], edges: NDArray[np.float64], rules: Rules, cells: NDArray[Any]
) -> Histogram:
    """Counts by cell and bin; what is dropped lies in one further bin.

    Args:
        truth: (n,) values.
        prediction: (n,) values.
        edges: (bins + 1,) edges.
        rules: those of the mode.
        cells: (n,) codes of the clusters.
    """
    published = rules.labels == "observed"
    codes = [bin_codes(values, edges, published=published) + 0.5 for values in (truth, prediction)]
    on = Range(0.0, float(len(edges)), len(edges))
    return Histogram.of(*codes, on=on, cells=cells, n_cells=int(cells.max(initial=0)) + 1)


def distance(tally: Any) -> NDArray[np.float64]:
    """Jensen-Shannon distance of the bins that count, with a last axis of one place."""
    return jensen_shannon(tally.truth[..., 0, :-1], tally.prediction[..., 0, :-1])[..., None]


def outside_note(
    truth: NDArray[Any], prediction: NDArray[Any], edges: NDArray[np.float64], rules: Rules
) -> tuple[str, ...]:
    """How many values lie outside the histogram, and what became of them."""
    outside = {
        name: int(np.sum((values < edges[0]) | (values > edges[-1])))
        for name, values in (("truths", truth), ("predictions", prediction))
    }
    where = f"outside {edges[0]:g} to {edges[-1]:g}"
    fate = "dropped" if rules.labels == "observed" else "counted in the outermost bin"
    return tuple(f"{number} {name} {where} {fate}" for name, number in outside.items() if number)
