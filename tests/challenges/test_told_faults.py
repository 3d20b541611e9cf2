"""What a participant or an organiser is told of a fault: the cause that is there, not another; and files a video."""

from __future__ import annotations

import gzip
import io
import zipfile
from typing import TYPE_CHECKING

import polars as pl
import pytest

from affectcheck.challenges.catalogue import load_track, parse_track
from affectcheck.challenges.checking import check
from affectcheck.challenges.labels import read_labels
from affectcheck.challenges.ranking import digits_apart
from affectcheck.challenges.submission import read_submission
from affectcheck.challenges.wanted import Wanted
from affectcheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from affectcheck.challenges.track import Track

    Write = Callable[[str, str | bytes], Path]

TABLE = "image_location,valence,arousal\nv1/1.jpg,0.1,0.2\n"
VIDEO = "valence,arousal\n0.1,0.2\n"


def packed(**files: str | bytes) -> bytes:
    """A zip of text files, each called as its keyword."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, content in files.items():
            archive.writestr(f"{name}.txt", content)
    return held.getvalue()


@pytest.mark.parametrize("other", [TABLE, "read me\n", VIDEO, "a;b\n1;2\n"])
def test_two_tables_are_no_videos(write: Write, va: Track, other: str) -> None:
    with pytest.raises(InputError, match=r"2 files that may be the predictions: 'a\.txt', 'b\.txt'") as told:
        check(write("p.zip", packed(a=TABLE, b=other)), va)
    assert told.value.code == "E_SEVERAL_TABLES"


def test_a_parquet_file_is_no_video(write: Write, va: Track) -> None:
    stored = io.BytesIO()
    pl.DataFrame({"valence": [0.1], "arousal": [0.2]}).write_parquet(stored)
    with pytest.raises(InputError, match="2 files that may be"):
        check(write("p.zip", packed(a=stored.getvalue(), b=VIDEO)), va)


@pytest.mark.parametrize(
    ("content", "fault", "cause"),
    [
        ("frame,valence,arousal\n5,0.1,0.2\n", "with unknown columns 'frame'", "numbers of frames"),
        ("valence,arousal,valence\n0.1,0.2,0.3\n", "a header with a column twice", ""),
    ],
)
def test_a_column_of_a_video_is_not_dropped(write: Write, va: Track, content: str, fault: str, cause: str) -> None:
    with pytest.raises(InputError, match=fault) as told:
        read_submission(write("p.zip", packed(a=content, b=VIDEO)), va)
    assert (told.value.code, told.value.where) == ("E_WRONG_COLUMNS", "a.txt:1")
    assert told.value.cause.startswith(cause)
    swapped = read_submission(write("q.zip", packed(a="Arousal, Valence\n0.1,0.2\n", b=VIDEO)), va)
    assert swapped.sheet.values.tolist() == [[0.2, 0.1], [0.1, 0.2]]


def test_a_marker_is_told_as_one(write: Write, au: Track) -> None:
    head = f"image_location,{','.join(au.columns)}\n"
    for cell, cause in (("-1", "the marker -1 of annotations"), ("0.5", "probabilities")):
        with pytest.raises(InputError, match="neither 0 nor 1") as told:
            check(write("p.csv", f"{head}a/1.jpg{f',{cell}' * 12}\n"), au)
        assert told.value.cause.startswith(cause)


@pytest.mark.parametrize(
    ("head", "cause"),
    [
        (",image_location,valence,arousal", "numbers of the rows"),
        ("image_location,valence,arousal,frobnicate", ""),
        ("image_location,arousal,valenc", "'valenc': did you mean 'valence'?"),
        ("image_location,arousal,frobnicate", ""),
    ],
)
def test_causes_of_headers(write: Write, va: Track, head: str, cause: str) -> None:
    with pytest.raises(InputError, match="a header") as told:
        check(write("p.csv", f"{head}\na/1.jpg,0,0,0\n"), va)
    assert told.value.cause == cause or (cause and told.value.cause.startswith(cause))


@pytest.mark.parametrize(
    ("key", "cause"), [("a\\1.jpg", "paths of Windows"), ("a", "names of videos"), ("a/b.jpg", "")]
)
def test_causes_of_keys(write: Write, va: Track, key: str, cause: str) -> None:
    with pytest.raises(InputError, match="1 key of another form") as told:
        check(write("p.csv", f"image_location,valence,arousal\n{key},0,0\n"), va)
    assert told.value.cause.startswith(cause)
    assert bool(told.value.cause) is bool(cause)


@pytest.mark.parametrize(("key", "fault"), [("b", "1 key of another form"), ("b/0.jpg", "1 frame before the first")])
def test_keys_are_told_by_their_line(write: Write, va: Track, key: str, fault: str) -> None:
    path = write("p.csv", f"image_location,valence,arousal\na/1.jpg,0,0\n\n{key},0,0\n")
    for wanted in (None, Wanted(pl.Series("item", ["a/00001.jpg"]), 1, "list")):
        with pytest.raises(InputError, match=fault) as told:
            check(path, va, wanted=wanted)
        assert told.value.where == "p.csv:4"
    labels = write("l.csv", f"image_location,valence,arousal\na/1.jpg,0,0\n{key},0,0\n")
    with pytest.raises(InputError, match=fault) as told:
        read_labels(labels, va)
    assert told.value.where == f"{labels}: row 2"


def test_labels_of_ones_own_are_told_where_they_stand() -> None:
    values = {"format": 1, "name": "t", "title": "T", "scheme": "tension", "metric": "uar", "file": {"coding": "label"}}
    with pytest.raises(InputError, match=r"\[own\]: labels = \['a', 'a'\]"):
        parse_track({**values, "own": {"labels": ["a", "a"]}})
    with pytest.raises(InputError, match=r"unknown scheme 'tension'.*stated in \[own\]"):
        parse_track(values)
    with pytest.raises(InputError, match="did you mean 'expressions-7'"):
        parse_track({**values, "scheme": "expressions7"})


def test_a_table_packed_by_gzip_alone(write: Write, va: Track) -> None:
    with pytest.raises(InputError, match="a damaged archive") as told:
        check(write("p.csv.gz", gzip.compress(TABLE.encode())), va)
    assert "one file packed by gzip" in told.value.cause


def test_what_is_missing_is_not_the_teams_to_state(write: Write, va: Track) -> None:
    frames = Wanted(pl.Series("item", [f"v1/0000{number}.jpg" for number in range(1, 5)]), 1, "list")
    with pytest.raises(InputError, match="3 items have no prediction") as told:
        check(write("p.csv", TABLE), va, wanted=frames)
    assert told.value.cause == "a run that stopped early, or empty cells"
    emi = load_track("abaw6-emi")
    content = f"Filename,{','.join(emi.columns)}\n13{',0.1' * 6}\n"
    with pytest.raises(InputError, match="1 item has no prediction") as told:
        check(write("e.csv", content), emi, wanted=Wanted(pl.Series("item", ["00013", "00014"]), None, "list"))
    assert told.value.cause == "a run that stopped early, or empty cells"


def test_numbers_of_clips_in_parquet(tmp_path: Path) -> None:
    emi = load_track("abaw6-emi")
    values = {name: [0.1, 0.2] for name in emi.columns}
    pl.DataFrame({"Filename": [14, 13], **values}).write_parquet(tmp_path / "p.parquet")
    wanted = Wanted(pl.Series("item", ["00013", "00014"]), None, "list")
    found = check(tmp_path / "p.parquet", emi, wanted=wanted)
    assert found.values[:, 0].tolist() == [0.2, 0.1]
    pl.DataFrame({"Filename": [14.0, 13.0], **values}).write_parquet(tmp_path / "q.parquet")
    with pytest.raises(InputError, match="column 'Filename' of the type Float64"):
        check(tmp_path / "q.parquet", emi, wanted=wanted)


def test_columns_that_may_stand_beside_labels(write: Write) -> None:
    with pytest.raises(InputError, match="with unknown columns 'Race'") as told:
        read_labels(write("l.csv", "image,expression,Race\na,fear,x\n"), load_track("raf-db"))
    assert told.value.expected.startswith("image,expression; beside them ")
    assert "race" in told.value.expected


def test_minus_zero_is_zero() -> None:
    assert digits_apart([0.0, -0.0, 0.5]) == 3
    assert digits_apart([0.0, -0.0001]) == 4
