"""A run of the suite ends the same, however often it is killed and on however many processes; and nothing hangs."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import pytest

from affectcheck.seeds import rng
from corpora import write_corpus
from recorded_sounds import ROLES, write_sounds

if TYPE_CHECKING:
    from pathlib import Path

KILLS: Final = 10
WORKERS: Final = 2
TESTS: Final = (
    "robustness-noise-babble",
    "robustness-noise-coughing",
    "robustness-noise-music",
    "robustness-white-noise",
    "robustness-gain",
    "robustness-append-zeros",
    "robustness-tilt-up",
    "robustness-simulated-position",
    "robustness-simulated-room",
    *(("robustness-low-quality-phone",) if importlib.util.find_spec("av") else ()),
)
MODEL = '''
import multiprocessing, os, signal, time
import numpy as np

class Light:
    """Its class hangs on a digit of the level, so that the least change shows; it writes every answer down."""
    labels = ("anger", "neutral", "sadness")

    def __call__(self, samples, rate_hz):
        what = os.environ.get("TROUBLE", "") if multiprocessing.parent_process() else ""
        if what == "leave":
            os._exit(9)
        if what == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(float(os.environ.get("PAUSE", "0")))
        heard = samples.astype(np.float64)
        rough = float(np.abs(np.diff(heard)).mean() / (np.abs(heard).mean() + 1e-9))
        answer = [float(np.abs(heard).mean()), rough, rough**2]
        answer[int(answer[0] * 1e4) % 3] += 1.0
        with open(os.environ["CALLS"], "a") as file:
            file.write(f"{answer[0]:.17e} {answer[1]:.17e}\\n")
        return answer

if os.environ.get("TROUBLE") == "import" and multiprocessing.parent_process():
    raise ImportError("not here")
light = Light()
'''


class Runs:
    """Runs of one command, each in a folder of its own."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.data = write_corpus(root / "tones", subjects=6, repetitions=2)
        write_sounds(root / "sounds", 4_000)
        roles = [f'[roles.{role}]\nfolder = "{role}"\nreference = "a.wav"\n' for role in ROLES]
        (root / "sounds" / "sounds.toml").write_text("\n".join(roles))
        (root / "light.py").write_text(MODEL)

    def start(self, name: str, *words: str, **environment: str) -> subprocess.Popen[str]:
        """Begin a run, as the leader of a group of processes."""
        folder = self.root / name
        folder.mkdir(exist_ok=True)
        command = [
            sys.executable, "-m", "affectcheck", "test", "--data", f"table:{self.data}", "--model",
            f"{self.root / 'light.py'}:light", "--partition", "none", "--suite", "robustness,correctness",
            "--tests", ",".join((*TESTS, "correctness-classification")), "--resamples", "20",
            "--sounds", str(self.root / "sounds" / "sounds.toml"),
            "--cache", "cache", "-o", "out", "--overwrite", *words,
        ]  # fmt: skip
        told = os.environ | {"CALLS": str(folder / "calls"), "AFFECTCHECK_CACHE": str(folder / "cache")} | environment
        with (folder / "stderr").open("w") as stderr:
            return subprocess.Popen(
                command, cwd=folder, env=told, stdout=subprocess.DEVNULL, stderr=stderr, text=True,
                start_new_session=True,
            )  # fmt: skip

    def finish(self, name: str, *words: str, **environment: str) -> float:
        """Run to the end; how long that took."""
        begun = time.monotonic()
        ended = self.start(name, *words, **environment).wait(timeout=300)
        assert ended in (0, 1), self.stderr(name)  # 1: a verdict failed
        return time.monotonic() - begun

    def stderr(self, name: str) -> str:
        return (self.root / name / "stderr").read_text()

    def calls(self, name: str) -> Counter[str]:
        """What the model was asked, as it was heard."""
        path = self.root / name / "calls"
        return Counter(path.read_text().splitlines() if path.exists() else ())

    def journals(self, name: str) -> dict[str, Counter[bytes]]:
        """Whole lines of each journal of the model's predictions."""
        found = sorted((self.root / name / "cache").rglob("*.jsonl"))
        return {p.name: Counter(filter(None, p.read_bytes().split(b"\n"))) for p in found if p.name != "media.jsonl"}

    def record(self, name: str) -> dict[str, Any]:
        """The run's record without its times, and without how it was typed."""
        record: dict[str, Any] = json.loads((self.root / name / "out" / "run.json").read_text())
        del record["header"]["times"], record["header"]["arguments"]["passed"]
        return record

    def files(self, name: str) -> dict[str, bytes]:
        """Predictions and verdicts, byte for byte."""
        out = self.root / name / "out"
        paths = ("predictions.parquet", "behaviour/predictions.parquet", "behaviour/verdicts.csv")
        return {path: (out / path).read_bytes() for path in paths}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Runs:
    return Runs(tmp_path_factory.mktemp("equality"))


@pytest.fixture(scope="module")
def whole(runs: Runs) -> float:
    """A run that nobody disturbed, on one process; what it takes once everything is predicted."""
    runs.finish("whole", "-j", "1")
    assert runs.calls("whole").total() == sum(len(lines) for lines in runs.journals("whole").values())
    return runs.finish("whole", "-j", "1")


def assert_equal(runs: Runs, name: str) -> None:
    expected = runs.record("whole")
    executed = {verdict["test"] for verdict in expected["verdicts"] if verdict["status"] != "not applicable"}
    assert executed == {*TESTS, "correctness-classification"}
    assert runs.record(name) == expected
    assert runs.files(name) == runs.files("whole")


@pytest.mark.slow
def test_a_run_killed_ten_times_ends_like_one_that_was_not(runs: Runs, whole: float) -> None:
    wanted, draw, kills, told = runs.calls("whole"), rng(0, "kills"), 0, ("-j", str(WORKERS))
    begun = 0
    while kills < KILLS:
        begun += 1
        assert begun < 4 * KILLS, "runs end before they can be killed"
        process = runs.start("killed", *told, PAUSE="0.003")
        try:
            process.wait(timeout=float(draw.uniform(0.1, 1.3)) * whole)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            kills += 1
        made, kept = runs.calls("killed"), runs.journals("killed")
        assert all(count == 1 for lines in kept.values() for count in lines.values())
        assert made.total() - sum(map(len, kept.values())) <= kills * WORKERS  # batches of one item
    runs.finish("killed", *told)
    assert sum((runs.calls("killed") - wanted).values()) <= KILLS * WORKERS, "what was finished is made again"
    assert set(runs.calls("killed")) == set(wanted)
    before = runs.calls("killed")
    runs.finish("killed", *told)
    assert runs.calls("killed") == before
    assert_equal(runs, "killed")


@pytest.mark.slow
@pytest.mark.usefixtures("whole")
@pytest.mark.parametrize("workers", [2, 4])
def test_the_number_of_processes_changes_nothing(runs: Runs, workers: int) -> None:
    runs.finish(f"workers-{workers}", "-j", str(workers))
    assert runs.calls(f"workers-{workers}") == runs.calls("whole")
    assert_equal(runs, f"workers-{workers}")


@pytest.mark.slow
@pytest.mark.usefixtures("whole")
def test_ray_changes_nothing(runs: Runs) -> None:
    pytest.importorskip("ray")
    runs.finish("ray", "--engine", "ray", "-j", "2")
    assert runs.calls("ray") == runs.calls("whole")
    assert_equal(runs, "ray")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("trouble", "told"),
    [("import", "ImportError: not here"), ("leave", "died"), ("killed", "died")],
)
def test_processes_that_die_end_the_run_with_one_error(runs: Runs, trouble: str, told: str) -> None:
    process = runs.start(trouble, "-j", "2", TROUBLE=trouble)
    assert process.wait(timeout=60) == 2
    assert told in runs.stderr(trouble)
    assert runs.stderr(trouble).count("error:") == 1
    assert "Traceback" not in runs.stderr(trouble)
    assert not (runs.root / trouble / "out").exists()
