"""``audb:NAME``: a tiny database published to a repository on this disk, and what is told without the package."""

from __future__ import annotations

import sys

import pytest

from affectcheck.datasets import load_dataset
from affectcheck.errors import ExtraMissingError, InputError
from affectcheck.media import load_items


def test_without_the_package_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "audb", None)
    with pytest.raises(ExtraMissingError, match="needs the package 'audb'") as caught:
        load_dataset("audb:emodb")
    assert "affectcheck[audb]" in str(caught.value)


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
    assert tiny_audb("target=other").target().name == "emotion"
    assert tiny_audb("media=no").height == 2
    with pytest.raises(InputError, match=r"audb cannot load tiny 9\.9\.9"):
        tiny_audb("version=9.9.9")
    with pytest.raises(InputError, match="audb cannot load gone"):
        load_dataset("audb:gone")
