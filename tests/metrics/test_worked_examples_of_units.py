"""The worked examples of action units, in every convention."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from affectcheck.metrics import METRICS
from affectcheck.tallies import Units
from worked_examples import NOT_OURS, UNIT_KEYS, assert_value, examples, unit_key

pytestmark = pytest.mark.shared


def units_by_group(inputs: dict[str, Any]) -> Units:
    """Counts of units by group; a group that is declared has its place, whether it occurs or not."""
    truth, prediction = (np.array(inputs[f"y_{side}_by_au"]).T for side in ("true", "pred"))
    cells = [inputs["groups"].index(group) for group in inputs["group"]]
    return Units.count(truth, prediction, cells=cells, n_cells=len(inputs["groups"]))


def test_examples_of_units(shared_data):
    checked = set()
    for example in examples(shared_data, "AU"):
        inputs = example["inputs"]
        if "group" not in inputs:
            continue
        groups = units_by_group(inputs)
        for key, expected in (example["expected"] | example["observed_upstream_and_peers"]).items():
            if unit_key(key) is None:
                assert key in NOT_OURS, key
                continue
            whole, unit = unit_key(key)
            name, options = UNIT_KEYS[whole]
            metric = METRICS.get(name)
            tally = groups if metric.level == "disparity" else groups.pooled(0)
            if unit:
                value = metric.parts(tally, **options)[inputs["au_names"].index(unit)]
            else:
                value = metric.compute(tally, **options)
            assert_value(float(value), expected, f"{example['id']}: {key}")
            checked.add((example["id"], key))
    assert len(checked) == 29


def test_conventions_agree_on_units_where_all_is_defined(shared_data):
    (example,) = [e for e in examples(shared_data, "AU") if e["id"] == "eod_dpd_three_groups"]
    groups = units_by_group(example["inputs"])
    for name in ("unit_f1", "unit_local_f1", "eod", "dpd"):
        metric = METRICS.get(name)
        tally = groups if metric.level == "disparity" else groups.pooled(0)
        values = {convention: float(metric.compute(tally, convention=convention)) for convention in metric.conventions}
        assert len(set(values.values())) == 1, (name, values)


def test_what_is_left_out_of_units_is_told(shared_data):
    found = {example["id"]: units_by_group(example["inputs"]) for example in examples(shared_data, "AU")[:3]}
    eod, local = METRICS.get("eod"), METRICS.get("unit_local_f1")
    lacking = found["eod_no_positives_in_group"]
    assert eod.notes(lacking, ("AU1", "AU2"), ("a", "b")) == (
        "group 'b': AU1 (n = 4) never present",
        "left out, with fewer than two groups: AU1",
    )
    assert eod.undefined_parts(lacking) == 2
    absent = found["au_no_positive_anywhere"]
    assert METRICS.get("unit_f1").notes(absent.pooled(0), ("AU20",)) == ("AU20: never present, never predicted",)
    assert local.undefined_parts(absent) == 2
    assert np.isnan(eod.compute(absent))
    assert "group 'a': AU20 (n = 2) never present" in eod.reason(absent, ("AU20",), ("a", "b"))


def decided_f1(scores: np.ndarray, truth: np.ndarray, threshold: float | tuple[float, ...]) -> float:
    return float(METRICS.get("unit_f1").compute(Units.count(truth, scores >= np.asarray(threshold))))


def test_scores_of_units_at_thresholds(shared_data):
    (example,) = [e for e in examples(shared_data, "AU") if e["id"] == "au_threshold_on_validation"]
    inputs, expected = example["inputs"], example["expected"]
    scores, truth = np.array(inputs["scores_test"]), np.array(inputs["y_test"])
    on_validation = [
        decided_f1(np.array(inputs["scores_valid"]), np.array(inputs["y_valid"]), t) for t in inputs["grid"]
    ]
    best = inputs["grid"][int(np.argmax(on_validation))]
    tied = [t for t, f1 in zip(inputs["grid"], on_validation, strict=True) if f1 == max(on_validation)]
    per_unit = tuple(float(text) for text in expected["per_au_thresholds"]["error"].split(", "))
    assert_value(max(on_validation), expected["valid_best_f1"], "best on validation")
    assert_value(best, expected["first_best_threshold"], "its threshold")
    assert ", ".join(map(str, tied)) == expected["tied_thresholds"]["error"]
    assert_value(decided_f1(scores, truth, best), expected["test_f1_at_valid_threshold"], "common")
    assert_value(decided_f1(scores, truth, 0.5), expected["test_f1_fixed_0_5"], "fixed")
    assert_value(decided_f1(scores, truth, per_unit), expected["test_f1_per_au_thresholds"], "each unit its own")
    oracle = max(decided_f1(scores, truth, t) for t in inputs["grid"])
    assert_value(oracle, expected["test_f1_oracle_threshold"], "chosen on the test set itself, which is no result")
