from __future__ import annotations

import numpy as np
import pytest

from affectcheck.errors import InputError
from affectcheck.metrics import METRICS
from affectcheck.tallies import Confusion, Moments, Paired

ACCURACY = METRICS.get("accuracy").compute


def confusions(seed: int, clusters: int = 5) -> Paired[Confusion]:
    random = np.random.default_rng(seed)
    cells = random.integers(0, clusters, 40)
    truth = random.integers(0, 3, 40)
    first, second = (
        Confusion.count(truth, random.integers(0, 3, 40), labels=3, cells=cells, n_cells=clusters) for _ in range(2)
    )
    return Paired.of(first, second)


def test_exchanging_clusters_equals_exchanging_them_one_by_one():
    pair = confusions(0)
    swap = np.random.default_rng(1).random((20, 5)) < 0.5
    found = pair.exchanged(swap)
    for row, chosen in enumerate(swap):
        sides = [Confusion.zero(labels=3), Confusion.zero(labels=3)]
        for cluster, exchanged in enumerate(chosen):
            parts = (pair.first[cluster], pair.second[cluster])
            sides = [side + part for side, part in zip(sides, parts[::-1] if exchanged else parts, strict=True)]
        assert np.array_equal(found.first[row].counts, sides[0].counts)
        assert np.array_equal(found.second[row].counts, sides[1].counts)


def test_exchanging_none_is_the_pooled_pair_and_exchanging_all_turns_the_sign():
    pair = confusions(2)
    none, every = pair.exchanged(np.array([[False] * 5, [True] * 5])).difference(ACCURACY)
    assert none == pair.pooled().difference(ACCURACY)
    assert every == -none


def test_a_pair_of_moments_exchanges_too():
    random = np.random.default_rng(3)
    truth, one, two = random.random((3, 30, 2))
    cells = np.arange(30) % 4
    pair = Paired.of(Moments.of(truth, one, cells=cells), Moments.of(truth, two, cells=cells))
    swapped = pair.exchanged(np.array([[True, False, False, False]]))
    where = (cells == 0)[:, None]
    expected = Moments.of(truth, np.where(where, two, one)), Moments.of(truth, np.where(where, one, two))
    ccc = METRICS.get("ccc").compute
    np.testing.assert_allclose(swapped.difference(ccc)[0], ccc(expected[0]) - ccc(expected[1]), rtol=1e-12)


def test_a_pair_is_a_tally_on_both_sides():
    pair = confusions(4)
    assert pair.shape == (5,)
    assert np.array_equal(pair.support, pair.first.support)
    both = pair + pair
    assert np.array_equal(both.second.counts, 2 * pair.second.counts)
    assert pair.joined([pair]).shape == (10,)
    assert pair[1:3].shape == (2,)
    assert pair[0].shape == ()
    assert pair.reshape(5, 1).shape == (5, 1)
    mixed = pair.weighted(np.eye(5)[:2])
    assert np.array_equal(mixed.second.counts, pair.second[:2].counts)


def test_an_undefined_side_makes_the_difference_undefined():
    empty = Paired(Confusion.zero(labels=2), Confusion.of_counts([[1, 0], [0, 1]]))
    assert np.isnan(empty.difference(ACCURACY))


def test_two_that_cannot_be_compared_are_refused():
    one = Confusion.zero(labels=2, shape=(2,))
    with pytest.raises(InputError, match="a pair of Confusion and Moments"):
        Paired(one, Moments.of([0.0, 1.0], [0.0, 1.0], cells=[0, 1]))
    with pytest.raises(InputError, match=r"leading axes \(2,\) and \(3,\)"):
        Paired(one, Confusion.zero(labels=2, shape=(3,)))
    with pytest.raises(InputError, match="other numbers of items"):
        Paired.of(Confusion.zero(labels=2), Confusion.of_counts([[1, 0], [0, 0]]))
    with pytest.raises(InputError, match="exchanges of the type int64"):
        Paired(one, one).exchanged(np.ones((1, 2), np.int64))
