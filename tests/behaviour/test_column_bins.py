"""Groups of a test: merged values, bins of items or of subjects by a number, and the pitch of voices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest

from affectcheck.annotations.table import AnnotationTable
from affectcheck.behaviour import load_suites
from affectcheck.behaviour.column_bins import with_bins, with_groups
from affectcheck.behaviour.pitch_groups import PitchModel, add_pitch
from affectcheck.behaviour.requirements import ColumnBins, Groups
from affectcheck.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from pathlib import Path

(PITCH,) = load_suites(["fairness-pitch"])
BINS: Any = PITCH.groups.bins  # type: ignore[union-attr]


def speakers(hertz: dict[str | None, list[float | None]]) -> pl.DataFrame:
    rows = [(who, value) for who, values in hertz.items() for value in values]
    columns = {
        "item": [f"i{i}" for i in range(len(rows))],
        "subject": [r[0] for r in rows],
        "f0_hz": [r[1] for r in rows],
    }
    return pl.DataFrame(columns, schema_overrides={"subject": pl.String, "f0_hz": pl.Float64})


def groups_of(frame: pl.DataFrame, column: str = "f0_hz_group") -> dict[str | None, set[str | None]]:
    return {
        who: set(frame.filter(pl.col("subject").eq_missing(who)).get_column(column))
        for who in frame["subject"].unique()
    }


def test_speakers_are_grouped_by_the_mean_of_their_valid_clips() -> None:
    frame = speakers(
        {
            "low": [145.0] * 25,
            "medium": [145.1] * 25,
            "edge": [190.0] * 30,
            "high": [191.0] * 24 + [349.0],
            "few": [120.0] * 24 + [49.9, 350.1, None],
            "outliers": [100.0] * 25 + [400.0] * 50,
            None: [120.0] * 30,
        }
    )
    found = with_bins(frame, BINS)
    assert found.attribute == "f0_hz_group"
    assert groups_of(found.frame) == {
        "low": {"low"},
        "medium": {"medium"},
        "edge": {"medium"},
        "high": {"high"},
        "few": {None},
        "outliers": {"low", None},
        None: {None},
    }
    assert found.notes == (
        "1 items without a value of f0_hz have no group",
        "52 items with f0_hz outside 50 to 350 have no group",
        "24 items of subjects with fewer than 25 values of f0_hz have no group",
    )


def test_items_are_grouped_by_their_own_value() -> None:
    ages = ColumnBins(column="age", edges=(0, 30, 60), names=("young", "older"))
    frame = pl.DataFrame({"item": list("abcdef"), "age": ["30", "30.5", "61", "x", None, "0"]})
    found = with_bins(frame, ages)
    assert found.frame.get_column("age_group").to_list() == ["young", "older", None, None, None, None]
    assert found.notes == ("2 items without a value of age have no group",)


def test_what_is_missing_is_told() -> None:
    with pytest.raises(InputError, match="no column 'f0_hz'"):
        with_bins(pl.DataFrame({"item": ["a"], "subject": ["s"]}), BINS)
    with pytest.raises(InputError, match="no column 'subject'"):
        with_bins(pl.DataFrame({"item": ["a"], "f0_hz": [100.0]}), BINS)


def test_groups_are_merged_and_chosen() -> None:
    frame = pl.DataFrame({"item": ["a", "b", "c"], "language": ["zh-CN", "zh-TW", "sv"]})
    merged = Groups(columns=("language",), merged={"zh-CN": "zh", "zh-TW": "zh"}, values=("zh",))
    found = with_groups(frame, merged, "language")
    assert found.attribute == "language"
    assert found.frame.get_column("language").to_list() == ["zh", "zh", None]
    assert with_groups(frame, Groups(columns=("language",)), "language").frame is frame
    only_merged = with_groups(frame, Groups(columns=("language",), merged={"sv": "se"}), "language").frame
    assert only_merged.get_column("language").to_list() == ["zh-CN", "zh-TW", "se"]


@pytest.fixture
def voices(tmp_path: Path) -> AnnotationTable:
    soundfile = pytest.importorskip("soundfile")
    time_s = np.arange(16_000) / 16_000
    for hertz in (110, 170, 240):
        wave = sum(np.sin(2 * np.pi * hertz * k * time_s) / k for k in range(1, 12)) * 0.2
        soundfile.write(tmp_path / f"{hertz}.wav", wave, 16_000)
    soundfile.write(tmp_path / "silent.wav", np.zeros(16_000), 16_000)
    media = ["110.wav", "170.wav", "240.wav", "silent.wav", "missing.wav"]
    frame = pl.DataFrame({"item": media, "media": media, "subject": list("abcde")})
    return AnnotationTable(frame, {}, (), "voices", tmp_path)


def test_pitch_is_measured_once_and_kept(voices: AnnotationTable, tmp_path: Path, monkeypatch: Any) -> None:
    seen = []
    found = add_pitch(
        voices,
        estimator="autocorrelation",
        cache=tmp_path / "cache",
        progress=lambda done, total: seen.append((done, total)),
    )
    hertz = found.frame.get_column("f0_hz").to_list()
    assert hertz[:3] == pytest.approx([110, 170, 240], rel=0.002)
    assert hertz[3:] == [None, None]
    assert set(found.frame.get_column("f0_hz_measured_by")) == {"autocorrelation 1"}
    assert seen[-1] == (5, 5)
    assert add_pitch(found) is found
    monkeypatch.setattr(PitchModel, "predict", lambda *_: pytest.fail("measured again"))
    again = add_pitch(
        voices.select(media_with_sound := voices.items[:4]), estimator="autocorrelation", cache=tmp_path / "cache"
    )
    assert again.frame.get_column("f0_hz").to_list() == hertz[: len(media_with_sound)]


def test_groups_by_pitch_name_what_measured_it(voices: AnnotationTable) -> None:
    found = add_pitch(voices, estimator="autocorrelation")
    binned = with_bins(found.frame, BINS.model_copy(update={"minimum_items": 1}))
    assert binned.frame.get_column("f0_hz_group").to_list() == ["low", "medium", "high", None, None]
    assert binned.notes[0] == "f0_hz measured by autocorrelation 1"
    nobody = found.frame.with_columns(pl.lit(None, pl.String).alias("f0_hz_measured_by"))
    assert "measured" not in " ".join(with_bins(nobody, BINS).notes)
    with pytest.raises(UnknownNameError):
        add_pitch(voices, estimator="yin")


def test_a_model_that_works_worse_for_low_voices_fails(speech: Any, outcome: Any) -> None:
    number = speech.table.frame.get_column("subject").str.slice(1).cast(pl.Int64)
    hertz = pl.select(
        pl.when(number % 3 == 0).then(110.0).when(number % 3 == 1).then(170.0).otherwise(230.0)
    ).to_series()
    frame = speech.table.frame.with_columns(hertz.alias("f0_hz"))
    world = speech.with_frame(frame)
    skill = np.where(hertz.to_numpy() == 110.0, 0.3, 0.9)
    found = outcome("fairness-pitch", world, world.predictions(world.right(skill)))
    assert {one.place.group for one in found.verdicts} == {"low", "medium", "high"}
    assert found.one("uar_difference", group="low").status == "failed"
    alike = outcome("fairness-pitch", world, world.predictions(world.right(0.7)))
    assert "failed" not in alike.statuses()
