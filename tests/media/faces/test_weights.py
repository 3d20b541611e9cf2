"""Weights: found without importing their package, and refused when they are others."""

from __future__ import annotations

import hashlib
import sys
from typing import TYPE_CHECKING

import pytest

from affectcheck.errors import ExtraMissingError, InputError, MissingPathError
from affectcheck.media.faces.weights import installed_folder, read_pinned, read_weights

if TYPE_CHECKING:
    from pathlib import Path

CONTENT = b"weights"
CHECKSUM = hashlib.sha256(CONTENT).hexdigest()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "weights.bin"
    path.write_bytes(CONTENT)
    return path


def test_a_package_is_found_without_being_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "starts_tensorflow"
    package.mkdir()
    (package / "__init__.py").write_text("raise RuntimeError('imported')")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert installed_folder("starts_tensorflow", feature="it", extra="faces") == package
    assert "starts_tensorflow" not in sys.modules


def test_a_package_that_is_missing_is_told_with_the_command_that_brings_it() -> None:
    with pytest.raises(ExtraMissingError, match=r"affectcheck\[faces\]"):
        installed_folder("no_such_package_of_weights", feature="it", extra="faces")


def test_only_the_pinned_content_is_read(file: Path) -> None:
    assert read_pinned(file, CHECKSUM, kind="weights", cause="") == CONTENT
    file.write_bytes(CONTENT + b"!")
    with pytest.raises(InputError, match="another file than the weights that are known") as raised:
        read_pinned(file, CHECKSUM, kind="weights", cause="another version")
    assert CHECKSUM in str(raised.value)
    assert "another version" in str(raised.value)


def test_what_is_no_file_is_told(file: Path) -> None:
    with pytest.raises(InputError, match="a folder, not the weights"):
        read_weights(file.parent, kind="weights")
    with pytest.raises(MissingPathError, match="weights not found"):
        read_weights(file.parent / "other.bin", kind="weights")


@pytest.mark.parametrize(
    ("content", "told"),
    [("\n<!DOCTYPE html><html>", "but a web page"), ("<HTML><body>", "but a web page"), ("", "but an empty file")],
)
def test_what_came_in_place_of_weights_is_told(file: Path, content: str, told: str) -> None:
    file.write_text(content)
    with pytest.raises(InputError, match=told) as raised:
        read_weights(file, kind="weights")
    assert str(file) in str(raised.value)


def test_a_pointer_of_git_lfs_is_told(file: Path) -> None:
    file.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n")
    with pytest.raises(InputError, match="a pointer to them"):
        read_weights(file, kind="weights")
