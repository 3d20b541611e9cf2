"""Scores of a table against predictions: values by hand, groups, undefined ones, signatures."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from affect_tables import LABELS, affect, labelled, predicted, predicted_affect

from affectcheck.errors import InputError, SignatureMismatchError, UnknownNameError
from affectcheck.evaluation import EvaluationOptions, evaluate
from affectcheck.records import Fault, Score, Undefined
from affectcheck.schemes import CategoryScheme

FAST = {"resamples": 50}


class TestByHand:
    truth = ("anger", "anger", "neutral", "neutral", "sadness", "sadness")
    prediction = ("anger", "neutral", "neutral", "neutral", "anger", "sadness")

    def test_overall_and_parts(self) -> None:
        found = evaluate(labelled(self.truth), predicted(self.prediction))
        assert found["uar"].value == pytest.approx(float(Fraction(2, 3)), abs=1e-15)
        assert found["accuracy"].value == pytest.approx(4 / 6, abs=1e-15)
        recall = found.parts("recall")
        assert [recall[label].value for label in LABELS] == [0.5, 1.0, 0.5]
        assert [recall[label].support for label in LABELS] == [2, 2, 2]
        assert {score.support for score in found if not score.place.part} == {6}
        assert found.labels == LABELS

    def test_groups_disparities_and_differences(self) -> None:
        sex = ("f", "m", "f", "m", "f", "m")
        found = evaluate(
            labelled(self.truth, sex=sex), predicted(self.prediction), options=EvaluationOptions(by=("sex",), **FAST)
        )
        by_group = found.groups("sex")["uar"]
        assert by_group["f"].value == pytest.approx(2 / 3)
        assert by_group["m"].value == pytest.approx(2 / 3)
        assert found.by("sex")["uar_gap"].value == 0.0
        assert "recall_difference" not in found.by("sex")  # differences of parts stand with the parts
        parts = found.parts("recall_difference", attribute="sex", group="f-m")
        assert [parts[label].value for label in LABELS] == [1.0, 0.0, -1.0]
        assert found.parts("recall", attribute="sex", group="f")["sadness"].value == 0.0

    def test_dimensions(self) -> None:
        truth = np.array([[0.0, 0.5], [0.5, np.nan], [1.0, 0.5]])
        made = np.array([[0.0, 0.5], [0.5, 0.1], [0.5, 0.5]])
        found = evaluate(affect(truth), predicted_affect(made))
        assert found.parts("mae")["arousal"].value == pytest.approx(0.5 / 3)
        assert found.parts("mae")["valence"].value == 0.0
        assert found.parts("mae")["valence"].support == 2
        assert found.parts("ccc")["arousal"].value == pytest.approx(2 * (1 / 12) / (1 / 6 + 1 / 18 + 1 / 36))
        undefined = found.parts("ccc")["valence"]
        assert isinstance(undefined, Undefined)
        assert "constant" in undefined.reason
        assert isinstance(found["ccc"], Undefined)  # never the mean of what is defined
        assert "1 item without a label of valence" in found.notes


class TestLabels:
    def test_a_model_may_lack_a_class(self) -> None:
        made = predicted(("anger", "neutral"), labels=("anger", "neutral"))
        found = evaluate(labelled(("anger", "sadness")), made, options=EvaluationOptions(metrics=("uar", "recall")))
        assert "the model cannot predict sadness" in found.notes
        assert found.parts("recall")["sadness"].value == 0.0

    def test_spelling_is_folded_and_aliases_hold(self) -> None:
        scheme = CategoryScheme("s", LABELS, aliases={"angry": "anger", "sad": "sadness"})
        truth = labelled(("anger", "sadness"), scheme=scheme)
        made = predicted(("angry", "Sad"), labels=("angry", "Sad", "neutral"))
        assert evaluate(truth, made, options=EvaluationOptions(metrics=("accuracy",)))["accuracy"].value == 1.0

    def test_strangers_need_a_mapping(self) -> None:
        made = predicted(("calm", "anger"), labels=("calm", "anger"))
        truth = labelled(("neutral", "anger"))
        with pytest.raises(InputError, match="does not have: 'calm'") as caught:
            evaluate(truth, made)
        assert "calm=" in caught.value.expected
        options = EvaluationOptions(mapping="calm=neutral", metrics=("accuracy",))
        found = evaluate(truth, made, options=options)["accuracy"]
        assert found.value == 1.0
        assert found.signature.mapping == "calm>neutral"
        assert found.signature.labels == ",".join(LABELS)

    def test_a_mapping_merges_classes_of_the_truth(self) -> None:
        options = EvaluationOptions(mapping="sadness=neutral", metrics=("uar", "recall"))
        found = evaluate(
            labelled(("sadness", "neutral", "anger")), predicted(("neutral", "sadness", "anger")), options=options
        )
        assert found.labels == ("anger", "neutral")
        assert found["uar"].value == 1.0

    def test_a_mapping_leaves_classes_out_on_both_sides(self) -> None:
        options = EvaluationOptions(mapping="sadness=", metrics=("accuracy",))
        truth, made = ("sadness", "neutral", "anger", "anger"), ("anger", "neutral", "sadness", "anger")
        found = evaluate(labelled(truth), predicted(made), options=options)
        assert found["accuracy"].support == 2
        assert found["accuracy"].value == 1.0
        assert "1 item of a class that the mapping leaves out" in found.notes
        assert "1 item predicted as a class that the mapping leaves out" in found.notes
        assert found.counts["left_out"] == 2

    @pytest.mark.parametrize(
        ("mapping", "message"),
        [
            ("joy=neutral", "label in the mapping 'joy'"),
            ("calm=happy", "unknown label"),
            ("anger=,neutral=,sadness=", "no label to score"),
        ],
    )
    def test_bad_mappings(self, mapping: str, message: str) -> None:
        with pytest.raises(InputError, match=message):
            evaluate(labelled(("anger",)), predicted(("anger",)), options=EvaluationOptions(mapping=mapping))

    def test_predictions_mapped_to_what_the_truth_loses(self) -> None:
        made = predicted(("calm", "anger"), labels=("calm", "anger"))
        options = EvaluationOptions(mapping="calm=neutral,neutral=")
        with pytest.raises(InputError, match="mapped to 'neutral'"):
            evaluate(labelled(("neutral", "anger")), made, options=options)

    def test_a_mapping_of_dimensions_is_refused(self) -> None:
        with pytest.raises(InputError, match="mapping for dimensions"):
            evaluate(affect(np.eye(2)), predicted_affect(np.eye(2)), options=EvaluationOptions(mapping="a=b"))

    def test_items_without_a_label_are_left_out_and_counted(self) -> None:
        found = evaluate(labelled(("anger", None, "neutral")), predicted(("anger", "anger", "anger")))
        assert found["accuracy"].value == 0.5
        assert "1 item without a label: left out" in found.notes
        assert found["accuracy"].signature.n == "2"

    def test_nothing_left_is_an_error(self) -> None:
        with pytest.raises(InputError, match="no item is left"):
            evaluate(labelled((None, None)), predicted(("anger", "anger")))


class TestKeys:
    def test_missing_and_extra_are_one_error(self) -> None:
        with pytest.raises(InputError) as caught:
            evaluate(labelled(("anger", "anger")), predicted(("anger", "anger"), items=("i0", "x")))
        assert "'i1'" in str(caught.value)
        assert "'x'" in str(caught.value)

    @pytest.mark.parametrize("rule", ["wrong", "leave out"])
    def test_extra_items_pass_under_no_rule(self, rule: str) -> None:
        options = EvaluationOptions(missing=rule)  # type: ignore[arg-type]
        with pytest.raises(InputError, match="belong to no item: 'x'"):
            evaluate(labelled(("anger",)), predicted(("anger", "anger"), items=("i0", "x")), options=options)

    def test_missing_may_count_as_wrong(self) -> None:
        options = EvaluationOptions(missing="wrong", metrics=("accuracy", "uar"), **FAST)
        found = evaluate(
            labelled(("anger", "neutral", "sadness")),
            predicted(("anger", "neutral"), items=("i0", "i1")),
            options=options,
        )
        assert found["accuracy"].value == pytest.approx(2 / 3)
        assert found["accuracy"].support == 3
        assert found["uar"].value == pytest.approx(2 / 3)
        assert found["uar"].signature.missing == "wrong, 1 without a prediction"
        assert ["sadness", "(no prediction)", 1, "", ""] in found.tables["confusion"]["rows"]
        assert [fault.item for fault in found.faults] == ["i2"]

    def test_missing_may_be_left_out(self) -> None:
        options = EvaluationOptions(missing="leave out", metrics=("accuracy",))
        found = evaluate(labelled(("anger", "neutral")), predicted(("anger",), items=("i0",)), options=options)
        assert found["accuracy"].value == 1.0
        assert "1 item without a prediction: left out" in found.notes

    def test_a_missing_value_cannot_be_wrong(self) -> None:
        with pytest.raises(InputError, match="cannot be counted as wrong"):
            evaluate(affect(np.eye(2)), predicted_affect(np.eye(2)), options=EvaluationOptions(missing="wrong"))

    def test_what_this_program_could_not_predict_is_excused(self) -> None:
        fault = Fault("i1", "unreadable media", "no such file")
        made = predicted(("anger",), items=("i0",), faults=(fault,))
        found = evaluate(labelled(("anger", "neutral")), made, options=EvaluationOptions(metrics=("accuracy",)))
        assert found["accuracy"].support == 1
        assert found["accuracy"].signature.missing == "error, 1 without a prediction"
        assert found.faults == (fault,)

    def test_an_empty_cell_in_a_file_is_not(self) -> None:
        made = predicted(("anger",), items=("i0",), faults=(Fault("i1", "no prediction", "the cell is empty"),))
        with pytest.raises(InputError, match="no prediction: 'i1'"):
            evaluate(labelled(("anger", "neutral")), made)

    def test_order_does_not_matter(self) -> None:
        truth, made = ("anger", "neutral", "sadness"), ("anger", "sadness", "sadness")
        straight = evaluate(labelled(truth), predicted(made))
        turned = evaluate(labelled(truth), predicted(made[::-1], items=("i2", "i1", "i0")))
        assert turned.scores == straight.scores


class TestKindsAndMetrics:
    def test_kinds_must_agree(self) -> None:
        with pytest.raises(InputError, match="of categories, model 'made' predicts dimensions"):
            evaluate(labelled(("anger", "anger")), predicted_affect(np.eye(2)))

    def test_a_dimension_must_be_predicted(self) -> None:
        made = predicted_affect(np.ones((2, 1)), names=("arousal",))
        with pytest.raises(InputError, match="does not predict 'valence'"):
            evaluate(affect(np.eye(2)), made)

    def test_further_dimensions_are_noted(self) -> None:
        made = predicted_affect(np.ones((2, 3)), names=("arousal", "dominance", "valence"))
        found = evaluate(affect(np.eye(2)), made)
        assert any("also predicts dominance" in note for note in found.notes)

    def test_unknown_names(self) -> None:
        truth, made = labelled(("anger",)), predicted(("anger",))
        for options in (
            EvaluationOptions(metrics=("uaar",)),
            EvaluationOptions(by=("sex",)),
            EvaluationOptions(target="emotion"),
        ):
            with pytest.raises(UnknownNameError):
                evaluate(truth, made, options=options)
        with pytest.raises(InputError, match="another kind"):
            evaluate(truth, made, options=EvaluationOptions(metrics=("ccc",)))

    def test_options_are_checked(self) -> None:
        for bad in (
            {"missing": "drop"},
            {"convention": "mine"},
            {"clusters": "speaker"},
            {"by": "sex"},
            {"metrics": "uar"},
            {"resamples": -1},
            {"level": 95.0},
        ):
            with pytest.raises(InputError):
                EvaluationOptions(**bad)  # type: ignore[arg-type]

    def test_a_convention_without_a_definition_is_undefined(self) -> None:
        truth = labelled(("anger", "neutral"), sex=("f", "m"))
        options = EvaluationOptions(by=("sex",), convention="upstream", metrics=("eop",), beside=())
        found = evaluate(truth, predicted(("anger", "neutral")), options=options).by("sex")["eop"]
        assert isinstance(found, Undefined)
        assert "no definition in the convention 'upstream'" in found.reason


class TestGroups:
    def test_unknown_values_are_counted_and_named(self) -> None:
        sex = ("f", "m", None, "Unsure", "f", "m")
        truth = ("anger",) * 6
        options = EvaluationOptions(by=("sex",), metrics=("accuracy", "accuracy_gap"), **FAST)
        found = evaluate(labelled(truth, sex=sex), predicted(truth), options=options)
        groups = found.groups("sex")["accuracy"]
        excluded = found.counts["excluded"]["sex"]
        assert set(groups) == {"f", "m"}
        assert excluded == {"missing": 1, "Unsure": 1}
        assert sum(score.support for score in groups.values()) + sum(excluded.values()) == found["accuracy"].support
        assert groups["f"].signature.excluded == "missing=1,Unsure=1"
        assert groups["f"].signature.groups.partition("@")[0] == "sex=f,m"
        assert found["accuracy"].signature.excluded == ""

    def test_missing_is_told_even_where_none_is(self) -> None:
        found = evaluate(
            labelled(("anger", "anger"), sex=("f", "m")),
            predicted(("anger", "anger")),
            options=EvaluationOptions(by=("sex",), **FAST),
        )
        assert found.by("sex")["sp"].signature.excluded == "missing=0"
        assert ["sex", "missing", 0, False] in found.tables["groups"]["rows"]

    def test_one_group_has_no_disparity(self) -> None:
        found = evaluate(
            labelled(("anger", "neutral"), sex=("f", "f")),
            predicted(("anger", "neutral")),
            options=EvaluationOptions(by=("sex",), **FAST),
        )
        for name in ("eop", "sp", "uar_gap", "local_f1"):
            score = found.by("sex")[name]
            assert isinstance(score, Undefined), name
            assert "only 'f'" in score.reason

    def test_no_known_group_at_all(self) -> None:
        options = EvaluationOptions(by=("sex",), **FAST)
        found = evaluate(labelled(("anger",), sex=(None,)), predicted(("anger",)), options=options)
        assert isinstance(found.by("sex")["sp"], Undefined)
        assert len(found.groups("sex")) == 0

    def test_crossed_groups_have_a_minimum_support(self) -> None:
        n = 40
        sex = ["f", "m"] * (n // 2)
        age = ["young"] * 36 + ["old"] * 4
        truth = ["anger", "neutral"] * (n // 2)
        options = EvaluationOptions(
            by=("sex", "sex*age"), minimum_support=10, metrics=("accuracy", "accuracy_gap"), **FAST
        )
        found = evaluate(labelled(truth, sex=sex, age=age), predicted(truth), options=options)
        crossed = found.groups("sex*age")["accuracy"]
        assert set(crossed) == {"f*old", "f*young", "m*old", "m*young"}
        assert isinstance(crossed["f*young"], Score)
        small = crossed["m*old"]
        assert isinstance(small, Undefined)
        assert small.support == 2
        assert "fewer than the minimum support of 10" in small.reason
        gap = found.by("sex*age")["accuracy_gap"]
        assert gap.support == 36
        assert gap.signature.excluded == "missing=0,f*old=2,m*old=2"
        assert found.counts["small"] == {"sex*age": {"f*old": 2, "m*old": 2}}

    def test_small_crossed_groups_have_no_difference_either(self) -> None:
        options = EvaluationOptions(by=("sex*age",), metrics=("accuracy",), **FAST)
        truth = labelled(["anger"] * 30, sex=["f"] * 28 + ["m"] * 2, age=["old"] * 30)
        found = evaluate(truth, predicted(["anger"] * 30), options=options)
        score = found.by("sex*age")["accuracy_difference"]
        assert isinstance(score, Undefined)
        assert "'m*old' has 2 items" in score.reason

    def test_crossing_with_itself_is_refused(self) -> None:
        with pytest.raises(InputError, match="crosses a column with itself"):
            evaluate(
                labelled(("anger",), sex=("f",)), predicted(("anger",)), options=EvaluationOptions(by=("sex*sex",))
            )

    def test_an_undefined_difference_says_which_group(self) -> None:
        truth = labelled(("anger", "anger", "neutral"), sex=("f", "m", "m"))
        found = evaluate(
            truth, predicted(("anger", "anger", "neutral")), options=EvaluationOptions(by=("sex",), **FAST)
        )
        score = found.parts("recall_difference", attribute="sex", group="f-m")["neutral"]
        assert isinstance(score, Undefined)
        assert score.reason.startswith("f: ")

    def test_both_conventions_of_a_disparity_are_given(self) -> None:
        truth = labelled(("anger", "neutral", "anger", "neutral"), sex=("f", "f", "m", "m"))
        found = evaluate(
            truth, predicted(("anger", "neutral", "anger", "anger")), options=EvaluationOptions(by=("sex",), **FAST)
        )
        values = {s.signature.convention: s.value for s in found if s.metric == "sp"}
        assert values["tables"] == pytest.approx(values["paper"] * len(LABELS) / 2)
        assert found.by("sex")["sp"].signature.convention == "paper"
        assert sum(s.metric == "uar_gap" for s in found) == 1


class TestSignatures:
    def test_every_score_has_one_that_parses_and_names_its_making(self) -> None:
        truth = labelled(("anger", "neutral") * 4, sex=("f", "m") * 4, subject=tuple("aabbccdd"))
        options = EvaluationOptions(by=("sex",), part="test", seed=7, **FAST)
        found = evaluate(truth, predicted(("anger", "anger") * 4), options=options)
        for score in found:
            signature = score.signature
            assert type(signature).parse(str(signature)) == signature
            assert signature.data.startswith("made@")
            assert signature.target == "expression"
            assert signature.part == "test"
            assert signature.model == "made"
            assert signature.clusters == "subject 4"
            assert signature.resamples == "50"
            assert signature.seed == "7"
            assert signature.version
            assert signature.labels == "anger,neutral,sadness"
            assert signature.missing == "error"
        assert found["uar"].signature.undefined == "zero"
        assert found["uar"].signature.convention == "paper"

    def test_models_compare_and_other_data_do_not(self) -> None:
        truth = labelled(("anger", "neutral", "sadness"))
        first = evaluate(truth, predicted(("anger", "neutral", "anger")))["uar"].signature
        second = evaluate(truth, predicted(("anger", "neutral", "sadness"), name="other"))["uar"].signature
        first.require_comparable(second)
        elsewhere = evaluate(labelled(("anger", "anger", "sadness")), predicted(("anger", "neutral", "anger")))["uar"]
        with pytest.raises(SignatureMismatchError, match="data"):
            first.require_comparable(elsewhere.signature)

    def test_long_label_sets_are_told_by_digest(self) -> None:
        labels = tuple(f"a very long label number {n}" for n in range(20))
        found = evaluate(
            labelled(labels[:2], scheme=CategoryScheme("long", labels)), predicted(labels[:2], labels=labels)
        )
        assert found["accuracy"].signature.labels.startswith("20@")

    def test_no_resampling_is_signed_by_silence(self) -> None:
        found = evaluate(
            labelled(("anger", "anger"), sex=("f", "m")),
            predicted(("anger", "anger")),
            options=EvaluationOptions(by=("sex",), resamples=0),
        )
        for score in found:
            assert score.signature.resamples == ""
            assert not isinstance(score, Score) or (score.interval is None and score.floor is None)


class TestTallies:
    def test_what_cannot_be_counted_is_refused(self) -> None:
        from affectcheck.evaluation.alignment import align
        from affectcheck.evaluation.counting import count
        from affectcheck.tallies import Histogram, Spread, TrueRanks

        aligned = align(labelled(("anger",)), predicted(("anger",)), EvaluationOptions())
        for kind, words in ((Spread, "cannot be counted here"), (Histogram, "no range"), (TrueRanks, "no scores")):
            with pytest.raises(InputError, match=words):
                count(kind, aligned, slice(None), {})

    def test_many_values_that_cross_are_grouped_without_a_table(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from affectcheck.evaluation import grouping

        sex, age = ["f", "m", "f", None] * 6, ["20", "30", "30", "20"] * 6
        table = labelled(("anger",) * 24, sex=sex, age=age)
        one = grouping.attribute(table, table.frame, "sex*age", 0)
        monkeypatch.setattr(grouping, "LARGEST_TABLE", 1)
        other = grouping.attribute(table, table.frame, "sex*age", 0)
        assert one.groups == other.groups == ("f*20", "f*30", "m*30")
        assert one.codes.tolist() == other.codes.tolist()
        assert one.excluded == other.excluded == {"missing": 0, "missing*20": 6}
