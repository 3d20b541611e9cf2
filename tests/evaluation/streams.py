"""Folders of Parquet files for tests, and the comparison of two evaluations of the same rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

from affectcheck.evaluation import EvaluationOptions, ScoredColumns, evaluate_frames
from affectcheck.evaluation import batches as batches_module
from affectcheck.evaluation.streaming import score_folder
from affectcheck.records import Score
from affectcheck.schemes import DimensionScheme, UnitScheme

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from affectcheck.evaluation import Evaluation
    from affectcheck.records import Scored, Signature

UNITS = UnitScheme("three", ("AU1", "AU2", "AU4"))
AFFECT = DimensionScheme("va", ("valence", "arousal"), -1.0, 1.0)
TRUTH_UNITS = {unit: unit for unit in UNITS.units}
PREDICTED_UNITS = {unit: f"p_{unit}" for unit in UNITS.units}
UNIT_COLUMNS = ScoredColumns(TRUTH_UNITS, PREDICTED_UNITS, labels=UNITS)
AFFECT_COLUMNS = ScoredColumns(
    {name: name for name in AFFECT.dimensions}, {name: f"p_{name}" for name in AFFECT.dimensions}, labels=AFFECT
)


def people(rows: int, seed: int = 0) -> dict[str, pl.Series]:
    """Subjects, each of one sex and age, some of whom are not known."""
    random = np.random.default_rng(seed)
    subject = np.sort(random.integers(0, 12, rows))
    sexes, ages = ["female", "male", "unsure", None], ["young", "old", "middle"]
    return {
        "subject": pl.Series([f"s{code:02d}" for code in subject]),
        "sex": pl.Series([sexes[code % 4] for code in subject], dtype=pl.String),
        "age": pl.Series([ages[code % 3] for code in subject], dtype=pl.Enum(["old", "young", "middle"])),
    }


def labelled(rows: int, seed: int = 0) -> pl.DataFrame:
    random = np.random.default_rng(seed)
    names = np.array(["anger", "fear", "joy"])
    truth = names[random.integers(0, 3, rows)]
    prediction = np.where(random.random(rows) < 0.6, truth, names[random.integers(0, 3, rows)])
    return pl.DataFrame({**people(rows, seed), "truth": truth, "prediction": prediction})


def coded_units(rows: int, seed: int = 0) -> pl.DataFrame:
    random = np.random.default_rng(seed)
    columns: dict[str, object] = {}
    for unit in UNITS.units:
        truth = random.integers(-1, 2, rows).astype(np.int8)
        columns[unit] = truth
        columns[f"p_{unit}"] = np.where(random.random(rows) < 0.7, np.maximum(truth, 0), 1).astype(np.int8)
    return pl.DataFrame({**people(rows, seed), **columns})


def affect(rows: int, seed: int = 0) -> pl.DataFrame:
    random = np.random.default_rng(seed)
    columns = {}
    for name in AFFECT.dimensions:
        truth = random.uniform(-1, 1, rows)
        columns[f"p_{name}"] = np.clip(truth + random.normal(0, 0.4, rows), -1, 1)
        columns[name] = pl.Series(np.where(random.random(rows) < 0.1, np.nan, truth)).fill_nan(None)
    return pl.DataFrame({**people(rows, seed), **columns})


def write(frame: pl.DataFrame, folder: Path, files: int = 3) -> Path:
    """The rows in several files, in order."""
    folder.mkdir()
    size = -(-frame.height // files)
    for number in range(files):
        frame.slice(number * size, size).write_parquet(folder / f"part-{number}.parquet")
    return folder


def both(
    frame: pl.DataFrame,
    folder: Path,
    columns: ScoredColumns | None = None,
    options: EvaluationOptions | None = None,
    **how: object,
) -> tuple[Evaluation, Evaluation]:
    """The same rows scored in memory and from a folder, in many small batches."""
    columns = columns or ScoredColumns()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batches_module, "BATCH", 97)
        streamed = score_folder(write(frame, folder), columns=columns, options=options, **how)
    from dataclasses import replace

    named = replace(columns, name=folder.name, model=folder.name)
    return evaluate_frames(frame, columns=named, options=options), streamed


def undigested(score: Scored) -> Signature:
    return score.signature.with_(data="", groups=score.signature.groups.partition("@")[0])


def assert_same(memory: Evaluation, streamed: Evaluation, tolerance: float = 0.0) -> None:
    """Every score, interval, floor, decision, note and signature, but for the digests of the data."""
    assert len(memory.scores) == len(streamed.scores)
    for one, other in zip(memory, streamed, strict=True):
        place = (one.metric, one.place)
        assert (other.metric, other.place) == place
        assert undigested(other) == undigested(one), place
        assert (other.support, other.notes, type(other)) == (one.support, one.notes, type(one)), place
        if not isinstance(one, Score):
            assert other.reason == one.reason, place
            continue
        close(one.value, other.value, tolerance, place)
        assert (one.interval is None, one.floor is None) == (other.interval is None, other.floor is None), place
        if one.interval:
            for name in ("low", "high"):
                close(getattr(one.interval, name), getattr(other.interval, name), tolerance, place)
            assert one.interval.clusters == other.interval.clusters
        if one.floor:
            for name in ("mean", "quantile"):
                close(getattr(one.floor, name), getattr(other.floor, name), tolerance, place)
        assert getattr(one.decision, "outcome", None) == getattr(other.decision, "outcome", None)
    assert set(memory.notes) == set(streamed.notes)
    assert memory.counts == streamed.counts
    assert memory.labels == streamed.labels
    assert memory.attributes == streamed.attributes
    same_tables(memory, streamed)


def close(one: float, other: float, tolerance: float, place: object) -> None:
    assert other == pytest.approx(one, rel=tolerance, abs=tolerance) if tolerance else other == one, place


def same_tables(memory: Evaluation, streamed: Evaluation) -> None:
    assert memory.tables.keys() == streamed.tables.keys()
    for name, table in memory.tables.items():
        rows: Sequence[list] = table["rows"]
        assert streamed.tables[name]["columns"] == table["columns"]
        assert streamed.tables[name]["rows"] == rows, name
