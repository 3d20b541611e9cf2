from __future__ import annotations

import numpy as np
import pytest

from affectcheck.errors import InputError
from affectcheck.uncertainty import cluster_t_difference, detectable, paired_t_difference

A, B = [0.7, 0.6, 0.8, 0.65, np.nan, 0.75], [0.5, 0.55, 0.4, 0.6]


def test_welch_agrees_with_scipy():
    stats = pytest.importorskip("scipy.stats")
    found = cluster_t_difference(A, B)
    reference = stats.ttest_ind([a for a in A if not np.isnan(a)], B, equal_var=False)
    low, high = reference.confidence_interval(0.95)
    assert (found.interval.low, found.interval.high) == pytest.approx((low, high), abs=1e-12)
    assert found.p_value == pytest.approx(reference.pvalue, abs=1e-12)
    assert found.degrees == pytest.approx(reference.df)
    assert (found.clusters_first, found.clusters_second, found.undefined) == (5, 4, 1)
    assert (found.interval.clusters, found.interval.unit, found.interval.method) == (9, "subject", "t")


def test_paired_agrees_with_scipy():
    stats = pytest.importorskip("scipy.stats")
    found = paired_t_difference([0.7, 0.6, np.nan, 0.8, 0.4, 0.5], [0.5, 0.55, 0.4, 0.7, 0.45, 0.3])
    reference = stats.ttest_rel([0.7, 0.6, 0.8, 0.4, 0.5], [0.5, 0.55, 0.7, 0.45, 0.3])
    low, high = reference.confidence_interval(0.95)
    assert (found.interval.low, found.interval.high) == pytest.approx((low, high), abs=1e-12)
    assert found.p_value == pytest.approx(reference.pvalue, abs=1e-12)
    assert found.undefined == 1


def test_too_few_clusters_give_a_value_and_a_reason():
    found = cluster_t_difference([0.7], [0.5, 0.6], unit="media")
    assert found.interval is None
    assert found.value == pytest.approx(0.15)
    assert found.reason == "1 and 2 media files with a defined value: a difference needs 2 on each side"
    assert found.decide(0.1) == "inconclusive"
    assert np.isnan(found.detectable())
    assert np.isnan(cluster_t_difference([], [0.5, 0.6]).value)
    assert "needs 2" in paired_t_difference([0.7], [0.5]).reason
    assert np.isnan(paired_t_difference([np.nan], [0.5]).value)


def test_few_clusters_bring_a_note():
    assert "4 subjects in a group" in cluster_t_difference(A, B).interval.note
    assert cluster_t_difference([*A[:4], 0.7], [*B, 0.5]).interval.note == ""


def test_fewer_than_five_clusters_give_no_interval_but_say_what_would():
    found = cluster_t_difference([0.5, 0.6], [0.1, 0.3])
    assert found.interval is None
    assert found.value == pytest.approx(0.35)
    assert "at least 5" in found.reason
    assert "leaving out one subject at a time" in found.reason
    assert np.isnan(found.p_value)
    assert paired_t_difference([0.5, 0.6, 0.7, 0.8], [0.1, 0.3, 0.2, 0.1]).interval is None


def test_clusters_without_spread_do_not_pass_for_certainty():
    found = cluster_t_difference([0.75, 0.75, 0.75], [0.5, 0.5, 0.5])
    assert found.interval is None
    assert "nothing is known of their spread" in found.reason
    assert found.value == 0.25
    assert np.isnan(found.detectable())


@pytest.mark.parametrize(("limit", "decision"), [(0.01, "exceeds"), (0.5, "within"), (0.2, "inconclusive")])
def test_a_difference_is_decided_by_its_whole_interval(limit, decision):
    assert cluster_t_difference(A, B).decide(limit) == decision
    assert cluster_t_difference(B, A).decide(limit) == decision


def test_the_detectable_difference_is_detected_with_that_power():
    random = np.random.default_rng(0)
    sizes, deviation = (12, 12), 0.1
    shift = detectable(deviation * np.sqrt(1 / 12 + 1 / 12), 22)
    hits = 0
    for _ in range(1000):
        a, b = random.normal(shift, deviation, sizes[0]), random.normal(0.0, deviation, sizes[1])
        hits += cluster_t_difference(a, b).interval.low > 0.0
    assert hits / 1000 == pytest.approx(0.8, abs=0.05)
    assert cluster_t_difference(A, B).detectable() > 0.0


def test_values_are_one_a_cluster():
    with pytest.raises(InputError, match="one value a cluster"):
        cluster_t_difference([[0.5]], [0.5])
    with pytest.raises(InputError, match="one pair for each cluster"):
        paired_t_difference([0.5], [0.5, 0.6])
