"""Files that a list names, and files that it names in other capital letters."""

from __future__ import annotations

import os

import polars as pl
import pytest

from affectcheck.datasets.pictures import put_media
from label_trees import touch


def _media(root, *paths):
    names = pl.Series("path", paths, dtype=pl.String)
    kept = put_media(pl.DataFrame({"item": range(len(paths))}), names, root, noun="pictures")
    return kept.frame.get_column("media").to_list(), kept.notes


def test_other_capital_letters_are_told(tmp_path):
    touch(tmp_path, "a/x.JPG", "a/y.jpg")
    media, notes = _media(tmp_path, "a/X.jpg", "a/y.jpg", "b/x.jpg", None)
    assert media == ["a/x.JPG", "a/y.jpg", None, None]
    assert notes == (
        "1 pictures differ from the list in capital letters, such as a/X.jpg",
        "2 of 4 pictures are not here, such as b/x.jpg: labels without media",
    )


def test_a_file_is_not_taken_for_two(tmp_path):
    touch(tmp_path, "x.jpg", "p.png", "Q.jpg", "q.JPG")
    assert _media(tmp_path, "x.jpg", "X.jpg", "P.PNG", "P.png", "q.jpg")[0] == ["x.jpg", None, None, None, None]


def test_nothing_out_of_the_root(tmp_path):
    touch(tmp_path, "out/x.jpg", "root/y.jpg")
    outside = tmp_path / "out/X.jpg"
    assert _media(tmp_path / "root", "../out/X.jpg", str(outside))[0] == [None, None]


def test_what_can_be_no_folder_is_not_there(tmp_path):
    (tmp_path / "loop").symlink_to("loop")
    touch(tmp_path, "file")
    assert _media(tmp_path, "loop/x.jpg", f"{'a' * 300}/x.jpg", "file/x.jpg", "gone/x.jpg")[0] == [None] * 4


def test_a_folder_that_cannot_be_read_is_an_error(tmp_path, monkeypatch):
    def refused(path):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(os, "listdir", refused)
    with pytest.raises(PermissionError):
        _media(tmp_path, "x.jpg")
