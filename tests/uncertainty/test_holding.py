from __future__ import annotations

import numpy as np

from affectcheck.metrics import METRICS
from affectcheck.tallies import Confusion, Units
from affectcheck.uncertainty import Resampling, resample, resample_items
from affectcheck.uncertainty.grouped import Grouped
from affectcheck.uncertainty.holding import items_holding

RECALL = METRICS.get("recall").compute
SUBJECTS = 12


def rare() -> Confusion:
    """Every subject shows the first class, one subject alone the second, five the third."""
    truth, prediction, subject = [], [], []
    for s in range(SUBJECTS):
        shown = [0, 0, 0, *([1] * 6 if s == 0 else []), *([2, 2] if s < 5 else [])]
        truth += shown
        prediction += [*shown[:-1], 0]
        subject += [s] * len(shown)
    return Confusion.count(truth, prediction, labels=3, cells=subject, n_cells=SUBJECTS)


def test_a_class_that_one_subject_shows_has_no_interval_and_its_reason_says_so():
    found = resample(rare(), Resampling(200)).intervals(RECALL)
    assert found.clusters.tolist() == [12, 1, 5]
    assert [found.interval(c) is None for c in range(3)] == [False, True, False]
    assert "1 subject" in found.reason(1)


def test_the_mean_over_classes_rests_on_all_subjects():
    assert int(resample(rare(), Resampling(200)).intervals(METRICS.get("uar").compute).clusters) == SUBJECTS


def test_groups_count_their_own_subjects():
    tally = rare()
    group = np.arange(SUBJECTS) % 2
    table = Confusion.of_counts(np.where((group[:, None] == np.arange(2))[..., None, None], tally.counts[:, None], 0))
    as_groups = Grouped(tally, np.arange(SUBJECTS), group, 2, SUBJECTS)
    expected = [[6, 1, 3], [6, 0, 2]]
    for held in (table, as_groups):
        assert resample(held, Resampling(200)).intervals(RECALL).clusters.tolist() == expected


def test_items_count_those_of_the_class():
    found = resample_items(rare().pooled(), Resampling(200)).intervals(RECALL)
    assert found.clusters.tolist() == [36, 6, 10]
    few = resample_items(Confusion.of_counts([[50, 3], [1, 2]]), Resampling(200)).intervals(RECALL)
    assert few.interval(1) is None


def test_a_unit_that_one_subject_shows_has_no_recall_interval():
    truth = np.zeros((SUBJECTS * 4, 2), np.int8)
    truth[:4, 0] = 1
    truth[::4, 1] = 1
    tally = Units.count(truth, truth, cells=np.arange(SUBJECTS * 4) // 4, n_cells=SUBJECTS)
    found = resample(tally, Resampling(200)).intervals(METRICS.get("unit_recall").compute)
    assert found.clusters.tolist() == [1, 12]


def test_items_of_hundreds_of_classes_are_counted_in_little_memory():
    """Every pair of 300 classes at once would be 60 GiB; those that occur are few."""
    labels = 300
    diagonal = Confusion.count(np.arange(labels), np.arange(labels), labels=labels)
    assert items_holding(RECALL, diagonal).tolist() == [1] * labels
    assert items_holding(RECALL, Confusion.zero(4)).tolist() == [0] * 4


def test_items_of_groups_are_those_of_every_cell():
    counts = np.random.default_rng(0).integers(0, 3, (3, 5, 5))
    found = items_holding(METRICS.get("precision").compute, Confusion.of_counts(counts))
    assert found.tolist() == counts.sum(axis=1).tolist()
