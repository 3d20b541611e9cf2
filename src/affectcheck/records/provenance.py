"""Where a run was made: versions of the packages that can change a number, and the state of git."""

from __future__ import annotations

import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from pathlib import Path

PACKAGES: Final = (
    *("affectcheck", "numpy", "scipy", "polars", "scikit-learn"),
    *("soundfile", "soxr", "espeakng-loader"),
    *("pillow", "opencv-python-headless", "av", "mtcnn"),
)


def versions() -> dict[str, str]:
    """Version of Python, the platform and every installed package that can change a number."""
    found = {"python": platform.python_version(), "platform": f"{platform.system()} {platform.machine()}"}
    for package in PACKAGES:
        installed = package_version(package)
        if installed:
            found[package] = installed
    return found


def package_version(package: str) -> str:
    """Version of an installed package; empty if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def git_state(folder: Path) -> dict[str, Any]:
    """Commit and dirtiness of the git work tree around a folder; empty where there is none."""
    commit = _git(folder, "rev-parse", "HEAD")
    if not commit:
        return {}
    return {"commit": commit, "dirty": bool(_git(folder, "status", "--porcelain"))}


def _git(folder: Path, *words: str) -> str:
    command = ["git", "-C", str(folder), *words]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
