from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from affectcheck.seeds import rng
from affectcheck.uncertainty.margins import dealt_answers
from affectcheck.uncertainty.quantiles import tolerance_rank


def test_both_margins_stay_in_every_draw():
    table = np.array([[[3, 1, 0], [0, 0, 0]], [[0, 2, 5], [1, 0, 1]], [[4, 0, 0], [0, 3, 2]]])
    drawn = dealt_answers(table, 50, rng(0, "margins"))
    assert (drawn >= 0).all()
    assert (drawn.sum(axis=-1) == table.sum(axis=-1)).all()
    assert (drawn.sum(axis=1) == table.sum(axis=0)).all()


def test_draws_are_those_of_permuted_items():
    """The chance of each table of 2 and 3 items, 3 of them right, is hypergeometric."""
    table = np.array([[[2, 0]], [[1, 2]]])
    right = dealt_answers(table, 20_000, rng(1, "margins"))[:, 0, 0, 0]
    expected = stats.hypergeom(5, 3, 2).pmf([0, 1, 2])
    assert np.bincount(right) / right.size == pytest.approx(expected, abs=0.015)


@pytest.mark.parametrize("number", [1, 20, 59, 60, 200, 999, 1000])
def test_the_rank_is_the_smallest_that_bounds_the_quantile(number):
    rank, binomial = int(tolerance_rank(number, 0.95, 0.95)), stats.binom(number, 0.95)
    assert rank == number or binomial.cdf(rank - 1) >= 0.95
    assert binomial.cdf(rank - 2) < 0.95
