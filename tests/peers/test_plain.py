"""Every metric, in every convention and under every rule, against its definition written out item by item."""

from __future__ import annotations

import numpy as np
import pytest

from affectcheck.metrics import METRICS
from peers.kernels import cases_of, ours, written_out

SEEDS = (0, pytest.param(1, marks=pytest.mark.slow), pytest.param(2, marks=pytest.mark.slow))


@pytest.mark.parametrize("seed", SEEDS)
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


RULED = [name for name in METRICS.names() if len(METRICS.get(name).rules.allowed) > 1]


@pytest.mark.parametrize("name", RULED)
def test_the_data_tell_any_two_rules_apart(name):
    rules = METRICS.get(name).rules.allowed
    values = np.array([[ours(name, case, undefined=rule) for case in cases_of(name, 0)] for rule in rules])
    for k, rule in enumerate(rules):
        for other, found in zip(rules[:k], values[:k], strict=True):
            if "f1" in name and {rule, other} == {"skip", "seen"}:
                continue  # a class is seen where it has an F1
            assert not np.allclose(values[k], found, atol=1e-6, equal_nan=True), f"{rule} and {other}"


@pytest.mark.parametrize("name", METRICS.names())
def test_the_data_tell_metrics_apart(name):
    """A metric is not mistaken for another of its kind: no two give the same numbers on all of the data."""
    found = {}
    for other, metric in METRICS.items():
        if (metric.kind, metric.level, metric.number_of_parts) == (METRICS.get(name).kind, METRICS.get(name).level, 0):
            found[other] = np.concatenate([ours(other, case).ravel() for case in cases_of(other, 0)])
    mine = found.pop(name, np.empty(0))
    alike = [
        o for o, values in found.items() if values.shape == mine.shape and np.allclose(values, mine, equal_nan=True)
    ]
    assert not alike
