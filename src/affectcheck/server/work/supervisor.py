"""Worker processes of a server: as many as asked for, begun anew when one ends, told to stop with the server."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

_LOG: Final = logging.getLogger("affectcheck.server.work")
_TICK_S: Final = 0.5
#: A worker that ended sooner than that is not begun anew at once.
_SOON_S: Final = 10.0
_LONGEST_PAUSE_S: Final = 30.0


@dataclass
class _Place:
    """A place for one worker."""

    process: subprocess.Popen[bytes] | None = None
    began: float = 0.0
    again: float = 0.0
    pause: float = 1.0


class Supervisor:
    """Keeps workers running.

    Args:
        command: of a worker; the number of this process is added, with which it ends.
        number: of workers.
    """

    def __init__(self, command: Sequence[str], number: int) -> None:
        self._command = (*command, "--parent", str(os.getpid()))
        self._places = [_Place() for _ in range(number)]
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="supervisor", daemon=True)

    def start(self) -> None:
        """Begin all, and watch them."""
        self._look()
        self._thread.start()

    def stop(self, *, wait_s: float = 15.0) -> None:
        """Tell all to stop; what they are doing waits for the next start."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()
        running = [place.process for place in self._places if place.process is not None]
        for process in running:
            with suppress(ProcessLookupError):
                process.send_signal(signal.SIGTERM)
        ends = time.monotonic() + wait_s
        for process in running:
            try:
                process.wait(max(0.0, ends - time.monotonic()))
            except subprocess.TimeoutExpired:
                _LOG.warning("worker %s does not stop: it is killed", process.pid)
                process.kill()
                process.wait()

    @property
    def workers(self) -> tuple[int, ...]:
        """Numbers of the processes that run."""
        found = (place.process for place in self._places)
        return tuple(process.pid for process in found if process is not None and process.poll() is None)

    def _watch(self) -> None:
        while not self._over.wait(_TICK_S):
            self._look()

    def _look(self) -> None:
        now = time.monotonic()
        for place in self._places:
            if place.process is not None and place.process.poll() is not None:
                self._ended(place, now)
            if place.process is None and now >= place.again:
                place.began = now
                place.process = subprocess.Popen(self._command, stdin=subprocess.DEVNULL)  # noqa: S603  # our own

    def _ended(self, place: _Place, now: float) -> None:
        assert place.process is not None  # of a place that has one
        _LOG.warning("worker %s ended with %s and is begun anew", place.process.pid, place.process.returncode)
        soon = now - place.began < _SOON_S
        place.pause = min(2 * place.pause, _LONGEST_PAUSE_S) if soon else 1.0
        place.process, place.again = None, now + (place.pause if soon else 0.0)
