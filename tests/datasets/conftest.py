"""Tiny trees in the layouts of the corpora, with a second of sound or less."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest
import soundfile

from affectcheck.annotations import make_table
from affectcheck.annotations.audformat_database import write_audformat
from affectcheck.datasets import load_dataset
from affectcheck.schemes import Target, scheme

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable

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


@pytest.fixture(scope="session")
def audb_host(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository on this disk with one small database; publishing takes long, and is done once."""
    audb = pytest.importorskip("audb")
    folder = tmp_path_factory.mktemp("audb")
    source, host = folder / "source", folder / "host"
    source.mkdir()
    (host / "data").mkdir(parents=True)
    names = ["a.wav", "b.wav"]
    for name in names:
        soundfile.write(source / name, SAMPLES, 16_000)
    frame = {"item": names, "media": names, "emotion": ["anger", "neutral"], "subject": ["1", "2"], "sex": ["f", "m"]}
    groups = {"sex": scheme("sex-2")}
    table = make_table(frame, targets=[Target("emotion", scheme("expressions-4"))], groups=groups, name="tiny")
    write_audformat(table, source, name="files")
    audb.publish(source, "1.0.0", audb.Repository("data", str(host), "file-system"), verbose=False)
    return host


@pytest.fixture
def tiny_audb(audb_host: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., AnnotationTable]:
    """Loads that database, with options if any are stated."""
    audb = pytest.importorskip("audb")
    monkeypatch.setattr(audb.config, "REPOSITORIES", [audb.Repository("data", str(audb_host), "file-system")])
    monkeypatch.setattr(audb.config, "CACHE_ROOT", str(tmp_path / "cache"))

    def load(options: str = "") -> AnnotationTable:
        return load_dataset("audb:tiny" + (f"?{options}" if options else ""))

    return load
