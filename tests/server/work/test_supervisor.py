"""Workers that a server begins: begun anew when they end, told to stop with it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from affectcheck.server.work import supervisor
from affectcheck.server.work.supervisor import Supervisor
from portal_children import runs, wait_for

if TYPE_CHECKING:
    from pathlib import Path

PATIENT = "import signal, sys, time\nsignal.signal(signal.SIGTERM, lambda *_: sys.exit(0))\ntime.sleep(600)"
STUBBORN = "import signal, sys, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nprint(flush=True)\ntime.sleep(600)"
NOTING = (
    "import pathlib, sys\nwith pathlib.Path({path!r}).open('a') as file: file.write(' '.join(sys.argv[1:]) + '\\n')"
)


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "_TICK_S", 0.02)


def test_a_worker_that_is_killed_is_begun_anew(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    import os
    import signal

    monkeypatch.setattr(supervisor, "_SOON_S", 0.0)
    found = Supervisor([sys.executable, "-c", PATIENT], 2)
    found.start()
    try:
        first = found.workers
        assert len(first) == 2
        os.kill(first[0], signal.SIGKILL)
        wait_for(lambda: len(found.workers) == 2 and first[0] not in found.workers)
        assert first[1] in found.workers
        last = found.workers
    finally:
        found.stop()
    assert not [number for number in (*first, *last) if runs(number)]
    assert found.workers == ()
    assert f"worker {first[0]} ended with -9" in caplog.text


def test_one_that_ends_at_once_is_not_begun_without_a_pause(tmp_path: Path) -> None:
    import os
    import time

    path = tmp_path / "begun"
    found = Supervisor([sys.executable, "-c", NOTING.format(path=str(path))], 1)
    found.start()
    wait_for(path.exists)
    time.sleep(0.5)
    found.stop()
    assert path.read_text() == f"--parent {os.getpid()}\n"


def test_one_that_does_not_stop_is_killed(caplog: pytest.LogCaptureFixture) -> None:
    import time

    found = Supervisor([sys.executable, "-c", STUBBORN], 1)
    found.start()
    (number,) = found.workers
    time.sleep(0.5)
    found.stop(wait_s=0.2)
    assert not runs(number)
    assert f"worker {number} does not stop" in caplog.text


def test_no_workers_are_none() -> None:
    found = Supervisor(["nothing"], 0)
    found.start()
    assert found.workers == ()
    found.stop()
