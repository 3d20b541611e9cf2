from __future__ import annotations

from dataclasses import fields
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affectcheck.errors import InputError
from affectcheck.tallies import Moments
from affectcheck.tallies import tally as tally_module

VALUES = st.floats(-1, 1, allow_nan=False, width=32)
ROWS = st.lists(st.tuples(VALUES, VALUES, st.integers(0, 2)), max_size=30)


def arrays(rows):
    truth, prediction = (np.array([row[k] for row in rows], dtype=float) for k in range(2))
    return truth, prediction, np.array([row[2] for row in rows], dtype=int)


def assert_close(left: Moments, right: Moments, tolerance: float = 1e-12) -> None:
    for field in fields(Moments):
        np.testing.assert_allclose(
            getattr(left, field.name), getattr(right, field.name), rtol=tolerance, atol=tolerance, err_msg=field.name
        )


def exact(truth, prediction) -> dict[str, float]:
    """The same numbers in exact rational arithmetic."""
    t, p = ([Fraction(float(x)) for x in side] for side in (truth, prediction))
    n = len(t)
    mean_t, mean_p = sum(t) / n, sum(p) / n
    d = [b - a for a, b in zip(t, p, strict=True)]
    mean_d = sum(d) / n
    return {
        "mean_truth": float(mean_t),
        "mean_prediction": float(mean_p),
        "mean_difference": float(mean_d),
        "squares_truth": float(sum((x - mean_t) ** 2 for x in t)),
        "squares_prediction": float(sum((x - mean_p) ** 2 for x in p)),
        "squares_difference": float(sum((x - mean_d) ** 2 for x in d)),
        "products": float(sum((a - mean_t) * (b - mean_p) for a, b in zip(t, p, strict=True))),
        "sum_abs": float(sum(abs(x) for x in d)),
    }


@given(ROWS.filter(len))
def test_moments_agree_with_exact_arithmetic(rows):
    truth, prediction, _ = arrays(rows)
    tally = Moments.of(truth, prediction)
    for name, value in exact(truth, prediction).items():
        assert getattr(tally, name)[0] == pytest.approx(value, rel=1e-12, abs=1e-13), name
    assert tally.min_truth[0] == truth.min()
    assert tally.max_prediction[0] == prediction.max()


@given(ROWS, st.integers(0, 30))
def test_tally_of_parts_adds_up_to_tally_of_whole(rows, cut):
    def count(part):
        truth, prediction, cells = arrays(part)
        return Moments.of(truth, prediction, cells=cells, n_cells=3)

    first, second = count(rows[:cut]), count(rows[cut:])
    assert_close(first + second, count(rows))
    assert_close(second + first, count(rows))
    assert_close(count(rows) + Moments.zero(dimensions=1, shape=(3,)), count(rows), 1e-15)
    assert_close((first + second).pooled(0), Moments.of(*arrays(rows)[:2]))


def test_values_far_from_zero_keep_their_variance():
    truth = 1e8 + np.tile([-1.0, 1.0], 100_000)
    prediction = 1e8 + np.tile([1.0, -1.0], 100_000)
    tally = Moments.of(truth, prediction)
    assert tally.squares_truth[0] == 200_000.0
    assert tally.products[0] == -200_000.0
    assert tally.sum_abs[0] == 400_000.0


def test_values_far_from_zero_keep_their_variance_when_merged_and_weighted():
    truth = 1e8 + np.arange(12.0) % 5
    prediction = 1e8 + np.arange(12.0) % 7
    cells = np.arange(12) // 3
    by_cell = Moments.of(truth, prediction, cells=cells)
    whole = exact(truth, prediction)
    for merged in (by_cell.pooled(0), by_cell.weighted(np.ones((1, 4)))[0]):
        assert merged.squares_truth[0] == pytest.approx(whole["squares_truth"], rel=1e-8)
        assert merged.products[0] == pytest.approx(whole["products"], rel=1e-8)
        assert merged.squares_difference[0] == pytest.approx(whole["squares_difference"], rel=1e-12)


def test_cells_far_from_each_other_keep_their_variance():
    truth = np.array([0.0, 1.0, 1e8, 1e8 + 1.0])
    tally = Moments.of(truth, truth, cells=[0, 0, 1, 1])
    assert tally.squares_truth[:, 0].tolist() == [0.5, 0.5]


def test_single_precision_input_is_accumulated_in_double():
    random = np.random.default_rng(1)
    truth = random.uniform(0, 1, 200_000).astype(np.float32)
    prediction = random.uniform(0, 1, 200_000).astype(np.float32)
    tally = Moments.of(truth, prediction)
    double = Moments.of(truth.astype(np.float64), prediction.astype(np.float64))
    assert_close(tally, double, 0.0)
    assert tally.mean_truth.dtype == np.float64


@pytest.mark.parametrize("value", [0.3, 1.81, 0.576, 1e8 + 0.1])
def test_a_constant_has_no_spread_at_all_however_it_is_merged(value):
    random = np.random.default_rng(2)
    truth, prediction = np.full(1448, value), random.uniform(0, 1, 1448)
    by_cell = Moments.of(truth, prediction, cells=np.arange(1448) % 11)
    weights = random.integers(0, 3, (5, 11))
    for tally in (Moments.of(truth, prediction), by_cell, by_cell.pooled(0), by_cell.weighted(weights)):
        assert (tally.squares_truth == 0.0).all()
        assert (tally.products == 0.0).all()
        assert (tally.min_truth == value).all()
        assert (tally.mean_truth == value).all()


def test_unknown_truth_is_masked_by_dimension_and_counted():
    truth = np.array([[0.1, np.nan], [0.4, 0.5], [np.nan, np.nan]])
    tally = Moments.of(truth, np.zeros((3, 2)), cells=[0, 0, 1])
    assert tally.n.tolist() == [[2, 1], [0, 0]]
    assert tally.unknown.tolist() == [[0, 1], [1, 1]]
    assert tally.support.tolist() == [[2, 1], [0, 0]]
    assert tally.pooled(0).unknown.tolist() == [1, 2]
    assert Moments.of(truth, np.zeros((3, 2))).unknown.tolist() == [1, 2]


@pytest.mark.parametrize(
    ("truth", "prediction", "message"),
    [
        ([0.1, 0.2], [0.1, np.nan], "prediction is nan in dimension 0"),
        ([0.1, np.nan], [0.1, np.nan], "prediction is nan"),
        ([0.1, 0.2], [np.inf, 0.1], "prediction is inf"),
        ([0.1, np.inf], [0.1, 0.1], "truth is inf"),
        ([np.nan, np.inf], [0.1, 0.1], "truth is inf"),
        ([0.1], [0.1, 0.2], "shape"),
        (["a"], [0.1], "type"),
        ([[[0.1]]], [[[0.1]]], "shape"),
    ],
)
def test_unusable_values_are_refused(truth, prediction, message):
    with pytest.raises(InputError, match=message):
        Moments.of(truth, prediction)


def test_the_message_names_the_row_of_the_whole_array(monkeypatch):
    monkeypatch.setattr(tally_module, "CHUNK", 4)
    prediction = np.zeros(10)
    prediction[9] = np.nan
    with pytest.raises(InputError, match="row 9"):
        Moments.of(np.zeros(10), prediction)


def test_chunks_change_nothing(monkeypatch):
    random = np.random.default_rng(3)
    truth, prediction, cells = random.normal(size=(50, 2)), random.normal(size=(50, 2)), random.integers(0, 3, 50)
    truth[::7, 1] = np.nan
    whole = Moments.of(truth, prediction, cells=cells)
    monkeypatch.setattr(tally_module, "CHUNK", 7)
    assert_close(Moments.of(truth, prediction, cells=cells), whole, 1e-13)


def test_moments_of_other_schemes_do_not_add():
    with pytest.raises(InputError, match="1 and of 2 dimensions"):
        Moments.zero(dimensions=1) + Moments.zero(dimensions=2)


@given(st.integers(1, 5), st.integers(1, 4), st.integers(0, 2**32))
@settings(max_examples=30)
def test_weights_equal_repeating_the_clusters(clusters, resamples, seed):
    random = np.random.default_rng(seed)
    cells = np.repeat(np.arange(clusters), 4)
    truth, prediction = random.normal(size=(cells.size, 2)), random.normal(size=(cells.size, 2))
    weights = random.integers(0, 3, (resamples, clusters))
    mixed = Moments.of(truth, prediction, cells=cells).weighted(weights)
    for row, weight in enumerate(weights):
        rows = np.repeat(np.arange(cells.size), weight[cells])
        assert_close(mixed[row], Moments.of(truth[rows], prediction[rows]), 1e-9)


def test_extremes_are_found_however_few_clusters_a_resample_holds():
    truth = np.arange(200.0)
    tally = Moments.of(truth, -truth, cells=np.arange(200))
    weights = np.zeros((3, 200))
    weights[0, 199] = weights[1, [3, 150]] = 1.0
    mixed = tally.weighted(weights)
    assert mixed.min_truth[:, 0].tolist() == [199.0, 3.0, np.inf]
    assert mixed.max_truth[:, 0].tolist() == [199.0, 150.0, -np.inf]
    assert mixed.min_prediction[:2, 0].tolist() == [-199.0, -150.0]


def test_whole_numbers_are_real_too():
    assert Moments.of([0, 1], [1, 1]).mean_difference[0] == 0.5


def test_no_items_are_the_identity():
    empty = Moments.of(np.zeros((0, 2)), np.zeros((0, 2)))
    assert_close(empty, Moments.zero(dimensions=2), 0.0)
    assert_close(empty + empty, empty, 0.0)


def test_truth_that_is_unknown_throughout_leaves_no_items():
    tally = Moments.of([np.nan, np.nan], [0.1, 0.2])
    assert (tally.n[0], tally.unknown[0], tally.mean_truth[0]) == (0.0, 2.0, 0.0)


def test_no_tallies_pool_to_nothing():
    tally = Moments.of([0.1, 0.2], [0.2, 0.1], cells=[0, 1])
    nothing = tally[:0].pooled()
    assert nothing.support.tolist() == [0]
    assert (nothing + tally.pooled()).mean_truth.tolist() == tally.pooled().mean_truth.tolist()
