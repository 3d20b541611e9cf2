"""Where batches run: in this process, or in a pool of processes that journal for themselves; and what travels there."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import signal
import threading
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from multiprocessing import connection
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from affectcheck.errors import ModelError
from affectcheck.media.threads import one_thread_each
from affectcheck.predictions.kept import Journals
from affectcheck.predictions.luggage import packed, unpacked
from affectcheck.predictions.memory import keep_memory
from affectcheck.predictions.parcel import parcelled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from affectcheck.predictions.options import PredictOptions
    from affectcheck.predictions.outcomes import Job, Outcome
    from affectcheck.predictions.parcel import Parcel
    from affectcheck.predictions.work import Worker

    Engine: TypeAlias = Callable[[Worker, Sequence[Job], PredictOptions], Iterator[list[Outcome]]]

#: How often a process that waits for results looks up. Ctrl-C may reach a thread that does not wait, and wakes nobody.
LOOKS_S: Final = 0.1
#: The one worker of a pool's process, or why there is none.
_HERE: list[Worker | ModelError] = []
#: Bytes that all processes of a pool share, without a lock: one that dies holding it would be waited for for ever.
_FLAGS: list[Any] = []
#: That of a byte which is set once nobody waits for results any more.
_STOP: Final = 0
#: That of a byte which is set once a process is ready to work.
_READY: Final = 1
#: That of a byte which is set once processes are to end at once, whatever they do.
_END: Final = 2
#: How long predictions in flight are waited for when a run ends before its time.
GRACE_S: Final = 5.0


def engine_for(jobs: Sequence[Job], options: PredictOptions) -> Engine:
    """What runs these jobs; where little is left to do, this process."""
    if options.engine == "ray" and jobs:
        from affectcheck.predictions.ray_engine import run_on_ray  # noqa: PLC0415  # it needs what is defined here

        return run_on_ray
    return run_in_pool if options.workers > 1 and len(jobs) > options.batch else run_here


def run_here(worker: Worker, jobs: Sequence[Job], options: PredictOptions) -> Iterator[list[Outcome]]:
    """Batch after batch in this process."""
    for batch in batches_of(jobs, options.batch):
        yield from worker.process(batch)


def run_in_pool(worker: Worker, jobs: Sequence[Job], options: PredictOptions) -> Iterator[list[Outcome]]:
    """Batches over a pool of fresh processes, in the order in which they finish.

    Processes are started afresh (``spawn``), since a copy of a process with running threads may hang.

    Raises:
        ModelError: the model cannot travel to another process, or a process died.
    """
    places = worker.kept.places if isinstance(worker.kept, Journals) else None
    context = multiprocessing.get_context("spawn")
    flags = context.RawArray("b", 3)
    with parcelled((packed(worker), places)) as parcel:
        pool = ProcessPoolExecutor(
            max_workers=min(options.workers, -(-len(jobs) // options.batch)),
            mp_context=context,
            initializer=partial(_start, parcel, flags),
        )
        running: set[Future[list[Outcome]]] = set()
        try:
            yield from _drain(pool, jobs, options, running)
        except BrokenProcessPool as error:
            raise (died(worker) if flags[_READY] else never_ready(worker)) from error
        finally:
            flags[_STOP] = 1  # batches that wait return at once; the predictions in flight end and are journalled
            if wait([one for one in running if not one.cancel()], timeout=GRACE_S).not_done:
                flags[_END] = 1  # a model that hangs is not waited for
            pool.shutdown(wait=True, cancel_futures=True)


def died(worker: Worker) -> ModelError:
    """The error of a process that ended without a word."""
    return ModelError(
        f"a process that ran model {worker.model.card.name!r} died",
        expected="workers that live to the end of the run",
        cause="out of memory, or a crash in the model's own libraries; what was finished is kept, try fewer workers",
    )


def never_ready(worker: Worker) -> ModelError:
    """The error of processes of which none lived until it could work."""
    return ModelError(
        f"a process that should run model {worker.model.card.name!r} died before it was ready",
        expected="processes in which the program and the model can be imported, or workers=1",
        cause="an import that fails there, a script without `if __name__ == '__main__'`, or out of memory; what the "
        "process itself said stands above",
    )


def batches_of(jobs: Sequence[Job], size: int) -> Iterator[list[Job]]:
    """The jobs, so many at a time."""
    return (list(jobs[start : start + size]) for start in range(0, len(jobs), size))


def _drain(
    pool: ProcessPoolExecutor, jobs: Sequence[Job], options: PredictOptions, running: set[Future[list[Outcome]]]
) -> Iterator[list[Outcome]]:
    """Keep a few batches waiting for each process and no more, so that an interruption has little to wait for."""
    batches = batches_of(jobs, options.batch)
    with _interrupts_held_back(), one_thread_each():  # processes start with their first batches
        running |= {pool.submit(_process, batch) for batch in itertools.islice(batches, 2 * options.workers)}
    while running:
        ready = wait(running, timeout=LOOKS_S, return_when=FIRST_COMPLETED).done
        running -= ready
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


def _start(parcel: Parcel, flags: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches every process; the parent alone answers it
    _FLAGS[:] = [flags]
    threading.Thread(target=_end_with_parent, daemon=True).start()
    keep_memory()
    luggage, places = parcel.opened()
    try:
        _HERE[:] = [unpacked(luggage, Journals(places) if places is not None else None)]
    except ModelError as error:  # raised by the first batch, since a pool hides what its start raises
        _HERE[:] = [error]
    flags[_READY] = 1


def _end_with_parent() -> None:
    """End with a parent that was killed, since nobody would stop this process, or with one that waits no longer."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        while not connection.wait([parent.sentinel], timeout=LOOKS_S) and not _FLAGS[0][_END]:
            continue
        os._exit(1)


def _process(batch: list[Job]) -> list[Outcome]:
    worker = _HERE[0]
    if isinstance(worker, ModelError):
        raise worker
    found: list[Outcome] = []
    steps = worker.process(batch)
    while not _FLAGS[0][_STOP]:
        outcomes = next(steps, None)
        if outcomes is None:
            break
        found += outcomes
    return found
