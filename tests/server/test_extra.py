"""Without the packages of the portal its commands say what to install."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

import pytest

from affectcheck.cli import main

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("command", [["serve"], ["worker"], ["db", "verify"], ["db", "upgrade"]])
def test_a_missing_package_is_named(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "fastapi" else found(name))
    with pytest.raises(SystemExit) as left:
        main([*command, "--data", str(tmp_path / "portal")])
    assert left.value.code == 2
    said = capsys.readouterr().err
    assert "the portal needs the package 'fastapi'" in said
    assert "affectcheck[server]" in said
    assert not (tmp_path / "portal").exists()
