from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from affectcheck.metrics import METRICS
from affectcheck.records import NoiseFloor
from affectcheck.tallies import Confusion, Moments
from affectcheck.uncertainty import Permuting, deal, decide, noise_floor, noise_floor_items
from affectcheck.uncertainty import floors as module
from affectcheck.uncertainty.assignments import every_way, number_of_ways

EOP, SP, GAP, CCC_GAP = (METRICS.get(name) for name in ("eop", "sp", "uar_gap", "ccc_gap"))


def speakers(seed: int, number: int = 20, shift: float = 0.0, crossed: bool = False) -> Confusion:
    """(S, 2, C, C): alike in both groups unless shifted; crossed speakers have items of both groups."""
    random = np.random.default_rng(seed)
    cells = np.repeat(np.arange(number), 30)
    group = random.integers(0, 2, cells.size) if crossed else (np.arange(number) % 2)[cells]
    truth = random.integers(0, 3, cells.size)
    right = random.random(cells.size) < random.uniform(0.5, 0.8, number)[cells] - shift * group
    prediction = np.where(right, truth, (truth + 1) % 3)
    return Confusion.count(truth, prediction, labels=3, cells=cells * 2 + group, n_cells=(number, 2))


def test_groups_that_differ_stand_out_of_the_floor():
    tally = speakers(0, shift=0.3)
    floor = noise_floor(tally, GAP.compute, Permuting(draws=300)).floor()
    assert float(GAP.compute(tally.pooled(0))) > floor.quantile > floor.mean > 0.0
    assert floor.method == "groups permuted over 20 subjects"


def test_the_floor_is_reproducible_and_blocks_change_nothing(monkeypatch):
    first = noise_floor(speakers(1), EOP.compute, Permuting(draws=40, seed=5))
    monkeypatch.setattr(module, "_WEIGHTS", 100)
    again = noise_floor(speakers(1), EOP.compute, Permuting(draws=40, seed=5))
    other = noise_floor(speakers(1), EOP.compute, Permuting(draws=40, seed=6))
    assert first.mean == again.mean
    assert first.mean != other.mean


def test_few_ways_are_all_taken_once_whatever_the_seed():
    """Seven subjects, three of one group: 35 ways, of which the largest two are 2/35 > 0.05 of all."""
    few = speakers(3)[np.arange(7)]
    floors = {noise_floor(few, EOP.compute, Permuting(seed=seed)).floor() for seed in range(5)}
    (floor,) = floors
    sizes = few.support.sum(axis=0) > 0
    assert sizes.all()
    assert floor.draws == 35
    assert "only 35 ways to do so" in floor.method
    units, groups = few.pooled(1), (few.support > 0).argmax(axis=1)
    by_hand = []
    for chosen in combinations(range(7), int((groups == 0).sum())):
        first = np.isin(np.arange(7), chosen)
        cells = np.stack([units.cells[first].sum(axis=0), units.cells[~first].sum(axis=0)])
        by_hand.append(float(EOP.compute(Confusion.of_cells(cells))))
    assert floor.mean == pytest.approx(np.mean(by_hand), rel=1e-12)
    assert floor.quantile == pytest.approx(sorted(by_hand)[-2], rel=1e-12)


def test_many_ways_are_drawn_from():
    assert noise_floor(speakers(4), EOP.compute, Permuting(draws=30)).floor().draws == 30
    assert noise_floor(speakers(4)[np.arange(10)], EOP.compute, Permuting(draws=252)).method.endswith(
        "(all 252 ways to do so)"
    )
    assert noise_floor(speakers(4)[np.arange(10)], EOP.compute, Permuting(draws=251)).floor().draws == 251


@pytest.mark.parametrize("sizes", [(1, 1), (3, 4), (2, 2, 2), (0, 3, 2), (5,)])
def test_every_way_stands_once(sizes):
    groups = np.repeat(np.arange(len(sizes)), sizes)
    found = every_way(groups)
    assert len(np.unique(found, axis=0)) == len(found) == number_of_ways(groups, 10_000)
    assert (np.sort(found, axis=1) == groups).all()


def test_items_of_one_subject_stay_together():
    """With two subjects that differ and one deal, every draw shows the difference itself."""
    counts = np.zeros((2, 2, 2, 2), int)
    counts[0, 0], counts[1, 1] = [[5, 0], [0, 5]], [[0, 5], [0, 5]]
    tally = Confusion(counts, np.zeros((2, 2, 2), int))
    floors = noise_floor(tally, GAP.compute, Permuting(draws=20))
    assert float(floors.mean) == float(floors.quantile) == float(GAP.compute(tally.pooled(0)))
    assert "only 2 ways to do so" in floors.method


def test_clusters_of_several_groups_are_permuted_by_cell():
    floors = noise_floor(speakers(2, crossed=True), SP.compute, Permuting(draws=100))
    assert floors.method == "groups permuted over subject-by-group cells"
    assert 0.0 < floors.mean < floors.quantile


def test_dimensions_have_a_floor_for_each():
    random = np.random.default_rng(3)
    cells = np.repeat(np.arange(16), 20)
    truth = random.uniform(0, 1, (cells.size, 2))
    tally = Moments.of(truth, truth + random.normal(0, 0.3, truth.shape), cells=cells * 2 + cells % 2, n_cells=(16, 2))
    floors = noise_floor(tally, CCC_GAP.parts, Permuting(draws=50, unit="media"))
    assert floors.mean.shape == (2,)
    assert floors.floor(1).draws == 50
    assert floors.method == "groups permuted over 16 media files"
    assert noise_floor(tally, CCC_GAP.compute, Permuting(draws=50)).floor().mean > 0.0


@pytest.mark.parametrize("clusters", [True, False])
def test_a_single_group_has_no_floor(clusters):
    tally = Confusion.count([0, 1, 0, 1], [0, 1, 1, 1], labels=2, cells=[0, 2, 4, 6], n_cells=(4, 2))
    floors = noise_floor(tally, SP.compute) if clusters else noise_floor_items(tally.pooled(0), SP.compute)
    assert floors.floor() is None
    assert floors.reason() == "fewer than two groups have items"


def test_one_deal_serves_several_disparities():
    dealt = deal(speakers(4), Permuting(draws=30))
    for metric in (EOP, SP, GAP):
        assert dealt.floors(metric.compute).mean == noise_floor(speakers(4), metric.compute, Permuting(draws=30)).mean
    assert dealt.draws.shape == (30, 2)


def test_a_disparity_that_is_never_defined_has_no_floor():
    floors = noise_floor(speakers(0), lambda tally: np.full(tally.shape[:-1], np.nan), Permuting(draws=10))
    assert floors.floor() is None
    assert floors.reason() == "the disparity is undefined in all 10 draws"
    assert floors.undefined == 10


class TestItems:
    def test_each_group_keeps_its_true_classes(self):
        seen = []

        def keep(tally: Confusion) -> np.ndarray:
            seen.append(tally.truth_totals)
            return np.asarray(SP.compute(tally))

        tally = Confusion.count([0, 0, 0, 1, 1], [0, 0, 1, -1, 0], labels=3, cells=[0, 0, 1, 1, 1], missing="wrong")
        noise_floor_items(tally, keep, Permuting(draws=7))
        assert (seen[0] == tally.truth_totals).all()
        assert seen[0].shape == (7, 2, 3)

    def test_larger_groups_have_a_lower_floor(self):
        small = Confusion.of_counts([[[8, 2], [3, 7]], [[8, 2], [3, 7]]])
        large = Confusion.of_counts([[[800, 200], [300, 700]], [[800, 200], [300, 700]]])
        floors = [float(noise_floor_items(tally, EOP.compute).mean) for tally in (small, large)]
        assert floors[1] == pytest.approx(floors[0] / 10, rel=0.2)

    def test_single_precision_of_published_sizes(self):
        """At RAF-DB's test sizes by age an identical treatment scores an EOP (tables) of .11 to .15 (paper 1)."""
        sizes = np.array([528, 844, 2501, 766, 167])
        prior = np.array([0.11, 0.02, 0.05, 0.39, 0.16, 0.06, 0.21])
        truth = np.round(sizes[:, None] * prior / prior.sum()).astype(int)
        confusion = np.where(np.eye(7) == 1, 0.8, 0.2 / 6)
        counts = np.round(truth[..., None] * confusion).astype(int)
        tally = Confusion.of_counts(counts)

        def tables(t: Confusion) -> np.ndarray:
            return np.asarray(EOP.compute(t, convention="tables"))

        floors = noise_floor_items(tally, tables, Permuting(draws=200))
        assert 0.09 < float(floors.mean) < 0.17


@pytest.mark.parametrize(
    ("value", "floor", "decision"),
    [
        (0.10, 0.2, "within"),
        (0.05, 0.02, "within"),
        (0.15, 0.2, "inconclusive"),
        (0.20, 0.2, "inconclusive"),
        (0.15, 0.12, "exceeds"),
        (0.15, None, "inconclusive"),
        (0.05, None, "within"),
    ],
)
def test_three_way_decision(value, floor, decision):
    given = None if floor is None else NoiseFloor(mean=floor / 2, quantile=floor, draws=100)
    assert decide(value, given, 0.1) == decision


@pytest.mark.slow
@pytest.mark.parametrize("crossed", [False, True], ids=["nested", "crossed"])
def test_equal_treatment_seldom_stands_out_of_the_floor(crossed):
    """The floor's quantile is exceeded by about one fair model in twenty."""
    exceeded = 0
    for seed in range(200):
        tally = speakers(seed, crossed=crossed)
        floor = noise_floor(tally, GAP.compute, Permuting(draws=200, seed=seed)).floor()
        exceeded += float(GAP.compute(tally.pooled(0))) > floor.quantile
    assert exceeded / 200 <= 0.1
    if not crossed:
        assert exceeded / 200 >= 0.01
