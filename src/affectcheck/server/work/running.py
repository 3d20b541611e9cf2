"""Run one request in a child process: with limits, watched by the clock, and without anything of the portal's own."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path
    from typing import IO

#: What a child keeps of the environment: where programs and packages are, how text is written, one thread.
_KEPT: Final = ("PATH", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "LANG", "LC_ALL", "TMPDIR", "COVERAGE_PROCESS_START")
_THREADS: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS")
_COMMAND: Final = (sys.executable, "-P", "-m", "affectcheck.server.work.child")
#: How often a child's worker looks up from waiting.
_TICK_S: Final = 0.25
#: Bytes of what a child wrote to its error output that the log holds.
_TOLD: Final = 8000

#: How it ended: with a result, with a fault of what was sent, at a limit, stopped by the worker, or by an error of ours.
Ending: TypeAlias = Literal["result", "fault", "limit", "stopped", "error"]


@dataclass(frozen=True)
class Answer:
    """What came of a request.

    Attributes:
        ending: how it ended.
        values: the result, or the fault.
        told: of a limit which one, of an error all that is known, for the log alone.
    """

    ending: Ending
    values: Mapping[str, Any]
    told: str = ""


def run(request: Mapping[str, Any], folder: Path, beat: Callable[[int, int], bool]) -> Answer:
    """Run a request.

    Args:
        request: with ``kind`` and ``limits``.
        folder: of its own, where it may write.
        beat: told often how far it is; False ends the child.
    """
    errors = folder / "errors"
    with errors.open("wb") as told, _begin(folder, told) as child:
        try:
            said = _talk(child, request, beat)
        finally:
            with suppress(ProcessLookupError):
                child.kill()
    if said is not None:
        return said
    tail = errors.read_bytes()[-_TOLD:].decode("utf-8", "replace")
    if child.returncode == -signal.SIGXCPU:
        return Answer("limit", {}, "time")
    return Answer("error", {}, f"the process ended with {child.returncode} and no answer\n{tail}")


def _begin(folder: Path, errors: IO[bytes]) -> subprocess.Popen[bytes]:
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return subprocess.Popen(  # noqa: S603  # our own module
        _COMMAND,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        cwd=folder,
        env=environment | dict.fromkeys(_THREADS, "1"),
    )


def _talk(
    child: subprocess.Popen[bytes], request: Mapping[str, Any], beat: Callable[[int, int], bool]
) -> Answer | None:
    """Its answer; None where it ended without one."""
    assert child.stdin is not None  # both were asked for
    assert child.stdout is not None
    lines: queue.Queue[bytes] = queue.Queue()
    threading.Thread(target=_read, args=(child.stdout, lines), daemon=True).start()
    with suppress(BrokenPipeError):
        child.stdin.write(json.dumps(dict(request)).encode() + b"\n")
        child.stdin.flush()  # it stays open: the child ends when it is closed
    ends, done = time.monotonic() + request["limits"]["seconds"], (0, 0)
    while time.monotonic() < ends:
        try:
            line = lines.get(timeout=_TICK_S)
        except queue.Empty:
            line = None
        if line == b"":
            child.wait()
            return None
        said = json.loads(line) if line else {}
        if "progress" in said:
            done = (int(said["progress"][0]), int(said["progress"][1]))
        elif said:
            return _answer(said)
        if not beat(*done):
            return Answer("stopped", {})
    return Answer("limit", {}, "clock")


def _answer(said: Mapping[str, Any]) -> Answer:
    if "result" in said:
        return Answer("result", said["result"])
    if "fault" in said:
        return Answer("fault", said["fault"])
    if "limit" in said:
        return Answer("limit", {}, said["limit"])
    return Answer("error", {}, said["error"])


def _read(stream: IO[bytes], lines: queue.Queue[bytes]) -> None:
    with suppress(ValueError, OSError):  # closed meanwhile
        for line in stream:
            lines.put(line)
    lines.put(b"")
