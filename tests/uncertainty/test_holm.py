"""Holm's correction against hand numbers and a loop."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from affectcheck.uncertainty import holm


def by_hand(values: list[float]) -> list[float]:
    """Step down from the smallest, one test at a time."""
    order = sorted(range(len(values)), key=lambda place: values[place])
    found, highest = [0.0] * len(values), 0.0
    for step, place in enumerate(order):
        highest = max(highest, min(1.0, (len(values) - step) * values[place]))
        found[place] = highest
    return found


def test_hand_numbers() -> None:
    # Sorted .005, .01, .03, .04 times 4, 3, 2, 1: .02, .03, .06, .04, of which the last may not be smaller.
    assert holm([0.01, 0.04, 0.03, 0.005]).tolist() == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.2]).tolist() == [0.2]
    assert holm([]).tolist() == []


def test_ties_get_one_value_and_none_is_above_1() -> None:
    assert holm([0.4, 0.4, 0.4]).tolist() == [1.0, 1.0, 1.0]
    assert holm([0.01, 0.01, 0.5]).tolist() == pytest.approx([0.03, 0.03, 0.5])


def test_what_was_not_tested_is_no_member_of_the_family() -> None:
    found = holm([0.02, np.nan, 0.03])
    assert found[[0, 2]].tolist() == pytest.approx([0.04, 0.04])
    assert np.isnan(found[1])
    assert np.isnan(holm([np.nan, np.nan])).all()


def test_families_lie_along_the_axis_that_is_named() -> None:
    table = np.array([[0.01, 0.5], [0.02, 0.01], [0.03, 0.04]])
    assert np.array_equal(holm(table, axis=0)[:, 1], holm(table[:, 1]))
    assert np.array_equal(holm(table)[2], holm(table[2]))


@given(hnp.arrays(np.float64, st.integers(1, 7), elements=st.floats(0.0, 1.0)))
def test_it_is_the_step_down_loop_and_keeps_the_order(values: np.ndarray) -> None:
    found = holm(values)
    assert found.tolist() == pytest.approx(by_hand(values.tolist()))
    assert (found >= values).all()
    assert (np.diff(found[np.argsort(values, kind="stable")]) >= 0.0).all()
