"""Tracks: those that come with the package agree with the papers, those of users with themselves."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

import pytest

from affectcheck.challenges import catalogue
from affectcheck.challenges.catalogue import load_track, parse_track, track_names
from affectcheck.challenges.track import plain
from affectcheck.errors import InputError, MissingPathError, UnknownNameError
from affectcheck.partitions import published

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def values(**more: Any) -> dict[str, Any]:
    return {
        "format": 1,
        "name": "mine",
        "title": "Mine",
        "scheme": "expressions-7",
        "metric": "uar",
        "file": {"coding": "label"},
        **more,
    }


def test_the_tracks_of_the_papers_are_there() -> None:
    assert track_names() == (
        *("abaw6-au", "abaw6-ce", "abaw6-emi", "abaw6-expr", "abaw6-va"),
        *("affectnet-7", "affectnet-8", "affectnet-va", "disfa", "emotionet", "gft", "raf-au", "raf-db"),
    )


@pytest.mark.parametrize("name", track_names())
def test_each_says_what_it_is_and_survives_its_own_file(name: str) -> None:
    track = load_track(name)
    assert track.title
    assert track.source.startswith("paper ")
    assert track.higher_is_better
    assert track.submissions == 5
    assert len(track.columns) in (1, len(track.parts))
    assert parse_track(plain(track)) == track


@pytest.mark.parametrize(
    ("name", "parts", "split"),
    [
        ("abaw6-va", 2, "aff-wild2-va"),
        ("abaw6-expr", 8, "aff-wild2-expr"),
        ("abaw6-au", 12, "aff-wild2-au"),
        ("abaw6-ce", 7, "c-expr-db"),
        ("abaw6-emi", 6, "hume-vidmimic2"),
    ],
)
def test_counts_are_those_of_the_published_partitions(name: str, parts: int, split: str) -> None:
    track = load_track(name)
    assert len(track.parts) == parts
    frame = published(split).statistics.frame.filter(column="items", value="all", partition="challenge")
    assert dict(frame.select("set", "count").rows()) == track.data


def test_a_metric_fits_the_labels() -> None:
    for stated, fault in (
        ({"metric": "p_va"}, "metric 'p_va' scores dimensions, the scheme 'expressions-7' is of categories"),
        ({"metric": "recall"}, "is of each part; a ranking needs one number"),
        ({"metric": "p_expr"}, "metric 'p_expr' is of 8 parts, 'expressions-7' has 7"),
        ({"metric": "uarr"}, "unknown metric 'uarr'"),
        ({"scheme": "emotions"}, "unknown scheme 'emotions'"),
        (
            {"scheme": "valence-arousal", "metric": "mde", "file": {"coding": "value"}},
            "metric 'mde' has no direction to rank by",
        ),
    ):
        with pytest.raises(InputError, match=fault):
            parse_track(values(**stated))


def test_columns_fit_the_labels() -> None:
    for file, fault in (
        ({"coding": "value"}, "coding 'value' is not of categories: one-hot or label"),
        ({"coding": "one-hot", "columns": ["a", "b"]}, "2 columns for 7"),
        ({"coding": "label", "item": "Label"}, "two columns of one name"),
        ({"coding": "label", "by_video": True}, "a file a video, but its rows are no frames"),
        ({"coding": "labels"}, "file.coding: Input should be"),
    ):
        with pytest.raises(InputError, match=fault):
            parse_track(values(file=file))


def test_every_fault_is_told_at_once_with_the_nearest_key() -> None:
    with pytest.raises(InputError) as told:
        parse_track(values(titles="x", submissions=0, file={"coding": "label", "items": "id"}), where="t.toml")
    message = str(told.value)
    assert message.startswith("t.toml: 3 faults in a track:")
    assert "unknown key 'titles'" in message
    assert "did you mean 'title'" in message
    assert "unknown key 'items'" in message
    assert "did you mean 'item'" in message
    assert "submissions: Input should be greater than or equal to 1" in message


def test_own_labels() -> None:
    own = {"labels": ["calm", "tense"], "aliases": {"relaxed": "calm"}, "codes": {"0": "calm"}}
    track = parse_track(values(scheme="tension", own=own))
    assert track.parts == ("calm", "tense")
    assert track.declared.spellings()["relaxed"] == "calm"  # type: ignore[union-attr]
    with pytest.raises(InputError, match="the range of the dimensions is not given"):
        parse_track(values(scheme="s", own={"dimensions": ["a"]}, metric="ccc", file={"coding": "value"}))


def test_phases_are_half_open_and_carry_their_zone() -> None:
    end = datetime(2024, 3, 13, 23, 59, 59, tzinfo=timezone(timedelta(hours=-12)))
    phases = [
        {"name": "first", "closes": "2024-03-01T00:00:00Z"},
        {"name": "second", "opens": "2024-03-02T00:00:00Z", "closes": end.isoformat()},
    ]
    track = parse_track(values(phases=phases))
    names = {
        datetime(2024, 2, 1, tzinfo=UTC): "first",
        datetime(2024, 3, 1, tzinfo=UTC): None,
        datetime(2024, 3, 2, tzinfo=UTC): "second",
        end - timedelta(seconds=1): "second",
        end.astimezone(UTC): None,
    }
    assert {now: found.name if (found := track.phase(now)) else None for now in names} == names
    assert track.phases[1].state(datetime(2024, 3, 1, tzinfo=UTC)) == "before"
    assert track.phases[1].state(end) == "after"


@pytest.mark.parametrize(
    ("phases", "fault"),
    [
        ([{"name": "a", "opens": "2024-03-01T00:00:00"}], "a time without a zone"),
        ([{"name": "a", "opens": "2024-03-02T00:00:00Z", "closes": "2024-03-01T00:00:00Z"}], "it closes at"),
        ([{"name": "a"}, {"name": "a"}], "two phases of one name"),
        ([{"name": "a", "board": "secret"}], r"phases.0.board: Input should be 'public' or 'hidden'"),
        ([{"name": "a\x00"}], r"phases.0.name: .*has an invisible or direction-changing character, U\+0000"),
        ([{"name": "a", "split": "te\nst"}], r"phases.0.split: .*U\+000A"),
        ([{"name": "a" * 65}], r"phases.0.name: String should have at most 64 characters"),
        ([{"name": ""}], r"phases.0.name: String should have at least 1 character"),
    ],
)
def test_phases_that_cannot_be(phases: list[dict[str, Any]], fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        parse_track(values(phases=phases))


@pytest.mark.parametrize(
    ("title", "fault"), [("", "at least 1 character"), ("x" * 201, "at most 200"), ("a\u202eb", r"U\+202E")]
)
def test_titles_that_cannot_be(title: str, fault: str) -> None:
    with pytest.raises(InputError, match=f"title: .*{fault}"):
        parse_track(values(title=title))


def test_files_of_tracks(write: Callable[[str, str | bytes], Path], tmp_path: Path) -> None:
    text = 'format = 1\nname = "mine"\ntitle = "Mine"\nscheme = "expressions-7"\nmetric = "uar"\n[file]\ncoding = "label"\n'
    assert load_track(write("mine.toml", text)).name == "mine"
    with pytest.raises(InputError, match="name: 'My track' is no name: lower-case letters"):
        load_track(write("bad.toml", text.replace('"mine"', '"My track"')))
    with pytest.raises(InputError, match="not TOML"):
        load_track(write("no.toml", "name = mine"))
    with pytest.raises(MissingPathError, match="track not found"):
        load_track(tmp_path / "gone.toml")
    with pytest.raises(UnknownNameError, match="unknown track 'abaw6-av'"):
        load_track("abaw6-av")


def test_a_built_in_track_is_called_as_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = 'format = 1\nname = "mine"\ntitle = "Mine"\nscheme = "expressions-7"\nmetric = "uar"\n[file]\ncoding = "label"\n'
    (tmp_path / "other.toml").write_text(text, encoding="utf-8")
    monkeypatch.setattr(catalogue, "_FOLDER", tmp_path)
    with pytest.raises(InputError, match="a track called 'mine'"):
        load_track("other")
