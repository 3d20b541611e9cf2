"""The data set ``table``: a file of the user's own, with a description or with options."""

from __future__ import annotations

import polars as pl
import pytest

from affectcheck.annotations import make_table, write_table
from affectcheck.datasets import load_dataset
from affectcheck.errors import InputError, MissingPathError
from affectcheck.media import load_items
from affectcheck.schemes import Target, scheme

LABELS = "path,who,emotion,sex\na.wav,1,happy,f\nb.wav,2,sad,m\n"
DESCRIPTION = """
media = "path"
subject = "who"
[groups]
sex = "sex-2"
[targets.expression]
scheme = "expressions-7"
column = "emotion"
"""


@pytest.fixture
def folder(put):
    root = put("a.wav", "b.wav")
    (root / "labels.csv").write_text(LABELS)
    return root


def check(table):
    assert table.items.to_list() == ["a.wav", "b.wav"]
    assert table.frame.get_column("expression").to_list() == ["happiness", "sadness"]
    assert table.frame.get_column("sex").to_list() == ["female", "male"]
    assert table.frame.get_column("subject").to_list() == ["1", "2"]
    assert table.name == "labels"
    assert [len(item.audio.samples) for item in load_items(table)] == [1600, 1600]


@pytest.mark.parametrize("name", ["labels.csv.toml", "labels.toml"])
def test_description_beside_the_table(folder, name):
    (folder / name).write_text(DESCRIPTION)
    check(load_dataset(f"table:{folder / 'labels.csv'}"))


def test_the_longer_name_is_the_tables_own(folder):
    (folder / "labels.toml").write_text("of = 'another program'")
    (folder / "labels.csv.toml").write_text(DESCRIPTION)
    check(load_dataset("table", folder / "labels.csv"))


def test_stated_description_from_here_or_from_the_table(folder, monkeypatch):
    (folder / "ours.toml").write_text(DESCRIPTION)
    check(load_dataset(f"table:{folder / 'labels.csv'}?description=ours.toml"))
    check(load_dataset("table", folder / "labels.csv", description=str(folder / "ours.toml")))
    monkeypatch.chdir(folder)
    check(load_dataset("table:labels.csv?description=ours.toml"))


def test_the_description_itself_names_its_file(folder):
    (folder / "labels.toml").write_text('file = "labels.csv"\n' + DESCRIPTION)
    check(load_dataset("table", folder / "labels.toml"))


def test_a_name_of_its_own_is_kept(folder):
    (folder / "labels.toml").write_text('name = "mine"\n' + DESCRIPTION)
    assert load_dataset("table", folder / "labels.csv").name == "mine"


def test_options_in_place_of_a_description(folder):
    (folder / "labels.csv").write_text(LABELS.replace("path,who", "media,subject"))
    table = load_dataset(f"table:{folder / 'labels.csv'}?targets=emotion=expressions-7&groups=sex, subject")
    assert table.frame.get_column("emotion").to_list() == ["happiness", "sadness"]
    assert table.groups == ("sex", "subject")
    assert table.items.to_list() == ["a.wav", "b.wav"]


def test_parquet_as_written_by_us(tmp_path):
    table = make_table(
        {"item": ["x", "y"], "valence": [0.1, None], "arousal": [0.0, 1.0]},
        targets=[Target("affect", scheme("valence-arousal"))],
        name="written",
    )
    write_table(table, tmp_path / "t.parquet")
    again = load_dataset("table", tmp_path / "t.parquet")
    assert again.digest == table.digest
    assert again.name == "written"
    assert again.frame.get_column("valence").dtype == pl.Float64


def test_what_is_missing(folder):
    path = folder / "labels.csv"
    with pytest.raises(MissingPathError, match="table description not found"):
        load_dataset("table", path)
    with pytest.raises(MissingPathError, match="root of data set 'table' not found"):
        load_dataset("table", folder / "gone.csv")
    with pytest.raises(MissingPathError, match=r"table description not found: gone\.toml"):
        load_dataset("table", path, description="gone.toml")


@pytest.mark.parametrize(
    ("root", "options", "message"),
    [
        ("", {}, "a folder, not a table file"),
        ("labels.csv", {"targets": "emotion"}, "not a target: 'emotion'"),
        ("labels.csv", {"targets": "a=age-9,a=age-9"}, "not a target: 'a=age-9'"),
        ("labels.csv", {"targets": "emotion=expressions-9"}, "unknown scheme"),
        ("labels.csv", {"targets": "emotion=expressions-7", "description": "labels.toml"}, "described twice"),
        ("labels.toml", {"groups": "sex"}, "described twice"),
        ("labels.toml", {"description": "labels.toml"}, "two descriptions"),
    ],
)
def test_what_is_refused(folder, root, options, message):
    (folder / "labels.toml").write_text(DESCRIPTION)
    with pytest.raises(InputError, match=message):
        load_dataset("table", folder / root, **options)


def test_a_folder_tells_its_tables(folder, tmp_path):
    with pytest.raises(InputError, match=r"name one of labels\.csv"):
        load_dataset("table", folder)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="no table lies in it"):
        load_dataset("table", tmp_path / "empty")


@pytest.mark.parametrize("name", ["ravdess-8", "emodb-7", "cremad-6", "iemocap-10", "msp-podcast-9", "des-5", "pesd-6"])
def test_a_description_names_the_scheme_of_a_corpus(tmp_path, name):
    (tmp_path / "labels.csv").write_text("media,emotion\na.wav,Neutral\nb.wav,sad\n")
    (tmp_path / "labels.toml").write_text(f'[targets.emotion]\nscheme = "{name}"\n')
    for table in (
        load_dataset("table", tmp_path / "labels.csv"),
        load_dataset("table", tmp_path / "labels.csv", targets=f"emotion={name}"),
    ):
        assert table.target().scheme == scheme(name)
        assert table.frame.get_column("emotion").to_list() == ["neutral", "sadness"]


def test_a_table_without_labels_is_one(tmp_path):
    frame = {"item": ["a", "b"], "media": ["a.wav", "b.wav"], "start_us": [0, 5], "end_us": [9, 9], "sex": ["f", None]}
    table = make_table(frame, targets={}, groups=("sex",), name="unlabelled")
    assert dict(table.targets) == {}
    with pytest.raises(InputError, match="has no labels"):
        table.target()
    for name in ("t.csv", "t.parquet"):
        write_table(table, tmp_path / name)
        again = load_dataset("table", tmp_path / name)
        assert again.digest == table.digest
        assert (dict(again.targets), again.groups) == ({}, ("sex",))
