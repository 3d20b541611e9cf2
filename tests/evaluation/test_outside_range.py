"""Predictions outside the declared range are told."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest
from affect_tables import AFFECT, affect

from affectcheck.evaluation import EvaluationOptions, ScoredColumns, evaluate, evaluate_frames, score_folder
from affectcheck.models.card import ModelCard
from affectcheck.predictions import make_predictions
from affectcheck.schemes import DimensionScheme

if TYPE_CHECKING:
    from pathlib import Path

COLUMNS = ScoredColumns(labels=DimensionScheme("two", ("valence", "arousal"), -1.0, 1.0), scores="p_")
TOLD = EvaluationOptions(metrics=("mae",), resamples=0)
FRAME = pl.DataFrame(
    {
        "subject": ["a", "b", "c", "d"],
        "valence": [0.0, 0.1, 0.5, 0.9],
        "arousal": [0.3, 0.2, 0.5, 0.8],
        "p_valence": [-5.0, 0.1, 1.5, 0.8],
        "p_arousal": [0.3, 1.0, -1.0, 0.8],
    }
)
NOTE = "predictions outside [-1, 1], scored as they are: valence 2"


def test_they_are_counted_by_dimension() -> None:
    assert NOTE in evaluate_frames(FRAME, columns=COLUMNS, options=TOLD).notes


def test_those_on_the_range_are_not() -> None:
    inside = FRAME.with_columns(pl.col("p_valence").clip(-1, 1))
    assert evaluate_frames(inside, columns=COLUMNS, options=TOLD).notes == ()


def test_another_range_of_the_model_is_mapped_and_told() -> None:
    truth = affect(np.array([[0.0, 0.2], [0.5, 0.8], [1.0, 0.4]]))
    own = np.array([[0.0, 0.2], [0.5, 0.8], [1.0, 0.5]])
    card = ModelCard("m", "dimensions", AFFECT.dimensions, "value", low=1.0, high=5.0)
    same = make_predictions(truth.items, own, replace(card, low=AFFECT.low, high=AFFECT.high))
    width = AFFECT.high - AFFECT.low
    other = make_predictions(truth.items, (own - AFFECT.low) / width * 4 + 1, card)
    expected, found = (evaluate(truth, one, options=TOLD) for one in (same, other))
    assert found["mae"].value == pytest.approx(expected["mae"].value)
    assert f"predictions mapped from [1, 5], the model's range, onto [{AFFECT.low:g}, {AFFECT.high:g}]" in found.notes
    assert not any("mapped" in note for note in expected.notes)


def test_those_of_several_files_add_up(tmp_path: Path) -> None:
    for part in range(2):
        FRAME[2 * part : 2 * part + 2].write_parquet(tmp_path / f"{part}.parquet")
    assert NOTE in score_folder(tmp_path, columns=COLUMNS, options=TOLD).notes
