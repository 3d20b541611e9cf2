"""The level-sensitive twin of the baseline fails what the baseline passes: gain and recording condition."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

from affectcheck.annotations.table import AnnotationTable
from affectcheck.behaviour import SuiteOptions, load_suites, plan, run
from affectcheck.datasets import load_dataset
from affectcheck.media.loader import load_item
from affectcheck.predictions import PredictOptions, no_progress
from affectcheck.training import TrainOptions, train

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.models import Baseline

RECIPES = ("baseline", "baseline-level-sensitive")


@pytest.fixture(scope="module")
def speech(shared_data: Path) -> AnnotationTable:
    """One reading of one sentence by every actor of RAVDESS."""
    table = load_dataset(f"ravdess:{shared_data / 'data' / 'ravdess-speech'}")
    return table.filter((table.frame["statement"] == "kids") & (table.frame["repetition"] == 1))


@pytest.fixture(scope="module")
def tested(speech: AnnotationTable) -> AnnotationTable:
    """The second half of the actors, in normal intensity."""
    return speech.filter((speech.frame["subject"] > "12") & (speech.frame["intensity"] == "normal"))


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def models(speech: AnnotationTable, cache: Path) -> dict[str, Baseline]:
    """Both, trained on the first half of the actors."""
    learned = speech.frame.filter(pl.col("subject") <= "12").get_column("item").to_list()
    options = TrainOptions(cache=cache, progress=no_progress)
    return {
        recipe: train(speech, {"train": learned}, options=replace(options, recipe=recipe)).model for recipe in RECIPES
    }


def statuses(test: str, models: dict[str, Baseline], table: AnnotationTable, cache: Path) -> list[str]:
    """What each model's comparison ends as."""
    options = SuiteOptions(resamples=200, predict=PredictOptions(cache=cache, progress=no_progress))
    found = []
    for recipe in RECIPES:
        planned = plan(load_suites([test]), models[recipe].card, table, options=options)
        (verdict,) = run(planned, models[recipe], table, None, options)
        found.append(verdict.status)
    return found


@pytest.mark.slow
@pytest.mark.shared
def test_a_gain(models: dict[str, Baseline], tested: AnnotationTable, cache: Path) -> None:
    assert statuses("robustness-gain", models, tested, cache) == ["passed", "failed"]


@pytest.mark.slow
@pytest.mark.shared
def test_a_recording_at_another_level(
    models: dict[str, Baseline], tested: AnnotationTable, cache: Path, tmp_path: Path
) -> None:
    import soundfile

    rows = []
    for number, row in enumerate(tested.frame.filter(pl.col("subject") > "18").iter_rows(named=True)):
        clip = load_item(row, tested.root).audio
        for channel, gain_db in (("headset", 0.0), ("boundary", -12.0)):
            name = f"{number}-{channel}.wav"
            samples = clip.samples * np.float32(10 ** (gain_db / 20))
            soundfile.write(tmp_path / name, samples, clip.rate_hz, subtype="FLOAT")
            rows.append(
                {"item": name, "media": name, "subject": row["subject"], "text": row["item"], "channel": channel}
            )
    table = AnnotationTable(pl.DataFrame(rows), name="two channels", root=tmp_path)
    assert statuses("robustness-recording-condition", models, table, cache) == ["passed", "failed"]
