from __future__ import annotations

import numpy as np
import pytest

from affectcheck.tallies import Moments
from affectcheck.tallies import tally as tally_module


def one_by_one(truth: np.ndarray, prediction: np.ndarray, cells: np.ndarray, number: int) -> list[Moments]:
    return [
        Moments.of(truth[cells == cell], prediction[cells == cell]) if (cells == cell).any() else Moments.zero(2)
        for cell in range(number)
    ]


def assert_close(one: Moments, other: Moments) -> None:
    for name in Moments.TRAILING:
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), rtol=1e-12, atol=1e-12, err_msg=name)


@pytest.mark.parametrize("number", [3, 300, 70_000])
@pytest.mark.parametrize("ordered", [False, True])
def test_cells_of_any_number_and_order(number, ordered, monkeypatch):
    monkeypatch.setattr(tally_module, "CHUNK", 64)
    random = np.random.default_rng(number)
    cells = random.integers(number - 3, number, 500)
    cells = np.sort(cells) if ordered else cells
    truth, prediction = random.normal(size=(2, 500, 2))
    truth[::9, 1] = np.nan
    tally = Moments.of(truth, prediction, cells=cells, n_cells=number)
    assert tally.shape == (number,)
    for cell, alone in zip(
        range(number - 3, number), one_by_one(truth, prediction, cells - (number - 3), 3), strict=True
    ):
        assert_close(tally[cell], alone)


def test_a_chunk_of_unknown_truth_alone_and_a_cell_without_items(monkeypatch):
    monkeypatch.setattr(tally_module, "CHUNK", 4)
    truth = np.array([0.1, 0.2, 0.3, 0.4, *[np.nan] * 4, 0.5])[:, None]
    tally = Moments.of(truth, np.zeros((9, 1)), cells=[0, 1, 0, 1, 0, 0, 1, 1, 2], n_cells=4)
    assert tally.n[:, 0].tolist() == [2, 2, 1, 0]
    assert tally.unknown[:, 0].tolist() == [2, 2, 0, 0]
    assert tally.mean_truth[2, 0] == 0.5
    assert Moments.of(truth, np.zeros((9, 1))).unknown[0] == 4


def test_no_dimensions_are_no_moments():
    assert Moments.of(np.zeros((3, 0)), np.zeros((3, 0)), cells=[0, 1, 0]).shape == (2,)
