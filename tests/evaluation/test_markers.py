"""Cells of units and dimensions that are declared to mean no label."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl
import pytest

from affectcheck.errors import InputError
from affectcheck.evaluation import EvaluationOptions, ScoredColumns, evaluate_frames, score_folder
from affectcheck.schemes import DimensionScheme, UnitScheme

if TYPE_CHECKING:
    from pathlib import Path

DIMENSIONS = DimensionScheme("two", ("valence", "arousal"), -1.0, 1.0)
FRAME = pl.DataFrame(
    {
        "subject": ["a", "b", "c", "d"],
        "valence": [-5.0, 0.1, 0.5, 0.9],
        "arousal": [-5.0, 0.2, -5.0, 0.8],
        "p_valence": [0.0, 0.1, 0.5, 0.8],
        "p_arousal": [0.3, 0.1, 0.5, 0.8],
    }
)
TOLD = EvaluationOptions(metrics=("mae",), resamples=0)


def test_a_marker_of_dimensions_leaves_out_its_cells_alone(tmp_path: Path) -> None:
    columns = ScoredColumns(labels=DIMENSIONS, scores="p_", truth_labels="-5=")
    found = evaluate_frames(FRAME, columns=columns, options=TOLD)
    assert {s.place.part: s.support for s in found if s.metric == "mae"} == {"": 3, "valence": 3, "arousal": 2}
    assert "cells marked as not annotated: valence 1, arousal 2" in found.notes
    FRAME.write_parquet(tmp_path / "one.parquet")
    streamed = score_folder(tmp_path, columns=columns, options=TOLD)
    assert [s.value for s in streamed] == [s.value for s in found]


def test_a_marker_of_units_stands_beside_those_of_any_file() -> None:
    frame = {"AU1": [1, 0, -1, 7], "p_AU1": [0.9, 0.1, 0.9, 0.9]}
    columns = ScoredColumns(labels=UnitScheme("one", ("AU1",)), scores="p_", truth_labels="7=")
    found = evaluate_frames(frame, columns=columns, options=EvaluationOptions(metrics=("unit_f1",), resamples=0))
    assert (found["unit_f1"].value, found["unit_f1"].support) == (1.0, 2)


@pytest.mark.parametrize("told", [{"truth_labels": "1=0.5"}, {"prediction_labels": "1="}])
def test_numbers_mean_nothing_else(told: dict[str, str]) -> None:
    with pytest.raises(InputError, match="dimensions have none"):
        evaluate_frames(FRAME, columns=ScoredColumns(labels=DIMENSIONS, scores="p_", **told), options=TOLD)
