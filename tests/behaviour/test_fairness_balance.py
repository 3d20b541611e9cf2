"""Sets of equal truth, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from affectcheck.behaviour.fairness_balance import equal_classes, first_of_each
from affectcheck.evaluation.balance import Pool
from affectcheck.seeds import rng


def pool(truth: np.ndarray, groups: np.ndarray, limit: int | None, seed: int = 0) -> Pool:
    return Pool([f"i{i}" for i in range(len(truth))], truth, groups, int(groups.max()) + 1, seed, limit)


def counts(places: np.ndarray, truth: np.ndarray, groups: np.ndarray) -> list[list[int]]:
    return [np.bincount(truth[places][groups[places] == g], minlength=4).tolist() for g in range(groups.max() + 1)]


def test_other_groups_give_what_the_sample_of_the_smallest_has() -> None:
    draw = rng(1, "balance")
    truth, groups = draw.integers(4, size=900), np.repeat([0, 1, 2], [150, 350, 400])
    places = equal_classes(pool(truth, groups, 100), 4)
    found = counts(places, truth, groups)
    assert found[0] == found[1] == found[2]
    assert sum(found[0]) == 100
    assert len(set(places.tolist())) == 300
    assert (np.diff(places) > 0).all()
    others = {tuple(counts(equal_classes(pool(truth, groups, 100, seed), 4), truth, groups)[0]) for seed in range(8)}
    assert len(others) > 1  # the sample of the smallest group is drawn whatever its classes


def test_a_class_that_a_group_lacks_is_cut_in_all() -> None:
    truth = np.array([0] * 6 + [1] * 4 + [0] * 20 + [1] * 2)
    groups = np.repeat([0, 1], [10, 22])
    assert counts(equal_classes(pool(truth, groups, 10), 4), truth, groups) == [[6, 2, 0, 0]] * 2
    assert counts(equal_classes(pool(truth, groups, None), 4), truth, groups) == [[6, 2, 0, 0]] * 2


def test_every_place_may_be_drawn() -> None:
    truth, groups = np.zeros(12, np.int64), np.repeat([0, 1], [4, 8])
    seen = {p for seed in range(40) for p in equal_classes(pool(truth, groups, 2, seed), 1).tolist()}
    assert seen == set(range(12))


@pytest.mark.parametrize(("limit", "expected"), [(2, [2, 2]), (None, [3, 5]), (4, [3, 4])])
def test_at_most_so_many_of_each_group(limit: int | None, expected: list[int]) -> None:
    groups = np.repeat([0, 1], [3, 5])
    places = first_of_each(pool(np.zeros(8), groups, limit))
    assert np.bincount(groups[places]).tolist() == expected
