"""Scores across databases: what truth and model have in common, and what becomes of the rest, counted by class."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np
import polars as pl
import pytest
from affect_tables import AFFECT, affect, keys, labelled, predicted

from affectcheck.annotations.validation import make_table
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.evaluation import (
    CompareOptions,
    EvaluationOptions,
    ScoredColumns,
    compare,
    evaluate,
    evaluate_frames,
    score_file,
)
from affectcheck.evaluation.common_labels import renormalised
from affectcheck.models.card import ModelCard
from affectcheck.predictions import make_predictions
from affectcheck.schemes import CategoryScheme, DimensionScheme, Target, UnitScheme, scheme

ALIASES = {"angry": "anger", "sad": "sadness", "fearful": "fear"}
EMODB = CategoryScheme("emodb", ("anger", "boredom", "fear", "neutral", "sadness"), aliases=ALIASES)
RAVDESS = ("angry", "calm", "fearful", "neutral", "sad", "surprised")


def scored(values, *, output="probability", labels=RAVDESS):
    return make_predictions(keys(len(values)), np.array(values, float), ModelCard("m", "categories", labels, output))


def common(**more):
    return EvaluationOptions(labels_rule="intersection", resamples=0, **more)


class TestClasses:
    truth = ("anger", "boredom", "fear", "neutral", "sadness", "boredom")
    #        angry calm fearful neutral sad surprised
    scores = (
        (0.6, 0.1, 0.1, 0.1, 0.1, 0.0),
        (0.1, 0.6, 0.1, 0.1, 0.1, 0.0),
        (0.1, 0.4, 0.3, 0.1, 0.1, 0.0),  # calm; among the common ones fear, which is right
        (0.1, 0.1, 0.1, 0.1, 0.1, 0.5),  # surprised; among the common ones a tie, which goes to anger
        (0.1, 0.1, 0.1, 0.1, 0.6, 0.0),
        (0.1, 0.1, 0.1, 0.1, 0.6, 0.0),
    )

    def test_by_default_the_two_do_not_belong_together(self):
        with pytest.raises(InputError, match="labels that the truth's scheme 'emodb' does not have") as caught:
            evaluate(labelled(self.truth, scheme=EMODB), scored(self.scores))
        assert "the rule 'intersection'" in caught.value.expected

    def test_common_classes_are_scored_and_the_rest_is_counted_by_class(self):
        found = evaluate(
            labelled(self.truth, scheme=EMODB), scored(self.scores), options=common(metrics=("uar", "recall"))
        )
        assert found.labels == ("anger", "fear", "neutral", "sadness")
        assert found["uar"].value == pytest.approx(3 / 4)  # over 4 classes, not over 5
        assert found["uar"].support == 4
        assert found.parts("recall")["fear"].value == 1.0
        assert found.counts["outside"] == {"truth": {"boredom": 2}, "prediction": {"calm": 1, "surprised": 1}}
        assert found.notes == (
            "scored are the 4 classes that truth and model have in common; the truth also has boredom; "
            "the model also has calm, surprised",
            "2 items of classes that the model does not have (boredom 2): left out",
            "2 decisions for classes that the truth does not have (calm 1, surprised 1): "
            "taken again among the common classes, by the largest score",
            "the table names no subject, so items are resampled",
        )
        signature = found["uar"].signature
        assert signature.labels == "anger,fear,neutral,sadness"
        assert signature.mapping == "intersection,truth only:boredom,model only:calm/surprised"

    def test_without_scores_a_decision_outside_is_wrong(self):
        made = predicted(("angry", "calm", "calm", "surprised", "sad", "sad"), labels=RAVDESS)
        found = evaluate(labelled(self.truth, scheme=EMODB), made, options=common(metrics=("uar", "accuracy")))
        assert found["accuracy"].value == pytest.approx(2 / 4)
        assert found["accuracy"].support == 4
        assert "calm 1, surprised 1): counted as wrong, since the model gives labels only, no scores" in found.notes[2]

    def test_a_stated_mapping_holds_on_both_sides_before_the_rule(self):
        options = common(mapping="calm=boredom", metrics=("uar",))
        found = evaluate(labelled(self.truth, scheme=EMODB), scored(self.scores), options=options)
        assert found.labels == EMODB.labels
        assert found["uar"].signature.mapping == "calm>boredom,intersection,model only:surprised"
        assert found.counts["outside"] == {"truth": {}, "prediction": {"surprised": 1}}
        left = common(mapping="calm=", metrics=("accuracy",))
        without = evaluate(labelled(self.truth, scheme=EMODB), scored(self.scores), options=left)
        assert "1 item predicted as a class that the mapping leaves out" in without.notes
        assert "calm" not in str(without.counts["outside"])

    def test_scores_that_a_mapping_gives_no_meaning_decide_nothing(self):
        options = common(mapping="calm=neutral", metrics=("accuracy",))
        logits = scored(np.log(np.array(self.scores) + 0.01), output="logit")
        found = evaluate(labelled(self.truth, scheme=EMODB), logits, options=options)
        assert "counted as wrong, since the label mapping merges classes" in found.notes[2]
        assert found["accuracy"].value == pytest.approx(2 / 4)

    def test_probabilities_are_renormalised_over_the_common_classes(self):
        made = scored(self.scores)
        found = evaluate(labelled(self.truth, scheme=EMODB), made, options=common(metrics=("calibration",)))
        # Confidences .6/.9, .3/.6, 1/4 and .6/.9, of which the third is wrong.
        expected = (2 * abs(1 - 2 / 3) + abs(1 - 0.5) + abs(0 - 0.25)) / 4
        assert found["calibration"].value == pytest.approx(expected)
        assert renormalised(np.array([[0.0, 0.0]])).tolist() == [[0.5, 0.5]]

    def test_a_rule_that_leaves_nothing_out_changes_nothing_and_says_nothing(self):
        table, made = labelled(("anger", "sadness")), predicted(("anger", "anger"))
        by_rule, plain = (
            evaluate(table, made, options=common()),
            evaluate(table, made, options=EvaluationOptions(resamples=0)),
        )
        assert by_rule.scores == plain.scores
        assert by_rule.notes == plain.notes

    def test_a_class_that_both_declare_and_nobody_shows_counts(self):
        made = scored([(0.7, 0, 0, 0.3, 0, 0)])
        found = evaluate(labelled(("anger",), scheme=EMODB), made, options=common(metrics=("uar",)))
        assert found["uar"].value == 0.25
        assert found["uar"].undefined_parts == 3

    def test_other_spellings_are_hinted_at_and_never_joined(self):
        plain = CategoryScheme("plain", ("anger", "boredom", "fear", "neutral", "sadness"))
        table = labelled(("neutral", "anger"), scheme=plain)
        made = predicted(("neutral", "sadness"), labels=("angry", "neutral", "sadness"))
        found = evaluate(table, made, options=common(metrics=("accuracy",)))
        assert found.labels == ("neutral", "sadness")
        assert found.notes[1] == (
            "perhaps the same in another spelling, which a stated mapping would join: angry=anger"
        )

    def test_nothing_in_common(self):
        made = predicted(("calm",), labels=("calm", "bored", "neutral"))
        with pytest.raises(InputError, match="truth and model have neutral in common") as caught:
            evaluate(labelled(("neutral",), scheme=EMODB), made, options=common())
        assert "at least 2; the truth has anger" in caught.value.expected
        with pytest.raises(InputError, match="have nothing in common"):
            evaluate(labelled(("neutral",), scheme=EMODB), predicted(("x",), labels=("x", "y")), options=common())
        with pytest.raises(UnknownNameError, match="label in the mapping 'joy'"):
            evaluate(labelled(("anger",), scheme=EMODB), scored(self.scores[:1]), options=common(mapping="joy=anger"))
        with pytest.raises(UnknownNameError, match="rule for labels"):
            EvaluationOptions(labels_rule="union")


def test_models_of_other_labels_are_compared_on_the_labels_that_are_scored():
    truth = labelled(("anger", "boredom", "fear", "neutral") * 5, scheme=EMODB, subject=[f"s{k}" for k in range(20)])
    made = {
        "six": predicted(("angry", "calm", "neutral", "neutral") * 5, labels=("angry", "fearful", "neutral", "calm")),
        "three": predicted(("angry", "angry", "fearful", "neutral") * 5, labels=("angry", "fearful", "neutral")),
    }
    runs = [
        evaluate(truth, replace(one, card=replace(one.card, name=name)), options=common(metrics=("uar",)))
        for name, one in made.items()
    ]
    found = compare(runs, CompareOptions(resamples=0, metrics=("uar",)))
    assert found.comparisons[0].difference == pytest.approx(2 / 3 - 1)


class TestUnitsAndDimensions:
    def test_common_units_are_scored_and_the_others_listed(self):
        units = UnitScheme("t", ("AU1", "AU2", "AU4"))
        table = make_table(
            {"item": keys(2), "AU1": [1, 0], "AU2": [1, 1], "AU4": [0, 0]}, targets=[Target("au", units)]
        )
        card = ModelCard("m", "units", ("AU9", "AU4", "AU1"), "label")
        made = make_predictions(keys(2), np.array([[0, 0, 1], [1, 1, 0.0]]), card)
        with pytest.raises(InputError, match="the model does not predict 'AU2'") as caught:
            evaluate(table, made)
        assert "intersection" in caught.value.expected
        found = evaluate(table, made, options=common(metrics=("unit_f1", "unit_accuracy")))
        assert found.labels == ("AU1", "AU4")
        assert found["unit_f1"].value == pytest.approx(0.5)  # over 2 units, not 3
        assert found["unit_f1"].signature.mapping == "intersection,truth only:AU2,model only:AU9"
        assert found.notes[0] == (
            "scored are the 2 units that truth and model have in common; the truth also has AU2; the model also has AU9"
        )

    def test_common_dimensions(self):
        card = ModelCard("m", "dimensions", ("valence", "dominance"), "value")
        made = make_predictions(keys(2), np.array([[0.1, 0.5], [0.3, 0.5]]), card)
        found = evaluate(affect(np.array([[0.9, 0.1], [0.9, 0.3]])), made, options=common(metrics=("mae",)))
        assert found.labels == ("valence",)
        assert found["mae"].value == 0.0
        with pytest.raises(InputError, match="a label mapping for dimensions"):
            evaluate(affect(np.array([[0.9, 0.1], [0.9, 0.1]])), made, options=common(mapping="a=b"))
        other = make_predictions(keys(1), np.array([[0.1]]), ModelCard("m", "dimensions", ("dominance",), "value"))
        with pytest.raises(InputError, match="have nothing in common"):
            evaluate(affect(np.array([[0.9, 0.1]])), other, options=common())


class TestFrames:
    truth: ClassVar = {"file": ["a", "b", "c"], "truth": ["anger", "boredom", "sadness"]}
    labels = ("anger", "boredom", "sadness")

    def test_the_columns_of_scores_say_what_the_model_has(self):
        made = {
            "file": ["a", "b", "c"],
            "p_anger": [0.5, 0.2, 0.1],
            "p_calm": [0.4, 0.8, 0.6],
            "p_sadness": [0.1, 0, 0.3],
        }
        columns = ScoredColumns(labels=self.labels)
        found = evaluate_frames(self.truth, made, columns=columns, options=common(metrics=("accuracy",)))
        assert found["accuracy"].value == 1.0
        assert found.labels == ("anger", "sadness")
        observed = evaluate_frames(self.truth, made, options=common(metrics=("accuracy",)))
        assert observed.labels == ("anger", "sadness")
        with pytest.raises(UnknownNameError, match="score columns for labels") as caught:
            evaluate_frames(self.truth, made, columns=columns)
        assert "in common" in caught.value.cause

    def test_decisions_alone_do_not_say_what_the_model_could_have_said(self):
        made = {"file": ["a", "b", "c"], "prediction": ["anger", "calm", "calm"]}
        with pytest.raises(InputError, match="the labels of the model are not declared"):
            evaluate_frames(self.truth, made, columns=ScoredColumns(labels=self.labels), options=common())
        columns = ScoredColumns(labels=self.labels, model_labels=("anger", "calm", "sadness"))
        found = evaluate_frames(self.truth, made, columns=columns, options=common(metrics=("accuracy",)))
        assert found["accuracy"].value == 0.5
        with pytest.raises(InputError, match="labels of the model are declared, but"):
            evaluate_frames(self.truth, made, columns=columns)

    def test_units_and_dimensions_are_those_that_have_a_column(self):
        truth = {"item": ["a", "b"], "AU1": [1, 0], "AU2": [1, 1], "AU4": [0, 1]}
        made = {"item": ["a", "b"], "AU1": [1, 0], "AU4": [0, 0], "AU9": [0, 0]}
        columns = ScoredColumns(labels=UnitScheme("t", ("AU1", "AU2", "AU4")))
        found = evaluate_frames(truth, made, columns=columns, options=common(metrics=("unit_f1",)))
        assert found.labels == ("AU1", "AU4")
        told = ScoredColumns(labels=columns.labels, model_labels=("AU1", "AU9"))
        assert evaluate_frames(truth, made, columns=told, options=common(metrics=("unit_f1",))).labels == ("AU1",)
        with pytest.raises(InputError, match="no column for any of AU1, AU2, AU4"):
            evaluate_frames(truth, {"item": ["a", "b"], "x": [1, 2]}, columns=columns, options=common())
        values = {"item": ["a", "b"], "valence": [0.1, 0.2], "arousal": [0.5, 0.6]}
        only = {"item": ["a", "b"], "valence": [0.1, 0.2]}
        columns = ScoredColumns(labels=AFFECT)
        assert evaluate_frames(values, only, columns=columns, options=common(metrics=("mae",))).labels == ("valence",)
        told = ScoredColumns(labels=AFFECT, model_labels=("valence",))
        assert evaluate_frames(values, only, columns=told, options=common(metrics=("mae",))).labels == ("valence",)
        own = ScoredColumns(labels=AFFECT, model_labels=DimensionScheme("own", ("valence",), 0.0, 1.0))
        assert evaluate_frames(values, only, columns=own, options=common(metrics=("mae",))).labels == ("valence",)


@pytest.mark.shared
def test_real_predictions_of_one_database_against_the_labels_of_another(shared_data, tmp_path):
    """Predictions by RAVDESS's classes, truth by EmoDB's: six are common, and scikit-learn agrees on them."""
    from sklearn.metrics import accuracy_score, recall_score

    rows = pl.read_csv(shared_data / "data" / "baseline-predictions" / "ravdess-speech.csv")
    meant = {"angry": "anger", "fearful": "fear", "happy": "happiness", "sad": "sadness"}
    emodb = ("anger", "boredom", "disgust", "fear", "happiness", "neutral", "sadness")
    truth = rows.filter(~pl.col("truth").is_in(["surprised"])).with_columns(
        pl.col("truth").replace({**meant, "calm": "boredom"})
    )
    truth.select("file", "speaker", "sex", "truth").write_csv(tmp_path / "truth.csv")
    made = rows.filter(pl.col("file").is_in(truth["file"].implode())).drop("truth", "speaker", "sex")
    made.write_csv(tmp_path / "made.csv")
    stated = ",".join(f"{old}={new}" for old, new in meant.items())
    options = common(mapping=stated, metrics=("uar", "accuracy"), by=("sex",))
    found = score_file(
        tmp_path / "truth.csv",
        tmp_path / "made.csv",
        columns=ScoredColumns(labels=emodb, subject="speaker"),
        options=options,
    )
    assert found.labels == tuple(label for label in emodb if label != "boredom")
    assert found.counts["outside"]["truth"] == {"boredom": 32}
    both = truth.select("file", "sex", "truth").join(made, on="file").filter(pl.col("truth") != "boredom")
    names = sorted({name for name in both.columns if name.startswith("p_")} - {"p_calm", "p_surprised"})
    largest = both.select(names).to_numpy().argmax(axis=1)
    decided = both["prediction"].to_list()
    again = [names[k][2:] if one in ("calm", "surprised") else one for one, k in zip(decided, largest, strict=True)]
    again = [meant.get(one, one) for one in again]
    assert (
        sum(one in ("calm", "surprised") for one in decided) == sum(found.counts["outside"]["prediction"].values()) == 7
    )
    assert found["uar"].value == pytest.approx(recall_score(both["truth"], again, average="macro"), abs=1e-12)
    assert found["accuracy"].value == pytest.approx(accuracy_score(both["truth"], again), abs=1e-12)
    women = (both["sex"] == "female").to_numpy()
    expected = recall_score(
        both["truth"].filter(women), np.array(again)[women], average="macro", labels=list(found.labels)
    )
    assert found.groups("sex")["uar"]["female"].value == pytest.approx(expected, abs=1e-12)


@pytest.mark.shared
def test_a_data_sets_own_scheme_reads_the_spellings_of_another(shared_data):
    """EmoDB's predictions scored as if the truth followed the four speech categories of paper 2."""
    four = scheme("expressions-4")
    rows = pl.read_csv(shared_data / "data" / "baseline-predictions" / "emodb.csv")
    kept = rows.filter(pl.col("truth").is_in(four.labels))
    columns = ScoredColumns(labels=four, subject="speaker")
    found = evaluate_frames(
        kept.select("file", "speaker", "truth"), kept.drop("truth"), columns=columns, options=common(metrics=("uar",))
    )
    assert found.labels == four.labels
    assert found["uar"].signature.mapping == "intersection,model only:boredom/disgust/fear"
