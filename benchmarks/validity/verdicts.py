"""The three-way decision at RAF-DB's test sizes: chance alone is not called unfairness, and unfairness is found.

Group sizes and expressions are those of the test set of paper 1, Table I (RAF-DB, new partition); items are pictures of
different people, so that they are independent.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from affectcheck.metrics import METRICS
from affectcheck.seeds import rng
from affectcheck.tallies import Confusion
from affectcheck.uncertainty import Permuting, decide, noise_floor_items
from validity.claim import Bar, Claim

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

SIZES = {"age": (528, 844, 2501, 766, 167), "gender": (2538, 1949), "race": (781, 415, 3610)}
#: Neutral, happiness, sadness, surprise, fear, disgust, anger.
EXPRESSIONS = np.array([997, 1820, 775, 518, 127, 287, 282])
#: What a good model recalls of each, so that rare expressions are the harder ones.
RECALL = np.array([0.86, 0.93, 0.83, 0.83, 0.6, 0.57, 0.75])
LIMIT, DRAWS = 0.1, 1000
#: True EOP at which the power is shown, in the scaling of the tables.
STEPS = (0.05, 0.10, 0.15, 0.20, 0.25, 0.30)


def rows() -> Floats:
    """(C, C) the model's answers by true class; an error is as likely to be a class as that class is frequent."""
    errors = np.tile(EXPRESSIONS / EXPRESSIONS.sum(), (7, 1))
    np.fill_diagonal(errors, 0.0)
    errors *= ((1.0 - RECALL) / errors.sum(axis=1))[:, None]
    return errors + np.diag(RECALL)


@cache
def unlike(attribute: str, eop: float, where: str) -> Floats:
    """(G, C, C) rows of each group, so that the model's true EOP is this, in the scaling of the tables.

    Answers move away from the true class to the next one: in even steps from group to group, or in one group alone.
    """
    groups = len(SIZES[attribute])
    steps = np.linspace(0.0, 1.0, groups) if where == "steps" else np.eye(groups)[int(where)]
    base = rows()
    moved = 0.2 * base + 0.8 * np.roll(np.eye(7), 1, axis=1)
    full = (1.0 - steps)[:, None, None] * base + steps[:, None, None] * moved
    share = eop / true_eop(full)
    if share > 1.0:
        raise ValueError(f"an EOP of {eop} is more than {where} of {attribute} can give")
    return (1.0 - share) * base + share * full


def true_eop(probabilities: Floats) -> float:
    """Of a population, in the scaling of the tables."""
    return float(
        METRICS.get("eop").compute(Confusion(probabilities, np.zeros(probabilities.shape[:-1])), convention="tables")
    )


def observe(random: np.random.Generator, attribute: str, probabilities: Floats) -> Confusion:
    """(G, C, C) counts: true classes dealt out among the groups, then the model's answers."""
    sizes = SIZES[attribute]
    shares = EXPRESSIONS / EXPRESSIONS.sum()
    truth = random.multinomial(np.array(sizes), shares)
    return Confusion.of_counts(random.multinomial(truth, probabilities))


def decision(tally: Confusion, seed: int) -> tuple[float, str, float]:
    """The model's EOP, what is decided, and the quantile of the floor."""
    statistic = partial(METRICS.get("eop").compute, convention="tables")
    value = float(statistic(tally))
    floor = noise_floor_items(tally, statistic, Permuting(DRAWS, seed)).floor()
    return value, decide(value, floor, LIMIT), floor.quantile if floor else np.nan


def draw_alike(seed: int) -> Mapping[str, float]:
    found: dict[str, float] = {}
    for attribute, sizes in SIZES.items():
        random = rng(seed, "validity", "alike", attribute)
        tally = observe(random, attribute, np.tile(rows(), (len(sizes), 1, 1)))
        value, outcome, quantile = decision(tally, seed)
        found |= {attribute: float(outcome == "exceeds"), f"{attribute} limit": float(value > LIMIT)}
        found |= {
            f"{attribute} value": value,
            f"{attribute} floor": quantile,
            f"{attribute} above": float(value > quantile),
        }
    return found


def draw_unlike(seed: int) -> Mapping[str, float]:
    found: dict[str, float] = {}
    for step in STEPS:
        found |= one_unlike(seed, "age", step, "steps")
    for attribute, where in (("age", "2"), ("age", "4"), ("gender", "steps"), ("race", "steps")):
        found |= one_unlike(seed, attribute, 2 * LIMIT, where)
    return found


def one_unlike(seed: int, attribute: str, eop: float, where: str) -> dict[str, float]:
    random = rng(seed, "validity", "unlike", attribute, where, str(eop))
    value, outcome, _ = decision(observe(random, attribute, unlike(attribute, eop, where)), seed)
    name = f"{attribute} {where} {eop:.2f}"
    return {name: float(outcome == "exceeds"), f"{name} value": value}


def _alike() -> Claim:
    bars: list[Bar] = []
    for name, sizes in SIZES.items():
        bars += [
            Bar(name, f"{name} {'/'.join(map(str, sizes))}: called exceeds", high=0.05),
            Bar(f"{name} above", f"{name}: above the floor's 95 % quantile alone"),
            Bar(f"{name} limit", f"{name}: above the limit of {LIMIT} alone"),
            Bar(f"{name} value", f"{name}: mean EOP"),
            Bar(f"{name} floor", f"{name}: mean 95 % quantile of the floor"),
        ]
    title = "a model that treats all alike, RAF-DB test sizes: EOP (tables) is called `exceeds` by chance"
    return Claim("verdicts-alike", title, draw_alike, tuple(bars))


def _unlike() -> Claim:
    bars: list[Bar] = []
    for eop in STEPS:
        bar: dict[str, Any] = {"low": 0.80} if eop >= 2 * LIMIT else {}
        bars.append(Bar(f"age steps {eop:.2f}", f"age, true EOP {eop:.2f} in even steps: called exceeds", **bar))
    others = (
        ("age", "2", "in ages 20-39 alone"),
        ("age", "4", "in ages 70+ alone"),
        ("gender", "steps", ""),
        ("race", "steps", ""),
    )
    for attribute, where, words in others:
        bars.append(Bar(f"{attribute} {where} 0.20", f"{attribute}, true EOP 0.20 {words}: called exceeds"))
    title = "a model that treats groups unlike, RAF-DB test sizes: EOP (tables) is called `exceeds`, limit 0.1"
    return Claim("verdicts-unlike", title, draw_unlike, tuple(bars), repetitions=500)


CLAIMS = (_alike(), _unlike())
