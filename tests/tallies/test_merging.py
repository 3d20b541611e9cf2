from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affectcheck.errors import InputError
from affectcheck.tallies import Confusion, Histogram, Moments, Units
from affectcheck.tallies.merging import merged, padded

CODES = st.lists(st.integers(-1, 3), min_size=1, max_size=12)


def tallies(cells: np.ndarray, number: int, seed: int = 0) -> list:
    random = np.random.default_rng(seed)
    where = {"cells": cells, "n_cells": number}
    true, predicted = random.integers(0, 3, (2, cells.size))
    first, second = random.normal(size=(2, cells.size, 2))
    units = random.integers(-1, 2, (cells.size, 2)), random.integers(0, 2, (cells.size, 2))
    return [
        Confusion.count(true, predicted, labels=3, **where),
        Units.count(*units, **where),
        Histogram.of(first, second, **where),
        Moments.of(first, second, **where),
    ]


def assert_equal(one, other) -> None:
    for name in one.TRAILING:
        first, second = getattr(one, name), getattr(other, name)
        assert first.dtype == second.dtype, name
        np.testing.assert_allclose(first, second, rtol=1e-12, atol=1e-12, err_msg=name)


@given(CODES)
@settings(deadline=None)
def test_merged_cells_are_what_counting_by_code_gives(codes):
    given_codes = np.array(codes)
    cells = np.arange(60) % given_codes.size
    inside = given_codes[cells] >= 0
    for by_cell, direct in zip(
        tallies(cells, given_codes.size), tallies(np.where(inside, given_codes[cells], 4), 5), strict=True
    ):
        assert_equal(merged(by_cell, given_codes, 4), direct[:4])


def test_runs_of_unequal_length_merge_too():
    codes = np.array([*[5] * 41, *range(5), *range(6, 30), -1])
    cells = np.arange(400) % codes.size
    direct = np.where(codes[cells] >= 0, codes[cells], 30)
    for by_cell, whole in zip(tallies(cells, codes.size), tallies(direct, 31), strict=True):
        assert_equal(merged(by_cell, codes, 30), whole[:30])


def test_nothing_merges_into_nothing():
    for tally in tallies(np.arange(6) % 3, 3):
        assert_equal(merged(tally[:0], np.empty(0, int), 2), merged(tally, np.full(3, -1), 2))
        assert np.asarray(merged(tally[:0], np.empty(0, int), 2).support).sum() == 0


def test_padding_adds_tallies_without_items():
    for tally in tallies(np.arange(6) % 3, 3):
        assert padded(tally, 2) is tally
        wider = padded(tally, 5)
        assert_equal(wider[:3], tally)
        assert_equal((wider + wider)[3:], wider[3:])


@pytest.mark.parametrize(("codes", "message"), [([0, 1], "codes of shape"), ([0, 1, 2], "merged code 2")])
def test_codes_that_do_not_fit_are_refused(codes, message):
    with pytest.raises(InputError, match=message):
        merged(tallies(np.arange(6) % 3, 3)[0], codes, 2)


@given(CODES, st.integers(0, 2**16))
@settings(deadline=None)
def test_sums_of_real_tallies_depend_on_nothing_but_the_order(codes, seed):
    cells = np.arange(40) % len(codes)
    first, second = (merged(tallies(cells, len(codes), seed)[3], codes, 4) for _ in range(2))
    assert (first.squares_truth == second.squares_truth).all()
