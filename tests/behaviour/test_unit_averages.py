"""Action units on average: over the set, of subjects and videos, and from frame to frame."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest

from affectcheck.models.card import ModelCard
from affectcheck.predictions import make_predictions
from affectcheck.schemes import Target, scheme
from affectcheck.seeds import rng

AU = ("AU1", "AU12")


@pytest.fixture(scope="module")
def faces(speech: Any) -> Any:
    """Each of 40 subjects shows the first unit as often as fits his number; the second is not annotated of 100 items."""
    n = speech.table.height
    subject = np.arange(n) // 40
    draw = rng(2, "units").random((n, 2))
    truth = (draw < np.stack([(subject + 1) / 41, np.full(n, 0.3)], axis=-1)).astype(np.int8)
    columns = [pl.Series(name, truth[:, m], dtype=pl.Int8) for m, name in enumerate(AU)]
    frame = speech.table.frame.with_columns(columns, frame=pl.int_range(pl.len()) % 40)
    frame = frame.with_columns(AU12=pl.when(pl.int_range(pl.len()) >= 100).then(pl.col("AU12")))
    frame = frame.with_columns(video=pl.col("subject"), media=pl.col("subject") + ".mp4")
    target = Target("units", replace(scheme("au-12-affwild2"), units=AU))
    return replace(speech.with_frame(frame, targets={"units": target}), truth=truth)


def found_units(world: Any, present: Any) -> Any:
    card = ModelCard("m", kind="units", parts=AU, output="probability", media=("image",))
    return make_predictions(world.table.items, np.where(np.asarray(present) > 0, 0.9, 0.1), card)


def test_shares_of_units_are_those_of_the_annotations(faces: Any, outcome: Any) -> None:
    good = outcome("face-correctness-distribution", faces, found_units(faces, faces.truth))
    assert good.statuses() == {"passed"}
    blind = outcome("face-correctness-distribution", faces, found_units(faces, np.zeros_like(faces.truth)))
    share = blind.one("share_difference", part="AU12")
    assert share.value == pytest.approx(-np.mean(faces.truth[100:, 1]))
    assert (share.status, share.support) == ("failed", len(faces.truth) - 100)
    assert share.baseline == pytest.approx(0.2, abs=0.05)  # a random model finds each unit in half of the items


@pytest.mark.parametrize("counted", ["subject", "video"])
def test_averages_and_rankings_of_units(faces: Any, outcome: Any, counted: str) -> None:
    draw = rng(3, "missed").random(faces.truth.shape)
    missed = np.where(draw < 0.3, 0, faces.truth)
    average = outcome(f"face-correctness-{counted}-average", faces, found_units(faces, missed))
    own = faces.truth.reshape(40, 40, 2)[..., 0].mean(axis=1) - missed.reshape(40, 40, 2)[..., 0].mean(axis=1)
    mae = average.one("mae", part="AU1")
    assert mae.value == pytest.approx(np.mean(own))
    assert mae.support == 40
    assert mae.status == "failed"
    assert average.one("mae", part="AU12").support == 37  # of three subjects too little is annotated
    ranking = outcome(f"face-correctness-{counted}-ranking", faces, found_units(faces, missed))
    assert ranking.one("spearman", part="AU1").value > 0.9
    assert ranking.one("precision_top", part="AU1").value >= 0.7


def test_units_from_frame_to_frame(faces: Any, outcome: Any) -> None:
    name = "face-correctness-temporal-behaviour"
    good = outcome(name, faces, found_units(faces, faces.truth))
    assert good.one("mae", part="AU1").value == 0.0
    assert good.one("reactivity", part="AU1").status == "passed"
    still = outcome(name, faces, found_units(faces, np.zeros_like(faces.truth)))
    steps = np.abs(np.diff(faces.truth.reshape(40, 40, 2)[..., 0], axis=1)).mean(axis=1)
    assert still.one("mae", part="AU1").value == pytest.approx(np.mean(steps))
    assert still.one("mde", part="AU1").value == pytest.approx(-np.mean(steps))
    assert still.one("mae", part="AU1").status == "failed"
