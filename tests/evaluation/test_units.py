"""Action units: unknown cells left out unit by unit, scores by unit and group, disparities with floors."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import polars as pl
import pytest
from affect_tables import keys
from unit_tables import UNITS, coded, drawn, scored

from affectcheck.errors import InputError, UnknownNameError
from affectcheck.evaluation import EvaluationOptions, ScoredColumns, evaluate, evaluate_frames, score_file
from affectcheck.metrics import METRICS
from affectcheck.records import Score, Undefined
from affectcheck.schemes import StatedMapping, UnitScheme
from affectcheck.tallies import Units
from affectcheck.uncertainty import resample

if TYPE_CHECKING:
    from pathlib import Path

FAST = {"resamples": 50}


def labels(rows: list[list[float]]) -> list[list[float]]:
    return [[float(value >= 0.5) for value in row] for row in rows]


class TestScores:
    TRUTH, CHANCES = drawn(120)
    SUBJECT = tuple(f"s{n % 12}" for n in range(120))
    SEX = tuple("fm"[n % 12 % 2] for n in range(120))

    def found(self, **options: object):
        table = coded(self.TRUTH, subject=self.SUBJECT, sex=self.SEX)
        return evaluate(table, scored(self.CHANCES), options=EvaluationOptions(by=("sex",), **{**FAST, **options}))

    def test_each_unit_over_its_own_known_items(self) -> None:
        found = self.found()
        truth, made = np.array(self.TRUTH), np.array(self.CHANCES) >= 0.5
        for m, unit in enumerate(UNITS):
            known = truth[:, m] >= 0
            hits = (made & (truth == 1))[:, m].sum()
            wrong = ((made[:, m] != truth[:, m]) & known).sum()
            score = found.parts("unit_f1")[unit]
            assert score.value == pytest.approx(2 * hits / (2 * hits + wrong), abs=1e-12)
            assert score.support == known.sum()
        mean = np.mean([score.value for score in found.parts("unit_f1").values()])
        assert found["unit_f1"].value == pytest.approx(mean, abs=1e-12)

    def test_every_place_has_what_belongs_to_it(self) -> None:
        found = self.found()
        assert set(found.groups("sex")["unit_f1"]) == {"f", "m"}
        assert isinstance(found.parts("unit_f1", attribute="sex", group="f")["AU1"], Score)
        views = found.by("sex")
        for name in ("eod", "dpd", "unit_f1_gap"):
            assert views[name].floor is not None
            assert views[name].decision is not None
        assert views["unit_local_f1"].interval is not None
        assert views["unit_f1_difference"].interval is not None
        assert found["unit_f1"].interval.clusters == 12

    def test_the_interval_is_that_of_the_clusters(self) -> None:
        truth, made = np.array(self.TRUTH), (np.array(self.CHANCES) >= 0.5).astype(np.int8)
        codes = np.array([sorted(set(self.SUBJECT)).index(name) for name in self.SUBJECT])
        tally = Units.count(truth, made, cells=codes)
        by_hand = resample(tally).intervals(METRICS.get("unit_f1").compute).interval()
        found = self.found(resamples=1000)["unit_f1"].interval
        assert (found.low, found.high, found.clusters) == (by_hand.low, by_hand.high, 12)

    def test_tables_for_reports(self) -> None:
        tables = self.found().tables
        assert tables["units"]["columns"] == ["unit", "truth", "prediction", "count", "attribute", "group"]
        rows = tables["units"]["rows"]
        whole = [row for row in rows if not row[4]]
        assert sum(row[3] for row in whole) == 120 * 2
        assert sum(row[3] for row in whole if row[1] is None) == sum(row.count(-1) for row in self.TRUTH)
        assert sum(row[3] for row in rows if row[4] == "sex") == 120 * 2
        assert tables["thresholds"]["rows"] == [[unit, 0.5, "probability", "natural"] for unit in UNITS]

    def test_all_metrics_of_units(self) -> None:
        found = self.found(metrics=("all",))
        assert "p_au" not in found
        whole = {score.metric for score in found if not score.place.attribute and not score.place.part}
        assert {"unit_f1", "unit_accuracy", "emotionet", "unit_matthews", "unit_auc", "unit_ap"} <= whole
        assert all(score.defined for score in found if not score.place.attribute)
        assert found["unit_auc"].interval is not None
        assert found.by("sex")["unit_auc_gap"].floor is not None

    def test_groups_of_independent_items(self) -> None:
        found = evaluate(
            coded(self.TRUTH, sex=self.SEX), scored(self.CHANCES), options=EvaluationOptions(by=("sex",), **FAST)
        )
        assert found["unit_f1"].interval.unit == "item"
        assert found["unit_f1"].interval.clusters == 120
        assert "over 120 items" in found.by("sex")["eod"].floor.method
        assert found.by("sex")["unit_f1_difference"].interval is not None

    def test_a_score_that_needs_scores_says_that_there_are_none(self) -> None:
        table = coded(self.TRUTH, sex=self.SEX)
        made = scored(labels(self.CHANCES), "label")
        found = evaluate(table, made, options=EvaluationOptions(by=("sex",), metrics=("all",), **FAST))
        for name in ("unit_auc", "unit_ap", "unit_calibration"):
            assert found[name] == Undefined(name, "the model gives labels only, no scores", 120, found[name].signature)
            assert {score.reason for score in found.groups("sex")[name].values()} == {found[name].reason}
            assert found.by("sex")[f"{name}_gap"].reason == found[name].reason
            assert found.by("sex")[f"{name}_difference"].reason == found[name].reason
        assert found["unit_f1"].defined

    def test_calibration_takes_probabilities_as_they_are_declared(self) -> None:
        logits = (np.array(self.CHANCES) * 4 - 2).tolist()
        options = EvaluationOptions(metrics=("unit_calibration", "unit_auc"), **FAST)
        found = evaluate(coded(self.TRUTH), scored(logits, "logit"), options=options)
        assert "a sigmoid is a step to be stated, not guessed" in found["unit_calibration"].reason
        same = evaluate(coded(self.TRUTH), scored(self.CHANCES), options=options)
        assert found["unit_auc"].value == pytest.approx(same["unit_auc"].value, abs=1e-12)
        assert same["unit_calibration"].defined

    def test_bca_is_signed(self) -> None:
        found = self.found(interval="bca")
        assert found["unit_f1"].interval.method == "bca"
        assert found["unit_f1"].signature.resamples == "50 bca"
        assert self.found()["unit_f1"].signature.resamples == "50"
        items = evaluate(coded(self.TRUTH), scored(self.CHANCES), options=EvaluationOptions(interval="bca", **FAST))
        assert items["unit_f1"].interval.method == "bca"


class TestUnknown:
    def test_a_unit_unknown_in_every_item(self) -> None:
        truth, chances = drawn(40)
        found = evaluate(coded([[row[0], -1] for row in truth]), scored(chances), options=EvaluationOptions(**FAST))
        assert isinstance(found.parts("unit_f1")["AU12"], Undefined)
        assert found.parts("unit_f1")["AU12"].support == 0
        assert found["unit_f1"].undefined_parts == 1
        assert any("AU12" in note for note in found["unit_f1"].notes)
        assert found["unit_f1"].value == pytest.approx(found.parts("unit_f1")["AU1"].value / 2)

    def test_every_item_unknown(self) -> None:
        with pytest.raises(InputError, match="no item is left to score"):
            evaluate(coded([[-1, None], [-1, -1]]), scored([[0.1, 0.2]] * 2))

    def test_items_without_any_label_are_left_out_and_counted(self) -> None:
        found = evaluate(
            coded([[1, 0], [-1, -1], [0, -1]]), scored([[0.9, 0.1]] * 3), options=EvaluationOptions(**FAST)
        )
        assert found.counts["scored"] == 2
        assert "1 item without any label: left out" in found.notes
        assert "cells marked as not annotated: AU1 1, AU12 2" in found.notes
        assert "cells of scored items that are not annotated: AU12 1" in found.notes

    def test_few_clusters_know_a_unit(self) -> None:
        truth, chances = drawn(80)
        subject = [f"s{n // 8}" for n in range(80)]
        rare = [[row[0], row[1] if n < 16 else -1] for n, row in enumerate(truth)]
        found = evaluate(coded(rare, subject=subject), scored(chances), options=EvaluationOptions(**FAST))
        assert found.parts("unit_f1")["AU1"].interval.clusters == 10
        assert found.parts("unit_f1")["AU12"].interval is None
        assert "2 subject clusters" in found.parts("unit_f1")["AU12"].notes[0]


class TestMissing:
    TRUTH = ([1, 0], [0, -1], [1, 1])

    def test_a_missing_prediction_can_be_wrong_in_every_known_unit(self) -> None:
        made = scored([[0.9, 0.1], [0.9, 0.9]], items=["i0", "i2"])
        with pytest.raises(InputError, match="1 item has no prediction: 'i1'"):
            evaluate(coded(self.TRUTH), made)
        options = EvaluationOptions(missing="wrong", metrics=("unit_accuracy", "unit_auc"), **FAST)
        found = evaluate(coded(self.TRUTH), made, options=options)
        assert found.parts("unit_accuracy")["AU1"].value == pytest.approx(2 / 3)
        assert found.parts("unit_accuracy")["AU12"].value == 1.0
        assert "count as wrong, but have no scores" in found["unit_auc"].reason
        left = evaluate(coded(self.TRUTH), made, options=EvaluationOptions(missing="leave out", **FAST))
        assert left.counts["scored"] == 2


class TestBadInput:
    def test_a_unit_that_a_side_lacks(self) -> None:
        made = scored([[0.5]], units=("AU1",))
        with pytest.raises(InputError, match="the model does not predict 'AU12'"):
            evaluate(coded([[1, 0]]), made)

    def test_spare_units_of_the_model_are_noted(self) -> None:
        found = evaluate(
            coded([[1, 0], [0, 1]]),
            scored([[0.9, 0.1, 0.5], [0.1, 0.9, 0.5]], units=(*UNITS, "AU4")),
            options=EvaluationOptions(**FAST),
        )
        assert "the model also predicts AU4, which the table does not annotate" in found.notes
        assert found.labels == UNITS

    def test_a_mapping_of_labels(self) -> None:
        with pytest.raises(InputError, match="a label mapping for units"):
            evaluate(coded([[1, 0]]), scored([[0.5, 0.5]]), options=EvaluationOptions(mapping="AU1=AU12"))

    def test_metrics_of_other_kinds_and_sizes(self) -> None:
        for name, words in (("uar", "of another kind"), ("p_au", "p_au is defined for 12 units, target 'units' has 2")):
            with pytest.raises(InputError, match=words):
                evaluate(coded([[1, 0]]), scored([[0.5, 0.5]]), options=EvaluationOptions(metrics=(name,)))

    def test_one_group_only_and_groups_of_one_item(self) -> None:
        truth, chances = drawn(30)
        one = coded(truth, sex=["f"] * 30)
        found = evaluate(one, scored(chances), options=EvaluationOptions(by=("sex",), **FAST))
        for name in ("eod", "dpd", "unit_f1_gap"):
            assert isinstance(found.by("sex")[name], Undefined)
        lone = coded(truth, sex=["f"] * 29 + ["m"])
        found = evaluate(lone, scored(chances), options=EvaluationOptions(by=("sex",), **FAST))
        assert found.by("sex")["dpd"].decision.outcome == "inconclusive"
        assert all(not np.isnan(score.value) for score in found if score.defined)


class TestFrames:
    TRUTH: ClassVar = {"AU1": [1, 0, 999, 1], "AU12": [0, -1, 1, 1]}
    CHANCES: ClassVar = {"p_AU1": [0.9, 0.2, 0.4, 0.6], "p_AU12": [0.1, 0.8, 0.7, 0.4]}
    SCHEME = UnitScheme("some", UNITS)

    def test_one_frame_by_prefix_by_name_and_two_frames(self) -> None:
        prefix = ScoredColumns(labels=self.SCHEME, scores="p_")
        one = evaluate_frames({**self.TRUTH, **self.CHANCES}, columns=prefix)
        assert one["unit_f1"].signature.thresholds == "natural gives 0.5"
        named = ScoredColumns(labels=self.SCHEME, prediction={"AU1": "p_AU1", "AU12": "p_AU12"}, output="probability")
        two = evaluate_frames(
            {"item": keys(4), **self.TRUTH},
            {"item": keys(4)[::-1], **{k: v[::-1] for k, v in self.CHANCES.items()}},
            columns=ScoredColumns(labels=self.SCHEME, scores="p_"),
        )
        other = evaluate_frames({**self.TRUTH, **self.CHANCES}, columns=named)
        for found in (two, other):
            assert [score.value for score in found if score.defined] == [s.value for s in one if s.defined]

    def test_the_kind_of_score_is_declared_or_said_by_the_prefix(self) -> None:
        with pytest.raises(InputError, match="not 0 and 1 only"):
            evaluate_frames(
                {**self.TRUTH, **self.CHANCES},
                columns=ScoredColumns(labels=self.SCHEME, prediction={"AU1": "p_AU1", "AU12": "p_AU12"}),
            )
        with pytest.raises(InputError, match="nothing says from which score"):
            evaluate_frames(
                {**self.TRUTH, "s_AU1": [3.0] * 4, "s_AU12": [1.0] * 4},
                columns=ScoredColumns(labels=self.SCHEME, scores="s_"),
            )
        with pytest.raises(InputError, match="numbers outside 0 to 1 are declared to be probabilities"):
            evaluate_frames(
                {**self.TRUTH, "p_AU1": [3.0] * 4, "p_AU12": [1.0] * 4},
                columns=ScoredColumns(labels=self.SCHEME, scores="p_"),
            )

    def test_some_units_of_a_scheme(self) -> None:
        columns = ScoredColumns(labels=self.SCHEME, prediction={"AU1": "p_AU1"}, output="probability")
        found = evaluate_frames({**self.TRUTH, **self.CHANCES}, columns=columns)
        assert found.labels == ("AU1",)
        assert any("no column is named for 'AU12'" in note for note in found.notes)
        with pytest.raises(UnknownNameError, match="unknown unit of the scheme 'some' 'AU2'"):
            evaluate_frames(self.TRUTH, columns=ScoredColumns(labels=self.SCHEME, prediction={"AU2": "x"}))

    def test_one_column_for_both_sides_is_refused(self) -> None:
        with pytest.raises(InputError, match="would be truth and prediction at once"):
            evaluate_frames(self.TRUTH, columns=ScoredColumns(labels=self.SCHEME))

    def test_a_unit_without_a_column(self) -> None:
        frame = {"AU1": [1, 0], "p_AU1": [0.5, 0.5], "p_AU12": [0.5, 0.5]}
        with pytest.raises(UnknownNameError, match="unknown column 'AU12'"):
            evaluate_frames(frame, columns=ScoredColumns(labels=self.SCHEME, scores="p_"))

    @pytest.mark.parametrize(
        ("cell", "words"), [("nan", "no finite number"), ("inf", "no finite number"), ("0,5", "no finite number")]
    )
    def test_cells_that_are_no_numbers(self, cell: str, words: str, tmp_path: Path) -> None:
        path = tmp_path / "made.csv"
        path.write_text(f'item,AU1,p_AU1\na,1,0.5\nb,0,"{cell}"\n')
        columns = ScoredColumns(labels=UnitScheme("one", ("AU1",)), scores="p_")
        with pytest.raises(InputError, match=words) as caught:
            score_file(path, columns=columns)
        assert "made.csv" in str(caught.value)
        assert "row 2" in str(caught.value)

    def test_a_truth_that_is_neither_present_nor_absent(self, tmp_path: Path) -> None:
        path = tmp_path / "made.csv"
        path.write_text("item,AU1,p_AU1\na,3,0.5\n")
        columns = ScoredColumns(labels=UnitScheme("one", ("AU1",)), scores="p_")
        with pytest.raises(InputError, match="neither 0 nor 1"):
            score_file(path, columns=columns)

    def test_a_mapping_beside_units_says_what_is_wrong(self) -> None:
        columns = ScoredColumns(labels=self.SCHEME, scores="p_")
        options = EvaluationOptions(mapping=StatedMapping.parse("a=b"))
        with pytest.raises(InputError, match="a label mapping for units"):
            evaluate_frames({**self.TRUTH, **self.CHANCES}, columns=columns, options=options)


@pytest.mark.shared
class TestCases:
    @pytest.mark.parametrize("name", ["A05_au_truth.csv", "A05_au_truth_999.csv"])
    def test_a05_unknown_cells_are_left_out_cell_by_cell(self, cases: Path, name: str) -> None:
        columns = ScoredColumns(item="id", labels=UnitScheme("au", ("AU1", "AU4", "AU12")))
        found = score_file(cases / name, cases / "A05_au_pred.csv", columns=columns)
        by_unit = found.parts("unit_f1")
        assert [score.value for score in by_unit.values()] == pytest.approx([2 / 3, 2 / 3, 4 / 5], abs=1e-12)
        assert [score.support for score in by_unit.values()] == [5, 5, 4]
        assert found["unit_f1"].value == pytest.approx(float(Fraction(32, 45)), abs=1e-12)

    def test_a06_a_decision_depends_on_its_own_row_alone(self, cases: Path) -> None:
        frame = pl.read_csv(cases / "A06_au_scores.csv", infer_schema=False)
        columns = ScoredColumns(
            {"AU1": "truth"}, {"AU1": "score"}, labels=UnitScheme("au", ("AU1",)), item="id", output="logit"
        )
        whole = evaluate_frames(frame, columns=columns, options=EvaluationOptions(resamples=0))
        assert whole["unit_f1"].value == 1.0
        assert whole.items["prediction_AU1"].to_list() == [1, 0, 1, 1]
        for _, batch in frame.group_by("batch"):
            found = evaluate_frames(batch, columns=columns, options=EvaluationOptions(resamples=0))
            joined = found.items.join(whole.items, on="item")
            assert joined["prediction_AU1"].to_list() == joined["prediction_AU1_right"].to_list()
        for output in (None, "label"):
            from dataclasses import replace

            with pytest.raises(InputError, match="rows 1, 2, 3, 4"):
                evaluate_frames(frame, columns=replace(columns, output=output))

    def test_a17_two_labels_as_one_unit(self, cases: Path) -> None:
        columns = ScoredColumns({"AU1": "truth"}, {"AU1": "pred"}, labels=UnitScheme("au", ("AU1",)), item="id")
        options = EvaluationOptions(by=("gender",), metrics=("unit_accuracy", "unit_accuracy_gap", "dpd"), resamples=50)
        found = score_file(cases / "A17_missing_gender.csv", columns=columns, options=options)
        assert found["unit_accuracy"].value == 0.6
        assert {g: s.value for g, s in found.groups("gender")["unit_accuracy"].items()} == {"F": 0.5, "M": 1.0}
        assert (found.by("gender")["unit_accuracy_gap"].value, found.by("gender")["dpd"].value) == (0.5, 0.0)
        assert found.counts["excluded"]["gender"] == {"missing": 2}
