"""Labels as a server keeps them: one content, one digest, in whatever form it came; lists of items that hold no label."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl
import pytest

from affectcheck.challenges.catalogue import parse_track
from affectcheck.challenges.kept_labels import HEADER, SUM, crossings, keep_labels, load_kept, wanted_of_kept
from affectcheck.challenges.labels import read_labels
from affectcheck.challenges.wanted import Wanted, read_wanted, wanted_of, write_wanted
from affectcheck.errors import InputError, MissingPathError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from affectcheck.challenges.track import Track

    Write = Callable[[str, str | bytes], Path]
    Emotions = Callable[..., Track]


def test_equal_labels_have_one_digest_in_every_form(write: Write, va: Track, tmp_path: Path) -> None:
    write("folder/a.txt", "valence,arousal\n0.5,0.25\n-5,-5\n")
    write("folder/b_left.txt", "valence,arousal\n0.1,0.2\n")
    rows = ("a/1.jpg,0.5,0.25,", "a/00002.png,-5,-5,", "b_left/1.jpg,0.1,0.2,")
    head = "image_location,valence,arousal,subject"
    csv = write("l.csv", "\n".join((head, *rows)))
    turned = write("t.csv", "\n".join((head, *reversed(rows))))
    pl.read_csv(csv).write_parquet(tmp_path / "l.parquet")
    kept = [
        keep_labels(path, va, tmp_path / "kept" / f"{number}.parquet")
        for number, path in enumerate((tmp_path / "folder", csv, turned, tmp_path / "l.parquet"))
    ]
    assert len({one.digest for one in kept}) == 1
    assert {(one.height, one.labelled, one.unlabelled, one.groups, one.unit) for one in kept} == {
        (3, 2, 1, (), "media")
    }
    other = write("o.csv", "\n".join((head, *rows[:2], "b_left/1.jpg,0.1,0.3,")))
    assert keep_labels(other, va, tmp_path / "o.parquet").digest != kept[0].digest
    assert kept[0].notes == ("of 3 frames not annotated in 'label': 1",)
    assert wanted_of_kept(kept[2], va).items.to_list() == ["b_left/00001.jpg", "a/00002.jpg", "a/00001.jpg"]


def test_columns_are_small_and_lose_nothing(write: Write, va: Track, au: Track, expr: Track, tmp_path: Path) -> None:
    path = write(
        "v.csv", "image_location,valence,arousal,subject,gender,race\na/1.jpg,0.5,0.1,s1,female,\na/2.jpg,,,,,\n"
    )
    kept = keep_labels(path, va, tmp_path / "k.parquet")
    frame = pl.read_parquet(kept.path)
    assert frame.schema == {
        "item": pl.String,
        "label:valence": pl.Float32,
        "label:arousal": pl.Float64,  # 0.1 has no float of four bytes
        "subject": pl.String,
        "media": pl.String,
        "gender": pl.String,
    }
    assert frame["label:arousal"].to_list() == [0.1, None]
    assert kept.names == tuple(frame.columns)
    assert (kept.groups, kept.unit, tuple(kept.members)) == (("gender",), "subject", ("gender",))
    units = write("u.csv", f"image_location,{','.join(au.columns)}\na/1.jpg{',1' * 11},-1\n")
    assert pl.read_parquet(keep_labels(units, au, tmp_path / "u.parquet").path).schema["label:AU26"] == pl.Int8
    classes = write("e.csv", f"image_location,{','.join(expr.columns)}\na/1.jpg,0,1{',0' * 6}\na/2.jpg{',-1' * 8}\n")
    frame = pl.read_parquet(keep_labels(classes, expr, tmp_path / "e.parquet").path)
    assert frame.schema["label:label"] == pl.UInt8
    assert frame["label:label"].to_list() == [1, None]


def test_a_subject_of_unlabelled_items_alone_is_none(write: Write, va: Track, tmp_path: Path) -> None:
    path = write("v.csv", "image_location,valence,arousal,subject\na/1.jpg,0.5,0.1,\na/2.jpg,,,s1\n")
    assert keep_labels(path, va, tmp_path / "k.parquet").unit == "media"


def test_labels_without_any_label_are_refused(write: Write, va: Track, tmp_path: Path) -> None:
    path = write("v.csv", "image_location,valence,arousal\na/1.jpg,-5,-5\n")
    with pytest.raises(InputError, match="no item has a label"):
        keep_labels(path, va, tmp_path / "k.parquet")
    assert not (tmp_path / "k.parquet").exists()


def test_other_files_are_no_kept_labels(write: Write, va: Track, au: Track, tmp_path: Path) -> None:
    with pytest.raises(MissingPathError, match="kept labels not found"):
        load_kept(tmp_path / "gone.parquet", va)
    with pytest.raises(InputError, match="labels that cannot be read"):
        load_kept(write("text.parquet", "item\n"), va)
    frame = pl.DataFrame({"item": ["a"]})
    frame.write_parquet(tmp_path / "plain.parquet")
    with pytest.raises(InputError, match="no labels as this version keeps them") as told:
        load_kept(tmp_path / "plain.parquet", va)
    assert told.value.cause == "another Parquet file"
    frame.write_parquet(tmp_path / "new.parquet", metadata={HEADER: json.dumps({"format": 3})})
    with pytest.raises(InputError, match="no labels as this version keeps them") as told:
        load_kept(tmp_path / "new.parquet", va)
    assert told.value.cause == "another version wrote format 3"
    kept = keep_labels(write("v.csv", "image_location,valence,arousal\na/1.jpg,0,0\n"), va, tmp_path / "k.parquet")
    with pytest.raises(InputError, match="labels of dimensions: valence, arousal"):
        load_kept(kept.path, au)
    gone = replace(kept, path=write("cut.parquet", kept.path.read_bytes()[:-9]))
    for ask in (lambda: gone.rows("item"), lambda: gone.names):
        with pytest.raises(InputError, match="labels that cannot be read"):
            ask()


def test_a_damaged_file_gives_no_other_numbers(write: Write, va: Track, tmp_path: Path) -> None:
    head = "image_location,valence,arousal,subject,gender"
    kept = keep_labels(write("v.csv", f"{head}\na/1.jpg,0,0.5,s,f\na/2.jpg,0,0.1,t,m\n"), va, tmp_path / "k.parquet")
    told, frame = pl.read_parquet_metadata(kept.path), pl.read_parquet(kept.path)
    metadata = {name: told[name] for name in (HEADER, SUM)}
    path = tmp_path / "damaged.parquet"
    for column, value in (("label:arousal", 0.25), ("subject", "t"), ("gender", "m")):
        changed = pl.when(pl.col("item") == "a/00001.jpg").then(pl.lit(value)).otherwise(pl.col(column))
        frame.with_columns(changed.cast(frame.schema[column]).alias(column)).write_parquet(path, metadata=metadata)
        found = load_kept(path, va)
        with pytest.raises(InputError, match=f"column {column!r} is not as it was kept"):
            found.rows("item", column)
        others = [name for name in ("label:arousal", "subject", "gender") if name != column]
        assert found.rows("item", *others).equals(kept.rows("item", *others))
    header = json.loads(told[HEADER])
    frame.write_parquet(path, metadata={**metadata, HEADER: json.dumps({**header, "labelled": 1})})
    with pytest.raises(InputError, match="its metadata are not as they were kept"):
        load_kept(path, va)
    frame.write_parquet(path, metadata={**metadata, HEADER: told[HEADER][:-2]})
    with pytest.raises(InputError, match="labels that cannot be read"):
        load_kept(path, va)


def test_crossings_are_all_there_are() -> None:
    assert crossings([]) == ()
    assert crossings(["c", "a", "b"]) == ("a", "b", "c", "a*b", "a*c", "b*c", "a*b*c")


def test_a_list_is_read_as_it_was_written(write: Write, va: Track, emotions: Emotions, tmp_path: Path) -> None:
    kept = keep_labels(write("v.csv", "image_location,valence,arousal\na/7.jpg,0,0\n"), va, tmp_path / "k.parquet")
    path = tmp_path / "list" / "items.parquet"
    write_wanted(wanted_of_kept(kept, va), path)
    assert pl.read_parquet(path).to_dict(as_series=False) == {"image_location": ["a/00007.jpg"]}
    found = read_wanted(path, va)
    assert (found.items.to_list(), found.items.name, found.first, found.key) == (
        ["a/00007.jpg"],
        "item",
        1,
        "image_location",
    )
    table = read_labels(write("e.csv", "id,emotion\nu1,sad\n"), emotions())
    write_wanted(wanted_of(table, emotions()), path)
    assert (read_wanted(path, emotions()).items.to_list(), read_wanted(path, emotions()).first) == (["u1"], None)


def test_a_list_that_others_wrote_is_looked_through(write: Write, va: Track, tmp_path: Path) -> None:
    path = tmp_path / "items.parquet"
    pl.DataFrame({"image_location": ["a/1.png", "a/2.png"]}).write_parquet(path)
    assert read_wanted(path, va).items.to_list() == ["a/00001.jpg", "a/00002.jpg"]
    from_nought = va.model_copy(update={"labels": va.labels.model_copy(update={"first_frame": 0})})
    write_wanted(Wanted(pl.Series(["a/0.jpg"]), 0, key="image_location"), path)
    assert read_wanted(path, from_nought).items.to_list() == ["a/0.jpg"]
    with pytest.raises(InputError, match="before the first"):
        read_wanted(path, va)  # written for items that are counted from 0
    write_wanted(Wanted(pl.Series(["a/1.jpg"]), 1, key="other"), path)
    with pytest.raises(InputError, match="no column 'image_location'"):
        read_wanted(path, va)
    with pytest.raises(MissingPathError):
        read_wanted(tmp_path / "gone.parquet", va)
    with pytest.raises(InputError):
        read_wanted(write("bad.parquet", "text"), va)


def test_many_classes_take_two_bytes(tmp_path: Path, write: Write) -> None:
    values = {
        "format": 1,
        "name": "many",
        "title": "Many",
        "scheme": "many",
        "own": {"labels": [f"c{n}" for n in range(257)]},
        "metric": "accuracy",
        "file": {"item": "id", "coding": "label"},
    }
    kept = keep_labels(write("l.csv", "id,label\ni1,c256\n"), parse_track(values), tmp_path / "k.parquet")
    assert pl.read_parquet(kept.path)["label:label"].to_list() == [256]
    assert pl.read_parquet_schema(kept.path)["label:label"] == pl.UInt16
