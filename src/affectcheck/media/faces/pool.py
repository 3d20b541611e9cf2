"""Detectors at work in several processes, results in the order of what was given."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

from affectcheck.errors import InputError
from affectcheck.media.faces.registry import face_detector
from affectcheck.media.threads import one_thread_each, one_thread_here

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from affectcheck.media.faces.detector import FaceDetector

Work = TypeVar("Work")
Result = TypeVar("Result")

_AHEAD: Final = 3  # pieces of work that wait for each process: frames of a video take much memory
#: The one detector of a process.
_HERE: list[FaceDetector] = []


@dataclass(frozen=True)
class Pool:
    """Where detectors run.

    Attributes:
        detector: that of this process.
        executor: processes with the same one; None to work in this process.
        processes: how many there are.
    """

    detector: FaceDetector
    executor: ProcessPoolExecutor | None = None
    processes: int = 1

    def each(
        self, function: Callable[[FaceDetector, Work], Result], works: Iterable[Work]
    ) -> Iterator[tuple[Work, Result]]:
        """A function's results, in the order of the work.

        Args:
            function: of a detector and a piece of work; known by name in other processes.
            works: taken a few at a time, as processes become free.

        Raises:
            InputError: a process died.
        """
        if self.executor is None:
            yield from ((work, function(self.detector, work)) for work in works)
            return
        waiting: deque[tuple[Work, Any]] = deque()
        try:
            for work in works:
                waiting.append((work, self.executor.submit(_apply, function, work)))
                if len(waiting) >= _AHEAD * self.processes:
                    first, future = waiting.popleft()
                    yield first, future.result()
            for first, future in waiting:
                yield first, future.result()
        except BrokenProcessPool as error:
            raise InputError(
                "a process that looked for faces died",
                expected="workers that live to the end of the run",
                cause="out of memory; what was finished is kept, try fewer workers",
            ) from error


@contextmanager
def pool_of(spec: str, workers: int) -> Iterator[Pool]:
    """A pool that ends with the block.

    Args:
        spec: of the detector, as ``face_detector`` takes it.
        workers: processes; 1 for none beside this one, 0 for one a core.
    """
    detector = face_detector(spec)
    processes = workers or os.cpu_count() or 1
    if processes == 1:
        with one_thread_here():
            yield Pool(detector)
        return
    executor = ProcessPoolExecutor(
        processes, mp_context=multiprocessing.get_context("spawn"), initializer=_start, initargs=(spec,)
    )
    with one_thread_each():
        try:
            yield Pool(detector, executor, processes)
        finally:
            executor.shutdown(wait=True, cancel_futures=True)


def _start(spec: str) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches every process; the parent alone answers it
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _HERE[:] = [face_detector(spec)]


def _end_with_parent() -> None:
    """A parent that was killed cannot end its processes itself."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _apply(function: Callable[[FaceDetector, Work], Result], work: Work) -> Result:
    return function(_HERE[0], work)
