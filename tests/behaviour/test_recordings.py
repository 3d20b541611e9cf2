"""Recording conditions: utterances are paired by speaker and text, whatever the order; the rest is counted."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest

from affectcheck.behaviour import load_suites, plan
from affectcheck.behaviour.recordings import match

TEST = "robustness-recording-condition"
DEVICES = ("headset", "boundary", "mobile")


def recorded(world: Any, devices: tuple[str, ...] = DEVICES) -> Any:
    """The same world, its items being utterances that several devices recorded one after the other; no labels."""
    n = world.table.height
    number = np.arange(n) % 40
    frame = world.table.frame.drop(world.table.target().columns).with_columns(
        channel=pl.Series([devices[one % len(devices)] for one in number]),
        text=pl.Series([f"t{one // len(devices):02d}" for one in number]),
    )
    return replace(world, table=replace(world.table, frame=frame, targets={}))


def by_text(world: Any, spread: dict[str, float]) -> np.ndarray:
    """A class for every text and speaker; some devices change a share of them."""
    frame = world.table.frame
    text = frame["text"].str.slice(1).cast(pl.Int64).to_numpy()
    speaker = frame["subject"].str.slice(1).cast(pl.Int64).to_numpy()
    codes = (text + speaker) % 4
    for device, share in spread.items():
        moved = (frame["channel"] == device).to_numpy() & ((13 * speaker + text) % 20 < 20 * share)
        codes = np.where(moved, (codes + 1) % 4, codes)
    return codes


def test_each_device_is_compared_with_the_reference(speech: Any, outcome: Any) -> None:
    world = recorded(speech)
    found = outcome(TEST, world, world.predictions(by_text(world, {"mobile": 0.5})))
    groups = {one.place.group: one for one in found.verdicts}
    assert set(groups) == {"headset-boundary", "headset-mobile"}
    assert groups["headset-boundary"].value == 1.0
    assert groups["headset-boundary"].status == "passed"
    assert groups["headset-mobile"].value == pytest.approx(0.5, abs=0.02)
    assert groups["headset-mobile"].status == "failed"
    assert groups["headset-mobile"].place.attribute == "channel"
    assert groups["headset-mobile"].support == 40 * 13
    assert groups["headset-boundary"].baseline == pytest.approx(0.25, abs=0.06)
    told = " ".join(groups["headset-mobile"].notes)
    assert "40 recordings by headset have no partner by mobile" in told
    assert "clusters (subject)" in told


def test_every_dimension_is_compared(affect: Any, outcome: Any) -> None:
    world = recorded(affect)
    text = world.table.frame["text"].str.slice(1).cast(pl.Int64).to_numpy()
    values = np.repeat((text / 20)[:, None], 3, axis=1)
    shifted = values + 0.2 * (world.table.frame["channel"] == "mobile").to_numpy()[:, None] * np.array([1, 0, 0])
    found = outcome(TEST, world, world.predictions(shifted))
    assert len(found.verdicts) == 6
    assert found.one("unchanged", group="headset-mobile", part="arousal").value == 0.0
    assert found.one("unchanged", group="headset-mobile", part="valence").value == 1.0
    assert found.one("unchanged", group="headset-boundary", part="arousal").value == 1.0


def test_the_order_of_the_rows_does_not_matter(speech: Any, outcome: Any) -> None:
    world = recorded(speech)
    values = by_text(world, {"mobile": 0.5})
    definition = load_suites([TEST])[0]
    few = definition.model_copy(update={"data": definition.data.model_copy(update={"maximum_items": 300})})
    first = outcome([few], world, world.predictions(values), baseline=False)
    order = np.random.Generator(np.random.PCG64(3)).permutation(world.table.height)
    turned = replace(world, table=replace(world.table, frame=world.table.frame[order]))
    again = outcome([few], turned, turned.predictions(values[order]), baseline=False)
    assert [one.value for one in again.verdicts] == [one.value for one in first.verdicts]
    assert {one.support for one in first.verdicts} == {300}
    assert "300 of 520 pairs are drawn" in first.verdicts[0].notes
    other = outcome([few], world, world.predictions(values), baseline=False, seed=1)
    assert [one.value for one in other.verdicts] != [one.value for one in first.verdicts]


def test_one_device_alone_is_not_applicable(speech: Any, outcome: Any) -> None:
    for devices in (("headset",), ("boundary", "mobile")):
        world = recorded(speech, devices)
        (verdict,) = outcome(TEST, world, world.predictions(by_text(world, {}))).verdicts
        assert verdict.status == "not applicable"
        assert verdict.reason.endswith(f"there are: {', '.join(sorted(devices))}")


def test_a_table_without_the_columns_is_not_applicable(speech: Any) -> None:
    planned = plan(load_suites([TEST]), speech.card(), speech.table)
    assert planned.tests[0].reason == "the table has no column 'channel'"


def pairs(frame: pl.DataFrame, condition: str = "mobile") -> Any:
    return match(frame, load_suites([TEST])[0].reference, condition)


def test_repeated_and_incomplete_recordings_are_left_out_and_counted() -> None:
    frame = pl.DataFrame(
        {
            "item": ["a", "b", "c", "d", "e", "f"],
            "subject": ["s", "s", "s", "s", None, "r"],
            "text": ["1", "1", "1", "2", "1", "1"],
            "channel": ["mobile", "headset", "headset", "headset", "mobile", "mobile"],
        }
    )
    found = pairs(frame)
    assert (found.reference, found.others) == ((1,), (0,))
    assert found.notes == (
        "1 recordings without subject and text are left out",
        "1 repeated recordings are left out",
        "1 recordings by headset have no partner by mobile",
        "1 recordings by mobile have no partner by headset",
    )
    assert pairs(frame[:2]).notes == ()
