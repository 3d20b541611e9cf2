r"""Adequacy: how wide an interval the items and subjects of each value allow in each set.

Point ii of the protocol asks for an adequate amount of data and subjects in each set, and states no number. What a set
is for is to measure: the recall of a class, the accuracy in a group. So a value is adequately supported where such a
share would have a narrow enough interval. Its width is that of Wilson's 95 % interval at a share of one half, the worst
case, at the effective number of items

\[ n_\mathrm{eff} = \frac{n}{1 + (\bar m - 1)\,\rho}, \quad \bar m = \frac{\sum_s n_s^2}{\sum_s n_s}, \qquad
\text{width} = \frac{z}{\sqrt{n_\mathrm{eff} + z^2}}, \quad z = 1.96, \]

with n items, n_s of them of subject s, and the correlation ρ of right answers within a subject (Kish's design effect).
With ρ = 0 items count, with ρ = 1 hardly more than the number of subjects does. The default of .2 is the order of what
small classifiers show within a class: .14 on EmoDB and .23 on RAVDESS, four test speakers each.

The default limit is a width of .20, that is ±.10, which takes 93 effective items: models that are published as better
than each other mostly differ by less than ten points, so that a wider interval tells next to none of them apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from affectcheck.partitions.balance import SIZE
from affectcheck.schemes import MISSING, UNKNOWN_GROUPS
from affectcheck.uncertainty.proportions import wilson

if TYPE_CHECKING:
    from affectcheck.partitions.distances import Counted

#: Support that whole subjects cannot divide exactly: a value could be in every set with a quarter to spare.
SPARE: Final = 1.25

SCHEMA: Final = {
    "column": pl.String,
    "value": pl.String,
    "set": pl.String,
    "items": pl.Int64,
    "units": pl.Int64,
    "effective": pl.Float64,
    "width": pl.Float64,
    "fair_width": pl.Float64,
    "verdict": pl.String,
    "reason": pl.String,
}


@dataclass(frozen=True)
class AdequacyLimits:
    """When a value is adequately supported.

    Attributes:
        width: widest interval of a share that is adequate.
        correlation: of right answers within a subject.
    """

    width: float = 0.20
    correlation: float = 0.2


def adequacy_of(counted: Counted, ratios: tuple[float, ...], limits: AdequacyLimits) -> pl.DataFrame:
    """Width of the interval that every value's support allows in every set.

    Args:
        counted: a partition.
        ratios: (K,) share of each set that is aimed at.
        limits: when it is adequate.

    Returns:
        The columns of ``SCHEMA``. ``effective`` is n_eff; ``fair_width`` the width if the value's items of all sets
        were divided by the ratios. Verdicts: ``passed``; ``failed`` where the width is above the limit although a fair
        part would meet it with a quarter to spare; ``inconclusive`` where all sets together hold too little for that;
        ``not applicable`` for values that fewer units hold than there are sets, that name no class or group, and for
        regions of dimensions, of which no share is measured.
    """
    names, values, counts = _values(counted)
    by_set, effective, fair = _effective(counted, counts, ratios, limits)
    holders, everywhere = _holders(counted, counts)
    width, best = _width(effective), _width(fair)
    spare = _width(fair / SPARE) <= limits.width
    rows: list[dict[str, Any]] = []
    for place, (column, value) in enumerate(zip(names, values, strict=True)):
        excused = _excused(counted, column, value, int(everywhere[place]))
        for code, part in enumerate(counted.names):
            verdict, reason = excused or _verdict(width[code, place], bool(spare[code, place]), limits.width)
            rows.append(
                {
                    "column": column,
                    "value": value,
                    "set": part,
                    "items": int(by_set[code, place]),
                    "units": int(holders[code, place]),
                    "effective": float(effective[code, place]),
                    "width": float(width[code, place]),
                    "fair_width": float(best[code, place]),
                    "verdict": verdict,
                    "reason": reason,
                }
            )
    return pl.DataFrame(rows, schema=SCHEMA)


def _values(counted: Counted) -> tuple[list[str], list[str], np.ndarray]:
    """Column and value of everything that is judged, and its (rows, values) counts; all items of a set come last."""
    names = [block.column for block in counted.blocks for _ in block.values]
    values = [value for block in counted.blocks for value in block.values]
    parts = [block.of(counted.counts) for block in counted.blocks]
    return [*names, SIZE[0]], [*values, SIZE[1]], np.concatenate([*parts, counted.counts[:, -1:]], axis=1)


def _effective(
    counted: Counted, counts: np.ndarray, ratios: tuple[float, ...], limits: AdequacyLimits
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(K, V) items, effective items, and effective items of a fair part."""
    if counted.fragments.alone:
        by_set = counts.astype(np.float64)
        return by_set, by_set, np.outer(ratios, by_set.sum(axis=0))
    by_set = counted.fragments.pooled(counts).astype(np.float64)
    squares = counted.fragments.pooled(counts.astype(np.float64) ** 2)
    effective = _design(by_set, squares, limits.correlation)
    whole = _design(by_set.sum(axis=0), squares.sum(axis=0), limits.correlation)
    return by_set, effective, np.outer(ratios, whole)


def _design(items: np.ndarray, squares: np.ndarray, correlation: float) -> np.ndarray:
    size = np.divide(squares, items, out=np.ones_like(items), where=items > 0)
    return np.asarray(items / (1 + (size - 1) * correlation))


def _holders(counted: Counted, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    if counted.fragments.alone:
        return counts.astype(np.int64), counts.sum(axis=0).astype(np.int64)
    return counted.fragments.holders(counts)


def _width(effective: np.ndarray) -> np.ndarray:
    """Width of the interval of a share of one half; 1 without items."""
    found = wilson(effective / 2, effective)
    return np.where(effective > 0, found.high - found.low, 1.0)


def _excused(counted: Counted, column: str, value: str, units: int) -> tuple[str, str] | None:
    kinds = {block.column: block.kind for block in counted.blocks}
    kind = kinds.get(column, "size")
    if kind == "region":
        return "not applicable", "no share of a region is measured"
    unknown = value.startswith(MISSING) or (kind == "group" and value.strip().casefold() in UNKNOWN_GROUPS)
    if kind in {"label", "group"} and unknown:
        return "not applicable", "not a class or group"
    if units < len(counted.names):
        noun = "items" if counted.fragments.alone else "units"
        return "not applicable", f"held by {units} {noun}, fewer than there are sets"
    return None


def _verdict(width: float, spare: bool, limit: float) -> tuple[str, str]:
    if width <= limit:
        return "passed", ""
    if spare:
        return "failed", "all sets together hold enough for a narrower interval in each"
    return "inconclusive", "all sets together hold too little: no partition of these data could do better by much"
