"""Kendall's tau-b against SciPy, by hand, and where it is undefined."""

from __future__ import annotations

import importlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from affectcheck.errors import InputError
from affectcheck.uncertainty import kendall, kendall_tau, orders

SCORES = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=12)


@given(SCORES)
def test_tau_and_its_exact_p_are_those_of_scipy(pairs):
    one, two = np.array(pairs, float).T
    found, theirs = kendall(one, two, draws=200), kendalltau(one, two)
    assert found.tau == pytest.approx(theirs.statistic, nan_ok=True)
    assert np.isnan(found.tau) == bool(found.reason)
    if found.method == "exact":
        assert found.p_value == pytest.approx(kendalltau(one, two, method="exact").pvalue)


@given(SCORES)
def test_laws(pairs):
    one, two = np.array(pairs, float).T
    tau = kendall_tau(one, two)
    assert kendall_tau(two, one) == pytest.approx(tau, nan_ok=True)
    assert kendall_tau(-one, two) == pytest.approx(-tau, nan_ok=True)
    assert kendall_tau(one * 3 + 1, np.exp(two)) == pytest.approx(tau, nan_ok=True)
    batch = kendall_tau(np.stack([one, one]), np.stack([two, -two]))
    assert batch == pytest.approx(np.array([tau, -tau]), nan_ok=True)


def test_an_undefined_score_ranks_nowhere():
    assert kendall_tau([1, np.nan, 2, 3], [1, 9, np.nan, 3]) == 1.0
    assert np.isnan(kendall_tau([1.0], [1.0]))
    assert orders([1.0, np.nan]).tolist() == [0]


@pytest.mark.parametrize(
    ("one", "two", "reason"),
    [
        ([1.0], [2.0], "1 model has both scores"),
        ([], [], "0 models have both scores"),
        ([1.0, np.nan], [2.0, 1.0], "1 model has"),
        ([1.0, 1.0], [2.0, 1.0], "tied in the first set"),
        ([1.0, 2.0], [2.0, 2.0], "tied in the second set"),
        ([1.0, 1.0], [2.0, 2.0], "tied in both sets"),
    ],
)
def test_why_it_is_undefined(one, two, reason):
    found = kendall(one, two)
    assert np.isnan(found.tau)
    assert np.isnan(found.p_value)
    assert reason in found.reason


def test_tied_scores_are_permuted():
    few = kendall([1, 1, 2, 3], [1, 2, 3, 4])
    assert few.method == "all 24 orders"
    # Of 24 orders the 2 that agree with the tie and their reversals are as extreme.
    assert few.p_value == pytest.approx(4 / 24)
    one = np.repeat(np.arange(5), 2)
    many = kendall(one, one, draws=500, seed=3)
    assert many.method == "500 random orders"
    assert many.p_value == pytest.approx(1 / 501)
    assert kendall(one, one, draws=500, seed=3) == many


def test_shapes_must_agree():
    with pytest.raises(InputError, match="one score a model"):
        kendall([1, 2], [1, 2, 3])


def test_many_resamples_are_counted_in_parts(monkeypatch):
    room = importlib.import_module("affectcheck.uncertainty.kendall")
    random = np.random.default_rng(0)
    one, two = random.normal(size=(2, 50, 4))
    whole = kendall_tau(one, two)
    monkeypatch.setattr(room, "_HELD", 8 * 4 * 3 * 7)
    assert kendall_tau(one, two).tolist() == whole.tolist()
