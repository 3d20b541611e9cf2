"""Scores straight from frames and files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl
import pytest

from affectcheck.errors import InputError, MissingPathError, UnknownNameError
from affectcheck.evaluation import EvaluationOptions, ScoredColumns, evaluate_frames, score_file
from affectcheck.records import Undefined
from affectcheck.schemes import DimensionScheme, StatedMapping, UnitScheme, scheme

if TYPE_CHECKING:
    from pathlib import Path

FAST = {"resamples": 20}
FRAME = {
    "truth": ["sad", "happy", "sad", "angry"],
    "prediction": ["sad", "happy", "happy", "angry"],
    "sex": ["f", "m", "f", "m"],
    "subject": ["a", "b", "c", "d"],
}


class TestOneFrame:
    def test_rows_need_no_keys(self) -> None:
        found = evaluate_frames(FRAME)
        assert found["accuracy"].value == 0.75
        assert found.labels == ("angry", "happy", "sad")
        assert found.notes == ("the label set is what occurs in the data, since none was declared",)
        assert found["accuracy"].signature.clusters == "subject 4"

    def test_every_kind_of_frame(self) -> None:
        import pandas as pd

        values = {
            evaluate_frames(frame, options=EvaluationOptions(metrics=("uar",), **FAST))["uar"].value
            for frame in (
                FRAME,
                pl.DataFrame(FRAME),
                pl.DataFrame(FRAME).lazy(),
                pd.DataFrame(FRAME),
                pl.DataFrame(FRAME).to_arrow(),
            )
        }
        assert len(values) == 1

    def test_groups_and_other_names(self) -> None:
        frame = {"t": FRAME["truth"], "p": FRAME["prediction"], "sex": FRAME["sex"], "who": FRAME["subject"]}
        columns = ScoredColumns("t", "p", subject="who", name="corpus", model="m")
        found = evaluate_frames(frame, columns=columns, options=EvaluationOptions(by=("sex",), **FAST))
        assert found.groups("sex")["accuracy"]["f"].value == 0.5
        assert found["accuracy"].signature.data.startswith("corpus@")
        assert found["accuracy"].signature.model == "m"
        assert found["accuracy"].signature.target == "t"

    def test_declared_labels_decide_the_mean(self) -> None:
        declared = evaluate_frames(FRAME, columns=ScoredColumns(labels=("angry", "happy", "sad", "calm")))
        seen = evaluate_frames(FRAME)
        assert declared["f1_macro"].value == pytest.approx(seen["f1_macro"].value * 3 / 4)
        assert "calm" in declared["f1_macro"].notes[0]

    def test_a_scheme_by_name_takes_aliases(self) -> None:
        found = evaluate_frames(FRAME, columns=ScoredColumns(labels=scheme("expressions-4")))
        assert found.labels == ("anger", "happiness", "neutral", "sadness")
        assert found["accuracy"].value == 0.75

    def test_codes_on_both_sides(self) -> None:
        frame = {"truth": [0, 1, 2], "prediction": ["1", "0", "9"]}
        columns = ScoredColumns(
            labels=("sad", "happy"),
            truth_labels="0=sad,1=happy,2=",
            prediction_labels=StatedMapping({"1": "sad", "0": "happy", "9": "sad"}),
        )
        found = evaluate_frames(frame, columns=columns)
        assert found["accuracy"].value == 1.0
        assert found["accuracy"].support == 2
        without = ScoredColumns(truth_labels="0=sad,1=happy,2=sad", prediction_labels="1=sad,0=happy,9=sad")
        assert evaluate_frames(frame, columns=without).labels == ("happy", "sad")
        with pytest.raises(InputError, match="numeric class codes"):
            evaluate_frames(frame)

    def test_scores_decide_where_there_is_no_decision(self) -> None:
        frame = {"truth": ["a", "b"], "p_a": [0.9, 0.6], "p_b": [0.1, 0.4]}
        assert evaluate_frames(frame)["accuracy"].value == 0.5
        with pytest.raises(InputError, match="sum to"):
            evaluate_frames({**frame, "p_b": [0.5, 0.5]})

    def test_dimensions(self) -> None:
        affect = DimensionScheme("va", ("valence", "arousal"))
        frame = {"v": [0.1, 0.2, 0.4], "a": [0.0, 0.5, 1.0], "vp": [0.1, 0.2, 0.4], "arousal": [0.0, 0.5, 0.5]}
        columns = ScoredColumns({"valence": "v", "arousal": "a"}, {"valence": "vp"}, labels=affect)
        found = evaluate_frames(frame, columns=columns)
        assert found.parts("ccc")["valence"].value == pytest.approx(1.0)
        assert found.parts("mae")["arousal"].value == pytest.approx(0.5 / 3)
        with pytest.raises(InputError, match="declared scheme"):
            evaluate_frames(frame, columns=ScoredColumns({"valence": "v"}, {"valence": "vp"}))

    def test_dimensions_without_a_column_are_left_out_and_told(self) -> None:
        affect = DimensionScheme("va", ("valence", "arousal"))
        frame = {"v": [0.1, 0.2, 0.4], "vp": [0.1, 0.2, 0.4], "arousal": [0.0, 0.5, 1.0]}
        found = evaluate_frames(frame, columns=ScoredColumns({"valence": "v"}, {"valence": "vp"}, labels=affect))
        assert tuple(found.parts("ccc")) == ("valence",)
        assert "no column is named for 'arousal' of the scheme 'va': not scored" in found.notes
        with pytest.raises(UnknownNameError, match="did you mean 'valence'"):
            evaluate_frames(frame, columns=ScoredColumns({"valenc": "v"}, {"valence": "vp"}, labels=affect))

    def test_no_column_is_truth_and_prediction_at_once(self) -> None:
        affect = DimensionScheme("va", ("valence", "arousal"))
        frame = {"valence": [0.1, 0.2], "arousal": [0.0, 0.5], "vp": [0.0, 0.1], "truth": ["a", "b"]}
        for columns, named in (
            (ScoredColumns(labels=affect), "'valence', 'arousal'"),
            (
                ScoredColumns({"valence": "valence", "arousal": "arousal"}, {"valence": "vp"}, labels=affect),
                "'arousal'",
            ),
            (ScoredColumns(prediction="truth"), "'truth'"),
        ):
            with pytest.raises(InputError, match=f"^{named} would be truth and prediction at once"):
                evaluate_frames(frame, columns=columns)

    def test_columns_named_like_the_dimensions_need_no_naming(self) -> None:
        truth = {"item": ["a", "b"], "valence": [0.0, 1.0], "arousal": [0.0, 1.0]}
        affect = DimensionScheme("va", ("valence", "arousal"))
        assert evaluate_frames(truth, truth, columns=ScoredColumns(labels=affect))["ccc"].value == 1.0

    def test_units_by_column(self) -> None:
        truth = {"item": ["a", "b"], "AU1": [1, 0]}
        found = evaluate_frames(truth, truth, columns=ScoredColumns({}, {}, labels=UnitScheme("u", ("AU1",))))
        assert found["unit_f1"].value == 1.0

    def test_unknown_columns_are_named(self) -> None:
        for columns, by in (
            (ScoredColumns(truth="label"), ()),
            (ScoredColumns(subject="who"), ()),
            (ScoredColumns(), ("age",)),
        ):
            with pytest.raises(UnknownNameError):
                evaluate_frames(FRAME, columns=columns, options=EvaluationOptions(by=by))

    def test_a_truth_column_named_like_a_column_of_the_schema(self) -> None:
        frame = {"partition": ["x", "y"], "prediction": ["x", "y"]}
        found = evaluate_frames(frame, columns=ScoredColumns(truth="partition"))
        assert found["accuracy"].signature.target == "truth"


TRUTH = {"item": ["a", "b", "c"], "truth": ["sad", "happy", "sad"]}


class TestTwoFrames:
    def test_matched_by_key(self) -> None:
        predictions = {"item": ["c", "a", "b"], "prediction": ["sad", "sad", "sad"]}
        assert evaluate_frames(TRUTH, predictions)["accuracy"].value == pytest.approx(2 / 3)

    def test_all_faults_of_keys_in_one_message(self) -> None:
        predictions = {
            "item": ["a", "a", "b", "b", " c", "x"],
            "prediction": ["sad", "happy", "sad", "sad", "sad", "sad"],
        }
        with pytest.raises(InputError) as caught:
            evaluate_frames({**TRUTH, "item": ["a", "b", "d"]}, predictions)
        for expected in ("different predictions: 'a'", "same prediction: 'b'", "'d'", "'c', 'x'", "' c'"):
            assert expected in str(caught.value)

    def test_leniencies_are_named(self) -> None:
        predictions = {"item": ["a", "a", " b"], "prediction": ["sad", "sad", "sad"]}
        columns = ScoredColumns(forgive=("identical duplicates", "surrounding blanks"))
        options = EvaluationOptions(missing="wrong", metrics=("accuracy",))
        found = evaluate_frames(TRUTH, predictions, columns=columns, options=options)
        assert found["accuracy"].value == pytest.approx(1 / 3)
        assert found["accuracy"].support == 3

    def test_strangers_pass_under_no_rule(self) -> None:
        predictions = {"item": ["a", "b", "c", "x"], "prediction": ["sad"] * 4}
        with pytest.raises(InputError, match="belongs to no item: 'x'"):
            evaluate_frames(TRUTH, predictions, options=EvaluationOptions(missing="wrong"))

    def test_keys_are_needed(self) -> None:
        with pytest.raises(UnknownNameError, match="item keys"):
            evaluate_frames({"truth": ["sad"]}, {"prediction": ["sad"]})


class TestFiles:
    def test_one_and_two(self, tmp_path: Path) -> None:
        frame = pl.DataFrame({"item": ["a", "b", "c", "d"], **FRAME})
        frame.write_csv(tmp_path / "all.csv")
        frame.select("item", "truth", "sex").write_csv(tmp_path / "truth.csv")
        frame.select("item", "prediction").reverse().write_parquet(tmp_path / "guess.parquet")
        one = score_file(tmp_path / "all.csv")
        two = score_file(
            tmp_path / "truth.csv", tmp_path / "guess.parquet", options=EvaluationOptions(by=("sex",), **FAST)
        )
        assert one["uar"].value == two["uar"].value
        assert one["uar"].signature.model == "all"
        assert two["uar"].signature.model == "guess"
        assert two["uar"].signature.data.startswith("truth@")

    def test_messages_name_the_file(self, tmp_path: Path) -> None:
        pl.DataFrame({"item": ["a"], "truth": ["sad"]}).write_csv(tmp_path / "truth.csv")
        pl.DataFrame({"item": ["b"], "prediction": ["sad"]}).write_csv(tmp_path / "guess.csv")
        with pytest.raises(InputError, match=r"guess\.csv"):
            score_file(tmp_path / "truth.csv", tmp_path / "guess.csv")
        with pytest.raises(MissingPathError):
            score_file(tmp_path / "none.csv")


def test_an_undefined_score_prints_as_null_with_its_reason() -> None:
    found = evaluate_frames(
        {"truth": ["a", "a"], "prediction": ["a", "a"], "sex": ["f", "f"]},
        options=EvaluationOptions(by=("sex",), **FAST),
    )
    frame = found.to_frame()
    row = frame.filter((pl.col("metric") == "sp") & pl.col("signature").str.contains("convention:paper")).row(
        0, named=True
    )
    assert row["value"] is None
    assert "only 'f'" in row["reason"]
    assert isinstance(found.by("sex")["sp"], Undefined)
    assert frame.height == len(found.scores)
    assert frame.schema["value"] == pl.Float64
