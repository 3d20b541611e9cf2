"""The table of scored items, in memory and on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest
from affect_tables import LABELS, affect, labelled, predicted, predicted_affect

from affectcheck.annotations.validation import make_table
from affectcheck.errors import InputError, MissingPathError
from affectcheck.evaluation import EvaluationOptions, Layout, ScoredItems, evaluate
from affectcheck.evaluation.items import LAYOUT_KEY, column_of
from affectcheck.models.card import ModelCard
from affectcheck.predictions import make_predictions
from affectcheck.schemes import Target, UnitScheme

if TYPE_CHECKING:
    from pathlib import Path

UNITS = UnitScheme("two", ("AU1", "AU2"))


def test_a_row_an_item_with_its_cluster_groups_truth_and_prediction() -> None:
    truth = labelled(
        ["anger", "neutral", None, "sadness"], subject=["a", "b", "b", None], sex=["f", None, "m", "unsure"]
    )
    found = evaluate(
        truth, predicted(["anger", "anger", "anger", "sadness"]), options=EvaluationOptions(by=("sex",), resamples=0)
    )
    assert found.items.rows() == [
        ("i0", "a", "f", "anger", "anger"),
        ("i1", "b", None, "neutral", "anger"),
        ("i3", None, None, "sadness", "sadness"),
    ]
    assert found.items.columns == ["item", "cluster", "sex", "truth", "prediction"]
    assert found.items.get_column("truth").dtype == pl.Enum(LABELS)
    assert found.layout.unit == "subject"
    assert (found.layout.kind, found.layout.parts, found.layout.attributes) == ("categories", LABELS, ("sex",))
    assert found.layout.data == found["accuracy"].signature.data


def test_a_missing_prediction_that_counts_as_wrong_is_null() -> None:
    predictions = predicted(["anger", "anger"], items=["i0", "i1"])
    options = EvaluationOptions(missing="wrong", resamples=0)
    found = evaluate(labelled(["anger", "neutral", "sadness"]), predictions, options=options)
    assert found.items.get_column("prediction").to_list() == ["anger", "anger", None]
    assert found.items.get_column("cluster").to_list() == ["i0", "i1", "i2"]


def test_dimensions_have_a_column_each_side() -> None:
    truth = np.array([[0.1, np.nan], [0.2, 0.3]])
    found = evaluate(affect(truth), predicted_affect(np.full((2, 2), 0.5)), options=EvaluationOptions(resamples=0))
    assert found.items.columns[2:] == [
        f"{side}_{d}" for side in ("truth", "prediction") for d in ("arousal", "valence")
    ]
    assert found.items.get_column("truth_valence").to_list() == [None, 0.3]
    assert (found.layout.low, found.layout.high) == (0.0, 1.0)


def test_units_have_decisions_and_the_scores_behind_them() -> None:
    columns = {"item": ["a", "b"], "AU1": [1, None], "AU2": [0, 1]}
    table = make_table(columns, targets=[Target("units", UNITS)], name="made")
    scores = np.array([[0.9, 0.2], [0.4, 0.7]])
    predictions = make_predictions(["a", "b"], scores, ModelCard("m", "units", UNITS.units, "probability"))
    found = evaluate(table, predictions, options=EvaluationOptions(resamples=0))
    assert found.items.get_column("truth_AU1").to_list() == [1, None]
    assert found.items.select("prediction_AU1", "prediction_AU2").rows() == [(1, 0), (0, 1)]
    assert found.items.select("score_AU1", "score_AU2").rows() == [(0.9, 0.2), (0.4, 0.7)]
    assert found.layout.output == "probability"


def test_columns_of_another_meaning_are_kept_apart() -> None:
    truth = labelled(["anger", "neutral"], cluster=["x", "y"])
    found = evaluate(truth, predicted(["anger", "anger"]), options=EvaluationOptions(by=("cluster",), resamples=0))
    assert found.items.get_column("group_cluster").to_list() == ["x", "y"]
    assert column_of("truth_of_age") == "group_truth_of_age"


def test_a_file_reads_back_as_it_was_written(tmp_path: Path) -> None:
    truth = labelled(["anger", "neutral", "sadness"], sex=["f", "m", "m"])
    found = evaluate(truth, predicted(["anger"] * 3), options=EvaluationOptions(by=("sex",), resamples=0, part="test"))
    found.scored_items.write(tmp_path / "items.parquet")
    again = ScoredItems.read(tmp_path / "items.parquet")
    assert again.layout == found.layout
    assert again.frame.equals(found.items)
    assert again.frame.schema == found.items.schema


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "items.parquet"
    with pytest.raises(MissingPathError, match="table of scored items not found"):
        ScoredItems.read(path)
    path.write_text("item\n")
    with pytest.raises(InputError, match="not a Parquet file"):
        ScoredItems.read(path)
    pl.DataFrame({"item": ["a"]}).write_parquet(path)
    with pytest.raises(InputError, match="not a table of scored items"):
        ScoredItems.read(path)
    for text in ("[1]", "{"):
        pl.DataFrame({"item": ["a"]}).write_parquet(path, metadata={LAYOUT_KEY: text})
        with pytest.raises(InputError, match="not a table of scored items"):
            ScoredItems.read(path)
    pl.DataFrame({"item": ["a"]}).write_parquet(path, metadata={LAYOUT_KEY: '{"attributes": ["sex"]}'})
    with pytest.raises(InputError, match="items without 'cluster', 'sex', 'truth', 'prediction'"):
        ScoredItems.read(path)


def test_a_layout_names_its_columns() -> None:
    layout = Layout("units", "units", ("AU1",))
    assert (layout.truth_columns, layout.prediction_columns) == (("truth_AU1",), ("prediction_AU1",))
    assert layout.scheme == UnitScheme("units", ("AU1",))
