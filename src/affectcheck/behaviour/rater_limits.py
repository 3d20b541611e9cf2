"""Limits of correctness from people: what a rater reaches in the model's place, by the very same test.

Paper 2 calls its own limits examples, and proposes to base limits of correctness on what human raters reach: "by
randomly selecting a rater for each sample, or by averaging all individual raters' performance" (section II-B).

| rater | who answers | what is the truth |
|---|---|---|
| ``random`` | a rater drawn for each item; the mean over draws | the label, of which the rater's vote is usually a part |
| ``mean`` | each rater alone; the mean over raters | the same |
| ``left out`` | a rater drawn for each item; the mean over draws | what the other raters of the item say |

The first two flatter people, who are compared with a truth that they helped to make; the third does not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, get_args

import numpy as np
import polars as pl

from affectcheck.behaviour.correctness import measure_correctness
from affectcheck.behaviour.measured import Setting
from affectcheck.behaviour.options import SuiteOptions
from affectcheck.behaviour.rater_answers import LEAST_ITEMS, Rated
from affectcheck.behaviour.rater_units import unit_ratings
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.schemes import UnitScheme

if TYPE_CHECKING:
    from collections.abc import Iterator

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.behaviour.definition import Comparison, Definition, Mode, Task
    from affectcheck.behaviour.material import Material
    from affectcheck.behaviour.measured import Measured
    from affectcheck.evaluation import Votes

Rater = Literal["random", "mean", "left out"]

_SCHEMA: Final = {
    "test": pl.String,
    "metric": pl.String,
    "part": pl.String,
    "rule": pl.String,
    "limit": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "answers": pl.Int64,
    "support": pl.Int64,
    "published": pl.Float64,
    "source": pl.String,
}


@dataclass(frozen=True)
class RaterOptions:
    """How people are put in the model's place.

    Attributes:
        rater: ``random``, ``mean`` or ``left out``.
        mode: whose rules, ``corrected`` or ``published``.
        target: what is rated; None for the first target of the table.
        draws: how often a rater is drawn for each item.
        seed: the run's seed.
    """

    rater: Rater = "random"
    mode: Mode = "corrected"
    target: str | None = None
    draws: int = 100
    seed: int = 0

    def __post_init__(self) -> None:
        """The rater is known, and something is drawn."""
        if self.rater not in get_args(Rater):
            raise UnknownNameError.of("rater", self.rater, get_args(Rater))
        if self.draws < 1:
            raise InputError(f"{self.draws} draws", expected="at least 1")


@dataclass(frozen=True)
class RaterLimit:
    """What people reach in one comparison.

    Attributes:
        comparison: the comparison, with the limit of the definition.
        part: class, dimension or unit; empty for the whole set.
        value: the mean over draws or raters; of sizes, where the rule is about a size.
        low, high: the lowest and the highest of them.
        answers: number of draws or raters.
        support: items, or speakers, of the first of them.
    """

    comparison: Comparison
    part: str
    value: float
    low: float
    high: float
    answers: int
    support: int


@dataclass(frozen=True)
class RaterLimits:
    """What people reach in a test.

    Attributes:
        definition: the test.
        kind: ``categories``, ``dimensions`` or ``units``, which was rated.
        limits: one for each comparison and class or dimension in which people have a value.
        source: who answered, and in which votes.
        notes: what was left out.
    """

    definition: Definition
    kind: str
    limits: tuple[RaterLimit, ...]
    source: str
    notes: tuple[str, ...] = ()

    def applied(self) -> Definition:
        """The test with these limits: of each class or dimension its own, their mean for any other.

        A comparison in which people have no value keeps its limit.
        """
        tasks = tuple(self._task(task) if task.kind == self.kind else task for task in self.definition.task)
        return self.definition.model_copy(update={"task": tasks})

    def frame(self) -> pl.DataFrame:
        """One row a limit: what people reach, how far it varies, and the limit of the definition."""
        rows = [
            (
                self.definition.name,
                one.comparison.metric,
                one.part or None,
                one.comparison.rule,
                *(one.value, one.low, one.high, one.answers, one.support),
                one.comparison.limit,
                self.source,
            )
            for one in self.limits
        ]
        return pl.DataFrame(rows, schema=_SCHEMA, orient="row")

    def __str__(self) -> str:
        """One line a limit, then where they come from."""
        lines = [
            f"{one.comparison.metric}{f' {one.part}' if one.part else ''}: {one.value:.4f} "
            f"({one.low:.4f} to {one.high:.4f}; published {one.comparison.limit:g})"
            for one in self.limits
        ]
        return "\n".join([*lines, self.source, *self.notes])

    def _task(self, task: Task) -> Task:
        return task.model_copy(update={"comparison": tuple(self._limited(one) for one in task.comparison)})

    def _limited(self, comparison: Comparison) -> Comparison:
        own = [one for one in self.limits if one.comparison == comparison]
        if not own:
            return comparison
        told = f"{self.source}; {comparison.whose} limit {comparison.limit:g} ({comparison.source})"
        by_part = {one.part: one.value for one in own if one.part}
        limit = float(np.mean([one.value for one in own]))
        return comparison.model_copy(update={"limit": limit, "limits": by_part, "source": told})


def rater_thresholds(
    votes: Votes, definition: Definition, table: AnnotationTable, *, options: RaterOptions | None = None
) -> RaterLimits:
    """What people reach in a correctness test, as limits for a model.

    Args:
        votes: what several raters said of the items.
        definition: a correctness test of what is rated.
        table: the items; their labels are the truth, except where a rater is left out.
        options: which rater, how often drawn, mode and target.

    Returns:
        A limit for each comparison; ``applied()`` is the test with them, ready to be run.

    Raises:
        InputError: no correctness test of what is rated, no item has ratings, raters without names for ``mean``, or
            people have no value in any comparison.
    """
    options = options or RaterOptions()
    target = table.target(options.target)
    task = definition.task_of(target.scheme.kind)
    if definition.family != "correctness" or definition.kind == "consistency" or task is None:
        raise InputError(
            f"limits from raters of {target.name!r} for {definition.name!r}",
            expected=f"a correctness test that compares predicted {target.scheme.kind} with annotated ones",
        )
    of_units = isinstance(target.scheme, UnitScheme)
    rules, ratings = definition.rules(options.mode), unit_ratings(votes, target) if of_units else votes.ratings(target)
    rated = Rated.of(ratings, table, target, task, rules)
    suite = SuiteOptions(mode=options.mode, seed=options.seed)
    setting = Setting(definition, task, rules, suite, judged=False)
    found: dict[tuple[str, str, str], list[Measured]] = {}
    reason = ""
    for material in _answers(rated, options):
        for one in measure_correctness(material, setting):
            reason = reason or one.reason
            if one.value is not None:
                found.setdefault((one.comparison.metric, one.comparison.per, one.place.part), []).append(one)
    if not found:
        raise InputError(f"people have no value in {definition.name!r}", cause=reason)
    named = f"{ratings.name or 'votes'}@{ratings.digest[:12]}"
    limits = tuple(_limit(same) for same in found.values())
    return RaterLimits(definition, task.kind, limits, _source(options, named), rated.material.notes)


def _answers(rated: Rated, options: RaterOptions) -> Iterator[Material]:
    if options.rater == "mean":
        return rated.by_rater()
    left_out = options.rater == "left out"
    return (rated.drawn(number, seed=options.seed, left_out=left_out) for number in range(options.draws))


def _limit(same: list[Measured]) -> RaterLimit:
    comparison = same[0].comparison
    values = np.array([one.value for one in same], np.float64)
    values = np.abs(values) if comparison.rule.startswith("abs") else values
    low, high = float(values.min()), float(values.max())
    return RaterLimit(comparison, same[0].place.part, float(values.mean()), low, high, len(same), same[0].support)


def _source(options: RaterOptions, named: str) -> str:
    said = {
        "random": f"mean over {options.draws} draws of a rater for each item of {named}, against the label",
        "mean": f"mean over raters of at least {LEAST_ITEMS} items of {named}, each against the label",
        "left out": f"mean over {options.draws} draws of a rater for each item of {named}, against the other raters",
    }
    return f"{said[options.rater]} (proposed in paper 2, section II-B; seed {options.seed})"
