"""The ends of a ranking where each of those ranked counts several times."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from affectcheck.metrics.quantile_rankings import Quantile, quantile_confusion, quantile_precision
from affectcheck.metrics.weighted_rankings import end_confusion, end_mean, end_precision
from affectcheck.tallies import Sample

coarse = st.integers(0, 4).map(lambda k: k / 4)


@st.composite
def rankings(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    n = draw(st.integers(1, 14))
    row = st.lists(coarse, min_size=n, max_size=n)
    times = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    return np.array(draw(row)), np.array(draw(row)), np.array(times)


@given(rankings())
def test_a_weight_is_so_many_copies(drawn):
    truth, score, times = drawn
    tally = Sample.of(truth, score, cells=np.arange(truth.size)).weighted(times[None, :])
    often = np.repeat(truth, times), np.repeat(score, times)
    if not times.sum():
        return
    for end in ("top", "bottom"):
        expected = quantile_precision(*often, end)
        np.testing.assert_allclose(end_precision(tally, end)[0, 0], expected, atol=1e-12)
    np.testing.assert_allclose(end_confusion(tally)[0, 0], quantile_confusion(*often), atol=1e-12)


@given(rankings())
def test_the_mean_at_an_end_is_that_of_copies_at_the_edge_shared(drawn):
    truth, score, times = drawn
    often, values = np.repeat(truth, times), np.repeat(score, times)
    tally = Sample.of(truth, score, cells=np.arange(truth.size)).weighted(times[None, :])
    if not times.sum():
        return
    k = round(len(often) / 4)
    found = end_mean(tally, "top", lambda _truth, given: given)[0, 0]
    if not k:
        assert np.isnan(found)
        return
    edge = np.sort(often)[-k]
    above, ties = often > edge, often == edge
    expected = (values[above].sum() + values[ties].mean() * (k - above.sum())) / k
    assert found == pytest.approx(expected, abs=1e-12)


def test_lengths_by_the_rule():
    numbers = np.array([2.0, 6.0, 10.0, 14.0])
    found = {
        name: Quantile(rounding=name).lengths(numbers).tolist() for name in ("half to even", "half up", "up", "floor")
    }
    assert found == {
        "half to even": [0, 2, 2, 4],
        "half up": [1, 2, 3, 4],
        "up": [1, 2, 3, 4],
        "floor": [0, 1, 2, 3],
    }


def test_several_rankings_and_groups_stay_apart():
    truth = np.array([[0.1, 0.4], [0.2, 0.3], [0.3, 0.2], [0.4, 0.1]] * 2)
    score = np.concatenate([truth[:4], truth[3::-1]])
    tally = Sample.of(truth, score, cells=np.arange(8) // 4)
    assert end_precision(tally, "top").tolist() == [[1.0, 1.0], [0.0, 0.0]]
    assert end_confusion(tally).tolist() == [[0.0, 0.0], [1.0, 1.0]]
