"""Weighted sums are exact, in whichever type they are made."""

from __future__ import annotations

import numpy as np
import pytest

from affectcheck.errors import InputError
from affectcheck.tallies import Confusion
from affectcheck.tallies.tally import Product


@pytest.mark.parametrize("scale", [1, 1000, 10**6, 10**9])
def test_whole_numbers_stay_exact(scale: int) -> None:
    random = np.random.default_rng(0)
    weights, sums = random.integers(0, 9, (7, 50)).astype(np.uint8), random.integers(0, scale, (50, 3, 2)) + scale
    made = Product(weights).of(sums)
    assert made.dtype == np.float64
    assert made.tolist() == np.einsum("bs,sij->bij", weights.astype(np.int64), sums).tolist()


@pytest.mark.parametrize("kind", [np.bool_, np.int64, np.float64])
def test_any_type_of_weights(kind: type) -> None:
    tally = Confusion.count([0, 1, 1], [0, 1, 0], labels=2, cells=[0, 1, 2])
    weights = np.array([[1, 0, 1], [1, 1, 1]], kind)
    assert tally.weighted(weights).counts.tolist() == [[[1, 0], [1, 0]], [[1, 0], [1, 1]]]
    assert not tally.weighted(weights).unanswered.any()


def test_no_weight_is_negative() -> None:
    tally = Confusion.count([0], [0], labels=2, cells=[0])
    for bad in ([[-1]], [[float("nan")]], [[1, 2]]):
        with pytest.raises(InputError):
            tally.weighted(bad)
