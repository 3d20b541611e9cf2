"""Predictions scored after declared steps: values, signatures, what was left out, and the scores before."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from affect_tables import AFFECT, LABELS, keys, labelled, predicted, predicted_affect

from affectcheck.annotations.validation import make_table
from affectcheck.errors import InputError, SignatureMismatchError, UnknownNameError
from affectcheck.evaluation import (
    CompareOptions,
    EvaluationOptions,
    ScoredColumns,
    choose_steps,
    compare,
    evaluate,
    evaluate_frames,
)
from affectcheck.models.card import ModelCard
from affectcheck.predictions import make_predictions
from affectcheck.predictions.steps import Lag, Smooth
from affectcheck.records import Place, Signature
from affectcheck.schemes import Target, UnitScheme, scheme


def video(truth, *, media=None, sex=None):
    """Frames 1 … n of one recording, or of several."""
    n = len(truth)
    media = media or ["v"] * n
    frames = [media[: k + 1].count(name) for k, name in enumerate(media)]
    columns = {"item": keys(n), "media": media, "frame": frames, **({"sex": sex} if sex else {})}
    for d, name in enumerate(AFFECT.dimensions):
        columns[name] = [None if np.isnan(value) else float(value) for value in np.asarray(truth)[:, d]]
    return make_table(columns, targets=[Target("affect", AFFECT)], groups=("sex",) if sex else (), name="made")


def pairs(column):
    return np.stack([np.asarray(column, float), np.asarray(column, float)], axis=1)


class TestValues:
    def test_a_delay_is_compensated_and_the_score_before_is_kept(self):
        signal = np.clip(0.5 + 0.4 * np.sin(np.arange(60) / 4), 0, 1)
        late = np.concatenate([np.full(5, signal[0]), signal[:-5]])
        options = EvaluationOptions(steps="lag:5", metrics=("ccc", "mae"), resamples=0)
        found = evaluate(video(pairs(late)), predicted_affect(pairs(signal)), options=options)
        assert found["ccc"].value == pytest.approx(1.0)
        before = {(score.metric, score.place): score for score in found.before}
        raw = evaluate(video(pairs(late)), predicted_affect(pairs(signal)), options=EvaluationOptions(resamples=0))
        assert before[("ccc", Place())].value == raw["ccc"].value < 0.6
        assert before[("mae", Place(part="arousal"))].value == raw.parts("mae")["arousal"].value
        assert found["ccc"].signature.steps == "lag:5"
        assert before[("ccc", Place())].signature.steps == ""
        assert Signature.parse(str(found["ccc"].signature)) == found["ccc"].signature
        with pytest.raises(SignatureMismatchError, match="steps"):
            found["ccc"].signature.require_comparable(raw["ccc"].signature)

    def test_without_steps_there_is_no_before(self):
        assert evaluate(labelled(("anger",)), predicted(("anger",))).before == ()

    def test_frames_without_a_label_take_part_in_the_smoothing(self):
        truth = pairs([0.0, np.nan, 0.0])
        options = EvaluationOptions(steps=(Smooth("mean", 3),), metrics=("mae",), resamples=0)
        found = evaluate(video(truth), predicted_affect(pairs([0.0, 0.9, 0.3])), options=options)
        assert found["mae"].value == pytest.approx((0.45 + 0.6) / 2)
        assert found["mae"].support == 2

    def test_dropped_frames_are_counted_and_the_data_keep_their_digest(self):
        table, made = video(pairs([0.0, 0.1, 0.2, 0.3])), predicted_affect(pairs([0.1, 0.2, 0.3, 0.4]))
        options = EvaluationOptions(steps=(Lag(1, "drop"),), metrics=("mae",), resamples=0)
        found = evaluate(table, made, options=options)
        assert found["mae"].value == pytest.approx(0.0)
        assert found["mae"].support == 3
        assert found.counts["left_out"] == 1
        assert "the step lag:1,drop: 1 frame whose source has no prediction: left out" in found.notes
        whole = evaluate(table, made, options=EvaluationOptions(metrics=("mae",), resamples=0))
        assert found["mae"].signature.data == whole["mae"].signature.data

    def test_offsets_move_decisions_and_their_scores(self):
        table = labelled(("anger", "anger", "neutral"))
        card = ModelCard("m", "categories", LABELS, "probability")
        made = make_predictions(keys(3), np.array([[0.4, 0.6, 0], [0.7, 0.3, 0], [0.1, 0.9, 0]]), card)
        options = EvaluationOptions(steps="offset:neutral=-0.3", metrics=("accuracy",))
        found = evaluate(table, made, options=options)
        assert found["accuracy"].value == 1.0
        assert found.before[0].value == pytest.approx(2 / 3)
        with pytest.raises(InputError, match="labels alone"):
            evaluate(table, predicted(("anger", "anger", "neutral")), options=options)
        with pytest.raises(UnknownNameError, match="'joy'"):
            evaluate(table, made, options=EvaluationOptions(steps="offset:joy=-0.3"))

    def test_groups_are_scored_after_the_steps_only(self):
        sex = ["f"] * 20 + ["m"] * 20
        table = video(pairs(np.linspace(0, 1, 40)), media=["a"] * 20 + ["b"] * 20, sex=sex)
        options = EvaluationOptions(steps="smooth:median,3", by=("sex",), metrics=("mae", "mae_gap"), resamples=0)
        found = evaluate(table, predicted_affect(pairs(np.linspace(0, 0.9, 40))), options=options)
        assert found.groups("sex")["mae"]["f"].signature.steps == "smooth:median,3"
        assert {score.place.attribute for score in found.before} == {""}

    def test_units_are_decided_after_the_steps(self):
        units = UnitScheme("u", ("AU1", "AU2"))
        columns = {"item": keys(3), "media": ["v"] * 3, "frame": [1, 2, 3], "AU1": [1, 1, 1], "AU2": [0, 0, 0]}
        table = make_table(columns, targets=[Target("au", units)])
        card = ModelCard("m", "units", units.units, "logit")
        made = make_predictions(keys(3), np.array([[2.0, -1], [-1, -1], [2, 0.5]]), card)
        options = EvaluationOptions(steps="smooth:mean,3|sigmoid", thresholds=0.5, metrics=("unit_accuracy",))
        found = evaluate(table, made, options=options)
        assert found["unit_accuracy"].value == 1.0
        assert found["unit_accuracy"].signature.thresholds == "natural gives 0.5"
        # Before the sigmoid the numbers are logits, for which a threshold of probabilities says nothing.
        assert found.before[0].value == pytest.approx(4 / 6)
        assert found.before[0].signature.thresholds.endswith("0")


class TestFrames:
    def frame(self, **more):
        truth = np.clip(0.5 + 0.4 * np.sin(np.arange(40) / 3), 0, 1)
        noisy = truth + np.tile([0.2, -0.2], 20)
        columns = {"clip": ["a"] * 20 + ["b"] * 20, "number": [*range(1, 21)] * 2}
        return {**columns, "v": truth, "a": truth, "pv": noisy, "pa": noisy, **more}

    columns = ScoredColumns(
        truth={"valence": "v", "arousal": "a"},
        prediction={"valence": "pv", "arousal": "pa"},
        labels=scheme("valence-arousal"),
        media="clip",
        frame="number",
    )

    def test_columns_of_recording_and_frame_are_named(self):
        options = EvaluationOptions(steps="smooth:mean,3", metrics=("mae",), resamples=0)
        found = evaluate_frames(self.frame(), columns=self.columns, options=options)
        assert found["mae"].value < 0.1 < found.before[0].value == pytest.approx(0.2)

    def test_columns_of_their_own_names_are_found_where_steps_ask(self):
        named = {**self.frame(), "media": ["a"] * 20 + ["b"] * 20, "frame": [*range(1, 21)] * 2}
        named["start_us"] = [k * 40_000 for k in range(20)] * 2
        columns = ScoredColumns(self.columns.truth, self.columns.prediction, labels=self.columns.labels)
        for steps in ("smooth:mean,3", "smooth:mean,0.08s", "smooth:mean,0.08s,rate=25"):
            options = EvaluationOptions(steps=steps, metrics=("mae",), resamples=0)
            assert evaluate_frames(named, columns=columns, options=options)["mae"].value < 0.1
        odd = {**named, "frame": ["one"] * 40}
        found = evaluate_frames(odd, columns=columns, options=EvaluationOptions(metrics=("mae",), resamples=0))
        assert found["mae"].value == pytest.approx(0.2)

    def test_a_table_without_an_order_is_refused(self):
        plain = pl.DataFrame(self.frame()).drop("clip", "number")
        columns = ScoredColumns(self.columns.truth, self.columns.prediction, labels=self.columns.labels)
        with pytest.raises(InputError, match="'media' is not known of 40 items"):
            evaluate_frames(plain, columns=columns, options=EvaluationOptions(steps="smooth:mean,3"))


def test_steps_are_read_when_the_options_are_made():
    assert EvaluationOptions(steps="smooth:mean,3|lag:2").steps == (Smooth("mean", 3), Lag(2))
    assert EvaluationOptions(steps=[Lag(2)]).parsed_steps == (Lag(2),)
    with pytest.raises(InputError, match="window of 4 frames"):
        EvaluationOptions(steps="smooth:mean,4")


class TestChoosing:
    def test_the_delay_of_an_annotation_is_found_and_signed_with_its_data(self):
        signal = np.clip(0.5 + 0.4 * np.sin(np.arange(80) / 4), 0, 1)
        late = np.concatenate([np.full(6, signal[0]), signal[:-6]])
        table, made = video(pairs(late)), predicted_affect(pairs(signal))
        chosen = choose_steps(table, made, ["", *(f"lag:{k}" for k in range(1, 10))])
        assert chosen.steps[0].frames == 6
        assert chosen.metric == "ccc"
        assert [text for text, _ in chosen.values][:2] == ["", "lag:1"]
        assert max(chosen.values, key=lambda pair: pair[1])[0] == "lag:6"
        fitted = chosen.steps[0].fitted
        assert str(chosen) == f"lag:6,fitted={fitted}"
        found = evaluate(table, made, options=EvaluationOptions(steps=chosen.steps, metrics=("ccc",), resamples=0))
        assert found["ccc"].signature.steps == str(chosen)
        other = choose_steps(table, predicted_affect(pairs(signal * 0.9)), [chosen.steps, (Lag(1),)])
        assert other.steps[0].fitted == fitted  # what was chosen before says on what
        assert fitted == table.digest[:12]
        assert (
            choose_steps(video(pairs(late[:70])), predicted_affect(pairs(signal[:70])), ["lag:6"]).steps[0].fitted
            != fitted
        )

    def test_models_whose_steps_one_rule_chose_may_be_compared_and_others_may_not(self):
        signal = np.clip(0.5 + 0.4 * np.sin(np.arange(80) / 4), 0, 1)
        table = video(pairs(np.roll(signal, 4)))
        lines = ["lag:2", "lag:4"]
        found = []
        for name, delay in (("quick", 0), ("slow", 2)):
            made = predicted_affect(pairs(np.roll(signal, delay)))
            made = replace(made, card=replace(made.card, name=name))
            steps = choose_steps(table, made, lines).steps
            options = EvaluationOptions(steps=steps, metrics=("ccc",), resamples=0, clusters="item")
            found.append(evaluate(table, made, options=options))
        assert [score["ccc"].signature.steps.partition(",")[0] for score in found] == ["lag:4", "lag:2"]
        assert compare(found, CompareOptions(resamples=0)).comparisons
        stated = replace(options, steps="lag:2")
        other = evaluate(table, made, options=stated)
        with pytest.raises(SignatureMismatchError, match="steps"):
            compare([found[0], other], CompareOptions(resamples=0))

    def test_by_errors_and_signed_errors(self):
        table, made = video(pairs([0.1, 0.5, 0.9, 0.5])), predicted_affect(pairs([0.2, 0.6, 1.0, 0.6]))
        lines = ["", "scale:arousal=1x-0.1,valence=1x-0.1", "scale:arousal=1x-0.5,valence=1x-0.5"]
        for metric in ("mae", "mde"):
            chosen = choose_steps(table, made, lines, metric=metric)
            assert str(chosen).startswith("scale:arousal=1x-0.1")

    def test_the_first_of_equal_ones_and_none_at_all(self):
        table, made = video(pairs([0.1, 0.5])), predicted_affect(pairs([0.1, 0.5]))
        assert choose_steps(table, made, ["", "clip:-5,5"]).steps == ()
        with pytest.raises(InputError, match="there are no candidates"):
            choose_steps(table, made, [])
        with pytest.raises(InputError, match="no steps can be chosen by ccc"):
            choose_steps(video(pairs([0.1])), predicted_affect(pairs([0.1])), [""])
