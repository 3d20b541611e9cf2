r"""Distances between the distributions of sets, and how large they are by chance alone.

Of the shares p and q of the values of a column in a set and in all items (or in another set):

- total variation \(\tfrac12 \sum_v |p_v - q_v|\): the share of items that would have to change their value;
- Jensen-Shannon divergence, base 2, \(\tfrac12 \sum_v p_v \log_2 \tfrac{p_v}{m_v} + \tfrac12 \sum_v q_v \log_2
  \tfrac{q_v}{m_v}\) with \(m = \tfrac12 (p + q)\).

Both lie in 0 … 1. The distribution of an action unit is that of present and absent where it is known.

By chance: the units are dealt out anew at random, as many to each set as it has. Units are whole subjects (of a
subject that lies in two sets, its part in each); items that stand alone are dealt one by one, so that the numbers of a
value are hypergeometric. Where there are no more ways to deal whole units than draws, every way is taken once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from affectcheck.seeds import rng
from affectcheck.tallies.divergences import jensen_shannon_distance
from affectcheck.uncertainty.assignments import every_way, number_of_ways
from affectcheck.uncertainty.margins import dealt_answers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from affectcheck.partitions.fragments import Block, Fragments

ALL: Final = "all"
#: The null's quantile that counts as far.
QUANTILE: Final = 0.95
#: With more sets than this, each is compared with all items and with the first set only.
MOST_SETS: Final = 12
_HELD: Final = 16_000_000  # numbers held at a time: 64 MB in single precision
_DEALT: Final = 100_000_000  # units dealt out in all draws together
_FEWEST: Final = 100
_EXACT: Final = 1 << 24  # whole numbers below it are exact in single precision, which is summed twice as fast
_ROUND_OFF: Final = 1e-12  # two sums of the same shares in another order are the same distance

SCHEMA: Final = {
    "column": pl.String,
    "set": pl.String,
    "against": pl.String,
    "total_variation": pl.Float64,
    "jensen_shannon": pl.Float64,
    "null_mean": pl.Float64,
    "null_high": pl.Float64,
    "null_js_mean": pl.Float64,
    "null_js_high": pl.Float64,
    "p_value": pl.Float64,
    "items": pl.Int64,
    "units": pl.Int64,
}


@dataclass(frozen=True)
class Chance:
    """How random divisions are drawn.

    Attributes:
        draws: their number, at most. Of more than 100,000 units fewer are drawn, but no fewer than 100.
        seed: of the draws.
    """

    draws: int = 1000
    seed: int = 0

    def draws_of(self, units: int) -> int:
        """How many divisions of so many units are drawn.

        Example:
            >>> Chance().draws_of(600), Chance().draws_of(200_000), Chance(draws=50).draws_of(9_000_000)
            (1000, 500, 50)
        """
        return min(self.draws, max(_FEWEST, _DEALT // units))


@dataclass(frozen=True, eq=False)
class Counted:
    """What the distances are computed from.

    Attributes:
        fragments: units by set.
        counts: (F, V + 1) of every stratum and the size by fragment; (K, V + 1) by set where items stand alone.
        blocks: which strata make a column.
        names: (K,) of the sets.
    """

    fragments: Fragments
    counts: np.ndarray
    blocks: tuple[Block, ...]
    names: tuple[str, ...]

    @property
    def by_set(self) -> np.ndarray:
        """(K, V + 1) counts."""
        return self.counts if self.fragments.alone else self.fragments.pooled(self.counts)


def pairs_of(number: int) -> tuple[tuple[int, int], ...]:
    """Pairs of sets that are compared, each once and in order.

    Example:
        >>> pairs_of(3)
        ((0, 1), (0, 2), (1, 2))
    """
    first = range(number) if number <= MOST_SETS else range(min(number, 1))
    return tuple((a, b) for a in first for b in range(a + 1, number))


def every_deal(fragments: Fragments, chance: Chance) -> bool:
    """Whether there are no more ways to deal whole fragments than draws, so that every way is taken once."""
    if fragments.alone:
        return False
    if fragments.count > chance.draws:  # there are at least as many ways as fragments, if there are two sets
        return bool((fragments.sets == fragments.sets[0]).all())
    return number_of_ways(fragments.sets, chance.draws) <= chance.draws


def dealt_sets(fragments: Fragments, chance: Chance, most: int) -> Iterator[np.ndarray]:
    """(b, F) sets dealt out anew among whole fragments, in blocks of at most ``most`` rows.

    Every way once, where there are no more of them than draws; else at random.
    """
    if every_deal(fragments, chance):
        yield every_way(fragments.sets)
        return
    random = rng(chance.seed, "partition audit", "units")
    labels = fragments.sets.astype(np.uint8 if fragments.number < 1 << 8 else np.uint32)
    draws = chance.draws_of(fragments.count)
    for start in range(0, draws, most):
        rows = min(most, draws - start)
        yield random.permuted(np.tile(labels, (rows, 1)), axis=1)


def distances_of(counted: Counted, chance: Chance) -> pl.DataFrame:
    """Distance of every set from all items and from the other sets, in every column, with its null.

    Returns:
        The columns of ``SCHEMA``: ``against`` is ``all`` or a set; ``null_high`` is the 95 % quantile of random
        divisions, ``p_value`` their share with a total variation at least as large; null (undefined) where a set has
        no item with a known value. ``items`` and ``units`` are those of the set with a known value.
    """
    observed = counted.by_set
    holders = _known_units(counted)
    rows: list[dict[str, Any]] = []
    draws, exact = _null(counted, chance), every_deal(counted.fragments, chance)
    for place, block in enumerate(counted.blocks):
        totals = block.of(observed)
        seen = _both(totals[None])[:, 0]
        null = draws[place]
        for row, (one, other) in enumerate(_compared(len(counted.names))):
            rows.append(
                {
                    "column": block.column,
                    "set": counted.names[one],
                    "against": ALL if other < 0 else counted.names[other],
                    **_numbers(seen[:, row], null[:, :, row], exact=exact),
                    "items": int(totals[one].sum()),
                    "units": int(holders[one, place]),
                }
            )
    return pl.DataFrame(rows, schema=SCHEMA)


def _known_units(counted: Counted) -> np.ndarray:
    """(K, B) units of each set with a known value of each column."""
    sizes = [block.of(counted.counts).sum(axis=-1) for block in counted.blocks]
    table = np.stack(sizes, axis=-1) if sizes else np.zeros((len(counted.counts), 0))
    return table.astype(np.int64) if counted.fragments.alone else counted.fragments.holders(table)[0]


def _compared(number: int) -> tuple[tuple[int, int], ...]:
    """Every set against all items (-1), then the pairs; by set."""
    return tuple(sorted([(one, -1) for one in range(number)] + list(pairs_of(number))))


def _both(counts: np.ndarray) -> np.ndarray:
    """(2, R, rows) total variation and Jensen-Shannon divergence of (R, K, C) counts; NaN where a set has none."""
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = counts / counts.sum(axis=-1, keepdims=True)
        whole = counts.sum(axis=1)
        whole = whole / whole.sum(axis=-1, keepdims=True)
    one, other = np.array(_compared(counts.shape[1])).T
    first = shares[:, one]
    second = np.where((other < 0)[:, None], whole[:, None], shares[:, np.maximum(other, 0)])
    variation = np.abs(first - second).sum(axis=-1) / 2
    return np.stack([variation, jensen_shannon_distance(first, second) ** 2])


def _null(counted: Counted, chance: Chance) -> list[np.ndarray]:
    """(2, R, rows) distances of random divisions, one array a block."""
    if counted.fragments.alone:
        return [_alone(block.of(counted.counts), block.column, chance) for block in counted.blocks]
    fragments = counted.fragments
    counts = counted.counts.astype(np.float32 if counted.counts[:, -1].sum() < _EXACT else np.float64)
    found: list[list[np.ndarray]] = [[] for _ in counted.blocks]
    for dealt in dealt_sets(fragments, chance, rows_of(fragments, counted.counts.shape[1])):
        table = dealt_sums(dealt, fragments.number, counts).astype(np.float64)
        for place, block in enumerate(counted.blocks):
            found[place].append(_both(block.of(table)))
    return [np.concatenate(parts, axis=1) for parts in found]


def rows_of(fragments: Fragments, width: int) -> int:
    """How many draws are held at a time, of so many counts a set."""
    return max(1, _HELD // (fragments.number * max(fragments.count, width)))


def dealt_sums(dealt: np.ndarray, number: int, counts: np.ndarray) -> np.ndarray:
    """(b, K, V) sums of (F, V) counts over the fragments that each draw deals to each set; the last set has the rest."""
    inside = (dealt[:, None, :] == np.arange(number - 1)[:, None]).astype(counts.dtype)
    drawn = (inside.reshape(-1, counts.shape[0]) @ counts).reshape(len(dealt), number - 1, counts.shape[1])
    rest = counts.sum(axis=0) - drawn.sum(axis=1)
    return np.concatenate([drawn, rest[:, None]], axis=1)


def _alone(counts: np.ndarray, column: str, chance: Chance) -> np.ndarray:
    """Of items that are dealt one by one: numbers of each value with both margins held."""
    random = rng(chance.seed, "partition audit", "items", column)
    drawn = dealt_answers(np.asarray(counts, np.int64)[:, None, :], chance.draws, random)
    return _both(drawn[:, :, 0, :])


def _numbers(seen: np.ndarray, null: np.ndarray, *, exact: bool) -> dict[str, float | None]:
    """Observed distances, and those of random divisions: mean, 95 % quantile, share that is at least as large.

    Args:
        seen: (2,) distances.
        null: (2, R) distances of random divisions; NaN where a set got no known value.
        exact: whether these are all divisions, the observed one among them.
    """
    variation, divergence = (None if np.isnan(value) else float(value) for value in seen)
    usual = null[:, ~np.isnan(null[0])]
    if variation is None or not usual.shape[1]:
        return dict.fromkeys(("null_mean", "null_high", "null_js_mean", "null_js_high", "p_value")) | {
            "total_variation": variation,
            "jensen_shannon": divergence,
        }
    mean, high = usual.mean(axis=1), _high(usual)
    above = int((usual[0] >= variation - _ROUND_OFF).sum())
    return {
        "total_variation": variation,
        "jensen_shannon": divergence,
        "null_mean": float(mean[0]),
        "null_high": float(high[0]),
        "null_js_mean": float(mean[1]),
        "null_js_high": float(high[1]),
        "p_value": above / usual.shape[1] if exact else (above + 1) / (usual.shape[1] + 1),
    }


def _high(null: np.ndarray) -> np.ndarray:
    """The smallest distance that at least 95 % of the divisions do not exceed."""
    place = int(np.ceil(QUANTILE * null.shape[1])) - 1
    return np.sort(null, axis=1)[:, place]


def in_words(row: dict[str, Any]) -> str:
    """A row of distances as a sentence."""
    against = "all items" if row["against"] == ALL else row["against"]
    head = f"{row['set']} from {against}"
    if row["total_variation"] is None:
        return f"{head}: undefined, as one of them has no known value"
    told = f"{head}: total variation {row['total_variation']:.3f}"
    if row["p_value"] is None:
        return told
    return f"{told}, of random divisions {row['null_mean']:.3f} (95 % up to {row['null_high']:.3f}): {judgement(row)}"


def judgement(row: dict[str, Any]) -> str:
    """How a distance compares with chance, in words."""
    far = row["p_value"] is not None and row["p_value"] <= 1 - QUANTILE + _ROUND_OFF
    return "further than 95 % of random divisions" if far else "as near as a random division would be"


def farthest(rows: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
    """The row that is least likely by chance; of equal ones, the larger distance. None where none is defined."""
    defined = [row for row in rows if row["p_value"] is not None]
    return min(defined, key=lambda row: (row["p_value"], -row["total_variation"]), default=None)
