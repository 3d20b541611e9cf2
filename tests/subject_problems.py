"""Problems of whole subjects: made up, and with the published counts."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np

from affectcheck.partitions.problem import Problem
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from pathlib import Path

FAIR = np.array([0.55, 0.15, 0.30])


def problem(units: int, values: int = 6, seed: int = 0, ratios: np.ndarray = FAIR, **more: np.ndarray) -> Problem:
    draw = rng(seed, "test problem")
    sizes = draw.integers(5, 40, size=units)
    held = draw.binomial(sizes[:, None], draw.beta(0.6, 1.5, size=(units, values)))
    held[0] += 1  # every value occurs
    return Problem(np.column_stack([held, sizes + 1]), ratios, **more)


def by_hand(given: Problem, assignment: tuple[int, ...]) -> tuple[int, float]:
    """Uncovered strata and mean deviation, one cell after the other."""
    bare, deviations = 0, []
    for column in given.counts.T:
        for place, ratio in enumerate(given.ratios):
            inside = [count for count, where in zip(column, assignment, strict=True) if where == place]
            deviations.append(abs(sum(inside) / sum(column) - ratio))
            bare += int(sum(column > 0) >= given.sets and sum(inside) == 0)
    return bare, sum(deviations) / len(deviations)


def published(root: Path, name: str, seed: int) -> Problem:
    folder = str(root / "reference" / "synthetic_databases")
    sys.path.insert(0, folder)
    try:
        from part_common import subject_db
    finally:
        sys.path.remove(folder)
    counts, sizes, *_ = subject_db(name, seed)
    return Problem(np.column_stack([counts[:, counts.sum(axis=0) > 0], sizes]), FAIR)
