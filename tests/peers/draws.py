"""Awkward data that any implementation of a metric meets, made from seeds with NumPy alone.

Scores are multiples of 1/64 and values of 1/1024, so that they mean the same in float32 and in print.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

GROUPS = 4
CLASSES, UNITS, DIMENSIONS, VALUES = 6, 4, 2, 4


@dataclass(frozen=True, eq=False)
class Case:
    """Items of one kind.

    Attributes:
        name: what is awkward about them.
        truth: categories (n,) codes; units (n, M), -1 unknown; dimensions (n, D), NaN unknown; raters (n, C) votes.
        prediction: like the truth; -1 where there is none (categories).
        score: categories (n, C) and units (n, M) probabilities, NaN where there is no prediction.
        group: (n,) group of each item, of ``groups``.
        labels: number of declared classes.
        tolerance: how far two right implementations may be apart in float64.
    """

    name: str
    truth: NDArray[Any]
    prediction: NDArray[Any]
    score: NDArray[Any]
    group: NDArray[Any]
    groups: int = GROUPS
    labels: int = CLASSES
    tolerance: float = 1e-12

    def take(self, rows: NDArray[Any]) -> Case:
        """Some of the items."""
        parts = {name: getattr(self, name)[rows] for name in ("truth", "prediction", "score", "group")}
        return replace(self, **parts)

    @cached_property
    def by_group(self) -> list[Case]:
        """The items of each declared group, which may be none."""
        return [self.take(np.flatnonzero(self.group == g)) for g in range(self.groups)]

    @property
    def items(self) -> int:
        return len(self.truth)

    @property
    def answered(self) -> bool:
        """Whether every item has a prediction."""
        return self.truth.ndim == 2 or not (self.prediction < 0).any()


def _groups(random: np.random.Generator, items: int) -> NDArray[Any]:
    """One group of most items, one of a few, one of one or two; the last one is declared and empty."""
    group = random.choice(3, items, p=[0.7, 0.27, 0.03])
    group[0] = 2
    return group


def _decided(case: Case, score: NDArray[Any], **changed: Any) -> Case:
    gone = np.isnan(score).any(axis=1)
    prediction = np.where(gone, -1, np.where(np.isnan(score), -1.0, score).argmax(axis=1))
    return replace(case, score=score, prediction=prediction, **changed)


def categories(seed: int, labels: int = CLASSES, items: int = 80) -> tuple[Case, ...]:
    """Classes of falling frequency, with the probabilities of each."""
    random = np.random.default_rng([1, seed, labels])
    weight = 0.6 ** np.arange(labels)
    truth = random.choice(labels, items, p=weight / weight.sum())
    sure = np.eye(labels)[truth] * random.choice([0.0, 0.3, 0.8], items)[:, None]
    share = (random.dirichlet(np.ones(labels), items) + sure) / (1.0 + sure.sum(axis=1, keepdims=True))
    score = np.stack([random.multinomial(64, p) for p in share]) / 64.0
    base = _decided(Case("plain", truth, truth, score, _groups(random, items), labels=labels), score)
    last, rest = labels - 1, np.arange(labels) < labels - 1
    spared = np.where(truth == last, 0, truth)
    without = score * rest
    without[:, 0] += 1.0 - without.sum(axis=1)
    unanswered = np.where(random.random(items)[:, None] < 0.1, np.nan, score)
    one = np.tile(np.eye(labels)[1], (items, 1))
    return (
        base,
        _decided(base, without, name="a class that does not occur", truth=spared),
        replace(base, name="a class that is never true", truth=spared),
        _decided(base, without, name="a class that is never predicted"),
        replace(base, name="one class is true throughout", truth=np.full(items, 1)),
        _decided(base, one, name="one class is predicted throughout"),
        _decided(base, one, name="one class throughout", truth=np.full(items, 1)),
        _decided(base, np.eye(labels)[truth], name="all right"),
        _decided(base, np.eye(labels)[(truth + 1) % labels], name="all wrong"),
        replace(base, name="two classes are true", truth=truth % 2),
        _decided(base, np.stack([random.multinomial(4, p) for p in share]) / 4.0, name="equal scores"),
        _decided(base, random.permuted(np.tile(_falling(labels), (items, 1)), axis=1), name="no equal scores"),
        _decided(base, _on_edges(random, truth, labels), name="scores on the edges of bins"),
        replace(base, name="a single item").take(np.arange(1)),
        replace(base, name="one group only", group=np.ones(items, np.intp)),
        replace(base, name="a group of one class", truth=np.where(base.group == 1, 0, truth)),
        replace(base, name="narrow types", truth=truth.astype(np.int8), prediction=base.prediction.astype(np.int8)),
        replace(base, name="float32", score=score.astype(np.float32)),
        _decided(base, unanswered, name="items without a prediction"),
    )


def _falling(labels: int) -> NDArray[Any]:
    squares = np.arange(1, labels + 1) ** 2
    return squares / squares.sum()


def _on_edges(random: np.random.Generator, truth: NDArray[Any], labels: int) -> NDArray[Any]:
    """The highest probability is 1, or in the bin that 1 ends and right."""
    top = random.choice([1.0, 61 / 64], truth.size)
    score = np.tile(((1.0 - top) / (labels - 1))[:, None], labels)
    first = np.where(top < 1.0, truth, random.integers(0, labels, truth.size))
    score[np.arange(truth.size), first] = top
    return score


def units(seed: int, number: int = UNITS, items: int = 80) -> tuple[Case, ...]:
    """Units of falling frequency, predicted at a threshold of one half."""
    random = np.random.default_rng([2, seed, number])
    truth = (random.random((items, number)) < 0.5 * 0.7 ** np.arange(number)).astype(int)
    truth[:2] = [[1], [0]]
    score = np.round(np.clip(0.3 * truth + random.beta(1.2, 2.0, truth.shape), 0, 1) * 64) / 64
    base = _at_half(Case("plain", truth, truth, score, _groups(random, items)), score)
    unknown = np.where(random.random(truth.shape) < 0.2, -1, truth)
    first = np.arange(number) == 0
    second = (base.group == 1)[:, None]
    return (
        base,
        replace(base, name="unknown cells", truth=unknown),
        replace(base, name="a unit unknown throughout", truth=np.where(first, -1, unknown)),
        replace(base, name="nothing known", truth=np.full_like(truth, -1)),
        replace(base, name="a unit that is never present", truth=np.where(first, 0, unknown)),
        replace(base, name="a unit that is always present", truth=np.where(first, 1, unknown)),
        _at_half(base, np.where(first, score / 4, score), name="a unit that is never predicted", truth=unknown),
        _at_half(base, np.where(first, 1 - score / 4, score), name="a unit that is always predicted"),
        _at_half(base, np.where(first, score / 4, score), name="neither", truth=np.where(first, 0, truth)),
        _at_half(base, np.where(truth == 1, 0.75, 0.25), name="all right"),
        _at_half(base, np.round(score * 4) / 4, name="equal scores", truth=unknown),
        _at_half(base, np.full(truth.shape, 0.5), name="one score throughout"),
        _at_half(base, _at_ends(random, truth), name="scores on the edges of bins"),
        replace(base, name="a single item").take(np.arange(1)),
        replace(base, name="one group only", group=np.ones(items, np.intp)),
        replace(base, name="a group without positives", truth=np.where(second & first, 0, unknown)),
        replace(base, name="a group in which a unit is unknown", truth=np.where(second & first, -1, unknown)),
        replace(base, name="narrow types", truth=unknown.astype(np.int8), prediction=base.prediction.astype(np.int8)),
        replace(base, name="float32", score=score.astype(np.float32)),
    )


def _at_ends(random: np.random.Generator, truth: NDArray[Any]) -> NDArray[Any]:
    """Scores of 0 and 1, and ones in the last bin that are right."""
    drawn = [random.choice(ends, truth.shape) for ends in ([0.0, 1.0], [61 / 64, 1.0])]
    return np.where(truth == 1, drawn[1], drawn[0])


def _at_half(case: Case, score: NDArray[Any], **changed: Any) -> Case:
    return replace(case, score=score, prediction=(score >= 0.5).astype(int), **changed)


def dimensions(seed: int, number: int = DIMENSIONS, items: int = 80) -> tuple[Case, ...]:
    """Values from -1 to 1."""
    random = np.random.default_rng([3, seed, number])

    def grid(values: NDArray[Any], step: float = 1 / 1024) -> NDArray[Any]:
        return np.round(values / step) * step

    truth = grid(random.uniform(-1, 1, (items, number)))
    prediction = grid(np.clip(0.7 * truth + random.normal(0.1, 0.3, truth.shape), -1, 1))
    base = Case("plain", truth, prediction, prediction, _groups(random, items))
    unknown = np.where(random.random(truth.shape) < 0.2, np.nan, truth)
    first = np.arange(number) == 0
    second = (base.group == 1)[:, None]
    far = replace(base, tolerance=1e-7)
    return (
        base,
        replace(base, name="unknown cells", truth=unknown),
        replace(base, name="a dimension unknown throughout", truth=np.where(first, np.nan, unknown)),
        replace(base, name="a constant truth", truth=np.where(first, 0.3, truth)),
        replace(base, name="a constant prediction", prediction=np.where(first, 0.3, prediction)),
        replace(base, name="constants that differ", truth=truth * 0 + 0.3, prediction=truth * 0 - 0.7),
        replace(base, name="constants that are equal", truth=truth * 0 + 0.3, prediction=truth * 0 + 0.3),
        replace(base, name="constants that are exact", truth=truth * 0 + 0.5, prediction=truth * 0 + 0.5),
        replace(base, name="all right", prediction=truth),
        replace(base, name="the wrong way round", prediction=-truth),
        replace(base, name="too low", prediction=np.maximum(prediction - 0.5, -1)),
        replace(base, name="equal values", truth=grid(unknown, 0.25), prediction=grid(prediction, 0.25)),
        replace(base, name="outside the range", truth=2 * truth, prediction=2 * prediction),
        replace(far, name="far from zero", truth=1e8 + truth, prediction=1e8 + prediction),
        replace(far, name="nearly constant", truth=0.5 + 1e-9 * truth, prediction=0.5 + 1e-9 * prediction),
        replace(base, name="a single item").take(np.arange(1)),
        replace(base, name="two items").take(np.arange(2)),
        replace(base, name="one group only", group=np.ones(items, np.intp)),
        replace(base, name="a constant group", prediction=np.where(second, 0.3, prediction), truth=unknown),
        replace(base, name="float32", truth=unknown.astype(np.float32), prediction=prediction.astype(np.float32)),
    )


def raters(seed: int, number: int = VALUES, items: int = 40) -> tuple[Case, ...]:
    """Votes of raters who agree more than by chance."""
    random = np.random.default_rng([4, seed, number])
    lean = random.dirichlet(np.full(number, 0.7), items)

    def votes(raters: NDArray[Any]) -> NDArray[Any]:
        return np.stack([random.multinomial(m, p) for m, p in zip(raters, lean, strict=True)])

    four = votes(np.full(items, 4))
    uneven = votes(random.integers(0, 6, items))
    base = Case("plain", four, four, four, _groups(random, items), labels=number)
    first = np.arange(number) == 0

    def made(name: str, truth: NDArray[Any]) -> Case:
        return replace(base, name=name, truth=truth, prediction=truth, score=truth)

    return (
        base,
        made("other numbers of raters", uneven),
        made("two raters", votes(np.full(items, 2))),
        made("a value that nobody gives", np.where(np.arange(number) == number - 1, 0, uneven)),
        made("raters of one mind", np.eye(number, dtype=int)[random.integers(0, number, items)] * 3),
        made("one value throughout", np.where(first, 3, 0) * np.ones((items, 1), int)),
        made("one rating an item", np.eye(number, dtype=int)[random.integers(0, number, items)]),
        replace(base, name="a single item").take(np.arange(1)),
        replace(base, name="one group only", group=np.ones(items, np.intp)),
    )


FAMILIES: dict[str, Callable[..., tuple[Case, ...]]] = {
    "categories": categories,
    "units": units,
    "dimensions": dimensions,
    "raters": raters,
}


def pairs(seed: int) -> tuple[Case, ...]:
    """Two classes and two groups, where several distances between groups are one."""
    found = []
    for case in categories(seed, 2):
        group = np.minimum(case.group, 1)
        found.append(replace(case, group=group, groups=2))
    return tuple(case for case in found if case.answered)
