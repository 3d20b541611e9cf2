"""Agreement of raters: published values, invariances, other libraries, and when there is none."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from affectcheck.errors import InputError
from affectcheck.metrics import METRICS
from affectcheck.metrics.kappa import cohen_kappa, weighted_kappa
from affectcheck.tallies import Coincidences, Confusion, Divergences, Spread

NAN = float("nan")
#: Krippendorff (2011), section on any number of observers and missing data: units in columns, observers in rows.
KRIPPENDORFF = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
        [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
    ]
).T
#: Fleiss (1971), Table 1: psychiatric diagnoses of 30 patients by 6 raters each: depression, personality disorder,
#: schizophrenia, neurosis, other.
_DIAGNOSES = """
    00060 03003 01401 00006 03030 20400 00402 20310 20040 00006 10050 11040 03300 10050 02031
    00501 30012 51000 02040 10203 00006 01050 02013 20040 10041 05010 40002 02040 10500 00006
"""
FLEISS = [[int(digit) for digit in row] for row in _DIAGNOSES.split()]
#: Cohen (1960), Table 1, as frequencies of 200 cases; Cohen (1968) weighs the same table.
COHEN = [[88, 14, 18], [10, 40, 10], [2, 6, 12]]
LEVELS = ("nominal", "ordinal", "interval", "ratio")


def votes_of(ratings: np.ndarray, values: list[float]) -> np.ndarray:
    return np.stack([(ratings == value).sum(axis=1) for value in values], axis=1)


def alpha(level: str, votes: np.ndarray, values: list[float] | None = None) -> float:
    return float(METRICS.get(f"alpha_{level}").compute(Coincidences.count(votes, values=values)))


def by_definition(level: str, votes: np.ndarray, values: list[float]) -> float:
    """Alpha from every pair of ratings, written down as Hayes and Krippendorff (2007) say it."""
    ranks = np.cumsum(votes[votes.sum(axis=1) > 1].sum(axis=0))
    ranks = ranks - np.diff(ranks, prepend=0) / 2

    def apart(c: int, k: int) -> float:
        if level == "nominal":
            return float(c != k)
        if level == "ordinal":
            return float(ranks[c] - ranks[k]) ** 2
        difference = values[c] - values[k]
        return float(
            difference**2 if level == "interval" else (difference / (values[c] + values[k])) ** 2 if c != k else 0
        )

    units = [np.repeat(np.arange(len(values)), row) for row in votes if row.sum() > 1]
    every = np.concatenate(units)
    inside = sum(apart(a, b) / (u.size - 1) for u in units for i, a in enumerate(u) for j, b in enumerate(u) if i != j)
    all_pairs = sum(apart(a, b) for i, a in enumerate(every) for j, b in enumerate(every) if i != j)
    return 1 - (every.size - 1) * inside / all_pairs


@pytest.mark.parametrize(
    ("level", "value"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)]
)
def test_alpha_of_krippendorffs_example(level, value):
    assert round(alpha(level, votes_of(KRIPPENDORFF, [1, 2, 3, 4, 5]), [1, 2, 3, 4, 5]), 3) == value


def test_interval_alpha_of_the_example_from_the_spread():
    item, rater = np.nonzero(~np.isnan(KRIPPENDORFF))
    tally = Spread.of(item, KRIPPENDORFF[item, rater])
    assert float(METRICS.get("alpha_interval").compute(tally)) == pytest.approx(0.849107142857, abs=1e-12)
    assert tally.unpairable == 1


def test_the_published_coincidence_matrix():
    tally = Coincidences.count(votes_of(KRIPPENDORFF, [1, 2, 3, 4, 5]))
    thirds = [[21, 4, 1, 1, 0], [4, 30, 4, 1, 0], [1, 4, 24, 1, 0], [1, 1, 1, 12, 0], [0, 0, 0, 0, 9]]
    np.testing.assert_allclose(tally.pairs * 3, thirds, atol=1e-12)
    assert tally.totals.tolist() == [9, 13, 10, 5, 3]


def test_fleiss_kappa_of_the_published_table():
    tally = Coincidences.count(FLEISS)
    assert round(float(METRICS.get("fleiss_kappa").compute(tally)), 3) == 0.430
    by_class = METRICS.get("fleiss_kappa").parts(tally)
    assert by_class.round(3).tolist() == [0.245, 0.245, 0.520, 0.471, 0.566]


def test_cohens_published_tables():
    tally = Confusion.of_counts(COHEN)
    assert round(float(cohen_kappa(tally)), 3) == 0.492
    assert round(float(weighted_kappa(tally, weights=[[0, 1, 3], [1, 0, 6], [3, 6, 0]])), 3) == 0.348


@pytest.mark.parametrize("weights", ["linear", "quadratic", None])
def test_kappa_against_scikit_learn(weights):
    from sklearn.metrics import cohen_kappa_score

    random = np.random.default_rng(5)
    first = random.integers(0, 5, 300)
    second = np.where(random.random(300) < 0.6, first, random.integers(0, 5, 300))
    tally = Confusion.count(first, second, labels=5)
    found = cohen_kappa(tally) if weights is None else weighted_kappa(tally, weights=weights)
    assert float(found) == pytest.approx(cohen_kappa_score(first, second, weights=weights), abs=1e-12)


RATED = st.lists(st.lists(st.integers(0, 3), min_size=4, max_size=4), min_size=2, max_size=8).map(np.array)
VALUES = [1.0, 2.0, 4.0, 7.0]


@given(RATED, st.sampled_from(LEVELS))
def test_alpha_is_its_definition(votes, level):
    assume((votes[votes.sum(axis=1) > 1].sum(axis=0) > 0).sum() > 1)
    assert alpha(level, votes, VALUES) == pytest.approx(by_definition(level, votes, VALUES), abs=1e-9)


@given(RATED, st.sampled_from(LEVELS), st.randoms(use_true_random=False))
def test_items_and_classes_may_stand_in_any_order(votes, level, random):
    assume((votes[votes.sum(axis=1) > 1].sum(axis=0) > 0).sum() > 1)
    items = random.sample(range(len(votes)), len(votes))
    assert alpha(level, votes[items], VALUES) == alpha(level, votes, VALUES)
    if level == "nominal":
        classes = random.sample(range(4), 4)
        assert alpha(level, votes[:, classes]) == pytest.approx(alpha(level, votes), abs=1e-12)
    if level in ("ordinal", "interval"):
        backwards = [-value for value in reversed(VALUES)]
        assert alpha(level, votes[:, ::-1], backwards) == pytest.approx(alpha(level, votes, VALUES), abs=1e-12)


@given(RATED, st.sampled_from(LEVELS))
def test_items_without_a_pair_change_nothing(votes, level):
    assume((votes[votes.sum(axis=1) > 1].sum(axis=0) > 0).sum() > 1)
    more = np.vstack([votes, [[0, 0, 0, 1], [0, 0, 0, 0]]])
    assert alpha(level, more, VALUES) == alpha(level, votes, VALUES)


@given(RATED, st.sampled_from(LEVELS))
def test_twice_the_items_move_alpha_by_the_small_sample_alone(votes, level):
    """1 - alpha is proportional to (n - 1) / n: the only thing that doubling the items changes."""
    assume((votes[votes.sum(axis=1) > 1].sum(axis=0) > 0).sum() > 1)
    n = votes[votes.sum(axis=1) > 1].sum()
    once, twice = (1 - alpha(level, np.vstack([votes] * k), VALUES) for k in (1, 2))
    assert twice * n / (2 * n - 1) * 2 == pytest.approx(once * n / (n - 1), abs=1e-9)


@given(RATED)
def test_kappa_is_below_alpha_by_the_small_sample(votes):
    assume((votes[votes.sum(axis=1) > 1].sum(axis=0) > 0).sum() > 1)
    n = votes[votes.sum(axis=1) > 1].sum()
    kappa = float(METRICS.get("fleiss_kappa").compute(Coincidences.count(votes)))
    assert kappa == pytest.approx(alpha("nominal", votes) - (1 - alpha("nominal", votes)) / (n - 1), abs=1e-9)


@given(RATED)
def test_a_class_is_one_against_all_others(votes):
    assume((votes[votes.sum(axis=1) > 1].sum(axis=0) > 0).sum() > 1)
    for name in ("alpha_nominal", "fleiss_kappa"):
        metric = METRICS.get(name)
        found = metric.parts(Coincidences.count(votes))
        for c in range(4):
            two = np.stack([votes[:, c], votes.sum(axis=1) - votes[:, c]], axis=1)
            alone = float(metric.compute(Coincidences.count(two)))
            assert found[c] == pytest.approx(alone, abs=1e-12, nan_ok=True)


@given(st.lists(st.lists(st.integers(0, 6), min_size=3, max_size=3), min_size=2, max_size=6).map(np.array))
def test_two_raters_by_the_interval_from_either_tally(ratings):
    assume(ratings.min() < ratings.max())
    item = np.repeat(np.arange(len(ratings)), 3)
    from_spread = METRICS.get("alpha_interval").compute(Spread.of(item, ratings.ravel()))
    values = [float(v) for v in range(7)]
    assert float(from_spread) == pytest.approx(alpha("interval", votes_of(ratings, values), values), abs=1e-9)


class TestUndefined:
    @pytest.mark.parametrize(
        "name", ["alpha_nominal", "alpha_ordinal", "alpha_interval", "alpha_ratio", "fleiss_kappa"]
    )
    @pytest.mark.parametrize(
        ("votes", "reason"),
        [([[1, 0], [0, 1]], "no item has two ratings"), ([[2, 0], [3, 0], [0, 1]], "all ratings are sad")],
    )
    def test_nothing_could_have_disagreed(self, name, votes, reason):
        metric, tally = METRICS.get(name), Coincidences.count(votes)
        assert np.isnan(metric.compute(tally))
        assert metric.reason(tally, ("sad", "joy")) == reason
        assert metric.undefined_parts(tally) == 1

    def test_of_a_spread(self):
        metric = METRICS.get("alpha_interval")
        constant, lonely = Spread.of([0, 0, 1, 1], [0.1] * 4), Spread.of([0, 1], [0.1, 0.2])
        assert np.isnan(metric.compute(constant))
        assert metric.reason(constant) == "all ratings are 0.1"
        assert metric.reason(lonely) == "no item has two ratings"
        assert metric.notes(Spread.of([0, 0], [1.0, 2.0])) == ()

    def test_a_class_that_nobody_or_everybody_sees(self):
        metric = METRICS.get("alpha_nominal")
        assert metric.part_reasons(Coincidences.count([[2, 0]]), ("sad", "joy")) == (
            "all ratings are sad",
            "no rating is joy",
        )
        assert metric.part_reasons(Coincidences.count([[1, 0]]), ("sad",)) == ("no item has two ratings",) * 2
        assert metric.part_reasons(Coincidences.count([[1, 1], [2, 0]]), ("sad", "joy")) == ("", "")

    def test_ratios_of_values_below_zero(self):
        with pytest.raises(InputError, match="value -1"):
            alpha("ratio", np.array([[1, 1]]), [-1.0, 1.0])

    def test_one_class_throughout_has_no_weighted_kappa(self):
        assert np.isnan(weighted_kappa(Confusion.of_counts([[3, 0], [0, 0]])))

    @pytest.mark.parametrize(
        ("weights", "message"),
        [("cubic", "cubic"), ([[0, 1]], "shape"), ([[0, -1], [1, 0]], "0 or more"), ([[1, 1], [1, 0]], "0 where")],
    )
    def test_weights_that_are_none(self, weights, message):
        with pytest.raises(InputError, match=message):
            weighted_kappa(Confusion.of_counts([[1, 0], [0, 1]]), weights=weights)


class TestProbabilities:
    def test_a_class_that_cannot_be_is_told(self):
        metric, tally = METRICS.get("cross_entropy"), Divergences.count([[1, 1]], [[1.0, 0.0]])
        assert np.isnan(metric.compute(tally))
        assert metric.reason(tally).startswith("1 items in which a class that has a share")

    def test_items_without_an_answer_are_left_out_and_told(self):
        tally = Divergences.count([0, 1], [[NAN, NAN], [0.5, 0.5]], missing="wrong")
        for name, value in (("cross_entropy", 1.0), ("soft_jsd", np.sqrt(0.3112781244591328))):
            metric = METRICS.get(name)
            assert float(metric.compute(tally)) == pytest.approx(value, abs=1e-12)
            assert metric.notes(tally) == ("1 items without probabilities: left out",)
            assert metric.undefined_parts(tally) == 1

    def test_cross_entropy_is_never_below_the_entropy_of_the_votes(self):
        random = np.random.default_rng(0)
        votes, chances = random.multinomial(7, [0.5, 0.5], 50), random.dirichlet([1, 1], 50)
        tally = Divergences.count(votes, chances)
        assert METRICS.get("cross_entropy").compute(tally) >= tally.entropy / tally.n

    def test_log_loss_of_scikit_learn(self):
        from sklearn.metrics import log_loss

        random = np.random.default_rng(1)
        truth, chances = random.integers(0, 3, 60), random.dirichlet(np.ones(3), 60)
        found = float(METRICS.get("cross_entropy").compute(Divergences.count(truth, chances)))
        assert found == pytest.approx(log_loss(truth, chances) / np.log(2), rel=1e-12)
