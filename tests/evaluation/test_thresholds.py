"""Thresholds of action units: stated, by the kind of score, or chosen on validation data."""

from __future__ import annotations

import numpy as np
import pytest
from affect_tables import affect, labelled, predicted, predicted_affect
from hypothesis import given, settings
from hypothesis import strategies as st
from unit_tables import UNITS, coded, scored

from affectcheck.errors import InputError, UnknownNameError
from affectcheck.evaluation import EvaluationOptions, Thresholds, choose_thresholds, evaluate
from affectcheck.evaluation.thresholds import GRID, decisions, threshold_curve, thresholds_for
from affectcheck.tallies import Units

FAST = {"resamples": 0}
VALIDATION = [[1, 0], [1, 1], [0, 0], [0, 1]], [[0.92, 0.3], [0.52, 0.81], [0.3, 0.4], [0.05, 0.86]]
TEST = [[1, 0], [1, 0], [0, 1], [0, 1]], [[0.4, 0.55], [0.6, 0.45], [0.33, 0.7], [0.2, 0.9]]


class TestTheWorkedExample:
    """The thresholds of two units on four validation frames, and the F1 that they give on four test frames."""

    @pytest.mark.parametrize(
        ("rule", "chosen", "f1"), [("common", (0.45, 0.45), 2 / 3), ("per-unit", (0.35, 0.45), 5 / 6)]
    )
    def test_as_printed(self, rule: str, chosen: tuple[float, float], f1: float) -> None:
        found = choose_thresholds(coded(VALIDATION[0]), scored(VALIDATION[1]), rule=rule)
        assert tuple(found.values.values()) == chosen
        options = EvaluationOptions(thresholds=found, **FAST)
        assert evaluate(coded(TEST[0]), scored(TEST[1]), options=options)["unit_f1"].value == pytest.approx(f1, 1e-12)
        # The best score on validation is 1 by either rule.
        best = evaluate(coded(VALIDATION[0], sex=list("fmfm")), scored(VALIDATION[1]), options=options)
        assert best["unit_f1"].value == 1.0
        assert any("scores in hindsight, which are no result" in note for note in best.notes)
        assert not any("hindsight" in note for note in evaluate(coded(TEST[0]), scored(TEST[1]), options=options).notes)

    def test_the_fixed_one(self) -> None:
        options = EvaluationOptions(thresholds=0.5, **FAST)
        found = evaluate(coded(TEST[0]), scored(TEST[1]), options=options)
        assert found["unit_f1"].value == pytest.approx(11 / 15, abs=1e-12)
        same = evaluate(coded(TEST[0]), scored(TEST[1]), options=EvaluationOptions(**FAST))
        assert str(same["unit_f1"].signature) == str(found["unit_f1"].signature)

    def test_how_they_were_chosen_is_signed(self) -> None:
        table = coded(VALIDATION[0])
        found = choose_thresholds(table, scored(VALIDATION[1]))
        told = evaluate(coded(TEST[0]), scored(TEST[1]), options=EvaluationOptions(thresholds=found, **FAST))
        signed = told["unit_f1"].signature.thresholds
        assert signed == f"per unit by F1 on made@{table.digest[:12]} gives AU1=0.35,AU12=0.45"
        assert f"a unit is present from this probability on: {signed}" in told.notes
        assert told.tables["thresholds"]["rows"][0] == ["AU1", 0.35, "probability", found.how]

    def test_another_grid_is_signed(self) -> None:
        found = choose_thresholds(coded(VALIDATION[0]), scored(VALIDATION[1]), grid=(0.6, 0.4), rule="common")
        assert found.values == {"AU1": 0.4, "AU12": 0.4}
        assert str(found).endswith(" from 0.4,0.6 gives 0.4")


def best_by_hand(truth: np.ndarray, scores: np.ndarray, grid: tuple[float, ...]) -> float:
    """The lowest threshold of the best F1, by trying each."""
    found = []
    for threshold in grid:
        made = scores >= threshold
        hits, wrong = int((made & (truth == 1)).sum()), int(((made != (truth == 1)) & (truth >= 0)).sum())
        found.append(2 * hits / (2 * hits + wrong) if hits + wrong else 0.0)
    return grid[int(np.argmax(np.array(found) >= max(found) - 1e-12))]


@given(st.lists(st.tuples(st.sampled_from([-1, 0, 1]), st.integers(0, 20)), min_size=2, max_size=40))
@settings(max_examples=60, deadline=None)
def test_the_chosen_one_is_the_lowest_of_the_best(rows: list[tuple[int, int]]) -> None:
    truth = np.array([row[0] for row in rows])
    scores = np.array([row[1] / 20 for row in rows])
    if not (truth == 1).any():
        return
    table = coded([[value] for value in truth.tolist()], units=("AU1",))
    found = choose_thresholds(table, scored([[value] for value in scores.tolist()], units=("AU1",)))
    assert found.values["AU1"] == best_by_hand(truth, scores, GRID)


@given(st.integers(0, 2**32))
@settings(max_examples=30, deadline=None)
def test_the_curve_is_what_counting_at_each_threshold_gives(seed: int) -> None:
    random = np.random.default_rng(seed)
    truth, scores = random.integers(-1, 2, (50, 3)), random.integers(0, 11, (50, 3)) / 10
    grid = np.array([0.2, 0.5, 0.7])
    curve = threshold_curve(truth, scores, grid)
    for step, threshold in enumerate(grid):
        counted = Units.count(truth, (scores >= threshold).astype(np.int8))
        assert curve[step].counts.tolist() == counted.counts.tolist()
        assert curve[step].unknown.tolist() == counted.unknown.tolist()


class TestKindsOfScore:
    def test_a_score_at_its_threshold_is_a_decision_for_the_unit(self) -> None:
        values = np.array([[0.5, 0.49], [0.4999, 0.5]])
        assert decisions(values, thresholds_for(0.5, UNITS, "probability"), UNITS).tolist() == [[1, 0], [0, 1]]
        assert decisions(values, thresholds_for({"AU1": 0.4, "AU12": 0.6}, UNITS, "score"), UNITS).sum() == 2

    def test_what_a_kind_says_by_itself(self) -> None:
        assert thresholds_for(None, UNITS, "probability").values == {"AU1": 0.5, "AU12": 0.5}
        assert thresholds_for(None, UNITS, "logit").values == {"AU1": 0.0, "AU12": 0.0}
        assert thresholds_for(None, UNITS, "label") is None
        by_label = evaluate(coded(TEST[0]), scored([[0, 1]] * 4, "label"), options=EvaluationOptions(**FAST))
        assert by_label["unit_f1"].signature.thresholds == "natural"
        assert "thresholds" not in by_label.tables
        with pytest.raises(InputError, match="nothing says from which score"):
            thresholds_for(None, UNITS, "score")

    def test_logits_take_the_logits_of_the_grid(self) -> None:
        truth, chances = VALIDATION
        logits = np.log(np.array(chances) / (1 - np.array(chances))).tolist()
        found = choose_thresholds(coded(truth), scored(logits, "logit"))
        expected = [np.log(t / (1 - t)) for t in (0.35, 0.45)]
        assert list(found.values.values()) == pytest.approx(expected, abs=1e-12)

    def test_scores_between_0_and_1_are_chosen_from_as_probabilities(self) -> None:
        found = choose_thresholds(coded(VALIDATION[0]), scored(VALIDATION[1], "score"))
        assert found.values == {"AU1": 0.35, "AU12": 0.45}

    @pytest.mark.parametrize(
        ("told", "output", "words"),
        [
            (0.5, "label", "labels, which are decided already"),
            (1.5, "probability", "AU1=1.5, AU12=1.5"),
            ({"AU1": -0.1, "AU12": 0.5}, "probability", "AU1=-0.1"),
            ({"AU1": 0.5}, "probability", "no threshold for 'AU12'"),
            (float("nan"), "probability", "no finite number"),
            (float("inf"), "logit", "no finite number"),
        ],
    )
    def test_what_cannot_be_a_threshold(self, told: object, output: str, words: str) -> None:
        values = [[0.0, 1.0]] * 4 if output == "label" else TEST[1]
        with pytest.raises(InputError, match=words):
            evaluate(coded(TEST[0]), scored(values, output), options=EvaluationOptions(thresholds=told))

    def test_a_unit_that_does_not_exist(self) -> None:
        with pytest.raises(UnknownNameError, match="unknown action unit in the thresholds 'AU2'"):
            evaluate(
                coded(TEST[0]),
                scored(TEST[1]),
                options=EvaluationOptions(thresholds={"AU1": 0.5, "AU2": 0.5, "AU12": 0.5}),
            )

    def test_a_threshold_of_what_only_the_model_has_is_let_pass(self) -> None:
        told = {"AU1": 0.5, "AU12": 0.5, "AU4": 0.5}
        made = scored([[*row, 0.5] for row in TEST[1]], units=(*UNITS, "AU4"))
        found = evaluate(coded(TEST[0]), made, options=EvaluationOptions(thresholds=told, **FAST))
        assert found["unit_f1"].signature.thresholds == "natural gives 0.5"
        assert any("the model also predicts AU4" in note for note in found.notes)

    def test_other_kinds_of_target_take_none(self) -> None:
        options = EvaluationOptions(thresholds=0.5)
        with pytest.raises(InputError, match="thresholds are stated, but target 'expression' is of categories"):
            evaluate(labelled(["anger"]), predicted(["anger"]), options=options)
        with pytest.raises(InputError, match="of dimensions"):
            evaluate(affect(np.eye(2)), predicted_affect(np.eye(2)), options=options)


class TestChoosing:
    def test_a_unit_without_positives_keeps_the_threshold_of_its_kind(self) -> None:
        truth = [[1, 0], [0, 0], [0, -1]]
        for output, kept in (("probability", 0.5), ("logit", 0.0)):
            found = choose_thresholds(coded(truth), scored([[0.3, 0.9], [0.1, 0.1], [0.2, 0.2]], output))
            assert found.values["AU12"] == kept
            assert found.notes == (f"threshold of AU12: no positive of it in the validation data, so {kept:g} is kept",)
        options = EvaluationOptions(thresholds=found, **FAST)
        told = evaluate(coded(truth), scored([[0.3, 0.9]] * 3, "logit"), options=options)
        assert found.notes[0] in told.notes

    def test_a_rare_unit_that_no_score_reaches_takes_the_lowest(self) -> None:
        found = choose_thresholds(coded([[1], [0]], units=("AU1",)), scored([[0.01], [0.02]], units=("AU1",)))
        assert found.values == {"AU1": 0.1}

    def test_what_cannot_be_chosen_from(self) -> None:
        truth, made = coded(VALIDATION[0]), scored(VALIDATION[1])
        with pytest.raises(InputError, match="labels, which are decided already"):
            choose_thresholds(truth, scored([[0, 1]] * 4, "label"))
        with pytest.raises(InputError, match="a target of categories"):
            choose_thresholds(labelled(["anger"]), predicted(["anger"]))
        with pytest.raises(InputError, match="outside 0 to 1"):
            choose_thresholds(truth, scored([[2.0, 3.0]] * 4, "score"))
        with pytest.raises(UnknownNameError, match="unknown rule for thresholds 'best'"):
            choose_thresholds(truth, made, rule="best")
        for grid in ((), (0.0, 0.5), (0.5, 1.0), (float("nan"),)):
            with pytest.raises(InputError, match="thresholds to choose from"):
                choose_thresholds(truth, made, grid=grid)

    def test_validation_data_that_lack_a_unit(self) -> None:
        short = choose_thresholds(
            coded([row[:1] for row in VALIDATION[0]], units=("AU1",)),
            scored([row[:1] for row in VALIDATION[1]], units=("AU1",)),
        )
        with pytest.raises(InputError, match="no threshold for 'AU12'") as caught:
            evaluate(coded(TEST[0]), scored(TEST[1]), options=EvaluationOptions(thresholds=short))
        assert "the validation data do not have" in str(caught.value)

    def test_without_scores_there_is_nothing_to_choose_by(self) -> None:
        made = scored(VALIDATION[1][:3])
        with pytest.raises(InputError, match="no scores to choose thresholds by: units without a prediction"):
            choose_thresholds(coded(VALIDATION[0]), made, options=EvaluationOptions(missing="wrong"))


def test_thresholds_are_told_shortly() -> None:
    assert str(Thresholds({"AU1": 0.5, "AU2": 0.5})) == "0.5"
    assert str(Thresholds({"AU1": 0.4, "AU2": 0.5})) == "AU1=0.4,AU2=0.5"
    many = str(Thresholds({f"AU{n}": n / 100 for n in range(40)}))
    assert many.startswith("40@")
    assert hash(Thresholds({"AU1": 0.4})) == hash(Thresholds({"AU1": 0.4}))
    assert EvaluationOptions(thresholds={"AU1": 0.4}).thresholds == Thresholds({"AU1": 0.4})


def test_they_are_chosen_after_the_steps() -> None:
    truth, chances = VALIDATION
    logits = np.log(np.array(chances) / (1 - np.array(chances))).tolist()
    options = EvaluationOptions(steps="sigmoid", **FAST)
    found = choose_thresholds(coded(truth), scored(logits, "logit"), options=options)
    assert found.values == {"AU1": 0.35, "AU12": 0.45}
    told = evaluate(
        coded(truth), scored(logits, "logit"), options=EvaluationOptions(steps="sigmoid", thresholds=found, **FAST)
    )
    assert told["unit_f1"].value == 1.0
    assert told["unit_f1"].signature.steps
