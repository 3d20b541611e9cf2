"""Two models on the same items: the interval of their difference covers the true one, the test rejects a true null seldom.

Subjects differ in how hard they are for both models and in how well each suits them; items are hard for both alike. So
the two models are alike in much, as models of one corpus are. Normal effects before a threshold (categories) or beside
the truth (dimensions) give every true value exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from affectcheck.metrics import METRICS
from affectcheck.seeds import rng
from affectcheck.tallies import Confusion, Moments, Paired
from affectcheck.uncertainty import Exchanging, Resampling, exchange, resample_together
from affectcheck.uncertainty.quantiles import normal_cdf
from validity.claim import Bar, Claim

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from affectcheck.tallies import Tally

    Floats = NDArray[np.float64]

SUBJECTS, ITEMS, RESAMPLES, DRAWS = 40, 40, 1000, 1000
#: Subjects of each group; the smallest is what makes Local F1 hard.
GROUPS = np.array([20, 12, 8])
SHARES = np.array([0.20, 0.18, 0.16, 0.15, 0.13, 0.10, 0.08])
#: How clear each class is to either model, and each group: the threshold's distance in deviations of an item's noise.
CLEAR = np.array([[1.1, 0.8, 0.6, 0.7, 0.3, 0.5, 0.9], [0.8, 0.7, 0.5, 0.3, 0.4, 0.2, 0.7]])
GROUP_SHIFT = np.array([0.2, 0.0, -0.3])
#: Deviations over subjects: of what is hard for both models, of what suits each; and of an item for both and for each.
SUBJECT, SUITS, ITEM, OWN = 0.5, 0.3, 0.8, 0.6
#: Of dimensions: slope, offset and noise of either model.
SLOPES, OFFSETS, NOISES = np.array([0.75, 0.65]), np.array([0.05, -0.1]), np.array([0.45, 0.55])
VALUE_SUBJECT, VALUE_SUITS, TRUTH_SUBJECT = 0.25, 0.15, 0.4
OVERALL, BY_GROUP = ("accuracy", "f1_macro", "uar"), ("local_f1",)
NAMES = (*OVERALL, *BY_GROUP, "ccc")


def statistic(name: str, tally: Tally) -> Floats:
    return np.asarray(METRICS.get(name).compute(tally))


def confusions() -> Floats:
    """(C, C) shares of the other classes among the errors of each class: neighbours are taken for each other."""
    distance = np.abs(np.arange(7)[:, None] - np.arange(7))
    errors = np.where(distance > 0, 1.0 / np.maximum(distance, 1), 0.0)
    return np.asarray(errors / errors.sum(axis=1, keepdims=True))


def true_counts(model: int) -> Confusion:
    """(G, C, C) the population of subjects, in shares of all items."""
    spread = np.sqrt(SUBJECT**2 + SUITS**2 + ITEM**2 + OWN**2)
    right = normal_cdf((CLEAR[model] + GROUP_SHIFT[:, None]) / spread)
    rows = right[..., None] * np.eye(7) + (1.0 - right)[..., None] * confusions()
    cells = (GROUPS / GROUPS.sum())[:, None, None] * SHARES[:, None] * rows
    return Confusion(cells, np.zeros(cells.shape[:-1]))


@cache
def true_difference(name: str) -> float:
    if name == "ccc":
        one, two = (true_ccc(model) for model in (0, 1))
        return one - two
    counts = [true_counts(model) if name in BY_GROUP else true_counts(model).pooled(0) for model in (0, 1)]
    one, two = (float(statistic(name, tally)) for tally in counts)
    return one - two


def true_ccc(model: int) -> float:
    extra = VALUE_SUBJECT**2 + VALUE_SUITS**2 + NOISES[model] ** 2
    return float(2 * SLOPES[model] / (1.0 + SLOPES[model] ** 2 + extra + OFFSETS[model] ** 2))


@dataclass(frozen=True)
class Drawn:
    """Items of all subjects, one after the other, and what two models answer; codes of classes, or values."""

    subject: NDArray[Any]
    group: NDArray[Any]
    truth: NDArray[Any]
    answers: tuple[NDArray[Any], NDArray[Any]]


def classified(random: np.random.Generator, models: tuple[int, int]) -> Drawn:
    """Classes; both models may be the same."""
    group = np.repeat(np.arange(GROUPS.size), GROUPS)
    hard = random.normal(0, SUBJECT, SUBJECTS)
    truth = random.choice(7, size=(SUBJECTS, ITEMS), p=SHARES)
    item = random.normal(0, ITEM, truth.shape)
    cumulated = confusions().cumsum(axis=1)
    answers = []
    for model in models:
        suits = random.normal(0, SUITS, SUBJECTS)
        clear = CLEAR[model][truth] + (GROUP_SHIFT[group] + hard + suits)[:, None] + item
        right = clear + random.normal(0, OWN, truth.shape) > 0.0
        other = (random.random(truth.shape)[..., None] > cumulated[truth]).sum(axis=-1)
        answers.append(np.where(right, truth, np.minimum(other, 6)).ravel())
    subject = np.repeat(np.arange(SUBJECTS), ITEMS)
    return Drawn(subject, group[subject], truth.ravel(), (answers[0], answers[1]))


def rated(random: np.random.Generator, models: tuple[int, int]) -> Drawn:
    """Values of one dimension; both models may be the same."""
    own = random.normal(0, TRUTH_SUBJECT, SUBJECTS)[:, None]
    truth = own + random.normal(0, np.sqrt(1.0 - TRUTH_SUBJECT**2), (SUBJECTS, ITEMS))
    shift, item = random.normal(0, VALUE_SUBJECT, SUBJECTS)[:, None], random.normal(0, 0.7, truth.shape)
    answers = []
    for model in models:
        noise = NOISES[model] * (item + random.normal(0, np.sqrt(1.0 - 0.7**2), truth.shape))
        suits = random.normal(0, VALUE_SUITS, SUBJECTS)[:, None]
        answers.append((SLOPES[model] * truth + OFFSETS[model] + shift + suits + noise).ravel())
    subject = np.repeat(np.arange(SUBJECTS), ITEMS)
    return Drawn(subject, np.zeros_like(subject), truth.ravel(), (answers[0], answers[1]))


def categories(random: np.random.Generator, models: tuple[int, int]) -> Paired[Confusion]:
    """(S, G) tallies of two models."""
    drawn = classified(random, models)
    cells, shape = drawn.subject * GROUPS.size + drawn.group, (SUBJECTS, GROUPS.size)
    one, two = (Confusion.count(drawn.truth, a, labels=7, cells=cells, n_cells=shape) for a in drawn.answers)
    return Paired.of(one, two)


def dimensions(random: np.random.Generator, models: tuple[int, int]) -> Paired[Moments]:
    """(S,) tallies of two models of one dimension."""
    drawn = rated(random, models)
    one, two = (Moments.of(drawn.truth, a, cells=drawn.subject, n_cells=SUBJECTS) for a in drawn.answers)
    return Paired.of(one, two)


def pairs(random: np.random.Generator, models: tuple[int, int]) -> tuple[tuple[Paired[Any], tuple[str, ...]], ...]:
    """Both kinds of prediction, and which metrics are taken of them."""
    by_group = categories(random, models)
    return (by_group.pooled(1), OVERALL), (by_group, BY_GROUP), (dimensions(random, models), ("ccc",))


def draw_unlike(seed: int) -> Mapping[str, float]:
    """Does the interval cover the true difference, by either method?"""
    random = rng(seed, "validity", "comparing")
    found: dict[str, float] = {}
    for pair, names in pairs(random, (0, 1)):
        for method in ("percentile-t", "bca"):
            made = resample_together((pair.first, pair.second), Resampling(RESAMPLES, seed, method=method))
            for name in names:
                one, two = (part.evaluated(partial(statistic, name)) for part in made)
                interval = (one - two).intervals()
                found[f"{name} {method}"] = float(interval.low <= true_difference(name) <= interval.high)
                found[f"{name} width"] = float(interval.high - interval.low)
    return found


def draw_alike(seed: int) -> Mapping[str, float]:
    """Does the permutation test reject, where the two models are exchangeable?"""
    random = rng(seed, "validity", "exchangeable")
    found: dict[str, float] = {}
    for pair, names in pairs(random, (0, 0)):
        tests = exchange(pair, [partial(statistic, name) for name in names], Exchanging(DRAWS, seed))
        found |= {name: float(test.p_value < 0.05) for name, test in zip(names, tests, strict=True)}
    return found


def _unlike() -> Claim:
    bars = []
    for name in NAMES:
        low, high = (0.92, 1.0) if name == "local_f1" else (0.935, 0.97)
        words = f"{name}, true difference {true_difference(name):.3f}"
        bars.append(Bar(f"{name} percentile-t", f"{words}: covered (percentile-t)", low, high))
        bars.append(Bar(f"{name} bca", f"{name}: covered (bca)"))
        bars.append(Bar(f"{name} width", f"{name}: mean width"))
    title = f"two models, {SUBJECTS} subjects x {ITEMS} items, groups of {'/'.join(map(str, GROUPS))}: 95 % intervals"
    return Claim("compare-intervals", title, draw_unlike, tuple(bars))


def _alike() -> Claim:
    bars = tuple(Bar(name, f"{name}: rejected at .05", 0.035, 0.065) for name in NAMES)
    return Claim("compare-null", "two models that are exchangeable: the permutation test rejects", draw_alike, bars)


CLAIMS = (_unlike(), _alike())
