"""Curves of the differences that random models stay within."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl
import pytest

from affectcheck.audits import AuditOptions, audit, estimate
from affectcheck.audits.thresholds import SIZES, thresholds_table
from affectcheck.behaviour import load_suite
from affectcheck.behaviour.planning import Plan, PlannedTest
from affectcheck.errors import UnknownNameError
from affectcheck.records import Place, Verdict
from affectcheck.reports import render_markdown

if TYPE_CHECKING:
    from pathlib import Path

SEX = PlannedTest(next(test for test in load_suite("fairness") if test.name == "fairness-sex"))
PLAN = Plan((SEX,), None, "corrected", "data", 100)


def verdict(metric: str, group: str, support: int, *, value: float | None = 0.1, part: str = "") -> Verdict:
    place = Place("sex", group, part)
    return Verdict("fairness-sex", "fairness", metric, "passed", place=place, value=value, support=support)


def test_curves_fall_with_the_size_of_the_groups() -> None:
    found = [verdict("uar_difference", "female", 80), verdict("uar_difference", "male", 60)]
    found += [verdict("recall_difference", "male", 20, part="anger"), verdict("ccc_difference", "male", 7, value=None)]
    table = thresholds_table(PLAN, found, "categories", seed=1)["behaviour_thresholds"]
    rows = [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]
    assert {row["metric"] for row in rows} == {"uar", "recall"}
    assert {(row["groups"], row["actual"]) for row in rows} == {(2, 60)}
    limits = [row["limit"] for row in rows if row["metric"] == "uar"]
    assert len(limits) == len(SIZES)
    assert limits == sorted(limits, reverse=True)
    assert limits[0] == pytest.approx(limits[-1] * (SIZES[-1] / SIZES[0]) ** 0.5, rel=0.5)


def test_bins_do_not_tell_how_many_items_a_group_has() -> None:
    found = [verdict("share_difference", name, 900, part="arousal (0.5, 0.75]") for name in ("female", "male")]
    found += [verdict("ccc_difference", name, 70, part="arousal") for name in ("female", "male")]
    rows = thresholds_table(PLAN, found, "dimensions")["behaviour_thresholds"]["rows"]
    assert {row[1] for row in rows} == {"ccc"}
    assert {row[5] for row in rows} == {70}


def test_nothing_is_drawn_where_no_groups_were_compared() -> None:
    assert thresholds_table(PLAN, [], "categories") == {}
    assert thresholds_table(PLAN, [verdict("uar_difference", "female", 80)], "categories") == {}


@pytest.fixture(scope="module")
def devices(tones: Path, tmp_path_factory: pytest.TempPathFactory) -> AuditOptions:
    """Tones with a column of devices, and no sound."""
    folder = tmp_path_factory.mktemp("devices")
    labels = pl.read_csv(tones.parent / "labels.csv")
    device = pl.when(pl.col("speaker").str.slice(1).cast(pl.Int64) < 5).then(pl.lit("phone")).otherwise(pl.lit("desk"))
    labels.with_columns(device=device).write_csv(folder / "labels.csv")
    stated = tones.read_text().replace('groups = ["sex"]', 'groups = ["sex", "device"]').replace('media = "file"\n', "")
    (folder / "labels.toml").write_text(stated)
    return AuditOptions(
        data=f"table:{folder / 'labels.toml'}",
        model="random-categorical",
        by=("device", "sex", "sex*device"),
        suites=("fairness",),
        partition="none",
        resamples=20,
        workers=1,
        cache=folder / "cache",
    )


def test_any_column_is_compared_where_it_is_asked_for(devices: AuditOptions) -> None:
    from dataclasses import replace

    done = audit(devices, scored=False)
    tests = [test.definition.name for test in done.plan.tests] if done.plan else []
    assert [name for name in tests if name.startswith("fairness-by")] == [
        "fairness-by-device",
        "fairness-by-sex-device",
    ]
    made = [one for one in done.record.verdicts if one.test == "fairness-by-device"]
    assert {one.place.group for one in made if one.value is not None} == {"phone", "desk"}
    assert {one.metric for one in made} >= {"uar_difference", "recall_difference"}
    assert {row[0] for row in done.record.tables["behaviour_thresholds"]["rows"]} >= {"fairness-by-device"}
    assert "Differences that 99 % of 200 random models stay within" in render_markdown(done.record)
    values = audit(replace(devices, model="random-gaussian", tests=("fairness-by-*",)), scored=False)
    assert {one.metric for one in values.record.verdicts} == {"mean_difference", "share_difference"}
    costs = estimate(replace(devices, tests=("fairness-by-device",)))
    assert [test.definition.name for test in costs.plan.tests] == ["fairness-by-device"]
    alone = replace(devices, suites=("fairness-sex",))
    assert [test.definition.name for test in estimate(alone).plan.tests] == ["fairness-sex"]
    asked = replace(alone, by=("device", "sex"), tests_columns=True)
    assert [one.definition.name for one in estimate(asked).plan.tests] == ["fairness-sex", "fairness-by-device"]
    only = estimate(replace(asked, suites=()))
    assert [one.definition.name for one in only.plan.tests] == ["fairness-by-device", "fairness-by-sex"]
    with pytest.raises(UnknownNameError, match="unknown group column 'dvice'"):
        estimate(replace(devices, by=("dvice",)))
