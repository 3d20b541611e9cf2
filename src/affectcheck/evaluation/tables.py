"""Tables of plain values that figures are drawn from: confusion counts, group sizes, a sample of points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from affectcheck import seeds
from affectcheck.schemes import MISSING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from affectcheck.evaluation.alignment import Aligned
    from affectcheck.evaluation.grouping import Attribute
    from affectcheck.tallies import Confusion, Histogram, Units

Table = dict[str, list[Any]]

#: Points of a scatter plot: enough to see its shape, few enough for a report of one file.
SCATTER_POINTS: Final = 1000
NO_PREDICTION: Final = "(no prediction)"


def confusion_rows(tally: Confusion, parts: Sequence[str], attribute: str = "", group: str = "") -> list[list[Any]]:
    """One row a cell of a confusion matrix, zero counts included; a last column for items counted as wrong.

    Shares of items are rounded to whole ones.
    """
    rows = [
        [true, predicted, int(np.rint(tally.counts[i, j])), attribute, group]
        for i, true in enumerate(parts)
        for j, predicted in enumerate(parts)
    ]
    if tally.unanswered.any():
        rows += [
            [true, NO_PREDICTION, int(np.rint(count)), attribute, group]
            for true, count in zip(parts, tally.unanswered, strict=True)
        ]
    return rows


def confusion_table(rows: Iterable[list[Any]]) -> Table:
    """The confusion table of a run record."""
    return {"columns": ["truth", "prediction", "count", "attribute", "group"], "rows": list(rows)}


def unit_rows(tally: Units, parts: Sequence[str], attribute: str = "", group: str = "") -> list[list[Any]]:
    """One row a cell of each unit's two-by-two table, zero counts included; null where the truth is unknown."""
    rows: list[list[Any]] = []
    for m, unit in enumerate(parts):
        rows += [[unit, t, p, int(tally.counts[m, t, p]), attribute, group] for t in (0, 1) for p in (0, 1)]
        rows.append([unit, None, None, int(tally.unknown[m]), attribute, group])
    return rows


def unit_table(rows: Iterable[list[Any]]) -> Table:
    """The counts of units of a run record: 1 present, 0 absent."""
    return {"columns": ["unit", "truth", "prediction", "count", "attribute", "group"], "rows": list(rows)}


def threshold_table(aligned: Aligned) -> dict[str, Table]:
    """From which score on each unit is present, where that was decided here."""
    found = aligned.thresholds
    if found is None:
        return {}
    rows = [[unit, found.values[unit], aligned.output, found.how] for unit in aligned.parts]
    return {"thresholds": {"columns": ["unit", "threshold", "output", "how"], "rows": rows}}


def group_table(attributes: Iterable[Attribute]) -> Table:
    """Items of every group of every attribute, and of every value that names no group."""
    rows: list[list[Any]] = []
    for found in attributes:
        rows += [[found.name, group, int(count), True] for group, count in zip(found.groups, found.counts, strict=True)]
        rows += [[found.name, value, count, False] for value, count in found.excluded.items()]
    return {"columns": ["attribute", "group", "count", "scored"], "rows": rows}


def scatter_places(items: int, seed: int) -> np.ndarray:
    """Which items a figure of points shows: all of them where they are few."""
    if items <= SCATTER_POINTS:
        return np.arange(items)
    return np.sort(seeds.rng(seed, "scatter").choice(items, SCATTER_POINTS, replace=False))


def scatter_table(aligned: Aligned, seed: int, attributes: Sequence[Attribute] = ()) -> Table:
    """Truth and prediction of a sample of items, dimension by dimension; all of them where they are few."""
    chosen = scatter_places(aligned.height, seed)
    rows = [
        [
            name,
            float(aligned.truth[i, d]),
            float(aligned.prediction[i, d]),
            *(_group(found, int(i)) for found in attributes),
        ]
        for d, name in enumerate(aligned.parts)
        for i in chosen
        if not np.isnan(aligned.truth[i, d])
    ]
    return {"columns": ["dimension", "truth", "prediction", *(found.name for found in attributes)], "rows": rows}


def _group(found: Attribute, item: int) -> str:
    code = int(found.codes[item])
    return found.groups[code] if code >= 0 else MISSING


def histogram_table(tally: Histogram, parts: Sequence[str]) -> Table:
    """Items by bin of truth and of prediction, one row a bin of a dimension."""
    edges = tally.range.edges
    rows = [
        [name, float(edges[b]), float(edges[b + 1]), int(tally.truth[d, b]), int(tally.prediction[d, b])]
        for d, name in enumerate(parts)
        for b in range(tally.range.bins)
    ]
    return {"columns": ["dimension", "low", "high", "truth", "prediction"], "rows": rows}
