from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from affectcheck.errors import InputError
from affectcheck.tallies import Histogram, Range


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (-1.0, 1.0), (0.0, 100.0), (1.0, 5.0)])
def test_edges_are_the_floats_nearest_to_the_exact_fractions(low, high):
    edges = Range(low, high, 10).edges
    exact = [float(Fraction(low) + (Fraction(high) - Fraction(low)) * k / 10) for k in range(11)]
    assert edges.tolist() == exact


@pytest.mark.parametrize("low", [0.0, -1.0])
def test_an_edge_belongs_to_the_bin_above_and_the_last_to_the_last(low):
    bins = Range(low, 1.0, 10)
    assert bins.bin_of(bins.edges).tolist() == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9]
    assert bins.bin_of(np.nextafter(bins.edges[1:-1], -np.inf)).tolist() == list(range(9))


@given(st.lists(st.floats(-3, 3), min_size=1), st.integers(1, 30))
def test_bins_agree_with_a_search_of_the_edges(values, number):
    bins = Range(-1.0, 1.0, number)
    array = np.array(values)
    expected = np.clip(np.searchsorted(bins.edges, array, side="right") - 1, 0, number - 1)
    assert bins.bin_of(array).tolist() == expected.tolist()


def test_values_outside_are_clipped_and_counted():
    tally = Histogram.of([1.02, -0.01, 0.5], [0.5, 0.5, 2.0])
    assert tally.truth[0].tolist() == [1, 0, 0, 0, 0, 1, 0, 0, 0, 1]
    assert tally.outside_truth.tolist() == [2]
    assert tally.outside_prediction.tolist() == [1]


def test_parts_add_up_and_pool():
    random = np.random.default_rng(0)
    truth, prediction, cells = random.uniform(-0.1, 1.1, (40, 2)), random.uniform(0, 1, (40, 2)), np.arange(40) % 3
    truth[5, 1] = np.nan
    whole = Histogram.of(truth, prediction)
    by_cell = Histogram.of(truth, prediction, cells=cells)
    halves = Histogram.of(truth[:9], prediction[:9]) + Histogram.of(truth[9:], prediction[9:])
    for other in (
        by_cell.pooled(0),
        halves,
        whole + Histogram.zero(dimensions=2),
        by_cell.weighted(np.ones((1, 3)))[0],
    ):
        assert np.array_equal(other.truth, whole.truth)
        assert np.array_equal(other.prediction, whole.prediction)
        assert np.array_equal(other.outside_truth, whole.outside_truth)
    assert whole.support.tolist() == [40, 39]
    assert by_cell.shape == (3,)
    assert by_cell[0].shape == ()


def test_other_bins_do_not_add():
    with pytest.raises(InputError, match="histograms of"):
        Histogram.zero(dimensions=1) + Histogram.zero(dimensions=1, on=Range(-1.0, 1.0))


@pytest.mark.parametrize(("low", "high", "bins"), [(1.0, 0.0, 10), (0.0, 1.0, 0)])
def test_a_range_has_a_width_and_bins(low, high, bins):
    with pytest.raises(InputError, match="bins on"):
        Range(low, high, bins)
