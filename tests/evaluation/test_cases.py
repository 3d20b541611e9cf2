"""Faults that people met elsewhere, and the predictions of a real classifier; both lie outside this repository."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING

import polars as pl
import pytest

from affectcheck.annotations.affwild2 import read_frames
from affectcheck.errors import InputError
from affectcheck.evaluation import EvaluationOptions, ScoredColumns, evaluate, evaluate_frames, score_file
from affectcheck.predictions import PredictionColumns, read_predictions
from affectcheck.records import Undefined
from affectcheck.schemes import DimensionScheme, StatedMapping, Target, UnitScheme, scheme

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.shared
VA = scheme("valence-arousal")


class TestRealClassifier:
    """UAR .551 and .564, and the recalls of women and men, as published with the predictions."""

    @pytest.mark.parametrize(
        ("name", "published"),
        [("ravdess-speech", (0.551, 0.590, 0.680, 0.422)), ("emodb", (0.564, 0.631, 0.579, 0.548))],
    )
    def test_one_file_two_files_and_another_library(
        self, name: str, published: tuple[float, ...], shared_data: Path, tmp_path: Path
    ) -> None:
        from sklearn.metrics import balanced_accuracy_score, f1_score

        path = shared_data / "data" / "baseline-predictions" / f"{name}.csv"
        options = EvaluationOptions(by=("sex",), resamples=100)
        one = score_file(path, columns=ScoredColumns(subject="speaker"), options=options)
        by_sex = one.groups("sex")["uar"]
        scores = (one["uar"], one["uap"], by_sex["female"], by_sex["male"])
        assert tuple(round(score.value, 3) for score in scores) == published
        assert one["uar"].interval is None  # four speakers
        assert one.by("sex")["eop"].floor is not None

        frame = pl.read_csv(path, infer_schema=False)
        frame.select("file", "speaker", "sex", "truth").write_csv(tmp_path / "truth.csv")
        frame.drop("speaker", "sex", "truth").sample(fraction=1.0, shuffle=True, seed=3).write_csv(tmp_path / "p.csv")
        two = score_file(
            tmp_path / "truth.csv", tmp_path / "p.csv", columns=ScoredColumns(subject="speaker"), options=options
        )
        assert [score.value for score in two if score.defined] == [score.value for score in one if score.defined]

        truth, made = frame["truth"].to_list(), frame["prediction"].to_list()
        assert one["uar"].value == pytest.approx(balanced_accuracy_score(truth, made), abs=1e-12)
        assert one["f1_macro"].value == pytest.approx(f1_score(truth, made, average="macro"), abs=1e-12)
        for sex, score in by_sex.items():
            part = frame.filter(pl.col("sex") == sex)
            assert score.value == pytest.approx(balanced_accuracy_score(part["truth"], part["prediction"]), abs=1e-12)


def expected(cases: Path, name: str) -> dict[str, dict[str, str]]:
    return json.loads((cases / f"{name}.json").read_text())["expected"]


def test_a02_ccc_is_pooled(cases: Path) -> None:
    columns = ScoredColumns(
        {"valence": "valence_true"},
        {"valence": "valence_pred"},
        labels=DimensionScheme("v", ("valence",)),
        subject="video",
    )
    found = score_file(cases / "A02_va_three_videos.csv", columns=columns)
    exact = Fraction(expected(cases, "A02")["pooled"]["exact"])
    assert found["ccc"].value == pytest.approx(float(exact), abs=1e-12)


def test_a04_macro_f1_divides_by_the_declared_classes(cases: Path) -> None:
    columns = ScoredColumns("truth", "pred", item="frame", labels=scheme("expressions-8-other"))
    found = score_file(cases / "A04_expr_no_fear.csv", columns=columns)
    assert found["f1_macro"].value == pytest.approx(59 / 120, abs=1e-12)
    assert found["f1_macro"].undefined_parts == 1
    assert "fear" in found["f1_macro"].notes[0]
    assert isinstance(found.parts("f1")["fear"], Undefined)


def test_a06_the_kind_of_score_is_declared(cases: Path) -> None:
    path = cases / "A06_au_scores.csv"
    units = PredictionColumns(item="id", scheme=UnitScheme("au", ("score",)))
    with pytest.raises(InputError, match="not 0 and 1 only") as caught:
        read_predictions(path, columns=units)
    assert "rows 1, 2, 3, 4" in str(caught.value)


def test_a07_codes_need_a_table_for_each_file(cases: Path) -> None:
    official = "0=neutral,1=happiness,2=sadness,3=surprise,4=fear,5=disgust,6=anger,7=contempt"
    alphabetical = "0=anger,1=contempt,2=disgust,3=fear,4=happiness,5=neutral,6=sadness,7=surprise"
    files = cases / "A07_truth_official_codes.csv", cases / "A07_pred_alphabetical_codes.csv"
    columns = ScoredColumns(
        "expression",
        "expression",
        item="image",
        labels=scheme("expressions-8-contempt"),
        truth_labels=official,
        prediction_labels=StatedMapping.parse(alphabetical),
    )
    found = score_file(*files, columns=columns)
    assert (found["f1_macro"].value, found["accuracy"].value) == (1.0, 1.0)
    with pytest.raises(InputError, match="code table"):
        score_file(*files, columns=ScoredColumns("expression", "expression", item="image"))


def test_a12_every_fault_of_the_keys_at_once(cases: Path) -> None:
    columns = ScoredColumns("emotion", "emotion", item="id")
    with pytest.raises(InputError) as caught:
        score_file(cases / "A12_truth.csv", cases / "A12_pred.csv", columns=columns)
    for kind in ("conflicting_duplicates", "identical_duplicates", "missing", "extra", "whitespace"):
        for key in expected(cases, "A12")[kind]:
            assert repr(key) in str(caught.value)


def test_a13_invalid_frames_are_masked_and_counted(cases: Path) -> None:
    table = read_frames(cases / "A13_clip07.txt", Target("affect", VA))
    made = pl.read_csv(cases / "A13_pred_clip07.csv", infer_schema=False)
    keys = dict(zip(made["image_location"].to_list(), table.items.to_list(), strict=True))
    frame = made.with_columns(item=pl.col("image_location").replace_strict(keys))
    predictions = pl.DataFrame([frame["item"], frame["valence"], frame["arousal"]])
    from affectcheck.predictions import predictions_from_frame

    found = evaluate(table, predictions_from_frame(predictions, columns=PredictionColumns(scheme=VA)))
    assert found["ccc"].value == pytest.approx(1.0, abs=1e-12)
    assert found["ccc"].support == 6
    assert found.counts["left_out"] == 2


def test_a17_missing_groups_are_counted(cases: Path) -> None:
    columns = ScoredColumns("truth", "pred", item="id", labels=("0", "1"))
    options = EvaluationOptions(by=("gender",), metrics=("accuracy", "accuracy_gap", "sp"), resamples=50)
    found = score_file(cases / "A17_missing_gender.csv", columns=columns, options=options)
    groups = found.groups("gender")["accuracy"]
    assert found["accuracy"].value == 0.6
    assert (groups["F"].value, groups["M"].value) == (0.5, 1.0)
    assert found.by("gender")["accuracy_gap"].value == 0.5
    assert found.by("gender")["sp"].value == 0.0
    assert found.counts["excluded"]["gender"] == {"missing": 2}
    assert groups["F"].support + groups["M"].support + 2 == found["accuracy"].support


def test_a18_a_class_that_a_group_lacks(cases: Path) -> None:
    columns = ScoredColumns("truth", "pred", item="id")
    options = EvaluationOptions(by=("age_group",), metrics=("eop",), resamples=50)
    score = score_file(cases / "A18_expr_two_groups.csv", columns=columns, options=options).by("age_group")["eop"]
    assert score.value == pytest.approx(7 / 60, abs=1e-12)
    assert "Fear" in score.notes[0]
    assert "g2" in score.notes[0]


def test_a19_parity_and_a_single_group(cases: Path) -> None:
    frame = pl.read_csv(cases / "A19_predictions.csv", infer_schema=False).with_columns(truth=pl.lit("Neutral"))
    columns = ScoredColumns("truth", "pred", item="id", labels=scheme("expressions-7"))
    options = EvaluationOptions(by=("age",), metrics=("sp",), resamples=50)
    score = evaluate_frames(frame, columns=columns, options=options).by("age")["sp"]
    assert score.value == pytest.approx(3 / 35, abs=1e-12)
    young = evaluate_frames(frame.filter(pl.col("age") == "young"), columns=columns, options=options)
    assert isinstance(young.by("age")["sp"], Undefined)


def test_a29_segments_match_in_microseconds(cases: Path) -> None:
    columns = ScoredColumns("label", "label", item="file", start="start", end="end")
    found = score_file(cases / "A29_table.csv", cases / "A29_pred.csv", columns=columns)
    assert found["accuracy"].support == 4
    assert found["accuracy"].value == 1.0
