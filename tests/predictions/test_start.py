"""Processes that die before they can work: one clear error at once, and nobody waits; and what travels to them."""

from __future__ import annotations

import errno
import os
import pickle
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import NoReturn

import pytest

from affectcheck.errors import WriteError
from affectcheck.predictions import parcel as parcels
from affectcheck.predictions.parcel import Parcel, parcelled

#: What a pipe holds on Linux is 64 KiB: ``weight`` is far more, which whoever starts a process must not wait to write.
PROGRAM = """
import os, signal, sys, time
from dataclasses import dataclass, field
import polars as pl
from affectcheck.annotations.table import AnnotationTable
from affectcheck.errors import AffectcheckError
from affectcheck.models.card import ModelCard
from affectcheck.predictions import PredictOptions, no_progress, predict_sets
from small_models import SILENT
from small_perturbations import Times

def arrive(what, weight):
    if what == "refuse":
        raise ImportError("not here")
    if what == "leave":
        raise SystemExit("no, thanks")
    if what == "vanish":
        os._exit(7)
    if what == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    return Fragile(what, weight)

@dataclass
class Fragile:
    what: str
    weight: bytes = field(repr=False, default=b"")
    card: ModelCard = SILENT
    key: str = "fragile"
    media = ("audio",)
    def __reduce__(self):
        return arrive, (self.what, self.weight)
    def __call__(self, clip, item_key):
        return clip
    def predict(self, items):
        if self.what == "killed at work":
            os.kill(os.getpid(), signal.SIGKILL)
        return [[0.5, 0.25]] * len(items)

if __name__ == "__main__":
    _, what, whose, kilobytes, folder = sys.argv
    fragile, fine = Fragile(what, os.urandom(1024 * int(kilobytes))), Fragile("")
    if what == "broken":
        sys.path.insert(0, folder)
    table = AnnotationTable(pl.DataFrame({"item": [f"i{n}" for n in range(8)]}), name="made")
    model, changed = (fragile, Times(2.0)) if whose == "model" else (fine, fragile)
    options = PredictOptions(workers=2, progress=no_progress)
    started = time.monotonic()
    try:
        made = predict_sets(model, table, (None,) if whose == "model" else (None, changed), options=options)
        print("made", made[""].height)
    except AffectcheckError as error:
        print(type(error).__name__, str(error))
    print("seconds", time.monotonic() - started)
"""


def run(tmp_path: Path, what: str, whose: str = "model", kilobytes: int = 512) -> str:
    """Answer of a program that predicts with two processes; a hang fails."""
    (tmp_path / "affectcheck").mkdir()
    (tmp_path / "affectcheck" / "__init__.py").write_text('raise ImportError("the package is broken")')
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    path = os.pathsep.join((str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")))
    command = [sys.executable, str(program), what, whose, str(kilobytes), str(tmp_path)]
    # Python itself puts the program's folder first; here that is where the broken package lies, for its children only.
    done = subprocess.run(
        [command[0], "-P", *command[1:]], env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True,
        timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    answer, _, seconds = done.stdout.partition("seconds ")
    assert float(seconds) < 30
    return answer


@pytest.mark.slow
@pytest.mark.parametrize("kilobytes", [1, 512])
def test_a_large_model_arrives_and_works(tmp_path: Path, kilobytes: int) -> None:
    assert run(tmp_path, "", kilobytes=kilobytes) == "made 8\n"


@pytest.mark.slow
@pytest.mark.parametrize("kilobytes", [1, 512])
def test_an_import_that_fails_in_the_other_process_is_told(tmp_path: Path, kilobytes: int) -> None:
    answer = run(tmp_path, "broken", kilobytes=kilobytes)
    assert answer.startswith("ModelError a process that should run model 'keys' died before it was ready")
    assert "import" in answer


@pytest.mark.slow
@pytest.mark.parametrize("whose", ["model", "perturbation"])
@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("refuse", "set up in another process: ImportError: not here"),
        ("leave", "set up in another process: SystemExit: no, thanks"),
        ("vanish", "died before it was ready"),
        ("killed", "died before it was ready"),
    ],
)
def test_what_cannot_be_unpacked_there_is_told(tmp_path: Path, what: str, told: str, whose: str) -> None:
    answer = run(tmp_path, what, whose)
    assert answer.startswith("ModelError")
    assert told in answer


@pytest.mark.slow
def test_a_process_that_is_killed_at_work_is_told(tmp_path: Path) -> None:
    assert run(tmp_path, "killed at work").startswith("ModelError a process that ran model 'keys' died\n")


def arrived(parcel: Parcel) -> object:
    """What a process that inherits the open file finds."""
    return Parcel(SimpleNamespace(detach=lambda: os.dup(parcel.source))).opened()


def test_a_parcel_can_be_opened_by_many_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with parcelled(("luggage", b"x" * 200_000)) as parcel:
        assert not list(tmp_path.iterdir())  # also after a kill
        assert arrived(parcel) == arrived(parcel) == ("luggage", b"x" * 200_000)
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(parcel.source)


def test_a_full_disk_is_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*given: object) -> NoReturn:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(pickle, "dump", full)
    with pytest.raises(WriteError, match=r"cannot write .*: No space left on device"), parcelled("luggage"):
        pass


def test_where_open_files_are_not_inherited_the_content_travels_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parcels, "INHERITS", False)
    with parcelled({"a": 1}) as parcel:
        assert pickle.loads(pickle.dumps(parcel)).opened() == {"a": 1}
