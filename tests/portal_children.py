"""Children and workers that stop where a test wants them to, run as ``python -c``."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from affectcheck.server.work.running import Answer

HERE = Path(__file__).parent


def run_here(request: Mapping[str, Any], folder: Path, beat: Callable[[int, int], bool]) -> Answer:
    """What a child does, in this process: quicker, and without its limits."""
    from affectcheck.server.work.child import answer
    from affectcheck.server.work.running import _answer

    said: list[dict[str, Any]] = []
    answer(json.loads(json.dumps(dict(request))), lambda one: said.append(json.loads(json.dumps(one, allow_nan=False))))
    for one in said[:-1]:
        assert beat(*one["progress"])
    return _answer(said[-1])


#: A child whose tasks are a test's own.
CHILD = """
import os, sys, time
from affectcheck.errors import InputError, WriteError
from affectcheck.server.work import child, tasks

def nap(request, tell):
    print("a library says something", flush=True)
    tell(1, 3)
    while True:
        time.sleep(0.05)

def spin(request, tell):
    while True:
        pass

def hoard(request, tell):
    return {"size": len(bytearray(1 << 40))}

def told(request, tell):
    tell(2, 2)
    return {"environment": sorted(os.environ), "nice": os.nice(0), "folder": os.getcwd()}

def break_off(request, tell):
    os.kill(os.getpid(), 9)

def stumble(request, tell):
    raise RuntimeError("label 7 of item-3")

def full(request, tell):
    raise WriteError("the disk is full")

def refuse(request, tell):
    raise InputError("wrong", where="/secret/place/blob:7", expected="other", cause="x" * 5000, code="E_WRONG")

tasks.TASKS |= {one.__name__: one for one in (nap, spin, hoard, told, break_off, stumble, full, refuse)}
sys.exit(child.main())
"""

#: A worker with the clock of a test, which stops for good at a point and says so.
WORKER = """
import sys, threading, time
from datetime import datetime
from pathlib import Path

from affectcheck.server.opening import open_portal
from affectcheck.server.settings import Settings
from affectcheck.server.work import handling, running, worker
from affectcheck.server.ledger import results

data, database, point, now = sys.argv[1:]
mark = Path(data) / "reached"

def stop_here(*_):
    mark.write_text("reached")
    time.sleep(600)

if point == "claimed":
    handling.Handling.carry_out = stop_here
elif point == "child":
    running._COMMAND = (sys.executable, "-c", "import os, pathlib, sys, time\\n"
        "from affectcheck.server.work import child, tasks\\n"
        "def nap(request, tell):\\n"
        f"    pathlib.Path({str(mark)!r}).write_text(str(os.getpid()))\\n"
        "    time.sleep(600)\\n"
        "tasks.TASKS |= {'check': nap, 'score': nap}\\n"
        "sys.exit(child.main())")
elif point == "result":
    results.checked = results.scored = stop_here
elif point == "transaction":
    def writes(name):
        real = getattr(results, name)
        def write(connection, *arguments):
            assert real(connection, *arguments)
            stop_here()
        setattr(results, name, write)
    for name in ("checked", "scored"):
        writes(name)
elif point == "committed":
    handling.Handling._tell = stop_here

def clock():
    return datetime.fromisoformat(now)

portal = open_portal(Settings(Path(data), database=database), clock=clock, upgrade=False)
worker.Worker(portal).run(threading.Event())
"""


def begin(code: str, *words: str, **more: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", code, *words], cwd=HERE, **more)


def wait_for(true: Callable[[], object], *, seconds: float = 60.0) -> None:
    """Until something is true; a test that waits in vain says so."""
    ends = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < ends, "it does not come about"
        time.sleep(0.02)


def runs(number: int) -> bool:
    """Whether a process runs; one that has ended and is not waited for does not."""
    try:
        state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in ("Z", "X")
