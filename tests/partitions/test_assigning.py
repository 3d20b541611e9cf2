"""What is said of an assignment, and what it does not depend on."""

from __future__ import annotations

import importlib
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from affectcheck.annotations import make_table
from affectcheck.partitions import Budget, PartitionOptions, partition
from affectcheck.partitions.assigning import assign
from affectcheck.partitions.strata import Column, Strata
from affectcheck.partitions.units import Units
from affectcheck.schemes import CategoryScheme, Target
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from affectcheck.partitions.solution import Solution

QUICK = PartitionOptions(budget=Budget(nodes=100, effort=0.05))


def one_column(units: list[int], holders: list[int] | None = None) -> tuple[Strata, Units]:
    """So many items a unit; the first item of the holders has a value that no other item has."""
    codes = np.repeat(np.arange(len(units)), units)
    columns = ()
    if holders:
        shown = np.full(len(codes), -1)
        shown[[int(np.flatnonzero(codes == unit)[0]) for unit in holders]] = 0
        columns = (Column("AU4", ("present",), shown),)
    return Strata(columns, len(codes)), Units(codes, "subjects", tuple(f"s{code}" for code in codes))


def sizes(solution: Solution) -> np.ndarray:
    return np.bincount(solution.sets, minlength=3) / len(solution.sets)


@settings(max_examples=30, deadline=None)
@drawn(st.lists(st.integers(1, 12), min_size=3, max_size=9), st.integers(0, 60))
def test_sizes_are_as_near_as_the_largest_subject_allows(items: list[int], more: int) -> None:
    items[0] += more
    solution = assign(*one_column(items), QUICK)
    ratios, largest = np.array(QUICK.ratios), max(items) / sum(items)
    assert solution.proven
    assert min(np.bincount(solution.sets, minlength=3)) > 0
    # the largest takes the largest set; the rest of the deviation is less than one other subject, or one that no set lacks
    others = sorted(items)[-2] / sum(items)
    excess = max(0.0, largest - ratios.max())
    assert np.abs(sizes(solution) - ratios).max() <= max(excess + 2 * others, ratios.max())


@settings(max_examples=10, deadline=None)
@drawn(st.integers(30, 60), st.integers(0, 2_000), st.integers(0, 9))
def test_many_subjects_meet_the_sizes_that_the_largest_allows(subjects: int, more: int, seed: int) -> None:
    items = rng(seed, "items").integers(1, 12, size=subjects).tolist()
    items[0] += more
    solution = assign(*one_column(items), QUICK)
    share = items[0] / sum(items)
    least = 2 * max(0.0, share - 0.55) / 3
    assert solution.cost == pytest.approx(least, abs=3 / sum(items))
    assert solution.bound <= solution.cost + 1e-12


def test_gaps_that_nothing_closes_are_named() -> None:
    strata, units = one_column([4] * 6, holders=[0, 1, 2])
    fixed = np.where(units.codes < 2, 0, -1)
    solution = assign(strata, units, QUICK, fixed)
    (note,) = (one for one in solution.notes if "gap" in one)
    told = "1 gap although enough subjects hold the value: AU4 = present in validation; no assignment has fewer"
    assert note == f"among those that move nothing that is kept: {told}"
    assert (solution.sets[units.codes < 2] == 0).all()
    many_strata, many = one_column([4] * 30, holders=[0, 1, 2])
    kept = np.where(many.codes < 2, 0, -1)
    assert any("no assignment has fewer" in note for note in assign(many_strata, many, QUICK, kept).notes)
    idle = PartitionOptions(budget=Budget(nodes=0, effort=0.05))
    assert any("none with fewer was found" in note for note in assign(many_strata, many, idle, kept).notes)


def test_a_better_cover_is_taken_up(monkeypatch: pytest.MonkeyPatch) -> None:
    module = importlib.import_module("affectcheck.partitions.solving")
    found = module.search

    def blind(problem: object, **_: object) -> tuple[object, ...]:
        return (module.Candidate.of(problem, np.arange(problem.units) % 2),)  # nothing in the third set

    monkeypatch.setattr(module, "search", blind)
    strata, units = one_column([4] * 20, holders=[0, 1, 2])
    solution = assign(strata, units, QUICK)
    assert sorted(solution.sets[strata.columns[0].codes == 0]) == [0, 1, 2]
    assert found is not module.search


def test_a_clock_is_said_to_have_ended_it() -> None:
    strata, units = one_column([3] * 50, holders=list(range(10)))
    options = PartitionOptions(budget=Budget(seconds=1e-6))
    solution = assign(strata, units, options)
    assert not solution.reproducible
    assert any("ended by the clock" in note for note in solution.notes)
    patient = PartitionOptions(budget=Budget(nodes=50, effort=0.02, seconds=600.0))
    assert assign(strata, units, patient).reproducible


def test_a_seed_says_which_one_it_took() -> None:
    plain, units = one_column(rng(0, "lengths").integers(5, 90, size=20).tolist())
    draw = rng(0, "labels")
    strata = Strata(
        tuple(Column(f"AU{n}", ("present",), -draw.integers(2, size=plain.height)) for n in range(6)), plain.height
    )
    options = PartitionOptions(budget=Budget(nodes=50), seed=3, tolerance_pp=0.75)
    solution = assign(strata, units, options)
    assert any(note.startswith("the seed takes number 4 of") for note in solution.notes)
    best = assign(strata, units, replace(options, seed=0))
    assert best.cost < solution.cost
    assert best.bound == solution.bound
    assert not solution.proven


def test_many_subjects_have_a_search_of_their_own_each_seed() -> None:
    strata, units = one_column(rng(0, "lengths").integers(5, 9, size=140).tolist())
    found = [assign(strata, units, replace(QUICK, seed=seed)).sets.tolist() for seed in (0, 1, 1)]
    assert found[0] != found[1] == found[2]


def test_items_that_stand_alone_are_divided_as_cells() -> None:
    strata, units = one_column([1] * 201)
    solution = assign(strata, units, QUICK)
    assert np.bincount(solution.sets).tolist() in ([111, 30, 60], [110, 30, 61], [110, 31, 60])
    assert "joint cells" in solution.notes[0]


SCHEME = CategoryScheme("three", ("a", "b", "c"))


def corpus(seed: int, subjects: int) -> pl.DataFrame:
    draw = rng(seed, "named corpus")
    unit = np.sort(np.concatenate([np.arange(subjects), draw.integers(subjects, size=8 * subjects)]))
    return pl.DataFrame(
        {
            "item": [f"{row:05d}" for row in range(len(unit))],
            "subject": [f"s{code:02d}" for code in unit],
            "sex": np.array(["f", "m"])[draw.integers(2, size=subjects)[unit]].tolist(),
            "age": np.array(["old", "young", "older"])[draw.integers(3, size=subjects)[unit]].tolist(),
            "expression": np.array(["a", "b", "c"])[draw.integers(3, size=len(unit))].tolist(),
        }
    )


def divided(frame: pl.DataFrame, groups: tuple[str, ...], seed: int) -> list[str]:
    table = make_table(frame, targets=[Target("expression", SCHEME)], groups=groups)
    options = PartitionOptions(seed=seed, budget=Budget(nodes=20, effort=0.05))
    return partition(table, options=options).frame.get_column("part").to_list()


@settings(max_examples=12, deadline=None)
@drawn(seed=st.integers(0, 30), subjects=st.integers(4, 26), order=st.randoms(use_true_random=False))
def test_neither_the_order_of_rows_nor_any_name_decides(seed: int, subjects: int, order: object) -> None:
    frame = corpus(seed, subjects)
    first = divided(frame, ("sex", "age"), seed)
    rows = list(range(frame.height))
    order.shuffle(rows)
    labels, sexes, ages, people = ["a", "b", "c"], ["f", "m"], ["old", "young", "older"], list(range(subjects))
    new = [labels.copy(), sexes.copy(), ages.copy(), people.copy()]
    for names in new:
        order.shuffle(names)
    renamed = frame[rows].with_columns(
        pl.col("expression").replace_strict(labels, new[0]),
        pl.col("sex").replace_strict(sexes, new[1]),
        pl.col("age").replace_strict(ages, new[2]),
        pl.col("subject").replace_strict([f"s{code:02d}" for code in people], [f"p{code}" for code in new[3]]),
    )
    assert divided(renamed, ("age", "sex"), seed) == first


def test_a_best_assignment_without_an_equal_is_told_as_the_one_of_every_seed() -> None:
    plain, units = one_column([12, 7, 6])
    notes = {assign(plain, units, PartitionOptions(seed=seed)).notes for seed in range(4)}
    (told,) = notes
    assert told[-1] == "no other assignment within the tolerance was found: every seed gives this one"
