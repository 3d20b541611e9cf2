"""Databases in audformat, read and written through the library."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import polars as pl
import pytest

from affectcheck.annotations import make_table
from affectcheck.annotations.audformat_database import AudformatOptions, read_audformat, write_audformat
from affectcheck.errors import ExtraMissingError, InputError, MissingPathError, UnknownNameError
from affectcheck.schemes import CategoryScheme, Target, UnitScheme, scheme

if TYPE_CHECKING:
    from pathlib import Path

audformat = pytest.importorskip("audformat")

TARGETS = (
    Target("expression", CategoryScheme("mine", ("anger", "sadness"), {"sad": "sadness"})),
    Target("affect", scheme("valence-arousal"), "automatic"),
    Target("au", UnitScheme("u", ("AU1",))),
)
COLUMNS = {
    "item": ["x", "y", "z"],
    "media": ["a/1.wav", "a/1.wav", "b.wav"],
    "start_us": [0, 1_000_001, None],
    "end_us": [1_000_001, 2_522_500, None],
    "subject": ["03", "007", None],
    "partition": ["train", None, "test"],
    "sex": ["female", "male", None],
    "mood": ["u", "v", "u"],
    "expression": ["anger", None, "sad"],
    "valence": [0.1, None, -1],
    "arousal": [0.1, 0.5, -1],
    "AU1": [1, 0, None],
    "note": ["a,b", None, "NA"],
    "count": [1, None, 3],
    "seen": [True, None, False],
    "weight": [0.1, None, 1e300],
}


def made(targets=TARGETS, groups=("sex", "mood"), **changes):
    columns = {name: cells for name, cells in {**COLUMNS, **changes}.items() if cells is not None}
    return make_table(pl.DataFrame(columns, strict=False), targets=targets, groups=groups, name="demo")


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"subject": None},
        {"subject": [None, None, None]},
        {"start_us": None, "end_us": None, "media": ["a", "b", "c"]},
        {"start_us": None},
        {"start_us": [5, 7, None], "end_us": None, "media": ["a", "b", "c"]},
        {"sex": ["female", "male", "male"]},
        {"subject": ["03", "03", "03"]},
    ],
)
def test_what_is_written_reads_back_as_the_same_table(tmp_path: Path, changes: dict) -> None:
    table = made(**changes)
    write_audformat(table, tmp_path)
    back = read_audformat(tmp_path)
    assert back.frame.schema == table.frame.schema
    assert back.frame.equals(table.frame)
    assert dict(back.targets) == dict(table.targets)
    assert (back.groups, back.name, back.notes, back.root) == (table.groups, table.name, table.notes, tmp_path)


def test_audformat_itself_finds_the_speaker_s_sex(tmp_path: Path) -> None:
    write_audformat(made(), tmp_path)
    database = audformat.Database.load(str(tmp_path))
    assert database["speaker"].df["sex"].to_list() == ["female", "male"]
    assert database["annotations"].get(map={"speaker": "sex"})["sex"].to_list()[:2] == ["female", "male"]
    assert list(database.schemes["expression"].labels) == ["anger", "sadness"]


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """As published databases are: speakers in a scheme, labels in a table of its own, a split."""
    made = audformat.Database("emo")
    made.splits["test"] = audformat.Split("test")
    made.schemes["emotion"] = audformat.Scheme("str", labels=["anger", "joy"])
    made.schemes["arousal"] = audformat.Scheme("float", minimum=0, maximum=1)
    made.schemes["pain"] = audformat.Scheme("float", minimum=0, maximum=10)
    made.schemes["seen"] = audformat.Scheme("bool")
    made.schemes["text"] = audformat.Scheme("str")
    speakers = {3: {"gender": "female", "age": 31}, 7: {"gender": "male", "age": 26}}
    made.schemes["speaker"] = audformat.Scheme("int", labels=speakers)
    files = audformat.filewise_index(["a.wav", "b.wav"])
    made["files"] = audformat.Table(files)
    made["files"]["speaker"] = audformat.Column(scheme_id="speaker")
    made["files"]["speaker"].set([7, 3])
    index = audformat.segmented_index(["a.wav", "a.wav", "b.wav"], [0, 1, 0], [1, 2.5225, None])
    made["emotion"] = audformat.Table(index, split_id="test")
    cells = {
        "emotion": ["joy", None, "anger"],
        "arousal": [0.5, None, 1],
        "pain": [1, 2, 3],
        "seen": [True, None, False],
    }
    for column, values in {**cells, "text": ["u", "v", "w"]}.items():
        made["emotion"][column] = audformat.Column(scheme_id=column)
        made["emotion"][column].set(values)
    made["emotion"]["free"] = audformat.Column()
    made["emotion"]["free"].set(["NA", "", None])
    made.save(str(tmp_path))
    return tmp_path


def test_a_published_database_is_read_by_its_schemes(database: Path) -> None:
    table = read_audformat(database, "emotion")
    columns = ("item", "start_us", "end_us", "subject", "partition", "sex", "emotion", "arousal", "seen", "free")
    assert table.frame.select(columns).rows() == [
        ("a.wav#0-1000000", 0, 1_000_000, "7", "test", "male", "joy", 0.5, 1, "NA"),
        ("a.wav#1000000-2522500", 1_000_000, 2_522_500, "7", "test", "male", None, None, None, None),
        ("b.wav", None, None, "3", "test", "female", "anger", 1.0, 0, None),
    ]
    assert list(table.targets) == ["emotion", "arousal", "pain", "units"]
    assert table.targets["pain"].scheme.high == 10
    assert (table.groups, table.name) == (("sex",), "emo")
    assert table.frame["age"].to_list() == [26, 26, 31]


def test_options_choose_targets_and_groups(database: Path) -> None:
    target = Target("emotion", CategoryScheme("two", ("anger", "happiness"), {"joy": "happiness"}))
    options = AudformatOptions(targets=(target,), groups=("age", "text"))
    table = read_audformat(database, "emotion", options=options)
    assert table.frame["emotion"].to_list() == ["happiness", None, "anger"]
    assert table.frame["age"].to_list() == ["26", "26", "31"]
    with pytest.raises(UnknownNameError, match="did you mean 'age'"):
        read_audformat(database, "emotion", options=AudformatOptions(groups=("aage",)))


def test_a_table_of_files_has_its_own_speakers(database: Path) -> None:
    table = read_audformat(database, "files")
    assert table.frame.select("item", "media", "subject", "sex").rows() == [
        ("a.wav", "a.wav", "7", "male"),
        ("b.wav", "b.wav", "3", "female"),
    ]
    assert table.targets == {}


def test_another_subject_column_and_none(database: Path) -> None:
    table = read_audformat(database, "emotion", options=AudformatOptions(targets=(), subject="text"))
    assert table.frame["subject"].to_list() == ["u", "v", "w"]
    table = read_audformat(database, "emotion", options=AudformatOptions(targets=(), subject="nobody"))
    assert "subject" not in table.frame.columns


def test_tables_and_folders_that_are_not_there(database: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the database has 2 tables") as caught:
        read_audformat(database)
    assert "'emotion', 'files'" in str(caught.value)
    with pytest.raises(UnknownNameError, match="did you mean 'files'"):
        read_audformat(database, "file")
    with pytest.raises(MissingPathError, match="audformat database not found"):
        read_audformat(tmp_path / "none")
    (database / "db.emotion.parquet").unlink()
    with pytest.raises(InputError, match="audformat cannot read the database"):
        read_audformat(database, "emotion")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"media": ["a", None, "b"]}, "no media path in row 2"),
        ({"media": None}, "no media path in rows 1, 2, 3"),
        ({"start_us": None, "end_us": None}, "rows 1, 2 share file and segment"),
        ({"speaker": ["a", "b", "c"]}, "a column 'speaker' beside 'subject'"),
        ({"extra": [[1], [2], [3]]}, "column 'extra' of type List"),
    ],
)
def test_what_audformat_has_no_place_for_is_refused(tmp_path: Path, changes: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        write_audformat(made(**changes), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_the_extra_is_named_where_it_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "audformat", None)
    for call in (lambda: read_audformat(tmp_path), lambda: write_audformat(made(), tmp_path)):
        with pytest.raises(ExtraMissingError, match=r"pip install 'affectcheck\[audformat\]'"):
            call()
