"""Two rankings as tables: a row a model, a row a pair of models, a row a size of the test set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from affectcheck.uncertainty import ResampledValues, orders, rank_intervals, ranks, wilson

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from affectcheck.uncertainty import AtSize, Concordance, Ranked, Resampling

    Two = tuple[np.ndarray, np.ndarray]

NOT_DECIDED = "not decided"


def models_frame(
    models: Sequence[str],
    scores: Two,
    sides: Sequence[np.ndarray],
    ranked: tuple[Ranked, Ranked] | None,
    how: Resampling,
) -> pl.DataFrame:
    """Scores of every model on both sets, and ranks of those that have both; best on the second first.

    Args:
        models: names.
        scores: (M,) on each set, as they are told.
        sides: (M,) the same, turned so that higher is ahead.
        ranked: with resamples; None without.
        how: they were made.
    """
    # Only models that both sets have a score of are ranked: else a model that is lacking on one set would move the others.
    both = ~np.isnan(sides[0]) & ~np.isnan(sides[1])
    place = [ranks(np.where(both, values, np.nan), higher_is_better=True) for values in sides]
    columns: dict[str, Any] = {"model": list(models)}
    columns |= {f"score_{side}": values for side, values in zip("ab", scores, strict=True)}
    columns |= {f"rank_{side}": values for side, values in zip("ab", place, strict=True)}
    columns["change"] = place[0] - place[1]
    if ranked and both.any():
        for side, one in zip("ab", ranked, strict=True):
            found = rank_intervals(
                [
                    ResampledValues(one.point[m], one.draws[:, m], None, np.array(one.clusters), how)
                    for m in np.flatnonzero(both)
                ],
                higher_is_better=True,
            )
            for end, values in (("low", found.low), ("high", found.high)):
                columns[f"rank_{side}_{end}"] = np.full(len(models), np.nan)
                columns[f"rank_{side}_{end}"][both] = values
    frame = pl.DataFrame(columns, nan_to_null=True)
    whole = [name for name in frame.columns if name.startswith(("rank", "change"))]
    return frame.with_columns(pl.col(whole).cast(pl.Int64)).sort("rank_b", "rank_a", "model", nulls_last=True)


def pairs_frame(
    models: Sequence[str], scores: Two, sides: Sequence[np.ndarray], found: Concordance | None
) -> pl.DataFrame:
    """Every pair of models, those that are most likely to have swapped first.

    Args:
        models: names.
        scores: (M,) on each set, as they are told.
        sides: (M,) the same, turned so that higher is ahead.
        found: what resamples say of the pairs; None without.
    """
    first, second = np.triu_indices(len(models), 1)
    signs = [orders(values) for values in sides]
    names = np.array(models, dtype=object)
    columns: dict[str, Any] = {
        "first": names[first].tolist(),
        "second": names[second].tolist(),
        **{f"difference_{s}": values[first] - values[second] for s, values in zip("ab", scores, strict=True)},
        "swapped": signs[0] * signs[1] < 0,
    }
    schema = {"first": pl.String, "second": pl.String}
    if found is None:
        return pl.DataFrame(columns, schema_overrides=schema, nan_to_null=True)
    product = found.decided[0] * found.decided[1]
    columns |= {
        "swap_probability": found.opposite,
        "ahead_a": found.ahead[0],
        "ahead_b": found.ahead[1],
        "verdict": [{1: "same order", -1: "swapped", 0: NOT_DECIDED}[int(sign)] for sign in product],
    }
    frame = pl.DataFrame(columns, schema_overrides=schema | {"verdict": pl.String}, nan_to_null=True)
    return frame.sort("swap_probability", descending=True, nulls_last=True, maintain_order=True)


def stability_frame(found: Mapping[str, Sequence[AtSize]], unit: str) -> pl.DataFrame:
    """How much of its ranking each test set keeps where it is smaller.

    Returns:
        ``set``, ``unit``, ``size`` (clusters), ``tau`` to the ranking by all clusters with the central share of its
        draws, ``winner`` (probability of the same best model, with Wilson's interval for the number of draws),
        ``between`` (tau of two test sets of that size that share no cluster, null beyond half) with its central share.
    """
    schema: dict[str, Any] = {"set": pl.String, "unit": pl.String, "size": pl.Int64}
    numbers = [f"{name}{end}" for name in ("tau", "winner", "between") for end in ("", "_low", "_high")]
    rows = []
    for name, sizes in found.items():
        for at in sizes:
            share = wilson(at.winner * at.asked, at.asked)
            winner = (at.winner, float(share.low), float(share.high))
            rows.append(
                (name, unit, at.size, at.tau, at.low, at.high, *winner, at.between, at.between_low, at.between_high)
            )
    frame = pl.DataFrame(rows, schema=schema | dict.fromkeys(numbers, pl.Float64), orient="row")
    return frame.with_columns(pl.col(numbers).fill_nan(None))
