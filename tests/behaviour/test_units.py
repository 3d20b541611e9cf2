"""Action units in behaviour tests: decided, measured cell by cell, compared between groups and under perturbations."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest

from affectcheck.behaviour import (
    SuiteOptions,
    examine,
    items_behind,
    load_suite,
    load_suites,
    parse_definition,
    plan,
    run,
)
from affectcheck.behaviour.figures import figure_tables
from affectcheck.behaviour.units import drawn_units, with_equal_truth
from affectcheck.errors import InputError
from affectcheck.metrics import METRICS
from affectcheck.models.card import ModelCard
from affectcheck.predictions import make_predictions
from affectcheck.schemes import Target, scheme
from affectcheck.seeds import rng
from affectcheck.tallies import Units
from affectcheck.uncertainty import Simulation

AU = ("AU1", "AU4", "AU12")


@pytest.fixture(scope="module")
def faces(speech: Any) -> Any:
    """1600 faces of which three units are annotated, the second of the first 100 not; AU12 with happiness."""
    draw, n = rng(2, "units"), speech.table.height
    truth = (draw.random((n, len(AU))) < (0.5, 0.3, 0.4)).astype(np.int8)
    truth[:, 2] = speech.truth == 1
    columns = [pl.Series(name, truth[:, m], dtype=pl.Int8) for m, name in enumerate(AU)]
    unknown = pl.int_range(pl.len()) < 100
    frame = speech.table.frame.with_columns(columns).rename({"sex": "gender"})
    frame = frame.with_columns(AU4=pl.when(unknown).then(None).otherwise(pl.col("AU4")))
    truth[:100, 1] = -1
    targets = {"units": Target("units", replace(scheme("au-12-affwild2"), units=AU)), **speech.table.targets}
    return replace(speech.with_frame(frame, targets=targets, groups=("gender",)), truth=truth)


def card(**changes: Any) -> ModelCard:
    return ModelCard("m", **({"kind": "units", "parts": AU, "output": "probability", "media": ("image",)} | changes))


def predicted(world: Any, present: Any, **changes: Any) -> Any:
    scores = np.where(np.asarray(present) > 0, 0.9, 0.1)
    return make_predictions(world.table.items, scores, card(**changes))


def missed(world: Any, share: Any, key: str = "missed") -> np.ndarray:
    """The truth, of which a share of what is present is not found."""
    draw = rng(9, key).random(world.truth.shape)
    return np.where(draw < np.reshape(share, (-1, 1)), 0, np.maximum(world.truth, 0))


def test_detection(faces: Any, outcome: Any) -> None:
    found = outcome("face-correctness-detection", faces, predicted(faces, missed(faces, 0.2)))
    assert found.statuses() == {"passed"}
    assert found.one("unit_recall", part="AU4").value == pytest.approx(0.8, abs=0.04)
    assert found.one("unit_precision", part="AU4").value == 1.0
    assert found.one("unit_recall", part="AU4").support == int(np.sum(faces.truth[:, 1] == 1))
    assert found.one("unit_f1").value == pytest.approx(0.89, abs=0.03)
    assert found.one("unit_f1").baseline == pytest.approx(0.42, abs=0.06)
    blind = outcome("face-correctness-detection", faces, predicted(faces, missed(faces, 0.8)))
    assert blind.one("unit_recall", part="AU1").status == "failed"
    rare = replace(faces, table=faces.table.filter(pl.int_range(pl.len()) < 12), truth=faces.truth[:12])
    few = outcome("face-correctness-detection", rare, predicted(rare, rare.truth))
    assert few.one("unit_recall", part="AU4").status == "not applicable"


def test_only_where_it_is_known_what_a_score_means(faces: Any) -> None:
    (test,) = load_suites(["face-correctness-detection"])
    scores = plan([test], card(output="score"), faces.table).tests[0]
    assert scores.reason.startswith("nothing says from which score on a unit is present")
    assert plan([test], card(output="label"), faces.table).tests[0].reason == ""
    other = plan([test], card(parts=("AU9",)), faces.table).tests[0]
    assert other.reason == "model and target share none of the tested units"


def test_units_that_make_up_an_expression(faces: Any, outcome: Any) -> None:
    found = outcome("face-correctness-consistency-units", faces, predicted(faces, faces.truth), target="units")
    assert found.one("in_range", part="AU12 happiness").value == 1.0
    assert found.one("in_range", part="AU12 neutral").status == "passed"
    assert found.one("in_range", part="AU4 anger").status == "failed"


def test_units_under_perturbations(faces: Any, outcome: Any) -> None:
    clean = predicted(faces, np.maximum(faces.truth, 0))
    after = predicted(faces, missed(faces, 0.5))
    found = outcome("face-robustness-jpeg", faces, clean, perturbed=after)
    assert found.one("unchanged").status == "failed"
    assert found.one("unchanged").value == pytest.approx(0.8, abs=0.05)
    assert found.one("unit_f1_change").value == pytest.approx(-1 / 3, abs=0.05)
    bare = replace(faces, table=replace(faces.table, targets={}))
    alone = outcome("face-robustness-jpeg", bare, clean, perturbed=after)
    assert alone.one("unchanged").value == found.one("unchanged").value
    assert alone.one("unit_f1_change").status == "not applicable"


def test_units_of_groups(faces: Any, outcome: Any) -> None:
    female = faces.sex == "female"
    even = outcome("face-fairness-gender", faces, predicted(faces, missed(faces, 0.2)))
    assert even.statuses() == {"passed"}
    worse = missed(faces, np.where(female, 0.6, 0.1))
    found = outcome("face-fairness-gender", faces, predicted(faces, worse))
    assert found.one("unit_recall_difference", group="female", part="AU1").status == "failed"
    assert found.one("unit_recall_difference", group="female", part="AU1").value == pytest.approx(-0.25, abs=0.05)
    assert found.one("eod").value == pytest.approx(0.5, abs=0.06)
    assert {found.one(name).status for name in ("eod", "dpd")} == {"failed"}
    assert found.one("unit_local_f1_difference").value is not None
    few = replace(faces, table=faces.table.filter(pl.int_range(pl.len()) < 50), truth=faces.truth[:50])
    small = outcome("face-fairness-gender", few, predicted(few, few.truth))
    assert small.statuses() == {"not applicable"}


def test_units_that_a_group_never_shows_are_in_no_distance(faces: Any, outcome: Any) -> None:
    frame = faces.table.frame.with_columns(
        *(
            pl.when(pl.col("gender") == "female").then(pl.lit(0, pl.Int8)).otherwise(pl.col(unit)).alias(unit)
            for unit in AU
        )
    )
    world = faces.with_frame(frame)
    found = outcome("face-fairness-gender", world, predicted(world, faces.truth))
    assert found.one("eod").reason == "no unit is present and absent often enough in every group"
    assert found.one("unit_recall_difference", group="female", part="AU1").support == 0
    alone = found.one("unit_recall_difference", group="male", part="AU1")
    assert alone.reason.startswith("no random model differs")


def test_a_perturbation_of_units_in_one_group(faces: Any, outcome: Any) -> None:
    clean = predicted(faces, np.maximum(faces.truth, 0))
    hurt = predicted(faces, missed(faces, np.where(faces.sex == "female", 0.7, 0.1)))
    found = outcome("face-fairness-under-jpeg", faces, clean, perturbed=hurt)
    assert found.one("unchanged_difference", group="female").status == "failed"
    assert set(found.statuses()) == {"failed"}


def test_groups_are_given_the_frequencies_of_all() -> None:
    tally = Units.of_counts([[[[80, 0], [2, 8]]], [[[20, 0], [10, 40]]]])
    equal = with_equal_truth(tally)
    shares = equal.counts.sum(axis=-1) / equal.counts.sum(axis=(-1, -2))[..., None]
    assert shares[0] == pytest.approx(shares[1])
    assert float(METRICS.get("dpd").compute(equal)) == pytest.approx(0.0)
    assert float(METRICS.get("dpd").compute(tally)) > 0.4
    lacking = with_equal_truth(Units.of_counts([[[[0, 0], [2, 8]]], [[[20, 0], [10, 40]]]]))
    assert np.isfinite(lacking.counts).all()


def test_models_that_guess_units() -> None:
    counts = np.array([[[30, 10]], [[20, 20]]])
    blocks = list(drawn_units(counts, Simulation(100, 0)))
    tables = np.concatenate([block.counts for block in blocks])
    assert tables.shape == (100, 2, 1, 2, 2)
    assert (tables.sum(axis=-1) == counts).all()
    assert tables[..., 1].sum() / tables.sum() == pytest.approx(0.5, abs=0.02)


def test_items_behind_verdicts_on_units(faces: Any) -> None:
    names = ["face-correctness-detection", "face-robustness-jpeg", "face-fairness-gender"]
    definitions = load_suites(names)
    clean, after = predicted(faces, missed(faces, 0.2)), predicted(faces, missed(faces, 0.5, "more"))
    planned = plan(definitions, clean.card, faces.table)
    options = SuiteOptions(resamples=50, perturbed={one.key: after for one in planned.perturbations})
    planned = plan(definitions, clean.card, faces.table, options=options)
    done = examine(planned, None, faces.table, clean, options)
    tests = {one.definition.name: one for one in planned.tests}

    def behind(metric: str, **place: str) -> pl.DataFrame:
        verdict = next(
            one
            for one in done.verdicts
            if one.metric == metric and all(getattr(one.place, key) == value for key, value in place.items())
        )
        return items_behind(verdict, tests[verdict.test], done).frame

    whole = behind("unit_f1")
    assert whole.get_column("size").max() <= 1.0
    assert whole.row(0, named=True)["truth"].startswith("AU1")
    assert behind("unit_recall", part="AU12").get_column("truth").unique().to_list() == ["AU12"]
    changed = behind("unchanged")
    assert changed.get_column("perturbed").null_count() == 0
    assert changed.get_column("size").min() > 0
    women = behind("unit_recall_difference", group="female", part="AU1")
    assert women.get_column("group").unique().to_list() == ["female"]
    assert figure_tables(planned, done) == {}
    with pytest.raises(LookupError):
        items_behind(done.verdicts[0], planned.tests[0], replace(done, table=None))


def test_only_units_are_compared_one_by_one() -> None:
    task = load_suites(["face-correctness-detection"])[0].model_dump()
    task["task"][0]["kind"] = "categories"
    with pytest.raises(InputError, match="only units have a comparison per unit"):
        parse_definition(task, where="made")


def test_the_whole_suite_runs_on_units(faces: Any) -> None:
    tests = [one for one in load_suite("faces") if one.kind != "group perturbation"]
    clean = predicted(faces, missed(faces, 0.2))
    planned = plan(tests, clean.card, faces.table)
    options = SuiteOptions(resamples=20, perturbed={one.key: clean for one in planned.perturbations}, reruns=1)
    planned = plan(tests, clean.card, faces.table, options=options)
    options = replace(options, perturbed={one.key: clean for one in planned.perturbations})
    assert {one.status for one in run(planned, None, faces.table, clean, options)} >= {"passed", "not applicable"}
