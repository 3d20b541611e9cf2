"""A run that is killed and started again: nothing that was done is done again, and the result is the same bytes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections import Counter
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

SCRIPT = textwrap.dedent(
    """
    import os, sys, time
    from pathlib import Path
    import numpy as np
    import polars as pl
    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.models.card import ModelCard
    from affectcheck.predictions import PredictOptions, predict

    class Slow:
        card = ModelCard("slow", "categories", ("anger", "neutral"), output="score", media=(), digest="weights-1")

        def __init__(self, calls, pause):
            self.calls, self.pause = calls, pause

        def predict(self, items):
            for item in items:
                with open(self.calls, "a") as file:
                    file.write(item.key + chr(10))
                time.sleep(self.pause)
            return np.array([[len(item.key), int(item.key[1:]) / 3] for item in items])

    if __name__ == "__main__":
        cache, calls, out, workers, pause = sys.argv[1:]
        table = AnnotationTable(pl.DataFrame({"item": [f"i{n}" for n in range(30)]}), name="made")
        options = PredictOptions(cache=Path(cache), workers=int(workers))
        made = predict(Slow(calls, float(pause)), table, options=options)
        made.frame.write_csv(out)
    """
)


def _start(folder: Path, *words: str) -> subprocess.Popen[bytes]:
    script = folder / "slow_run.py"
    script.write_text(SCRIPT)
    return subprocess.Popen([sys.executable, str(script), *words], start_new_session=True)


def _count(calls: Path) -> int:
    return len(calls.read_text().splitlines()) if calls.exists() else 0


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_killed_three_times_and_resumed(tmp_path: Path, workers: int) -> None:
    calls, out = tmp_path / "calls", tmp_path / "killed.csv"
    words = [str(tmp_path / "cache"), str(calls), str(out), str(workers), "0.03"]
    for wanted in (4, 11, 19):
        process = _start(tmp_path, *words)
        deadline = time.monotonic() + 60
        while _count(calls) < wanted and time.monotonic() < deadline:
            time.sleep(0.002)
        os.kill(process.pid, signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
        time.sleep(0.3)  # workers notice that their parent is gone and end
    assert not out.exists()
    assert _start(tmp_path, *words).wait(timeout=60) == 0

    seen = Counter(calls.read_text().splitlines())
    assert len(seen) == 30
    assert sum(seen.values()) - 30 <= 3 * workers, "more than the items in flight were computed again"

    fresh = tmp_path / "uninterrupted.csv"
    again = [str(tmp_path / "cache-2"), str(tmp_path / "calls-2"), str(fresh), "1", "0"]
    assert _start(tmp_path, *again).wait(timeout=60) == 0
    assert fresh.read_bytes() == out.read_bytes()
    assert _count(tmp_path / "calls-2") == 30

    assert _start(tmp_path, *words).wait(timeout=60) == 0
    assert Counter(calls.read_text().splitlines()) == seen, "a finished run calls the model again"


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_an_interruption_loses_nothing_that_was_done(tmp_path: Path, workers: int) -> None:
    calls, out = tmp_path / "calls", tmp_path / "out.csv"
    words = [str(tmp_path / "cache"), str(calls), str(out), str(workers), "0.1"]
    script = tmp_path / "slow_run.py"
    script.write_text(SCRIPT)
    process = subprocess.Popen([sys.executable, str(script), *words], start_new_session=True, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while _count(calls) < 6 and time.monotonic() < deadline:
        time.sleep(0.002)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: every process of the group gets it
    _, errors = process.communicate(timeout=30)
    assert process.returncode != 0
    if workers == 1:  # a worker that is still starting may print a line of its own
        assert errors.decode().strip().endswith("KeyboardInterrupt")
        assert errors.count(b"Traceback") == 1
    done = Counter(calls.read_text().splitlines())
    assert _start(tmp_path, *words).wait(timeout=60) == 0
    seen = Counter(calls.read_text().splitlines())
    assert len(seen) == 30
    assert sum(seen.values()) - 30 <= (1 if workers == 1 else 0)  # workers end the item in flight
    assert len(done) < 30
