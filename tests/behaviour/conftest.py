"""Made tables and predictions whose verdicts are known beforehand."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest

from affectcheck.annotations.table import AnnotationTable
from affectcheck.behaviour import SuiteOptions, load_suites, plan, run
from affectcheck.models.card import ModelCard
from affectcheck.predictions import PredictionTable, make_predictions
from affectcheck.schemes import Target, scheme
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.behaviour import Definition, Plan
    from affectcheck.records import Verdict

LABELS = ("anger", "happiness", "neutral", "sadness")
DIMENSIONS = ("arousal", "dominance", "valence")


@dataclass(frozen=True)
class World:
    """A table of speakers, half of each sex, and models that are right as often as they are told to be."""

    table: AnnotationTable
    truth: np.ndarray
    sex: np.ndarray
    labels: tuple[str, ...] = LABELS
    perturbed: dict[str, PredictionTable] = field(default_factory=dict)

    def with_frame(self, frame: pl.DataFrame, **changes: Any) -> World:
        """The same items with other columns; ``changes`` are of the table, such as its targets."""
        return replace(self, table=replace(self.table, frame=frame, **changes))

    def only(self, kept: np.ndarray) -> World:
        """The items where a mask is true."""
        return replace(self, table=self.table.filter(pl.Series(kept)), truth=self.truth[kept], sex=self.sex[kept])

    def turned(self) -> World:
        """The items in the opposite order."""
        table = replace(self.table, frame=self.table.frame.reverse())
        return replace(self, table=table, truth=self.truth[::-1], sex=self.sex[::-1])

    def card(self, **changes: Any) -> ModelCard:
        kind = "categories" if self.truth.ndim == 1 else "dimensions"
        parts = self.labels if kind == "categories" else DIMENSIONS
        return ModelCard("made", **({"kind": kind, "parts": parts, "output": "score"} | changes))

    def predictions(self, values: np.ndarray, **changes: Any) -> PredictionTable:
        card = self.card(**changes)
        if values.ndim == 1:
            values = np.eye(len(card.parts))[values]
        return make_predictions(self.table.items, values, card)

    def right(self, share: float | np.ndarray, *, key: str = "model") -> np.ndarray:
        """Codes that equal the truth for this share of the items, and guesses elsewhere."""
        draw = rng(5, key)
        n = len(self.truth)
        guesses = draw.integers(len(self.labels), size=n)
        return np.where(draw.random(n) < share, self.truth, guesses)

    def near(self, spread: float, *, key: str = "model") -> np.ndarray:
        """Values near the truth."""
        return np.clip(self.truth + spread * rng(5, key).standard_normal(self.truth.shape), 0, 1)


def make_world(kind: str = "categories", *, speakers: int = 40, each: int = 40, seed: int = 1) -> World:
    draw = rng(seed, "world")
    n = speakers * each
    subject = np.arange(n) // each
    sex = np.where(subject % 2 == 0, "female", "male")
    columns = [
        pl.Series("item", [f"i{i:05d}" for i in range(n)]),
        pl.Series("media", [f"i{i:05d}.wav" for i in range(n)]),
        pl.Series("subject", [f"s{s:02d}" for s in subject]),
        pl.Series("sex", sex),
    ]
    if kind == "categories":
        truth = draw.integers(len(LABELS), size=n)
        columns.append(pl.Series("expression", [LABELS[t] for t in truth], dtype=pl.Enum(LABELS)))
        target = Target("expression", scheme("expressions-4"))
    else:
        truth = np.clip(0.5 + draw.standard_normal((n, 3)) / 6, 0, 1)
        columns += [pl.Series(name, truth[:, d]) for d, name in enumerate(DIMENSIONS)]
        target = Target("affect", scheme("affect-3"))
    table = AnnotationTable(pl.DataFrame(columns), {target.name: target}, ("sex",), "made")
    return World(table, truth, sex)


@pytest.fixture(scope="session")
def speech() -> World:
    return make_world()


@pytest.fixture(scope="session")
def affect() -> World:
    return make_world("dimensions")


@dataclass(frozen=True)
class Outcome:
    plan: Plan
    verdicts: tuple[Verdict, ...]

    def of(self, metric: str, **place: str) -> list[Verdict]:
        return [
            one
            for one in self.verdicts
            if one.metric == metric and all(getattr(one.place, key) == value for key, value in place.items())
        ]

    def one(self, metric: str, **place: str) -> Verdict:
        (found,) = self.of(metric, **place)
        return found

    def statuses(self, metric: str = "") -> set[str]:
        return {one.status for one in self.verdicts if metric in ("", one.metric)}


def carry_out(
    tests: str | Sequence[str | Definition],
    world: World,
    prediction: PredictionTable,
    *,
    perturbed: PredictionTable | None = None,
    **options: Any,
) -> Outcome:
    """Plan and run tests on made predictions; one set stands for every perturbation."""
    names = [tests] if isinstance(tests, str) else tests
    definitions = [d for name in names for d in (load_suites([name]) if isinstance(name, str) else [name])]
    options = {"resamples": 200} | options
    planned = plan(definitions, prediction.card, world.table, options=SuiteOptions(**options))
    if perturbed is not None:
        options["perturbed"] = {one.key: perturbed for one in planned.perturbations}
    return Outcome(planned, run(planned, None, world.table, prediction, SuiteOptions(**options)))


@pytest.fixture(scope="session")
def outcome() -> Any:
    return carry_out


@pytest.fixture(scope="session")
def world() -> Any:
    return make_world
