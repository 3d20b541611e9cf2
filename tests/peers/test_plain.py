"""Every metric, in every convention and under every rule, against its definition written out item by item."""

from __future__ import annotations

import numpy as np
import pytest

from affectcheck.metrics import METRICS
from peers.kernels import cases_of, ours, written_out


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", METRICS.names())
def test_our_number_is_that_of_the_definition(name, seed):
    metric = METRICS.get(name)
    for case in cases_of(name, seed):
        for convention in metric.conventions:
            for rule in ("", *metric.rules.allowed):
                found = ours(name, case, convention=convention, undefined=rule)
                expected = written_out(name, case, convention=convention, undefined=rule)
                told = f"{name}, {case.name}, {convention}, {rule or 'the default rule'}"
                np.testing.assert_allclose(found, expected, atol=case.tolerance, rtol=case.tolerance, err_msg=told)
