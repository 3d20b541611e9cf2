from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from affectcheck.models.functionals import FUNCTIONALS, changes, functionals

contours = arrays(np.float64, st.tuples(st.integers(1, 30), st.integers(1, 4)), elements=st.floats(-1e3, 1e3))


def test_by_hand() -> None:
    found = dict(zip(FUNCTIONALS, functionals(np.array([[0.0], [1.0], [2.0], [3.0], [4.0]]))[:, 0], strict=True))
    assert found == pytest.approx(
        {"mean": 2.0, "sd": np.sqrt(2.0), "p5": 0.2, "p50": 2.0, "p95": 3.8, "iqr": 2.0, "slope": 4.0}
    )


@given(contours)
def test_agree_with_numpy(values: np.ndarray) -> None:
    found = functionals(values)
    p5, p25, p50, p75, p95 = np.percentile(values, [5, 25, 50, 75, 95], axis=0)
    expected = [values.mean(axis=0), values.std(axis=0), p5, p50, p95, p75 - p25]
    assert found[:6] == pytest.approx(np.array(expected), abs=1e-9)


def test_one_frame_has_no_spread_and_no_slope() -> None:
    assert functionals(np.array([[3.0]]))[:, 0].tolist() == [3.0, 0.0, 3.0, 3.0, 3.0, 0.0, 0.0]


def test_changes_of_a_line_are_its_slope_inside() -> None:
    line = np.arange(10.0)[:, None] * 0.5
    assert changes(line)[2:-2] == pytest.approx(0.5)


def test_a_constant_does_not_change() -> None:
    assert not changes(np.full((1, 2), 7.0)).any()
