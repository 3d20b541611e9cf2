"""``audb:NAME``: a tiny database published to a repository on this disk, and what is told without the package."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from affectcheck.annotations import make_table
from affectcheck.annotations.audformat_database import write_audformat
from affectcheck.datasets import load_dataset
from affectcheck.errors import ExtraMissingError, InputError, UnknownNameError
from affectcheck.media import load_items
from affectcheck.schemes import DimensionScheme, Target, scheme


def test_without_the_package_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "audb", None)
    with pytest.raises(ExtraMissingError, match="needs the package 'audb'") as caught:
        load_dataset("audb:emodb")
    assert "affectcheck[audb]" in str(caught.value)


@pytest.fixture
def stub(monkeypatch, tmp_path):
    """What the reader asks of the package, without it: one database, already loaded."""

    def load(name, *, version, tables, only_metadata, verbose):
        if name != "tiny" or version != "1.0.0":
            raise RuntimeError("no such database")
        return SimpleNamespace(root=str(tmp_path), meta={"audb": {"version": version}})

    frame = {
        "item": ["a.wav", "b.wav"],
        "media": ["a.wav", "b.wav"],
        "emotion": ["anger", "disgust"],
        "value": [0.5, 1],
    }
    targets = [Target("value", DimensionScheme("value", ("value",), 0.0, 1.0)), Target("emotion", scheme("cremad-6"))]
    write_audformat(make_table(frame, targets=targets, name="tiny"), tmp_path, name="files")
    package = SimpleNamespace(load=load, latest_version=lambda _: "1.0.0")
    monkeypatch.setitem(sys.modules, "audb", package)


def test_the_column_of_expressions_has_the_usual_name(stub):
    table = load_dataset("audb:tiny")
    assert list(table.targets) == ["value", "expression"]
    assert table.notes[0] == "tiny 1.0.0 by audb"
    assert load_dataset("audb:tiny?scheme=expressions-4&table=files").height == 1
    assert list(load_dataset("audb:tiny?target=value").targets) == ["value", "emotion"]
    with pytest.raises(UnknownNameError, match="unknown column 'emotoin'") as caught:
        load_dataset("audb:tiny?target=emotoin")
    assert "did you mean 'emotion'?" in str(caught.value)
    with pytest.raises(UnknownNameError, match="'expression'"):
        load_dataset("audb:tiny?target=value&scheme=expressions-4")
    with pytest.raises(InputError, match=r"audb cannot load tiny 2\.0\.0: no such database"):
        load_dataset("audb:tiny?version=2.0.0")


def test_a_database_must_be_named():
    with pytest.raises(InputError, match="no database is named"):
        load_dataset("audb")
    with pytest.raises(InputError, match="not a name of a database"):
        load_dataset("audb:/data/emodb")


def test_a_published_database(tiny_audb):
    table = tiny_audb()
    assert table.name == "tiny"
    assert table.target("expression").scheme.labels == ("anger", "happiness", "neutral", "sadness")
    assert table.frame.get_column("expression").to_list() == ["anger", "neutral"]
    assert table.groups == ("sex",)
    assert table.notes[0] == "tiny 1.0.0 by audb"
    assert len(list(load_items(table))) == 2


def test_options(tiny_audb):
    assert tiny_audb("version=1.0.0&table=files&scheme=expressions-4").height == 2
    with pytest.raises(UnknownNameError, match="unknown column 'emotoin'") as caught:
        tiny_audb("target=emotoin")
    assert "did you mean 'emotion'?" in str(caught.value)
    assert tiny_audb("media=no").height == 2
    with pytest.raises(InputError, match=r"audb cannot load tiny 9\.9\.9"):
        tiny_audb("version=9.9.9")
    with pytest.raises(InputError, match="audb cannot load gone: "):
        load_dataset("audb:gone")
