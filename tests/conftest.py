"""Fixtures of all rooms: where the real data lie, a tiny corpus, and one thread a process."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS"):
    os.environ.setdefault(variable, "1")  # before NumPy or Polars is imported: two cores, several test processes

ROOT = Path(__file__).resolve().parents[1]
CHROMIUM = Path("/usr/bin/chromium")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Root of the real data and cases; skips with the reason where they are not."""
    root = Path(os.environ.get("AFFECTCHECK_SHARED", ROOT.parent / "shared")).resolve()
    if not (root / "data").is_dir():
        pytest.skip(f"no real data at {root}; set AFFECTCHECK_SHARED to the folder that holds them")
    return root


@pytest.fixture(scope="session")
def cases(shared_data: Path) -> Path:
    """Folder of the collected bug cases."""
    return shared_data / "cases" / "bugs"


@pytest.fixture(scope="session")
def tones(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """``labels.toml`` of a tiny corpus of tones; never written to by a test."""
    from corpora import write_corpus

    return write_corpus(tmp_path_factory.mktemp("tones"))


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A headless Chromium; skips with the reason where there is none."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if not CHROMIUM.exists():
        pytest.skip(f"no Chromium at {CHROMIUM}")
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield opened
        opened.close()
