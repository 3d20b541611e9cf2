from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from affectcheck.records import git_state, package_version, versions

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_versions_name_python_and_what_can_change_a_number() -> None:
    found = versions()
    assert {"python", "platform", "numpy", "polars"} <= set(found)
    assert package_version("no-such-package") == ""


def test_git_state_is_empty_outside_git_and_knows_a_dirty_tree(tmp_path: Path) -> None:
    assert git_state(tmp_path) == {}
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    git = ["git", "-C", str(tmp_path), *identity]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "x"], check=True)
    clean = git_state(tmp_path)
    assert len(clean["commit"]) == 40
    assert not clean["dirty"]
    (tmp_path / "new").touch()
    assert git_state(tmp_path)["dirty"]


def test_a_machine_without_git_has_no_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert git_state(tmp_path) == {}
