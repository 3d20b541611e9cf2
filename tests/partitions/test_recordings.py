"""Views, persons and frames of one recording in two sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl
import pytest

from affectcheck.annotations import AnnotationTable, make_table
from affectcheck.partitions import AuditOptions, Chance, PartitionOptions, audit, partition
from affectcheck.schemes import Target, scheme

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.partitions import Audit

VIEWS, PERSONS, FRAMES = (
    "no view of a recording in two sets",
    "persons of one video in one set",
    "no frames of one video in two sets",
)


def table_of(parts: dict[str, str], **columns: list[object]) -> AnnotationTable:
    frame = pl.DataFrame({"item": list(parts), "partition": list(parts.values()), **columns})
    targets = [Target("expression", scheme("expressions-4"))] if "expression" in columns else []
    return make_table(frame, targets=targets)


def judge(table: AnnotationTable, **options: object) -> Audit:
    return audit(table, options=AuditOptions(chance=Chance(draws=10), **options))


def test_two_cameras_of_one_recording() -> None:
    table = table_of({"x/LeftVideoSN001_comp.avi": "train", "x/RightVideoSN001_comp.avi": "test", "b.avi": "test"})
    finding = judge(table)[VIEWS]
    assert (finding.status, finding.point) == ("failed", "iv")
    assert finding.items == ("x/LeftVideoSN001_comp.avi", "x/RightVideoSN001_comp.avi")
    assert (
        "1 recording with several views is in more than one set, 1 pair of items: x/VideoSN001_comp" in finding.reason
    )
    assert judge(table, views="none")[VIEWS].status == "not applicable"
    assert judge(table, views=r"SN\d+")[VIEWS].status == "failed"
    assert judge(table, views=r"SM\d+")[VIEWS].reason == r"the rule 'SM\\d+' finds none"


def test_two_cameras_in_one_set_and_of_two_folders() -> None:
    together = table_of({"LeftVideo1.avi": "train", "RightVideo1.avi": "train", "c.avi": "test"})
    assert judge(together)[VIEWS].status == "passed"
    apart = table_of({"a/LeftVideo1.avi": "train", "b/RightVideo1.avi": "test"})
    assert judge(apart)[VIEWS].status == "passed"
    plain = table_of({"left_eye.jpg": "train", "right_eye.jpg": "test"})
    assert judge(plain)[VIEWS].status == "not applicable"


# A14


@pytest.mark.shared
def test_the_collected_case_of_two_views(cases: Path) -> None:
    frame = pl.read_csv(cases / "A14_disfa_like.csv").rename({"name": "item"})
    table = make_table(frame, targets=[], groups=("gender",))
    rule = PartitionOptions(subjects=r"SN\d+")
    made = partition(table, options=rule)
    found = audit(table, made, options=AuditOptions(partition=rule))
    assert found["subject independence"].reason == "each of 6 subjects is in one set only"
    assert found.units == {"subjects": 6}
    assert (found.adequacy.filter(pl.col("value") == "all")["items"] % 4 == 0).all()
    assert {found[name].status for name in (VIEWS, FRAMES)} == {"passed"}
    # by folder there are 12 "subjects", whose two views may fall apart
    folder = pl.col("item").str.extract("^([^/]+)/")
    by_folder = frame.with_columns(
        subject=folder, part=pl.when(folder.str.contains("Left")).then(pl.lit("train")).otherwise(pl.lit("test"))
    )
    wrong = audit(make_table(by_folder, targets=[], groups=("gender",)), by_folder.select("item", "part"))
    assert wrong["subject independence"].reason == "each of 12 subjects is in one set only"
    assert wrong[VIEWS].status == "failed"
    assert len(wrong[VIEWS].items) == 24


@pytest.mark.parametrize("subject", [False, True])
def test_persons_of_one_video_are_a_caution(subject: bool) -> None:
    parts = {
        "v1_left/0001.jpg": "train",
        "v1_right/0001.jpg": "test",
        "v2/0001.jpg": "test",
        "v2_left/0001.jpg": "train",
    }
    columns = {"subject": ["v1_left", "v1_right", "v2", "v2_left"]} if subject else {}
    found = judge(table_of(parts, **columns))
    finding = found[PERSONS]
    assert finding.status == "inconclusive"
    assert "2 videos of several persons are in more than one set" in finding.reason
    assert finding.reason.endswith("other people, but of one scene")
    assert finding.items == tuple(sorted(parts))
    assert found["subject independence"].status == ("passed" if subject else "inconclusive")
    rows = found.offending.filter(pl.col("rule") == PERSONS)
    assert rows["value"].to_list() == ["v1", "v1", "v2", "v2"]
    assert rows["set"].to_list() == ["train", "test", "test", "train"]


def test_persons_known_by_their_subjects_alone() -> None:
    parts = {"a": "train", "b": "train", "c": "test"}
    table = table_of(parts, subject=["v1_left", "v1_right", "v2"], media=["1.mp4", "2.mp4", "3.mp4"])
    assert judge(table)[PERSONS].status == "passed"
    assert judge(table_of(parts))[PERSONS].status == "not applicable"


def frames_of(layout: dict[str, str], numbers: list[str]) -> dict[str, str]:
    parts = {}
    for folder, part in layout.items():
        for place, number in enumerate(numbers):
            parts[f"{folder}/{number}.jpg"] = "train" if place % 2 else part
    return parts


def test_folders_of_numbered_frames_are_videos() -> None:
    table = table_of(frames_of({"v1": "test", "v2": "test", "v3": "train"}, ["00001", "00002", "00003"]))
    finding = judge(table)[FRAMES]
    assert finding.status == "failed"
    assert "2 videos are in more than one set" in finding.reason
    assert "are taken for videos, unless told otherwise" in finding.reason
    assert len(finding.items) == 6
    assert judge(table, videos="none")[FRAMES].status == "not applicable"
    assert judge(table, videos=r"^(.*)/")[FRAMES].status == "failed"
    whole = table_of(frames_of({"v1": "train", "v2": "train"}, ["00001", "00002"]) | {"v3/00001.jpg": "test"})
    assert judge(whole)[FRAMES].status == "passed"


@pytest.mark.parametrize(
    ("folders", "numbers", "why"),
    [
        (("train", "val"), ["00001", "00002"], "folders of sets"),
        (("anger", "happiness"), ["00001", "00002"], "folders of classes"),
        (("images",), ["00001", "00002"], "one folder: numbers are names"),
        (("p1", "p2"), ["1", "20"], "numbers of several widths"),
        (("p1", "p2"), ["01", "02"], "too few digits"),
    ],
)
def test_folders_that_are_no_videos(folders: tuple[str, ...], numbers: list[str], why: str) -> None:
    parts = frames_of(dict.fromkeys(folders, "test"), numbers)
    table = table_of(parts, expression=["anger", "happiness"] * (len(parts) // 2))
    assert judge(table)[FRAMES].status == "not applicable", why


def test_pictures_numbered_through_and_a_few_alike_among_many() -> None:
    parts = {f"{n // 10:03d}/{n:05d}.png": ("train", "test")[n % 2] for n in range(40)}
    assert judge(table_of(parts))[FRAMES].status == "not applicable", "no number stands in two folders"
    parts |= {"a/00001.png": "train", "a/00002.png": "test"}
    assert judge(table_of(parts))[FRAMES].status == "not applicable", "most folders are no videos"


def test_a_frame_column_says_that_they_are_frames() -> None:
    parts = {"v1/1.jpg": "train", "v1/2.jpg": "test", "v2/1.jpg": "test"}
    table = table_of(parts, frame=[1, 2, 1])
    finding = judge(table)[FRAMES]
    assert finding.status == "failed"
    assert "taken for" not in finding.reason
    of_media = table_of({"a": "train", "b": "test"}, frame=[1, 2], media=["v.mp4", "v.mp4"])
    found = judge(of_media)
    assert found[FRAMES].status == "not applicable"
    assert found["no recording in two sets"].status == "failed"
