from __future__ import annotations

import numpy as np
import pytest

from affectcheck.metrics import METRICS
from affectcheck.tallies import Histogram, Moments, Range
from affectcheck.uncertainty import cluster_bootstrap
from affectcheck.uncertainty.intervals import ResampledValues, Resampling, quantile_at, widened_tail


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


def values_of(unit: str, resampled: np.ndarray) -> ResampledValues:
    options = Resampling(resamples=resampled.size, unit=unit)
    return ResampledValues(np.asarray(0.5), resampled, None, np.asarray(1000), options)


def test_intervals_of_single_items_are_corrected_for_bias():
    """Resamples that lie half a deviation too low: bounds move up to where they belong, by the shares themselves."""
    resampled = 0.5 + 0.01 * (np.random.default_rng(0).normal(size=20_000) - 0.5)
    corrected, plain = (values_of(unit, resampled).intervals() for unit in ("item", "subject"))
    assert float(corrected.low) == pytest.approx(0.505 - 0.0196, abs=0.001)
    assert float(corrected.high) == pytest.approx(0.505 + 0.0196, abs=0.001)
    assert float(plain.low) == pytest.approx(0.495 - 0.0196, abs=0.001)
    assert corrected.interval().method == "bias-corrected percentile"
    assert plain.interval().method == "percentile-t"


def test_a_bias_beyond_all_resamples_leaves_an_interval_some_width():
    found = values_of("item", np.linspace(0.6, 0.7, 1000)).intervals()
    assert (float(found.low), float(found.high)) == pytest.approx((0.6, 0.65), abs=0.005)


def test_an_interval_beside_its_score_says_that_noise_moves_it_one_way() -> None:
    random = np.random.default_rng(3)
    truth = random.beta(2, 2, (200, 1))
    near = np.clip(truth + random.normal(0, 0.05, truth.shape), 0, 1)
    tally = Histogram.of(truth, near, on=Range(0, 1), cells=np.arange(200) % 20, n_cells=20)
    found = cluster_bootstrap(tally, METRICS.get("jsd").compute, Resampling(300)).interval()
    assert found is not None
    assert "nearly all resamples lie above the score" in found.note
    moments = Moments.of(truth, near, cells=np.arange(200) % 20, n_cells=20)
    fine = cluster_bootstrap(moments, METRICS.get("ccc").compute, Resampling(300)).interval()
    assert fine is not None
    assert "one way" not in fine.note
