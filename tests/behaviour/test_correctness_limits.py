"""Limits, rules and sets of the correctness tests are those that were published."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from affectcheck.behaviour import load_suite

if TYPE_CHECKING:
    from pathlib import Path

#: Published metric to ours, where both have one test.
METRICS = {
    "Class Proportion Mean Absolute Error": "mae",
    "Class Proportion Mean Directional Error": "mde",
    "Concordance Correlation Coeff": "ccc",
    "Jensen-Shannon Distance": "jsd",
    "Mean Absolute Error": "mae",
    "Mean Directional Error": "mde",
    "Mean Value": "mean",
    "Pearson Correlation Coeff": "pcc",
    "Precision Bottom 25%": "precision_bottom",
    "Precision Top 25%": "precision_top",
    "Precision per Class": "precision",
    "Recall per Class": "recall",
    "Relative Difference Per Class": "share",
    "Samples in Expected High Range": "in_range",
    "Samples in Expected Low Range": "in_range",
    "Samples in Expected Neutral Range": "in_range",
    "Spearmans Rho": "spearman",
    "Top-Bottom Confusions": "top_bottom_confusions",
    "Unweighted Average Precision": "uap",
    "Unweighted Average Recall": "uar",
}
#: Words of the published tables' names to ours.
SETS = {
    "crema-d": "CREMA-D",
    "danish-emotional-speech": "DES",
    "emodb": "EmoDB",
    "emovo": "EMOVO",
    "iemocap": "IEMOCAP",
    "meld": "MELD",
    "polish-emotional-speech": "PESD",
    "ravdess": "RAVDESS",
}
RULES = {"mde": "abs_lt", "mae": "lt", "jsd": "lt", "mean": "abs_lt", "share": "abs_lt", "top_bottom_confusions": "lt"}


def ours(name: str) -> str:
    if name.startswith("msppodcast"):
        return "MSP-Podcast test-1" if "test-1" in name else "MSP-Podcast test-2"
    if name == "iemocap 2.3.0 full":
        return "IEMOCAP (all sessions)"
    return SETS[name.split(" ", maxsplit=1)[0]]


@pytest.mark.shared
def test_every_published_limit_and_no_other(shared_data: Path) -> None:
    entries = json.loads((shared_data / "reference" / "ser_thresholds.json").read_text(encoding="utf-8"))
    published = {}
    for one in entries:
        if one["test"].startswith("correctness"):
            kind = "categories" if one["task"] == "emotion" else "dimensions"
            key = one["test"].replace("_", "-"), kind, METRICS[one["metric"]]
            published.setdefault(key, set()).add((one["threshold"], *sorted(map(ours, one["datasets"]))))
    stated = {
        (test.name, task.kind, one.metric): {(one.limit, *sorted(task.sets or test.data.sets))}
        for test in load_suite("correctness")
        if not test.published.not_judged
        for task in test.task
        for one in task.comparison
    }
    assert stated == published


def test_rules_and_numbers_of_comparisons() -> None:
    per_task = {"categories": 0, "dimensions": 0}
    for test in load_suite("correctness"):
        for task in test.task:
            for one in task.comparison:
                assert one.rule == RULES.get(one.metric, "gt")
                assert one.source
                if not test.published.not_judged and test.kind != "consistency":
                    parts = 4 if one.per == "class" else 1
                    per_task[task.kind] += parts * len(task.sets or test.data.sets)
    # Consistency adds the pairs of set and category that occur: 37, 43 and 47 of arousal, dominance and valence.
    assert per_task == {"categories": 196, "dimensions": 29}
    assert [29 + pairs for pairs in (37, 43, 47)] == [66, 72, 76]
