"""Tracks and files that tests of submissions share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from affectcheck.challenges.catalogue import load_track, parse_track

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from affectcheck.challenges.track import Track


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str | bytes], Path]:
    """Write a file of the test's folder."""

    def made(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return made


@pytest.fixture(scope="session")
def emotions() -> Callable[..., Track]:
    """Make a track of four classes, one label a row, with its file section changed as stated."""

    def made(**file: Any) -> Track:
        return parse_track(
            {
                "format": 1,
                "name": "emotions",
                "title": "Emotions",
                "scheme": "expressions-4",
                "metric": "uar",
                "file": {"item": "id", "coding": "label", "columns": ["emotion"], **file},
            }
        )

    return made


@pytest.fixture(scope="session")
def va() -> Track:
    """Valence and arousal in frames."""
    return load_track("abaw6-va")


@pytest.fixture(scope="session")
def au() -> Track:
    """Action units in frames."""
    return load_track("abaw6-au")


@pytest.fixture(scope="session")
def expr() -> Track:
    """Expressions in frames, one-hot."""
    return load_track("abaw6-expr")
