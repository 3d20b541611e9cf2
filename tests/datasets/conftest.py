"""Tiny trees in the layouts of the corpora, with a second of sound or less."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest
import soundfile

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SAMPLES = (0.1 * np.sin(np.arange(1600) / 5)).astype(np.float32)


@pytest.fixture
def put(tmp_path: Path) -> Callable[..., Path]:
    """Write sound files under a folder, and perhaps a table beside them."""

    def write(*files: str, metadata: str = "", under: str = "corpus") -> Path:
        root = tmp_path / under
        root.mkdir(parents=True, exist_ok=True)
        for file in files:
            path = root / file
            path.parent.mkdir(parents=True, exist_ok=True)
            soundfile.write(path, SAMPLES, 16_000)
        if metadata:
            (root / "metadata.csv").write_text(metadata, encoding="utf-8")
        return root

    return write


@pytest.fixture
def ravdess_files() -> tuple[str, ...]:
    """Two actors, every expression, in the layout of the archive."""
    codes = [(e, i) for e, i in product(range(1, 9), (1, 2)) if (e, i) != (1, 2)]
    return tuple(
        f"Actor_{actor:02}/03-01-{emotion:02}-{intensity:02}-01-01-{actor:02}.wav"
        for actor in (1, 2)
        for emotion, intensity in codes
    )


@pytest.fixture
def emodb_files() -> tuple[str, ...]:
    """Two speakers, every expression, in the layout of the archive."""
    return tuple(f"wav/{speaker}a01{emotion}a.wav" for speaker in ("03", "09") for emotion in "WLEAFTN")
