"""The search for assignments: against every assignment, against proofs, and against the published counts."""

from __future__ import annotations

import itertools
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest

from affectcheck.partitions.exact import can_enumerate, enumerate_all, prove, prove_if_promising
from affectcheck.partitions.search import Candidate, Problem, descend, near, random_assignment, search, starts_for
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from pathlib import Path

FAIR = np.array([0.55, 0.15, 0.30])


def problem(units: int, values: int = 6, seed: int = 0, ratios: np.ndarray = FAIR) -> Problem:
    draw = rng(seed, "test problem")
    sizes = draw.integers(5, 40, size=units)
    held = draw.binomial(sizes[:, None], draw.beta(0.6, 1.5, size=(units, values)))
    held[0] += 1  # every value occurs
    return Problem(np.column_stack([held, sizes + 1]), ratios)


def by_hand(given: Problem, assignment: tuple[int, ...]) -> tuple[int, float]:
    """Uncovered strata and mean deviation, one cell after the other."""
    bare, deviations = 0, []
    for column in given.counts.T:
        for place, ratio in enumerate(given.ratios):
            inside = [count for count, where in zip(column, assignment, strict=True) if where == place]
            deviations.append(abs(sum(inside) / sum(column) - ratio))
            bare += int(sum(column > 0) >= given.sets and sum(inside) == 0)
    return bare, sum(deviations) / len(deviations)


def test_cost_and_cover_by_hand() -> None:
    given = problem(7)
    for seed in range(5):
        assignment = random_assignment(given, rng(seed, "hand"))
        bare, cost = by_hand(given, tuple(assignment))
        assert given.uncovered(assignment) == bare
        assert given.cost(assignment) == pytest.approx(cost, abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_all_ways_agree_on_the_optimum(seed: int) -> None:
    given = problem(7, seed=seed)
    best = min(by_hand(given, places) for places in itertools.product(range(3), repeat=7))
    everything = enumerate_all(given, most=5)
    proof = prove(given)
    found = search(given, seed=0, starts=40)
    for candidate in (everything[0], proof.candidate, found[0]):
        assert (candidate.uncovered, candidate.cost) == (best[0], pytest.approx(best[1], abs=1e-9))
    assert proof.proven
    assert proof.bound == pytest.approx(best[1], abs=1e-6)
    assert [c.cost for c in everything] == sorted(c.cost for c in everything)


def test_a_programme_stopped_early_has_no_proof() -> None:
    proof = prove(problem(36, values=16), nodes=0)
    assert not proof.proven
    assert proof.bound >= 0


def test_a_programme_without_any_assignment(monkeypatch: pytest.MonkeyPatch) -> None:
    import scipy.optimize

    class Nothing:
        x = None
        status = 1

    monkeypatch.setattr(scipy.optimize, "milp", lambda **_: Nothing())
    proof = prove(problem(9))
    assert (proof.candidate, proof.proven) == (None, False)


def test_alike_units_are_ties_that_no_order_decides() -> None:
    given = Problem(np.array([[2, 10]] * 12), FAIR)
    assert can_enumerate(given)
    best = enumerate_all(given, most=20)
    assert len({candidate.cost for candidate in best}) == 1
    used = np.array([candidate.assignment for candidate in best])
    assert (used[:, 0] != used[0, 0]).any(), "the first unit is not always in the same set"
    assert prove(given).candidate.cost == best[0].cost


def test_descent_never_gets_worse_and_leaves_no_set_empty() -> None:
    given = problem(30, values=10)
    for seed in range(5):
        draw = rng(seed, "descent")
        begin = random_assignment(given, draw)
        end = descend(given, begin, draw)
        first, last = Candidate.of(given, begin), Candidate.of(given, end)
        assert (last.uncovered, last.cost) <= (first.uncovered, first.cost)
        assert set(end) == {0, 1, 2}


def test_a_descent_may_begin_with_everything_in_one_set() -> None:
    given = problem(8)
    assert set(descend(given, np.zeros(8, dtype=np.int64), rng(0, "one set"))) == {0, 1, 2}


def test_all_nodes_are_spent_only_where_the_bound_is_near() -> None:
    alike = Problem(np.array([[2, 10]] * 20), FAIR)
    best = search(alike, seed=0, starts=4)[0]
    assert prove_if_promising(alike, best).proven
    hard = problem(16, values=8)
    assert not prove_if_promising(hard, search(hard, seed=0, starts=20)[0]).proven
    low = Candidate(0, 1e-9, 0, (0,))
    small = problem(9)
    assert prove_if_promising(small, low).candidate is not None


def test_many_units_look_at_some_swaps_only() -> None:
    given = problem(260, values=5)
    found = search(given, seed=0, starts=2)
    assert found[0].cost < 0.01
    assert found == search(given, seed=0, starts=2)


def test_starts_shrink_with_size() -> None:
    assert starts_for(0) == starts_for(20) > starts_for(100) > starts_for(5_000)


def test_near_keeps_to_the_tolerance_and_to_the_cover() -> None:
    listed = (
        Candidate(0, 0.010, 1, (0,)),
        Candidate(0, 0.014, 2, (1,)),
        Candidate(0, 0.016, 3, (2,)),
        Candidate(1, 0.001, 4, (3,)),
    )
    assert [c.assignment for c in near(listed, 0.005, 20)] == [(0,), (1,)]
    assert [c.assignment for c in near(listed, 0.005, 1)] == [(0,)]


def published(root: Path, name: str, seed: int) -> Problem:
    folder = str(root / "reference" / "synthetic_databases")
    sys.path.insert(0, folder)
    try:
        from part_common import subject_db
    finally:
        sys.path.remove(folder)
    counts, sizes, *_ = subject_db(name, seed)
    return Problem(np.column_stack([counts[:, counts.sum(axis=0) > 0], sizes]), FAIR)


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "optimum"), [(7, 9.742), (8, 9.404), (9, 9.570), (10, 9.573), (11, 9.495), (12, 9.784)]
)
def test_27_subjects_reach_the_proven_optimum(shared_data: Path, seed: int, optimum: float) -> None:
    given = published(shared_data, "DISFA", seed)
    best = search(given, seed=0, starts=starts_for(given.units))[0]
    assert best.uncovered == 0
    assert 100 * best.cost == pytest.approx(optimum, abs=6e-4)
    proof = prove_if_promising(given, best)
    assert proof.proven
    assert proof.candidate.cost == pytest.approx(best.cost, abs=1e-9)


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize("seed", [7, 8, 9])
def test_96_subjects_come_near_the_bound(shared_data: Path, seed: int) -> None:
    given = published(shared_data, "GFT", seed)
    best = search(given, seed=0, starts=starts_for(given.units))[0]
    assert best.uncovered == 0
    assert 100 * best.cost <= 3.0
