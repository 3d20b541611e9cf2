"""What applies, what does not and why, and what it costs."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from typing import Any

import polars as pl
import pytest

from affectcheck.behaviour import SuiteOptions, load_suites, plan, run, suite_names
from affectcheck.behaviour.parsing import parse_definition
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.schemes import Target, scheme


def reasons(card: Any, table: Any, **options: Any) -> dict[str, str]:
    planned = plan(load_suites(suite_names()), card, table, options=SuiteOptions(**options))
    return {test.definition.name: test.reason for test in planned.tests}


def test_a_plan_names_tests_perturbations_and_cost(speech: Any) -> None:
    wanted = [
        "correctness-classification", "correctness-regression", "fairness-sex", "robustness-gain",
        "robustness-white-noise",
    ]  # fmt: skip
    planned = plan(load_suites(wanted), speech.card(media=("audio",)), speech.table)
    assert [test.definition.name for test in planned.tests if test.applies] == [
        "correctness-classification",
        "fairness-sex",
        "robustness-gain",
        "robustness-white-noise",
    ]
    assert [one.augmentation.key for one in planned.perturbations] == [
        "gain(gain_db=-2.0/-1.0/1.0/2.0)",
        "white-noise(snr_db=20.0,keep_level=True,snr_over=clip)",
    ]
    assert planned.predictions == 2 * 1600
    assert planned.target.name == "expression"
    assert (planned.mode, planned.data, planned.items) == ("corrected", "made", 1600)
    text = str(planned)
    assert "correctness-regression: not applicable: the test has no task for categories" in text
    assert "(3200 predictions)" in text
    alone = plan(load_suites(["correctness"]), speech.card(), speech.table)
    assert "perturbed prediction sets: none (0 predictions)" in str(alone)


def test_the_seed_is_part_of_a_perturbation(speech: Any) -> None:
    card = speech.card(media=("audio",))
    keys = {
        plan(load_suites(["robustness-gain"]), card, speech.table, options=SuiteOptions(seed=s)).perturbations[0].key
        for s in (0, 1)
    }
    assert len(keys) == 2


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        (
            {"kind": "dimensions", "parts": ("arousal",)},
            "the model predicts dimensions, the target 'expression' is categories",
        ),
        ({"parts": ("anger", "boredom")}, "model and target share fewer than two of the tested classes"),
    ],
)
def test_models_of_another_kind_or_label_set(speech: Any, changes: Any, expected: str) -> None:
    assert reasons(speech.card(**changes), speech.table)["correctness-classification"] == expected


def test_dimensions_must_be_shared(affect: Any) -> None:
    found = reasons(affect.card(parts=("amusement",)), affect.table)
    assert found["correctness-regression"] == "model and target share none of the tested dimensions"


def test_units_have_no_behaviour_tests(speech: Any) -> None:
    frame = speech.table.frame.with_columns(pl.lit(1, dtype=pl.Int8).alias("AU1"))
    table = speech.with_frame(frame, targets={"units": Target("units", scheme("au-12-affwild2"))}).table
    found = reasons(speech.card(kind="units", parts=("AU1",)), table)
    of_speech = {reason for name, reason in found.items() if not name.startswith("face-")}
    assert of_speech == {"the test has no task for units"}


def test_robustness_takes_a_model_that_hears_and_media(speech: Any) -> None:
    deaf = reasons(speech.card(media=()), speech.table)
    assert deaf["robustness-gain"] == "the model takes no audio: perturbed sound would not reach it"
    assert deaf["correctness-classification"] == ""
    for frame in (
        speech.table.frame.drop("media"),
        speech.table.frame.with_columns(media=pl.lit(None, dtype=pl.String)),
    ):
        silent = replace(speech.table, frame=frame)
        found = reasons(speech.card(media=("audio",)), silent)
        assert found["robustness-gain"] == "the table names no media files that could be perturbed"


def test_predictions_that_are_there_need_no_model_that_hears(speech: Any) -> None:
    prediction = speech.predictions(speech.right(0.9), media=())
    hearing = plan(load_suites(["robustness-gain"]), speech.card(media=("audio",)), speech.table)
    options = SuiteOptions(perturbed={one.key: prediction for one in hearing.perturbations})
    planned = plan(load_suites(["robustness-gain"]), prediction.card, speech.table, options=options)
    assert planned.tests[0].applies


def test_group_columns_other_columns_and_sizes(speech: Any) -> None:
    table = replace(speech.table, groups=())
    assert reasons(speech.card(), table)["fairness-sex"] == "the table has no group column sex or gender"
    (definition,) = load_suites(["correctness-classification"])
    data = definition.data
    for changed, expected in (
        (data.model_copy(update={"columns": ("dialect",)}), "the table has no column 'dialect'"),
        (data.model_copy(update={"minimum_items": 5000}), "1600 items, the test takes 5000"),
    ):
        strict = definition.model_copy(update={"data": changed})
        assert plan([strict], speech.card(), speech.table).tests[0].reason == expected


def test_what_does_not_apply_is_a_verdict_with_its_reason(speech: Any, outcome: Any) -> None:
    found = outcome(["correctness-regression"], speech, speech.predictions(speech.right(0.9)))
    (verdict,) = found.verdicts
    assert (verdict.status, verdict.metric) == ("not applicable", "all")
    assert verdict.reason == "the test has no task for categories"
    assert verdict.family == "correctness"


def test_targets_are_chosen_by_name(speech: Any) -> None:
    with pytest.raises(UnknownNameError, match="unknown target 'feeling'"):
        plan(load_suites(["correctness"]), speech.card(), speech.table, options=SuiteOptions(target="feeling"))


def test_unknown_modes_are_refused(speech: Any) -> None:
    with pytest.raises(UnknownNameError, match="unknown mode 'lenient'"):
        plan(load_suites(["correctness"]), speech.card(), speech.table, options=SuiteOptions(mode="lenient"))  # type: ignore[arg-type]


def test_options_default_to_the_mode_of_the_plan(speech: Any) -> None:
    prediction = speech.predictions(speech.right(0.9))
    planned = plan(
        load_suites(["correctness-classification"]),
        prediction.card,
        speech.table,
        options=SuiteOptions(mode="published"),
    )
    assert {one.mode for one in run(planned, None, speech.table, prediction)} == {"published"}


def test_the_random_model_can_be_left_out(speech: Any, outcome: Any) -> None:
    found = outcome("correctness-classification", speech, speech.predictions(speech.right(0.9)), baseline=False)
    assert all(one.baseline is None for one in found.verdicts)


def test_tables_without_a_name_are_known_by_their_digest(speech: Any, outcome: Any) -> None:
    world = speech.with_frame(speech.table.frame, name="")
    found = outcome("correctness-classification", world, speech.predictions(speech.right(0.9)))
    assert found.verdicts[0].data == speech.table.digest[:12]


LIMITED = """
name = "mine"
family = "correctness"
kind = "classification"
title = "Mine"
question = "Is it mine?"
source = "mine"
reference = { kind = "truth" }
[[task]]
kind = "categories"
classes = ["lust"]
[[task.comparison]]
metric = "recall"
per = "class"
rule = "gt"
limit = 0.5
limits = { %s = 0.4 }
"""


@pytest.mark.parametrize("name", ["anger", "contempt", "lust"])
def test_limits_are_those_of_classes_that_data_model_test_or_another_scheme_has(name: str, speech: Any) -> None:
    assert plan([parse_definition(tomllib.loads(LIMITED % name))], speech.card(), speech.table).tests[0].applies


@pytest.mark.parametrize("name", ["angr", "angry", "Anger"])
def test_limits_of_a_class_that_nothing_has_are_refused(name: str, speech: Any) -> None:
    definition = parse_definition(tomllib.loads(LIMITED % name))
    with pytest.raises(UnknownNameError, match=f"unknown part of the categories '{name}'") as caught:
        plan([definition], speech.card(), speech.table)
    assert "did you mean 'anger'" in str(caught.value)
    assert caught.value.where == "test 'mine', limits of recall"


def test_limits_are_checked_against_units_and_dimensions_too(affect: Any) -> None:
    told = LIMITED.replace('"categories"', '"dimensions"').replace('classes = ["lust"]', "")
    told = told.replace('"recall"', '"ccc"').replace('per = "class"', "").replace('"classification"', '"regression"')
    assert plan([parse_definition(tomllib.loads(told % "arousal"))], affect.card(), affect.table).tests[0].applies
    with pytest.raises(UnknownNameError, match="unknown part of the dimensions 'arousel'"):
        plan([parse_definition(tomllib.loads(told % "arousel"))], affect.card(), affect.table)


def test_one_value_of_all_classes_has_no_limits_of_single_ones() -> None:
    told = LIMITED.replace('"recall"', '"uar"').replace('per = "class"', "") % "anger"
    with pytest.raises(InputError, match="uar has no limits of single categories: it is one value"):
        parse_definition(tomllib.loads(told))
