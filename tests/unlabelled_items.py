"""Items without labels, by language, accent and sentiment."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from affectcheck.annotations.table import AnnotationTable
from affectcheck.behaviour import SuiteOptions, load_suites, plan, run
from affectcheck.models.card import ModelCard
from affectcheck.predictions import PredictionTable, make_predictions
from affectcheck.seeds import rng

LABELS = ("anger", "happiness", "neutral", "sadness")
DIMENSIONS = ("arousal", "dominance", "valence")
SENTIMENTS = ("negative", "neutral", "positive")
BIN_NAMES = ("(-inf, 0.25]", "(0.25, 0.5]", "(0.5, 0.75]", "(0.75, inf)")


def make_items(column: str, sizes: dict[str, int], *, speakers: int = 0, **columns: list[Any]) -> AnnotationTable:
    """So many items of each group; without a number of speakers, nobody is named."""
    groups = [name for name, size in sizes.items() for _ in range(size)]
    order = rng(3, "order").permutation(len(groups))
    named = [groups[i] for i in order]
    frame = pl.DataFrame({"item": [f"i{i:05d}" for i in range(len(groups))], column: named})
    if speakers:
        who = [f"{name}-{i % speakers}" for i, name in enumerate(named)]
        frame = frame.with_columns(pl.Series("subject", who))
    for name, values in columns.items():
        frame = frame.with_columns(pl.Series(name, values, dtype=pl.String))
    return AnnotationTable(frame, {}, (column,), "made")


def guesses(table: AnnotationTable, kind: str, seed: int = 0, **bias: Any) -> PredictionTable:
    """A model that answers at random; ``bias`` moves the values of the rows where a mask is true."""
    draw = rng(seed, "guesses")
    if kind == "categories":
        return codes(table, draw.integers(4, size=table.height))
    values = np.clip(draw.normal(0.5, 1 / 6, (table.height, 3)), 0, 1)
    if bias:
        values[bias["rows"]] = np.clip(values[bias["rows"]] + bias["by"], 0, 1)
    return values_of(table, values)


def codes(table: AnnotationTable, predicted: np.ndarray) -> PredictionTable:
    card = ModelCard("made", "categories", LABELS, output="label")
    return make_predictions(table.items, np.eye(4)[predicted], card)


def values_of(table: AnnotationTable, values: np.ndarray) -> PredictionTable:
    card = ModelCard("made", "dimensions", DIMENSIONS, output="value")
    return make_predictions(table.items, values, card)


def verdicts(test: Any, table: AnnotationTable, prediction: PredictionTable, **options: Any) -> list[Any]:
    definitions = load_suites([test]) if isinstance(test, str) else (test,)
    chosen = SuiteOptions(**({"resamples": 100, "baseline": False} | options))
    planned = plan(definitions, prediction.card, table, options=chosen)
    return list(run(planned, None, table, prediction, chosen))


def by_place(found: list[Any], metric: str) -> dict[tuple[str, str], Any]:
    return {(one.place.group, one.place.part): one for one in found if one.metric == metric}
