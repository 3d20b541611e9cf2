"""The search for assignments: against every assignment, and what a step is said to change."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from affectcheck.partitions.clock import Clock, Effort
from affectcheck.partitions.descent import State, _Pairs, descend
from affectcheck.partitions.exact import enumerate_all
from affectcheck.partitions.problem import Candidate, Problem
from affectcheck.partitions.search import near, random_assignment, search
from affectcheck.seeds import rng
from subject_problems import FAIR, by_hand, problem


def test_cost_and_cover_by_hand() -> None:
    given = problem(7)
    for seed in range(5):
        assignment = random_assignment(given, rng(seed, "hand"))
        bare, cost = by_hand(given, tuple(assignment))
        assert given.uncovered(assignment) == bare == given.lacking(assignment).sum()
        assert given.cost(assignment) == pytest.approx(cost, abs=1e-12)


def test_starts_have_the_sizes_that_are_asked_for() -> None:
    given = problem(400)
    inside = given.inside(random_assignment(given, rng(0, "start")))
    assert np.abs(inside @ given.shares[:, -1] - FAIR).max() < 0.01


@settings(max_examples=40, deadline=None)
@drawn(units=st.integers(3, 14), seed=st.integers(0, 50), kept=st.integers(0, 4))
def test_a_step_changes_what_it_says(units: int, seed: int, kept: int) -> None:
    draw = rng(seed, "steps")
    fixed = np.full(units, -1)
    fixed[:kept] = draw.integers(3, size=len(fixed[:kept]))
    given = problem(units, seed=seed, fixed=fixed)
    state = State.of(given, random_assignment(given, draw))
    before = state.total
    moves = state.moves()
    for row, unit in enumerate(given.free):
        for place in range(3):
            if place != state.assignment[unit]:
                moved = state.copy()
                moved.put(int(unit), place)
                assert moved.total - before == moves[row, place]
    one, other = np.triu_indices(units, 1)
    apart = state.assignment[one] != state.assignment[other]
    for left, right, change in zip(one[apart], other[apart], state.swaps(one[apart], other[apart]), strict=True):
        swapped = state.copy()
        swapped.swap(int(left), int(right))
        fresh = State.of(given, swapped.assignment)
        assert swapped.total - before == change
        assert (fresh.total, fresh.bare.tolist()) == (swapped.total, swapped.bare.tolist())


@pytest.mark.parametrize("seed", range(4))
def test_the_search_finds_the_best_of_all(seed: int) -> None:
    given = problem(8, seed=seed)
    best, found = enumerate_all(given, most=1)[0], search(given, seed=0)
    assert (found[0].uncovered, found[0].cost) == (best.uncovered, best.cost)
    assert len({one.assignment for one in found}) == len(found)


def test_descent_never_gets_worse_and_leaves_no_set_empty() -> None:
    given = problem(30, values=10)
    for seed in range(5):
        draw = rng(seed, "descent")
        state = State.of(given, random_assignment(given, draw))
        first = Candidate.of(given, state.assignment)
        descend(state, draw, Effort())
        last = Candidate.of(given, state.assignment)
        assert (last.uncovered, last.cost) <= (first.uncovered, first.cost)
        assert set(state.assignment) == {0, 1, 2}
        assert not (state.moves() < 0).any()


def test_a_descent_may_begin_with_everything_in_one_set() -> None:
    state = State.of(problem(8), np.zeros(8, dtype=np.int64))
    descend(state, rng(0, "one set"), Effort())
    assert set(state.assignment) == {0, 1, 2}


def test_every_pair_is_looked_at_or_a_drawn_one() -> None:
    free = np.array([2, 3, 5, 7, 11])
    one, other = _Pairs(free, rng(0, "pairs")).next()
    assert {tuple(sorted(pair)) for pair in zip(one.tolist(), other.tolist(), strict=True)} == {
        (a, b) for a in free for b in free if a < b
    }
    pairs = _Pairs(np.arange(120), rng(0, "pairs"))
    blocks = [pairs.next() for _ in range(8)]
    assert len({pair for one, other in blocks for pair in zip(one.tolist(), other.tolist(), strict=True)}) == 7140
    many = _Pairs(np.arange(300), rng(0, "pairs"))
    assert many.next()[0].max() > 200
    assert many.enough == 20_000


def test_many_units_look_at_some_swaps_only() -> None:
    given = problem(260, values=5)
    found = search(given, seed=0, effort=Effort(0.05))
    assert found[0].cost < 0.002
    assert found == search(given, seed=0, effort=Effort(0.05))


def test_thousands_of_units_get_as_far_as_the_effort_reaches() -> None:
    given = problem(3_000, values=30)
    effort = Effort(0.1)
    found = search(given, seed=0, effort=effort)
    assert effort.spent
    assert found[0].cost < 0.002 < given.cost(random_assignment(given, rng(0, "start")))


def test_kept_units_stay_and_the_others_make_up_for_them() -> None:
    fixed = np.full(12, -1)
    fixed[[0, 3, 4]] = 1, 1, 2
    given = problem(12, fixed=fixed)
    best = enumerate_all(given, most=1)[0]
    found = search(given, seed=0)
    assert all((np.array(one.assignment)[[0, 3, 4]] == [1, 1, 2]).all() for one in found)
    assert found[0].cost == best.cost
    assert set(random_assignment(given, rng(0, "kept"))) == {0, 1, 2}


def test_everything_may_be_kept() -> None:
    fixed = np.array([0, 0, 1, 2])
    given = problem(4, fixed=fixed)
    (only,) = search(given, seed=0)
    assert only.assignment == (0, 0, 1, 2)
    one_free = problem(4, fixed=np.array([0, 0, 1, -1]))
    assert [one.assignment[3] for one in search(one_free, seed=0)] == [2]


def test_a_clock_ends_the_search() -> None:
    clock = Clock(1e-9)
    found = search(problem(60), seed=0, effort=Effort(1.0, clock))
    assert (clock.ended, len(found)) == (True, 1)
    assert clock.left == 0.01
    patient = Clock(100.0, started=time.monotonic())
    assert not patient.late
    assert 90 < patient.left <= 100
    assert Clock().left is None


def test_near_keeps_to_the_tolerance_and_to_the_cover() -> None:
    listed = (
        Candidate(0, 0.010, (0, 0.0), 1, (0,)),
        Candidate(0, 0.014, (0, 0.0), 2, (1,)),
        Candidate(0, 0.016, (0, 0.0), 3, (2,)),
        Candidate(1, 0.001, (0, 0.0), 4, (3,)),
    )
    assert [c.assignment for c in near(listed, 0.005, 20)] == [(0,), (1,)]
    assert [c.assignment for c in near(listed, 0.005, 1)] == [(0,)]


@settings(max_examples=15, deadline=None)
@drawn(units=st.integers(12, 30), seed=st.integers(0, 20), order=st.randoms(use_true_random=False))
def test_the_order_of_strata_decides_nothing(units: int, seed: int, order: object) -> None:
    given = problem(units, seed=seed)
    columns = list(range(given.counts.shape[1] - 1))
    order.shuffle(columns)
    other = Problem(given.counts[:, [*columns, -1]], given.ratios)
    assert search(given, seed=1, effort=Effort(0.02)) == search(other, seed=1, effort=Effort(0.02))
