"""Batches on a cluster: actors of Ray, one a worker; the process that asked keeps the journals, and alone writes them.

A node needs the same packages, and the media under the same path. What an actor has finished comes back several times
a second, so that a run that is killed loses little.
"""

from __future__ import annotations

import os
import threading
import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from affectcheck.errors import AffectcheckError, ModelError
from affectcheck.predictions.cluster import connected
from affectcheck.predictions.engines import batches_of, died
from affectcheck.predictions.kept import Journals, Outbox
from affectcheck.predictions.luggage import packed, unpacked
from affectcheck.predictions.memory import keep_memory

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from affectcheck.predictions.kept import Posted
    from affectcheck.predictions.luggage import Luggage
    from affectcheck.predictions.options import PredictOptions
    from affectcheck.predictions.outcomes import Job, Outcome
    from affectcheck.predictions.work import Worker

#: How long an actor works before it tells what it has.
SILENT_S: Final = 0.25
#: How often an actor looks whether its node is still there.
WATCHED_S: Final = 0.5


class _Told(NamedTuple):
    """What an actor has finished since it spoke last.

    Attributes:
        outcomes: what became of items.
        posted: records for the journals.
        is_free: whether its batch is finished.
    """

    outcomes: list[Outcome]
    posted: list[Posted]
    is_free: bool


class Actor:
    """A worker in a process of Ray.

    Args:
        luggage: what it is made of.
        keeps: whether there are journals to send records for.
    """

    def __init__(self, luggage: Luggage, keeps: bool) -> None:
        end_with_parent()
        keep_memory()
        self._outbox = Outbox()
        try:
            self._worker: Worker | ModelError = unpacked(luggage, self._outbox if keeps else None)
        except ModelError as error:  # told when it is asked, since Ray hides why an actor could not be made
            self._worker = error
        self._steps: Iterator[list[Outcome]] = iter(())

    def step(self, batch: list[Job] | None = None) -> _Told:
        """Work for a while.

        Args:
            batch: new jobs; None goes on with those it has.
        """
        if isinstance(self._worker, ModelError):
            raise self._worker
        if batch is not None:
            self._steps = self._worker.process(batch)
        until = time.monotonic() + SILENT_S
        found: list[Outcome] = []
        while (outcomes := next(self._steps, None)) is not None:
            found += outcomes
            if time.monotonic() > until:
                return _Told(found, self._outbox.taken(), is_free=False)
        return _Told(found, self._outbox.taken(), is_free=True)


def end_with_parent() -> None:
    """End this process soon after the one that started it, for which Ray may take more than a minute."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(WATCHED_S)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def run_on_ray(worker: Worker, jobs: Sequence[Job], options: PredictOptions) -> Iterator[list[Outcome]]:
    """Batches over actors of Ray, in the order in which they finish.

    Raises:
        ExtraMissingError: Ray is not installed.
        ModelError: the model cannot travel, or a process died.
    """
    journals = worker.kept if isinstance(worker.kept, Journals) else None
    number = min(options.workers, -(-len(jobs) // options.batch))
    with connected(number) as ray:
        made = ray.remote(num_cpus=1, max_restarts=0)(Actor)
        sent = ray.put(packed(worker, ray.cloudpickle.dumps))
        actors = [made.remote(sent, journals is not None) for _ in range(number)]
        try:
            for told in _drain(ray, actors, batches_of(jobs, options.batch), worker):
                if journals is not None:
                    journals.take(told.posted)
                if told.outcomes:
                    yield told.outcomes
        finally:
            for actor in actors:
                ray.kill(actor, no_restart=True)


def _drain(ray: Any, actors: Sequence[Any], batches: Iterator[list[Job]], worker: Worker) -> Iterator[_Told]:
    """Give each actor a batch when it is free; one for which the cluster has no room yet is waited for by nobody."""
    running = {actor.step.remote(): actor for actor in actors}
    busy: set[Any] = set()  # what running calls work on a batch; the others wait for their actor to be made
    batch = next(batches, None)
    while batch is not None or busy:
        ready, _ = ray.wait(list(running), num_returns=1)
        for call in ready:
            actor = running.pop(call)
            busy.discard(call)
            told = _answer(ray, call, worker)
            if not told.is_free or batch is not None:
                following = actor.step.remote(batch if told.is_free else None)
                batch = next(batches, None) if told.is_free else batch
                running[following] = actor
                busy.add(following)
            yield told


def _answer(ray: Any, call: Any, worker: Worker) -> _Told:
    try:
        told: _Told = ray.get(call)
    except ray.exceptions.RayTaskError as error:
        cause = getattr(error, "cause", None)
        if isinstance(cause, AffectcheckError):
            raise cause from error
        raise
    except ray.exceptions.RayActorError as error:
        raise died(worker) from error
    return told
