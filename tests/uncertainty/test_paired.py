"""Paired resamples and permutation tests against rows that are drawn and exchanged one by one."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest

from affectcheck import seeds
from affectcheck.errors import InputError
from affectcheck.metrics import METRICS
from affectcheck.tallies import Confusion, Moments, Paired, Sample
from affectcheck.uncertainty import Exchanging, Resampling, exchange, resample_together
from affectcheck.uncertainty.bootstrap import multinomial_weights

if TYPE_CHECKING:
    from collections.abc import Callable

    from affectcheck.tallies import Tally

ACCURACY, UAR, CCC, PCC = (METRICS.get(name).compute for name in ("accuracy", "uar", "ccc", "pcc"))
LABELS = 3


def three(seed: int, items: int = 60, clusters: int = 8) -> tuple[np.ndarray, ...]:
    """Truth, two predictions and clusters of unequal sizes."""
    random = seeds.rng(seed, "paired tests")
    truth = random.integers(0, LABELS, items)
    first, second = (
        np.where(random.random(items) < share, truth, random.integers(0, LABELS, items)) for share in (0.7, 0.4)
    )
    return truth, first, second, np.sort(random.integers(0, clusters, items))


def plain_uar(truth: np.ndarray, prediction: np.ndarray) -> float:
    """The definition, from rows, over declared classes; a class without items counts as 0."""
    recalls = [np.mean(prediction[truth == c] == c) if (truth == c).any() else 0.0 for c in range(LABELS)]
    return float(np.mean(recalls))


def plain_ccc(truth: np.ndarray, prediction: np.ndarray) -> float:
    covariance = np.mean((truth - truth.mean()) * (prediction - prediction.mean()))
    return float(2 * covariance / (truth.var() + prediction.var() + (truth.mean() - prediction.mean()) ** 2))


def confusions(seed: int, clusters: int = 8) -> list[Confusion]:
    truth, first, second, cells = three(seed, clusters=clusters)
    return [Confusion.count(truth, p, labels=LABELS, cells=cells, n_cells=clusters) for p in (first, second)]


def exact_p(
    values: Callable[[np.ndarray, np.ndarray], float], truth: np.ndarray, pair: list[np.ndarray], cells: np.ndarray
) -> float:
    """Every way to exchange clusters, row by row."""
    observed, units = abs(values(truth, pair[0]) - values(truth, pair[1])), np.unique(cells)
    sizes = []
    for swapped in product([False, True], repeat=units.size):
        mask = np.isin(cells, units[np.array(swapped)])
        mixed = np.where(mask, pair[1], pair[0]), np.where(mask, pair[0], pair[1])
        sizes.append(abs(values(truth, mixed[0]) - values(truth, mixed[1])))
    return float(np.mean(np.array(sizes) >= observed - 1e-12))


@pytest.mark.parametrize("seed", [0, 1])
def test_resamples_are_those_of_rows_drawn_by_cluster(seed: int) -> None:
    truth, first, second, cells = three(seed)
    options = Resampling(resamples=25, seed=seed)
    one, two = (found.evaluated(UAR) for found in resample_together(confusions(seed), options))
    weights = np.concatenate(list(multinomial_weights(8, 25, seed, "subject")))
    for number, often in enumerate(weights):
        rows = np.concatenate([np.repeat(np.flatnonzero(cells == s), int(w)) for s, w in enumerate(often)])
        expected = plain_uar(truth[rows], first[rows]) - plain_uar(truth[rows], second[rows])
        assert (one - two).values[number] == pytest.approx(expected, abs=1e-12)
    assert float((one - two).point) == pytest.approx(plain_uar(truth, first) - plain_uar(truth, second))


def test_what_items_have_in_common_cancels() -> None:
    one, two = (found.evaluated(UAR) for found in resample_together(confusions(2), Resampling(resamples=300)))
    apart = np.sqrt(one.values.var() + two.values.var())
    assert (one - two).values.std() < apart
    assert not (one - one).values.any()


@pytest.mark.parametrize("method", ["percentile-t", "bca"])
def test_a_model_differs_from_itself_by_nothing(method: str) -> None:
    tallies = confusions(3)[:1] * 2
    one, two = (f.evaluated(UAR) for f in resample_together(tallies, Resampling(resamples=200, method=method)))  # type: ignore[arg-type]
    interval = (one - two).intervals().interval()
    assert (interval.low, interval.high, interval.method) == (0.0, 0.0, method)
    (test,) = exchange(Paired.of(*tallies), [UAR])
    assert (float(test.difference), float(test.p_value)) == (0.0, 1.0)


def test_the_order_of_the_models_turns_the_sign_alone() -> None:
    tallies = confusions(4)
    one, two = (found.evaluated(UAR) for found in resample_together(tallies, Resampling(resamples=300)))
    forth, back = (one - two).intervals().interval(), (two - one).intervals().interval()
    assert (forth.low, forth.high) == pytest.approx((-back.high, -back.low))
    (first,), (second,) = (exchange(Paired.of(*order), [UAR]) for order in (tallies, tallies[::-1]))
    assert float(first.p_value) == float(second.p_value)
    assert float(first.difference) == -float(second.difference)


def test_the_order_of_the_clusters_is_nothing_to_an_exact_test() -> None:
    one, two = confusions(5)
    order = seeds.rng(5, "order").permutation(8)
    (first,) = exchange(Paired.of(one, two), [UAR])
    (second,) = exchange(Paired.of(one[order], two[order]), [UAR])
    assert first.exact
    assert float(first.p_value) == float(second.p_value)


def test_other_items_are_refused() -> None:
    one, two = confusions(6)
    with pytest.raises(InputError, match="other numbers of items"):
        resample_together([one, two + two])
    nothing = Confusion.zero(LABELS, (2,))
    with pytest.raises(InputError, match="no items"):
        resample_together([nothing, nothing], repeats=np.zeros(2, np.int64))
    with pytest.raises(InputError, match="0 draws"):
        Exchanging(draws=0)


@pytest.mark.parametrize("seed", range(4))
def test_every_way_to_exchange_is_that_of_rows(seed: int) -> None:
    truth, first, second, cells = three(seed)
    tests = exchange(Paired.of(*confusions(seed)), [UAR, ACCURACY])
    plain = (plain_uar, lambda t, p: float(np.mean(t == p)))
    for test, values in zip(tests, plain, strict=True):
        assert test.method == "permutation of 8 subjects, all 256 ways"
        assert float(test.p_value) == pytest.approx(exact_p(values, truth, [first, second], cells))
        assert test.caution == ""
        assert test.reason() == ""


def test_dimensions_are_exchanged_as_rows_are() -> None:
    random = seeds.rng(7, "paired tests")
    truth, cells = random.normal(size=40), np.repeat(np.arange(8), 5)
    pair = [truth + random.normal(scale=s, size=40) for s in (0.6, 1.0)]
    tallies = [Moments.of(truth, values, cells=cells) for values in pair]
    (test,) = exchange(Paired.of(*tallies), [CCC])
    assert float(test.p_value) == pytest.approx(exact_p(plain_ccc, truth, pair, cells))
    samples = [Sample.of(truth, values, cells=cells) for values in pair]
    (ranked,) = exchange(Paired.of(*samples), [METRICS.get("spearman").compute])
    assert 0.0 < float(ranked.p_value) <= 1.0


def test_draws_at_random_come_near_every_way() -> None:
    tallies = confusions(8, clusters=12)
    (exact,) = exchange(Paired.of(*tallies), [UAR])
    (drawn,) = exchange(Paired.of(*tallies), [UAR], Exchanging(draws=2000, seed=1))
    assert exact.exact
    assert not drawn.exact
    assert drawn.method.endswith("2000 draws")
    assert float(drawn.p_value) == pytest.approx(float(exact.p_value), abs=0.035)  # 3 standard errors
    (again,) = exchange(Paired.of(*tallies), [UAR], Exchanging(draws=2000, seed=1))
    assert float(again.p_value) == float(drawn.p_value)
    assert (float(drawn.p_value) * 2001) == pytest.approx(round(float(drawn.p_value) * 2001))


def test_clusters_in_which_both_answer_alike_need_no_coin() -> None:
    truth, cells = np.tile([0, 1], 12), np.repeat(np.arange(12), 2)
    first = truth.copy()
    second = np.where(cells < 3, 1 - truth, truth)
    pair = Paired.of(*(Confusion.count(truth, p, labels=2, cells=cells, n_cells=13) for p in (first, second)))
    (test,) = exchange(pair, [UAR], differs=np.arange(13) < 3)
    assert test.method == "permutation of 12 subjects, of which 3 differ, all 8 ways"
    assert float(test.p_value) == 0.25
    assert test.caution == "the two differ on 3 subjects only, so that p cannot be below 0.25"
    (none,) = exchange(pair, [UAR], differs=np.zeros(13, bool))
    assert (float(none.p_value), none.method) == (1.0, "permutation of 12 subjects, none of which differs")
    assert none.caution == "the two answer alike, so that there is nothing to test"
    (one,) = exchange(pair, [UAR], differs=np.arange(13) < 1)
    assert one.caution == "the two differ on 1 subject only, so that p is 1 whatever they answer there"


def test_a_disparity_and_groups_are_tested_over_the_groups_axis() -> None:
    truth, first, second, cells = three(9)
    groups = seeds.rng(9, "groups").integers(0, 2, truth.size)
    where = {"cells": cells * 2 + groups, "n_cells": (8, 2)}
    pair = Paired.of(*(Confusion.count(truth, p, labels=LABELS, **where) for p in (first, second)))

    def gap(t: np.ndarray, p: np.ndarray) -> float:
        return abs(plain_uar(t[groups == 0], p[groups == 0]) - plain_uar(t[groups == 1], p[groups == 1]))

    disparity, by_group = exchange(pair, [METRICS.get("uar_gap").compute, UAR])
    assert float(disparity.p_value) == pytest.approx(exact_p(gap, truth, [first, second], cells))
    for g in (0, 1):
        mine = groups == g
        expected = exact_p(plain_uar, truth[mine], [first[mine], second[mine]], cells[mine])
        assert float(by_group.p_value[g]) == pytest.approx(expected)


def alike(truth: np.ndarray, first: np.ndarray, second: np.ndarray) -> tuple[list[Confusion], np.ndarray, np.ndarray]:
    """One tally for each combination of truth and predictions, with its number, and which of them differ."""
    kinds, often = np.unique(np.column_stack([truth, first, second]), axis=0, return_counts=True)
    cells = np.arange(len(kinds))
    tallies = [Confusion.count(kinds[:, 0], kinds[:, k], labels=LABELS, cells=cells) for k in (1, 2)]
    return tallies, often, kinds[:, 1] != kinds[:, 2]


def test_items_that_are_alike_are_drawn_as_rows_are() -> None:
    truth, first, second, _ = three(10, items=120)
    tallies, often, _ = alike(truth, first, second)
    options = Resampling(resamples=4000, unit="item")
    one, two = (found.evaluated(UAR) for found in resample_together(tallies, options, repeats=often))
    random = seeds.rng(11, "rows")
    rows = random.integers(0, 120, size=(4000, 120))
    plain = np.array([plain_uar(truth[r], first[r]) - plain_uar(truth[r], second[r]) for r in rows])
    found = (one - two).values
    assert found.mean() == pytest.approx(plain.mean(), abs=0.006)
    assert found.std() == pytest.approx(plain.std(), rel=0.06)
    interval = (one - two).intervals().interval()
    assert (interval.clusters, interval.unit) == (120, "item")
    assert [interval.low, interval.high] == pytest.approx(np.quantile(plain, [0.025, 0.975]).tolist(), abs=0.02)


def test_bca_of_items_leaves_each_out_as_often_as_there_are_such() -> None:
    truth, first, second, _ = three(12, items=50)
    tallies, often, _ = alike(truth, first, second)
    options = Resampling(resamples=500, method="bca", unit="item")
    joint = [f.evaluated(UAR) for f in resample_together(tallies, options, repeats=often)]
    rows = [Confusion.count(truth, p, labels=LABELS, cells=np.arange(50)) for p in (first, second)]
    single = [f.evaluated(UAR) for f in resample_together(rows, options)]
    expected = np.sort(single[0].left_out - single[1].left_out)
    found = np.sort(np.repeat(joint[0].left_out - joint[1].left_out, joint[0].times))
    assert found.tolist() == pytest.approx(expected.tolist())
    ends = [(d[0] - d[1]).intervals().interval() for d in (joint, single)]
    assert ends[0].low == pytest.approx(ends[1].low, abs=0.03)


@pytest.mark.parametrize("items", [14, 60])
def test_items_that_are_alike_are_exchanged_one_by_one(items: int) -> None:
    truth, first, second, _ = three(13, items=items)
    tallies, often, differs = alike(truth, first, second)
    how = Exchanging(draws=4000, unit="item")
    (test,) = exchange(Paired.of(*tallies), [UAR], how, differs=differs, repeats=often)
    rows = [Confusion.count(truth, p, labels=LABELS, cells=np.arange(items)) for p in (first, second)]
    (plain,) = exchange(Paired.of(*rows), [UAR], how, differs=first != second)
    assert test.exact == plain.exact == (items == 14)
    assert (test.units, test.differing) == (plain.units, plain.differing) == (items, int((first != second).sum()))
    assert float(test.p_value) == pytest.approx(float(plain.p_value), abs=0 if test.exact else 0.03)


def moments(first: list[list[float]], second: list[list[float]]) -> Paired[Moments]:
    """Clusters of two items, whose truth is 0 and 1."""
    truth, cells = [0.0, 1.0] * len(first), np.repeat(np.arange(len(first)), 2)
    return Paired.of(*(Moments.of(truth, np.ravel(side), cells=cells) for side in (first, second)))


def test_draws_in_which_a_score_is_undefined_are_counted_and_left_out() -> None:
    flat, rising = [0.0, 0.0], [0.0, 1.0]
    # One side is constant where all of its clusters are flat: for 2 of the 8 ways.
    (test,) = exchange(moments([flat, flat, rising], [rising, rising, flat]), [PCC])
    assert (int(test.undefined), test.draws) == (2, 8)
    assert float(test.p_value) == 1.0  # in each of the other 6, one side has one rising cluster and the other two
    (refused,) = exchange(moments([flat, rising], [rising, flat]), [PCC])
    assert np.isnan(refused.p_value)
    assert refused.reason() == "a score is undefined in 2 of 4 draws"
    (undefined,) = exchange(moments([flat, flat], [rising, rising]), [PCC])
    assert undefined.reason() == "a score is undefined"


def test_a_true_null_is_rejected_as_seldom_as_asked() -> None:
    random = seeds.rng(14, "null")
    rejected, data_sets = 0, 300
    for _ in range(data_sets):
        truth, cells = random.integers(0, 2, 40), np.repeat(np.arange(8), 5)
        hard = random.normal(size=8)[cells]  # what makes a subject hard is common to both models
        right = [random.normal(size=40) + hard < 0.6 for _ in range(2)]
        tallies: list[Tally] = [
            Confusion.count(truth, np.where(r, truth, 1 - truth), labels=2, cells=cells) for r in right
        ]
        (test,) = exchange(Paired.of(*tallies), [UAR])
        rejected += float(test.p_value) <= 0.05
    assert rejected / data_sets <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / data_sets)
    assert rejected > 0


def test_a_statistic_may_be_told_its_convention() -> None:
    (test,) = exchange(Paired.of(*confusions(15)), [partial(UAR, convention="tables")])
    assert 0.0 < float(test.p_value) <= 1.0
