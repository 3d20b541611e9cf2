"""What the scored items of a run tell of a study."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

from affectcheck.errors import InputError, MissingPathError, UnknownNameError
from affectcheck.evaluation import Layout, PilotColumns, ScoredItems, agreement_of, read_pilot
from affectcheck.uncertainty import Study, plan_groups, plan_models

if TYPE_CHECKING:
    from pathlib import Path

CLASSES = ("anger", "fear", "joy")


def classes(folder: Path, *, seed: int = 0, subjects: int = 60, items: int = 25, unit: str = "subject") -> Path:
    """Speakers whose recall is 0.7 with a deviation of 0.1; women score 0.1 better than men."""
    random, shared = np.random.default_rng(seed), np.random.default_rng(99)
    subject = np.repeat(np.arange(subjects), items)
    right = np.clip(0.65 + 0.1 * (np.arange(subjects) % 2) + shared.normal(0, 0.1, subjects), 0, 1)[subject]
    truth = shared.integers(0, 3, subject.size)
    easy = shared.random(subject.size)
    hit = np.where(random.random(subject.size) < 0.5, easy, random.random(subject.size)) < right
    answer = np.where(hit, truth, (truth + 1) % 3)
    names = pl.Enum(CLASSES)
    frame = pl.DataFrame(
        {
            "item": [f"i{n}" for n in range(subject.size)],
            "cluster": [f"s{s}" for s in subject],
            "sex": pl.Series(["mf"[s % 2] for s in subject], dtype=pl.Enum(["f", "m"])),
            "truth": pl.Series([CLASSES[t] for t in truth], dtype=names),
            "prediction": pl.Series([CLASSES[a] for a in answer], dtype=names),
        }
    ).with_columns(pl.when(pl.int_range(pl.len()) < 4).then(None).otherwise(pl.col("prediction")).alias("prediction"))
    layout = Layout("emotion", "categories", CLASSES, unit=unit, attributes=("sex",))
    ScoredItems(frame, layout).write(folder / "items.parquet")
    return folder


def dimensions(folder: Path, parts: tuple[str, ...] = ("valence",)) -> Path:
    random = np.random.default_rng(1)
    subject = np.repeat(np.arange(40), 30)
    truth = random.normal(0.5, 0.2, subject.size)
    value = 0.3 + 0.5 * truth + random.normal(0, 0.04, 40)[subject] + random.normal(0, 0.1, subject.size)
    columns = {"item": [f"i{n}" for n in range(subject.size)], "cluster": [f"s{s}" for s in subject]}
    columns |= {f"truth_{part}": truth for part in parts} | {f"prediction_{part}": value for part in parts}
    layout = Layout("affect", "dimensions", parts, 0.0, 1.0, unit="subject")
    ScoredItems(pl.DataFrame(columns), layout).write(folder / "items.parquet")
    return folder


def test_classes_tell_score_and_deviations(tmp_path: Path) -> None:
    found = read_pilot(classes(tmp_path), PilotColumns("accuracy", by="sex"))
    assert found.metric == "accuracy"
    assert found.population.score == pytest.approx(0.7, abs=0.03)
    assert found.spread.between == pytest.approx(0.1, abs=0.03)
    assert found.spread.within == pytest.approx(0.45, abs=0.03)
    assert (found.items, found.unit, found.spread.subjects) == (25, "subject", 60)
    assert found.population.within == pytest.approx(found.spread.within, abs=0.01)
    assert any("4 items of the pilot left out" in note for note in found.notes)
    assert any("tell how they differ only roughly" in note for note in found.notes)
    assert plan_groups(Study("accuracy", items=found.items, pilot=found.population)).needed > 10


def test_groups_of_other_means_are_no_deviation_between_subjects(tmp_path: Path) -> None:
    folder = classes(tmp_path)
    apart, together = (read_pilot(folder, PilotColumns("accuracy", by=by)).spread.between for by in ("sex", ""))
    assert together > apart


def test_the_headline_of_the_task_is_planned_by_default(tmp_path: Path) -> None:
    assert read_pilot(classes(tmp_path)).metric == "uar"
    assert read_pilot(tmp_path / "items.parquet").metric == "uar"


def test_a_dimension_tells_ccc(tmp_path: Path) -> None:
    found = read_pilot(dimensions(tmp_path))
    whole = ScoredItems.read(tmp_path / "items.parquet").frame
    truth, value = whole["truth_valence"].to_numpy(), whole["prediction_valence"].to_numpy()
    ccc = 2 * np.cov(truth, value, ddof=0)[0, 1] / (truth.var() + value.var() + (truth.mean() - value.mean()) ** 2)
    assert found.metric == "ccc"
    assert found.population.score == pytest.approx(ccc, rel=1e-9)
    assert found.population.within == pytest.approx(found.spread.within, rel=0.15)


def test_two_models_agree_as_their_hits_correlate(tmp_path: Path) -> None:
    first, second = (
        classes(tmp_path / str(seed), seed=seed) for seed in (1, 2) if (tmp_path / str(seed)).mkdir() is None
    )
    one, two = read_pilot(first), read_pilot(second)
    frames = [ScoredItems.read(folder / "items.parquet").frame.drop_nulls() for folder in (first, second)]
    hits = [(frame["truth"] == frame["prediction"]).to_numpy().astype(float) for frame in frames]
    assert agreement_of(one, two) == pytest.approx(np.corrcoef(hits)[0, 1])
    assert agreement_of(one, one) == 0.99
    study = Study("uar", items=25, pilot=one.population, agreement=agreement_of(one, two))
    assert plan_models(study).needed < plan_models(Study("uar", items=25, pilot=one.population)).needed


def test_pilots_without_items_in_common_do_not_tell_agreement(tmp_path: Path) -> None:
    one = read_pilot(classes(tmp_path))
    other = replace(one, rows=one.rows.with_columns(("other " + pl.col("item")).alias("item")))
    with pytest.raises(InputError, match="0 items in common"):
        agreement_of(one, other)


def test_several_dimensions_ask_for_one(tmp_path: Path) -> None:
    folder = dimensions(tmp_path, ("arousal", "valence"))
    assert read_pilot(folder, PilotColumns(part="valence")).population.score > 0.3
    with pytest.raises(InputError, match="several dimensions"):
        read_pilot(folder)
    with pytest.raises(UnknownNameError, match="valance"):
        read_pilot(folder, PilotColumns(part="valance"))


def test_what_is_no_pilot_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MissingPathError, match="scored items"):
        read_pilot(tmp_path)
    with pytest.raises(UnknownNameError, match="attribute of the pilot"):
        read_pilot(classes(tmp_path), PilotColumns(by="age"))
    with pytest.raises(InputError, match="belong to no subjects"):
        read_pilot(classes(tmp_path, unit="item"))
    units = Layout("action units", "units", ("AU1",), unit="subject")
    columns = {"item": ["a"], "cluster": ["s"], "truth_AU1": [1], "prediction_AU1": [0]}
    ScoredItems(pl.DataFrame(columns), units).write(tmp_path / "items.parquet")
    with pytest.raises(InputError, match="action units"):
        read_pilot(tmp_path)


def test_constant_predictions_are_refused(tmp_path: Path) -> None:
    items = ScoredItems.read(dimensions(tmp_path) / "items.parquet")
    constant = items.frame.with_columns(pl.lit(0.5).alias("prediction_valence"))
    ScoredItems(constant, items.layout).write(tmp_path / "items.parquet")
    with pytest.raises(InputError, match="constant"):
        read_pilot(tmp_path)
