"""Whether a portal holds together: its audit log, its files, its slots, and work for all that waits for it."""

from __future__ import annotations

import hashlib
import math
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, Final

import sqlalchemy as sa

from affectcheck.challenges import HOLDS_SLOT, Track
from affectcheck.server.faults import NotThereError
from affectcheck.server.storage import audit
from affectcheck.server.storage.references import references
from affectcheck.server.storage.tables import contest, evaluation, job, label_set, submission

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from affectcheck.server.storage.blobs import Blobs
    from affectcheck.server.storage.engine import Database

#: Kind of the work that moves a submission out of a state, and the column of its track without which none is done.
_WAITS: Final = {"received": "check", "checking": "check", "queued": "score", "scoring": "score"}
_NEEDS: Final = {"received": "items", "queued": "label_set"}
#: States that keep a slot if they had one: a slot may be freed with a disqualification.
_MAY_HOLD: Final = frozenset({"disqualified"})
#: Slots of a track that does not say how many it gives.
_LIMIT: Final[int] = Track.model_fields["submissions"].default
_BLOCK: Final = 1 << 20


def verify(database: Database, stores: Mapping[str, Blobs], *, known: audit.ChainHead | None = None) -> list[str]:
    """What is wrong with a portal, a sentence each; nothing is changed.

    Args:
        database: its rows.
        stores: its folders of files, by name.
        known: an end that the audit log once had.
    """
    with database.read() as connection:
        rows = [
            *audit.verify(connection, known),
            *_work(connection),
            *_slots(connection),
            *_scores(connection),
        ]
        needed = references(connection).needed
    return [*rows, *(fault for name, store in stores.items() for fault in _files(name, store, needed.get(name, ())))]


def _files(name: str, store: Blobs, needed: Iterable[str]) -> Iterator[str]:
    for digest in sorted(set(needed) | set(store.digests())):
        try:
            path = store.path(digest)
        except NotThereError:
            yield f"{name}: file {digest} is missing"
            continue
        found = hashlib.sha256()
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                found.update(block)
        if found.hexdigest() != digest:
            yield f"{name}: file {digest} has other bytes than it had"


def _work(connection: sa.Connection) -> Iterator[str]:
    """What is to be checked or scored waits for somebody, and nobody works on what is over."""
    asked = sa.select(job.c.subject, job.c.kind).where(job.c.state.in_(("waiting", "running")), job.c.campaign == "")
    there = {(row.subject, row.kind) for row in connection.execute(asked)}
    tracks = {row["id"]: row for row in connection.execute(sa.select(contest)).mappings()}
    waiting = sa.select(submission.c.id, submission.c.state, submission.c.contest).where(submission.c.state.in_(_WAITS))
    for row in connection.execute(waiting):
        needs = _NEEDS.get(row.state)
        if needs is not None and not tracks[row.contest][needs]:
            continue  # it waits for the organiser
        if (row.id, _WAITS[row.state]) not in there:
            yield f"submission {row.id} is {row.state}, and there is no work for it"
    for found in connection.execute(sa.select(job).where(job.c.state == "running")):
        if found.lease is None or not found.worker or found.attempt < 1:
            yield f"job {found.id} runs, and nobody has it"
    received = sa.select(label_set.c.id).where(label_set.c.state == "received")
    for key in connection.execute(received).scalars():
        if (key, "labels") not in there:
            yield f"labels {key} were received, and there is no work for them"


def _slots(connection: sa.Connection) -> Iterator[str]:
    """No team has more slots than its track gives, and each state has the slot that it is to have."""
    tracks = connection.execute(sa.select(contest.c.id, contest.c.track))
    limits = {row.id: int(row.track.get("submissions", _LIMIT)) for row in tracks}
    taken: dict[tuple[str, str], Counter[int]] = defaultdict(Counter)
    columns = (submission.c.id, submission.c.contest, submission.c.team, submission.c.state, submission.c.slot)
    for row in connection.execute(sa.select(*columns)):
        if row.slot is None:
            if row.state in HOLDS_SLOT - _MAY_HOLD:
                yield f"submission {row.id} is {row.state} without a slot"
            continue
        if row.state not in HOLDS_SLOT:
            yield f"submission {row.id} is {row.state} and holds slot {row.slot}"
        if not 1 <= row.slot <= limits[row.contest]:
            yield f"submission {row.id} holds slot {row.slot} of {limits[row.contest]}"
        taken[row.contest, row.team][row.slot] += 1
    for (contest_id, team), slots in taken.items():
        if slots.total() > limits[contest_id] or max(slots.values()) > 1:
            yield f"team {team} holds {slots.total()} slots of {limits[contest_id]} on track {contest_id}"


def _scores(connection: sa.Connection) -> Iterator[str]:
    """What is scored has a score under the labels of its board, one each; a score is a number or undefined."""
    keys: Counter[tuple[Any, ...]] = Counter()
    columns = (evaluation.c.submission, evaluation.c.label_set, evaluation.c.scorer, evaluation.c.score)
    for row in connection.execute(sa.select(*columns)):
        keys[tuple(row)[:3]] += 1
        if row.score is not None and not math.isfinite(row.score):
            yield f"submission {row.submission} has the score {row.score}"
    yield from (f"submission {key[0]} has {count} scores of one kind" for key, count in keys.items() if count > 1)
    boards = sa.select(submission.c.id, contest.c.label_set, contest.c.scorer).join_from(
        submission, contest, contest.c.id == submission.c.contest
    )
    for shown in connection.execute(boards.where(submission.c.state == "scored")):
        if (shown.id, shown.label_set, shown.scorer) not in keys:
            yield f"submission {shown.id} is scored, and has no score under the labels of its board"
