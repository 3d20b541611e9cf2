"""Ranks and their intervals."""

from __future__ import annotations

import numpy as np
import pytest

from affectcheck import seeds
from affectcheck.uncertainty import LEAST, ResampledValues, Resampling, rank_intervals, ranks

NAN = float("nan")


def resampled(point: object, values: object, *, clusters: int = 100, level: float = 0.95) -> ResampledValues:
    drawn = np.asarray(values, np.float64)
    options = Resampling(resamples=drawn.shape[0], level=level)
    known = np.full(drawn.shape[1:], clusters, np.int64)
    return ResampledValues(np.asarray(point, np.float64), drawn, None, known, options)


def test_equal_values_share_the_best_rank_and_undefined_ones_have_none() -> None:
    assert ranks([0.5, 0.7, 0.5, 0.1], higher_is_better=True).tolist() == [2.0, 1.0, 2.0, 4.0]
    assert ranks([0.5, 0.7, 0.5, 0.1], higher_is_better=False).tolist() == [2.0, 4.0, 2.0, 1.0]
    assert np.array_equal(ranks([NAN, 0.2, 0.3], higher_is_better=True), [NAN, 2.0, 1.0], equal_nan=True)
    assert ranks([[1.0, 2.0], [3.0, 0.0]], higher_is_better=True, axis=0).tolist() == [[2.0, 1.0], [1.0, 2.0]]


def test_ranks_are_counts_of_better_models() -> None:
    values = seeds.rng(0, "ranks").integers(0, 4, size=(50, 6)).astype(float)
    values[values == 3.0] = NAN
    for row, found in zip(values, ranks(values, higher_is_better=True), strict=True):
        for value, rank in zip(row, found, strict=True):
            assert np.isnan(rank) if np.isnan(value) else rank == 1 + (row > value).sum()


def test_the_interval_is_of_the_ranks_in_shared_resamples() -> None:
    random = seeds.rng(1, "ranks")
    drawn = random.normal([0.6, 0.5, 0.45], 0.06, size=(999, 3))
    found = rank_intervals([resampled(p, drawn[:, m]) for m, p in enumerate((0.6, 0.5, 0.45))], higher_is_better=True)
    places = 1 + (drawn[:, :, None] < drawn[:, None, :]).sum(axis=2)
    tail = 0.0235  # that of 100 clusters, widened from 0.025
    for model in range(3):
        low, high = int(found.low[model]), int(found.high[model])
        assert (places[:, model] < low).mean() <= tail < (places[:, model] <= low).mean() + 0.001
        assert (places[:, model] > high).mean() <= tail < (places[:, model] >= high).mean() + 0.001
    assert found.rank.tolist() == [1.0, 2.0, 3.0]
    assert int(found.models) == 3
    assert found.reason(0) == ""


def test_equal_models_share_a_rank_in_every_resample() -> None:
    drawn = seeds.rng(2, "ranks").random((99, 1))[:, 0]
    found = rank_intervals([resampled(0.4, drawn), resampled(0.4, drawn)], higher_is_better=True)
    assert (found.low.tolist(), found.high.tolist()) == ([1.0, 1.0], [1.0, 1.0])


def test_the_observed_rank_is_inside() -> None:
    one, two = resampled(0.9, np.full(40, 0.1)), resampled(0.5, np.full(40, 0.5))
    found = rank_intervals([one, two], higher_is_better=True)
    assert (found.rank[0], found.low[0], found.high[0]) == (1.0, 1.0, 2.0)


def test_a_model_without_a_score_ranks_nowhere_and_moves_no_other() -> None:
    values = np.array([0.3, 0.4] * 20)
    found = rank_intervals(
        [resampled(NAN, np.full(40, NAN)), resampled(0.5, np.full(40, 0.5)), resampled(0.35, values)],
        higher_is_better=True,
    )
    assert np.isnan(found.rank[0])
    assert found.reason(0) == "the score is undefined, which ranks nowhere"
    assert found.rank[1:].tolist() == [1.0, 2.0]
    assert int(found.models) == 2


def test_undefined_resamples_are_left_out_up_to_a_half() -> None:
    few, many = np.full(40, 0.5), np.full(40, 0.5)
    few[:10], many[:20] = NAN, NAN
    other = resampled(0.4, np.full(40, 0.4))
    kept = rank_intervals([resampled(0.5, few), other], higher_is_better=True)
    assert (kept.low[0], kept.high[0], int(kept.undefined[0])) == (1.0, 1.0, 10)
    refused = rank_intervals([resampled(0.5, many), other], higher_is_better=True)
    assert refused.reason(0) == "the score is undefined in 20 of 40 resamples"
    assert refused.reason(1) == ""


@pytest.mark.parametrize("clusters", [LEAST - 1, LEAST])
def test_few_clusters_give_a_rank_without_an_interval(clusters: int) -> None:
    models = [resampled([0.5], np.full((40, 1), 0.5), clusters=clusters) for _ in range(2)]
    found = rank_intervals(models, higher_is_better=True)
    assert found.rank[0, 0] == 1.0
    assert ("4 subject clusters" in found.reason(0, 0)) == (clusters < LEAST)
