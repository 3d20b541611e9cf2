"""Work that waits: a row is claimed for a time, and what its worker does not finish in that time waits again.

A claim is told from later ones of the same row by its attempt. Whoever lost a claim cannot write: ``finish`` and ``fail``
stand in the transaction of the result, and change the row only while the claim holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from affectcheck.server.identifiers import new_id
from affectcheck.server.storage.tables import job

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime, timedelta

    from affectcheck.server.storage.engine import Database

#: In the order in which they are worked off.
Kind = Literal["labels", "check", "score", "standing"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
ATTEMPTS: Final = 3
_OVER: Final = ("done", "failed", "cancelled")
_RANK: Final = sa.case({kind: rank for rank, kind in enumerate(KINDS)}, value=job.c.kind, else_=len(KINDS))


@dataclass(frozen=True)
class Job:
    """A row of work, as it was claimed or found.

    Attributes:
        id: of the row.
        kind: what is to be done.
        subject: id of what it is about.
        campaign: id of the campaign it belongs to, or empty.
        state: waiting, running, done, failed or cancelled.
        attempt: how often it was claimed, this time included.
        worker: who has it.
        done: parts that are done.
        total: parts that there are; 0 while that is not known.
        created: when it was added.
        fault: why it failed.
    """

    id: str
    kind: Kind
    subject: str
    campaign: str
    state: str
    attempt: int
    worker: str
    done: int
    total: int
    created: datetime
    fault: str


def add(  # noqa: PLR0913
    connection: sa.Connection, kind: Kind, subject: str, *, campaign: str = "", now: datetime, again: bool = False
) -> None:
    """Add work; there is one row of a kind, subject and campaign, and one that is over waits again.

    Args:
        connection: of the transaction that makes it necessary.
        kind: what is to be done.
        subject: id of what it is about.
        campaign: id of a campaign.
        now: the moment.
        again: one that runs begins anew, since what it read has changed; its worker loses it.
    """
    insert = sqlite.insert(job) if connection.dialect.name == "sqlite" else postgresql.insert(job)
    anew = {"state": "waiting", "attempt": 0, "worker": "", "lease": None, "done": 0, "total": 0, "fault": ""}
    statement = insert.values(id=new_id(now), kind=kind, subject=subject, campaign=campaign, created=now, **anew)
    if again:
        # The attempt goes on counting, so that no claim before is taken for a later one.
        anew["attempt"] = sa.case((job.c.state == "running", job.c.attempt), else_=0)
    begun = (*_OVER, "running") if again else _OVER
    connection.execute(
        statement.on_conflict_do_update(
            index_elements=["kind", "subject", "campaign"],
            set_={**anew, "created": now, "finished": None},
            where=job.c.state.in_(begun),
        )
    )


def claim(database: Database, worker: str, now: datetime, lease: timedelta) -> Job | None:
    """Take the first work that waits, if there is any; labels before check before score before standing, oldest first."""
    first = (
        sa.select(job.c.id)
        .where(job.c.state == "waiting")
        .order_by(_RANK, job.c.created, job.c.id)
        .limit(1)
        .with_for_update(skip_locked=True)
    )
    with database.read() as connection:  # most of the time there is none, and nobody is to wait for that
        if connection.execute(sa.select(job.c.id).where(job.c.state == "waiting").limit(1)).first() is None:
            return None
    with database.write() as connection:
        found = connection.execute(first).scalar()
        if found is None:
            return None
        values = {"state": "running", "worker": worker, "lease": now + lease, "attempt": job.c.attempt + 1}
        row = connection.execute(job.update().where(job.c.id == found).values(**values).returning(job)).one()
        return _job(row)


def progress(database: Database, held: Job, done: int, total: int, now: datetime, lease: timedelta) -> bool:  # noqa: PLR0913, PLR0917
    """Say how far it is, and hold it for longer; False: it was lost, and the worker stops."""
    with database.write() as connection:
        return _change(connection, held, done=done, total=total, lease=now + lease)


def finish(connection: sa.Connection, held: Job, now: datetime) -> bool:
    """Done, in the transaction that writes the result; False: it was lost, and nothing may be written."""
    return _change(connection, held, state="done", finished=now, lease=None)


def fail(connection: sa.Connection, held: Job, fault: str, now: datetime) -> bool:
    """Failed for good, in the transaction that says so elsewhere; False: it was lost, and nothing may be written."""
    return _change(connection, held, state="failed", finished=now, lease=None, fault=fault)


def give_back(database: Database, held: Job) -> None:
    """A worker that stops lets it wait again; the attempt does not count."""
    with database.write() as connection:
        _change(connection, held, state="waiting", worker="", lease=None, done=0, total=0, attempt=held.attempt - 1)


def cancel(connection: sa.Connection, now: datetime, *, subject: str = "", campaign: str = "") -> int:
    """Cancel what waits or runs for a subject, or of a campaign; how many."""
    which = job.c.campaign == campaign if campaign else job.c.subject == subject
    if campaign and subject:
        which &= job.c.subject == subject
    values = {"state": "cancelled", "finished": now, "lease": None}
    found = connection.execute(job.update().where(which, job.c.state.in_(("waiting", "running"))).values(**values))
    return found.rowcount


def reap(
    database: Database,
    now: datetime,
    attempts: int = ATTEMPTS,
    *,
    lost: Callable[[sa.Connection, Job], None] | None = None,
) -> list[Job]:
    """Let work wait again whose worker went silent; what went silent every time has failed.

    Args:
        database: the portal's.
        now: leases that ended before have ended.
        attempts: after which it has failed.
        lost: told of each that has failed, in the transaction that says so.

    Returns:
        As they are now: waiting or failed.
    """
    expired = (job.c.state == "running") & (job.c.lease < now)
    with database.read() as connection:
        if connection.execute(sa.select(job.c.id).where(expired).limit(1)).first() is None:
            return []
    with database.write() as connection:
        rows = connection.execute(sa.select(job).where(expired).order_by(job.c.id).with_for_update(skip_locked=True))
        return [_reap_one(connection, _job(row), now, attempts, lost) for row in rows.all()]


def position(connection: sa.Connection, subject: str) -> int | None:
    """How many are worked off before a subject's is done: 1 is the next, 0 runs; None: there is none."""
    mine = connection.execute(
        sa.select(job.c.state, _RANK.label("rank"), job.c.created, job.c.id)
        .where(job.c.subject == subject, job.c.state.in_(("waiting", "running")))
        .order_by(job.c.state, _RANK)  # running sorts before waiting
    ).first()
    if mine is None or mine.state == "running":
        return None if mine is None else 0
    before = sa.tuple_(_RANK, job.c.created, job.c.id) <= sa.tuple_(
        sa.literal(mine.rank), sa.literal(mine.created, job.c.created.type), sa.literal(mine.id)
    )
    return connection.execute(sa.select(sa.func.count()).where(job.c.state == "waiting", before)).scalar_one()


def of_subject(connection: sa.Connection, subject: str) -> list[Job]:
    """All work about a subject, oldest first."""
    rows = connection.execute(sa.select(job).where(job.c.subject == subject).order_by(job.c.created, job.c.id))
    return [_job(row) for row in rows]


def _reap_one(
    connection: sa.Connection,
    found: Job,
    now: datetime,
    attempts: int,
    lost: Callable[[sa.Connection, Job], None] | None,
) -> Job:
    over = found.attempt >= attempts
    values: dict[str, Any] = {"state": "waiting", "worker": "", "lease": None, "done": 0, "total": 0}
    if over:
        fault = f"the worker went silent {found.attempt} times"
        values = {"state": "failed", "lease": None, "finished": now, "fault": fault}
    row = connection.execute(job.update().where(job.c.id == found.id).values(**values).returning(job)).one()
    changed = _job(row)
    if over and lost is not None:
        lost(connection, changed)
    return changed


def _change(connection: sa.Connection, held: Job, **values: Any) -> bool:
    mine = (job.c.id == held.id) & (job.c.state == "running") & (job.c.attempt == held.attempt)
    changed = connection.execute(job.update().where(mine, job.c.worker == held.worker).values(**values))
    return changed.rowcount == 1


def _job(row: sa.Row[Any]) -> Job:
    return Job(**{name: row._mapping[name] for name in Job.__dataclass_fields__})
