"""Metrics of ranks, signs and bins, from tables to scores."""

from __future__ import annotations

import numpy as np
import pytest
from affect_tables import affect, predicted_affect

from affectcheck.evaluation import EvaluationOptions, evaluate

TRUTH = np.array([[0.1, 0.2], [0.4, 0.3], [0.6, 0.9], [0.8, 0.55], [0.2, 0.7], [0.9, 0.1]] * 4)
PREDICTION = np.clip(TRUTH + np.linspace(-0.2, 0.2, TRUTH.size).reshape(TRUTH.shape), 0, 1)


@pytest.fixture(scope="module")
def result():
    table = affect(TRUTH, subject=[f"s{i % 6}" for i in range(24)], sex=["female", "male"] * 12)
    options = EvaluationOptions(
        by=("sex",), metrics=("spearman", "sign_agreement", "bin_recall", "spearman_gap"), resamples=50
    )
    return evaluate(table, predicted_affect(PREDICTION), options=options)


def test_ranks_are_scored_and_resampled(result):
    scores = {(s.metric, s.place.attribute, s.place.group, s.place.part): s for s in result.scores}
    whole = scores["spearman", "", "", ""]
    assert whole.interval.low < whole.value < whole.interval.high
    assert scores["spearman", "sex", "female", "valence"].value > 0.5
    assert scores["spearman_gap", "sex", "", ""].floor.quantile > 0.0


def test_the_signature_names_what_the_range_of_the_scheme_decides(result):
    options = {s.metric: s.signature.options for s in result.scores}
    assert options["sign_agreement"] == "neutral=0.5"
    assert options["bin_recall"] == "edges=0.25/0.5/0.75"


def test_bins_are_parts_with_their_own_support(result):
    bins = {s.place.part: s for s in result.scores if s.metric == "bin_recall" and not s.place.attribute}
    assert list(bins)[:2] == ["arousal (-inf, 0.25]", "arousal (0.25, 0.5]"]
    assert [s.support for s in bins.values()] == [8, 4, 4, 8, 8, 4, 8, 4]
    parts = {s.place.part for s in result.scores if s.metric == "bin_recall_difference"}
    assert parts == set(bins)
