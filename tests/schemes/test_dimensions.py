"""Rescaling between ranges."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from affectcheck.schemes import DimensionScheme, rescale

VALUES = st.lists(st.floats(0, 1), min_size=1)
ENDS = st.tuples(st.integers(-10, 10), st.integers(1, 10))


@given(VALUES, ENDS)
def test_there_and_back_is_the_same(values: list[float], ends: tuple[int, int]) -> None:
    unit = DimensionScheme("unit", ("a",), 0.0, 1.0)
    other = DimensionScheme("other", ("a",), float(ends[0]), float(ends[0] + ends[1]))
    array = np.array(values)
    np.testing.assert_allclose(rescale(rescale(array, unit, other), other, unit), array, atol=1e-12)


def test_ends_meet_exactly_and_nothing_is_clipped() -> None:
    likert, centred = DimensionScheme("likert", ("a",), 1.0, 5.0), DimensionScheme("centred", ("a",), -1.0, 1.0)
    assert rescale(np.array([1.0, 3.0, 5.0, 7.0]), likert, centred).tolist() == [-1.0, 0.0, 1.0, 2.0]
