"""Items of every kind that the laws of metrics are tried on, and the tally of each metric over them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from affectcheck.tallies import Confusion, Divergences, Reliability, Sample, TrueRanks

if TYPE_CHECKING:
    from affectcheck.metrics import Metric
    from affectcheck.tallies import Tally

LABELS, DIMENSIONS, UNITS, GROUPS = 4, 2, 4, 3
#: Classes of metrics of scores: more than any k of top-k.
SCORED = 7


@dataclass(frozen=True)
class Items:
    """Truth, prediction and group of some items, for either kind; of raters, the votes stand as truth."""

    truth: np.ndarray
    prediction: np.ndarray
    group: np.ndarray

    def take(self, rows: np.ndarray | slice) -> Items:
        return Items(self.truth[rows], self.prediction[rows], self.group[rows])


def of_scores(metric: Metric) -> bool:
    """Whether scores of classes or units are predicted, not the decisions."""
    return metric.kind in ("categories", "units") and issubclass(
        metric.tally, (TrueRanks, Reliability, Sample, Divergences)
    )


def certain(truth: np.ndarray) -> np.ndarray:
    """(n, C) probabilities of a model that is certain, and right."""
    return np.eye(SCORED)[truth]


def draw(metric: Metric, seed: int, n: int = 60) -> Items:
    """Items with rare classes, absent classes in some groups, and a small group."""
    if of_scores(metric):
        return draw_scores(replace(metric, tally=Confusion), seed, n)
    random = np.random.default_rng(seed)
    group = random.choice(GROUPS, n, p=[0.6, 0.3, 0.1])
    if metric.kind == "categories":
        labels = metric.number_of_parts or LABELS
        truth = random.choice(LABELS, n, p=[0.6, 0.3, 0.1, 0.0] if seed % 2 else [0.4, 0.3, 0.2, 0.1])
        truth = random.integers(0, labels, n) if labels > LABELS and seed % 2 == 0 else truth
        return Items(truth, np.where(random.random(n) < 0.5, truth, random.integers(0, labels, n)), group)
    if metric.kind == "units":
        return draw_units(metric.number_of_parts or UNITS, seed, group)
    if metric.kind == "raters":
        votes = random.multinomial(1, [0.5, 0.3, 0.2, 0.0], (n, 5)) * (random.random((n, 5, 1)) < 0.6)
        votes = votes[:, :1] + votes if seed % 2 else votes
        return Items(votes.sum(axis=1), votes.sum(axis=1), group)
    truth = random.uniform(0, 1, (n, metric.number_of_parts or DIMENSIONS))
    noisy = np.clip(truth + random.normal(0, 0.3, truth.shape), 0, 1)
    truth[random.random(truth.shape) < 0.1] = np.nan
    return Items(truth, noisy, group)


def draw_scores(metric: Metric, seed: int, n: int) -> Items:
    """The same items, with probabilities in place of the decisions; of units, many are equal."""
    items, random = draw(metric, seed, n), np.random.default_rng((seed, n))
    if metric.kind == "categories":
        return replace(items, prediction=(certain(items.prediction) + random.dirichlet(np.ones(SCORED), n)) / 2.0)
    noisy = 0.25 + 0.5 * items.prediction + random.uniform(-0.25, 0.25, items.prediction.shape)
    return replace(items, prediction=noisy.round(1))


def draw_units(units: int, seed: int, group: np.ndarray) -> Items:
    """Units of which some cells are unknown, one is never present, one is unknown in a group, and a group is empty."""
    random = np.random.default_rng((seed, units))
    shares = np.resize([0.5, 0.3, 0.2, 0.0 if seed % 2 else 0.3], units)
    truth = (random.random((group.size, units)) < shares).astype(int)
    prediction = np.where(random.random(truth.shape) < 0.7, truth, random.random(truth.shape) < 0.3)
    truth[random.random(truth.shape) < 0.1] = -1
    if seed % 2:
        truth[group == 1, 0] = -1
    return Items(truth, prediction, np.minimum(group, 1) if seed % 3 == 1 else group)


def tally_of(metric: Metric, items: Items) -> Tally:
    """The metric's own tally; with a group axis for disparities."""
    options: dict[str, Any] = {} if metric.level != "disparity" else {"cells": items.group, "n_cells": GROUPS}
    if metric.tally is Confusion:
        return Confusion.count(items.truth, items.prediction, labels=metric.number_of_parts or LABELS, **options)
    if metric.kind == "units":
        count = metric.tally.of_units if of_scores(metric) else metric.tally.count
        return count(items.truth, items.prediction, **options)
    if of_scores(metric):
        return metric.tally.count(items.truth, items.prediction, **options)
    if metric.kind == "raters":
        return metric.tally.count(items.truth, most=10, **options)
    return metric.tally.of(items.truth, items.prediction, **options)
