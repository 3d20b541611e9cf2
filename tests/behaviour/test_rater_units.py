"""Limits from raters who say of each action unit whether it is there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest

from affectcheck.annotations import RatingColumns
from affectcheck.behaviour import RaterOptions, load_suites, rater_thresholds
from affectcheck.behaviour.rater_units import unit_ratings
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.evaluation import Votes
from affectcheck.models.card import ModelCard
from affectcheck.predictions import make_predictions
from affectcheck.schemes import Target, scheme
from affectcheck.seeds import rng

AU = ("AU1", "AU12")
(DETECTION,) = load_suites(["face-correctness-detection"])


@pytest.fixture(scope="module")
def faces(speech: Any) -> Any:
    """Two units, of which the second is not annotated of the first 100 items."""
    truth = (rng(2, "units").random((speech.table.height, 2)) < (0.5, 0.3)).astype(np.int8)
    columns = [pl.Series(name, truth[:, m], dtype=pl.Int8) for m, name in enumerate(AU)]
    frame = speech.table.frame.with_columns(columns)
    frame = frame.with_columns(AU12=pl.when(pl.int_range(pl.len()) >= 100).then(pl.col("AU12")))
    target = Target("units", replace(scheme("au-12-affwild2"), units=AU))
    known = truth.copy()
    known[:100, 1] = -1
    return replace(speech.with_frame(frame, targets={"units": target}), truth=known), truth


def said(world: Any, truth: np.ndarray, *, miss: float = 0.2) -> pl.DataFrame:
    """Three raters, who miss a share of what is there, each another one."""
    frames = []
    for number in range(3):
        draw = rng(number, "misses").random(truth.shape)
        seen = np.where(draw < miss, 0, truth)
        columns = {name: seen[:, m] for m, name in enumerate(AU)}
        frames.append(pl.DataFrame({"item": world.table.items, "rater": f"r{number}", **columns}))
    return pl.concat(frames)


def of(found: Any, metric: str, part: str = "") -> float:
    (one,) = [each for each in found.limits if each.comparison.metric == metric and each.part == part]
    return float(one.value)


def test_each_rater_finds_what_he_finds(faces: Any) -> None:
    world, truth = faces
    votes = said(world, truth)
    found = rater_thresholds(Votes(votes), DETECTION, world.table, options=RaterOptions("mean"))
    recalls = []
    for number in range(3):
        own = votes.filter(pl.col("rater") == f"r{number}").get_column("AU12").to_numpy()
        recalls.append(np.mean(own[world.truth[:, 1] == 1]))
    assert of(found, "unit_recall", "AU12") == pytest.approx(np.mean(recalls))
    assert of(found, "unit_precision", "AU1") == 1.0
    drawn = rater_thresholds(Votes(votes), DETECTION, world.table, options=RaterOptions(draws=20))
    assert of(drawn, "unit_recall", "AU12") == pytest.approx(np.mean(recalls), abs=0.01)
    assert drawn.kind == "units"
    assert "a rater for each item" in str(drawn)
    turned = rater_thresholds(Votes(votes.reverse()), DETECTION, world.table, options=RaterOptions(draws=20))
    assert turned.frame().drop("source").rows() == drawn.frame().drop("source").rows()


def test_a_left_out_rater_meets_what_most_of_the_others_say(faces: Any) -> None:
    """Two others are divided about one item in three, which is then unknown; else they agree, rightly or not."""
    world, truth = faces
    votes = said(world, truth, miss=0.2)
    found = rater_thresholds(Votes(votes), DETECTION, world.table, options=RaterOptions("left out", draws=20))
    # Both others see it with .8 squared: only then is it taken to be there, and the rater finds .8 of those.
    assert of(found, "unit_recall", "AU1") == pytest.approx(0.8, abs=0.02)
    both, neither = 0.8**2, 0.2**2
    right = both * 0.8 * np.mean(truth[:, 0])
    wrong = neither * 0.8 * np.mean(truth[:, 0])
    assert of(found, "unit_precision", "AU1") == pytest.approx(right / (right + wrong), abs=0.02)


def test_limits_of_people_judge_a_model(faces: Any, outcome: Any) -> None:
    world, truth = faces
    limited = rater_thresholds(
        Votes(said(world, truth)), DETECTION, world.table, options=RaterOptions(draws=5)
    ).applied()
    card = ModelCard("m", kind="units", parts=AU, output="probability", media=("image",))
    perfect = make_predictions(world.table.items, np.where(truth > 0, 0.9, 0.1), card)
    worse = make_predictions(
        world.table.items, np.where((truth > 0) & (rng(9, "w").random(truth.shape) < 0.6), 0.9, 0.1), card
    )
    assert outcome([limited], world, perfect).statuses("unit_recall") == {"passed"}
    assert outcome([limited], world, worse).statuses("unit_recall") == {"failed"}
    recall = outcome([limited], world, worse).one("unit_recall", part="AU1")
    assert recall.threshold.value == pytest.approx(0.8, abs=0.02)
    assert "published limit 0.5" in recall.threshold.source


def test_columns_that_are_named_otherwise_and_ratings_that_lack_a_unit(faces: Any) -> None:
    world, truth = faces
    votes = said(world, truth).rename({"AU1": "brow", "AU12": "smile"})
    columns = RatingColumns(dimensions={"AU1": "brow", "AU12": "smile"})
    found = rater_thresholds(Votes(votes, columns), DETECTION, world.table, options=RaterOptions("mean"))
    assert of(found, "unit_precision", "AU1") == 1.0
    gaps = said(world, truth).with_columns(au12=pl.when(pl.col("rater") != "r0").then(pl.col("AU12"))).drop("AU12")
    lacking = rater_thresholds(Votes(gaps), DETECTION, world.table, options=RaterOptions("mean"))
    assert f"{world.table.height} ratings that leave a unit out are not counted" in lacking.notes
    assert {one.answers for one in lacking.limits} == {2}
    ready = unit_ratings(Votes(votes, columns), world.table.target("units"))
    again = rater_thresholds(Votes(ready), DETECTION, world.table, options=RaterOptions("mean"))
    assert of(again, "unit_f1") == of(found, "unit_f1")


def test_what_is_no_presence_is_refused(faces: Any, speech: Any) -> None:
    world, truth = faces
    votes, target = said(world, truth), world.table.target("units")
    with pytest.raises(InputError, match="neither 0 nor 1"):
        unit_ratings(Votes(votes.with_columns(AU1=pl.lit(0.5))), target)
    with pytest.raises(InputError, match="outside"):
        unit_ratings(Votes(votes.with_columns(AU1=pl.lit(3))), target)
    with pytest.raises(InputError, match="no column of a unit"):
        unit_ratings(Votes(votes.drop(AU)), target)
    with pytest.raises(UnknownNameError, match="AU99"):
        unit_ratings(Votes(votes, RatingColumns(dimensions={"AU99": "AU1"})), target)
    with pytest.raises(TypeError):
        unit_ratings(Votes(votes), speech.table.target("expression"))
