"""Bad input is one clear error, or one undefined score with its reason; never a number that looks like any other."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pytest

from affectcheck.errors import AffectcheckError, InputError
from affectcheck.evaluation import EvaluationOptions, ScoredColumns, evaluate_frames, score_file
from affectcheck.records import Undefined
from affectcheck.schemes import DimensionScheme, UnitScheme

if TYPE_CHECKING:
    from pathlib import Path

LABELS = ("a", "b", "c")
CLASSES = ScoredColumns(labels=LABELS)
PROBABILITIES = ScoredColumns(labels=LABELS, scores="p_")
AFFECT = ScoredColumns({"valence": "v"}, {"valence": "pv"}, labels=DimensionScheme("v", ("valence",), -1.0, 1.0))
UNITS = ScoredColumns(labels=UnitScheme("one", ("AU1",)), scores="u_", output="probability")


def frame(**changes: Any) -> dict[str, list[Any]]:
    """Six items that can be scored as any kind, with some columns changed."""
    columns: dict[str, list[Any]] = {
        "item": list("uvwxyz"),
        "truth": list("abcabc"),
        "prediction": list("abcacb"),
        "p_a": [0.8, 0.1, 0.1, 0.8, 0.1, 0.1],
        "p_b": [0.1, 0.8, 0.1, 0.1, 0.1, 0.8],
        "p_c": [0.1, 0.1, 0.8, 0.1, 0.8, 0.1],
        "v": [0.1, 0.2, 0.3, -0.4, 0.5, 0.9],
        "pv": [0.1, 0.2, 0.2, -0.3, 0.4, 0.8],
        "AU1": [1, 0, 1, 0, 1, 0],
        "u_AU1": [0.9, 0.1, 0.8, 0.2, 0.4, 0.6],
        "sex": ["f", "m", "f", "m", "f", "m"],
    }
    return columns | changes


REFUSED = [
    ("a label outside the scheme", CLASSES, {"truth": list("abcabq")}, "no label of the scheme 'declared'"),
    ("a decision outside the scheme", CLASSES, {"prediction": list("abcacq")}, "'q'"),
    ("every label unknown", CLASSES, {"truth": [None] * 6}, "no item is left to score"),
    ("probabilities that do not sum to 1", PROBABILITIES, {"p_a": [0.9] * 6}, "the probabilities of an item sum to"),
    ("logits declared as probabilities", PROBABILITIES, {"p_a": [3.0] * 6}, "outside 0 to 1 are declared"),
    ("a NaN among the scores", PROBABILITIES, {"p_b": [math.nan] * 6}, "'p_b' holds what is no finite number"),
    ("an infinite score", PROBABILITIES, {"p_b": [math.inf] * 6}, "no finite number"),
    ("a NaN among the values", AFFECT, {"pv": [math.nan, *[0.1] * 5]}, "no finite number"),
    ("an infinite value", AFFECT, {"pv": [math.inf, *[0.1] * 5]}, "no finite number"),
    ("a truth out of range", AFFECT, {"v": [4.0, *[0.1] * 5]}, "1 cell of column 'valence' outside [-1, 1]"),
    ("every value unknown", AFFECT, {"v": [None] * 6}, "no item is left to score"),
    ("a unit with an intensity", UNITS, {"AU1": [3, 0, 1, 0, 1, 0]}, "neither 0 nor 1"),
    ("every unit unknown", UNITS, {"AU1": [-1] * 6}, "no item is left to score"),
    ("a NaN among the units", UNITS, {"u_AU1": [math.nan] * 6}, "no finite number"),
    ("an infinite unit", UNITS, {"u_AU1": [math.inf] * 6}, "no finite number"),
    ("one item twice", CLASSES, {"item": list("uuwxyz")}, "'u'"),
    ("an empty key", CLASSES, {"item": ["", *"vwxyz"]}, "have no key"),
]


@pytest.mark.parametrize(("name", "columns", "changes", "words"), REFUSED, ids=[case[0] for case in REFUSED])
def test_what_is_refused(name: str, columns: ScoredColumns, changes: dict[str, Any], words: str) -> None:
    del name
    evaluate_frames(frame(), columns=columns, options=EvaluationOptions(resamples=0))  # it can be scored otherwise
    with pytest.raises(InputError) as caught:
        evaluate_frames(frame(**changes), columns=columns)
    told = str(caught.value)
    assert words in told
    assert "expected:" in told


@pytest.mark.parametrize("columns", [CLASSES, AFFECT, UNITS], ids=["classes", "dimensions", "units"])
class TestKeys:
    def test_another_order_means_nothing(self, columns: ScoredColumns) -> None:
        turned = {name: values[::-1] for name, values in frame().items()}
        one, two = (
            evaluate_frames(frame(), made, columns=columns, options=EvaluationOptions(resamples=0))
            for made in (frame(), turned)
        )
        assert [score.value for score in one if score.defined] == [score.value for score in two if score.defined]

    def test_missing_strange_and_repeated_keys_are_told_at_once(self, columns: ScoredColumns) -> None:
        made = frame(item=["u", "u", "w", "x", "y", "strange"])
        with pytest.raises(InputError) as caught:
            evaluate_frames(frame(), made, columns=columns)
        for key in ("'u'", "'strange'", "'z'"):
            assert key in str(caught.value)

    def test_no_rows(self, columns: ScoredColumns, tmp_path: Path) -> None:
        path = tmp_path / "empty.csv"
        path.write_text(",".join(frame()) + "\n")
        with pytest.raises(InputError, match=r"no predictions|no rows") as caught:
            score_file(path, columns=columns)
        assert "empty.csv" in str(caught.value)

    def test_one_group_and_a_group_of_one(self, columns: ScoredColumns) -> None:
        options = EvaluationOptions(by=("sex",), resamples=50)
        one = evaluate_frames(frame(sex=["f"] * 6), columns=columns, options=options)
        apart = [
            one.by("sex")[name] for name in one.by("sex") if name not in ("local_f1", "local_ccc", "unit_local_f1")
        ]
        assert apart
        assert all(isinstance(score, Undefined) and "takes two" in score.reason for score in apart)
        lone = evaluate_frames(frame(sex=["f"] * 5 + ["m"]), columns=columns, options=options)
        for score in lone:
            assert score.defined or score.reason
            if score.defined:
                assert math.isfinite(score.value)

    def test_no_group_at_all(self, columns: ScoredColumns) -> None:
        options = EvaluationOptions(by=("sex",), resamples=50)
        found = evaluate_frames(frame(sex=[None] * 6), columns=columns, options=options)
        assert found.counts["excluded"]["sex"] == {"missing": 6}
        assert all(not found.by("sex")[name].defined for name in found.by("sex"))


def test_kinds_are_not_mixed() -> None:
    with pytest.raises(AffectcheckError):
        evaluate_frames(frame(), columns=ScoredColumns({"a": "truth"}, labels=LABELS))
    with pytest.raises(InputError, match="takes a declared scheme"):
        evaluate_frames(frame(), columns=ScoredColumns({"AU1": "AU1"}, {"AU1": "u_AU1"}))
    with pytest.raises(InputError, match="metrics of another kind than units: uar"):
        evaluate_frames(frame(), columns=UNITS, options=EvaluationOptions(metrics=("uar",)))


class TestScoresOfClasses:
    def test_they_are_scored_where_there_are_some(self) -> None:
        options = EvaluationOptions(metrics=("default", "top_2", "calibration"), by=("sex",), resamples=50)
        found = evaluate_frames(frame(), columns=PROBABILITIES, options=options)
        assert found["top_2"].value >= found["accuracy"].value
        assert found["calibration"].signature.options == "bins=15"
        assert found.groups("sex")["top_2"]["f"].defined

    def test_without_scores_they_are_undefined_and_say_why(self) -> None:
        options = EvaluationOptions(metrics=("accuracy", "top_2", "calibration"), by=("sex",), resamples=50)
        plain = {name: values for name, values in frame().items() if not name.startswith("p_")}
        found = evaluate_frames(plain, columns=CLASSES, options=options)
        assert found["accuracy"].defined
        for name in ("top_2", "calibration"):
            assert found[name].reason == "the model gives labels only, no scores"

    def test_logits_are_ranked_but_not_calibrated(self) -> None:
        logits = {"logit_a": [3.0] * 6, "logit_b": [-1.0] * 6, "logit_c": [0.5] * 6}
        told = {name: values for name, values in frame().items() if not name.startswith("p_")} | logits
        options = EvaluationOptions(metrics=("top_2", "calibration"), resamples=0)
        found = evaluate_frames(told, columns=ScoredColumns(labels=LABELS), options=options)
        assert found["top_2"].value == pytest.approx(4 / 6)
        assert "a softmax is a step to be stated, not guessed" in found["calibration"].reason
        assert "4 items whose decision is not the class of the largest score" in found.notes

    def test_a_mapping_keeps_their_meaning_or_takes_it(self) -> None:
        options = EvaluationOptions(metrics=("top_2", "calibration"), mapping="c=b", resamples=0)
        found = evaluate_frames(frame(), columns=PROBABILITIES, options=options)
        assert found["calibration"].defined
        options = EvaluationOptions(metrics=("top_2",), mapping="c=", resamples=0)
        found = evaluate_frames(frame(), columns=PROBABILITIES, options=options)
        assert "leaves out classes that the model gives scores for" in found["top_2"].reason
        logits = {f"logit_{label}": [1.0, 0.0] for label in "abc"}
        told = {"item": ["a", "b"], "truth": ["a", "b"], "prediction": ["a", "a"], **logits}
        options = EvaluationOptions(metrics=("top_2",), mapping="c=b", resamples=0)
        found = evaluate_frames(told, columns=ScoredColumns(labels=LABELS), options=options)
        assert "merges classes, and a logit of both is not defined" in found["top_2"].reason

    def test_a_class_that_the_model_lacks_ranks_last(self) -> None:
        told = {"truth": ["a", "c", "b"], "p_a": [0.6, 0.6, 0.3], "p_b": [0.4, 0.4, 0.7]}
        options = EvaluationOptions(metrics=("top_2", "accuracy"), resamples=0)
        found = evaluate_frames(told, columns=PROBABILITIES, options=options)
        assert found["top_2"].value == pytest.approx(2 / 3)

    def test_missing_predictions_count_as_wrong_at_every_rank(self) -> None:
        made = {name: values[:5] for name, values in frame().items()}
        options = EvaluationOptions(metrics=("top_2", "calibration"), missing="wrong", resamples=0)
        found = evaluate_frames(frame(), made, columns=PROBABILITIES, options=options)
        assert found["top_2"].value == pytest.approx(4 / 6)  # one more ranks b behind a, which ties with it
        assert "1 items without a prediction have no confidence" in found["calibration"].notes[0]


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"limit": -0.1}, "a limit of -0.1"),
        ({"limit": float("nan")}, "a limit of nan"),
        ({"resamples": 10.5}, "whole numbers"),
        ({"seed": 1.0}, "whole numbers"),
        ({"minimum_support": 2.5}, "whole numbers"),
        ({"by": ("sex*",)}, r"the attribute 'sex\*' names no column"),
    ],
)
def test_numbers_among_the_options_that_are_none(told: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        EvaluationOptions(**told)  # type: ignore[arg-type]


def test_as_many_dimensions_are_not_those_of_a_challenge() -> None:
    from affectcheck.evaluation import ScoredColumns, evaluate_frames
    from affectcheck.schemes import DimensionScheme

    frame = {name: [0.1, 0.4, 0.8] for name in ("pain", "joy", "p_pain", "p_joy")}
    columns = ScoredColumns(labels=DimensionScheme("two", ("pain", "joy")), scores="p_")
    with pytest.raises(InputError, match=r"p_va is defined for other dimensions.*: pain, joy") as error:
        evaluate_frames(frame, columns=columns, options=EvaluationOptions(metrics=("p_va",), resamples=0))
    assert error.value.expected == "valence, arousal (the scheme 'valence-arousal')"
    every = evaluate_frames(frame, columns=columns, options=EvaluationOptions(metrics=("all",), resamples=0))
    assert "p_va" not in {score.metric for score in every}
