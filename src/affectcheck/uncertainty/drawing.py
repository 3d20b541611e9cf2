"""Random models drawn: tallies of what they answer for groups of given sizes, many models at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from affectcheck.errors import InputError
from affectcheck.seeds import rng
from affectcheck.tallies import Confusion, Moments
from affectcheck.uncertainty.quantiles import normal_cdf

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

_ITEMS = 1_000_000  # simulated items held at a time


@dataclass(frozen=True)
class Simulation:
    """How to simulate.

    Attributes:
        repetitions: simulated models; paper 2 takes 1000.
        seed: the run's seed.
        mean, deviation: of the normal distribution of values before it is cut off at ``low`` and ``high``
            (paper 2, section on fairness: 1/2 and 1/6 on 0 … 1).
        low, high: the declared range.
    """

    repetitions: int = 1000
    seed: int = 0
    mean: float = 0.5
    deviation: float = 1.0 / 6.0
    low: float = 0.0
    high: float = 1.0


def draw_categories(
    truth: ArrayLike,
    *,
    prediction: ArrayLike | None = None,
    redraw: bool = False,
    options: Simulation | None = None,
) -> Iterator[Confusion]:
    """Counts of models that draw each class at random, whatever the truth.

    Counts are drawn directly: of the n items of a group and true class, the predictions are multinomial.

    Args:
        truth: (G, C) items of each group and true class.
        prediction: (C,) probabilities of the classes; default all equal.
        redraw: also draw each group's true classes anew, from its own shares.
        options: repetitions and seed.

    Yields:
        Counts (r, G), some repetitions at a time.

    Raises:
        InputError: the counts are not (G, C), or the probabilities do not fit.
    """
    chosen = options or Simulation()
    counts = np.asarray(truth)
    if counts.ndim != 2 or counts.dtype.kind not in "iu" or (counts < 0).any():
        raise InputError(f"true counts of shape {counts.shape}", expected="(G, C) numbers of items")
    classes = counts.shape[1]
    shares = np.full(classes, 1.0 / classes) if prediction is None else np.asarray(prediction, np.float64)
    if shares.shape != (classes,) or (shares < 0.0).any() or not np.isclose(shares.sum(), 1.0):
        raise InputError(f"prediction probabilities {shares.tolist()}", expected=f"{classes} numbers that sum to 1")
    random, own_truth = (rng(chosen.seed, "null", purpose) for purpose in ("categories", "true categories"))
    totals = counts.sum(axis=1)
    own = counts / np.maximum(totals, 1)[:, None]
    own[totals == 0, 0] = 1.0  # a group without items draws nothing, whatever its shares
    for rows in _blocks(chosen.repetitions, counts.size * classes):
        drawn = own_truth.multinomial(totals, own, size=(rows, len(counts))) if redraw else counts
        answers = random.multinomial(drawn, shares, size=(rows, *counts.shape))
        yield Confusion(answers, np.zeros(answers.shape[:-1], np.int64))


def draw_counts(
    sizes: Sequence[int], shares: ArrayLike, *, options: Simulation | None = None
) -> Iterator[NDArray[np.int64]]:
    """Numbers of answers of each kind, of models that answer with given probabilities where there is no truth.

    Args:
        sizes: items of each group.
        shares: (C,) probabilities of the answers.
        options: repetitions and seed.

    Yields:
        (r, G, C) counts, some repetitions at a time.

    Example:
        >>> [block.sum(axis=-1).tolist() for block in draw_counts([3, 5], [0.5, 0.5], options=Simulation(1))]
        [[[3, 5]]]
    """
    chosen = options or Simulation()
    random, number = rng(chosen.seed, "null", "answers"), np.asarray(sizes, np.int64)
    for rows in _blocks(chosen.repetitions, number.size * np.size(shares)):
        yield random.multinomial(number, np.asarray(shares, np.float64), size=(rows, number.size))


def draw_values(
    sizes: Sequence[int], *, truth: Sequence[ArrayLike] | None = None, options: Simulation | None = None
) -> Iterator[Moments]:
    """Moments of models that draw values from a truncated normal distribution.

    Args:
        sizes: items of each group.
        truth: the true values of each group, kept in every simulation; default drawn as the predictions are.
        options: repetitions, seed and distribution.

    Yields:
        Moments (r, G, 1), some repetitions at a time.

    Raises:
        InputError: the true values do not fit the sizes.
    """
    chosen = options or Simulation()
    groups = np.repeat(np.arange(len(sizes)), sizes)
    fixed = None if truth is None else np.concatenate([np.asarray(part, np.float64) for part in truth])
    if fixed is not None and (len(truth or ()) != len(sizes) or fixed.size != groups.size):
        raise InputError(f"{fixed.size} true values for groups of {list(sizes)}", expected="those of each group")
    random = rng(chosen.seed, "null", "dimensions")
    for rows in _blocks(chosen.repetitions, groups.size):
        shape = (rows, groups.size)
        values = np.broadcast_to(fixed, shape) if fixed is not None else truncated_normal(random, shape, chosen)
        guesses = truncated_normal(random, shape, chosen)
        cells = np.arange(rows)[:, None] * len(sizes) + groups
        yield Moments.of(values.ravel(), guesses.ravel(), cells=cells.ravel(), n_cells=(rows, len(sizes)))


def draw_means(sizes: Sequence[int], *, options: Simulation | None = None) -> Iterator[Floats]:
    """Mean values of models that draw from a truncated normal distribution.

    Args:
        sizes: items of each group, none of them 0.
        options: repetitions, seed and distribution.

    Yields:
        (r, G) means, some repetitions at a time.

    Example:
        >>> [block.shape for block in draw_means([30, 40], options=Simulation(repetitions=5))]
        [(5, 2)]
    """
    chosen = options or Simulation()
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    random = rng(chosen.seed, "null", "means")
    for rows in _blocks(chosen.repetitions, int(np.sum(sizes))):
        values = truncated_normal(random, (rows, int(np.sum(sizes))), chosen)
        yield np.add.reduceat(values, starts, axis=1) / np.asarray(sizes, np.float64)


def bin_shares(edges: tuple[float, ...], options: Simulation | None = None) -> Floats:
    """Probabilities of the bins under the truncated normal distribution."""
    chosen = options or Simulation()
    bounds = np.asarray([chosen.low, *edges, chosen.high])
    cumulated = normal_cdf((bounds - chosen.mean) / chosen.deviation)
    return np.asarray(np.diff(cumulated) / (cumulated[-1] - cumulated[0]))


def truncated_normal(random: np.random.Generator, shape: tuple[int, ...], options: Simulation) -> Floats:
    """Draws from the normal distribution cut off at the range: those outside are drawn anew."""
    low = (options.low - options.mean) / options.deviation
    high = (options.high - options.mean) / options.deviation
    drawn = random.standard_normal(shape).reshape(-1)
    outside = np.flatnonzero((drawn < low) | (drawn > high))
    while outside.size:
        drawn[outside] = random.standard_normal(outside.size)
        outside = outside[(drawn[outside] < low) | (drawn[outside] > high)]
    drawn *= options.deviation
    drawn += options.mean
    return np.clip(drawn, options.low, options.high, out=drawn).reshape(shape)


def _blocks(repetitions: int, items: int) -> Iterator[int]:
    """Numbers of repetitions that together hold not too many items at a time."""
    block = max(1, _ITEMS // max(items, 1))
    for start in range(0, repetitions, block):
        yield min(block, repetitions - start)
