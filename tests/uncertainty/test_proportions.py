from __future__ import annotations

import numpy as np
import pytest

from affectcheck.errors import InputError
from affectcheck.uncertainty import wilson


@pytest.mark.parametrize(("k", "n"), [(0, 5), (3, 7), (5, 5), (250, 1000)])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_wilson_agrees_with_scipy(k, n, level):
    stats = pytest.importorskip("scipy.stats")
    reference = stats.binomtest(k, n).proportion_ci(level, "wilson")
    found = wilson(k, n, level=level)
    assert (float(found.low), float(found.high)) == pytest.approx((reference.low, reference.high), abs=1e-12)
    assert float(found.value) == k / n


def test_no_items_are_undefined():
    found = wilson([0, 1], [0, 2])
    assert np.isnan([found.value[0], found.low[0], found.high[0]]).all()
    assert found.value[1] == 0.5


@pytest.mark.parametrize(("k", "n"), [(-1, 3), (4, 3)])
def test_impossible_numbers_are_refused(k, n):
    with pytest.raises(InputError):
        wilson(k, n)
