"""The face baseline on drawn faces, people apart."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

from affectcheck.datasets import load_dataset
from affectcheck.errors import InputError
from affectcheck.metrics import METRICS
from affectcheck.models import Baseline
from affectcheck.predictions import PredictOptions, no_progress, predict
from affectcheck.schemes import parts as parts_of
from affectcheck.tallies import Confusion, Moments, Units
from affectcheck.training import TrainOptions, cross_validate, load_recipe, parse_recipe, train

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable

pytest.importorskip("cv2")
pytest.importorskip("PIL")
SUBJECTS = 32


@pytest.fixture(scope="module")
def faces(tmp_path_factory: pytest.TempPathFactory) -> AnnotationTable:
    """224 pictures of 32 people."""
    return load_dataset("drawn-faces", tmp_path_factory.mktemp("faces"), subjects=SUBJECTS, takes=1)


@pytest.fixture(scope="module")
def parts(faces: AnnotationTable) -> dict[str, list[str]]:
    people = faces.frame.get_column("subject").unique().sort().to_list()
    of = dict(faces.frame.select("item", "subject").iter_rows())
    place = {person: number % 4 for number, person in enumerate(people)}
    names = ("train", "train", "validation", "test")
    return {
        name: [item for item in faces.items if names[place[of[item]]] == name]
        for name in ("train", "validation", "test")
    }


@pytest.fixture(scope="module")
def options(tmp_path_factory: pytest.TempPathFactory) -> TrainOptions:
    return TrainOptions(recipe="face-baseline", cache=tmp_path_factory.mktemp("features"), progress=no_progress)


def value(table: AnnotationTable, model: Baseline, target: str, metric: str) -> float:
    """A metric on pictures of other people."""
    found = predict(model, table, options=PredictOptions(progress=no_progress))
    if model.card.kind == "categories":
        truth = table.frame.get_column(target).to_physical().to_numpy()
        tally: object = Confusion.count(truth, found.frame["prediction"].to_physical().to_numpy(), labels=7)
    else:
        columns = parts_of(table.targets[target].scheme)
        truth = table.frame.select(columns).to_numpy()
        made = found.frame.select(columns).to_numpy()
        tally = Moments.of(truth, made) if model.card.kind == "dimensions" else Units.count(truth, made >= 0.5)
    return float(METRICS.get(metric).compute(tally))


# Chance is .143, about .42 (units are half of the time absent) and 0.
@pytest.mark.parametrize("case", [("expression", "uar", 0.75), ("au", "unit_f1", 0.65), ("affect", "ccc", 0.7)])
def test_people_never_seen(
    case: tuple[str, str, float], faces: AnnotationTable, parts: dict[str, list[str]], options: TrainOptions
) -> None:
    target, metric, least = case
    trained = train(faces, parts, options=replace(options, target=target))
    assert trained.report.choice.metric == metric
    assert value(faces.select(parts["test"]), trained.model, target, metric) > least
    assert trained.model.card.media == ("image",)


@pytest.mark.slow
def test_the_same_again_is_the_same_file(
    faces: AnnotationTable, parts: dict[str, list[str]], options: TrainOptions, tmp_path: Path
) -> None:
    for name in "ab":
        train(faces, parts, options=options).model.save(tmp_path / f"{name}.npz")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    assert Baseline.load(tmp_path / "a.npz").card.name == "face-baseline"


@pytest.mark.slow
def test_a_unit_that_is_unknown_in_places(
    faces: AnnotationTable, parts: dict[str, list[str]], options: TrainOptions
) -> None:
    some = pl.int_range(pl.len()) % 3 == 0
    frame = faces.frame.with_columns(AU1=pl.when(~some).then("AU1"))
    trained = train(replace(faces, frame=frame), parts, options=replace(options, target="au"))
    assert value(faces.select(parts["test"]), trained.model, "au", "unit_f1") > 0.65


@pytest.mark.slow
def test_cross_validation(faces: AnnotationTable, options: TrainOptions) -> None:
    half = [person for number, person in enumerate(faces.frame["subject"].unique().sort()) if number % 2]
    tested = faces.frame["subject"].is_in(half)
    folds = [
        (faces.items.filter(~tested).to_list(), faces.items.filter(tested).to_list()),
        (faces.items.filter(tested).to_list(), faces.items.filter(~tested).to_list()),
    ]
    done = cross_validate(faces, folds, options=options)
    truth = faces.frame["expression"].cast(pl.String)
    right = (done.predictions.frame["prediction"].cast(pl.String) == truth).mean()
    assert isinstance(right, float)
    assert right > 0.7


def test_a_recipe_of_faces_has_no_level() -> None:
    recipe = load_recipe("face-baseline")
    assert (recipe.measured, recipe.features) == ("face", "face")
    assert load_recipe("baseline-level-sensitive").measured == "sensitive"
    with pytest.raises(InputError, match="level: features of a face have none"):
        parse_recipe('features = "face"\nlevel = "normalised"', name="mine", where="mine.toml")


@pytest.mark.slow
def test_the_whole_corpus_trains_in_a_minute(tmp_path: Path) -> None:
    """Processor seconds, so that others on the machine do not matter."""
    faces = load_dataset("drawn-faces", tmp_path / "faces")
    people = faces.frame["subject"].unique().sort().to_list()
    tested = faces.frame["subject"].is_in(people[::3])
    learned = {"train": faces.items.filter(~tested).to_list()}
    started = time.process_time()
    options = TrainOptions(recipe="face-baseline", cache=tmp_path / "cache", progress=no_progress)
    model = train(faces, learned, options=options).model
    assert time.process_time() - started < 60
    assert value(faces.filter(tested), model, "expression", "uar") > 0.95
    assert np.isfinite(model.weights.matrix).all()
