"""Controlled rounding of joint cells: what is dealt, and the best that whole items can do."""

from __future__ import annotations

import itertools
from typing import Final

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affectcheck.partitions.rounding import BARE, Cells, Ledger, deal, facts_of, nearest
from affectcheck.seeds import rng

FAIR: Final = np.array([0.55, 0.15, 0.30])


def cells(counts: list[int], codes: list[list[int]], given_: np.ndarray | None = None) -> Cells:
    """Cells of one column of values, the size and themselves."""
    values = max(max(row) for row in codes) + 2
    own = np.arange(len(counts)) + values
    flat = np.column_stack([np.array(codes), np.full(len(counts), values - 1), own])
    none = np.zeros((len(counts), 3), dtype=np.int64) if given_ is None else given_
    return Cells(np.array(counts), none, flat, values + len(counts), values, 0, FAIR)


@settings(max_examples=200, deadline=None)
@given(st.integers(1, 24), st.lists(st.integers(1, 20), min_size=2, max_size=3), st.data())
def test_nearest_is_the_best_of_all_whole_numbers(total: int, parts: list[int], data: st.DataObject) -> None:
    ratios = np.array(parts) / sum(parts)
    low = np.zeros(len(parts), dtype=np.int64)
    for place in data.draw(st.lists(st.integers(0, len(parts) - 1), max_size=total)):
        low[place] += 1
    found = nearest(total, ratios, low)
    if total - low.sum() >= (low == 0).sum():
        low = np.maximum(low, 1)
    every = (np.array(one) for one in itertools.product(range(total + 1), repeat=len(parts)) if sum(one) == total)
    best = min(np.abs(one - total * ratios).sum() for one in every if (one >= low).all())
    assert found.sum() == total
    assert (found >= low).all()
    assert np.abs(found - total * ratios).sum() == pytest.approx(best)


def test_nearest_of_many_that_are_given_takes_no_time() -> None:
    assert nearest(300_000, FAIR, np.array([200_000, 0, 0])).tolist() == [200_000, 27_500, 72_500]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, 60), min_size=1, max_size=30), st.integers(0, 9))
def test_what_is_dealt_is_complete_and_near_the_shares(counts: list[int], seed: int) -> None:
    values = rng(seed, "test cells").integers(3, size=len(counts))
    ledger = deal(cells(counts, [[int(value)] for value in values]), seed)
    assert ledger.amounts.sum(axis=1).tolist() == counts
    assert (np.abs(ledger.amounts - np.outer(counts, FAIR)) < 3).all()
    assert ((ledger.amounts > 0).all(axis=1) | (np.array(counts) < 3)).all()
    assert np.array_equal(ledger.inside, ledger.cells.inside(ledger.amounts))


def test_what_is_given_stays_even_if_the_cell_is_then_unfair() -> None:
    settled = np.array([[0, 9, 0], [5, 0, 0]])
    ledger = deal(cells([10, 5], [[0], [1]], settled), 0)
    assert ledger.amounts.sum(axis=1).tolist() == [10, 5]
    assert (ledger.amounts >= settled).all()


def test_very_many_single_items_are_dealt_in_bulk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("affectcheck.partitions.rounding._ONE_BY_ONE", 100)
    ledger = deal(cells([1] * 2000, [[place % 7] for place in range(2000)]), 0)
    assert ledger.amounts.sum(axis=1).tolist() == [1] * 2000
    assert np.abs(ledger.inside[:, 7] - 2000 * FAIR).max() <= 5
    assert np.array_equal(ledger.inside, ledger.cells.inside(ledger.amounts))


def test_prices_are_what_a_step_changes() -> None:
    """The price of there is minus the price of back again, at every stratum."""
    ledger = deal(cells([10, 7, 3, 2], [[0], [1], [0], [2]]), 0)
    up = ledger.prices(1)
    after = Ledger(ledger.cells, ledger.amounts, ledger.inside + 1)
    assert np.array_equal(after.prices(-1), -up)
    assert ledger.price(ledger.cells.codes[0], 1, 1) == up[1, ledger.cells.codes[0]].sum()


def test_the_last_item_of_a_stratum_is_dear_and_nothing_weighs_nothing() -> None:
    given_cells = cells([3, 30], [[0], [1]])
    amounts = np.array([[1, 1, 1], [16, 5, 9]])
    ledger = Ledger(given_cells, amounts, given_cells.inside(amounts))
    assert ledger.prices(-1)[1, 0] > BARE // 2
    assert (ledger.prices(-1)[:, -1] == 0).all()


def test_rare_values_weigh_more() -> None:
    weight = cells([16, 256], [[0], [1]]).weight
    assert weight[0] == 2 * weight[1]


def test_facts_of_one_cell_and_its_bound() -> None:
    ledger = deal(cells([20], [[0]]), 0)
    facts = facts_of(ledger)
    assert facts.cost == facts.bound == pytest.approx(0, abs=1e-15)
