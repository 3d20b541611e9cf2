"""What a child process may take, set by itself before it reads anything; it dies with the worker that began it."""

from __future__ import annotations

import os
import resource
import signal
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

#: So that pages stay quick while something is scored.
NICE: Final = 10
_OPEN_FILES: Final = 256
_LARGEST_FILE: Final = 4 << 30
_PR_SET_PDEATHSIG: Final = 1
_GONE: Final = 17


@dataclass(frozen=True)
class ChildLimits:
    """Limits of one process.

    Attributes:
        seconds: of CPU; of wall clock, which the worker watches, as many.
        memory: bytes of address space.
    """

    seconds: int
    memory: int

    @classmethod
    def from_plain(cls, values: dict[str, Any]) -> ChildLimits:
        """From the values of a request."""
        return cls(int(values["seconds"]), int(values["memory"]))


def obey(limits: ChildLimits) -> None:
    """Take no more from here on."""
    for kind, most in (
        (resource.RLIMIT_AS, limits.memory),
        (resource.RLIMIT_CPU, limits.seconds),
        (resource.RLIMIT_NOFILE, _OPEN_FILES),
        (resource.RLIMIT_FSIZE, _LARGEST_FILE),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(kind)
        soft = most if hard == resource.RLIM_INFINITY else min(most, hard)
        # A second more until the kernel kills: the first signal already ends the process.
        grace = soft + 1 if kind == resource.RLIMIT_CPU and hard == resource.RLIM_INFINITY else soft
        resource.setrlimit(kind, (soft, grace))
    os.nice(NICE)
    for number in (signal.SIGINT, signal.SIGTERM):  # sent to all of a group at once; the worker decides
        signal.signal(number, signal.SIG_IGN)


def die_with_parent(pipe: int) -> None:
    """End this process when the one that began it is gone, however that ended.

    Args:
        pipe: number of a file whose other end only the parent holds.
    """
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415  # Linux alone has the call

        with suppress(OSError, AttributeError):
            ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    threading.Thread(target=_watch, args=(pipe,), daemon=True).start()


def _watch(pipe: int) -> None:
    while os.read(pipe, 1):  # nothing comes: it returns when the other end is closed
        pass
    os._exit(_GONE)
