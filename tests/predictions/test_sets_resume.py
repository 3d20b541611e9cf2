"""A run of several perturbations that is killed at random moments: nothing that was done is done again."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import textwrap
import time
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from small_perturbations import write_sounds

if TYPE_CHECKING:
    from pathlib import Path

ITEMS, SETS = 8, 5
SCRIPT = textwrap.dedent(
    """
    import json, sys, time
    from dataclasses import replace
    from pathlib import Path
    import numpy as np
    import polars as pl
    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.models.card import ModelCard
    from affectcheck.predictions import PredictOptions, no_progress, predict_sets

    class Times:
        media = ("audio",)

        def __init__(self, factor):
            self.factor = factor

        @property
        def key(self):
            return f"times|{self.factor}"

        def __call__(self, clip, item_key):
            if self.factor == 3 and item_key == "clip2.wav":
                return None
            return replace(clip, samples=clip.samples * np.float32(self.factor))

    class Slow:
        card = ModelCard("slow", "dimensions", ("level",), output="value", high=9.0, digest="weights-1")

        def __init__(self, calls, pause):
            self.calls, self.pause = calls, pause

        def predict(self, items):
            values = [[float(np.abs(item.audio.samples).max())] for item in items]
            with open(self.calls, "a") as file:
                file.write("".join(f"{item.key} {row[0]:.5f}" + chr(10) for item, row in zip(items, values)))
            time.sleep(self.pause)
            return np.array(values)

    if __name__ == "__main__":
        told = json.loads(sys.argv[1])
        root = Path(told["root"])
        names = sorted(path.name for path in root.iterdir())
        table = AnnotationTable(pl.DataFrame({"item": names, "media": names}), name="made", root=root)
        options = PredictOptions(
            cache=Path(told["cache"]), workers=told["workers"], engine=told["engine"], progress=no_progress
        )
        sets = [None, *(Times(factor) for factor in told["factors"])]
        made = predict_sets(Slow(told["calls"], told["pause"]), table, sets, options=options)
        rows = {key: [one.frame.rows(), [vars(f) for f in one.faults]] for key, one in sorted(made.items())}
        Path(told["out"]).write_text(json.dumps(rows))
    """
)


class Runs:
    """Runs of one script in one folder."""

    def __init__(self, folder: Path, workers: int, engine: str = "local") -> None:
        self.folder = folder
        self.told = {"workers": workers, "engine": engine, "pause": 0.03, "factors": [1.5, 2, 3, 4]}
        self.told |= {"root": str(folder / "sounds"), "cache": str(folder / "cache")}
        self.calls, self.out = folder / "calls", folder / "out.json"
        self.script = folder / "slow_sets.py"
        self.script.write_text(SCRIPT)
        write_sounds(folder / "sounds", ITEMS)

    def start(self, **more: object) -> subprocess.Popen[bytes]:
        told = {**self.told, "calls": str(self.calls), "out": str(self.out), **more}
        words = [sys.executable, str(self.script), json.dumps(told)]
        return subprocess.Popen(words, start_new_session=True, env={**os.environ, "AFFECTCHECK_RUN": str(self.folder)})

    def seen(self, calls: Path | None = None) -> Counter[str]:
        path = calls or self.calls
        return Counter(path.read_text().splitlines() if path.exists() else [])

    def wait_for(self, number: int, process: subprocess.Popen[bytes]) -> None:
        deadline = time.monotonic() + 120
        while self.seen().total() < number and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.002)

    def processes(self, *, agents: bool = True) -> list[int]:
        """Processes that descend from the runs, whatever session they are in."""
        from pathlib import Path as Place

        mark = f"AFFECTCHECK_RUN={self.folder}".encode()
        found = []
        for entry in Place("/proc").iterdir():
            try:
                if entry.name.isdecimal() and mark in (entry / "environ").read_bytes():
                    is_agent = b"Agent" in (entry / "cmdline").read_bytes()
                    found += [int(entry.name)] if agents or not is_agent else []
            except OSError:  # it has ended, or is somebody else's
                continue
        return found

    def wait_for_silence(self, *, agents: bool = True) -> list[int]:
        """Wait until they have ended; those that have not. Agents of Ray itself may take a minute to notice a kill."""
        deadline = time.monotonic() + 30
        while (left := self.processes(agents=agents)) and time.monotonic() < deadline:
            time.sleep(0.05)
        return left


def killed_and_resumed(runs: Runs, kills: int, seed: int, slack: int) -> None:
    total, draw = ITEMS * SETS - 1, random.Random(seed)  # one cannot be done
    for moment in sorted(draw.randrange(1, total - 5) for _ in range(kills)):
        process = runs.start()
        runs.wait_for(moment, process)
        time.sleep(draw.uniform(0, 0.03))
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        assert runs.wait_for_silence(agents=False) == [], "processes outlive the run that was killed"
    assert not runs.out.exists()
    assert runs.start().wait(timeout=180) == 0
    assert runs.wait_for_silence(agents=False) == []
    seen = runs.seen()
    assert len(seen) == total
    assert seen.total() - total <= slack, "more than what was in flight was made again"

    out, calls = runs.folder / "fresh.json", runs.folder / "fresh-calls"
    again = {"cache": str(runs.folder / "fresh"), "calls": str(calls), "out": str(out), "pause": 0, "workers": 1}
    assert runs.start(**again, engine="local", factors=[4, 3, 2, 1.5]).wait(timeout=120) == 0
    assert out.read_bytes() == runs.out.read_bytes()
    assert runs.seen(calls).total() == total

    assert runs.start().wait(timeout=180) == 0
    assert runs.seen() == seen, "a finished run calls the model again"


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="processes are listed on Linux only")
class TestKilled:
    @pytest.mark.parametrize("workers", [1, 2])
    def test_ten_times_at_random_moments(self, tmp_path: Path, workers: int) -> None:
        killed_and_resumed(Runs(tmp_path, workers), 10, seed=workers, slack=10 * workers)

    def test_on_ray(self, tmp_path: Path) -> None:
        pytest.importorskip("ray")
        # An actor tells what it has four times a second: what it had not told is in flight too.
        killed_and_resumed(Runs(tmp_path, 2, "ray"), 2, seed=3, slack=2 * 2 * 12)

    def test_ctrl_c_ends_the_prediction_in_flight_and_no_more(self, tmp_path: Path) -> None:
        runs = Runs(tmp_path, 2)
        runs.told["pause"] = 1.0
        process = runs.start()
        runs.wait_for(2, process)
        before = runs.seen().total()
        os.killpg(process.pid, signal.SIGINT)
        process.wait(timeout=60)
        assert runs.seen().total() - before <= 4, "an item's other sets are still made"
        assert runs.start(pause=0).wait(timeout=120) == 0
        assert runs.seen().total() == ITEMS * SETS - 1, "what was in flight is lost"
