"""Joint cells of units: counted, and balanced as far as what comes first allows."""

from __future__ import annotations

import numpy as np
import pytest

from affectcheck.partitions import joint_units
from affectcheck.partitions.exact import enumerate_all
from affectcheck.partitions.joint_units import joint_of_units, polish
from affectcheck.partitions.options import Budget, PartitionOptions
from affectcheck.partitions.problem import Candidate, Problem
from affectcheck.partitions.search import random_assignment
from affectcheck.partitions.solving import solve
from affectcheck.partitions.strata import Column, Strata
from affectcheck.partitions.units import Units
from affectcheck.seeds import rng
from subject_problems import FAIR, problem


def strata(units: int = 12, items: int = 400, seed: int = 0) -> tuple[Strata, Units]:
    """A label of three values, an action unit, two groups that are the unit's own."""
    draw = rng(seed, "joint units")
    unit = np.sort(np.concatenate([np.arange(units), draw.integers(units, size=items - units)]))
    label = draw.integers(3, size=items)
    shown = draw.choice([0, -1, 1], size=items, p=[0.2, 0.7, 0.1])
    sex, age = draw.integers(2, size=units)[unit], draw.integers(2, size=units)[unit]
    columns = (
        Column("expression", ("anger", "fear", "neutral"), label),
        Column("AU4", ("present", "missing"), shown),
        Column("sex", ("female", "male"), sex, group=True),
        Column("age", ("old", "young"), age, group=True),
    )
    return Strata(columns, items), Units(unit, "subjects")


def by_hand(given: Strata, units: Units, least: int) -> list[tuple[int, ...]]:
    """Items of every unit, of each cell that enough units hold, sorted."""
    label, shown, sex, age = (column.codes for column in given.columns)
    found = []
    for codes, values in ((label, range(3)), (shown, range(1))):
        for value in values:
            for one in range(2):
                for other in range(2):
                    inside = (codes == value) & (sex == one) & (age == other)
                    held = np.bincount(units.codes[inside], minlength=units.count)
                    if (held > 0).sum() >= least:
                        found.append(tuple(held.tolist()))
    return sorted(found)


@pytest.mark.parametrize("seed", range(3))
def test_cells_by_hand(seed: int) -> None:
    given, units = strata(seed=seed)
    table = joint_of_units(given, units, 3)
    assert sorted(map(tuple, table.T.tolist())) == by_hand(given, units, 3)


def test_the_order_of_columns_and_values_decides_nothing() -> None:
    given, units = strata()
    label, shown, sex, age = given.columns
    turned = Column("expression", ("a", "b", "c"), np.array([2, 0, 1])[label.codes])
    other = Strata((shown, turned, age, sex), given.height)
    columns = {tuple(column) for column in joint_of_units(given, units, 3).T.tolist()}
    assert columns == {tuple(column) for column in joint_of_units(other, units, 3).T.tolist()}


def test_groups_alone_are_cells_and_one_attribute_is_none() -> None:
    given, units = strata()
    _, _, sex, age = given.columns
    alone = joint_of_units(Strata((sex, age), given.height), units, 1)
    assert alone.sum() == given.height
    assert (alone > 0).sum() == units.count, "every subject is of one sex and age"
    assert joint_of_units(Strata((sex,), given.height), units, 1) is None
    assert joint_of_units(Strata(given.columns[:2], given.height), units, 1) is None
    assert joint_of_units(given, units, 13) is None, "no cell is held by so many"


def test_where_there_is_no_room_for_all_the_scarcest_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    given, units = strata()
    every = joint_of_units(given, units, 3)
    monkeypatch.setattr(joint_units, "_MOST_NUMBERS", 3 * units.count)
    few = joint_of_units(given, units, 3)
    assert few.shape == (units.count, 3)
    assert sorted((few > 0).sum(axis=0)) == sorted((every > 0).sum(axis=0))[:3]


def with_cells(units: int, cells: int = 12, seed: int = 0, **more: np.ndarray) -> Problem:
    draw = rng(seed, "cells")
    joint = draw.integers(1, 9, size=(units, cells)) * (draw.random((units, cells)) < 0.4)
    joint[: 3 * (units // 3)] += np.tile(np.eye(3, cells, dtype=np.int64), (units // 3, 1))
    return problem(units, seed=seed, joint=joint, **more)


@pytest.mark.parametrize("units", [12, 40, 250])
def test_polishing_serves_cells_within_its_room(units: int) -> None:
    given = with_cells(units, fixed=np.where(np.arange(units) < 2, 0, -1))
    start = Candidate.of(given, random_assignment(given, rng(0, "polish")))
    room = start.cost + 0.01
    end = polish(given, start, room)
    assert (end.uncovered <= start.uncovered, end.joint < start.joint) == (True, True)
    assert end.cost <= room
    assert end.assignment[:2] == (0, 0)
    assert end.joint == given.joint_score(np.array(end.assignment))


def test_polishing_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    given = with_cells(40)
    start = Candidate.of(given, random_assignment(given, rng(0, "polish")))
    monkeypatch.setattr(joint_units, "_MOST_STEPS", 1)
    once = polish(given, start, 1.0)
    assert start.joint > once.joint
    assert sum(one != other for one, other in zip(start.assignment, once.assignment, strict=True)) in {1, 2}


def test_no_room_no_step() -> None:
    given = with_cells(9)
    best = enumerate_all(given, most=1)[0]
    assert polish(given, best, 0.0).cost == best.cost
    plain = problem(9)
    lone = enumerate_all(plain, most=1)[0]
    assert polish(plain, lone, 1.0) is lone
    assert lone.joint == (0, 0.0)


def test_a_step_may_move_one_unit() -> None:
    # alike but for the cell: only a move can put it in the third set
    joint = np.zeros((9, 1), dtype=np.int64)
    joint[:3] = 1
    given = Problem(np.full((9, 1), 5), np.full(3, 1 / 3), np.array([0, 1, -1, 0, 0, 1, 1, 2, 2]), joint)
    start = Candidate.of(given, np.array([0, 1, 1, 0, 0, 1, 1, 2, 2]))
    assert start.joint[0] == 1
    free = Problem(given.counts, given.ratios, np.array([0, 1, -1, 0, 0, 1, -1, 2, 2]), joint)
    end = polish(free, start, start.cost + 1.0)
    assert (end.joint[0], end.assignment[2]) == (0, 2)


def test_cells_decide_between_equal_assignments() -> None:
    joint = np.zeros((9, 1), dtype=np.int64)
    joint[[2, 5, 8]] = 1
    given = Problem(np.full((9, 1), 5), np.full(3, 1 / 3), None, joint)
    best = enumerate_all(given, most=3)[0]
    assert best.joint == (0, pytest.approx(0.0, abs=1e-9))


def test_cells_never_cost_the_optimum() -> None:
    plain = problem(24, values=4)
    cells = Problem(plain.counts, FAIR, None, with_cells(24).joint)
    options = PartitionOptions()
    before, after = solve(plain, options, 0.0075), solve(cells, options, 0.0075)
    assert after.shortlist[0].cost <= max(1.021 * before.shortlist[0].cost, before.shortlist[0].cost + 1.1e-4)
    assert solve(cells, options, 0.0).shortlist[0].cost == pytest.approx(before.shortlist[0].cost, abs=1e-12)
    assert after.shortlist[0].joint[0] <= before_score(cells, before.shortlist[0])


def test_cells_decide_between_near_ones_too() -> None:
    cells = Problem(problem(30, values=12).counts, FAIR, None, with_cells(30).joint)
    options = PartitionOptions(budget=Budget(nodes=0, effort=0.2))
    found = solve(cells, options, 0.0075)
    room = max(1.02 * found.best, found.best + 1e-4)
    near = [one for one in found.shortlist if one.cost <= room]
    assert not found.proven
    assert found.shortlist[0] in near
    assert found.shortlist[0].joint == min(one.joint for one in near)


def before_score(cells: Problem, candidate: Candidate) -> int:
    return cells.joint_score(np.array(candidate.assignment))[0]
