"""A test over any column, and the limits of the five that ship."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest

from affectcheck.behaviour import load_suite
from affectcheck.behaviour.fairness_any import group_test
from affectcheck.behaviour.published_layout import layout
from unlabelled_items import by_place, guesses, make_items, verdicts

if TYPE_CHECKING:
    from pathlib import Path


def test_a_column_of_a_labelled_set_is_compared_on_equal_truth(speech: Any, outcome: Any) -> None:
    devices = [("phone", "headset", "car")[i % 3] if i > 20 else "radio" for i in range(len(speech.truth))]
    frame = speech.table.frame.with_columns(pl.Series("device", devices))
    world = speech.with_frame(frame, groups=("sex", "device"))
    worse = np.where(np.array(devices) == "car", 0.3, 0.9)
    found = outcome([group_test("device", labelled=True)], world, world.predictions(world.right(worse)))
    uar = found.one("uar_difference", group="car")
    assert (uar.test, uar.status, uar.place.attribute) == ("fairness-by-device", "failed", "device")
    assert {one.reason for one in found.verdicts if one.place.group == "radio"} == {
        "21 items, the test takes at least 30 a group"
    }
    two = group_test("device", labelled=True, values=("phone", "headset"))
    fair = outcome([two], world, world.predictions(world.right(worse)))
    assert {one.place.group for one in fair.verdicts} == {"phone", "headset"}
    assert "failed" not in fair.statuses()


def test_a_column_of_a_set_without_labels_is_compared_by_its_predictions() -> None:
    table = make_items("dialect", {"north": 200, "south": 200, "west": 30})
    rows = (table.frame.get_column("dialect") == "north").to_numpy()
    found = verdicts(group_test("dialect", labelled=False), table, guesses(table, "dimensions", rows=rows, by=0.2))
    assert by_place(found, "mean_difference")["north", "arousal"].status == "failed"
    assert by_place(found, "mean_difference")["west", "arousal"].status == "not applicable"


def test_names_follow_the_column() -> None:
    assert group_test("Race (perceived)", labelled=True).name == "fairness-by-race-perceived"
    named = [group_test(column, labelled=True).name for column in ("性別", "年齢")]
    assert len(set(named)) == 2
    assert group_test("race", labelled=True).title == "Fairness: race"
    assert group_test("race", labelled=True).groups.columns == ("race",)  # type: ignore[union-attr]


def test_combinations_of_columns_are_groups_too(speech: Any, outcome: Any) -> None:
    devices = pl.Series("device", [("phone", "headset")[(i // 40) // 2 % 2] for i in range(len(speech.truth))])
    world = speech.with_frame(speech.table.frame.with_columns(devices), groups=("sex", "device"))
    hurt = ((devices == "phone") & (world.table.frame["sex"] == "female")).to_numpy()
    test = group_test("device*sex", labelled=True)
    assert (test.name, test.title) == ("fairness-by-device-sex", "Fairness: device*sex")
    found = outcome([test], world, world.predictions(world.right(np.where(hurt, 0.3, 0.9))))
    uar = {one.place.group: one.status for one in found.of("uar_difference", attribute="device*sex")}
    assert set(uar) == {"phone*female", "phone*male", "headset*female", "headset*male"}
    assert uar["phone*female"] == "failed"


@pytest.mark.shared
def test_limits_are_those_that_were_published(shared_data: Path) -> None:
    published = json.loads((shared_data / "reference" / "ser_thresholds.json").read_text())
    tests = {one.name: one for one in load_suite("fairness")}
    seen = set()
    for entry in published:
        if not entry["test"].startswith("fairness"):
            continue
        title = layout().title(entry["test"], entry["metric"])
        test = tests[layout().name(entry["test"], title.ending)]
        task = test.task_of("categories" if entry["task"] == "emotion" else "dimensions")
        assert task is not None
        (one,) = [c for c in task.comparison if c.metric == title.metric and c.per in title.per]
        assert (one.limit, one.rule) == (entry["threshold"], "abs_lt")
        seen.add((test.name, task.kind, one.metric, one.per))
    assert len(seen) == 27
    assert seen == {(t.name, k.kind, c.metric, c.per) for t in tests.values() for k in t.task for c in k.comparison}
