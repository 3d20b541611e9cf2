"""Which tests apply to which tables, and what is said where they do not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import polars as pl
import pytest

from affectcheck.behaviour import SuiteOptions, load_suites, plan
from affectcheck.behaviour.applicability import target_of
from affectcheck.models.card import ModelCard
from affectcheck.schemes import Target, scheme
from made_definitions import PERTURBATION, made_definition

DIMENSIONAL = ModelCard("m", "dimensions", ("arousal", "dominance", "valence"), "value")


def reason(name: Any, card: ModelCard, table: Any, **options: Any) -> str:
    definitions = load_suites([name]) if isinstance(name, str) else [name]
    (planned,) = plan(definitions, card, table, options=SuiteOptions(**options)).tests
    return planned.reason


def test_values_are_expected_of_annotated_classes(speech: Any, affect: Any) -> None:
    assert reason("correctness-consistency", DIMENSIONAL, speech.table) == ""
    assert reason("correctness-consistency", speech.card(), speech.table) == "the test has no task for categories"
    assert "no annotated classes" in reason("correctness-consistency", DIMENSIONAL, affect.table)
    other = replace(DIMENSIONAL, parts=("liking",))
    assert "none of the tested dimensions" in reason("correctness-consistency", other, speech.table)
    units = Target("units", scheme("au-12-affwild2"))
    both = replace(speech.table, targets={"units": units, **speech.table.targets})
    (definition,) = load_suites(["correctness-consistency"])
    assert target_of(definition, both, None) == speech.table.target()
    assert target_of(definition, replace(both, targets={"units": units}), None) == units


def test_classes_of_which_nothing_is_expected(speech: Any) -> None:
    from affectcheck.schemes import CategoryScheme

    target = Target("expression", CategoryScheme("moods", ("bored stiff", "elated")))
    table = replace(speech.table, targets={"expression": target})
    assert reason("correctness-consistency", DIMENSIONAL, table) == "no class of 'expression' has an expected range"


def test_tables_without_labels(speech: Any) -> None:
    bare = replace(speech.table, targets={})
    assert reason("correctness-classification", speech.card(), bare) == "the table has no labels"
    assert reason("correctness-consistency", DIMENSIONAL, bare) == "the table has no labels"
    assert reason(made_definition(), DIMENSIONAL, bare) == ""
    other = replace(DIMENSIONAL, parts=("liking",))
    assert reason(made_definition(), other, bare) == "the model predicts none of the tested dimensions"
    assert plan([made_definition()], DIMENSIONAL, bare).target is None


def test_tests_without_labels_take_a_model_of_any_kind(speech: Any) -> None:
    assert reason(made_definition(), DIMENSIONAL, speech.table) == ""


def test_group_tests_name_the_column_they_lack(speech: Any) -> None:
    within = made_definition(
        kind="group shift", groups={"columns": ["sex"], "within": "sentiment"}, reference={"kind": "mean over groups"}
    )
    assert reason(within, DIMENSIONAL, speech.table) == "the table has no column 'sentiment'"
    groups = {"bins": {"column": "snr_db", "edges": [0, 10, 20], "names": ["low", "high"]}}
    assert reason(made_definition(groups=groups), DIMENSIONAL, speech.table) == "the table has no group column snr_db"
    with_column = replace(speech.table, frame=speech.table.frame.with_columns(snr_db=pl.lit(5.0)))
    assert reason(made_definition(groups=groups), DIMENSIONAL, with_column) == ""


def test_pitch_is_measured_where_there_is_sound(speech: Any) -> None:
    card = speech.card()
    (planned,) = plan(load_suites(["fairness-pitch"]), card, speech.table).tests
    assert (planned.reason, planned.pitch, planned.attribute) == ("", True, "f0_hz")
    assert "fundamental frequency: measured on 1600 items" in str(
        plan(load_suites(["fairness-pitch"]), card, speech.table)
    )
    silent = replace(speech.table, frame=speech.table.frame.drop("media"))
    assert "no sound that it could be measured on" in reason("fairness-pitch", card, silent)
    known = replace(silent, frame=silent.frame.with_columns(f0_hz=pl.lit(120.0)))
    (planned,) = plan(load_suites(["fairness-pitch"]), card, known).tests
    assert (planned.reason, planned.pitch) == ("", False)


def test_speakers_must_be_known(speech: Any) -> None:
    table = replace(speech.table, frame=speech.table.frame.drop("subject"))
    assert "does not say who speaks" in reason("correctness-speaker-average", speech.card(), table)


def test_sounds_that_nobody_has_stated(speech: Any) -> None:
    task = {"kind": "categories", "comparison": [{"metric": "uar", "rule": "gt", "limit": -0.05}]}
    cough = made_definition(**PERTURBATION, perturbation={"augmentation": "cough"}, task=[task])
    found = reason(cough, speech.card(media=("audio",)), speech.table)
    assert "no cough recordings" in found
    assert "--sounds" in found


def test_a_sample_is_planned_as_one(speech: Any) -> None:
    (definition,) = load_suites(["robustness-gain"])
    few = definition.model_copy(update={"data": definition.data.model_copy(update={"maximum_items": 10})})
    card = speech.card(media=("audio",))
    planned = plan([few], card, speech.table, options=SuiteOptions(reruns=1))
    assert planned.tests[0].items is not None
    assert len(planned.tests[0].items) == 10
    assert planned.predictions == 20
    assert planned.items_of(planned.perturbations[0].key) == frozenset(planned.tests[0].items)
    assert "draw 2" in str(planned)
    both = plan([few, definition.model_copy(update={"name": "again"})], card, speech.table)
    assert both.items_of(both.perturbations[0].key) is None


def test_a_random_perturbation_is_drawn_again_and_a_fixed_one_is_not(speech: Any) -> None:
    (planned,) = plan(load_suites(["robustness-gain"]), speech.card(media=("audio",)), speech.table).tests
    again = planned.drawn_again(2)
    assert again is not None
    assert again.repetition == 2
    assert planned.changes(2)[1:] == (planned.drawn_again(1), planned.drawn_again(2))
    assert replace(planned, perturbation=None).drawn_again(1) is None


@pytest.mark.parametrize("name", ["robustness-tilt-up", "robustness-tilt-down"])
def test_tilts_draw_nothing(speech: Any, name: str) -> None:
    (planned,) = plan(load_suites([name]), speech.card(media=("audio",)), speech.table).tests
    assert planned.drawn_again(1) is None
