"""What changes a number changes the signature, and what changes none does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

from affectcheck.evaluation import EvaluationOptions, ScoredColumns, evaluate_frames, score_folder
from affectcheck.schemes import DimensionScheme, UnitScheme

if TYPE_CHECKING:
    from pathlib import Path

RANDOM = np.random.default_rng(5)
AFFECT = pl.DataFrame(
    {
        "item": [f"i{n}" for n in range(60)],
        "subject": [f"s{n % 12}" for n in range(60)],
        "sex": ["f", "m"] * 30,
        "valence": np.round(RANDOM.uniform(-1, 1, 60), 3),
        "arousal": np.round(RANDOM.uniform(-1, 1, 60), 3),
        "p_valence": np.round(RANDOM.uniform(-1, 1, 60), 3),
        "p_arousal": np.round(RANDOM.uniform(-1, 1, 60), 3),
    }
)


def scored(name: str, *, reach: float = 1.0, **options: object) -> object:
    scheme = DimensionScheme("two", ("valence", "arousal"), -reach, reach)
    told = EvaluationOptions(**{"metrics": (name,), "resamples": 50} | options)
    return evaluate_frames(AFFECT, columns=ScoredColumns(labels=scheme, scores="p_"), options=told)[name]


class TestWhatChangesANumber:
    def test_the_range_of_a_histogram(self) -> None:
        narrow, wide = scored("jsd"), scored("jsd", reach=2.0)
        assert narrow.value != wide.value
        assert narrow.signature.options == "bins=10,range=-1/1,base=2,distance"
        assert wide.signature.options == "bins=10,range=-2/2,base=2,distance"

    def test_the_level_of_an_interval(self) -> None:
        usual, narrow = scored("ccc"), scored("ccc", level=0.8)
        assert usual.interval.low < narrow.interval.low
        assert (usual.signature.resamples, narrow.signature.resamples) == ("50", "50 level 0.8")

    def test_the_last_digit_of_a_threshold(self) -> None:
        frame = {"AU1": [1, 0, 1], "p_AU1": [0.12345678, 0.1, 0.9]}
        columns = ScoredColumns(labels=UnitScheme("one", ("AU1",)), scores="p_")
        found = [
            evaluate_frames(frame, columns=columns, options=EvaluationOptions(thresholds=at, resamples=0))["unit_f1"]
            for at in (0.12345678, 0.12345679)
        ]
        assert [one.value for one in found] == [1.0, pytest.approx(2 / 3)]
        assert [one.signature.thresholds for one in found] == ["0.12345678", "0.12345679"]


class TestWhatChangesNone:
    def test_groups_beside_a_score_over_all_items(self) -> None:
        alone, beside = scored("ccc"), scored("ccc", by=("sex",))
        assert str(beside.signature) == str(alone.signature)

    def test_further_attributes_beside_a_score_of_groups(self) -> None:
        frame = AFFECT.with_columns(age=pl.Series(["old", "old", "young"] * 20))
        columns = ScoredColumns(labels=DimensionScheme("two", ("valence", "arousal"), -1.0, 1.0), scores="p_")
        found = [
            evaluate_frames(frame, columns=columns, options=EvaluationOptions(by=by, metrics=("ccc",), resamples=50))
            for by in (("sex",), ("age", "sex"), ("sex", "age*sex"))
        ]
        assert len({str(one.groups("sex")["ccc"]["f"].signature) for one in found}) == 1
        assert len({one.groups("sex")["ccc"]["f"].interval for one in found}) == 1

    def test_frame_numbers_without_steps(self) -> None:
        told = EvaluationOptions(metrics=("ccc",), resamples=0)
        columns = ScoredColumns(labels=DimensionScheme("two", ("valence", "arousal"), -1.0, 1.0), scores="p_")
        frame = AFFECT.with_columns(frame=pl.int_range(1, 61))
        with_order = evaluate_frames(frame, columns=columns, options=told)["ccc"].signature
        assert with_order == evaluate_frames(AFFECT, columns=columns, options=told)["ccc"].signature


def test_who_is_in_which_group_is_signed() -> None:
    columns = ScoredColumns(labels=DimensionScheme("two", ("valence", "arousal"), -1.0, 1.0), scores="p_")
    told = EvaluationOptions(by=("sex",), metrics=("ccc", "ccc_gap"), resamples=0)
    swapped = AFFECT.with_columns(sex=pl.Series(["m", "f"] + ["f", "m"] * 29))
    one, other = (evaluate_frames(frame, columns=columns, options=told) for frame in (AFFECT, swapped))
    assert one["ccc"].signature == other["ccc"].signature
    first, second = one.by("sex")["ccc_gap"].signature, other.by("sex")["ccc_gap"].signature
    assert first.differences(second) == ("groups",)
    assert first.groups.startswith("sex=f,m@")


def test_rows_of_a_folder_are_signed_by_the_same_rule(tmp_path: Path) -> None:
    swapped = AFFECT.with_columns(sex=pl.Series(["m", "f"] + ["f", "m"] * 29))
    columns = ScoredColumns(labels=DimensionScheme("two", ("valence", "arousal"), -1.0, 1.0), scores="p_", name="rows")
    found = []
    for frame, by in ((AFFECT, ("sex",)), (swapped, ("sex",)), (AFFECT, ())):
        frame.write_parquet(tmp_path / "rows.parquet")
        told = EvaluationOptions(by=by, metrics=("ccc",), resamples=0)
        found.append(score_folder(tmp_path, columns=columns, options=told))
    assert len({one["ccc"].signature for one in found}) == 1
    groups = [one.groups("sex")["ccc"]["f"].signature.groups for one in found[:2]]
    assert groups[0] != groups[1]
