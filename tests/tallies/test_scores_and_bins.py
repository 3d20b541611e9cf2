"""Tallies of class scores, of confidence, of bins and of signs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affectcheck.errors import InputError
from affectcheck.tallies import Binned, Reliability, Signs, TrueRanks, inner_edges
from affectcheck.tallies import tally as tally_module
from affectcheck.tallies.probabilities import SUM_TOLERANCE

SEEDS = st.integers(0, 2**32 - 1)


def probabilities(random: np.random.Generator, items: int, labels: int = 4) -> np.ndarray:
    return random.dirichlet(np.ones(labels), items).round(2)


def make(kind: str, random: np.random.Generator, items: int):
    """Items of a kind of tally, as a function that tallies some of them into three cells."""
    cells = random.integers(0, 3, items)
    truth, chances = random.integers(0, 4, items), probabilities(random, items)
    unanswered = random.random(items) < 0.1
    chances[unanswered] = np.nan
    present, units = random.integers(-1, 2, (items, 2)), random.integers(0, 11, (items, 2)) / 10
    real, predicted = random.integers(-4, 5, (2, items, 2)) / 4
    real[random.random(real.shape) < 0.1] = np.nan
    tallied = {
        "ranks": lambda rows, where: TrueRanks.count(truth[rows], chances[rows], missing="wrong", **where),
        "reliability": lambda rows, where: Reliability.count(truth[rows], chances[rows], missing="wrong", **where),
        "units": lambda rows, where: Reliability.of_units(present[rows], units[rows], bins=5, **where),
        "bins": lambda rows, where: Binned.of(real[rows], predicted[rows], edges=(-0.5, 0.0, 0.5), **where),
        "signs": lambda rows, where: Signs.of(real[rows], predicted[rows], neutral=0.25, **where),
    }[kind]
    return lambda rows: tallied(rows, {"cells": cells[rows], "n_cells": 3})


ZEROS = {
    "ranks": lambda: TrueRanks.zero(4, (3,)),
    "reliability": lambda: Reliability.zero(shape=(3,)),
    "units": lambda: Reliability.zero(2, 5, (3,)),
    "bins": lambda: Binned.zero(2, (3,), (-0.5, 0.0, 0.5)),
    "signs": lambda: Signs.zero(2, (3,), 0.25),
}
KINDS = pytest.mark.parametrize("kind", ZEROS)


def fields_of(tally) -> dict[str, np.ndarray]:
    return {name: getattr(tally, name) for name in tally.TRAILING}


def assert_equal(first, second) -> None:
    for name, array in fields_of(first).items():
        np.testing.assert_allclose(array, getattr(second, name), rtol=1e-12, atol=1e-12, err_msg=name)


@KINDS
@given(SEEDS, st.integers(0, 30), st.integers(0, 30))
@settings(max_examples=40)
def test_tallies_of_parts_add_up_and_order_means_nothing(kind, seed, items, cut):
    tally = make(kind, np.random.default_rng(seed), items)
    whole = tally(slice(None))
    assert_equal(tally(slice(0, cut)) + tally(slice(cut, None)), whole)
    assert_equal(whole + ZEROS[kind](), whole)
    assert_equal(tally(np.random.default_rng(1).permutation(items)), whole)


@KINDS
@given(SEEDS)
@settings(max_examples=20)
def test_weights_equal_repeating_the_clusters(kind, seed):
    random = np.random.default_rng(seed)
    tally = make(kind, random, 20)(slice(None))
    weights = random.integers(0, 4, (2, 3))
    mixed = tally.weighted(weights)
    for row, weight in enumerate(weights):
        total = ZEROS[kind]()[0]
        for cluster, times in enumerate(weight):
            for _ in range(times):
                total = total + tally[cluster]
        assert_equal(mixed[row], total)
    assert_equal(tally.weighted(np.ones((1, 3)))[0], tally.pooled(0))


@KINDS
def test_chunks_change_nothing(kind, monkeypatch):
    tally = make(kind, np.random.default_rng(0), 50)
    whole = tally(slice(None))
    monkeypatch.setattr(tally_module, "CHUNK", 7)
    assert_equal(tally(slice(None)), whole)


class TestRanks:
    def test_rank_of_the_true_class_agrees_with_sorting(self):
        random = np.random.default_rng(0)
        truth, scores = random.integers(0, 5, 300), random.integers(0, 4, (300, 5)).astype(float)
        order = np.argsort(-scores, axis=1, kind="stable")
        expected = np.bincount((order == truth[:, None]).argmax(axis=1), minlength=5)
        assert TrueRanks.count(truth, scores).counts.tolist() == expected.tolist()

    def test_an_item_without_scores_is_wrong_or_an_error(self):
        scores = [[0.5, 0.5], [np.nan, np.nan]]
        tally = TrueRanks.count([0, 1], scores, missing="wrong")
        assert tally.counts.tolist() == [1, 0]
        assert tally.unanswered == 1
        assert tally.support == 2
        with pytest.raises(InputError, match="row 1: the score of class 0 is NaN"):
            TrueRanks.count([0, 1], scores)

    def test_infinite_scores_rank(self):
        assert TrueRanks.count([1], [[-np.inf, np.inf]]).counts.tolist() == [1, 0]

    @pytest.mark.parametrize(
        ("truth", "scores", "message"),
        [
            ([0], [["a", "b"]], "scores have the type"),
            ([0, 1], [[0.1, 0.2]], "shape"),
            ([0], [0.1], "shape"),
            ([], np.zeros((0, 0)), "shape"),
            ([2], [[0.1, 0.2]], "truth code 2"),
            ([0.5], [[0.1, 0.2]], "truth codes have the type"),
            ([0], [[0.1, np.nan]], "the score of class 1 is NaN"),
        ],
    )
    def test_bad_scores_are_refused(self, truth, scores, message):
        with pytest.raises(InputError, match=message):
            TrueRanks.count(truth, scores, missing="wrong")

    def test_a_bad_row_is_named_from_the_first_of_all(self, monkeypatch):
        monkeypatch.setattr(tally_module, "CHUNK", 3)
        for truth, last in (([0] * 8, np.nan), ([0] * 7 + [9], 0.5)):
            with pytest.raises(InputError, match="row 7"):
                TrueRanks.count(truth, [[0.5, 0.5]] * 7 + [[0.5, last]])

    def test_other_label_sets_do_not_add(self):
        with pytest.raises(InputError, match="among 2 and 3 classes"):
            TrueRanks.zero(2) + TrueRanks.zero(3)


class TestReliability:
    def test_bins_are_closed_on_the_right_at_exact_edges(self):
        chances = np.array([0.0, 1 / 15, np.nextafter(1 / 15, 1), 1 / 3, 0.2, 1.0])
        tally = Reliability.of_units(np.ones(6, int), chances)
        assert np.flatnonzero(tally.items[0]).tolist() == [0, 1, 2, 4, 14]
        assert tally.items[0].tolist()[0] == 2
        assert tally.options == ("bins=15",)
        assert tally.bins == 15

    def test_what_has_no_known_truth_or_no_prediction_is_left_out_and_counted(self):
        units = Reliability.of_units([[1, -1], [0, 1]], [[0.9, 0.5], [0.1, 0.5]])
        assert units.support.tolist() == [2, 1]
        assert units.left_out.tolist() == [0, 1]
        classes = Reliability.count([0, 1], [[0.9, 0.1], [np.nan, np.nan]], missing="wrong")
        assert classes.left_out.tolist() == [1]
        assert classes.support.tolist() == [1]

    def test_rounding_is_borne_and_moved_to_the_ends_of_the_range(self):
        tally = Reliability.of_units([1, 0], np.array([1.0 + 1e-7, -1e-7]))
        assert tally.confidence.sum() == 1.0
        shares = np.array([[0.333, 0.333, 0.333]], np.float32)
        assert Reliability.count([0], shares).hits.sum() == 1

    @pytest.mark.parametrize(
        ("chances", "message"),
        [
            ([[0.5, 0.5], [2.0, -1.0]], r"row 1: a probability is 2\.0"),
            ([[0.5, 0.5], [0.5, 0.5 + 3 * SUM_TOLERANCE]], r"row 1: the probabilities of an item sum to 1\.015"),
            ([[0.5, 0.5], [0.5, np.nan]], "the score of class 1 is NaN"),
            ([[0.5, 0.5], [0.5, np.inf]], "a probability is inf"),
        ],
    )
    def test_what_are_no_probabilities_is_refused_with_its_row(self, chances, message):
        with pytest.raises(InputError, match=message):
            Reliability.count([0, 1], chances)

    @pytest.mark.parametrize(
        ("truth", "chances", "message"),
        [
            ([0, 1], [0.5, 1.5], r"row 1: a probability of unit 0 is 1\.5"),
            ([0, 1], [0.5, np.nan], r"a probability of unit 0 is nan"),
            ([0, 3], [0.5, 0.5], "row 1: truth code 3 of unit 0"),
            ([0, 1], [0.5], "shape"),
            ([0], ["a"], "type"),
        ],
    )
    def test_units_are_checked_alike(self, truth, chances, message):
        with pytest.raises(InputError, match=message):
            Reliability.of_units(truth, chances)

    def test_the_number_of_bins_is_positive_and_the_same_on_both_sides(self):
        with pytest.raises(InputError, match="0 bins"):
            Reliability.of_units([1], [0.5], bins=0)
        with pytest.raises(InputError, match=r"\(1, 15\) and of \(1, 10\)"):
            Reliability.zero() + Reliability.zero(bins=10)


class TestBinsAndSigns:
    def test_bins_agree_with_a_plain_loop(self):
        random = np.random.default_rng(3)
        truth, prediction = random.integers(-1, 6, (2, 200)) / 4
        table = np.zeros((4, 4), int)
        for t, p in zip(truth, prediction, strict=True):
            table[sum(t > edge for edge in (0.25, 0.5, 0.75)), sum(p > edge for edge in (0.25, 0.5, 0.75))] += 1
        tally = Binned.of(truth, prediction)
        assert tally.counts[0].tolist() == table.tolist()
        assert tally.bins == 4
        assert tally.options == ("edges=0.25/0.5/0.75",)

    def test_edges_follow_the_declared_range(self):
        assert inner_edges(0.0, 1.0) == (0.25, 0.5, 0.75)
        assert inner_edges(0.0, 100.0, 2) == (50.0,)

    @pytest.mark.parametrize("edges", [(0.5, 0.5), (0.5, 0.2), (np.inf,), (np.nan,), ((0.5,),)])
    def test_edges_that_do_not_rise_are_refused(self, edges):
        with pytest.raises(InputError, match="edges of bins"):
            Binned.of([0.1], [0.2], edges=edges)

    def test_no_edges_make_one_bin(self):
        assert Binned.of([0.1], [0.2], edges=()).counts.tolist() == [[[1]]]

    def test_signs_agree_with_numpy(self):
        random = np.random.default_rng(4)
        truth, prediction = random.integers(-2, 3, (2, 100)) / 2
        tally = Signs.of(truth, prediction)
        for t in (-1, 0, 1):
            for p in (-1, 0, 1):
                expected = ((np.sign(truth) == t) & (np.sign(prediction) == p)).sum()
                assert tally.counts[0, t + 1, p + 1] == expected

    def test_the_neutral_value_is_compared_in_float64(self):
        tally = Signs.of(np.array([0.5, 0.3], np.float32), [0.5, 0.4], neutral=0.5)
        assert tally.counts[0].tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 0]]
        assert tally.options == ("neutral=0.5",)

    def test_other_schemes_do_not_add(self):
        with pytest.raises(InputError, match="bins of 1 dimensions"):
            Binned.zero(1) + Binned.zero(2)
        with pytest.raises(InputError, match="bins of 1 dimensions"):
            Binned.zero(1) + Binned.zero(1, edges=(0.5,))
        with pytest.raises(InputError, match=r"about 0 and of 1 about 0\.5"):
            Signs.zero(1) + Signs.zero(1, neutral=0.5)
        with pytest.raises(InputError, match="a neutral value of nan"):
            Signs.of([0.1], [0.1], neutral=np.nan)

    def test_an_unknown_truth_is_counted(self):
        for kind in (Binned, Signs):
            tally = kind.of([[0.1, np.nan]], [[0.1, 0.2]])
            assert tally.support.tolist() == [1, 0]
            assert tally.unknown.tolist() == [0, 1]
