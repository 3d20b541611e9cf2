"""A run of the suite that is killed at random moments and resumed, and runs on several processes, beside an undisturbed one.

    python benchmarks/suite_equality.py [--clips 60] [--kills 10] [--seed 0] [--workers 2 4] [--ray] [--sounds SPEC …]

Prints how long each took, how many predictions the kills lost, and whether records and files are equal. The clips are
those of RAVDESS in AFFECTCHECK_SHARED (default ../shared), and a light model hears them.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MODEL = '''
import os
import numpy as np

class Light:
    """Its class hangs on a digit of the level, so that the least change shows; it writes every answer down."""
    labels = ("anger", "happiness", "neutral", "sadness")

    def __call__(self, samples, rate_hz):
        level = float(np.abs(samples.astype(np.float64)).mean())
        answer = [level, 0.1, 0.2, 0.3]
        answer[int(level * 1e4) % 4] += 1.0
        with open(os.environ["CALLS"], "a") as file:
            file.write(f"{level:.17e}\\n")
        return answer

light = Light()
'''
TESTS = (
    "robustness-white-noise", "robustness-gain", "robustness-append-zeros", "robustness-clip", "robustness-tilt-up",
    "robustness-tilt-down", "robustness-noise-*", "robustness-simulated-*", "robustness-low-quality-phone",
)  # fmt: skip
FILES = ("predictions.parquet", "behaviour/predictions.parquet", "behaviour/verdicts.csv")


class Runs:
    """Runs of one command, each in a folder of its own."""

    def __init__(self, root: Path, clips: int, sounds: list[str]) -> None:
        self.root = root
        self.sounds = [word for spec in sounds for word in ("--sounds", spec)]
        (root / "light.py").write_text(MODEL)
        self.data = excerpt(root, clips)

    def start(self, name: str, *words: str) -> subprocess.Popen[bytes]:
        folder = self.root / name
        folder.mkdir(exist_ok=True)
        command = [
            sys.executable, "-m", "affectcheck", "test", "--data", f"table:{self.data}", "--model",
            f"{self.root / 'light.py'}:light", "--partition", "none", "--suite", "robustness", "--tests", ",".join(TESTS),
            "--resamples", "50", "--cache", "cache", "-o", "out", "--overwrite", *self.sounds, *words,
        ]  # fmt: skip
        told = os.environ | {"CALLS": str(folder / "calls"), "AFFECTCHECK_CACHE": str(folder / "cache")}
        with (folder / "log").open("wb") as log:
            return subprocess.Popen(command, cwd=folder, env=told, stdout=log, stderr=log, start_new_session=True)

    def finish(self, name: str, *words: str) -> float:
        """Seconds of a run to its end."""
        begun = time.perf_counter()
        if self.start(name, *words).wait() not in {0, 1}:
            sys.exit((self.root / name / "log").read_text())
        return time.perf_counter() - begun

    def calls(self, name: str) -> int:
        path = self.root / name / "calls"
        return len(path.read_text().splitlines()) if path.exists() else 0

    def equal(self, name: str, other: str) -> bool:
        """Whether two runs ended alike, but for their times and how they were typed."""
        records = []
        for one in (name, other):
            record = json.loads((self.root / one / "out" / "run.json").read_text())
            del record["header"]["times"], record["header"]["arguments"]["passed"]
            records.append((record, *((self.root / one / "out" / path).read_bytes() for path in FILES)))
        return records[0] == records[1]


def excerpt(root: Path, clips: int) -> Path:
    """A table of clips of four expressions, spread over all actors."""
    from affectcheck.datasets import load_dataset

    shared = Path(os.environ.get("AFFECTCHECK_SHARED", "../shared")).resolve() / "data" / "ravdess-speech"
    table = load_dataset(f"ravdess:{shared}")
    told = table.frame.filter(table.frame["expression"].cast(str).is_in(["anger", "happiness", "neutral", "sadness"]))
    told = told.gather_every(max(told.height // clips, 1)).head(clips)
    for media in told["media"]:
        (root / media).parent.mkdir(exist_ok=True)
        shutil.copy(shared / media, root / media)
    told.select("item", "media", "subject", "sex", "expression").write_csv(root / "labels.csv")
    (root / "labels.toml").write_text(
        'file = "labels.csv"\nname = "excerpt"\nitem = "item"\nmedia = "media"\nsubject = "subject"\ngroups = ["sex"]\n\n'
        '[targets.expression]\nlabels = ["anger", "happiness", "neutral", "sadness"]\n'
    )
    return root / "labels.toml"


def killed(runs: Runs, kills: int, seed: int, whole_s: float) -> None:
    """Kill a run again and again, then let it end."""
    draw, done, begun = random.Random(seed), 0, time.perf_counter()
    while done < kills:
        process = runs.start("killed", "-j", "2")
        try:
            process.wait(timeout=draw.uniform(0.5, max(whole_s / 3, 4)))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            done += 1
    runs.finish("killed", "-j", "2")
    lost = runs.calls("killed") - runs.calls("whole")
    print(f"killed {kills} times: {time.perf_counter() - begun:.1f} s in all, {lost} predictions made again", end="")
    print(f", equal: {runs.equal('killed', 'whole')}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clips", type=int, default=60)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, nargs="*", default=[2, 4])
    parser.add_argument("--ray", action="store_true")
    parser.add_argument("--sounds", nargs="*", default=[])
    told = parser.parse_args()
    sounds = [str(Path(one).resolve()) if one.endswith(".toml") else one for one in told.sounds]
    with tempfile.TemporaryDirectory(prefix="affectcheck-") as folder:
        runs = Runs(Path(folder), told.clips, sounds)
        whole_s = runs.finish("whole", "-j", "1")
        print(f"1 process: {whole_s:.1f} s, {runs.calls('whole')} predictions", flush=True)
        others = {f"{n} processes": ("-j", str(n)) for n in told.workers}
        others |= {"ray": ("--engine", "ray", "-j", "2")} if told.ray else {}
        for name, words in others.items():
            print(f"{name}: {runs.finish(name, *words):.1f} s, equal: {runs.equal(name, 'whole')}", flush=True)
        killed(runs, told.kills, told.seed, whole_s)


if __name__ == "__main__":
    main()
