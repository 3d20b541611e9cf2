"""Truth beside prediction: with labels, without, and values beside annotated classes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest

from affectcheck.behaviour import load_suites
from affectcheck.behaviour.gathering import gather_beside_classes, gather_for, gather_unlabelled, predicted_parts
from affectcheck.behaviour.material import UNKNOWN
from affectcheck.models.card import ModelCard
from affectcheck.predictions import make_predictions
from affectcheck.schemes import Target, scheme
from made_definitions import CONSISTENCY, made_definition


def test_without_labels_every_truth_is_unknown(speech: Any) -> None:
    table = replace(speech.table, targets={})
    found = gather_for(
        made_definition(), table, speech.predictions(speech.right(0.9)), None, rules=made_definition().corrected
    )
    assert found.parts == speech.labels
    assert set(found.truth.tolist()) == {UNKNOWN}
    assert found.prediction.tolist() == speech.right(0.9).tolist()
    published = gather_unlabelled(
        table, speech.predictions(speech.right(0.9)), made_definition().task[0], rules=made_definition().published
    )
    assert published.parts == ("anger", "sadness")
    assert published.others == 2
    assert [published.parts[c] if c < 2 else "" for c in published.prediction[:50]] == [
        label if (label := speech.labels[c]) in published.parts else "" for c in speech.right(0.9)[:50]
    ]


def test_unlabelled_values_come_on_the_range_of_the_card(affect: Any) -> None:
    values = np.linspace(-1, 1, 3 * affect.table.height).reshape(-1, 3)
    card = ModelCard("m", "dimensions", ("Valence", "arousal", "liking"), "value", low=-1.0, high=1.0)
    prediction = make_predictions(affect.table.items, values, card)
    found = gather_unlabelled(affect.table, prediction, made_definition().task[1], rules=made_definition().corrected)
    assert found.parts == ("Valence", "arousal")
    assert found.prediction[0].tolist() == pytest.approx([(values[0, 0] + 1) / 2, (values[0, 1] + 1) / 2])
    assert np.isnan(found.truth).all()


def test_values_stand_beside_annotated_classes(speech: Any) -> None:
    card = ModelCard("m", "dimensions", ("arousal", "dominance", "valence"), "value")
    prediction = make_predictions(speech.table.items, np.full((speech.table.height, 3), 0.4), card)
    consistency = made_definition(
        **CONSISTENCY,
        task=[
            {
                "kind": "dimensions",
                "dimensions": ["arousal"],
                "ranges": [{"name": "low", "categories": ["sadness"], "high": 0.45}],
                "comparison": [{"metric": "in_range", "per": "range", "rule": "gt", "limit": 0.75}],
            }
        ],
    )
    target = speech.table.target()
    found = gather_for(consistency, speech.table, prediction, target, rules=consistency.corrected)
    assert found.categories == ("anger", "happiness", "neutral", "sadness")
    assert [found.categories[code] for code in found.truth] == [speech.labels[code] for code in speech.truth]
    assert found.prediction.shape == (speech.table.height, 1)
    with pytest.raises(TypeError):
        gather_beside_classes(
            speech.table,
            prediction,
            Target("affect", scheme("affect-3")),
            consistency.task[0],
            rules=consistency.corrected,
        )


def test_a_test_without_a_task_reaches_no_material(speech: Any) -> None:
    (regression,) = load_suites(["correctness-regression"])
    with pytest.raises(LookupError, match="correctness-regression"):
        gather_for(
            regression,
            speech.table,
            speech.predictions(speech.right(0.9)),
            speech.table.target(),
            rules=regression.corrected,
        )


def test_all_parts_are_the_models_own_where_the_paper_names_none(speech: Any) -> None:
    task = made_definition().task[0].model_copy(update={"classes": ()})
    assert predicted_parts(speech.card(), task, made_definition().published) == speech.labels


def test_items_without_a_prediction_are_counted(speech: Any) -> None:
    prediction = speech.predictions(speech.right(0.9))
    fewer = replace(prediction, frame=prediction.frame.filter(pl.col("item") != "i00000"))
    found = gather_unlabelled(speech.table, fewer, made_definition().task[0], rules=made_definition().corrected)
    assert found.notes == ("1 of 1600 items have no prediction and are left out",)
