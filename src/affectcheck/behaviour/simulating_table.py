"""Our simulation beside Table III: the limits of paper 2, the maxima that they were rounded from, and ours."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.behaviour.catalogue import load_suite
from affectcheck.behaviour.simulating import Simulating, simulate_limits
from affectcheck.predictions import no_progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.behaviour.simulating import Progress, SimulatedLimit

#: Largest difference of one group over 1000 random models in the authors' own simulation (table of results beside the
#: public code of paper 2, github.com/audeering/ser-tests), by test, metric and what it is taken per.
AUTHORS_MAXIMA: Final = {
    ("fairness-accent", "share", "class"): 0.2217,
    ("fairness-accent", "mean", "set"): 0.0738,
    ("fairness-accent", "share", "bin"): 0.2128,
    ("fairness-language", "share", "class"): 0.0505,
    ("fairness-language", "mean", "set"): 0.0172,
    ("fairness-language", "share", "bin"): 0.0562,
    ("fairness-linguistic-sentiment", "share", "class"): 0.0386,
    ("fairness-linguistic-sentiment", "mean", "set"): 0.0143,
    ("fairness-linguistic-sentiment", "share", "bin"): 0.0426,
    ("fairness-pitch", "precision", "class"): 0.0908,
    ("fairness-pitch", "recall", "class"): 0.2093,
    ("fairness-pitch", "uap", "set"): 0.0283,
    ("fairness-pitch", "uar", "set"): 0.0626,
    ("fairness-pitch", "ccc", "set"): 0.1008,
    ("fairness-pitch", "mae", "set"): 0.0119,
    ("fairness-pitch", "mde", "set"): 0.0223,
    ("fairness-pitch", "precision", "bin"): 0.1036,
    ("fairness-pitch", "recall", "bin"): 0.1050,
    ("fairness-sex", "precision", "class"): 0.0737,
    ("fairness-sex", "recall", "class"): 0.1777,
    ("fairness-sex", "uap", "set"): 0.0268,
    ("fairness-sex", "uar", "set"): 0.0538,
    ("fairness-sex", "ccc", "set"): 0.0741,
    ("fairness-sex", "mae", "set"): 0.0127,
    ("fairness-sex", "mde", "set"): 0.0167,
    ("fairness-sex", "precision", "bin"): 0.0877,
    ("fairness-sex", "recall", "bin"): 0.0821,
}


@dataclass(frozen=True)
class TableRow:
    """One limit of Table III.

    Attributes:
        seeds: what was simulated, one entry a seed.
        authors_maximum: the maximum that the limit was rounded from.
    """

    seeds: tuple[SimulatedLimit, ...]
    authors_maximum: float

    @property
    def first(self) -> SimulatedLimit:
        """The first seed, for what all share."""
        return self.seeds[0]

    @property
    def maxima(self) -> tuple[float, ...]:
        """Ours: one for each round of each seed."""
        return tuple(value for one in self.seeds for value in one.maxima)

    @property
    def quantile(self) -> float:
        """Mean over the seeds of the quantile of one group."""
        return float(np.mean([one.value for one in self.seeds]))

    @property
    def family(self) -> float:
        """Mean over the seeds of the quantile over all groups."""
        return float(np.mean([one.family for one in self.seeds]))

    @property
    def disagreement(self) -> float:
        """How far the quantile of a seed is from the mean over seeds, at most, as a share of it."""
        return float(max(abs(one.value / self.quantile - 1.0) for one in self.seeds))

    @property
    def published_error(self) -> float:
        """Share of random models that the published limit fails in any group."""
        return float(np.mean([one.published_error for one in self.seeds]))

    @property
    def error(self) -> float:
        """Share of random models that the quantile of one group fails in any group."""
        return float(np.mean([one.error for one in self.seeds]))

    @property
    def explained(self) -> str:
        """Where the authors' maximum lies among ours."""
        low, high = min(self.maxima), max(self.maxima)
        if low <= self.authors_maximum <= high:
            return "within ours"
        below = float(np.mean([one.maximum_at_most(self.authors_maximum) for one in self.seeds]))
        side, share = ("below", below) if self.authors_maximum < low else ("above", 1.0 - below)
        return f"{side} ours: a maximum is so far {side} by chance in {share:.1%} of rounds"


def table_three(
    simulating: Simulating | None = None, *, seeds: int = 3, progress: Progress = no_progress
) -> tuple[TableRow, ...]:
    """All 27 limits of Table III beside what we simulate at the sizes that they were simulated for.

    Args:
        simulating: repetitions, rounds, quantile and the first seed; sizes are those of the tests.
        seeds: number of seeds, from the first on.
        progress: told the number of random models that are drawn, and of all.
    """
    chosen = replace(simulating or Simulating(), groups=None, samples=None)
    definitions = load_suite("fairness")
    runs = [
        simulate_limits(
            definitions,
            replace(chosen, seed=chosen.seed + number),
            progress=_of_seed(progress, number, seeds),
        )
        for number in range(seeds)
    ]
    return tuple(_row(column) for column in zip(*runs, strict=True))


def _of_seed(progress: Progress, number: int, seeds: int) -> Progress:
    return lambda done, total: progress(number * total + done, seeds * total)


def _row(seeds: Sequence[SimulatedLimit]) -> TableRow:
    first = seeds[0]
    return TableRow(tuple(seeds), AUTHORS_MAXIMA[first.test, first.comparison.metric, first.comparison.per])
