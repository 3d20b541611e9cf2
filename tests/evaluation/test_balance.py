"""Balanced sets: equal truth in every group, nothing drawn twice, nothing decided by order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affectcheck.evaluation.balance import Pool, balance_classes, balance_values
from affectcheck.seeds import rng


def pool(truth: np.ndarray, groups: np.ndarray, *, seed: int = 0, limit: int | None = None) -> Pool:
    return Pool([f"i{i}" for i in range(len(truth))], truth, groups, int(groups.max()) + 1, seed, limit)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**31), st.integers(2, 4), st.integers(20, 120))
def test_every_group_gets_the_same_number_of_each_class(seed: int, n_groups: int, n: int) -> None:
    draw = rng(seed, "test")
    truth, groups = draw.integers(3, size=n), draw.integers(n_groups, size=n)
    groups[:n_groups] = np.arange(n_groups)
    chosen = balance_classes(pool(truth, groups, seed=seed), 3)
    counts = np.array([np.bincount(truth[chosen][groups[chosen] == g], minlength=3) for g in range(n_groups)])
    assert (counts == counts[0]).all()
    available = np.array([np.bincount(truth[groups == g], minlength=3) for g in range(n_groups)])
    assert (counts[0] == available.min(axis=0)).all()
    assert len(set(chosen.tolist())) == len(chosen)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**31), st.integers(2, 4), st.integers(20, 80))
def test_every_item_of_the_smallest_group_gets_a_counterpart(seed: int, n_groups: int, n: int) -> None:
    draw = rng(seed, "test")
    truth, groups = draw.random(n).round(2), draw.integers(n_groups, size=n)
    groups[:n_groups] = np.arange(n_groups)
    sizes = np.bincount(groups)
    chosen = balance_values(pool(truth, groups, seed=seed))
    assert np.bincount(groups[chosen]).tolist() == [sizes.min()] * n_groups
    assert len(set(chosen.tolist())) == len(chosen)


def test_the_nearest_value_is_taken_and_ties_go_to_the_smaller() -> None:
    truth = np.array([0.50, 0.40, 0.60, 0.10, 0.52])
    groups = np.array([0, 1, 1, 1, 1])
    assert balance_values(pool(truth[:4], groups[:4])).tolist() == [0, 1]
    assert balance_values(pool(truth, groups)).tolist() == [0, 4]


def test_far_values_are_taken_when_nothing_nearer_is_left() -> None:
    truth = np.array([0.9, 0.9, 0.1, 0.2])
    assert balance_values(pool(truth, np.array([0, 0, 1, 1]))).tolist() == [0, 1, 2, 3]


def test_every_item_can_be_drawn_the_first_among_them() -> None:
    truth, groups = np.zeros(12, np.int64), np.array([0] * 4 + [1] * 8)
    drawn: set[int] = set()
    for seed in range(30):
        drawn |= set(balance_classes(pool(truth, groups, seed=seed), 1).tolist())
    assert drawn == set(range(12))


@pytest.mark.parametrize("kind", ["classes", "values"])
def test_the_order_of_the_items_does_not_matter(kind: str) -> None:
    draw = rng(2, "test")
    truth = draw.integers(3, size=60) if kind == "classes" else draw.random(60)
    groups = np.array([0] * 20 + [1] * 40)
    straight = pool(truth, groups)
    order = draw.permutation(60)
    turned = Pool([straight.items[i] for i in order], truth[order], groups[order], 2, 0)

    def chosen(one: Pool) -> set[str]:
        places = balance_classes(one, 3) if kind == "classes" else balance_values(one)
        return {one.items[place] for place in places}

    assert chosen(straight) == chosen(turned)
    assert chosen(straight) != chosen(pool(truth, groups, seed=1))


def test_a_limit_keeps_the_shares_of_the_classes() -> None:
    truth = np.array([0] * 70 + [1] * 30 + [0] * 140 + [1] * 60)
    groups = np.array([0] * 100 + [1] * 200)
    chosen = balance_classes(pool(truth, groups, limit=11), 2)
    for group in (0, 1):
        of_group = truth[chosen][groups[chosen] == group]
        assert np.bincount(of_group).tolist() == [8, 3]
    values = balance_values(pool(truth.astype(float), groups, limit=11))
    assert np.bincount(groups[values]).tolist() == [11, 11]
    assert len(balance_classes(pool(truth, groups, limit=500), 2)) == 200
