"""Where computed features, predictions and synthetic data are kept between runs."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def cache_folder() -> Path:
    """The cache that is used unless a run states another.

    Returns:
        ``$AFFECTCHECK_CACHE``; without it the folder that the platform has for caches: ``~/.cache/affectcheck`` (or
        below ``$XDG_CACHE_HOME``), ``~/Library/Caches/affectcheck`` on macOS, ``%LOCALAPPDATA%`` on Windows.
    """
    stated = os.environ.get("AFFECTCHECK_CACHE")
    if stated:
        return Path(stated).expanduser()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "affectcheck"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "affectcheck"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "affectcheck"
