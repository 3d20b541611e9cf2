"""Shifts of dimensions: mean and standard deviation of valence, arousal and the like in each set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from affectcheck.partitions.distances import ALL, QUANTILE, dealt_sets, dealt_sums, every_deal, pairs_of, rows_of
from affectcheck.schemes import DimensionScheme
from affectcheck.uncertainty.quantiles import normal_cdf, normal_quantile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.partitions.distances import Chance
    from affectcheck.partitions.fragments import Fragments
    from affectcheck.schemes import Target

SCHEMA: Final = {
    "column": pl.String,
    "set": pl.String,
    "against": pl.String,
    "mean": pl.Float64,
    "against_mean": pl.Float64,
    "sd": pl.Float64,
    "against_sd": pl.Float64,
    "difference": pl.Float64,
    "null_high": pl.Float64,
    "p_value": pl.Float64,
    "items": pl.Int64,
}


def shifts_of(
    frame: pl.DataFrame, targets: Sequence[Target], fragments: Fragments, names: Sequence[str], chance: Chance
) -> pl.DataFrame:
    """Mean and standard deviation of every dimension by set, against all items and the other sets.

    Args:
        frame: the items.
        targets: those of dimensions are taken, of which each item with a known value counts.
        fragments: units by set.
        names: of the sets.
        chance: how random divisions are drawn.

    Returns:
        The columns of ``SCHEMA``. ``difference`` is mean minus the mean compared with; of random divisions, 95 % have
        at most ``null_high`` either way, and the share ``p_value`` has at least as much. Whole units are dealt out
        anew; of items that stand alone the variance of the difference is known, and its distribution taken as normal.
        Null where a set has no known value.
    """
    rows: list[dict[str, Any]] = []
    for target in targets:
        if isinstance(target.scheme, DimensionScheme):
            for name in target.columns:
                sums = _sums(frame.get_column(name), fragments)
                rows.extend(_rows(name, sums, fragments, names, chance))
    return pl.DataFrame(rows, schema=SCHEMA)


def _sums(values: pl.Series, fragments: Fragments) -> np.ndarray:
    """(F, 3) number, sum and sum of squares by fragment; by set where items stand alone. About the mean of all."""
    known = values.is_not_null().to_numpy()
    shift = values.mean() or 0.0
    number = values.fill_null(0.0).to_numpy() - shift
    codes, size = (fragments.sets, fragments.number) if fragments.alone else (fragments.codes, fragments.count)
    weights = (known.astype(np.float64), np.where(known, number, 0.0), np.where(known, number * number, 0.0))
    sums = np.stack([np.bincount(codes, weight, minlength=size) for weight in weights], axis=1)
    return np.concatenate([sums, np.full((size, 1), shift)], axis=1)


def _rows(
    name: str, sums: np.ndarray, fragments: Fragments, names: Sequence[str], chance: Chance
) -> list[dict[str, Any]]:
    shift = float(sums[0, 3])
    by_set = sums[:, :3] if fragments.alone else fragments.pooled(sums[:, :3])
    pairs = sorted([(one, -1) for one in range(len(names))] + list(pairs_of(len(names))))
    whole = by_set.sum(axis=0)
    null = None if fragments.alone else _dealt(sums[:, :3], fragments, pairs, chance)
    rows = []
    for place, (one, other) in enumerate(pairs):
        first, second = by_set[one], whole if other < 0 else by_set[other]
        row: dict[str, Any] = {
            "column": name,
            "set": names[one],
            "against": ALL if other < 0 else names[other],
            "items": int(first[0]),
        }
        if first[0] and second[0]:
            (mean, sd), (mean_2, sd_2) = _moments(first), _moments(second)
            row |= {"mean": mean + shift, "against_mean": mean_2 + shift, "sd": sd, "against_sd": sd_2}
            row |= {"difference": mean - mean_2}
            row |= _by_items(mean - mean_2, (first, second, whole), other) if null is None else {}
            row |= {} if null is None else _by_units(mean - mean_2, null[:, place], exact=every_deal(fragments, chance))
        rows.append(row)
    return rows


def _moments(sums: np.ndarray) -> tuple[float, float]:
    """Mean and population standard deviation."""
    mean = sums[1] / sums[0]
    return float(mean), float(np.sqrt(max(sums[2] / sums[0] - mean * mean, 0.0)))


def _by_items(difference: float, sums: tuple[np.ndarray, np.ndarray, np.ndarray], other: int) -> dict[str, float]:
    """Of means of simple random parts of a finite population: S²(1/m - 1/N) from all, S²(1/m + 1/m') from another."""
    first, second, whole = sums
    number = float(whole[0])
    variance = _moments(whole)[1] ** 2 * number / max(number - 1, 1.0)
    scale = float(np.sqrt(max(variance * (1 / first[0] + (-1 if other < 0 else 1) / second[0]), 0.0)))
    high = float(normal_quantile((1 + QUANTILE) / 2)) * scale
    within = float(normal_cdf(-abs(difference) / scale)) if scale > 0 else 0.5
    return {"null_high": high, "p_value": min(1.0, 2 * within)}


def _by_units(difference: float, null: np.ndarray, *, exact: bool) -> dict[str, float | None]:
    usual = np.sort(np.abs(null[~np.isnan(null)]))
    if not len(usual):
        return {"null_high": None, "p_value": None}
    above = int((usual >= abs(difference) - 1e-12).sum())
    return {
        "null_high": float(usual[int(np.ceil(QUANTILE * len(usual))) - 1]),
        "p_value": above / len(usual) if exact else (above + 1) / (len(usual) + 1),
    }


def _dealt(sums: np.ndarray, fragments: Fragments, pairs: Sequence[tuple[int, int]], chance: Chance) -> np.ndarray:
    """(R, pairs) differences of means of random divisions."""
    blocks = []
    one, other = np.array(pairs).T
    overall = sums.sum(axis=0)
    for dealt in dealt_sets(fragments, chance, rows_of(fragments, 3)):
        drawn = dealt_sums(dealt, fragments.number, sums)
        with np.errstate(invalid="ignore", divide="ignore"):
            # A set without a known value has no mean; sums of differences may leave a rounding error over nothing.
            means = np.where(drawn[..., 0] > 0, drawn[..., 1] / drawn[..., 0], np.nan)
            whole = overall[1] / overall[0]
        second = np.where(other < 0, whole, means[:, np.maximum(other, 0)])
        blocks.append(means[:, one] - second)
    return np.concatenate(blocks)


def in_words(row: dict[str, Any]) -> str:
    """A row of shifts as a sentence."""
    against = "all items" if row["against"] == ALL else row["against"]
    if row["difference"] is None:
        return f"{row['column']}: undefined, as {row['set']} or {against} has no known value"
    chance = "" if row["null_high"] is None else f" (95 % of random divisions within ±{row['null_high']:.3f})"
    return (
        f"{row['column']} of {row['set']} {row['mean']:.3f} ± {row['sd']:.3f}, of {against} {row['against_mean']:.3f} ± "
        f"{row['against_sd']:.3f}{chance}"
    )
