"""Submissions: every format, every fault of a cell with file and line, and what a list of items makes of them."""

from __future__ import annotations

import io
import json
import zipfile
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

from affectcheck.challenges.catalogue import load_track
from affectcheck.challenges.checking import check
from affectcheck.challenges.limits import Limits
from affectcheck.challenges.submission import read_submission
from affectcheck.challenges.wanted import Wanted, read_wanted
from affectcheck.errors import InputError, MissingPathError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from affectcheck.challenges.track import Track

    Write = Callable[[str, str | bytes], Path]
    Emotions = Callable[..., Track]

AU = "AU1,AU2,AU4,AU6,AU7,AU10,AU12,AU15,AU23,AU24,AU25,AU26"
EXPR = "Neutral,Anger,Disgust,Fear,Happiness,Sadness,Surprise,Other"


def frames(*items: str) -> Wanted:
    return Wanted(pl.Series("item", items), 1, "list")


def test_a_table_of_each_coding(write: Write, va: Track, au: Track, expr: Track, emotions: Emotions) -> None:
    found = read_submission(write("va.txt", "image_location,valence,arousal\na/00001.jpg,0.1,-0.2\n"), va).sheet
    assert found.keys.to_list() == ["a/00001.jpg"]
    assert found.values.tolist() == [[0.1, -0.2]]
    assert found.source.place(0) == "va.txt:2"
    units = read_submission(write("au.txt", f"image_location,{AU}\na/1.jpg,{'0,1,' * 6}".rstrip(",")), au).sheet.values
    assert (units.dtype, units.tolist()) == (np.int8, [[0, 1] * 6])
    classes = read_submission(write("e.csv", f"image_location,{EXPR}\na/1.jpg,0,0,0,0,0,0,1,0\n"), expr).sheet.values
    assert (classes.dtype, classes.tolist()) == (np.int16, [6])
    labels = read_submission(write("l.csv", "id,emotion\nu1, Sad\nu2,joy\n"), emotions()).sheet.values
    assert labels.tolist() == [3, 1]


@pytest.mark.parametrize(
    ("rows", "line"),
    [
        ("a/1.jpg,0,0\n\n\na/2.jpg,0,5\n", 5),
        ("\n\na/1.jpg,0,5\n\na/2.jpg,0,0\n", 4),
        ("a/1.jpg,0,0\n,,\na/2.jpg,0,5\n", 4),
        ("a/1.jpg,0,0\n\n,,\n\na/2.jpg,0,x\n", 6),
        ('"a/1.jpg",0,0\n\n"a/2.jpg",0,\n', 4),
        ("b/1.jpg,0,0\n\na/1.jpg,0,0\na/1.jpg,0,0\n", 4),
        ("a/1.jpg,0,0\r\r\na/2.jpg,0,0\r\r\na/3.jpg,0,5\r\r\n", 7),
    ],
)
def test_blank_lines_are_counted(write: Write, va: Track, rows: str, line: int) -> None:
    head = "image_location,valence,arousal" + ("\r\r\n" if "\r" in rows else "\n")
    with pytest.raises(InputError) as told:
        check(write("p.csv", head + rows), va)
    assert told.value.where == f"p.csv:{line}"


def test_class_numbers_with_blank_lines(write: Write, expr: Track) -> None:
    head = f"image_location,{EXPR}\n"
    assert read_submission(write("e.csv", head + "\na/1.jpg,3\n\na/2.jpg,7\n"), expr).sheet.values.tolist() == [3, 7]
    with pytest.raises(InputError, match="1 class number out of range, 8") as told:
        read_submission(write("e.csv", head + "a/1.jpg,3\n\na/2.jpg,8\n"), expr)
    assert told.value.where == "e.csv:4"


def test_spelling_of_tables_does_not_matter(write: Write, va: Track, au: Track) -> None:
    plain = "image_location,valence,arousal\na/00001.jpg,0.1,-0.2\na/00002.jpg,1,0\n"
    spelled = [
        plain,
        "\ufeff" + plain,
        plain.replace("\n", "\r\n") + "\r\n\r\n",
        plain.replace("\n", "\r"),
        'Image_Location,"Arousal","Valence"\n"a/00001.jpg",-0.2,0.1\n"a/00002.jpg",0,1\n',
        "Image Location, valence, arousal\na/00001.jpg,+.1,-2e-1\na/00002.jpg,1.,0\n",
        "image_location,valence,arousal\na/00001.jpg,0.1,-0.2\n\na/00002.jpg,1,0",
    ]
    for text in spelled:
        found = read_submission(write("p.csv", text), va)
        assert found.sheet.keys.to_list() == ["a/00001.jpg", "a/00002.jpg"]
        assert found.sheet.values.tolist() == [[0.1, -0.2], [1.0, 0.0]]
    floats = read_submission(write("au.csv", f"image_location,{AU}\na/1.jpg{',1.0,0' * 6}\n"), au).sheet.values
    assert floats.tolist() == [[1, 0] * 6]


def test_parquet_is_read_by_its_types(write: Write, va: Track, expr: Track, emotions: Emotions) -> None:
    def stored(frame: pl.DataFrame) -> bytes:
        buffer = io.BytesIO()
        frame.write_parquet(buffer)
        return buffer.getvalue()

    frame = pl.DataFrame({"image_location": ["a/1.jpg"], "arousal": [1], "valence": [0.5]})
    assert read_submission(write("p.parquet", stored(frame)), va).sheet.values.tolist() == [[0.5, 1.0]]
    marks = {name: [name == "Fear"] for name in EXPR.split(",")}
    told = pl.DataFrame({"image_location": ["a/1.jpg"], **marks})
    assert read_submission(write("p.parquet", stored(told)), expr).sheet.values.tolist() == [3]
    label = pl.DataFrame({"id": ["u1"], "emotion": ["sad"]})
    assert read_submission(write("p.parquet", stored(label)), emotions()).sheet.values.tolist() == [3]
    for wrong, fault in (
        (frame.with_columns(valence=pl.lit("0.5")), "column 'valence' of the type String"),
        (frame.with_columns(image_location=pl.lit(1)), "column 'image_location' of the type Int32"),
        (frame.with_columns(valence=pl.lit(None, pl.Float64)), "an empty cell in 1 row: line 2"),
        (frame.with_columns(valence=pl.lit(float("nan"))), "a number that is not finite in 1 row"),
        (frame.drop("valence"), "without the columns 'valence'"),
        (frame.clear(), "no predictions"),
    ):
        with pytest.raises(InputError, match=fault):
            read_submission(write("p.parquet", stored(wrong)), va)
    with pytest.raises(InputError, match="column 'emotion' of the type Int64"):
        read_submission(write("p.parquet", stored(label.with_columns(emotion=pl.Series([1])))), emotions())
    raw = stored(pl.DataFrame({"image_location": ["a/1.jpg"] * 50, "arousal": [0.0] * 50, "valence": [0.5] * 50}))
    with pytest.raises(InputError, match="50 rows"):
        read_submission(write("p.parquet", raw), va, limits=Limits(rows=49))
    with pytest.raises(InputError, match="not a Parquet file"):
        read_submission(write("p.parquet", raw[:-20]), va)
    with pytest.raises(InputError, match="a damaged Parquet file"):
        read_submission(write("p.parquet", raw[:4] + bytes(120) + raw[124:]), va)


@pytest.mark.parametrize(
    ("text", "fault", "cause"),
    [
        ("", "an empty file", ""),
        ("\n \n", "an empty file", ""),
        ("image_location,valence,arousal\n", "no predictions", ""),
        ("a/1.jpg,0.1,0.2\n", "without the columns 'image_location', 'valence', 'arousal'", "without its header"),
        ("image_location;valence;arousal\n", "without the columns", "separated by semicolons"),
        ("image_location\tvalence\tarousal\n", "without the columns", "separated by tabs"),
        ("image_location,valance,arousal\n", "with unknown columns 'valance'", "'valance': did you mean 'valence'"),
        ("image_location,valence,valence,arousal\n", "twice 'valence'", ""),
        ("image_location,valence,arousal,x\n", "with unknown columns 'x'", ""),
        ("image_location,valence,arousal\na,0.1\n", "row 1", ""),
        ("image_location,valence,arousal\na,0.1,0.2,0.3\n", "row 1", ""),
        ("image_location,valence,arousal\na,0.1,\n", "an empty cell in 1 row: line 2", ""),
        ("image_location,valence,arousal\n,0.1,0.2\n", "an empty cell in 1 row: line 2", ""),
        (
            "image_location,valence,arousal\na,nan,0.2\n",
            "1 cell of column 'valence' that is no number: 'nan'|not finite",
            "",
        ),
        ("image_location,valence,arousal\na,0.1,inf\n", "that is no number: 'inf'|not finite", ""),
        ("image_location,valence,arousal\na,0.1,1e400\n", "not finite", "diverged"),
        ("image_location,valence,arousal\na,0.1,1_0\n", "that is no number: '1_0'", ""),
        ("image_location,valence,arousal\na,0.1,\u0661\n", "that is no number", ""),
        ("image_location,valence,arousal\na,x,0\nb,y,0\n", "2 cells of column 'valence' that are no number: 'x'", ""),
        ('image_location,valence,arousal\na,"0,1",0.2\n', "that is no number: '0,1'", "a decimal comma"),
        ("image_location,valence,arousal\na,0.1,1.2\n", "a number out of range in 1 row: line 2", ""),
        ("image_location,valence,arousal\na,-5,-5\n", "a number out of range", "the marker -5 of annotations"),
    ],
)
def test_faults_of_values_name_file_and_line(write: Write, va: Track, text: str, fault: str, cause: str) -> None:
    with pytest.raises(InputError, match=fault) as told:
        read_submission(write("p.csv", text), va)
    assert told.value.where.startswith("p.csv")
    assert cause in told.value.cause


def test_many_faulty_lines_are_counted(write: Write, va: Track) -> None:
    rows = "".join(f"a/{n}.jpg,2,0\n" for n in range(1, 9))
    with pytest.raises(InputError, match="in 8 rows: line 2, 3, 4, 5, 6 and 3 more"):
        read_submission(write("p.csv", f"image_location,valence,arousal\n{rows}"), va)


def test_faults_of_decisions(write: Write, au: Track, expr: Track, emotions: Emotions) -> None:
    with pytest.raises(InputError, match="neither 0 nor 1 in 1 row: line 2") as told:
        read_submission(write("p.csv", f"image_location,{AU}\na{',0.5' * 12}\n"), au)
    assert told.value.cause == "probabilities; a threshold makes decisions of them"
    for row in (",0" * 8, ",1,1" + ",0" * 6):
        with pytest.raises(InputError, match="names no class or several in 1 row: line 2"):
            read_submission(write("p.csv", f"image_location,{EXPR}\na{row}\n"), expr)
    with pytest.raises(InputError, match="an unknown class, 'gladness', in 2 rows: line 2, 4"):
        read_submission(write("p.csv", "id,emotion\na,gladness\nb,sad\nc,gladness\n"), emotions())


def test_rows_of_another_length(write: Write, emotions: Emotions) -> None:
    with pytest.raises(InputError, match="row 2"):
        read_submission(write("p.csv", "id,emotion\na,sad\nb,sad,joy\n"), emotions())
    found = read_submission(write("p.csv", "id,emotion\na,sad\n\nb,joy\n"), emotions()).sheet
    assert found.values.tolist() == [3, 1]  # a blank line is none


def test_codes_of_classes_where_a_scheme_has_them(write: Write, emotions: Emotions) -> None:
    track = load_track("abaw6-expr").model_copy(update={"file": emotions().file, "scheme": "compound-11-rafdb"})
    track = type(track).model_validate(track.model_dump() | {"metric": "uar"})
    assert read_submission(write("p.csv", "id,emotion\na,1\nb,11\n"), track).sheet.values.tolist() == [0, 10]


def test_bytes_that_are_no_text(write: Write, va: Track) -> None:
    text = "image_location,valence,arousal\nvidéo/1.jpg,0.1,0.2\n"
    found = read_submission(write("p.csv", text), va).sheet
    assert found.keys[0] == "vidéo/1.jpg"
    with pytest.raises(InputError, match="line 2, byte offset 34") as told:
        read_submission(write("p.csv", text.encode("cp1252")), va)
    assert (told.value.expected, told.value.cause[:24]) == ("text saved as UTF-8", "looks like Windows-1252,")
    with pytest.raises(InputError):
        read_submission(write("p.csv", b"image_location,valence,arousal\na\x00b,0,0\n"), va)
    assert read_submission(write("p.csv", text.encode("utf-16")), va).sheet.keys[0] == "vidéo/1.jpg"


def test_lines_have_limits(write: Write, va: Track) -> None:
    head = "image_location,valence,arousal\n"
    with pytest.raises(InputError, match="a line of 5008 characters") as told:
        read_submission(write("p.csv", f"{head}a,0,0\n{'x' * 5000},0.5,0.5\n"), va)
    assert told.value.where == "p.csv:3"
    with pytest.raises(InputError, match="3 lines below the header"):
        read_submission(write("p.csv", head + "a,0,0\n" * 3), va, limits=Limits(rows=2))
    columns = ",".join(["x"] * 1500)
    with pytest.raises(InputError, match="twice 'x'") as told:
        read_submission(write("p.csv", f"{columns}\n"), va)
    assert len(str(told.value)) < 1000


def packed(**members: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "/") + ".txt", content)
    return buffer.getvalue()


@pytest.mark.shared
def test_archives_give_the_same_or_say_what_was_found(cases: Path, emotions: Emotions) -> None:
    expected = json.loads((cases / "A26.json").read_text(encoding="utf-8"))["expected"]
    strict = emotions(names=("predictions.csv",))
    digests = {read_submission(cases / name, strict).digest for name in expected["accepted"]}
    assert len(digests) == 1
    for name in expected["rejected"]:
        with pytest.raises(InputError) as told:
            read_submission(cases / name, strict)
        assert told.value.expected
        if name == "A26_two_candidates.zip":
            assert "'a/predictions.csv', 'b/predictions.csv'" in str(told.value)
        if name == "A26_wrong_name.zip":
            assert "'Predictions (1).CSV'" in str(told.value)
    assert read_submission(cases / "A26_wrong_name.zip", emotions()).digest in digests  # any single table is allowed


@pytest.mark.shared
def test_faults_of_keys_are_told_at_once(cases: Path, emotions: Emotions) -> None:
    expected = json.loads((cases / "A12.json").read_text(encoding="utf-8"))["expected"]
    track = emotions()
    wanted = read_wanted(cases / "A12_truth.csv", track)
    with pytest.raises(InputError) as told:
        check(cases / "A12_pred.csv", track.model_copy(update={"scheme": "expressions-7"}), wanted=wanted)
    message = str(told.value)
    for keys in expected.values():
        assert ", ".join(map(repr, keys)) in message


def test_files_that_are_no_tables(write: Write, emotions: Emotions, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no table among 1 file: 'p\.bin'") as told:
        read_submission(write("p.bin", "x"), emotions())
    assert "without the ending" in told.value.cause
    many = {f"{n}": "id,emotion\n" for n in range(7)}
    with pytest.raises(InputError, match=r"7 files that may be the predictions.* and 2 more"):
        read_submission(write("p.zip", packed(**many)), emotions())
    with pytest.raises(MissingPathError):
        read_submission(tmp_path / "gone", emotions())


def test_a_file_a_video(write: Write, va: Track, au: Track, expr: Track) -> None:
    upload = write("p.zip", packed(team__b_left="valence,arousal\n0.5,0.5\n", team__a="valence,arousal\n0,1\n-1,0\n"))
    found = read_submission(upload, va)
    assert found.sheet.keys.to_list() == ["a/00001.jpg", "a/00002.jpg", "b_left/00001.jpg"]
    assert found.sheet.values.tolist() == [[0, 1], [-1, 0], [0.5, 0.5]]
    assert found.files == ("team/a.txt", "team/b_left.txt")
    single = read_submission(write("c.txt", "valence,arousal\n0,1\n"), va)
    assert single.sheet.keys.to_list() == ["c/00001.jpg"]
    assert read_submission(write("d.txt", f"{AU}\n{'1,0,' * 5}1,0\n"), au).sheet.values.tolist() == [[1, 0] * 6]
    assert read_submission(write("e.txt", f"{EXPR}\n7\n0\n"), expr).sheet.values.tolist() == [7, 0]
    with pytest.raises(InputError, match="1 frame without a prediction") as told:
        read_submission(write("c.txt", "valence,arousal\n0,1\n-5,0\n"), va)
    assert (told.value.where, told.value.cause) == ("c.txt:3", "the marker -5 of annotations")
    with pytest.raises(InputError, match="two files of one video: 'a'"):
        read_submission(write("p.zip", packed(x__a="valence,arousal\n0,0\n", y__a="valence,arousal\n0,0\n")), va)


def test_frames_that_are_counted_from_nought(write: Write, va: Track) -> None:
    track = va.model_copy(update={"labels": va.labels.model_copy(update={"first_frame": 0, "marker": None})})
    found = read_submission(write("c.txt", "valence,arousal\n0,1\n0,0\n"), track)
    assert found.sheet.keys.to_list() == ["c/00000.jpg", "c/00001.jpg"]
    units = load_track("abaw6-au")
    units = units.model_copy(update={"labels": units.labels.model_copy(update={"marker": None})})
    with pytest.raises(InputError, match="1 frame without a prediction") as told:
        read_submission(write("c.txt", f"{AU}\n{'-1,' * 11}-1\n"), units)
    assert told.value.cause == ""


def sent(write: Write, *rows: str) -> Path:
    return write("p.csv", "image_location,valence,arousal\n" + "".join(f"{row}\n" for row in rows))


def test_equal_keys_need_no_rule(write: Write, va: Track) -> None:
    wanted = frames("a/00001.jpg", "a/00002.jpg")
    found = check(sent(write, "a/00001.jpg,0,0", "a/00002.jpg,1,0"), va, wanted=wanted)
    assert (found.values.tolist(), found.notes) == ([[0, 0], [1, 0]], ())


def test_rules_of_frames(write: Write, va: Track) -> None:
    wanted = frames("a/00001.jpg", "a/00002.jpg", "a/00004.jpg", "b/00001.jpg", "b/00002.jpg")
    rows = ("b/1.png,0.4,0", "a/4,0.3,0", "a/2.jpg,0.2,0", "a/1.jpg,0.1,0", "a/3.jpg,0.9,0", "a/5.jpg,0.9,0")
    found = check(sent(write, *rows), va, wanted=wanted)
    assert found.values[:, 0].tolist() == [0.1, 0.2, 0.3, 0.4, 0.4]
    assert found.notes == (
        "1 row left out: of frames that are not to be predicted",
        "1 row left out: behind the last frame of their video",
        "1 row taken for the frame behind it, the last of its video, which has no prediction",
    )
    assert found.items.to_list() == wanted.items.to_list()


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        (["a/1.jpg,0,0"], r"2 items have no prediction: 'a/00002\.jpg', 'a/00003\.jpg'"),
        (["a/2.jpg,0,0", "a/3.jpg,0,0"], "1 item has no prediction: 'a/00001.jpg'"),
        (["a/1.jpg,0,0", "a/2.jpg,0,0", "a/3.jpg,0,0", "a/5.jpg,0,0"], "1 key belongs to no item: 'a/00005.jpg'"),
        (["a/1.jpg,0,0", "a/2.jpg,0,0", "a/3.jpg,0,0", "c/1.jpg,0,0"], "1 key belongs to no item: 'c/00001.jpg'"),
        (["a/1.jpg,0,0", "a/1.png,0.5,0", "a/2,0,0", "a/3,0,0"], "occurs more than once with different predictions"),
        (["a/0.jpg,0,0", "a/1.jpg,0,0"], "1 frame before the first: 'a/0.jpg'"),
        (["a,0,0"], "1 key of another form: 'a'"),
        (["a/b.jpg,0,0"], "1 key of another form: 'a/b.jpg'"),
    ],
)
def test_what_no_rule_mends(write: Write, va: Track, rows: list[str], fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        check(sent(write, *rows), va, wanted=frames("a/00001.jpg", "a/00002.jpg", "a/00003.jpg"))


def test_tolerance_is_the_tracks(write: Write, va: Track) -> None:
    track = va.model_copy(update={"labels": va.labels.model_copy(update={"tolerance": 0})})
    with pytest.raises(InputError, match=r"1 item has no prediction: 'a/00002\.jpg'"):
        check(sent(write, "a/1.jpg,0,0"), track, wanted=frames("a/00001.jpg", "a/00002.jpg"))


def test_two_persons_of_one_video(write: Write, va: Track) -> None:
    wanted = frames("a_left/00001.jpg", "a_right/00001.jpg")
    with pytest.raises(InputError, match="1 video of several persons under one name: 'a'") as told:
        check(sent(write, "a/1.jpg,0,0"), va, wanted=wanted)
    assert "'a_left', 'a_right'" in told.value.expected


def test_items_of_any_order(write: Write, emotions: Emotions) -> None:
    wanted = Wanted(pl.Series("item", ["u1", "u2"]), None)
    found = check(write("p.csv", "id,emotion\nu2,sad\nu1,joy\n"), emotions(), wanted=wanted)
    assert found.values.tolist() == [1, 3]


def test_without_a_list(write: Write, va: Track, emotions: Emotions) -> None:
    found = check(sent(write, "a/1.jpg,0,0", "a/4.jpg,0,0", "b/1.jpg,0,0"), va)
    assert found.items.to_list() == ["a/00001.jpg", "a/00004.jpg", "b/00001.jpg"]
    assert found.notes == (
        "no list of items was given: whether all of them are predicted was not checked",
        "2 frames without a row within 1 video: 'a'",
    )
    whole = check(sent(write, "a/1.jpg,0,0", "a/2.jpg,0,0"), va)
    assert len(whole.notes) == 1
    with pytest.raises(InputError, match=r"2 rows with a key that another row has: 'a/00001\.jpg'") as told:
        check(sent(write, "a/1.jpg,0,0", "a/1.png,0,0"), va)
    assert told.value.where == "p.csv:2"
    assert check(write("p.csv", "id,emotion\nu2,sad\n"), emotions()).items.to_list() == ["u2"]


def test_lists_of_items(write: Write, va: Track, emotions: Emotions) -> None:
    template = write("t.txt", "image_location,valence,arousal\na/00001.jpg,,\na/2.jpg,,\n")
    assert read_wanted(template, va).items.to_list() == ["a/00001.jpg", "a/00002.jpg"]
    assert read_wanted(write("l.csv", "ID\nu1\nu2\n"), emotions()).items.to_list() == ["u1", "u2"]
    for text, fault in (
        ("name\nu1\n", "no column 'id'"),
        ("id\nu1\nu1\n", "1 item listed more than once: 'u1'"),
        ("id,x\n,1\n", "no items"),
    ):
        with pytest.raises(InputError, match=fault):
            read_wanted(write("l.csv", text), emotions())
