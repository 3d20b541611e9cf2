"""Pictures of different people at RAF-DB's test sizes: intervals of a model's scores and of the difference of two.

Nobody is in two pictures, so that items are resampled. Local F1 by age is the hard one: the smallest group has 167
pictures, some four of its rarest expression.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from affectcheck.metrics import METRICS
from affectcheck.seeds import rng
from affectcheck.tallies import Confusion
from affectcheck.uncertainty import Intervals, Resampling, resample_together
from validity.claim import Bar, Claim
from validity.verdicts import EXPRESSIONS, SIZES, rows

if TYPE_CHECKING:
    from collections.abc import Mapping


RESAMPLES = 1000
AGE = np.array(SIZES["age"])
SHARES = EXPRESSIONS / EXPRESSIONS.sum()
#: How much more often the second model errs, and how often each group makes either err.
SECOND, BY_AGE = 1.25, np.array([1.1, 0.9, 0.9, 1.0, 1.4])
#: Share of the second model's answers that are simply those of the first.
ALIKE = 0.6
OVERALL, BY_GROUP = ("accuracy", "f1_macro", "uar"), ("local_f1",)
NAMES = (*OVERALL, *BY_GROUP)


@cache
def answers(model: int) -> np.ndarray:
    """(G, C, C) probabilities of a model's answers by group and true class."""
    errors = rows() * (1.0 - np.eye(7)) * (BY_AGE * (SECOND if model else 1.0))[:, None, None]
    return np.asarray(errors + (1.0 - errors.sum(axis=-1))[..., None] * np.eye(7))


@cache
def joint() -> np.ndarray:
    """(G, C, C, C) probabilities of group, true class and both answers, in which the models agree beyond chance."""
    one, two = answers(0), answers(1)
    both = np.minimum(one, two) * ALIKE
    rest = [part - both for part in (one, two)]
    spare = rest[0].sum(axis=-1)[..., None, None]
    apart = rest[0][..., :, None] * rest[1][..., None, :] / spare
    pair = apart + both[..., None] * np.eye(7)
    return np.asarray(SHARES[:, None, None] * pair)


@cache
def true_value(name: str, model: int) -> float:
    cells = (AGE / AGE.sum())[:, None, None] * SHARES[:, None] * answers(model)
    tally = Confusion(cells, np.zeros(cells.shape[:-1]))
    return float(METRICS.get(name).compute(tally if name in BY_GROUP else tally.pooled(0)))


def observe(random: np.random.Generator) -> tuple[Confusion, Confusion, np.ndarray]:
    """Both models' tallies (K, G) of one item of each kind that occurs, and how many items are of each kind."""
    probabilities = joint().reshape(AGE.size, -1)
    counts = random.multinomial(AGE, probabilities / probabilities.sum(axis=1, keepdims=True))
    group, truth, first, second = np.nonzero(counts.reshape(AGE.size, 7, 7, 7))
    cells = np.arange(group.size) * AGE.size + group
    one, two = (
        Confusion.count(truth, answer, labels=7, cells=cells, n_cells=(group.size, AGE.size))
        for answer in (first, second)
    )
    return one, two, counts[counts > 0]


def covers(found: Intervals, true: float) -> float:
    return float(found.low <= true <= found.high)


def draw(seed: int) -> Mapping[str, float]:
    one, two, repeats = observe(rng(seed, "validity", "pictures"))
    found: dict[str, float] = {}
    for names, tallies in ((OVERALL, (one.pooled(1), two.pooled(1))), (BY_GROUP, (one, two))):
        made = resample_together(tallies, Resampling(RESAMPLES, seed), repeats=repeats)
        for name in names:
            compute = METRICS.get(name).compute
            first, second = (part.evaluated(compute) for part in made)
            true = [true_value(name, model) for model in (0, 1)]
            found[f"{name} score"] = covers(first.intervals(), true[0])
            found[f"{name} difference"] = covers((first - second).intervals(), true[0] - true[1])
    return found


def bars() -> tuple[Bar, ...]:
    found = []
    for name in NAMES:
        low, high = (0.92, 0.97) if name == "local_f1" else (0.935, 0.97)
        one, two = (true_value(name, model) for model in (0, 1))
        found.append(Bar(f"{name} difference", f"{name}, true difference {one - two:.3f}: covered", low, high))
        found.append(Bar(f"{name} score", f"{name}, true value {one:.3f}: covered", 0.92, 0.975))
    return tuple(found)


CLAIMS = (
    Claim(
        "pictures",
        f"two models on {AGE.sum():,} pictures, ages {'/'.join(map(str, AGE))}: 95 % intervals",
        draw,
        bars(),
    ),
)
