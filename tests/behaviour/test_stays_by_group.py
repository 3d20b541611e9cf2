"""Shares of predictions that stay, group by group: by hand, and as the verdicts' differences say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest

from affectcheck.behaviour import SuiteOptions, examine, figure_tables, load_suites, plan
from affectcheck.behaviour.stays_by_group import COLUMNS, STAYS, stays_rows
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from affectcheck.predictions import PredictionTable

MASK = "face-fairness-under-mask"


def stays(world: Any, before: PredictionTable, after: PredictionTable, definitions: Any = None) -> Any:
    """Rows as mappings, and the verdicts."""
    planned = plan(definitions or load_suites([MASK]), before.card, world.table, options=SuiteOptions(resamples=0))
    options = SuiteOptions(resamples=0, perturbed={one.key: after for one in planned.perturbations})
    found = examine(planned, None, world.table, before, options)
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in stays_rows(planned, found)]
    assert figure_tables(planned, found).get(STAYS, {"rows": []})["rows"] == stays_rows(planned, found)
    return rows, found


@pytest.fixture(scope="module")
def people(speech: Any) -> Any:
    """Gender by subject; race by subject, of some unknown."""
    subject = np.arange(speech.table.height) // 40
    race = pl.Series("race", [("asian", "black", None)[s % 3] for s in subject], dtype=pl.String)
    frame = speech.table.frame.with_columns(race).rename({"sex": "gender"})
    return speech.with_frame(frame, groups=("gender", "race"))


def test_shares_of_classes(people: Any) -> None:
    moved = np.where(rng(3, "moved").random(len(people.truth)) < 0.2, (people.truth + 1) % 4, people.truth)
    before, after = (people.predictions(codes, media=("image",)) for codes in (people.truth, moved))
    rows, found = stays(people, before, after)
    same, frame = moved == people.truth, people.table.frame
    expected = []
    for attribute in ("gender", "race"):
        groups = frame[attribute].to_list()
        for name in ("", *sorted({one for one in groups if one})):
            mask = np.array([one == name if name else one is not None for one in groups])
            expected.append((attribute, name, int(mask.sum()), pytest.approx(same[mask].mean())))
    assert [(row["attribute"], row["group"], row["items"], row["share"]) for row in rows] == expected
    shares = {(row["attribute"], row["group"]): row["share"] for row in rows}
    for verdict in found.verdicts:
        place = verdict.place
        if verdict.metric == "unchanged_difference" and (place.attribute, place.group) in shares and place.group:
            told = shares[place.attribute, place.group] - shares[place.attribute, ""]
            assert verdict.value == pytest.approx(told)


def test_shares_of_each_dimension(affect: Any) -> None:
    world = affect.with_frame(affect.table.frame.rename({"sex": "gender"}), groups=("gender",))
    values = world.near(0.1)
    shifted = np.clip(values + np.array([0.0, 0.2, 0.02]), 0, 1)
    rows, _ = stays(world, *(world.predictions(one, media=("image",)) for one in (values, shifted)))
    assert [row["dimension"] for row in rows] == ["arousal"] * 3 + ["dominance"] * 3 + ["valence"] * 3
    whole = {row["dimension"]: row["share"] for row in rows if not row["group"]}
    assert (whole["arousal"], whole["valence"]) == (1.0, 1.0)
    assert whole["dominance"] < 0.2


def test_nothing_is_told_where_nothing_is_known_or_asked(people: Any) -> None:
    before = people.predictions(people.truth, media=("image",))
    nobody = people.with_frame(people.table.frame.with_columns(race=pl.lit("unknown")), groups=("gender", "race"))
    rows, _ = stays(nobody, before, before)
    assert {row["attribute"] for row in rows} == {"gender"}
    (mask,) = load_suites([MASK])
    scores = tuple(
        task.model_copy(update={"comparison": tuple(one for one in task.comparison if one.metric != "unchanged")})
        for task in mask.task
    )
    assert stays(people, before, before, [mask.model_copy(update={"task": scores})])[0] == []
    assert stays(people, before, before, load_suites(["face-fairness-gender"]))[0] == []
    assert stays(people, before, before, load_suites(["face-robustness-mask"]))[0] == []
