from __future__ import annotations

import numpy as np
import pytest

from affectcheck.metrics import METRICS
from affectcheck.tallies import Confusion
from affectcheck.uncertainty import Contrast, LeftOut, cluster_t_difference, jackknife

ACCURACY, F1 = METRICS.get("accuracy").compute, METRICS.get("f1_macro").compute


def speakers(seed: int, number: int, items: int = 10) -> Confusion:
    random = np.random.default_rng(seed)
    cells = np.repeat(np.arange(number), items)
    truth = random.integers(0, 3, cells.size)
    right = random.random(cells.size) < random.uniform(0.4, 0.9, number)[cells]
    return Confusion.count(truth, np.where(right, truth, (truth + 1) % 3), labels=3, cells=cells, n_cells=number)


def test_equal_clusters_contribute_their_own_accuracy():
    tally = speakers(0, 8)
    assert LeftOut.of(tally).pseudo_values(ACCURACY) == pytest.approx(ACCURACY(tally))


def test_contributions_are_those_of_leaving_out_by_hand():
    tally = speakers(1, 6)
    whole = float(F1(tally.pooled(0)))
    by_hand = [6 * whole - 5 * float(F1(tally[np.arange(6) != k].pooled(0))) for k in range(6)]
    assert LeftOut.of(tally).pseudo_values(F1) == pytest.approx(by_hand)


def test_many_clusters_are_left_out_in_blocks(monkeypatch):
    monkeypatch.setattr(jackknife, "MOST_LEFT_OUT", 5)
    assert LeftOut.of(speakers(2, 12)).pseudo_values(F1).shape == (5,)


def test_a_single_cluster_contributes_the_whole():
    tally = speakers(3, 1)
    assert LeftOut.of(tally).pseudo_values(F1).tolist() == [float(F1(tally.pooled(0)))]


def test_a_difference_lies_about_that_of_the_pooled_scores():
    first, second = (LeftOut.of(speakers(seed, 9)) for seed in (4, 5))
    found = Contrast(first, second).difference(F1, level=0.9)
    plain = cluster_t_difference(first.pseudo_values(F1), second.pseudo_values(F1), level=0.9)
    assert found.value == float(F1(first.whole)) - float(F1(second.whole))
    assert (found.interval.low + found.interval.high) / 2 == pytest.approx(found.value)
    assert found.interval.high - found.interval.low == pytest.approx(plain.interval.high - plain.interval.low)
    assert found.interval.method == "jackknife t"
    assert (found.p_value < 0.1) == (found.interval.low > 0 or found.interval.high < 0)


def test_groups_of_the_same_clusters_are_paired_and_few_have_no_interval():
    first, second = (LeftOut.of(speakers(seed, 9)) for seed in (6, 7))
    assert Contrast(first, second, paired=True).difference(F1).degrees == 8.0
    few = Contrast(LeftOut.of(speakers(8, 1)), second).difference(F1)
    assert few.interval is None
    assert few.value == float(F1(speakers(8, 1).pooled(0))) - float(F1(second.whole))
