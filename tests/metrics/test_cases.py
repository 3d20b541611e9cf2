"""Faults that people have met in other tools, and the right value of each."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

from affectcheck.metrics import METRICS
from affectcheck.metrics.divergence import jensen_shannon
from affectcheck.tallies import Confusion, Histogram, Moments, Range, Units

ABAW = ("Neutral", "Anger", "Disgust", "Fear", "Happiness", "Sadness", "Surprise", "Other")


def value(name: str, tally, **options) -> float:
    return float(METRICS.get(name).compute(tally, **options))


class TestDegenerateConcordance:
    def test_constant_prediction_gives_exactly_zero(self):
        assert value("ccc", Moments.of([0.1, 0.4, -0.2, 0.3], [0.1] * 4)) == 0.0

    def test_both_constant_and_equal_is_undefined(self):
        tally = Moments.of([0.25] * 4, [0.25] * 4)
        assert np.isnan(value("ccc", tally))
        assert "constant and equal" in METRICS.get("ccc").reason(tally)

    def test_both_constant_and_different_gives_exactly_zero(self):
        assert value("ccc", Moments.of([0.25] * 4, [0.5] * 4)) == 0.0

    def test_a_single_item_is_undefined(self):
        tally = Moments.of([0.3], [0.3])
        assert np.isnan(value("ccc", tally))
        assert METRICS.get("ccc").reason(tally, ("valence",)) == "valence: only 1 item"

    def test_no_items_are_undefined(self):
        tally = Moments.of([], [])
        assert np.isnan(value("ccc", tally))
        assert METRICS.get("ccc").reason(tally) == "no items"

    def test_one_undefined_dimension_makes_the_mean_undefined(self):
        tally = Moments.of([[0.0, 0.3], [1.0, 0.3], [2.0, 0.3]], [[0.0, 0.3], [2.0, 0.3], [4.0, 0.3]])
        assert np.isnan(value("ccc", tally))
        assert METRICS.get("ccc").undefined_parts(tally) == 1
        assert METRICS.get("ccc").notes(tally, ("valence", "arousal")) == (
            "arousal: truth and prediction are constant and equal",
        )
        assert value("ccc", tally, undefined="skip") == pytest.approx(8 / 13)

    def test_equal_constants_stay_undefined_when_resampled(self):
        truth, prediction = [0.3, 0.3, 0.1, 0.9], [0.3, 0.3, 0.7, 0.2]
        by_video = Moments.of(truth, prediction, cells=[0, 0, 1, 1])
        assert np.isnan(METRICS.get("ccc").compute(by_video.weighted([[3, 0]])))[0]

    def test_numbers_of_the_collected_case(self, cases):
        case = json.loads((cases / "A01.json").read_text())
        for name, expected in case["expected"].items():
            if name not in case["input"]:
                continue
            sides = (np.array(case["input"][name][side], dtype=float) for side in ("truth", "pred"))
            found = value("ccc", Moments.of(*sides))
            if expected == "undefined":
                assert np.isnan(found), name
            else:
                assert found == pytest.approx(expected["value"], abs=1e-12), name


class TestPooledConcordance:
    TRUTH = np.array([0.1, 0.2, 0.3, -0.5, -0.4, 0, 0, 0, 0, 0])
    PREDICTION = np.array([0.1, 0.2, 0.3, 0.5, 0.6, 0, 0.1, 0, 0.1, 0])

    def test_frames_are_pooled_however_they_are_chunked(self):
        videos = Moments.of(self.TRUTH, self.PREDICTION, cells=[0, 0, 0, 1, 1, 2, 2, 2, 2, 2])
        rows = sum(
            (Moments.of([t], [p]) for t, p in zip(self.TRUTH, self.PREDICTION, strict=True)), Moments.zero(dimensions=1)
        )
        for tally in (Moments.of(self.TRUTH, self.PREDICTION), videos.pooled(0), rows):
            assert value("ccc", tally) == pytest.approx(-293 / 717, abs=1e-12)
        assert METRICS.get("ccc").compute(videos).tolist() == pytest.approx([1.0, 1 / 201, 0.0], abs=1e-12)

    def test_the_collected_file_gives_the_same(self, cases):
        frame = pl.read_csv(cases / "A02_va_three_videos.csv")
        tally = Moments.of(frame["valence_true"].to_numpy(), frame["valence_pred"].to_numpy())
        assert value("ccc", tally) == pytest.approx(-293 / 717, abs=1e-12)


class TestConstantCorrelation:
    RAMP = np.arange(254.0)

    def test_a_constant_that_has_no_exact_float_is_found(self):
        tally = Moments.of(self.RAMP, np.full(254, 0.3))
        assert np.isnan(value("pcc", tally))
        assert METRICS.get("pcc").reason(tally, ("joy",)) == "joy: the prediction is constant"

    def test_two_constants_do_not_correlate(self):
        tally = Moments.of(np.full(1448, 0.576), np.full(1448, 1.81))
        assert np.isnan(value("pcc", tally))
        assert "truth and prediction are constant" in METRICS.get("pcc").reason(tally)
        assert "the truth is constant" in METRICS.get("pcc").reason(Moments.of(np.full(254, 0.3), self.RAMP))

    def test_a_mean_over_dimensions_does_not_hide_the_constant_one(self):
        truth = np.tile(self.RAMP[:, None], (1, 6))
        prediction = truth.copy()
        prediction[:, 5] = 0.3
        tally = Moments.of(truth, prediction)
        assert METRICS.get("pcc").parts(tally)[:5].tolist() == [1.0] * 5
        assert np.isnan(value("pcc", tally))
        assert value("pcc", tally, undefined="zero") == pytest.approx(5 / 6, abs=1e-15)
        assert value("pcc", tally, undefined="skip") == 1.0
        assert METRICS.get("pcc").undefined_parts(tally) == 1


class TestAbsentClass:
    """Fear occurs in neither truth nor prediction; the label set is declared, so the mean divides by 8."""

    TALLY = Confusion.count([0, 0, 0, 1, 1, 4, 4, 5, 6, 7], [0, 0, 1, 1, 1, 4, 4, 5, 7, 7], labels=8)

    def test_the_mean_divides_by_the_declared_classes(self):
        parts = np.nan_to_num(METRICS.get("f1").compute(self.TALLY))
        assert value("f1_macro", self.TALLY) == pytest.approx(parts.sum() / 8, abs=1e-15)

    def test_the_absent_class_is_named_and_counted(self):
        metric = METRICS.get("f1_macro")
        assert metric.undefined_parts(self.TALLY) == 2
        assert "Fear: no truth, no prediction" in metric.notes(self.TALLY, ABAW)

    def test_the_collected_file(self, cases):
        case = json.loads((cases / "A04.json").read_text())
        frame = pl.read_csv(cases / "A04_expr_no_fear.csv")
        lookup = {label.casefold(): code for code, label in enumerate(ABAW)}
        columns = [
            name for name in frame.columns if frame.schema[name] == pl.String and frame[name][0].casefold() in lookup
        ]
        truth, prediction = ([lookup[text.casefold()] for text in frame[name]] for name in columns[:2])
        tally = Confusion.count(truth, prediction, labels=8)
        assert value("f1_macro", tally) == pytest.approx(59 / 120, abs=1e-12)
        assert value("f1_macro", tally, undefined="skip") == pytest.approx(59 / 105, abs=1e-12)
        assert METRICS.get("f1_macro").notes(tally, ABAW) == ("Fear: no truth, no prediction",)
        parts = dict(zip(ABAW, METRICS.get("f1").compute(tally), strict=True))
        for label, expected in case["expected"]["per_class_F1"].items():
            if label == "Fear":
                assert np.isnan(parts[label])
            else:
                assert parts[label] == pytest.approx(expected["value"], abs=1e-12), label


class TestEmptyRowOfAGroup:
    TALLY = Confusion.of_counts([[[4, 1, 0], [1, 3, 1], [0, 1, 4]], [[3, 1, 0], [2, 2, 0], [0, 0, 0]]])
    CLASSES = ("Neutral", "Happiness", "Fear")

    def test_the_rows_of_both_groups_are_compared(self):
        assert value("eop", self.TALLY) == pytest.approx(7 / 60, abs=1e-12)

    def test_the_lacking_class_is_named_and_counted(self):
        metric = METRICS.get("eop")
        assert metric.undefined_parts(self.TALLY) == 1
        assert metric.notes(self.TALLY, self.CLASSES, ("g1", "g2")) == (
            "group 'g2' (n = 8) has no items of the class Fear",
        )

    def test_the_rule_can_propagate(self):
        assert np.isnan(value("eop", self.TALLY, undefined="propagate"))

    def test_the_collected_file(self, cases):
        frame = pl.read_csv(cases / "A18_expr_two_groups.csv")
        codes = [[self.CLASSES.index(label) for label in frame[side]] for side in ("truth", "pred")]
        groups = [("g1", "g2").index(group) for group in frame["age_group"]]
        tally = Confusion.count(codes[0], codes[1], labels=3, cells=groups)
        assert value("eop", tally) == pytest.approx(7 / 60, abs=1e-12)


class TestUnknownUnits:
    """Four unknown cells of 18: each unit is scored where it is known, and nothing else of the row is lost."""

    TRUTH = np.array([[1, 0, -1], [1, -1, 1], [0, 1, 1], [-1, 0, 0], [1, 1, -1], [0, 0, 1]])
    PREDICTION = np.array([[1, 0, 1], [0, 1, 1], [0, 1, 0], [1, 0, 0], [1, 0, 0], [1, 0, 1]])
    TALLY = Units.count(TRUTH, PREDICTION)

    def test_each_unit_has_its_own_items(self):
        assert self.TALLY.support.tolist() == [5, 5, 4]
        assert self.TALLY.unknown.tolist() == [1, 1, 2]
        assert METRICS.get("unit_f1").parts(self.TALLY).tolist() == pytest.approx([2 / 3, 2 / 3, 4 / 5], abs=1e-12)
        assert value("unit_f1", self.TALLY) == pytest.approx(32 / 45, abs=1e-12)

    @pytest.mark.parametrize("marker", [999, 2, -5])
    def test_another_marker_is_one_clear_error(self, marker):
        truth = np.where(self.TRUTH == -1, marker, self.TRUTH)
        with pytest.raises(ValueError, match=rf"row 0, column 2: truth code {marker} .*4 such cells"):
            Units.count(truth, self.PREDICTION)

    def test_a_unit_that_is_nowhere_known_is_named(self):
        tally = Units.count(np.where([True, True, False], self.TRUTH, -1), self.PREDICTION)
        assert METRICS.get("unit_f1").notes(tally, ("AU1", "AU4", "AU12")) == ("AU12: unknown in every item",)
        assert value("unit_f1", tally) == pytest.approx(4 / 9, abs=1e-12)
        assert value("unit_f1", tally, undefined="skip") == pytest.approx(2 / 3, abs=1e-12)

    def test_the_collected_files(self, cases):
        case = json.loads((cases / "A05.json").read_text())["expected"]
        read = {name: pl.read_csv(cases / f"A05_au_{name}.csv").drop("id") for name in ("truth", "pred", "truth_999")}
        for name, marker in (("truth", -1), ("truth_999", 999)):
            truth = read[name].with_columns(pl.all().replace(marker, -1)).to_numpy()
            tally = Units.count(truth, read["pred"].to_numpy())
            assert dict(zip(read[name].columns, tally.support.tolist(), strict=True)) == case["n_per_AU"]
            assert value("unit_f1", tally) == pytest.approx(case["P_AU"]["value"], abs=1e-12)
            for unit, found in zip(read[name].columns, METRICS.get("unit_f1").parts(tally), strict=True):
                assert found == pytest.approx(case["per_AU_F1"][unit]["value"], abs=1e-12)


class TestParity:
    YOUNG, OLD = [0] * 5 + [1] * 3 + [2] * 2, [0] * 2 + [1] * 3 + [2] * 5

    def tally(self, *groups: list[int]) -> Confusion:
        predictions = [code for group in groups for code in group]
        cells = [g for g, group in enumerate(groups) for _ in group]
        return Confusion.count([0] * len(predictions), predictions, labels=7, cells=cells)

    def test_the_paper_divides_by_the_declared_classes(self):
        assert value("sp", self.tally(self.YOUNG, self.OLD)) == pytest.approx(3 / 35, abs=1e-12)

    @pytest.mark.parametrize("convention", ["tables", "upstream"])
    def test_the_tables_divide_by_two(self, convention):
        assert value("sp", self.tally(self.YOUNG, self.OLD), convention=convention) == pytest.approx(0.3, abs=1e-12)

    @pytest.mark.parametrize("name", ["sp", "eop", "uar_gap"])
    def test_a_single_group_is_undefined_with_its_name(self, name):
        tally = self.tally(self.YOUNG)
        assert np.isnan(value(name, tally))
        reason = METRICS.get(name).reason(tally, (), ("young",))
        assert "2 groups" in reason or "two groups" in reason or name == "uar_gap"

    def test_a_declared_group_without_items_does_not_make_a_pair(self):
        both = self.tally(self.YOUNG, self.OLD)
        three = both.joined([Confusion.zero(labels=7, shape=(1,))])
        assert value("sp", three) == value("sp", both)
        assert METRICS.get("sp").undefined_parts(three) == 1
        assert METRICS.get("sp").notes(three, (), ("young", "old", "child")) == ("group 'child' left out: no items",)

    def test_the_collected_file(self, cases):
        frame = pl.read_csv(cases / "A19_predictions.csv")
        labels = ("Neutral", "Happiness", "Sadness")
        groups = [[labels.index(p) for p, age in zip(frame["pred"], frame["age"], strict=True) if age == name]
                  for name in ("young", "old")]  # fmt: skip
        assert value("sp", self.tally(*groups)) == pytest.approx(3 / 35, abs=1e-12)


class TestJensenShannon:
    def test_it_is_the_distance_in_base_two(self):
        assert float(jensen_shannon([5, 5, 0], [0, 5, 5])) == pytest.approx(0.7071067811865476, abs=1e-12)

    def test_nearly_equal_histograms_are_close_and_never_undefined(self):
        p = np.array([0.02750147506594658, 0.05520229786634445])
        q = np.array([0.027537677437067032, 0.05533434823155403])
        assert float(jensen_shannon(p, q)) == pytest.approx(0.0002148010686653141, rel=1e-9)
        single = float(jensen_shannon(p.astype(np.float32), q.astype(np.float32)))
        assert single == pytest.approx(0.0002148010686653141, abs=1e-11)

    def test_the_top_of_the_range_belongs_to_the_last_bin(self):
        tally = Histogram.of([0.15, 0.95, 0.97, 1.0], [0.15, 0.12, 0.18, 0.11])
        assert value("jsd", tally) == pytest.approx(0.740806952380577, abs=1e-12)

    def test_values_outside_are_clipped_and_counted(self):
        tally = Histogram.of([0.5, 0.5], [1.02, -0.01])
        assert tally.prediction[0].tolist() == [1, 0, 0, 0, 0, 0, 0, 0, 0, 1]
        assert tally.outside_prediction.tolist() == [2]

    def test_histograms_without_a_bin_in_common_are_one_apart(self):
        assert value("jsd", Histogram.of([0.0], [1.0])) == 1.0

    def test_equal_histograms_are_zero_apart(self):
        assert value("jsd", Histogram.of([0.1, 0.9], [0.9, 0.1], on=Range(0.0, 1.0, 3))) == 0.0

    def test_no_items_are_undefined(self):
        tally = Histogram.of([np.nan], [0.5])
        assert np.isnan(value("jsd", tally))
        assert METRICS.get("jsd").notes(tally, ("joy",)) == ("joy: no items",)

    def test_the_collected_numbers(self, cases):
        expected = json.loads((cases / "A20.json").read_text())["expected"]
        assert float(jensen_shannon([5, 5, 0], [0, 5, 5])) == pytest.approx(expected["case1_distance"], abs=1e-12)


def test_an_item_without_a_prediction_counts_as_wrong_where_told():
    answered = Confusion.count([0, 0, 1, 1], [0, 0, 1, 1], labels=2)
    tally = Confusion.count([0, 0, 1, 1], [0, -1, 1, 1], labels=2, missing="wrong")
    assert value("accuracy", answered) == 1.0
    assert value("accuracy", tally) == 0.75
    assert METRICS.get("recall").compute(tally).tolist() == [0.5, 1.0]
    assert METRICS.get("precision").compute(tally).tolist() == [1.0, 1.0]
    assert METRICS.get("f1").compute(tally).tolist() == [2 / 3, 1.0]
