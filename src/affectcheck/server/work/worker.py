"""A worker: takes one piece of work at a time, has a child process do it, and writes what came of it once."""

from __future__ import annotations

import logging
import os
import socket
import threading
import time
from datetime import timedelta
from typing import TYPE_CHECKING, Final

import sqlalchemy as sa

from affectcheck.server.ledger.results import incident_number
from affectcheck.server.storage import jobs
from affectcheck.server.work.handling import Handling
from affectcheck.server.work.upkeep import Upkeep

if TYPE_CHECKING:
    from collections.abc import Callable

    from affectcheck.server.portal import Portal

LEASE: Final = timedelta(seconds=60)
#: How often a lease is prolonged, and how often progress is written.
_BEAT_S: Final = 10.0
_PROGRESS_S: Final = 1.0
#: How long a worker waits that has nothing to do, or whose database does not answer.
_IDLE_S: Final = 0.5
_FAULT_S: Final = 5.0
_LOG: Final = logging.getLogger("affectcheck.server.work")


def worker_name() -> str:
    """Host and process: who holds a lease."""
    return f"{socket.gethostname()[:60]}:{os.getpid()}"


class Worker:
    """A worker of a portal.

    Args:
        portal: whose work.
        name: who holds leases; no two that run have the same.
        parent: number of the process with which it ends; 0 for none.
    """

    def __init__(self, portal: Portal, name: str = "", *, parent: int = 0) -> None:
        self._portal, self._name, self._parent = portal, name or worker_name(), parent
        self._stop = threading.Event()
        self._upkeep = Upkeep(portal)

    def step(self) -> bool:
        """Do one piece of work; False: there was none."""
        self._upkeep.look()
        held = jobs.claim(self._portal.database, self._name, self._portal.now(), LEASE)
        if held is None:
            return False
        _LOG.info("%s %s of %s, attempt %s", self._name, held.kind, held.subject, held.attempt)
        Handling(self._portal, held, _Beat(self._portal, held, self._stopping)).carry_out()
        return True

    def run(self, stop: threading.Event) -> None:
        """Work until told to stop, or until the process that began it is gone; what is being done waits again then."""
        self._stop = stop
        while not self._stopping():
            try:
                wait = 0.0 if self.step() else _IDLE_S
            except Exception:  # noqa: BLE001  # told in the log
                _LOG.exception("incident %s: a worker could not go on", incident_number(self._portal.now()))
                wait = _FAULT_S
            stop.wait(wait)

    def _stopping(self) -> bool:
        return self._stop.is_set() or bool(self._parent and os.getppid() != self._parent)


class _Beat:
    """Holds a lease while a child works, and passes its progress on."""

    def __init__(self, portal: Portal, held: jobs.Job, stopping: Callable[[], bool]) -> None:
        self._portal, self._held, self._stopping = portal, held, stopping
        self._last, self._told = time.monotonic(), (0, 0)
        self.lost = False

    def __call__(self, done: int, total: int) -> bool:
        """False: stop."""
        if self._stopping():
            return False
        since = time.monotonic() - self._last
        if since < _PROGRESS_S or (since < _BEAT_S and (done, total) == self._told):
            return True
        self._last, self._told = time.monotonic(), (done, total)
        try:
            self.lost = not jobs.progress(self._portal.database, self._held, done, total, self._portal.now(), LEASE)
        except sa.exc.DBAPIError:
            _LOG.exception("progress of %s is not written", self._held.subject)
        return not self.lost
