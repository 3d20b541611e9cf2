"""From verdicts to items, and the numbers behind figures."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest

from affectcheck.behaviour import (
    Examined,
    PlannedTest,
    SuiteOptions,
    examine,
    figure_tables,
    items_behind,
    load_suites,
    plan,
)
from affectcheck.models.card import ModelCard
from affectcheck.predictions import make_predictions
from affectcheck.records import Verdict


def examined(names: list[str], world: Any, prediction: Any, perturbed: Any = None) -> tuple[Any, Any]:
    hearing = replace(prediction.card, media=("audio",))
    definitions = load_suites(names)
    keys = [one.key for one in plan(definitions, hearing, world.table).perturbations]
    options = SuiteOptions(resamples=20, perturbed=dict.fromkeys(keys, perturbed or prediction))
    planned = plan(definitions, prediction.card, world.table, options=options)
    return planned, examine(planned, None, world.table, prediction, options)


def first(found: Any, **wanted: str) -> Verdict:
    return next(
        v
        for v in found.verdicts
        if all(getattr(v, key, None) == value or getattr(v.place, key, None) == value for key, value in wanted.items())
    )


def test_wrong_items_of_a_class_and_a_group(speech: Any) -> None:
    planned, found = examined(
        ["correctness-classification", "fairness-sex"], speech, speech.predictions(speech.right(0.5))
    )
    classes, sex = planned.tests
    recall = items_behind(first(found, metric="recall", part="anger"), classes, found)
    assert set(recall.frame.get_column("truth")) == {"anger"}
    assert "anger" not in set(recall.frame.get_column("prediction"))
    precision = items_behind(first(found, metric="precision", part="anger"), classes, found)
    assert set(precision.frame.get_column("prediction")) == {"anger"}
    overall = items_behind(first(found, test="correctness-classification", metric="uar"), classes, found)
    wrong = int((speech.right(0.5) != speech.truth).sum())
    assert overall.frame.height == wrong
    assert overall.frame.get_column("group").null_count() == wrong
    women = items_behind(first(found, metric="uar_difference", group="female"), sex, found)
    assert set(women.frame.get_column("group")) == {"female"}
    assert women.perturbation == ""


def test_changed_items_of_a_perturbation(speech: Any) -> None:
    before, after = speech.predictions(speech.right(0.9)), speech.predictions(speech.right(0.8, key="other"))
    planned, found = examined(["robustness-gain"], speech, before, after)
    behind = items_behind(first(found, metric="unchanged"), planned.tests[0], found)
    assert behind.perturbation == planned.tests[0].perturbation.key
    assert (behind.frame.get_column("prediction") != behind.frame.get_column("perturbed")).all()
    rows = figure_tables(planned, found)["behaviour_changes"]["rows"]
    assert sum(row[3] for row in rows) == speech.table.height
    assert sum(row[3] for row in rows if row[1] != row[2]) == behind.frame.height


def test_values_are_sorted_by_their_error(affect: Any) -> None:
    planned, found = examined(["correctness-regression"], affect, affect.predictions(affect.near(0.2)))
    behind = items_behind(first(found, metric="ccc", part="valence"), planned.tests[0], found)
    sizes = behind.frame.get_column("size").to_list()
    assert sizes == sorted(sizes, reverse=True)
    assert min(sizes) >= 0.05
    apart = behind.frame.select((pl.col("truth").cast(float) - pl.col("prediction").cast(float)).abs()).to_series()
    assert apart.to_list() == pytest.approx(sizes)
    assert figure_tables(planned, found) == {}


def test_where_nothing_is_annotated_items_are_listed_as_they_are(speech: Any) -> None:
    prediction = speech.predictions(speech.right(0.9))
    bare = Examined((), {"": prediction}, replace(speech.table, targets={}))
    (definition,) = load_suites(["fairness-sex"])
    verdict = Verdict("fairness-sex", "fairness", "share", "failed")
    behind = items_behind(verdict, PlannedTest(definition), bare)
    assert behind.frame.height == speech.table.height
    assert behind.frame.get_column("size").null_count() == speech.table.height
    with pytest.raises(LookupError):
        items_behind(verdict, PlannedTest(definition), Examined(()))


def test_dimensions_without_a_column_have_no_truth(affect: Any) -> None:
    card = ModelCard("m", "dimensions", ("liking",), "value")
    prediction = make_predictions(affect.table.items, np.zeros((affect.table.height, 1)), card)
    (definition,) = load_suites(["correctness-regression"])
    planned = PlannedTest(definition, target=affect.table.target())
    verdict = Verdict("correctness-regression", "correctness", "ccc", "failed")
    verdict = replace(verdict, place=replace(verdict.place, part="liking"))
    behind = items_behind(verdict, planned, Examined((), {"": prediction}, affect.table))
    assert behind.frame.get_column("truth").null_count() == affect.table.height


def test_values_by_annotated_class_stand_over_their_bands(speech: Any) -> None:
    card = ModelCard("m", "dimensions", ("arousal", "dominance", "valence"), "value")
    values = np.tile([0.2, 0.5, 0.9], (speech.table.height, 1))
    prediction = make_predictions(speech.table.items, values, card)
    planned, found = examined(["correctness-consistency"], speech, prediction)
    rows = figure_tables(planned, found)["behaviour_expected"]["rows"]
    by_place = {(row[0], row[1]): row for row in rows}
    assert by_place["arousal", "sadness"][8:] == [0.0, 0.45, 1.0]
    assert by_place["valence", "sadness"][10] == 0.0
    assert by_place["arousal", "happiness"][8] is None
    assert by_place["arousal", "sadness"][7] == int((speech.truth == 3).sum())


def test_a_model_of_classes_is_asked_by_prototypes(speech: Any) -> None:
    sure = np.eye(4)[speech.truth]
    card = ModelCard("m", "categories", speech.labels, "probability")
    planned, found = examined(["correctness-consistency"], speech, make_predictions(speech.table.items, sure, card))
    assert {v.status for v in found.verdicts} == {"passed"}
    assert all(any("derived from class probabilities" in note for note in v.notes) for v in found.verdicts)
    rows = figure_tables(planned, found)["behaviour_expected"]["rows"]
    assert {(row[0], row[1]): row[4] for row in rows}["arousal", "sadness"] == pytest.approx(0.25)
    labels = make_predictions(speech.table.items, sure, replace(card, output="label"))
    _, same = examined(["correctness-consistency"], speech, labels)
    assert [v.value for v in same.verdicts] == [v.value for v in found.verdicts]
    published = plan(
        load_suites(["correctness-consistency"]), card, speech.table, options=SuiteOptions(mode="published")
    )
    assert published.tests[0].reason == "the test has no task for categories"
    scores = replace(card, output="score")
    assert not plan(load_suites(["correctness-consistency"]), scores, speech.table).tests[0].applies


def test_classes_without_a_prototype_say_nothing(speech: Any) -> None:
    from affectcheck.behaviour.prototypes import derived

    (definition,) = load_suites(["correctness-consistency"])
    card = ModelCard("m", "categories", ("contempt", "sadness"), "probability")
    values = derived(make_predictions(["a", "b"], np.array([[1.0, 0.0], [0.9, 0.1]]), card), definition.task[0])
    assert values.frame.row(0) == ("a", 0.45, 0.45, 0.45)
    assert values.frame.row(1) == ("b", 0.25, 0.25, 0.25)


@pytest.mark.parametrize("mode", ["corrected", "published"])
def test_values_out_of_the_expected_range(speech: Any, mode: Any) -> None:
    card = ModelCard("m", "dimensions", ("arousal", "dominance", "valence"), "value")
    values = np.tile([0.5, 0.5, 0.5], (speech.table.height, 1))
    values[::2, 0] = 0.9
    prediction = make_predictions(speech.table.items, values, card)
    definitions = load_suites(["correctness-consistency"])
    options = SuiteOptions(mode=mode, resamples=20)
    planned = plan(definitions, card, speech.table, options=options)
    found = examine(planned, None, speech.table, prediction, options)
    behind = items_behind(first(found, part="arousal sadness"), planned.tests[0], found)
    assert behind.frame.height == int((speech.truth == 3).sum())
    sizes = behind.frame.get_column("size").to_list()
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] == pytest.approx(0.45)
    assert set(behind.frame.get_column("truth")) == {"sadness"}
    with pytest.raises(LookupError):
        items_behind(first(found, part="arousal sadness"), planned.tests[0], Examined(()))
