from __future__ import annotations

import math
import pickle
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affectcheck.errors import InputError
from affectcheck.tallies import Paired, Sample, ranked
from affectcheck.tallies.mixing import compact

if TYPE_CHECKING:
    from collections.abc import Sequence

SEEDS = st.integers(0, 2**32 - 1)


class WeightedMean:
    """A statistic that sees every item and weight: the mean of truth times score, the items in two orders."""

    def __init__(self, truth: np.ndarray, score: np.ndarray) -> None:
        self.orders = (np.argsort(score, kind="stable"), np.argsort(truth, kind="stable"))
        self.scores, self.truths = score[self.orders[0]], truth[self.orders[1]]

    def values(self, weights: Sequence[np.ndarray]) -> np.ndarray:
        total = weights[0].sum(axis=1)
        score = (weights[0] * self.scores).sum(axis=1)
        truth = (weights[1] * self.truths).sum(axis=1)
        return np.divide(score + 10 * truth, total, out=np.full(total.shape, np.nan), where=total > 0)


class Rows:
    """The plain thing: items with the weight of each in every cell, and all that a sample can do done to the weights."""

    def __init__(self, truth: np.ndarray, score: np.ndarray, weight: np.ndarray) -> None:
        self.truth, self.score, self.weight = truth, score, weight

    def of(self, change) -> Rows:
        return Rows(self.truth, self.score, change(self.weight))

    def plus(self, other: Rows) -> Rows:
        return Rows(
            np.concatenate([self.truth, other.truth]),
            np.concatenate([self.score, other.score]),
            np.concatenate([self.weight, other.weight], axis=-1),
        )

    def values(self) -> np.ndarray:
        parts = []
        for part in range(self.truth.shape[1]):
            truth, score = self.truth[:, part], self.score[:, part]
            weight = self.weight * ~np.isnan(truth)
            total = weight.sum(axis=-1)
            summed = (weight * (score + 10 * np.nan_to_num(truth))).sum(axis=-1)
            parts.append(np.divide(summed, total, out=np.full(total.shape, np.nan), where=total > 0))
        return np.stack(parts, axis=-1)

    def support(self) -> np.ndarray:
        return np.stack([(self.weight * ~np.isnan(column)).sum(axis=-1) for column in self.truth.T], axis=-1)


def draw(random: np.random.Generator, shape: tuple[int, ...] = (4, 3)) -> tuple[Sample, Rows]:
    n = int(random.integers(0, 25))
    truth, score = random.integers(0, 5, (n, 2)) / 4, random.integers(0, 5, (n, 2)) / 8
    truth[random.random((n, 2)) < 0.2] = np.nan
    cells = random.integers(0, int(np.prod(shape)), n)
    weight = (np.arange(int(np.prod(shape)))[:, None] == cells).astype(float).reshape(*shape, n)
    return Sample.of(truth, score, cells=cells, n_cells=shape), Rows(truth, score, weight)


def steps(random: np.random.Generator) -> list:
    """Things that may be done to a tally of three leading axes or fewer, and to weights (..., n)."""
    whole, real = random.integers(0, 3, (5, 40)), random.random((3, 40)).round(2)

    def taken(key):
        return lambda s: s[key], lambda w: w[(*key, ..., slice(None))]

    def pooled(axis):
        return lambda s: s.pooled(axis), lambda w: w.sum(axis=axis)

    def weighted(matrix):
        return (
            lambda s: s.weighted(matrix[:, : s.shape[0]]),
            lambda w: np.tensordot(matrix[:, : w.shape[0]], w, axes=(1, 0)),
        )

    return [
        weighted(whole),
        weighted(real),
        pooled(0),
        taken((slice(None), 1)),
        taken(([2, 0, 0],)),
        taken((slice(1, None),)),
        (lambda s: s[..., [1, 0]], lambda w: w[..., [1, 0], :]),
        (lambda s: s.pooled(len(s.shape) - 1), lambda w: w.sum(axis=-2)),
        (lambda s: s.reshape(-1), lambda w: w.reshape(math.prod(w.shape[:-1]), w.shape[-1])),
        (lambda s: s.reshape(*s.shape, 1), lambda w: w.reshape(*w.shape[:-1], 1, w.shape[-1])),
        (lambda s: s.joined([s, s[:1]]), lambda w: np.concatenate([w, w, w[:1]])),
    ]


@given(SEEDS)
@settings(max_examples=200)
def test_whatever_is_done_to_a_sample_equals_weighting_every_item(seed):
    random = np.random.default_rng(seed)
    sample, rows = draw(random)
    for _ in range(int(random.integers(1, 5))):
        on_sample, on_weights = steps(random)[random.integers(0, 11)]
        if len(sample.shape) < 2 or min(sample.shape) < 3:
            break
        sample, rows = on_sample(sample), rows.of(on_weights)
    assert sample.shape == rows.weight.shape[:-1]
    np.testing.assert_allclose(sample.support, rows.support(), rtol=1e-12)
    np.testing.assert_allclose(sample.each(WeightedMean), rows.values(), rtol=1e-12)


@given(SEEDS)
@settings(max_examples=60)
def test_adding_puts_items_side_by_side(seed):
    random = np.random.default_rng(seed)
    first, second = draw(random), draw(random)
    matrix = random.integers(0, 3, (5, 4))

    def mixed(sample: Sample, rows: Rows) -> tuple[Sample, Rows]:
        return sample.weighted(matrix), rows.of(lambda w: np.tensordot(matrix, w, axes=(1, 0)))

    def once(sample: Sample, rows: Rows) -> tuple[Sample, Rows]:
        return sample.pooled(0), rows.of(lambda w: np.broadcast_to(w.sum(axis=0), (5, *w.shape[1:])))

    pairs = [(first, second), (mixed(*first), mixed(*second)), (mixed(*first), once(*second))]
    for (one, its_rows), (two, other_rows) in pairs:
        added, expected = one + two, its_rows.plus(other_rows)
        np.testing.assert_allclose(added.support, expected.support())
        np.testing.assert_allclose(added.each(WeightedMean), expected.values(), rtol=1e-12)
    np.testing.assert_array_equal((first[0] + Sample.zero(2, (4, 3))).support, first[0].support)


def test_resamples_made_in_blocks_share_their_items():
    sample, _ = draw(np.random.default_rng(5), (6, 2))
    weights = np.random.default_rng(6).integers(0, 3, (8, 6))
    blocks = [sample.weighted(weights[start : start + 3]) for start in (0, 3, 6)]
    joined = blocks[0].joined(blocks[1:])
    assert joined.lots == sample.lots
    np.testing.assert_array_equal(joined.each(WeightedMean), sample.weighted(weights).each(WeightedMean))


def test_groups_whose_items_lie_apart_are_ranked_apart():
    seen: list[int] = []

    class Spy(WeightedMean):
        def __init__(self, truth, score):
            seen.append(truth.size)
            super().__init__(truth, score)

    random = np.random.default_rng(7)
    truth, cells = random.random(60), np.arange(60) % 6
    whole = Sample.of(truth, truth, cells=cells)
    weights = random.integers(1, 3, (4, 3))
    apart = whole[:3].weighted(weights).joined([whole[3:].weighted(weights)])
    expected = np.concatenate([whole[k : k + 3].weighted(weights).each(WeightedMean) for k in (0, 3)])
    np.testing.assert_allclose(apart.each(Spy), expected)
    assert seen == [30, 30]


def test_many_patterns_of_lots_are_ranked_together(monkeypatch):
    monkeypatch.setattr(ranked, "_MOST_PATTERNS", 2)
    random = np.random.default_rng(8)
    samples = [Sample.of(random.random(9), random.random(9), cells=np.arange(9) % 3) for _ in range(3)]
    weights = np.array([[1, 0, 2], [0, 0, 0], [1, 1, 1], [0, 2, 0]])
    added = samples[0].weighted(weights)
    for number, sample in enumerate(samples[1:]):
        added = added + sample.weighted(weights * (np.arange(4) > number)[:, None])
    found = added.each(WeightedMean)
    monkeypatch.setattr(ranked, "_MOST_PATTERNS", 64)
    np.testing.assert_allclose(added.each(WeightedMean), found)
    assert np.isnan(found[1, 0])


def test_memory_is_bounded_by_few_weightings_at_a_time(monkeypatch):
    sample, _ = draw(np.random.default_rng(9), (5, 1))
    weighted = sample.weighted(np.random.default_rng(1).integers(0, 4, (11, 5)))
    whole = weighted.each(WeightedMean)
    monkeypatch.setattr(ranked, "ENTRIES", 1)
    np.testing.assert_array_equal(weighted.each(WeightedMean), whole)


def test_a_sample_is_a_tally_that_can_be_paired_and_sent_to_another_process():
    sample, _ = draw(np.random.default_rng(10))
    pair = Paired(sample, sample).exchanged(np.array([[True, False, True, False]]))
    np.testing.assert_array_equal(pair.first.support, sample.pooled(0).support[None])
    again = pickle.loads(pickle.dumps(sample))
    np.testing.assert_array_equal(again.each(WeightedMean), sample.each(WeightedMean))


def test_units_keep_their_codes_and_take_infinite_scores():
    sample = Sample.of_units([[1, -1], [0, 0]], [[np.inf, 0.1], [-np.inf, 2.0]])
    assert sample.support.tolist() == [2, 1]
    assert sample.counted(lambda truth: truth == 1).tolist() == [1, 0]
    assert Sample.of_units([1, 0], [True, False]).support.tolist() == [2]


def test_no_items_have_cells_and_no_values():
    empty = Sample.of(np.zeros((0, 2)), np.zeros((0, 2)), cells=[], n_cells=3)
    assert empty.shape == (3,)
    assert empty.support.tolist() == [[0, 0]] * 3
    weighted = empty.weighted(np.ones((2, 3)))
    assert weighted.shape == (2,)
    assert np.isnan(weighted.each(WeightedMean)).all()
    assert np.isnan(empty.pooled(0).each(WeightedMean)).all()
    assert weighted.pooled(0).shape == ()
    assert Sample.of([0.1], [0.2], cells=[0]).weighted([[1.0]])[:0].shape == (0,)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Sample.of([0.1], [np.nan]), "prediction is nan in dimension 0"),
        (lambda: Sample.of([np.inf], [0.1]), "truth is inf in dimension 0"),
        (lambda: Sample.of(["a"], [0.1]), "truth has the type"),
        (lambda: Sample.of([0.1, 0.2], [0.1]), "shape"),
        (lambda: Sample.of([0.1], [0.1], cells=[2], n_cells=2), "cell code 2"),
        (lambda: Sample.of_units([0, 1], [0.2, np.nan]), "the score of unit 0 is NaN"),
        (lambda: Sample.of_units([0, 2], [0.2, 0.1]), "truth code 2 of unit 0"),
        (lambda: Sample.of_units([0.0, 1.0], [0.2, 0.1]), "truth codes have the type float64"),
        (lambda: Sample.of([0.1], [0.1]).pooled(0), "has no axis 0"),
        (lambda: Sample.of([0.1], [0.1]) + Sample.zero(2), "items of 1 and of 2 parts"),
        (lambda: Sample.of([0.1], [0.1], cells=[0]).weighted([[1, 1]]), "weights of shape"),
    ],
)
def test_bad_items_are_refused(make, message):
    with pytest.raises(InputError, match=message):
        make()


def test_whole_numbers_count_as_truth_of_dimensions():
    assert Sample.of([-1, 2], [1, 2]).support.tolist() == [2]


def test_weights_are_kept_in_as_few_bytes_as_hold_them():
    kinds = [compact(np.array([[value]])).dtype.name for value in (255.0, 256.0, 65536.0, 0.5)]
    assert kinds == ["uint8", "uint16", "float64", "float64"]
    assert compact(np.array([[True]])).dtype == np.uint8
    assert compact(np.array([[300]], np.uint16)).dtype == np.uint16
