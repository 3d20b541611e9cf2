"""The benchmark of detection runs at a small size, so that it does not rot; what it measures is no test."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[3] / "benchmarks" / "detection.py"


@pytest.mark.slow
@pytest.mark.skipif(find_spec("mtcnn") is None, reason="the weights of MTCNN are not installed")
def test_detectors_and_stages_are_timed() -> None:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--runs", "1", "--detector", "mtcnn"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "mtcnn: " in done.stdout
    assert "windows of every size: " in done.stdout
