from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affectcheck.errors import InputError
from affectcheck.tallies import Confusion
from affectcheck.tallies import tally as tally_module

CODES = st.lists(st.tuples(st.integers(0, 3), st.integers(-1, 3), st.integers(0, 2)), max_size=40)


def loop_count(rows: list[tuple[int, int, int]], labels: int, cells: int) -> np.ndarray:
    table = np.zeros((cells, labels, labels + 1), int)
    for truth, prediction, cell in rows:
        table[cell, truth, prediction if prediction >= 0 else labels] += 1
    return table


@given(CODES)
def test_count_agrees_with_a_plain_loop(rows):
    truth, prediction, cells = (np.array([row[k] for row in rows], dtype=int) for k in range(3))
    tally = Confusion.count(truth, prediction, labels=4, cells=cells, n_cells=3, missing="wrong")
    assert np.array_equal(tally.cells, loop_count(rows, 4, 3))


@given(CODES, st.integers(0, 40))
def test_tally_of_parts_adds_up_to_tally_of_whole(rows, cut):
    def count(part):
        columns = [np.array([row[k] for row in part], dtype=np.int8) for k in range(3)]
        return Confusion.count(columns[0], columns[1], labels=4, cells=columns[2], n_cells=3, missing="wrong")

    merged, whole = count(rows[:cut]) + count(rows[cut:]), count(rows)
    assert np.array_equal(merged.cells, whole.cells)
    assert np.array_equal((whole + Confusion.zero(labels=4, shape=(3,))).cells, whole.cells)


def test_chunks_change_nothing(monkeypatch):
    truth, prediction = np.arange(100) % 3, np.arange(100) % 2
    whole = Confusion.count(truth, prediction, labels=3)
    monkeypatch.setattr(tally_module, "CHUNK", 7)
    assert np.array_equal(Confusion.count(truth, prediction, labels=3).counts, whole.counts)


def test_the_declared_label_set_decides_the_size():
    assert Confusion.count([0], [0], labels=8).counts.shape == (8, 8)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64, bool])
def test_any_integer_type_counts(dtype):
    codes = np.array([0, 1, 1], dtype=dtype)
    assert Confusion.count(codes, codes, labels=2).counts.tolist() == [[1, 0], [0, 2]]


def test_no_items_give_empty_counts():
    assert Confusion.count([], [], labels=2).support == 0
    assert Confusion.count([], [], labels=2, cells=[], n_cells=3).shape == (3,)
    assert Confusion.count([], [], labels=2, cells=[]).shape == (0,)


@pytest.mark.parametrize(
    ("truth", "prediction", "message"),
    [
        ([0, -1], [0, 0], "truth code -1"),
        ([0, 2], [0, 0], "truth code 2"),
        ([0, 1], [0, -1], "prediction code -1"),
        ([0, 1], [0, 5], "prediction code 5"),
        ([0.0, 1.0], [0, 1], "truth codes have the type float64"),
        (["a", "b"], [0, 1], "truth codes have the type"),
        ([0, 1], [0], "shape"),
        ([[0], [1]], [[0], [1]], "shape"),
    ],
)
def test_bad_codes_are_refused_with_their_place(truth, prediction, message):
    with pytest.raises(InputError, match=message):
        Confusion.count(truth, prediction, labels=2)


def test_the_message_names_the_row_and_how_many():
    with pytest.raises(InputError) as caught:
        Confusion.count([0, 1, 7, 9], [0, 0, 0, 0], labels=2)
    assert "row 2" in str(caught.value)
    assert "2 such rows" in str(caught.value)


def test_the_row_of_a_bad_code_is_counted_from_the_first_row_of_all(monkeypatch):
    monkeypatch.setattr(tally_module, "CHUNK", 3)
    for truth, prediction in (([0] * 7 + [9], [0] * 8), ([0] * 8, [0] * 7 + [9])):
        with pytest.raises(InputError, match="row 7"):
            Confusion.count(truth, prediction, labels=2)


@pytest.mark.parametrize(
    ("cells", "n_cells", "message"),
    [
        ([0, 3], 2, "cell code 3"),
        ([0], 2, "1,"),
        ([0.5, 1.0], 2, "type float64"),
        (None, 2, "n_cells is given without cells"),
    ],
)
def test_bad_cells_are_refused(cells, n_cells, message):
    with pytest.raises(InputError, match=message):
        Confusion.count([0, 1], [0, 1], labels=2, cells=cells, n_cells=n_cells)


def test_cells_may_ravel_several_leading_axes():
    tally = Confusion.count([0, 0, 1], [0, 1, 1], labels=2, cells=[0, 3, 5], n_cells=(2, 3))
    assert tally.shape == (2, 3)
    assert tally[1, 2].counts.tolist() == [[0, 0], [0, 1]]
    assert tally.pooled(1).support.tolist() == [1, 2]
    assert tally.pooled(-1).support.tolist() == [1, 2]
    assert tally.pooled(0).support.tolist() == [2, 0, 1]
    assert tally.reshape(6).shape == (6,)
    assert tally.reshape(3, -1).shape == (3, 2)


def test_leading_axes_can_be_indexed_in_every_way():
    tally = Confusion.count([0, 0, 1], [0, 1, 1], labels=2, cells=[0, 3, 5], n_cells=(2, 3))
    assert tally[..., 0].shape == (2,)
    assert tally[:, [0, 2]].shape == (2, 2)
    assert tally[np.array([False, True])].shape == (1, 3)


def test_pooling_does_not_reach_into_the_classes():
    with pytest.raises(InputError, match="has no axis 0"):
        Confusion.zero(labels=2).pooled(0)


def test_adding_other_label_sets_is_refused():
    with pytest.raises(InputError, match="2 and of 3 classes"):
        Confusion.zero(labels=2) + Confusion.zero(labels=3)


def test_adding_broadcasts_over_leading_axes():
    groups = Confusion.zero(labels=2, shape=(3,))
    assert (groups + Confusion.of_counts([[1, 0], [0, 1]])).support.tolist() == [2, 2, 2]


@pytest.mark.parametrize("counts", [[[1, 2, 3]], [[-1, 0], [0, 0]], [[0.5, 0], [0, 0]], [[np.nan, 0], [0, 0]], [1, 2]])
def test_counts_of_others_are_checked(counts):
    with pytest.raises(InputError):
        Confusion.of_counts(counts)


@given(st.integers(1, 6), st.integers(1, 4), st.integers(0, 2**32))
@settings(max_examples=30)
def test_weights_equal_repeating_the_clusters(clusters, resamples, seed):
    random = np.random.default_rng(seed)
    tally = Confusion.of_counts(random.integers(0, 9, (clusters, 3, 3)))
    weights = random.integers(0, 4, (resamples, clusters))
    mixed = tally.weighted(weights)
    for row, weight in enumerate(weights):
        repeated = [tally[s] for s in range(clusters) for _ in range(weight[s])]
        total = sum(repeated, Confusion.zero(labels=3))
        assert np.array_equal(mixed[row].counts, total.counts)


@pytest.mark.parametrize("weights", [[1, 1], [[1, 1]], [[1, -1, 0]], [[1, np.nan, 0]]])
def test_bad_weights_are_refused(weights):
    tally = Confusion.zero(labels=2, shape=(3,))
    with pytest.raises(InputError):
        tally.weighted(weights)


def test_joined_tallies_lie_one_after_the_other():
    tally = Confusion.count([0, 1], [0, 0], labels=2, cells=[0, 1])
    assert tally.joined([tally, tally]).shape == (6,)


def test_a_tally_cannot_be_changed_by_assignment():
    tally = Confusion.zero(labels=2)
    with pytest.raises(AttributeError):
        tally.counts = None


def test_totals_count_what_is_unanswered_as_true_items():
    tally = Confusion.count([0, 0, 1], [0, -1, 0], labels=2, missing="wrong")
    assert tally.truth_totals.tolist() == [2, 1]
    assert tally.prediction_totals.tolist() == [2, 0]
    assert tally.hits.tolist() == [1, 0]
    assert tally.support == 3
