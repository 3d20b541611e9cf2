"""Joint cells divided by controlled rounding."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affectcheck.partitions.cells import Cells, amounts_of, divide_items
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from pathlib import Path

FAIR = np.array([0.55, 0.15, 0.30])


def cells(counts: list[int], members: list[list[int]], ratios: np.ndarray = FAIR) -> Cells:
    return Cells(np.array(counts), np.array(members, dtype=float), ratios)


@pytest.mark.parametrize(
    ("count", "amounts"),
    [(3, [1, 1, 1]), (4, [2, 1, 1]), (20, [11, 3, 6]), (100, [55, 15, 30])],
)
def test_one_cell(count: int, amounts: list[int]) -> None:
    assert amounts_of(cells([count], [[1]])).tolist() == [amounts]


def test_a_cell_of_as_many_items_as_sets_is_in_every_set_whatever_the_ratios() -> None:
    given = cells([4, 500], [[1, 0, 1], [0, 1, 1]], np.array([0.94, 0.02, 0.02, 0.02]))
    assert (amounts_of(given) >= 1).all()


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, 60), min_size=1, max_size=30), st.integers(0, 9))
def test_any_cells_are_divided_completely_and_near_their_share(counts: list[int], seed: int) -> None:
    draw = rng(seed, "test cells")
    members = np.column_stack([draw.integers(0, 2, size=(len(counts), 3)), np.ones(len(counts), dtype=int)])
    members[0] = 1
    given = cells(counts, members.tolist())
    amounts = amounts_of(given)
    assert (amounts >= 0).all()
    assert amounts.sum(axis=1).tolist() == counts
    assert (np.abs(amounts - np.outer(counts, FAIR)) < 3).all()
    assert ((amounts > 0).all(axis=1) | (np.array(counts) < 3)).all()


def test_many_cells_come_near_every_target() -> None:
    draw = rng(3, "test cells")
    members = np.column_stack([draw.integers(0, 2, size=(200, 6)), np.ones(200, dtype=int)])
    given = cells(draw.integers(1, 30, size=200).tolist(), members.tolist())
    inside = amounts_of(given).T @ given.members
    assert np.abs(inside / inside.sum(axis=0) - FAIR[:, None]).max() < 0.002


def test_repairs_end_even_if_they_still_gain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("affectcheck.partitions.cells._MOST_REPAIRS", 1)
    given = cells([5, 7, 11, 13], [[1, 0, 1], [0, 1, 1], [1, 1, 1], [0, 0, 1]])
    assert amounts_of(given).sum(axis=1).tolist() == [5, 7, 11, 13]


def test_items_of_a_cell_are_drawn_by_the_seed() -> None:
    cell_of = np.repeat([0, 1], [40, 60])
    members = np.array([[1, 0, 1], [0, 1, 1]])
    one, other = (divide_items(cell_of, members, FAIR, seed) for seed in (1, 2))
    assert (one != other).any()
    for cell in (0, 1):
        assert np.array_equal(np.bincount(one[cell_of == cell]), np.bincount(other[cell_of == cell]))


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize(("name", "limit_pp"), [("RAF-DB", 0.03), ("AffectNet-8", 0.005)])
def test_databases_of_the_published_counts(shared_data: Path, name: str, limit_pp: float) -> None:
    folder = str(shared_data / "reference" / "synthetic_databases")
    sys.path.insert(0, folder)
    try:
        from part_common import image_db, onehot
        from quality import quality
    finally:
        sys.path.remove(folder)
    data, names, _ = image_db(name)
    strata = onehot(data, names)[0]
    joint = np.column_stack(list(data.values()))
    _, first, cell_of = np.unique(joint, axis=0, return_index=True, return_inverse=True)
    cell_of = cell_of.reshape(-1)
    members = np.column_stack([strata[first], np.ones(len(first), dtype=int)])[:, np.r_[strata.sum(axis=0) > 0, True]]
    sets = divide_items(cell_of, members, FAIR, 0)
    inside = np.array([strata[sets == place].sum(axis=0) for place in range(3)])
    assert quality(inside, np.bincount(sets))["prop_max"] <= limit_pp
    per_cell = np.array([np.bincount(cell_of[sets == place], minlength=len(first)) for place in range(3)])
    assert (per_cell[:, per_cell.sum(axis=0) >= 3] > 0).all()
