"""Data sets by name: specifications, roots and options."""

from __future__ import annotations

from pathlib import Path

import pytest

from affectcheck.annotations import make_table
from affectcheck.datasets import DATASETS, Card, Dataset, DatasetSpec, Option, dataset, load_dataset, typed_options
from affectcheck.errors import InputError, MissingPathError, UnknownNameError
from affectcheck.registry import DuplicateNameError


def card(name: str = "toy", **changes: object) -> Card:
    facts = dict.fromkeys(
        ("title", "licence", "citation", "url", "description", "can_show", "cannot_show"), "for tests only"
    )
    options = (Option("count", "number of items", 2), Option("share", "a share", 0.5), Option("loud", "louder", False))
    return Card(**{"name": name, "options": (*options, Option("label", "the label")), **facts, **changes})


@pytest.fixture
def calls(monkeypatch):
    """What a registered toy reader was called with."""
    found: list[dict[str, object]] = []

    def read(root, **options):
        found.append({"root": root, **options})
        return make_table({"item": ["a"]}, targets=(), name="toy", root=root)

    DATASETS.names()
    parts = {**DATASETS._parts, "toy": Dataset(card(layout="a folder"), read)}
    parts["rootless"] = Dataset(card("rootless"), read)
    monkeypatch.setattr(DATASETS, "_parts", parts)
    return found


@pytest.mark.parametrize(
    ("text", "name", "root", "options"),
    [
        ("toy", "toy", "", {}),
        ("toy:", "toy", "", {}),
        ("toy:x?", "toy", "x", {}),
        ("toy:/data/toy", "toy", "/data/toy", {}),
        ("toy: ~/my data ", "toy", "~/my data", {}),
        (r"toy:C:\data\toy", "toy", r"C:\data\toy", {}),
        ("toy:C:/data?count=3", "toy", "C:/data", {"count": "3"}),
        ("toy?count=3&label=a%26b", "toy", "", {"count": "3", "label": "a&b"}),
        ("toy:a?mapping=calm=neutral,joy=", "toy", "a", {"mapping": "calm=neutral,joy="}),
        ("toy:why?/b?label=", "toy", "why?/b", {"label": ""}),
        (r"toy?label=C:\x", "toy", "", {"label": r"C:\x"}),
    ],
)
def test_specifications(text, name, root, options):
    assert DatasetSpec.parse(text) == DatasetSpec(name, root, options)


@pytest.mark.parametrize("text", ["", ":/data", " :x", "toy:x?count", "toy?count=1&count=2", "toy:a?b/c"])
def test_specifications_that_are_none(text):
    with pytest.raises(InputError):
        DatasetSpec.parse(text)


def test_options_reach_the_reader_with_their_types(calls, tmp_path):
    load_dataset(f"toy:{tmp_path}?count=3&loud=yes", share=0.25)
    assert calls == [{"root": tmp_path, "count": 3, "share": 0.25, "loud": True, "label": ""}]
    load_dataset("toy", tmp_path, loud=False)
    assert calls[1] == {"root": tmp_path, "count": 2, "share": 0.5, "loud": False, "label": ""}
    load_dataset("toy", str(tmp_path))
    assert calls[2]["root"] == tmp_path


def test_home_is_expanded(calls, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    load_dataset("toy:~")
    assert calls[0]["root"] == tmp_path


def test_a_set_without_a_layout_needs_no_root(calls, tmp_path):
    load_dataset("rootless")
    load_dataset("rootless", tmp_path / "to be made")
    assert [call["root"] for call in calls] == [None, tmp_path / "to be made"]


def test_a_root_that_is_needed(calls):
    with pytest.raises(InputError, match="data set 'toy' needs its root") as caught:
        load_dataset("toy")
    assert "toy:ROOT, where ROOT is a folder" in str(caught.value)
    assert calls == []


def test_a_root_that_is_not_there(calls, tmp_path):
    with pytest.raises(MissingPathError, match="root of data set 'toy' not found") as caught:
        load_dataset("toy", tmp_path / "gone")
    assert "expected: a folder" in str(caught.value)
    assert isinstance(caught.value, FileNotFoundError)


@pytest.mark.parametrize(
    ("spec", "options", "message"),
    [
        ("toy:.", {"root": Path()}, "the root is stated twice"),
        ("toy:.?count=1", {"count": 2}, "stated twice: count"),
        ("toy:.?count=many", {}, "option 'count' is 'many'"),
        ("toy:.?count=1.5", {}, "option 'count' is '1.5'"),
        ("toy:.?loud=perhaps", {}, "option 'loud' is 'perhaps'"),
        ("toy:.?share=half", {}, "option 'share' is 'half'"),
        ("toy:.?share=nan", {}, "option 'share' is 'nan'"),
        ("toy:.", {"share": float("inf")}, "option 'share' is inf"),
    ],
)
def test_what_is_refused(calls, spec, options, message):
    with pytest.raises(InputError, match=message):
        load_dataset(spec, **options)
    assert calls == []


def test_unknown_option_names_the_nearest(calls):
    with pytest.raises(UnknownNameError, match="unknown option of data set 'toy' 'cuont'") as caught:
        load_dataset("toy:.?cuont=1")
    assert "did you mean 'count'" in str(caught.value)


def test_unknown_data_set():
    with pytest.raises(UnknownNameError, match="unknown data set 'ravdes'") as caught:
        load_dataset("ravdes:/x")
    assert "did you mean 'ravdess'" in str(caught.value)


def test_a_path_without_a_name_says_what_is_missing(tmp_path):
    with pytest.raises(UnknownNameError) as caught:
        load_dataset(str(tmp_path))
    assert f"write NAME:{tmp_path}" in str(caught.value)


def test_a_name_is_taken_once(monkeypatch):
    DATASETS.names()
    monkeypatch.setattr(DATASETS, "_parts", dict(DATASETS._parts))
    with pytest.raises(DuplicateNameError, match="two data sets are called 'ravdess'"):
        dataset(card("ravdess"))(lambda root: root)


def test_types_of_options_follow_their_defaults():
    assert typed_options(card(), {"count": "7", "share": 1}) == {"count": 7, "share": 1.0, "loud": False, "label": ""}
