"""What must stay together: subjects, views, clips, sessions, and two persons of one video."""

from __future__ import annotations

import polars as pl
import pytest

from affectcheck.errors import InputError, UnknownNameError
from affectcheck.partitions import PartitionOptions
from affectcheck.partitions.units import Units, units_of


def units(rows: list[dict], **options: object) -> Units:
    return units_of(pl.DataFrame(rows).sort("item"), PartitionOptions(**options))


def groups(found: Units, rows: list[dict]) -> list[list[str]]:
    items = sorted(row["item"] for row in rows)
    return [
        [item for item, code in zip(items, found.codes, strict=True) if code == unit] for unit in range(found.count)
    ]


def test_sessions_of_clips_of_subjects_are_one_unit_however_indirectly() -> None:
    rows = [
        {"item": "a", "subject": "s1", "session": "x", "clip": "1"},
        {"item": "b", "subject": "s1", "session": "y", "clip": "2"},
        {"item": "c", "subject": "s2", "session": "y", "clip": "3"},
        {"item": "d", "subject": "s3", "session": "z", "clip": "3"},
        {"item": "e", "subject": "s4", "session": None, "clip": None},
        {"item": "f", "subject": "s5", "session": None, "clip": None},
    ]
    found = units(rows, together=("session", "clip"))
    assert groups(found, rows) == [["a", "b", "c", "d"], ["e"], ["f"]]
    assert found.notes == ("5 subjects make 3 units, as some share the same session, clip",)
    assert units(rows, together=("session",)).count == 4
    assert units(rows, together=()).count == 5


def test_a_column_to_keep_together_that_is_not_there_is_no_silence() -> None:
    with pytest.raises(UnknownNameError, match="column that keeps items together 'sesion'") as caught:
        units([{"item": "a", "subject": "s", "session": "x"}], together=("media", "sesion"))
    assert "did you mean 'session'?" in caught.value.cause


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("v1_left.mp4", "v1_right.mp4"),
        ("set/v1_Left", "set/v1_RIGHT"),
        ("v1_left/00001.jpg", "v1_right/00001.jpg"),
        ("v1", "v1_right"),
    ],
)
def test_two_persons_of_one_video_stay_together(one: str, other: str) -> None:
    rows = [{"item": "a", "media": one, "subject": "p1"}, {"item": "b", "media": other, "subject": "p2"}]
    found = units(rows)
    assert found.count == 1
    assert "names that end in _left and _right are persons of one video, who stay in one set" in found.notes
    assert found.notes[-1] == "2 subjects make 1 unit, as some share the same media or video"
    assert units(rows, together=()).count == 2


@pytest.mark.parametrize(("one", "other"), [("v1_leftover.mp4", "v1_rightful.mp4"), ("v1left", "v1right"), ("a", "b")])
def test_other_names_are_other_videos(one: str, other: str) -> None:
    rows = [{"item": "a", "media": one, "subject": "p1"}, {"item": "b", "media": other, "subject": "p2"}]
    assert units(rows).count == 2


def test_without_media_the_names_of_items_and_persons_are_looked_at() -> None:
    rows = [{"item": "v1_left/1.jpg", "subject": "x"}, {"item": "v1_right/1.jpg", "subject": "y"}]
    found = units(rows)
    assert found.count == 1
    assert found.notes[-1] == "2 subjects make 1 unit, as some share the same video"
    persons = [
        {"item": "1", "subject": "v1_left"},
        {"item": "2", "subject": "v1_right"},
        {"item": "3", "subject": "v2"},
    ]
    assert units(persons).count == 2
    empty = [{"item": "v1_left", "media": None, "subject": "x"}, {"item": "v1_right", "media": None, "subject": "y"}]
    assert units(empty).count == 1


def test_names_with_sides_that_change_nothing_are_not_spoken_of() -> None:
    rows = [
        {"item": "a", "media": "v1_left.mp4", "subject": "p"},
        {"item": "b", "media": "v2_left.mp4", "subject": "q"},
    ]
    found = units(rows)
    assert found.count == 2
    assert not found.notes


@pytest.mark.parametrize("subject", [True, False])
def test_two_views_of_one_recording_stay_together(subject: bool) -> None:
    rows = [
        {"item": f"d/{side}VideoSN00{n}/{frame}.png", "subject": f"{side}VideoSN00{n}"}
        for n in (1, 2)
        for side in ("Left", "Right")
        for frame in (1, 2)
    ]
    rows = rows if subject else [{"item": row["item"]} for row in rows]
    how = {} if subject else {"subjects": "none"}
    found = units(rows, **how)
    assert groups(found, rows) == [sorted(r["item"] for r in rows if f"SN00{n}" in r["item"]) for n in (1, 2)]
    said = "names such as LeftVideo… and RightVideo… are two views of one recording, which stay in one set"
    assert found.notes[0] == said
    assert "make 2 units, as some share the same video" in found.notes[1]
    assert units(rows, together=(), **how).count == (4 if subject else 8)
    named = units(rows, subjects=r"SN\d+")  # who knows the persons has nothing to be told
    assert named.count == 2
    assert not named.notes


def test_views_of_other_recordings_and_folders_part() -> None:
    rows = [
        {"item": "a", "media": "x/LeftVideo1.avi", "subject": "p"},
        {"item": "b", "media": "y/RightVideo1.avi", "subject": "q"},
        {"item": "c", "media": "x/RightVideo2.avi", "subject": "r"},
        {"item": "d", "media": None, "subject": "s"},
    ]
    assert units(rows).count == 4


@pytest.mark.parametrize(("rule", "missed"), [(r"x(\d)|s\d", 2), (r"s(\d*)", 1), (r"(s)\d", 1), (r"s\d", 1)])
def test_a_group_of_the_rule_that_finds_nothing_finds_no_subject(rule: str, missed: int) -> None:
    rows = [{"item": "x1"}, {"item": "s2"}, {"item": "s3"}, {"item": "s"}]
    rows = rows[1:] if missed == 1 else rows[:3]
    with pytest.raises(InputError, match=f"finds no subject in {missed} of 3 items") as caught:
        units(rows, subjects=rule)
    assert caught.value.what.startswith(f"the rule '{rule}' finds")
    assert caught.value.where == ("s" if missed == 1 else "s2, s3")
