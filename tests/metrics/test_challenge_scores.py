from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

from affectcheck.errors import InputError
from affectcheck.metrics import CONVENTIONS, METRICS
from affectcheck.tallies import Confusion, Moments, Units

SCORES = {"p_va": "ccc", "p_expr": "f1_macro", "p_au": "unit_f1", "p_ce": "f1_macro", "p_emi": "pcc"}


def value(name: str, tally, **options) -> float:
    return float(METRICS.get(name).compute(tally, **options))


@pytest.mark.parametrize(("name", "of"), SCORES.items())
def test_a_score_is_the_mean_that_it_is_made_of_and_has_no_gap(name, of):
    score, mean = METRICS.get(name), METRICS.get(of)
    assert (score.kind, score.tally, score.level, score.title) == (
        mean.kind,
        mean.tally,
        "overall",
        f"P_{name[2:].upper()}",
    )
    assert score.conventions == CONVENTIONS
    assert score.signature("tables")["convention"] == ""
    assert f"{name}_gap" not in METRICS
    assert f"{name}_worst" not in METRICS


def test_frames_are_pooled_over_videos():
    """A mean of the videos' own values is another number, 202/603."""
    truth = np.array([0.1, 0.2, 0.3, -0.5, -0.4, 0, 0, 0, 0, 0])
    prediction = np.array([0.1, 0.2, 0.3, 0.5, 0.6, 0, 0.1, 0, 0.1, 0])
    both = np.stack([truth, truth], axis=1), np.stack([prediction, prediction], axis=1)
    videos = Moments.of(*both, cells=[0, 0, 0, 1, 1, 2, 2, 2, 2, 2])
    assert value("p_va", videos.pooled(0)) == pytest.approx(-293 / 717, abs=1e-12)
    assert value("p_va", Moments.of(*both)) == pytest.approx(-293 / 717, abs=1e-12)


def test_the_collected_videos_are_pooled(cases):
    frame = pl.read_csv(cases / "A02_va_three_videos.csv")
    expected = json.loads((cases / "A02.json").read_text())["expected"]["pooled"]["value"]
    truth, prediction = (frame[name].to_numpy() for name in ("valence_true", "valence_pred"))
    rows = [Moments.of([[t, t]], [[p, p]]) for t, p in zip(truth, prediction, strict=True)]
    assert value("p_va", sum(rows, Moments.zero(dimensions=2))) == pytest.approx(expected, abs=1e-12)


def test_half_a_score_is_no_score():
    """An arousal that is constant and equal has no CCC; the mean is neither half of valence's nor all of it."""
    tally = Moments.of([[0.0, 0.3], [1.0, 0.3], [2.0, 0.3]], [[0.0, 0.3], [2.0, 0.3], [4.0, 0.3]])
    score = METRICS.get("p_va")
    for convention in CONVENTIONS:
        assert np.isnan(score.compute(tally, convention=convention))
    assert score.reason(tally, ("valence", "arousal")) == "arousal: truth and prediction are constant and equal"
    for rule in ("skip", "zero"):
        with pytest.raises(InputError, match="unknown rule"):
            score.compute(tally, undefined=rule)


def test_invalid_frames_are_left_out_of_their_dimension_alone():
    tally = Moments.of(
        [[0.0, np.nan], [1.0, 1.0], [2.0, 2.0], [np.nan, 3.0]], [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [9.0, 3.0]]
    )
    assert value("p_va", tally) == 1.0
    assert tally.unknown.tolist() == [1, 1]


def test_a_constant_prediction_is_not_hidden_by_the_other_five():
    ramp = np.tile(np.arange(254.0)[:, None], (1, 6))
    constant = ramp.copy()
    constant[:, 5] = 0.3
    tally = Moments.of(ramp, constant)
    assert np.isnan(value("p_emi", tally))
    assert value("p_emi", tally, undefined="zero") == pytest.approx(5 / 6, abs=1e-12)
    with pytest.raises(InputError, match="unknown rule"):
        METRICS.get("p_emi").compute(tally, undefined="skip")


def test_classes_and_units_that_are_absent_count_as_zero_in_every_convention():
    expression = Confusion.count([0, 1], [0, 1], labels=8)
    units = Units.count([[1, 0] * 6, [-1, 0] * 6], [[1, 0] * 6, [1, 0] * 6])
    for convention in CONVENTIONS:
        assert value("p_expr", expression, convention=convention) == 0.25
        assert value("p_au", units, convention=convention) == 0.5
    assert value("p_expr", expression, undefined="skip") == 1.0
    assert METRICS.get("p_expr").undefined_parts(expression) == 6
    assert METRICS.get("p_au").undefined_parts(units) == 6


def test_the_collected_expressions_are_divided_by_eight(cases):
    expected = json.loads((cases / "A04.json").read_text())["expected"]
    labels = [label.casefold() for label in expected["per_class_F1"]]
    frame = pl.read_csv(cases / "A04_expr_no_fear.csv")
    columns = [name for name in frame.columns if str(frame[name][0]).casefold() in labels][:2]
    codes = [[labels.index(text.casefold()) for text in frame[name]] for name in columns]
    tally = Confusion.count(*codes, labels=8)
    assert value("p_expr", tally) == pytest.approx(expected["P_EXPR_divide_by_8"]["value"], abs=1e-12)
    assert value("p_expr", tally, undefined="skip") == pytest.approx(
        expected["variant_estimable_only"]["value"], abs=1e-12
    )


@pytest.mark.parametrize(
    ("name", "tally", "message"),
    [
        ("p_va", Moments.zero(dimensions=3), "p_va of 3 dimensions"),
        ("p_expr", Confusion.zero(labels=7), "p_expr of 7 classes"),
        ("p_ce", Confusion.zero(labels=8), "p_ce of 8 classes"),
        ("p_au", Units.zero(units=11), "p_au of 11 units"),
        ("p_emi", Moments.zero(dimensions=2), "p_emi of 2 dimensions"),
    ],
)
def test_another_number_of_parts_is_an_error(name, tally, message):
    with pytest.raises(InputError, match=message):
        METRICS.get(name).compute(tally)
