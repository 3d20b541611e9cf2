"""The 24 worked examples with exact fractions, in every convention; what is no metric of ours is named with why."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from affectcheck.metrics import CONVENTIONS, METRICS
from affectcheck.tallies import Confusion, Moments
from worked_examples import KEYS, NOT_OURS, OWN_TESTS, assert_value, examples, unit_key

pytestmark = pytest.mark.shared


def by_group(inputs: dict[str, Any], column: str = "group", left_out: tuple[Any, ...] = (None,)) -> Confusion:
    """Counts by group, items of an unknown group left out."""
    values = inputs[column]
    names = sorted({value for value in values if value not in left_out} | set(inputs.get("groups", ())))
    kept = [row for row, value in enumerate(values) if value not in left_out]
    return Confusion.count(
        np.array(inputs["y_true"])[kept],
        np.array(inputs["y_pred"])[kept],
        labels=len(inputs["classes"]),
        cells=[names.index(values[row]) for row in kept],
        n_cells=len(names),
    )


def test_examples_of_categories(shared_data):
    checked = 0
    for example in examples(shared_data, "EXPR"):
        inputs = example["inputs"]
        if "group" not in inputs:
            continue
        groups = by_group(inputs)
        for key, expected in (example["expected"] | example["observed_upstream_and_peers"]).items():
            if key not in KEYS:
                continue
            name, options = KEYS[key]
            metric = METRICS.get(name)
            tally = groups if metric.level == "disparity" else groups.pooled(0)
            assert_value(float(metric.compute(tally, **options)), expected, f"{example['id']}: {key}")
            checked += 1
    assert checked >= 35


def test_no_expectation_is_passed_over_in_silence(shared_data):
    known = {*KEYS, *NOT_OURS}
    found = [example for task in ("EXPR", "AU", "VA") for example in examples(shared_data, task)]
    assert len(found) == 24
    for example in found:
        own = OWN_TESTS.get(example["id"], frozenset())
        of_units = {key for key in example["expected"] if example["inputs"]["task"] == "AU" and unit_key(key)}
        assert set(example["expected"]) <= {*known, *own, *of_units}, example["id"]


def test_the_printed_double_sum_is_twice_the_mean(shared_data):
    checked = 0
    for example in examples(shared_data, "EXPR"):
        for key, expected in example["expected"].items():
            if key in ("eop_paper_literal", "sp_paper_literal"):
                value = METRICS.get(key[: key.index("_")]).compute(by_group(example["inputs"]))
                assert 2 * value == pytest.approx(expected["value"], abs=1e-12)
                checked += 1
    assert checked == 4


def test_items_of_unknown_group_are_left_out_of_that_attribute_alone(shared_data):
    (example,) = [e for e in examples(shared_data, "EXPR") if e["id"] == "unknown_demographics"]
    inputs, expected = example["inputs"], example["expected"]
    sp, local_f1 = METRICS.get("sp").compute, METRICS.get("local_f1").compute
    gender, race = by_group(inputs, "gender", ("Unsure",)), by_group(inputs, "race", ("Other",))
    assert_value(float(sp(gender)), expected["sp_gender_unknown_dropped"], "sp gender")
    assert_value(float(sp(by_group(inputs, "gender"))), expected["sp_gender_unknown_as_group"], "sp all")
    assert_value(float(sp(race)), expected["sp_race_unknown_dropped"], "sp race")
    assert_value(float(local_f1(gender)), expected["local_f1_gender_unknown_dropped"], "lf1 gender")
    assert_value(float(local_f1(by_group(inputs, "gender"))), expected["local_f1_gender_unknown_as_group"], "lf1 all")
    assert_value(float(local_f1(race)), expected["local_f1_race_dropped"], "lf1 race")
    pooled = Confusion.count(inputs["y_true"], inputs["y_pred"], labels=2)
    assert_value(float(METRICS.get("f1_macro").compute(pooled)), expected["global_f1_all_rows"], "f1")
    assert gender.support.sum() / 6 == pytest.approx(expected["coverage_gender"]["value"])
    assert race.support.sum() / 6 == pytest.approx(expected["coverage_race"]["value"])


def test_items_without_a_group_are_left_out(shared_data):
    (example,) = [e for e in examples(shared_data, "EXPR") if e["id"] == "nan_group_value"]
    groups, local_f1 = by_group(example["inputs"]), METRICS.get("local_f1").compute
    assert_value(float(local_f1(groups)), example["expected"]["local_f1_missing_dropped"], "declared")
    seen = float(local_f1(groups, undefined="seen"))
    assert_value(seen, example["expected"]["local_f1_missing_dropped_union"], "seen")


def test_examples_of_dimensions(shared_data):
    found = {example["id"]: example for example in examples(shared_data, "VA")}
    ccc = METRICS.get("ccc")
    for name in ("ccc_population_vs_sample", "ccc_constant_prediction", "ccc_constant_both_equal", "ccc_float32_eps"):
        inputs, expected = found[name]["inputs"], found[name]["expected"]
        tally = Moments.of(inputs["y_true"], inputs["y_pred"])
        assert_value(float(ccc.compute(tally)), expected["ccc_population"], name)
        public = found[name]["observed_upstream_and_peers"]
        observed = public.get("upstream_CCC_val", public.get("upstream_CCC_val_float32"))["value"]
        value = float(ccc.compute(tally, convention="upstream"))
        # The public code computes in float32.
        assert np.isnan(value) if observed is None else value == pytest.approx(observed, abs=2e-7)


def test_a_group_of_one_item_has_no_ccc(shared_data):
    (example,) = [e for e in examples(shared_data, "VA") if e["id"] == "ccc_single_sample_subgroup"]
    inputs, expected = example["inputs"], example["expected"]
    cells = [inputs["groups"].index(group) for group in inputs["group"]]
    tally = Moments.of(inputs["y_true"], inputs["y_pred"], cells=cells)
    ccc, local_ccc = METRICS.get("ccc").compute, METRICS.get("local_ccc")
    assert_value(float(ccc(tally[0])), expected["ccc_a"], "a")
    assert_value(float(ccc(tally[1], convention="upstream")), expected["ccc_b_population"], "b")
    assert_value(float(local_ccc.compute(tally)), expected["local_ccc_skip_n_below_2"], "skip")
    assert_value(float(local_ccc.compute(tally, undefined="zero")), expected["local_ccc_b_counts_0"], "zero")
    hit = Moments.of([0.6], [0.6])
    for convention in CONVENTIONS:
        assert_value(float(ccc(hit, convention=convention)), expected["ccc_b_if_exact_hit"], convention)
    assert local_ccc.undefined_parts(tally) == 1
    observed = example["observed_upstream_and_peers"]["upstream_local"]["value"]
    assert float(local_ccc.compute(tally, convention="upstream")) == pytest.approx(observed, abs=2e-7)


def test_each_dimension_has_its_own_mask(shared_data):
    (example,) = [e for e in examples(shared_data, "VA") if e["id"] == "va_missing_target"]
    inputs, expected = example["inputs"], example["expected"]
    sides = ("y_true_valence", "y_true_arousal"), ("y_pred_valence", "y_pred_arousal")
    truth, prediction = (np.array([inputs[name] for name in side], dtype=float).T for side in sides)
    tally = Moments.of(truth, prediction)
    parts = METRICS.get("ccc").parts(tally)
    assert_value(float(parts[0]), expected["ccc_v"], "v")
    assert_value(float(parts[1]), expected["ccc_a"], "a")
    for name in ("ccc", "p_va"):
        assert_value(float(METRICS.get(name).compute(tally)), expected["ccc_va"], name)
    assert tally.unknown.tolist() == [1, 2]


def test_a_prediction_that_is_not_a_number_is_refused(shared_data):
    (example,) = [e for e in examples(shared_data, "VA") if e["id"] == "ccc_nan_prediction"]
    inputs = example["inputs"]
    prediction = np.array(inputs["y_pred"], dtype=float)
    with pytest.raises(ValueError, match="row 1"):
        Moments.of(inputs["y_true"], prediction)
    kept = ~np.isnan(prediction)
    pairs = METRICS.get("ccc").compute(Moments.of(np.array(inputs["y_true"])[kept], prediction[kept]))
    assert_value(float(pairs), example["expected"]["ccc_pairs_without_nan"], "pairs")
