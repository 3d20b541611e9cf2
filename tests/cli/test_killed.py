"""A run that is killed without warning goes on where it was, and ends with the record of an uninterrupted one."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from affectcheck.seeds import rng

if TYPE_CHECKING:
    from pathlib import Path

SLOW_MODEL = '''
import os, time
import numpy as np

class Slow:
    """Says which third of the range the clip's mean square is in, slowly, and writes down every call."""
    labels = ("anger", "neutral", "sadness")

    def __call__(self, samples, rate_hz):
        time.sleep(0.05)
        with open(os.environ["CALLS"], "a") as file:
            file.write(f"{float((samples.astype(np.float64) ** 2).sum()):.12e}\\n")
        level = float(np.sqrt((samples ** 2).mean()))
        return [level, 0.1, 0.2 - level]

slow = Slow()
'''


def command(tmp_path: Path, tones: Path, name: str) -> list[str]:
    return [
        sys.executable, "-m", "affectcheck", "audit", "--data", f"table:{tones}", "--model", "slow.py:slow",
        "--partition", "none", "--suite", "none", "--resamples", "20", "--workers", "1",
        "--cache", str(tmp_path / f"cache-{name}"), "-o", str(tmp_path / name),
    ]  # fmt: skip


def calls(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


@pytest.mark.slow
def test_a_run_killed_three_times_recomputes_nothing_and_ends_alike(tones: Path, tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW_MODEL)
    record = tmp_path / "calls"
    environment = os.environ | {"CALLS": str(record)}
    draw = rng(0, "kills")
    for _ in range(3):
        wanted = len(calls(record)) + int(draw.integers(5, 35))
        run = subprocess.Popen(
            command(tmp_path, tones, "killed"), env=environment, cwd=tmp_path, stderr=subprocess.DEVNULL
        )
        while len(calls(record)) < wanted and run.poll() is None:
            time.sleep(0.01)
        run.send_signal(signal.SIGKILL)
        run.wait()
        assert not (tmp_path / "killed").exists()
    subprocess.run(command(tmp_path, tones, "killed"), env=environment, cwd=tmp_path, check=True, capture_output=True)
    made = Counter(calls(record))
    assert len(made) == 120
    again = sum(count == 3 for count in made.values())  # a few are asked for twice more, to see whether answers vary
    assert again <= 3
    assert sum(made.values()) <= 120 + 2 * again + 3  # at most the item in flight at each kill
    other = os.environ | {"CALLS": str(tmp_path / "calls-whole")}
    subprocess.run(command(tmp_path, tones, "whole"), env=other, cwd=tmp_path, check=True, capture_output=True)
    one, two = (json.loads((tmp_path / name / "run.json").read_text()) for name in ("killed", "whole"))
    assert one["header"]["digest"] == two["header"]["digest"]
    for told in (one, two):
        del told["header"]["times"]
    assert one == two
    predictions = [(tmp_path / name / "predictions.parquet").read_bytes() for name in ("killed", "whole")]
    assert predictions[0] == predictions[1]
