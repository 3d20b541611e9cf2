from __future__ import annotations

import math

import numpy as np
import pytest

from affectcheck.errors import InputError
from affectcheck.metrics import METRICS
from affectcheck.seeds import rng
from affectcheck.tallies import Confusion, Moments, Tally, Units
from affectcheck.uncertainty import (
    Resampling,
    cluster_bootstrap,
    intervals,
    poisson,
    resample,
    resample_blocks,
    resample_items,
)
from affectcheck.uncertainty import bootstrap as module
from affectcheck.uncertainty.bootstrap import multinomial_weights

UAR, CCC, RECALL = (METRICS.get(name).compute for name in ("uar", "ccc", "recall"))


def speakers(number: int = 12, items: int = 30, seed: int = 0) -> Confusion:
    """Counts of speakers of differing difficulty, three classes."""
    random = np.random.default_rng(seed)
    cells = np.repeat(np.arange(number), items)
    truth = random.integers(0, 3, cells.size)
    right = random.random(cells.size) < random.uniform(0.3, 0.9, number)[cells]
    prediction = np.where(right, truth, (truth + 1) % 3)
    return Confusion.count(truth, prediction, labels=3, cells=cells)


def values(number: int = 12, items: int = 30, seed: int = 0) -> Moments:
    random = np.random.default_rng(seed)
    cells = np.repeat(np.arange(number), items)
    truth = random.uniform(0, 1, (cells.size, 2))
    return Moments.of(truth, truth + random.normal(0, 0.3, truth.shape), cells=cells)


def test_weights_of_each_resample_sum_to_the_number_of_clusters(monkeypatch):
    monkeypatch.setattr(module, "_WEIGHTS", 100)
    blocks = list(multinomial_weights(12, 50, 3, "subject"))
    assert len(blocks) > 1
    weights = np.concatenate(blocks)
    assert weights.shape == (50, 12)
    assert (weights.sum(axis=1) == 12).all()


def test_the_same_seed_gives_the_same_interval_and_another_another():
    first, again, other = (
        cluster_bootstrap(speakers(), UAR, Resampling(resamples=200, seed=seed)) for seed in (1, 1, 2)
    )
    assert first.low == again.low
    assert first.low != other.low


def test_blocks_of_resamples_change_nothing(monkeypatch):
    whole = cluster_bootstrap(speakers(), UAR, Resampling(resamples=100))
    monkeypatch.setattr(module, "_WEIGHTS", 120)
    blocked = cluster_bootstrap(speakers(), UAR, Resampling(resamples=100))
    assert (whole.low, whole.high) == (blocked.low, blocked.high)


def test_resampling_tallies_equals_resampling_rows():
    """The matrix product gives the very numbers that drawing clusters with all their rows gives."""
    random = np.random.default_rng(5)
    cells = np.repeat(np.arange(6), 10)
    truth, prediction = random.integers(0, 3, 60), random.integers(0, 3, 60)
    tally = Confusion.count(truth, prediction, labels=3, cells=cells)
    found = resample(tally, Resampling(resamples=40, seed=9)).values(UAR)
    weights = np.concatenate(list(multinomial_weights(6, 40, 9, "subject"))).astype(int)
    for value, weight in zip(found, weights, strict=True):
        rows = np.concatenate([np.tile(np.flatnonzero(cells == s), weight[s]) for s in range(6)])
        expected = UAR(Confusion.count(truth[rows], prediction[rows], labels=3))
        assert value == pytest.approx(float(expected), abs=1e-14)


def test_resampled_moments_equal_those_of_rows():
    random = np.random.default_rng(5)
    cells = np.repeat(np.arange(6), 10)
    truth, prediction = random.normal(size=60), random.normal(size=60)
    found = resample(Moments.of(truth, prediction, cells=cells), Resampling(resamples=20, seed=9)).values(CCC)
    weights = np.concatenate(list(multinomial_weights(6, 20, 9, "subject"))).astype(int)
    for value, weight in zip(found, weights, strict=True):
        rows = np.concatenate([np.tile(np.flatnonzero(cells == s), weight[s]) for s in range(6)])
        assert value == pytest.approx(float(CCC(Moments.of(truth[rows], prediction[rows]))), abs=1e-12)


@pytest.mark.parametrize("method", ["percentile-t", "bca"])
@pytest.mark.parametrize(("tally", "statistic"), [(speakers(), UAR), (values(), CCC)], ids=["uar", "ccc"])
def test_an_interval_holds_the_score(method, tally, statistic):
    found = cluster_bootstrap(tally, statistic, Resampling(resamples=300, method=method))
    interval = found.interval()
    assert interval is not None
    assert interval.low < float(found.value) < interval.high
    assert (interval.method, interval.clusters, interval.unit, interval.level) == (method, 12, "subject", 0.95)
    assert "fewer than 20" in interval.note


def test_more_clusters_narrow_the_interval_and_lose_the_note():
    few, many = (cluster_bootstrap(speakers(number), UAR, Resampling(resamples=300)).interval() for number in (8, 80))
    assert many.high - many.low < 0.6 * (few.high - few.low)
    assert many.note == ""


def test_intervals_of_groups_and_classes_at_once():
    tally = speakers(24)
    grouped = Confusion.zero(labels=3, shape=(24, 2))
    counts = grouped.counts.copy()
    counts[np.arange(24), np.arange(24) % 2] = tally.counts
    by_group = Confusion(counts, np.zeros((24, 2, 3), int))
    resampled = resample(by_group, Resampling(resamples=200))
    assert resampled.clusters.tolist() == [12, 12]
    found = resampled.intervals(RECALL)
    assert found.value.shape == (2, 3)
    assert found.clusters.tolist() == [[12] * 3] * 2
    assert found.interval(1, 2).clusters == 12


def test_a_difference_of_groups_has_the_clusters_of_the_smaller():
    counts = np.zeros((12, 3, 3, 3), int)
    counts[np.arange(12), [0] * 8 + [1] * 4] = speakers(12).counts
    resampled = resample(Confusion(counts, np.zeros((12, 3, 3), int)), Resampling(resamples=100))

    def difference(tally: Tally) -> np.ndarray:
        by_group = UAR(tally)
        return by_group[..., 0] - by_group[..., 1]

    found = resampled.intervals(difference)
    assert int(found.clusters) == 4
    assert found.interval() is None
    assert "4 subject clusters: an interval needs" in found.reason()


def test_parts_are_not_taken_for_groups_of_which_there_are_as_many():
    """Two groups and two dimensions: each dimension has the clusters of the group in which fewest know it."""
    random = np.random.default_rng(0)
    truth, prediction = random.random((2, 130, 2))
    cluster = np.repeat(np.arange(13), 10)
    truth[cluster == 12, 1] = np.nan
    cells = cluster * 2 + (cluster >= 8)
    resampled = resample(Moments.of(truth, prediction, cells=cells, n_cells=(13, 2)), Resampling(resamples=50))
    assert resampled.clusters.tolist() == [8, 5]
    local = METRICS.get("local_ccc")
    assert resampled.intervals(local.parts).clusters.tolist() == [5, 4]
    assert int(resampled.intervals(local.compute).clusters) == 5
    assert resampled.intervals(METRICS.get("ccc").parts).clusters.tolist() == [[8, 8], [5, 4]]


def test_weights_too_many_to_be_kept_are_the_same(monkeypatch):
    kept = np.concatenate(list(multinomial_weights(12, 30, 1, "subject")))
    monkeypatch.setattr(module, "_KEPT", 0)
    assert (np.concatenate(list(multinomial_weights(12, 30, 1, "subject"))) == kept).all()


def test_clusters_without_items_are_left_out():
    tally = speakers(6).joined([Confusion.zero(labels=3, shape=(4,))])
    assert int(resample(tally, Resampling(resamples=10)).clusters) == 6


def test_fewer_than_five_clusters_give_no_interval_but_the_way_to_one():
    found = cluster_bootstrap(speakers(4), UAR, Resampling(resamples=50))
    assert found.interval() is None
    assert np.isnan(found.low)
    assert not np.isnan(found.value)
    assert "leaving out one subject at a time, over all subjects" in found.reason()
    items = cluster_bootstrap(speakers(4), UAR, Resampling(resamples=50, unit="item"))
    assert items.reason() == "4 items: an interval needs at least 5"
    media = cluster_bootstrap(speakers(4), UAR, Resampling(resamples=50, unit="media"))
    assert media.reason().endswith("predictions of more of them would give one")


def test_undefined_resamples_are_counted():
    truth = np.zeros(20, int)
    truth[0] = 1  # class 1 is in one of ten clusters
    tally = Confusion.count(truth, truth, labels=2, cells=np.arange(20) // 2)
    found = cluster_bootstrap(tally, RECALL, Resampling(resamples=400))
    expected = (1 - 1 / 10) ** 10
    assert found.undefined[0] == 0
    assert found.undefined[1] / 400 == pytest.approx(expected, abs=0.08)
    assert found.interval(1) is None  # what is known of the class rests on one cluster
    truth[:10:2] = 1  # now in five
    tally = Confusion.count(truth, truth, labels=2, cells=np.arange(20) // 2)
    found = cluster_bootstrap(tally, RECALL, Resampling(resamples=4000))
    assert found.undefined[1] > 0
    assert found.interval(1).undefined_resamples == found.undefined[1]


def test_a_score_that_most_resamples_lack_has_no_interval():
    def rarely(tally: Confusion) -> np.ndarray:
        value = np.asarray(UAR(tally))
        return value if value.ndim == 0 else np.where(np.arange(value.size) % 4 == 0, value, np.nan)

    found = cluster_bootstrap(speakers(), rarely, Resampling(resamples=100))
    assert found.interval() is None
    assert found.reason() == "the score is undefined in 75 of 100 resamples"


def test_an_undefined_score_has_no_interval():
    tally = Confusion.count([0] * 10, [0] * 10, labels=2, cells=np.arange(10))
    assert cluster_bootstrap(tally, RECALL, Resampling(resamples=20)).reason(1) == "the score itself is undefined"


def test_nothing_to_resample_is_refused():
    for call in (
        lambda: resample(Confusion.zero(labels=2, shape=(3,))),
        lambda: resample_items(Confusion.zero(labels=2)),
        lambda: resample_blocks([]),
    ):
        with pytest.raises(InputError, match="no items to resample"):
            call()


@pytest.mark.parametrize("options", [{"level": 95}, {"level": 0.0}, {"resamples": 0}, {"method": "basic"}])
def test_options_are_checked(options):
    with pytest.raises(InputError):
        Resampling(**options)


class TestItems:
    TALLY = Confusion.count(
        np.repeat([0, 1], 200), np.r_[[0] * 150, [-1] * 10, [1] * 40, [1] * 160, [0] * 40], labels=2, missing="wrong"
    )

    def test_the_draw_keeps_the_number_of_items(self):
        resampled = resample_items(self.TALLY, Resampling(resamples=50))
        assert (resampled.resamples.support == 400).all()
        assert resampled.resamples.unanswered.sum() > 0

    def test_bca_leaves_out_one_item_of_each_cell_for_all_of_them(self):
        cells = resample_items(self.TALLY, Resampling(method="bca"))
        truth = np.repeat([0, 1], 200)
        prediction = np.r_[[0] * 150, [-1] * 10, [1] * 40, [1] * 160, [0] * 40]
        rows = Confusion.count(truth, prediction, labels=2, missing="wrong", cells=np.arange(400))
        by_row = resample(rows, Resampling(method="bca", unit="item"))
        assert cells.times.sum() == 400
        assert cells.left_out.support.tolist() == [399] * len(cells.times)
        precision = METRICS.get("precision").compute
        first, second = (intervals._acceleration(found.evaluated(precision)) for found in (cells, by_row))
        assert first.tolist() == pytest.approx(second.tolist(), abs=1e-12)
        assert (np.abs(first) > 1e-4).all()
        assert cells.intervals(precision).interval(0).method == "bca"

    def test_the_spread_is_that_of_drawing_rows(self):
        found = resample_items(self.TALLY, Resampling(resamples=4000)).values(METRICS.get("accuracy").compute)
        share = 310 / 400
        assert found.std() == pytest.approx(math.sqrt(share * (1 - share) / 400), rel=0.05)

    def test_the_interval_is_by_items(self):
        interval = resample_items(self.TALLY).intervals(UAR).interval()
        assert (interval.unit, interval.clusters, interval.note) == ("item", 400, "")


class TestPoisson:
    def blocks(self, sizes: tuple[int, ...] = (150, 150)) -> list[Moments]:
        random = np.random.default_rng(4)
        found = []
        for size in sizes:
            truth = random.uniform(0, 1, size)
            found.append(Moments.of(truth, truth + random.normal(0, 0.2, size), cells=np.arange(size)))
        return found

    def test_the_table_is_poisson(self):
        table = poisson._poisson_table()
        assert table.size == 65_536
        assert table.mean() == 1.0
        assert table.var() == pytest.approx(1.0, abs=1e-3)
        for k in range(5):
            assert (table == k).mean() == pytest.approx(math.exp(-1) / math.factorial(k), abs=1e-4)

    def test_items_are_counted_part_by_part(self):
        truth = np.array([[1, 0], [0, -1], [1, -1], [-1, -1]] * 4)
        blocks = [Units.count(truth[:8], truth[:8] > 0, cells=np.arange(8)) for _ in range(2)]
        found = resample_blocks(blocks, Resampling(resamples=20))
        assert int(found.clusters) == 12
        assert found.intervals(METRICS.get("unit_f1").parts).clusters.tolist() == [12, 4]
        assert found.intervals(METRICS.get("unit_f1").parts).interval(1) is None

    def test_one_pass_over_blocks_is_reproducible(self, monkeypatch):
        first = resample_blocks(self.blocks(), Resampling(resamples=50, seed=3)).values(CCC)
        monkeypatch.setattr(module, "_WEIGHTS", 1000)
        again = resample_blocks(self.blocks(), Resampling(resamples=50, seed=3)).values(CCC)
        assert again.tolist() == pytest.approx(first.tolist(), abs=1e-12)

    def test_the_interval_is_that_of_drawing_rows(self):
        poisson = resample_blocks(iter(self.blocks()), Resampling(resamples=1000)).intervals(CCC)
        first, second = self.blocks()
        rows = cluster_bootstrap(first.joined([second]), CCC, Resampling(resamples=1000, unit="item"))
        assert int(poisson.clusters) == 300
        assert float(poisson.value) == pytest.approx(float(rows.value), abs=1e-12)
        assert float(poisson.high - poisson.low) == pytest.approx(float(rows.high - rows.low), rel=0.15)

    def test_bca_takes_its_acceleration_from_lots(self):
        first, second = self.blocks()
        items = first.joined([second])
        lots = items.weighted(np.arange(50)[:, None] == np.arange(300)[None] % 50)
        found = resample_blocks(self.blocks(), Resampling(method="bca"), lots=lots)
        rows = resample(items, Resampling(method="bca", unit="item"))
        assert found.options.method == "bca"
        assert found.left_out.shape == (50,)
        one, other = found.intervals(CCC), rows.intervals(CCC)
        assert float(one.low) == pytest.approx(float(other.low), abs=0.01)
        assert resample_blocks(self.blocks(), Resampling(resamples=5, method="bca")).options.method == "percentile-t"


def test_bca_shifts_towards_the_skew():
    """For a skewed statistic both bounds of BCa lie beyond those of plain percentiles, on the longer side."""
    random = rng(0, "test", "skew")
    truth = np.zeros(60)
    tally = Moments.of(truth, random.exponential(size=60), cells=np.arange(60))
    plain, corrected = (
        cluster_bootstrap(tally, METRICS.get("mae").compute, Resampling(method=method, unit="item"))
        for method in ("percentile-t", "bca")
    )
    assert corrected.low > plain.low
    assert corrected.high > plain.high


def test_bca_of_a_constant_statistic_is_that_constant():
    tally = Confusion.count([0, 1] * 10, [0, 1] * 10, labels=2, cells=np.arange(20) // 2)
    interval = cluster_bootstrap(tally, METRICS.get("accuracy").compute, Resampling(method="bca")).interval()
    assert (interval.low, interval.high) == (1.0, 1.0)


def test_bca_leaves_out_blocks_where_clusters_are_many(monkeypatch):
    monkeypatch.setattr(module, "_BLOCKS", 5)
    resampled = resample(speakers(12), Resampling(resamples=20, method="bca"))
    assert resampled.left_out.shape == (5,)
    assert resampled.left_out.support.sum() == 4 * 360


def test_a_unit_that_few_clusters_show_has_no_interval_of_its_own():
    truth = np.ones((40, 2), np.int8)
    truth[8:, 1] = -1
    tally = Units.count(truth, np.arange(80).reshape(40, 2) % 3 > 0, cells=np.arange(40) // 4)
    found = resample(tally, Resampling(resamples=50)).intervals(METRICS.get("unit_f1").parts)
    assert found.clusters.tolist() == [10, 2]
    assert found.interval(0) is not None
    assert found.reason(1).startswith("2 subject clusters: an interval needs at least 5")
