from __future__ import annotations

import numpy as np
import pytest

from affectcheck.uncertainty.intervals import Resampling, quantile_at, widened_tail


def test_the_tail_is_nominal_for_many_clusters_and_smaller_for_few():
    tail = widened_tail(0.95, np.array([5, 10, 100_000]))
    assert tail[0] < tail[1] < tail[2]
    assert tail[2] == pytest.approx(0.025, abs=1e-5)


def test_widened_percentiles_of_a_normal_bootstrap_are_students_interval():
    """Percentiles of the bootstrap of a mean, whose error is s·sqrt((n-1)/n)/sqrt(n), reach t · s/sqrt(n)."""
    stats = pytest.importorskip("scipy.stats")
    n = 8
    tail = float(widened_tail(0.95, np.array([n]))[0])
    reach = -stats.norm.ppf(tail) * np.sqrt((n - 1) / n)
    assert reach == pytest.approx(stats.t.ppf(0.975, n - 1), rel=1e-6)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.975, 1.0])
def test_quantiles_agree_with_numpy(share):
    values = np.random.default_rng(0).normal(size=(101, 3))
    assert quantile_at(values, np.full(3, share)).tolist() == pytest.approx(
        np.quantile(values, share, axis=0, method="weibull").tolist()
    )


def test_quantiles_leave_out_what_is_undefined():
    values = np.array([[1.0, np.nan], [np.nan, np.nan], [3.0, np.nan]])
    found = quantile_at(values, np.array([0.5, 0.5]))
    assert found[0] == 2.0
    assert np.isnan(found[1])


def test_few_resamples_bring_a_caution():
    assert Resampling(resamples=1000).caution == ""
    assert Resampling(resamples=200).caution == ""
    assert "only 50 resamples" in Resampling(resamples=50).caution
    assert "only 200 resamples" in Resampling(resamples=200, level=0.99).caution
