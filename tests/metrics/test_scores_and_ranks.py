"""Metrics of scores, ranks, bins and signs: other libraries' numbers, faults met elsewhere, and what is said of gaps."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affectcheck.errors import InputError, UnknownNameError
from affectcheck.metrics import METRICS
from affectcheck.metrics.quantile_rankings import Quantile, quantile_confusion, quantile_precision
from affectcheck.tallies import Binned, Confusion, Reliability, Sample, Signs, TrueRanks

NAN = float("nan")


def value(name: str, tally, **options) -> float:
    return float(METRICS.get(name).compute(tally, **options))


def ranked_units(seed: int, items: int = 200, ties: int = 12) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Truth, scores with ties, and how often each item counts."""
    random = np.random.default_rng(seed)
    truth = (random.random(items) < 0.3).astype(int)
    score = (random.integers(0, ties, items) + 2 * truth) / ties
    return truth, score, random.integers(0, 4, items)


class TestAgreementWithOthers:
    """Of resampled items; what other libraries give for plain ones is in ``tests/peers``."""

    def test_the_first_rank_is_the_accuracy(self):
        random = np.random.default_rng(0)
        truth, scores = random.integers(0, 4, 200), random.integers(0, 3, (200, 4))
        tally = TrueRanks.count(truth, scores)
        accuracy = value("accuracy", Confusion.count(truth, scores.argmax(axis=1), labels=4))
        assert tally.counts[0] / tally.support == accuracy

    @pytest.mark.parametrize("seed", range(4))
    @pytest.mark.parametrize(("name", "other"), [("unit_auc", "roc_auc_score"), ("unit_ap", "average_precision_score")])
    def test_rankings_of_units_with_ties_and_weights(self, seed, name, other):
        sklearn = pytest.importorskip("sklearn.metrics")
        function = getattr(sklearn, other)
        truth, score, weight = ranked_units(seed)
        plain = Sample.of_units(truth, score)
        assert value(name, plain) == pytest.approx(function(truth, score), abs=1e-12)
        weighted = Sample.of_units(truth, score, cells=np.arange(200)).weighted([weight, np.ones(200)])
        expected = [function(truth, score, sample_weight=weight), function(truth, score)]
        np.testing.assert_allclose(METRICS.get(name).compute(weighted), expected, atol=1e-12)

    @pytest.mark.parametrize("seed", range(4))
    def test_rank_correlation_with_ties_and_weights(self, seed):
        scipy = pytest.importorskip("scipy.stats")
        random = np.random.default_rng(seed)
        truth, prediction = random.integers(0, 9, (2, 150)) / 8
        prediction = (prediction + truth) / 2
        weight = random.integers(0, 4, 150)
        expected = scipy.spearmanr(truth, prediction).statistic
        assert value("spearman", Sample.of(truth, prediction)) == pytest.approx(expected, abs=1e-12)
        weighted = Sample.of(truth, prediction, cells=np.arange(150)).weighted([weight])
        expected = scipy.spearmanr(np.repeat(truth, weight), np.repeat(prediction, weight)).statistic
        assert METRICS.get("spearman").compute(weighted)[0] == pytest.approx(expected, abs=1e-12)


@given(st.integers(0, 2**32 - 1), st.sampled_from(["unit_auc", "unit_ap", "spearman"]))
@settings(max_examples=60)
def test_whole_weights_are_repeated_rows(seed, name):
    random = np.random.default_rng(seed)
    items, clusters = int(random.integers(1, 30)), 5
    cluster = random.integers(0, clusters, items)
    if name == "spearman":
        truth, score = random.integers(0, 5, (2, items, 2)) / 4
        make = Sample.of
    else:
        truth, score = random.integers(-1, 2, (items, 2)), random.integers(0, 5, (items, 2)) / 4
        make = Sample.of_units
    weights = random.integers(0, 3, (4, clusters))
    found = METRICS.get(name).parts(make(truth, score, cells=cluster, n_cells=clusters).weighted(weights))
    for row, weight in enumerate(weights):
        rows = np.repeat(np.arange(items), weight[cluster])
        np.testing.assert_allclose(found[row], METRICS.get(name).parts(make(truth[rows], score[rows])), atol=1e-12)


class TestUndefined:
    def test_matthews_of_a_constant_side_is_undefined_and_says_which(self):
        metric = METRICS.get("matthews")
        for counts, told in (
            ([[3, 0], [1, 0]], ("the prediction is anger throughout",)),
            ([[0, 0], [1, 2]], ("the truth is joy throughout",)),
            ([[0, 0], [0, 2]], ("the truth is joy throughout", "the prediction is joy throughout")),
        ):
            tally = Confusion.of_counts(counts)
            assert np.isnan(value("matthews", tally))
            assert metric.notes(tally, ("anger", "joy")) == told
            assert metric.undefined_parts(tally) == 1
        unanswered = Confusion.count([0, 1], [-1, -1], labels=2, missing="wrong")
        assert metric.notes(unanswered) == ("the prediction is missing throughout",)
        assert metric.notes(Confusion.zero(2)) == ()
        assert metric.reason(Confusion.zero(2)) == "no items"

    def test_an_unanswered_item_is_a_class_of_its_own_in_matthews(self):
        sklearn = pytest.importorskip("sklearn.metrics")
        truth, prediction = [0, 0, 1, 1, 0], [0, 1, 1, -1, -1]
        tally = Confusion.count(truth, prediction, labels=2, missing="wrong")
        assert value("matthews", tally) == pytest.approx(sklearn.matthews_corrcoef(truth, prediction), abs=1e-15)

    def test_top_k_of_too_few_classes(self):
        tally = TrueRanks.count([0], [[0.5, 0.3, 0.2]])
        assert value("top_2", tally) == 1.0
        assert np.isnan(value("top_3", tally))
        assert METRICS.get("top_5").reason(tally) == "3 classes: each of them is among the first 5"
        assert METRICS.get("top_5").reason(TrueRanks.zero(3)) == "no items"
        assert METRICS.get("top_2").notes(tally) == ()

    def test_items_without_a_prediction_are_told_beside_the_calibration(self):
        tally = Reliability.count([0, 1], [[0.9, 0.1], [NAN, NAN]], missing="wrong")
        metric = METRICS.get("calibration")
        assert value("calibration", tally) == pytest.approx(0.1)
        assert metric.notes(tally) == ("1 items without a prediction have no confidence and are left out",)
        assert metric.undefined_parts(tally) == 1

    def test_a_unit_of_one_class_is_left_out_and_named(self):
        truth, score = [[1, 1, 0, -1], [0, 1, 0, -1]], [[0.9, 0.2, 0.1, 0.5], [0.1, 0.3, 0.4, 0.5]]
        tally = Sample.of_units(truth, score)
        auc, ap = METRICS.get("unit_auc"), METRICS.get("unit_ap")
        names = ("AU1", "AU2", "AU4", "AU6")
        assert value("unit_auc", tally) == 1.0
        assert np.isnan(value("unit_auc", tally, undefined="propagate"))
        assert auc.undefined_parts(tally) == 3
        assert auc.notes(tally, names) == (
            "AU2: always present",
            "AU4: never present",
            "AU6: unknown in every item",
        )
        assert ap.parts(tally)[:2].tolist() == [1.0, 1.0]
        assert ap.notes(tally, names) == ("AU4: never present", "AU6: unknown in every item")
        calibration = METRICS.get("unit_calibration")
        reliability = Reliability.of_units(truth, score)
        assert calibration.notes(reliability, names) == ("AU6: unknown in every item",)
        assert value("unit_calibration", reliability) == pytest.approx(np.mean([0.1, 0.75, 0.25]))

    def test_no_declared_units_have_no_value(self):
        assert np.isnan(value("unit_auc", Sample.zero(0)))

    def test_bins_and_signs_without_items_are_named(self):
        tally = Binned.of([0.1, 0.9], [0.2, 0.3])
        assert METRICS.get("bin_recall").part_reasons(tally, ("valence",)) == (
            "",
            "valence (0.25, 0.5]: no items in the truth",
            "valence (0.5, 0.75]: no items in the truth",
            "",
        )
        assert (
            METRICS.get("bin_precision").part_reasons(tally, ("valence",))[3] == "valence (0.75, inf): never predicted"
        )
        assert METRICS.get("bin_recall").part_names(tally, ("valence",))[0] == "valence (-inf, 0.25]"
        assert METRICS.get("ccc").part_names(tally, ("valence",)) == ("valence",)
        signs = Signs.of([[0.1, NAN]], [[0.1, 0.2]])
        assert METRICS.get("sign_agreement").notes(signs, ("valence", "arousal")) == ("arousal: no items",)


class TestRankCorrelationOfConstants:
    """Constancy is a statement about samples: .3 and 1.81 have no exact float, and a rounded variance is not 0."""

    @pytest.mark.parametrize(
        ("truth", "prediction", "told"),
        [
            (np.arange(254.0), [0.3] * 254, "v: the prediction is constant"),
            ([0.576] * 1448, [1.81] * 1448, "v: truth and prediction are constant"),
            ([0.3] * 3, [0.1, 0.2, 0.3], "v: the truth is constant"),
            ([0.3], [0.1], "v: only 1 item"),
        ],
    )
    def test_a_constant_side_is_undefined(self, truth, prediction, told):
        tally = Sample.of(truth, prediction)
        assert np.isnan(value("spearman", tally))
        assert METRICS.get("spearman").reason(tally, ("v",)) == told

    def test_it_stays_undefined_when_resampled(self):
        tally = Sample.of([0.3, 0.3, 0.1, 0.2], [0.1, 0.4, 0.2, 0.3], cells=[0, 0, 1, 1])
        found = METRICS.get("spearman").compute(tally.weighted([[3, 0], [0.1, 0.0], [1, 1]]))
        assert np.isnan(found[:2]).all()
        assert not np.isnan(found[2])

    def test_a_mean_over_dimensions_does_not_hide_the_constant_one(self):
        truth = np.tile(np.arange(254.0)[:, None], 6)
        prediction = truth.copy()
        prediction[:, 5] = 0.3
        tally = Sample.of(truth, prediction)
        assert np.isnan(value("spearman", tally))
        assert value("spearman", tally, undefined="zero") == 5 / 6
        assert METRICS.get("spearman").parts(tally)[:5].tolist() == [1.0] * 5

    def test_a_reversed_ranking_is_negative(self):
        assert value("spearman", Sample.of([0.1, 0.2, 0.3], [0.9, 0.5, 0.1])) == -1.0


class TestSigns:
    def test_what_is_exactly_neutral_has_a_sign_of_its_own(self):
        truth, prediction = [-0.5, 0.0, 0.0, 0.5], [-0.1, 0.0, 0.1, 0.0]
        assert value("sign_agreement", Signs.of(truth, prediction)) == 0.5

    def test_the_sign_is_about_the_middle_of_the_range(self):
        truth, prediction = np.array([0.1, 0.9]), np.array([0.4, 0.2])
        assert value("sign_agreement", Signs.of(truth, prediction, neutral=0.5)) == 0.5
        assert value("sign_agreement", Signs.of(2 * truth - 1, 2 * prediction - 1)) == 0.5

    def test_what_a_tally_was_counted_by_is_signed(self):
        metric = METRICS.get("sign_agreement")
        assert metric.counted(Signs.zero(1, neutral=50.0)).signature()["options"] == "neutral=50"
        assert METRICS.get("jsd").counted(Signs.zero(1)).options[:1] == ("bins=10",)
        assert METRICS.get("calibration").counted(Reliability.zero(bins=10)).options == ("bins=10",)
        assert METRICS.get("uar").counted(Confusion.zero(2)).options == ()


class TestEndsOfARanking:
    """Case: 10 speakers, of whom three share the lowest prediction."""

    TRUTH = tuple(k / 10 for k in range(1, 11))
    PREDICTION = (0.15, 0.15, 0.15, 0.5, 0.5, 0.5, 0.5, 0.9, 0.8, 0.95)

    def test_equal_values_share_the_last_places(self):
        assert float(quantile_precision(self.TRUTH, self.PREDICTION, "bottom")) == pytest.approx(2 / 3, abs=1e-15)
        assert float(quantile_precision(self.TRUTH, self.PREDICTION, "top")) == 0.5
        assert float(quantile_precision(self.TRUTH, self.PREDICTION, "top", Quantile(rounding="up"))) == 1.0

    def test_the_order_of_rows_decides_nothing(self):
        expected = quantile_precision(self.TRUTH, self.PREDICTION, "bottom")
        for order in (slice(None, None, -1), np.random.default_rng(0).permutation(10)):
            truth, prediction = np.array(self.TRUTH)[order], np.array(self.PREDICTION)[order]
            assert quantile_precision(truth, prediction, "bottom") == expected

    def test_the_length_is_stated(self):
        assert [Quantile().length(n) for n in (6, 10, 14)] == [2, 2, 4]
        assert Quantile(rounding="up").length(10) == 3

    def test_rankings_come_in_rows(self):
        truth = np.stack([self.TRUTH, self.TRUTH[::-1]])
        prediction = np.stack([self.PREDICTION, self.PREDICTION])
        assert quantile_precision(truth, prediction, "top").tolist() == [0.5, 0.0]
        assert quantile_confusion(truth, prediction).tolist() == pytest.approx([0.0, (2 / 3 * 2 + 1) / 4])

    def test_a_quantile_of_nobody_is_undefined(self):
        assert np.isnan(quantile_precision([0.1, 0.2], [0.1, 0.2], "top"))
        assert np.isnan(quantile_confusion([0.1, 0.2], [0.1, 0.2]))

    @pytest.mark.parametrize(
        ("call", "error", "message"),
        [
            (lambda: quantile_precision([0.1], [0.1, 0.2], "top"), InputError, "shape"),
            (lambda: quantile_precision(0.1, 0.1, "top"), InputError, "shape"),
            (lambda: quantile_precision([0.1, NAN], [0.1, 0.2], "top"), InputError, "a truth to be ranked is NaN"),
            (lambda: quantile_precision([0.1] * 4, [0.1] * 4, "tip"), UnknownNameError, "end of a ranking"),
            (lambda: Quantile(share=0.6), InputError, r"a quantile of 0\.6"),
            (lambda: Quantile(rounding="down"), UnknownNameError, "rounding"),
        ],
    )
    def test_what_cannot_be_ranked_is_refused(self, call, error, message):
        with pytest.raises(error, match=message):
            call()

    @pytest.mark.shared
    def test_the_collected_file(self, cases):
        case = json.loads((cases / "A31.json").read_text())["expected"]
        frame = pl.read_csv(cases / "A31_speaker_means.csv")
        truth, prediction = frame["true_mean"].to_numpy(), frame["pred_mean"].to_numpy()
        assert Quantile().length(10) == case["k_round_half_even"]
        assert Quantile(rounding="up").length(10) == case["k_ceil"]
        bottom, top = (float(quantile_precision(truth, prediction, end)) for end in ("bottom", "top"))
        assert bottom == pytest.approx(case["bottom_precision_fractional_k2"]["value"], abs=1e-12)
        assert top == case["top_precision_k2"]["value"]
        three = float(quantile_precision(truth, prediction, "top", Quantile(rounding="up")))
        assert three == case["top_precision_k3"]["value"]
        assert value("spearman", Sample.of(truth, prediction)) == pytest.approx(
            _mid_rank_correlation(truth, prediction)
        )


def _mid_rank_correlation(truth: np.ndarray, prediction: np.ndarray) -> float:
    ranks = [[(x < v).sum() + ((x == v).sum() + 1) / 2 for v in x] for x in (truth, prediction)]
    return float(np.corrcoef(ranks)[0, 1])


@pytest.mark.shared
def test_the_collected_constants_have_no_rank_correlation(cases):
    case = json.loads((cases / "A03.json").read_text())
    assert case["expected"]["case1"] == case["expected"]["case2"] == "undefined"
    assert np.isnan(value("spearman", Sample.of(np.arange(254.0), np.full(254, 0.3))))
