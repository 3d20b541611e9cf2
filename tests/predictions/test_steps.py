"""Post-processing steps: by hand, against plain loops, read and written, and every input that does not fit."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from affectcheck.annotations.validation import make_table
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.models.card import ModelCard
from affectcheck.predictions import make_predictions
from affectcheck.predictions.steps import (
    STEPS,
    Clip,
    Lag,
    Line,
    Offset,
    Scale,
    Sigmoid,
    Smooth,
    Softmax,
    apply_steps,
    fit_scale,
    parse_steps,
    steps_text,
)
from affectcheck.schemes import CategoryScheme, DimensionScheme, Target

AFFECT = DimensionScheme("va", ("valence", "arousal"), -1.0, 1.0)
LABELS = ("anger", "fear", "neutral")


def keys(n):
    return [f"i{k:04d}" for k in range(n)]


def video(frames, *, media=None, subject=None, start_us=None, truth=None):
    """A table of frames with the dimensions valence and arousal."""
    n = len(frames)
    columns = {"item": keys(n), "media": media or ["v"] * n, "frame": list(frames)}
    columns |= {"subject": subject} if subject else {}
    columns |= {"start_us": start_us} if start_us else {}
    columns |= {"valence": truth if truth is not None else [0.0] * n, "arousal": [0.0] * n}
    return make_table(columns, targets=[Target("affect", AFFECT)], name="made")


def values_of(values):
    """Predictions of valence and arousal from one column, the second being its negative."""
    column = np.asarray(values, np.float64)
    card = ModelCard("m", "dimensions", AFFECT.dimensions, "value", low=-1.0, high=1.0)
    return make_predictions(keys(column.size), np.stack([column, -column], axis=1), card)


def classes_of(values, *, output="score", labels=LABELS):
    return make_predictions(
        keys(len(values)), np.asarray(values, np.float64), ModelCard("m", "categories", labels, output)
    )


def valence(table, annotations, text):
    return apply_steps(table, annotations, parse_steps(text)).table.frame["valence"].to_list()


class TestSmooth:
    def test_means_by_hand_with_shrinking_edges(self):
        found = valence(values_of([0, 3, 6, 0, 0]), video([1, 2, 3, 4, 5]), "smooth:mean,3")
        assert found == pytest.approx([1.5, 3, 3, 2, 0])

    def test_medians_by_hand(self):
        found = valence(values_of([0, 3, 6, 0, 0]), video([1, 2, 3, 4, 5]), "smooth:median,3")
        assert found == [1.5, 3, 3, 0, 0]

    def test_gaussian_by_hand(self):
        weight = np.exp(-0.5)
        found = valence(values_of([0, 1, 0]), video([1, 2, 3]), "smooth:gaussian,3,sigma=1")
        assert found == pytest.approx([weight / (1 + weight), 1 / (1 + 2 * weight), weight / (1 + weight)])

    def test_a_gap_is_not_closed(self):
        found = valence(values_of([0, 3, 6]), video([1, 2, 9]), "smooth:mean,3")
        assert found == [1.5, 1.5, 6]
        # Within a wide window the missing frames are not there, and the others are.
        assert valence(values_of([0, 3, 6]), video([1, 2, 9]), "smooth:mean,15") == pytest.approx([1.5, 3, 4.5])

    def test_never_over_the_border_of_a_recording_or_a_person(self):
        frames, media = [1, 2, 1, 2], ["a", "a", "b", "b"]
        assert valence(values_of([0, 2, 10, 20]), video(frames, media=media), "smooth:mean,99") == [1, 1, 15, 15]
        table = video([1, 1, 2, 2], media=["a"] * 4, subject=["p", "q", "p", "q"])
        assert valence(values_of([0, 10, 2, 20]), table, "smooth:mean,3") == [1, 15, 1, 15]
        unknown = video([1, 2, 1, 2], media=["a"] * 4, subject=[None, None, "q", "q"])
        assert valence(values_of([0, 2, 10, 20]), unknown, "smooth:mean,3") == [1, 1, 15, 15]

    def test_the_order_of_rows_means_nothing(self):
        order = np.random.default_rng(0).permutation(30)
        frames, values = np.arange(1, 31), np.sin(np.arange(30.0))
        straight = valence(values_of(values), video(frames.tolist()), "smooth:mean,7")
        mixed = valence(values_of(values[order]), video(frames[order].tolist()), "smooth:mean,7")
        assert mixed == pytest.approx(np.array(straight)[order].tolist(), abs=0)

    @pytest.mark.parametrize("kind", ["mean", "median", "gaussian"])
    def test_what_is_constant_stays_exactly_constant(self, kind):
        found = valence(values_of([0.1] * 40), video(list(range(1, 41))), f"smooth:{kind},11")
        assert set(found) == {0.1}

    @given(
        st.lists(
            st.tuples(st.integers(1, 60), st.floats(-1, 1, allow_subnormal=False)),
            min_size=1,
            max_size=40,
            unique_by=lambda pair: pair[0],
        ),
        st.sampled_from([1, 3, 7, 25, 201]),
        st.sampled_from(["mean", "median", "gaussian"]),
    )
    def test_as_a_plain_loop(self, pairs, window, kind):
        frames, values = [f for f, _ in pairs], np.array([v for _, v in pairs])
        found = valence(values_of(values), video(frames), f"smooth:{kind},{window}")
        for f, got in zip(frames, found, strict=True):
            inside = [k for k, other in enumerate(frames) if abs(other - f) <= window // 2]
            weights = np.exp(-0.5 * ((np.array(frames)[inside] - f) / (window / 6)) ** 2)
            expected = {
                "mean": values[inside].mean(),
                "median": np.median(values[inside]),
                "gaussian": np.average(values[inside], weights=weights),
            }[kind]
            assert got == pytest.approx(expected, abs=1e-12)

    def test_seconds_by_a_rate_and_by_time(self):
        values, frames = [0, 3, 6, 0, 0, 9, 9], [1, 2, 3, 4, 5, 6, 7]
        by_frames = valence(values_of(values), video(frames), "smooth:mean,3")
        assert valence(values_of(values), video(frames), "smooth:mean,0.1s,rate=20") == by_frames
        times = [round(k * 1e6 / 30) for k in range(7)]
        table = video(frames, start_us=times)
        # 0.2 s at 30 frames a second are 3 frames to either side, whatever the rounding of the times.
        expected = valence(values_of(values), table, "smooth:mean,7")
        assert valence(values_of(values), table, "smooth:mean,0.2s") == expected
        assert valence(values_of(values), table, "smooth:mean,0.2s,rate=30") == expected
        close = valence(values_of(values), table, "smooth:gaussian,0.2s,sigma=0.05")
        assert close == pytest.approx(valence(values_of(values), table, "smooth:gaussian,7,sigma=1.5"), abs=1e-4)

    def test_a_gaussian_without_a_sigma_is_signed_with_the_one_it_takes(self):
        done = apply_steps(values_of([0, 1, 0]), video([1, 2, 3]), parse_steps("smooth:gaussian,3"))
        assert done.text == "smooth:gaussian,3,sigma=0.5"
        timed = parse_steps("smooth:gaussian,0.6s")[0].bound(values_of([0]).card)
        assert str(timed) == "smooth:gaussian,0.6s,sigma=0.09999999999999999"
        assert str(parse_steps("smooth:gaussian,0.2s,rate=30")[0].bound(values_of([0]).card)).endswith(
            "rate=30,sigma=1.1666666666666667"
        )

    def test_scores_of_classes_decide_anew(self):
        scores = [[0.6, 0.4, 0], [0.1, 0.9, 0], [0.6, 0.4, 0]]
        done = apply_steps(classes_of(scores), video([1, 2, 3]), parse_steps("smooth:mean,3"))
        assert done.table.frame["prediction"].to_list() == ["fear", "fear", "fear"]
        assert done.table.frame["score_fear"].to_list() == pytest.approx([0.65, 1.7 / 3, 0.65])

    def test_majority_of_labels_and_its_ties(self):
        codes = [0, 2, 0, 1, 1, 2]
        done = apply_steps(
            classes_of(np.eye(3)[codes], output="label"), video([1, 2, 3, 4, 5, 6]), parse_steps("smooth:majority,3")
        )
        # Frame 1 of {0, 2} and frame 6 of {1, 2} keep their own; frame 2 sees 0 twice.
        assert done.table.frame["prediction"].to_list() == ["anger", "anger", "anger", "fear", "fear", "neutral"]
        assert not done.table.has_scores
        tie = apply_steps(classes_of(np.eye(3)[[2, 1, 0]]), video([1, 2, 3]), parse_steps("smooth:majority,5"))
        assert tie.table.frame["prediction"].to_list() == ["neutral", "fear", "anger"]
        assert tie.table.card.output == "label"

    def test_majority_of_units(self):
        card = ModelCard("m", "units", ("AU1", "AU2"), "label")
        table = make_predictions(keys(4), np.array([[1, 0], [0, 0], [1, 1], [1, 0.0]]), card)
        done = apply_steps(table, video([1, 2, 3, 4]), parse_steps("smooth:majority,3"))
        assert done.table.frame["AU1"].to_list() == [1, 1, 1, 1]
        assert done.table.frame["AU2"].to_list() == [0, 0, 0, 0]

    def test_smoothing_that_finds_no_neighbours_says_so(self):
        done = apply_steps(values_of([1, 2]), video([1, 1], media=["a", "b"]), parse_steps("smooth:mean,5"))
        assert done.notes == ("the step smooth:mean,5 changed nothing: no item has another within its window",)
        assert not apply_steps(values_of([1, 2]), video([1, 2]), parse_steps("smooth:mean,5")).notes

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("smooth:mean,10", "window of 10 frames"),
            ("smooth:mean,0", "window of 0 frames"),
            ("smooth:mean,-3", "window of -3 frames"),
            ("smooth:mean,2.5", "a whole number"),
            ("smooth:mean,wide", "the window 'wide'"),
            ("smooth:mean", "is no step"),
            ("smooth:mean,3,5", "is no step"),
            ("smooth:average,3", "unknown kind of smoothing"),
            ("smooth:mean,0s", "window of 0s"),
            ("smooth:mean,3,rate=30", "a rate for a window in frames"),
            ("smooth:mean,0.01s,rate=30", "0.01 s at 30 frames"),
            ("smooth:mean,3,sigma=2", "a sigma for smoothing by mean"),
            ("smooth:gaussian,3,sigma=-2", "not positive"),
            ("smooth:mean,3,colour=2", "no parameter 'colour'"),
        ],
    )
    def test_bad_windows(self, text, message):
        with pytest.raises(InputError, match=message) as caught:
            parse_steps(text)
        assert message in str(caught.value)

    def test_two_widths_at_once(self):
        with pytest.raises(InputError, match="3 frames and of"):
            Smooth("mean", 3, 0.5)
        with pytest.raises(InputError, match="not positive"):
            Smooth("mean", seconds=float("inf"))


class TestOrder:
    def test_a_table_without_frames_or_media_is_refused_with_what_it_needs(self):
        table = make_table(
            {"item": keys(2), "media": ["a.wav", "b.wav"], "valence": [0.0] * 2, "arousal": [0.0] * 2},
            targets=[Target("affect", AFFECT)],
        )
        with pytest.raises(InputError, match="'frame' is not known of 2 items") as caught:
            apply_steps(values_of([0, 1]), table, parse_steps("smooth:mean,3"))
        assert "'media' and 'frame'" in caught.value.expected
        with pytest.raises(InputError, match="'start_us' is not known") as caught:
            apply_steps(values_of([0, 1]), table, parse_steps("smooth:mean,0.5s"))
        assert "rate=30" in caught.value.cause
        partly = video([1, None, 3])
        with pytest.raises(InputError, match="not known of 1 item: 'i0001'"):
            apply_steps(values_of([0, 1, 2]), partly, parse_steps("lag:1"))

    def test_two_items_at_one_frame_are_refused(self):
        with pytest.raises(InputError, match="'i0001', 'i0002' are both at frame 2 of 'v'") as caught:
            apply_steps(values_of([0, 1, 2]), video([1, 2, 2]), parse_steps("smooth:mean,3"))
        assert "subject" in caught.value.cause

    def test_strangers_are_named(self):
        with pytest.raises(InputError, match="1 prediction belong to no item: 'i0002'"):
            apply_steps(values_of([0, 1, 2]), video([1, 2]), parse_steps("smooth:mean,3"))

    def test_items_without_a_prediction_are_gaps(self):
        table = values_of([0, 1, 2, 3])
        some = table.select(["i0000", "i0001", "i0003"])
        done = apply_steps(some, video([1, 2, 3, 4]), parse_steps("smooth:mean,3"))
        assert done.table.frame["valence"].to_list() == [0.5, 0.5, 3]


class TestLag:
    def test_the_prediction_of_a_frame_is_scored_some_frames_later(self):
        found = valence(values_of([1, 2, 3, 4, 5]), video([1, 2, 3, 4, 5]), "lag:2")
        assert found == [1, 1, 1, 2, 3]  # frame 3 now holds what was predicted at frame 1
        assert valence(values_of([1, 2, 3, 4, 5]), video([1, 2, 3, 4, 5]), "lag:-2") == [3, 4, 5, 5, 5]

    def test_a_delayed_annotation_is_recovered(self):
        signal = np.sin(np.arange(50) / 3)
        late = np.concatenate([np.zeros(4), signal[:-4]])
        found = np.array(valence(values_of(signal), video(list(range(1, 51))), "lag:4"))
        np.testing.assert_array_equal(found[4:], late[4:])

    def test_dropped_edges_are_counted_and_named(self):
        done = apply_steps(values_of([1, 2, 3]), video([1, 2, 3]), parse_steps("lag:1,drop"))
        assert done.table.frame["valence"].to_list() == [1, 2]
        assert done.left_out.to_list() == ["i0000"]
        assert done.notes == ("the step lag:1,drop: 1 frame whose source has no prediction: left out",)

    def test_a_gap_holds_the_nearest_from_before_or_drops(self):
        table, told = values_of([1, 2, 3, 4]), video([1, 2, 5, 6])
        assert valence(table, told, "lag:1") == [1, 1, 2, 3]
        assert valence(table, told, "lag:-1") == [2, 3, 4, 4]
        dropped = apply_steps(table, told, parse_steps("lag:1,drop"))
        assert dropped.left_out.to_list() == ["i0000", "i0002"]
        held = apply_steps(table, told, parse_steps("lag:1"))
        assert held.notes == (
            "the step lag:1: 2 frames whose source has no prediction: the nearest prediction is held",
        )

    def test_what_one_step_dropped_is_gone_for_the_next(self):
        done = apply_steps(values_of([1, 2, 3, 4]), video([1, 2, 3, 4]), parse_steps("lag:1,drop|lag:1,drop"))
        assert done.left_out.to_list() == ["i0000", "i0001"]
        assert done.table.frame["valence"].to_list() == [1, 2]

    def test_never_over_the_border_of_a_recording(self):
        told = video([1, 2, 1, 2], media=["a", "a", "b", "b"])
        assert valence(values_of([1, 2, 3, 4]), told, "lag:1") == [1, 1, 3, 3]
        assert valence(values_of([1, 2, 3, 4]), told, "lag:500") == [1, 1, 3, 3]
        assert valence(values_of([1, 2, 3, 4]), told, "lag:-500") == [2, 2, 4, 4]

    def test_classes_move_as_a_whole(self):
        done = apply_steps(classes_of(np.eye(3), output="label"), video([1, 2, 3]), parse_steps("lag:1"))
        assert done.table.frame["prediction"].to_list() == ["anger", "anger", "fear"]

    @pytest.mark.parametrize("text", ["lag", "lag:0", "lag:1.5", "lag:1,keep", "lag:1,drop,2", "lag:1,edge=2"])
    def test_bad_lags(self, text):
        with pytest.raises(InputError):
            parse_steps(text)


class TestOffsetAndScores:
    def test_an_offset_makes_a_class_rarer(self):
        scores = [[0.2, 0.3, 0.5], [0.1, 0.1, 0.8]]
        done = apply_steps(classes_of(scores, output="probability"), video([1, 2]), parse_steps("offset:Neutral=-0.25"))
        assert done.table.frame["prediction"].to_list() == ["fear", "neutral"]
        assert done.table.card.output == "score"
        logits = apply_steps(classes_of(scores, output="logit"), video([1, 2]), parse_steps("offset:neutral=-0.25"))
        assert logits.table.card.output == "logit"

    def test_who_has_no_scores_has_no_offset(self):
        with pytest.raises(InputError, match="returned labels alone") as caught:
            apply_steps(classes_of(np.eye(3), output="label"), video([1, 2, 3]), parse_steps("offset:neutral=-0.2"))
        assert "p_anger" in caught.value.expected
        with pytest.raises(InputError, match="returned labels alone"):
            apply_steps(classes_of(np.eye(3), output="label"), video([1, 2, 3]), parse_steps("smooth:mean,3"))

    def test_unknown_class_and_wrong_kind(self):
        with pytest.raises(UnknownNameError, match="class in the step 'offset' 'neutrall'") as caught:
            apply_steps(classes_of(np.eye(3)), video([1, 2, 3]), parse_steps("offset:neutrall=-0.2"))
        assert "neutral" in caught.value.cause
        with pytest.raises(InputError, match="offsets for the dimensions"):
            apply_steps(values_of([1]), video([1]), parse_steps("offset:valence=0.1"))
        units = make_predictions(keys(1), np.array([[0.5]]), ModelCard("m", "units", ("AU1",), "probability"))
        with pytest.raises(InputError, match="offsets for the units") as caught:
            apply_steps(units, video([1]), parse_steps("offset:AU1=0.1"))
        assert "threshold" in caught.value.cause

    def test_a_stated_decision_against_its_own_scores_is_told(self):
        table = classes_of([[0.2, 0.8, 0], [0.9, 0.1, 0]])
        frame = table.frame.with_columns(pl.Series("prediction", ["anger", "anger"], dtype=pl.Enum(LABELS)))
        odd = type(table)(frame, table.card)
        done = apply_steps(odd, video([1, 2]), parse_steps("offset:neutral=-1"))
        assert done.table.frame["prediction"].to_list() == ["fear", "anger"]
        assert done.notes == ("1 stated decision not of the largest score: decided anew from the scores by the steps",)

    def test_softmax_and_sigmoid_take_declared_logits_alone(self):
        logits = classes_of([[1000.0, 0.0, 0.0], [0.0, np.log(2.0), 0.0]], output="logit")
        done = apply_steps(logits, video([1, 2]), parse_steps("softmax"))
        assert done.table.card.output == "probability"
        assert done.table.frame["score_anger"].to_list() == [1.0, 0.25]
        with pytest.raises(InputError, match="declared as probability") as caught:
            apply_steps(done.table, video([1, 2]), parse_steps("softmax"))
        assert caught.value.cause == "probabilities already"
        with pytest.raises(InputError, match="declared as score"):
            apply_steps(classes_of(np.eye(3)), video([1, 2, 3]), parse_steps("softmax"))
        units = make_predictions(
            keys(3), np.array([[0.0], [-800.0], [800.0]]), ModelCard("m", "units", ("AU1",), "logit")
        )
        found = apply_steps(units, video([1, 2, 3]), parse_steps("sigmoid")).table
        assert found.frame["AU1"].to_list() == [0.5, 0.0, 1.0]
        with pytest.raises(InputError, match="takes logits of units"):
            apply_steps(logits, video([1, 2]), parse_steps("sigmoid"))

    def test_majority_of_numbers_is_refused(self):
        with pytest.raises(InputError, match="a majority of the dimensions"):
            apply_steps(values_of([1]), video([1]), parse_steps("smooth:majority,3"))
        units = make_predictions(keys(1), np.array([[0.5]]), ModelCard("m", "units", ("AU1",), "probability"))
        with pytest.raises(InputError, match="a majority of the units"):
            apply_steps(units, video([1]), parse_steps("smooth:majority,3"))


class TestScaleAndClip:
    def test_a_line_for_each_named_dimension(self):
        done = apply_steps(values_of([0.5, -1]), video([1, 2]), parse_steps("scale:valence=2x-0.5"))
        assert done.table.frame["valence"].to_list() == [0.5, -2.5]
        assert done.table.frame["arousal"].to_list() == [-0.5, 1]

    def test_a_fitted_scale_gives_mean_and_spread_of_the_truth_and_carries_its_data(self):
        random = np.random.default_rng(0)
        truth, made = random.uniform(-0.2, 0.6, 50), random.uniform(-1, 1, 50)
        told = make_table(
            {"item": keys(50), "valence": [None, *truth[1:]], "arousal": (-truth).tolist()},
            targets=[Target("affect", AFFECT)],
        )
        step = fit_scale(told, values_of(made))
        assert len(step.fitted) == 12
        assert str(step).endswith(f"fitted={step.fitted}")
        assert step.fitted == told.digest[:12] == fit_scale(told, values_of(made[::-1])).fitted
        done = apply_steps(values_of(made), told, [step])
        known = np.array(done.table.frame["valence"].to_list())[1:]
        assert known.mean() == pytest.approx(truth[1:].mean())
        assert known.std() == pytest.approx(truth[1:].std())
        assert parse_steps(str(step)) == (step,)

    def test_no_scale_without_spread_or_of_another_kind(self):
        told = video([1, 2], truth=[0.1, 0.2])
        with pytest.raises(InputError, match="no scale of 'valence'"):
            fit_scale(told, values_of([0.5, 0.5]))
        with pytest.raises(InputError, match="a scale of target"):
            fit_scale(told, classes_of(np.eye(3)))
        with pytest.raises(InputError, match="a scale for the categories"):
            apply_steps(classes_of(np.eye(3)), video([1, 2, 3]), parse_steps("scale:valence=2x"))
        with pytest.raises(UnknownNameError, match="dimension in the step 'scale'"):
            apply_steps(values_of([1]), video([1]), parse_steps("scale:valense=2x"))
        with pytest.raises(InputError, match="factor 0"):
            Scale({"valence": Line(0.0, 1.0)})

    @pytest.mark.parametrize("text", ["scale", "scale:valence=2", "scale:valence=x", "scale:2x", "scale:valence=2y+1"])
    def test_bad_lines(self, text):
        with pytest.raises(InputError, match="no step"):
            parse_steps(text)

    def test_clip_to_the_declared_or_a_stated_range_is_counted_and_signed(self):
        done = apply_steps(values_of([0.5, -2, 3]), video([1, 2, 3]), parse_steps("clip"))
        assert done.table.frame["valence"].to_list() == [0.5, -1, 1]
        assert done.text == "clip:-1,1"
        assert done.notes == ("the step clip:-1,1: 2 items with a value outside the range",)
        assert valence(values_of([0.5]), video([1]), "clip:0,0.25") == [0.25]
        inside = apply_steps(classes_of(np.eye(3), output="probability"), video([1, 2, 3]), parse_steps("clip"))
        assert (inside.text, inside.notes) == ("clip:0,1", ())
        with pytest.raises(InputError, match="have no declared range"):
            apply_steps(classes_of(np.eye(3)), video([1, 2, 3]), parse_steps("clip"))

    @pytest.mark.parametrize("text", ["clip:1", "clip:2,1", "clip:1,2,3", "clip:a,b", "clip:0,inf"])
    def test_bad_ranges(self, text):
        with pytest.raises(InputError):
            parse_steps(text)

    def test_half_a_range(self):
        with pytest.raises(InputError, match="both ends or none"):
            Clip(low=0.0)


class TestText:
    def test_every_step_is_read_and_written(self):
        steps = (
            Smooth("gaussian", 11, sigma=2.0),
            Smooth("median", seconds=0.5, rate_hz=25.0, fitted="ab12"),
            Lag(-5, "drop"),
            Offset({"neutral": -0.2, "anger": 1e-7}),
            Scale({"valence": Line(1.25, -0.5), "arousal": Line(0.5)}),
            Clip(-1.0, 1.0),
            Softmax(),
            Sigmoid(fitted="cd"),
        )
        text = steps_text(steps)
        assert text == (
            "smooth:gaussian,11,sigma=2|smooth:median,0.5s,rate=25,fitted=ab12|lag:-5,drop|"
            "offset:anger=1e-07,neutral=-0.2|scale:arousal=0.5x,valence=1.25x-0.5|clip:-1,1|softmax|sigmoid:fitted=cd"
        )
        assert parse_steps(text) == steps
        assert hash(parse_steps(text)) == hash(steps)
        assert {step.NAME for step in steps} == set(STEPS.names())

    def test_blanks_are_nothing(self):
        assert parse_steps(" smooth : mean , 3 | lag: 5 ") == (Smooth("mean", 3), Lag(5))
        assert parse_steps("  ") == ()

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("smoth:mean,3", "unknown step 'smoth'"),
            ("lag:5|", "an empty step"),
            ("offset:a=1,a=2", "gives 'a' twice"),
            ("offset:a=", "the word 'a='"),
            ("lag:5,,drop", "the word ''"),
            ("offset:a=one", "the offset of a 'one'"),
            ("offset", "is no step"),
            ("offset:neutral", "is no step"),
            ("softmax:1", "is no step"),
            ("sigmoid:a=1", "no parameter 'a'"),
        ],
    )
    def test_bad_text(self, text, message):
        with pytest.raises(InputError) as caught:
            parse_steps(text)
        assert message in str(caught.value)

    @pytest.mark.parametrize("values", [{}, [("a", 1.0), ("a", 2.0)], {"a": float("nan")}, {"a,b": 1.0}, {"": 1.0}])
    def test_bad_offsets(self, values):
        with pytest.raises(InputError):
            Offset(values)

    def test_no_steps_change_nothing(self):
        table = values_of([1, 2])
        done = apply_steps(table, video([1, 2]), ())
        assert done.table is table
        assert (done.text, len(done.left_out), done.notes) == ("", 0, ())

    def test_steps_stand_under_their_own_names_and_say_what_they_do(self):
        card = ModelCard("m", "categories", LABELS, "logit")
        for name, kind in STEPS.items():
            assert name == str(kind.NAME)
            assert kind.__doc__
        assert Softmax().bound(card) == Softmax()


def test_labels_of_a_table_do_not_matter_for_its_order():
    told = make_table(
        {"item": keys(3), "media": ["v"] * 3, "frame": [1, 2, 3], "expression": ["anger", None, "fear"]},
        targets=[Target("expression", CategoryScheme("three", LABELS))],
    )
    done = apply_steps(classes_of([[3, 0, 0], [0, 1, 0], [0, 1, 0]]), told, parse_steps("smooth:mean,3"))
    assert done.table.frame["prediction"].to_list() == ["anger", "anger", "fear"]
