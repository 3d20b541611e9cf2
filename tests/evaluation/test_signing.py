"""What changes a number changes the signature, and what changes none does not."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from affectcheck.evaluation import EvaluationOptions, ScoredColumns, evaluate_frames
from affectcheck.schemes import DimensionScheme, UnitScheme

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
