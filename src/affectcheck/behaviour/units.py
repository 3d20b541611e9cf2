"""Action units in behaviour tests: what a model decides of each, beside what is annotated, cell by cell.

Of an item, some units may be annotated and others not: what is unknown of a unit is left out of that unit alone.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from affectcheck.evaluation.deciding import NATURAL, decisions, thresholds_for
from affectcheck.tallies import Confusion, Units

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import polars as pl
    from numpy.typing import NDArray

    from affectcheck.behaviour.material import Material
    from affectcheck.models.card import ModelCard
    from affectcheck.uncertainty import Simulation

from affectcheck.seeds import rng

#: What a unit of an item is where nobody says.
UNKNOWN_UNIT = -1


def undecided(card: ModelCard) -> str:
    """Why nothing says whether a unit is present; empty where something does."""
    if card.kind != "units" or card.output == "label" or card.output in NATURAL:
        return ""
    return f"nothing says from which {card.output} on a unit is present: declare the output as probability or logit"


def decided(frame: pl.DataFrame, columns: Sequence[str], card: ModelCard) -> NDArray[np.int8]:
    """(n, M) 1 where the model says that a unit is present.

    Args:
        frame: with a column of scores a unit.
        columns: these columns.
        card: the model's, which tells what the scores are.
    """
    scores = frame.select(columns).to_numpy().astype(np.float64)
    return decisions(scores, thresholds_for(None, columns, card.output), columns)


def annotated(frame: pl.DataFrame, units: Sequence[str]) -> NDArray[np.int8]:
    """(n, M) 1 present, 0 absent, -1 unknown."""
    return frame.select(units).fill_null(UNKNOWN_UNIT).to_numpy().astype(np.int8)


def as_values(material: Material) -> Material:
    """Units as values: 1 where one is present, 0 where not, NaN where nobody says."""
    truth = np.where(material.truth == UNKNOWN_UNIT, np.nan, material.truth)
    return replace(material, truth=truth, prediction=material.prediction.astype(np.float64))


def known(material: Material) -> NDArray[np.bool_]:
    """(n,) whether any unit of an item is annotated."""
    return np.asarray((material.truth >= 0).any(axis=1))


def unit_tally(material: Material, cells: NDArray[Any], shape: tuple[int, ...]) -> Units:
    """Counts by cell."""
    return Units.count(material.truth, material.prediction, cells=cells, n_cells=shape)


def staying(stays: NDArray[np.bool_], cells: NDArray[Any], shape: tuple[int, ...]) -> Confusion:
    """What stays and what changes by cell: the accuracy of 'unchanged', which all should be.

    Args:
        stays: (n,), or (n, M) of every unit.
        cells: (n,) cell of each item.
        shape: that the cells ravel.
    """
    flat = (stays if stays.ndim > 1 else stays[:, None]).astype(np.int64)
    where = np.repeat(cells, flat.shape[1])
    return Confusion.count(np.ones(flat.size, np.int64), flat.ravel(), labels=2, cells=where, n_cells=shape)


def drawn_units(counts: NDArray[np.int64], options: Simulation) -> Iterator[Units]:
    """Models that say of every unit at random whether it is present, as likely as not.

    Args:
        counts: (G, M, 2) items of each group in which a unit is absent, and present.
        options: repetitions and seed.
    """
    random, most = rng(options.seed, "null", "units"), max(1, 4_000_000 // max(1, counts.size))
    for start in range(0, options.repetitions, most):
        rows = min(most, options.repetitions - start)
        present = random.binomial(counts, 0.5, size=(rows, *counts.shape))
        tables = np.stack([counts - present, present], axis=-1)
        yield Units(tables, np.zeros(tables.shape[:-2], np.int64))


def with_equal_truth(tally: Units) -> Units:
    """Counts in which every group has the units as often as all groups together, by weights; no item is left out.

    Args:
        tally: (..., G, M, 2, 2).
    """
    counts = np.asarray(tally.counts, np.float64)
    own = counts.sum(axis=-1, keepdims=True)
    together = own.sum(axis=-4, keepdims=True)
    weights = np.where(own > 0, together / np.where(own > 0, own, 1.0), 0.0)
    return Units(counts * weights, tally.unknown)
