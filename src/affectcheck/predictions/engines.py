"""Where batches run: in this process, or in a pool of processes that journal for themselves."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import signal
import threading
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from multiprocessing import connection
from typing import TYPE_CHECKING

from affectcheck.errors import ModelError
from affectcheck.models.python_code import code_files, load_code
from affectcheck.predictions.journal import Journal
from affectcheck.predictions.work import Worker

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from multiprocessing.synchronize import Event
    from pathlib import Path

    from affectcheck.models.card import Predictor
    from affectcheck.predictions.options import Perturbation, PredictOptions
    from affectcheck.predictions.work import Job, Outcome

#: The one worker of a pool's process, or why there is none.
_HERE: list[Worker | ModelError] = []
#: Set once nobody waits for results any more.
_STOP: list[Event] = []


def run_here(worker: Worker, jobs: Sequence[Job], options: PredictOptions) -> Iterator[list[Outcome]]:
    """Batch after batch in this process."""
    for batch in _batches(jobs, options.batch):
        yield worker.process(batch)


def run_in_pool(worker: Worker, jobs: Sequence[Job], options: PredictOptions) -> Iterator[list[Outcome]]:
    """Batches over a pool of fresh processes, in the order in which they finish.

    Processes are started afresh (``spawn``), since a copy of a process with running threads may hang.

    Raises:
        ModelError: the model cannot travel to another process, or a process died.
    """
    paths = [journal.path if journal is not None else None for journal in (worker.done, worker.known)]
    context = multiprocessing.get_context("spawn")
    stop = context.Event()
    pool = ProcessPoolExecutor(
        max_workers=min(options.workers, len(jobs)),
        mp_context=context,
        initializer=partial(_start, _packed(worker.model, worker.perturbation), worker.root, paths, stop),
    )
    try:
        yield from _drain(pool, jobs, options)
    except BrokenProcessPool as error:
        raise ModelError(
            f"a process that ran model {worker.model.card.name!r} died",
            expected="workers that live to the end of the run",
            cause="out of memory, or a crash in the model's own libraries; what was finished is kept, try fewer workers",
        ) from error
    finally:
        stop.set()  # batches that wait return at once; the ones in flight end and are journalled
        pool.shutdown(wait=True, cancel_futures=True)


def _drain(pool: ProcessPoolExecutor, jobs: Sequence[Job], options: PredictOptions) -> Iterator[list[Outcome]]:
    """Keep a few batches waiting for each process and no more, so that an interruption has little to wait for."""
    batches = _batches(jobs, options.batch)
    running: set[Future[list[Outcome]]] = set()
    with _interrupts_held_back():  # processes start with their first batches
        running |= {pool.submit(_process, batch) for batch in itertools.islice(batches, 2 * options.workers)}
    while running:
        ready, running = wait(running, return_when=FIRST_COMPLETED)
        running |= {pool.submit(_process, batch) for batch in itertools.islice(batches, len(ready))}
        for future in ready:
            yield future.result()


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Processes that start in here never see Ctrl-C, not even before they can say so themselves; we see it after."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _batches(jobs: Sequence[Job], size: int) -> Iterator[list[Job]]:
    return (list(jobs[start : start + size]) for start in range(0, len(jobs), size))


@dataclass(frozen=True)
class _Luggage:
    """A model on its way to another process.

    Attributes:
        pickled: model and perturbation, for our own processes only.
        files: the Python files that it refers to, to be loaded first; see ``code_files``.
    """

    pickled: bytes
    files: dict[str, Path]


def _packed(model: Predictor, perturbation: Perturbation | None) -> _Luggage:
    """Packed here, so that a model that cannot travel is one clear error."""
    import pickle  # noqa: PLC0415  # never read from a file

    try:
        pickled = pickle.dumps((model, perturbation))
    except Exception as error:
        raise ModelError(
            f"model {model.card.name!r} cannot be sent to another process: {error}",
            expected="a picklable model, or workers=1",
            cause="it holds an open file, a lock or a function defined inside another",
        ) from error
    return _Luggage(pickled, {name: path for name, path in code_files().items() if name.encode() in pickled})


def _start(packed: _Luggage, root: Path | None, journals: Sequence[Path | None], stop: Event) -> None:
    import pickle  # noqa: PLC0415

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches every process; the parent alone answers it
    _STOP[:] = [stop]
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        load_code(packed.files)
        model, perturbation = pickle.loads(packed.pickled)  # noqa: S301  # packed by our own parent process
    except Exception as error:  # noqa: BLE001  # raised by the first batch, since a pool hides what its start raises
        _HERE[:] = [_failed(error)]
        return
    done, known = (Journal(path) if path is not None else None for path in journals)
    _HERE[:] = [Worker(model, root, perturbation, done, known)]


def _failed(error: Exception) -> ModelError:
    return ModelError(
        f"the model cannot be set up in another process: {type(error).__name__}: {error}",
        expected="a model whose class can be imported there, or workers=1",
        cause="a class defined in a notebook or in a script without `if __name__ == '__main__'`",
    )


def _end_with_parent() -> None:
    """A parent that was killed cannot stop its workers, and they would wait for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


def _process(batch: list[Job]) -> list[Outcome]:
    worker = _HERE[0]
    if isinstance(worker, ModelError):
        raise worker
    if _STOP[0].is_set():
        return []
    return worker.process(batch)
