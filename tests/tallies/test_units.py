from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affectcheck.errors import InputError
from affectcheck.tallies import Units
from affectcheck.tallies import tally as tally_module
from affectcheck.tallies import units as units_module

UNITS, CELLS = 4, 3
CELL = st.tuples(st.integers(-1, 1), st.integers(0, 1))
ROWS = st.lists(st.tuples(st.tuples(*[CELL] * UNITS), st.integers(0, CELLS - 1)), max_size=40)


def sides(rows) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    truth = np.array([[cell[0] for cell in units] for units, _ in rows], dtype=np.int8).reshape(-1, UNITS)
    prediction = np.array([[cell[1] for cell in units] for units, _ in rows], dtype=np.int8).reshape(-1, UNITS)
    return truth, prediction, np.array([cell for _, cell in rows], dtype=int)


def count(rows) -> Units:
    truth, prediction, cells = sides(rows)
    return Units.count(truth, prediction, cells=cells, n_cells=CELLS)


def same(first: Units, second: Units) -> bool:
    return np.array_equal(first.counts, second.counts) and np.array_equal(first.unknown, second.unknown)


def loop_count(rows) -> tuple[np.ndarray, np.ndarray]:
    counts, unknown = np.zeros((CELLS, UNITS, 2, 2), int), np.zeros((CELLS, UNITS), int)
    for units, cell in rows:
        for unit, (truth, prediction) in enumerate(units):
            if truth < 0:
                unknown[cell, unit] += 1
            else:
                counts[cell, unit, truth, prediction] += 1
    return counts, unknown


@given(ROWS)
def test_count_agrees_with_a_plain_loop(rows):
    tally = count(rows)
    counts, unknown = loop_count(rows)
    assert np.array_equal(tally.counts, counts)
    assert np.array_equal(tally.unknown, unknown)
    assert tally.counts.dtype == tally.unknown.dtype == np.int64


@given(ROWS, ROWS, ROWS)
def test_tallies_of_parts_add_up_to_the_tally_of_the_whole(first, second, third):
    a, b, c = count(first), count(second), count(third)
    assert same(a + b, count(first + second))
    assert same(a + b, b + a)
    assert same((a + b) + c, a + (b + c))
    assert same(a + Units.zero(units=UNITS, shape=(CELLS,)), a)


@given(ROWS)
def test_pooling_the_cells_is_counting_without_them(rows):
    truth, prediction, _ = sides(rows)
    assert same(count(rows).pooled(0), Units.count(truth, prediction))


@given(st.integers(1, 6), st.integers(1, 4), st.integers(0, 2**32))
@settings(max_examples=30)
def test_weights_equal_repeating_the_clusters(clusters, resamples, seed):
    random = np.random.default_rng(seed)
    counts, unknown = random.integers(0, 9, (clusters, 3, 2, 2)), random.integers(0, 9, (clusters, 3))
    tally, weights = Units.of_counts(counts, unknown), random.integers(0, 4, (resamples, clusters))
    mixed = tally.weighted(weights)
    for row, weight in enumerate(weights):
        repeated = [tally[s] for s in range(clusters) for _ in range(weight[s])]
        assert same(mixed[row], sum(repeated, Units.zero(units=3)))


@pytest.mark.parametrize("units", [1, 2, 3, 4, 7, 12])
@pytest.mark.parametrize("cells", [None, 1, 5, 400, 3000, 12_000])
def test_however_many_units_and_cells_are_counted_together(units, cells):
    random = np.random.default_rng(units)
    truth, prediction = random.integers(-1, 2, (500, units)), random.integers(0, 2, (500, units))
    codes = None if cells is None else random.integers(0, cells, 500)
    tally = Units.count(truth, prediction, cells=codes, n_cells=cells)
    assert tally.shape == (() if cells is None else (cells,))
    whole = tally if cells is None else tally.pooled()
    for unit in range(units):
        t, p = truth[:, unit], prediction[:, unit]
        assert whole.unknown[unit] == (t == -1).sum()
        assert whole.counts[unit].tolist() == [[((t == i) & (p == j)).sum() for j in (0, 1)] for i in (0, 1)]
    if codes is not None:
        chosen = codes == codes[0]
        assert same(tally[int(codes[0])], Units.count(truth[chosen], prediction[chosen]))


def test_chunks_change_nothing(monkeypatch):
    random = np.random.default_rng(0)
    truth, prediction = random.integers(-1, 2, (100, 5)), random.integers(0, 2, (100, 5))
    whole = Units.count(truth, prediction)
    monkeypatch.setattr(tally_module, "CHUNK", 7)
    monkeypatch.setattr(units_module, "_PACK", 1)
    assert same(Units.count(truth, prediction), whole)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.int64, np.uint64, bool])
@pytest.mark.parametrize("order", ["C", "F"])
def test_any_integer_type_and_order_counts(dtype, order):
    codes = np.array([[0, 1], [1, 1], [0, 0]], dtype=dtype, order=order)
    assert Units.count(codes, codes).counts.tolist() == [[[2, 0], [0, 1]], [[1, 0], [0, 2]]]


def test_a_single_unit_may_be_flat():
    tally = Units.count([1, 0, -1], [1, 1, 1])
    assert tally.counts.tolist() == [[[0, 1], [0, 1]]]
    assert tally.unknown.tolist() == [1]


def test_what_counts_is_read_by_name():
    tally = Units.of_counts([[[5, 1], [2, 3]], [[0, 0], [0, 0]]], [4, 0])
    assert tally.units == 2
    assert tally.support.tolist() == [11, 0]
    assert tally.positives.tolist() == [5, 0]
    assert tally.predicted_positives.tolist() == [4, 0]
    assert tally.hits.tolist() == [3, 0]
    assert tally.correct.tolist() == [8, 0]


def test_no_items_give_empty_counts():
    none = np.zeros((0, 3), np.int8)
    assert Units.count(none, none).support.tolist() == [0, 0, 0]
    assert Units.count(none, none, cells=[], n_cells=2).shape == (2,)
    assert Units.count(none, none, cells=[]).shape == (0,)
    assert Units.count([], []).units == 1
    assert Units.count(np.zeros((4, 0), int), np.zeros((4, 0), int)).units == 0


@pytest.mark.parametrize(
    ("truth", "prediction", "words"),
    [
        (
            [[0, 1], [999, 1], [1, 999]],
            [[0, 0]] * 3,
            ("truth code 999", "row 1, column 0", "2 such cells", "-1 unknown"),
        ),
        ([[0, 1], [0, 2]], [[0, 0]] * 2, ("truth code 2", "row 1, column 1")),
        ([[0, -5], [0, 0]], [[0, 0]] * 2, ("truth code -5", "row 0, column 1")),
        ([[0, 1]], [[0, 2]], ("prediction code 2", "row 0, column 1", "threshold")),
        ([[0, 1]], [[-1, 1]], ("prediction code -1", "row 0, column 0")),
        ([[0.0, 1.0]], [[0, 1]], ("truth codes have the type float64",)),
        ([[0, 1]], [[0.2, 0.9]], ("prediction codes have the type float64",)),
        ([[0, 1]], [[0, 1], [1, 1]], ("truth of shape (1, 2)",)),
        ([[[0]]], [[[0]]], ("(n, M)",)),
    ],
)
def test_bad_codes_are_refused_with_their_place(truth, prediction, words):
    with pytest.raises(InputError) as caught:
        Units.count(truth, prediction)
    assert all(word in str(caught.value) for word in words), caught.value


def test_the_row_of_a_bad_code_is_counted_from_the_first_row_of_all(monkeypatch):
    monkeypatch.setattr(tally_module, "CHUNK", 3)
    truth = np.zeros((9, 2), np.int16)
    truth[7, 1] = 300  # which a byte would take for 44
    with pytest.raises(InputError, match="row 7, column 1"):
        Units.count(truth, np.zeros((9, 2), int), cells=np.zeros(9, int))


def test_cells_may_ravel_several_leading_axes():
    tally = Units.count([[1], [0], [-1]], [[1], [1], [0]], cells=[0, 3, 5], n_cells=(2, 3))
    assert tally.shape == (2, 3)
    assert tally[1, 2].unknown.tolist() == [1]
    assert tally.pooled(1).support.tolist() == [[1], [1]]
    assert tally.pooled(-1).support.tolist() == [[1], [1]]
    assert tally.reshape(6).shape == (6,)
    assert tally[..., 0].shape == (2,)
    assert tally[:, [0, 2]].shape == (2, 2)
    assert tally.joined([tally]).shape == (4, 3)


def test_pooling_does_not_reach_into_the_units():
    with pytest.raises(InputError, match="has no axis 0"):
        Units.zero(units=2).pooled(0)


def test_adding_other_numbers_of_units_is_refused():
    with pytest.raises(InputError, match="2 and of 3 units"):
        Units.zero(units=2) + Units.zero(units=3)


def test_adding_broadcasts_over_leading_axes():
    groups = Units.zero(units=1, shape=(3,))
    assert (groups + Units.of_counts([[[1, 0], [0, 1]]])).support.tolist() == [[2], [2], [2]]


@pytest.mark.parametrize(
    ("counts", "unknown"),
    [
        ([[1, 2], [3, 4]], None),
        ([[[1, 2, 3]]], None),
        ([[[-1, 0], [0, 0]]], None),
        ([[[0.5, 0], [0, 0]]], None),
        ([[[np.nan, 0], [0, 0]]], None),
        ([[[1, 0], [0, 0]]], [0, 0]),
        ([[[1, 0], [0, 0]]], [-1]),
    ],
)
def test_counts_of_others_are_checked(counts, unknown):
    with pytest.raises(InputError):
        Units.of_counts(counts, unknown)
