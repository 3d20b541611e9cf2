"""A child process: its limits, its answers, and what it never has."""

from __future__ import annotations

import sys
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from affectcheck.server.work import running
from affectcheck.server.work.child import answer, fault_of
from affectcheck.server.work.limits import ChildLimits
from affectcheck.server.work.running import Answer, run
from portal_children import CHILD

if TYPE_CHECKING:
    from pathlib import Path

GIB = 1 << 30


@pytest.fixture(autouse=True)
def _tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "_COMMAND", (sys.executable, "-c", CHILD))
    for name in ("AFFECTCHECK_DATABASE", "AFFECTCHECK_SECRET", "AFFECTCHECK_SMTP", "PGPASSWORD"):
        monkeypatch.setenv(name, "for nobody")


def asked(kind: str, folder: Path, *, seconds: int = 60, memory: int = 8 * GIB, beat: Any = None) -> Answer:
    request = {"kind": kind, "limits": {"seconds": seconds, "memory": memory}}
    return run(request, folder, beat or (lambda done, total: True))


def test_a_child_has_no_secret_and_its_own_folder(tmp_path: Path) -> None:
    steps = []
    found = asked("told", tmp_path, beat=lambda *step: steps.append(step) or True)
    assert found.ending == "result"
    assert not [name for name in found.values["environment"] if name.startswith(("AFFECTCHECK", "PG"))]
    assert found.values["nice"] >= 10
    assert found.values["folder"] == str(tmp_path)


def test_what_a_child_says_ends_in_an_answer(tmp_path: Path) -> None:
    assert asked("refuse", tmp_path).values["code"] == "E_WRONG"
    assert asked("hoard", tmp_path) == Answer("limit", {}, "memory")
    stumbled = asked("stumble", tmp_path)
    assert (stumbled.ending, stumbled.values) == ("error", {})
    assert "label 7 of item-3" in stumbled.told
    assert asked("full", tmp_path).ending == "error"
    broken = asked("break_off", tmp_path)
    assert broken.ending == "error"
    assert "-9" in broken.told


def test_a_child_that_never_ends_is_ended(tmp_path: Path) -> None:
    assert asked("nap", tmp_path, seconds=2) == Answer("limit", {}, "clock")


@pytest.mark.slow
def test_a_child_that_uses_up_its_processor_time_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    request = {"kind": "spin", "limits": {"seconds": 2, "memory": 8 * GIB}}
    monkeypatch.setattr(time, "monotonic", lambda: 0.0)  # the clock on the wall stands still
    assert run(request, tmp_path, lambda done, total: True) == Answer("limit", {}, "time")


def test_a_child_is_stopped_when_its_worker_says_so(tmp_path: Path) -> None:
    steps: list[tuple[int, int]] = []

    def beat(done: int, total: int) -> bool:
        steps.append((done, total))
        return (done, total) != (1, 3)

    assert asked("nap", tmp_path, beat=beat) == Answer("stopped", {})
    assert steps[-1] == (1, 3)


def test_what_a_library_prints_is_no_answer(tmp_path: Path) -> None:
    asked("nap", tmp_path, beat=lambda done, _: not done)
    assert (tmp_path / "errors").read_text() == "a library says something\n"


def test_a_child_whose_pipe_is_closed_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the kernel sends no signal, the closed pipe ends it."""
    other = (
        "import types\nfrom affectcheck.server.work import limits\nlimits.sys = types.SimpleNamespace(platform='other')"
    )
    quiet = f"{other}\n{CHILD}"
    monkeypatch.setattr(running, "_COMMAND", (sys.executable, "-c", quiet))
    begun: list[Any] = []
    real = running._begin
    monkeypatch.setattr(running, "_begin", lambda *given: begun.append(real(*given)) or begun[-1])
    ended = threading.Event()

    def beat(done: int, total: int) -> bool:
        if done and not ended.is_set():
            ended.set()
            begun[0].stdin.close()
        return True

    found = asked("nap", tmp_path, beat=beat)
    assert (found.ending, begun[0].returncode) == ("error", 17)


def told(request: dict[str, Any]) -> list[Any]:
    said: list[Any] = []
    answer(request, said.append)
    return said


def test_answers_without_a_process() -> None:
    assert "KeyError" in told({"kind": "nothing"})[0]["error"]
    (said,) = told({"kind": "standing", "track": {"format": 2}})
    assert said["fault"]["code"]


def test_no_path_stands_in_a_fault() -> None:
    from affectcheck.errors import InputError

    error = InputError("no /vault/ab/x", where="/vault/ab/x:3", cause="y" * 9000)
    found = fault_of(error, {"paths": {"/vault": "the portal", "/vault/ab/x": "mine.csv"}})
    assert (found["what"], found["where"], found["code"]) == ("no mine.csv", "mine.csv:3", "E_INVALID")
    assert len(found["cause"]) == 4002


def test_limits_are_whole_numbers() -> None:
    assert ChildLimits.from_plain({"seconds": "5", "memory": 7.0}) == ChildLimits(5, 7)
