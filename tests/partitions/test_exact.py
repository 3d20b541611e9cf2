"""Exact answers and bounds: every assignment looked at, the programme, and what no assignment can get under."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from affectcheck.partitions.bounds import stratum_bound
from affectcheck.partitions.clock import Clock
from affectcheck.partitions.exact import can_enumerate, cover, enumerate_all, prove, prove_if_promising
from affectcheck.partitions.options import PartitionOptions
from affectcheck.partitions.problem import Candidate, Problem
from affectcheck.partitions.search import search
from affectcheck.partitions.solving import solve
from subject_problems import FAIR, by_hand, problem, published

if TYPE_CHECKING:
    from pathlib import Path

NONE = (0, 0.0)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kept", [False, True])
def test_all_ways_agree_on_the_optimum(seed: int, kept: bool) -> None:
    fixed = np.array([2, -1, -1, 0, -1, -1, -1]) if kept else None
    given = problem(7, seed=seed, fixed=fixed)
    allowed = (
        places
        for places in itertools.product(range(3), repeat=7)
        if all(here in {-1, there} for here, there in zip(given.settled, places, strict=True))
    )
    best = min(by_hand(given, places) for places in allowed)
    everything = enumerate_all(given, most=5)
    proof = prove(given, everything[0])
    for candidate in (everything[0], proof.candidate):
        assert (candidate.uncovered, candidate.cost) == (best[0], pytest.approx(best[1], abs=1e-9))
    assert proof.proven
    assert proof.bound == pytest.approx(best[1], abs=1e-6)
    assert [c.cost for c in everything] == sorted(c.cost for c in everything)
    assert stratum_bound(given, covered=not best[0]) <= best[1]


@settings(max_examples=60, deadline=None)
@drawn(
    counts=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 3), st.integers(1, 9)), min_size=3, max_size=7).filter(
        lambda rows: all(map(sum, zip(*rows, strict=True)))
    ),
    kept=st.lists(st.integers(-1, 2), min_size=7, max_size=7),
)
def test_no_assignment_is_under_the_bound_of_its_strata(counts: list[tuple[int, ...]], kept: list[int]) -> None:
    given = Problem(np.array(counts), FAIR, np.array(kept[: len(counts)]))
    best = enumerate_all(given, most=1)[0]
    assert stratum_bound(given, covered=not best.uncovered) <= best.cost + 1e-12
    assert stratum_bound(given, covered=False) <= best.cost + 1e-12


def test_the_bound_of_a_value_that_one_subject_holds_is_exact() -> None:
    # all of it lies in one set, at best in that of 55 %: .45 + .15 + .30 away from the targets
    given = Problem(np.array([[4, 10], *[[0, 10]] * 19]), FAIR)
    assert stratum_bound(given, covered=True) == pytest.approx(0.9 / 6, abs=1e-8)
    everybody = Problem(np.array([[4, 10]] * 20), FAIR)
    assert stratum_bound(everybody, covered=True) == 0


def test_the_bound_of_a_subject_who_holds_most_items() -> None:
    # among many others, of whom not every way to deal them can be looked at
    sizes = np.concatenate([[1_000], np.arange(1, 40)])
    given = Problem(sizes[:, None], FAIR)
    share = 1_000 / sizes.sum()
    assert stratum_bound(given, covered=True) == pytest.approx(2 * (share - 0.55) / 3, abs=1e-8)


def test_a_programme_stopped_early_has_no_proof() -> None:
    given = problem(36, values=16)
    proof = prove(given, search(given, seed=0)[0], nodes=0)
    assert not proof.proven
    assert proof.bound >= 0


def test_a_programme_without_any_assignment(monkeypatch: pytest.MonkeyPatch) -> None:
    import scipy.optimize

    class Nothing:
        x = None
        status = 1
        mip_dual_bound = None

    monkeypatch.setattr(scipy.optimize, "milp", lambda **_: Nothing())
    proof = prove(problem(9), Candidate(0, 1.0, NONE, 0, (0,) * 9))
    assert (proof.candidate, proof.bound, proof.proven) == (None, 0.0, False)


def test_alike_units_are_ties_that_no_order_decides() -> None:
    given = Problem(np.array([[2, 10]] * 12), FAIR)
    assert can_enumerate(given)
    best = enumerate_all(given, most=20)
    assert len({candidate.cost for candidate in best}) == 1
    used = np.array([candidate.assignment for candidate in best])
    assert (used[:, 0] != used[0, 0]).any(), "the first unit is not always in the same set"
    assert prove(given, best[0]).candidate.cost == best[0].cost


def test_all_nodes_are_spent_only_where_the_bound_is_near() -> None:
    alike = Problem(np.array([[2, 10]] * 20), FAIR)
    assert prove_if_promising(alike, search(alike, seed=0)[0]).proven
    hard = problem(16, values=8)
    assert not prove_if_promising(hard, search(hard, seed=0)[0]).proven
    small = problem(9)
    assert prove_if_promising(small, Candidate(0, 1e-9, NONE, 0, (0,) * 9)).candidate is not None


def test_a_programme_too_large_for_its_nodes_is_not_looked_at() -> None:
    given = problem(16, values=8)
    best = Candidate(0, 1.0, NONE, 0, (0,) * 16)
    assert prove_if_promising(given, best, nodes=0) is None
    assert prove_if_promising(given, best, clock=Clock(1e-9)) is None


def test_a_later_bound_is_not_worse_than_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib

    module = importlib.import_module("affectcheck.partitions.exact")
    proofs = iter([module.Proof(None, 0.09, proven=False), module.Proof(None, 0.08, proven=False)])
    monkeypatch.setattr(module, "prove", lambda *_, **__: next(proofs))
    assert prove_if_promising(problem(9), Candidate(0, 0.1, NONE, 0, (0,) * 9)).bound == 0.09


# Four values, three holders each, of which any two share one: three sets cannot all have all four.
CROSSED = np.array(
    [[1, 1, 0, 0, 2], [1, 0, 1, 0, 2], [1, 0, 0, 1, 2], [0, 1, 1, 0, 2], [0, 1, 0, 1, 2], [0, 0, 1, 1, 2]]
)


def test_what_no_assignment_covers_is_proven() -> None:
    with_others = np.concatenate([CROSSED, np.tile([[0, 0, 0, 0, 2]], (14, 1))])
    assert enumerate_all(Problem(CROSSED, FAIR), most=1)[0].uncovered == 0
    # two that hold the first value are kept in one set
    fixed = np.full(20, -1)
    fixed[:2] = 0
    given = Problem(with_others, FAIR, fixed)
    assignment, least = cover(given)
    assert least == given.uncovered(assignment) > 0
    found = solve(given, PartitionOptions(), 0.0)
    assert found.least_gaps == found.shortlist[0].uncovered == least


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "optimum"), [(7, 9.742), (8, 9.404), (9, 9.570), (10, 9.573), (11, 9.495), (12, 9.784)]
)
def test_27_subjects_reach_the_proven_optimum(shared_data: Path, seed: int, optimum: float) -> None:
    found = solve(published(shared_data, "DISFA", seed), PartitionOptions(), 0.0075)
    best = found.shortlist[0]
    assert (best.uncovered, found.proven, found.reproducible) == (0, True, True)
    assert 100 * best.cost == pytest.approx(optimum, abs=6e-4)
    assert found.bound == best.cost


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize("seed", [7, 8])
def test_96_subjects_come_near_the_bound(shared_data: Path, seed: int) -> None:
    found = solve(published(shared_data, "GFT", seed), PartitionOptions(), 0.0075)
    best = found.shortlist[0]
    assert best.uncovered == 0
    assert 100 * best.cost <= 3.0
    assert best.cost <= 1.35 * found.bound
