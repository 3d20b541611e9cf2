"""One piece of work from its claim to its end: asked of a child, written, refused, tried again, or failed."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import TYPE_CHECKING, Final, Protocol

from affectcheck.server.ledger import results
from affectcheck.server.storage import jobs
from affectcheck.server.work import checks, labelling, scores, standings
from affectcheck.server.work.running import run
from affectcheck.server.work.scratch import Scratch, scratch

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from affectcheck.server.portal import Portal
    from affectcheck.server.storage.jobs import Kind
    from affectcheck.server.work.running import Answer
    from affectcheck.server.work.task import Task

_LOG: Final = logging.getLogger("affectcheck.server.work")
_MIB: Final = 1 << 20
_ENDED: Final = timedelta(seconds=-1)
_PREPARE: Final[Mapping[Kind, Callable[[Portal, jobs.Job, Scratch], Task | None]]] = {
    "labels": labelling.prepare,
    "check": checks.prepare,
    "score": scores.prepare,
    "standing": standings.prepare,
}


class Beat(Protocol):
    """Holds a lease."""

    lost: bool

    def __call__(self, done: int, total: int) -> bool:
        """False: stop."""
        ...


class Handling:
    """A claimed piece of work.

    Args:
        portal: whose.
        held: as it was claimed.
        beat: holds the lease.
    """

    def __init__(self, portal: Portal, held: jobs.Job, beat: Beat) -> None:
        self._portal, self._held, self._beat = portal, held, beat

    def carry_out(self) -> None:
        """Do it; what goes wrong on our side is an incident, and the work is tried again or fails."""
        try:
            with scratch(self._portal) as folder:
                task = _PREPARE[self._held.kind](self._portal, self._held, folder)
                if task is not None:
                    self._end(task, self._asked(task, folder))
        except Exception:  # noqa: BLE001  # whatever it is, it is told in the log
            self._incident("an exception", trace=True)

    def _asked(self, task: Task, folder: Scratch) -> Answer:
        limits = {"seconds": self._portal.settings.score_seconds, "memory": self._portal.settings.score_memory}
        return run({**task.asked, "kind": self._held.kind, "limits": limits}, folder.folder, self._beat)

    def _end(self, task: Task, answer: Answer) -> None:
        if answer.ending == "result":
            self._tell(task.write(answer.values))
        elif answer.ending == "fault" and task.refuse is not None:
            self._tell(task.refuse(answer.values))
        elif answer.ending == "limit" and answer.told != "clock" and task.refuse is not None:
            self._tell(task.refuse(self._too_costly(answer.told)))
        elif answer.ending == "stopped":
            if not self._beat.lost:
                jobs.give_back(self._portal.database, self._held)
            self._tell(not self._beat.lost)
        else:
            self._incident(f"{answer.ending} {answer.told} {dict(answer.values) or ''}")

    def _tell(self, kept: bool) -> None:
        if not kept:
            _LOG.warning("%s of %s: the lease was lost, nothing is written", self._held.kind, self._held.subject)

    def _too_costly(self, what: str) -> dict[str, str]:
        """What no honest file needs."""
        settings = self._portal.settings
        most = f"{settings.score_seconds} s" if what == "time" else f"{settings.score_memory // _MIB} MiB"
        return {
            "code": "E_TOO_COSTLY",
            "what": f"reading it takes more than {most} of {'a processor' if what == 'time' else 'memory'}",
            "where": "",
            "expected": "a file of this track's size",
            "cause": "a file made to keep a server busy, or many times the rows that are asked for",
        }

    def _incident(self, told: str, *, trace: bool = False) -> None:
        """Its number is all that is shown; what it was stands in the log."""
        portal, held = self._portal, self._held
        incident = results.incident_number(portal.now())
        _LOG.error(
            "incident %s: %s of %s, attempt %s: %s",
            incident, held.kind, held.subject, held.attempt, told, exc_info=trace,
        )  # fmt: skip
        try:
            if held.attempt < jobs.ATTEMPTS:
                # The lease ends now, and whoever looks next lets it wait again; the attempt counts.
                jobs.progress(portal.database, held, 0, 0, portal.now(), _ENDED)
            elif held.kind == "labels":
                labelling.refuse_labels(portal, held, f"they could not be read, by a fault of the portal: {incident}")
            else:
                with portal.database.write() as connection:
                    results.failed(connection, held, incident, portal.now())
        except Exception:  # noqa: BLE001  # told in the log
            _LOG.exception("incident %s is not written; the lease will end", incident)
