"""What each expectation of the 24 worked examples asks of us: a metric and convention, or nothing, with the reason."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

#: expected key -> metric and keywords; what the key's convention or rule is, in our words.
KEYS: dict[str, tuple[str, dict[str, str]]] = {
    "global_f1": ("f1_macro", {}),
    "global_f1_all_rows": ("f1_macro", {}),
    "local_f1_paper_all_classes": ("local_f1", {}),
    "local_f1_union_of_present": ("local_f1", {"undefined": "seen"}),
    "local_f1_empty_skipped": ("local_f1", {}),
    "sp_over_present_groups_mean": ("sp", {}),
    "eop_over_present_groups_mean": ("eop", {}),
    "sp_paper_mean": ("sp", {}),
    "sp_total_variation": ("sp", {"convention": "tables"}),
    "sp": ("sp", {}),
    "eop": ("eop", {}),
    "eop_paper_mean": ("eop", {}),
    "eop_skip_missing_rows": ("eop", {}),
    "eop_paper_uniform_rows": ("eop", {"undefined": "uniform"}),
    "eop_total_variation": ("eop", {"convention": "tables"}),
    "eop_total_variation_uniform_rows": ("eop", {"convention": "tables"}),
    "eop_tv_uniform_rows": ("eop", {"convention": "tables"}),
    "eop_tv_skip": ("eop", {"convention": "tables", "undefined": "common-rows"}),
    "upstream_f1_fair": ("local_f1", {"convention": "upstream"}),
    "upstream_sp": ("sp", {"convention": "upstream"}),
    "holisticai_eop": ("eop", {"convention": "tables"}),
}
#: The same of action units; a unit's name after the last underscore asks for that unit alone.
UNIT_KEYS: dict[str, tuple[str, dict[str, str]]] = {
    "global_f1": ("unit_f1", {}),
    "global_f1_ignored_removed": ("unit_f1", {}),
    "global_f1_undefined_as_0": ("unit_f1", {}),
    "global_f1_undefined": ("unit_f1", {"undefined": "propagate"}),
    "local_f1_ignored_removed": ("unit_local_f1", {}),
    "local_f1_undefined_as_0": ("unit_local_f1", {}),
    "eod": ("eod", {}),
    "eod_skip_undefined": ("eod", {}),
    "eod_tpr0": ("eod", {"convention": "tables"}),
    "dpd": ("dpd", {}),
    "dpd_ignored_removed": ("dpd", {}),
    "upstream_global": ("unit_f1", {"convention": "upstream"}),
    "upstream_global_f1": ("unit_f1", {"convention": "upstream"}),
    "upstream_local_f1": ("unit_local_f1", {"convention": "upstream"}),
    "upstream_f1_fair": ("unit_local_f1", {"convention": "tables"}),
    "upstream_dpd": ("dpd", {"convention": "upstream"}),
    "upstream_vendored_fairlearn": ("eod", {"convention": "tables"}),
    "fairlearn_mean_over_au": ("eod", {"convention": "tables"}),
    "fairlearn_eod": ("eod", {"convention": "tables"}),
    "fairlearn_dpd": ("dpd", {}),
    "torchmetrics_binary": ("unit_f1", {}),
}
#: Readings that we do not take, each with the reason.
NOT_OURS = {
    "global_f1_minus1_as_negative": "what is unknown is not absent",
    "dpd_all_frames": "the rates of a unit are of the items where it is known",
    "ccc_sample": "moments are of the population, as in both papers' readings",
    "local_f1_absent_counts_1": "an absent class as 1 rewards small groups",
    "local_f1_truth_only": "a class that is wrongly predicted is part of the mean",
    "local_f1_empty_as_zero": "a group that nobody belongs to is no group",
    "eop_paper_zero_rows": "a zero-filled row is a difference that no sample supports",
    "eop_literal_double_sum_zero_rows": "the same, each pair twice",
    "eop_paper_literal": "each pair twice: checked as twice the mean",
    "sp_paper_literal": "each pair twice: checked as twice the mean",
}
#: Expectations that a test of their own checks, below or where thresholds are chosen.
OWN_TESTS: dict[str, frozenset[str]] = {
    "unknown_demographics": frozenset(
        f"{name}_{attribute}"
        for name, attribute in (
            ("sp_gender", "unknown_dropped"),
            ("sp_gender", "unknown_as_group"),
            ("sp_race", "unknown_dropped"),
            ("local_f1_gender", "unknown_dropped"),
            ("local_f1_gender", "unknown_as_group"),
            ("local_f1_race", "dropped"),
            ("coverage", "gender"),
            ("coverage", "race"),
        )
    ),
    "nan_group_value": frozenset({"local_f1_missing_dropped", "local_f1_missing_dropped_union"}),
    "au_threshold_on_validation": frozenset(
        {
            "valid_best_f1",
            "first_best_threshold",
            "tied_thresholds",
            "test_f1_at_valid_threshold",
            "test_f1_oracle_threshold",
            "test_f1_fixed_0_5",
            "per_au_thresholds",
            "test_f1_per_au_thresholds",
        }
    ),
    **dict.fromkeys(
        ("ccc_population_vs_sample", "ccc_constant_prediction", "ccc_constant_both_equal", "ccc_float32_eps"),
        frozenset({"ccc_population"}),
    ),
    "ccc_single_sample_subgroup": frozenset(
        {"ccc_a", "ccc_b_population", "ccc_b_if_exact_hit", "local_ccc_b_counts_0", "local_ccc_skip_n_below_2"}
    ),
    "ccc_nan_prediction": frozenset({"ccc_reject_nan", "ccc_pairs_without_nan"}),
    "va_missing_target": frozenset({"ccc_v", "ccc_a", "ccc_va"}),
}


def examples(shared_data, task: str) -> list[dict[str, Any]]:
    found = json.loads((shared_data / "cases" / "worked-examples.json").read_text())["examples"]
    return [example for example in found if example["inputs"]["task"] == task]


def assert_value(value: float, expected: dict[str, Any], where: str) -> None:
    if expected["value"] is None:
        assert np.isnan(value), where
        return
    exact = float(Fraction(expected["exact"])) if "exact" in expected else expected["value"]
    assert value == pytest.approx(exact, abs=1e-12), where


def unit_key(key: str) -> tuple[str, str] | None:
    """A key of ``UNIT_KEYS`` and the unit that it is asked of; no unit for the mean."""
    whole, _, unit = key.rpartition("_")
    if key in UNIT_KEYS:
        return key, ""
    return (whole, unit) if whole in UNIT_KEYS and unit.startswith("AU") else None
