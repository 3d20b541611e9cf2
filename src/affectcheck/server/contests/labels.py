"""Hidden labels: they are written to the vault, where workers read them; nothing here can read them back.

A file that was sent is a label set of its track, numbered from 1. The first that turns out to hold labels becomes the
board's; a later one, such as of corrected labels, only by scoring all submissions anew and switching the board.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import sqlalchemy as sa

from affectcheck.challenges import SCORER
from affectcheck.server.accounts.actors import SYSTEM, require
from affectcheck.server.contests import texts
from affectcheck.server.contests.contest import change, contest_by_id, contest_of, locked_contest, raise_version
from affectcheck.server.contests.files import ending, kept_name
from affectcheck.server.faults import ConflictError, NotThereError, RefusedError
from affectcheck.server.identifiers import new_id
from affectcheck.server.storage import jobs
from affectcheck.server.storage.audit import record
from affectcheck.server.storage.tables import account, label_set, submission

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from affectcheck.server.accounts.actors import Actor
    from affectcheck.server.contests.contest import Contest
    from affectcheck.server.portal import Portal

#: A table, one file of annotations, or an archive of annotation files, one a video.
KINDS: Final = (".csv", ".txt", ".parquet", ".zip", ".tar", ".tar.gz", ".tgz")
#: Bytes of a file of labels.
MOST: Final = 2 << 30
_NOTE: Final = 2000
_NAME: Final = 120


@dataclass(frozen=True)
class LabelSet:
    """Labels of a track, without any of their values.

    Attributes:
        id: of the row.
        contest_id: whose they are.
        number: 1, 2, … of their track.
        state: ``received``, ``ready`` or ``refused``.
        digest: of the file in the vault: as sent while it is ``received``, as kept for scoring once it is ``ready``.
        note: of the organiser's, such as what was corrected.
        fault: why they were refused.
        facts: ``file_name``, ``sent`` (digest as sent), ``size``; once ready what the worker counted: ``items``, ``height``,
            ``labelled``, ``groups`` (column to group to count) and others.
        author: name of the organiser who sent them.
        created: when they came.
        active: whether the board shows scores of them.
    """

    id: str
    contest_id: str
    number: int
    state: str
    digest: str
    note: str
    fault: str
    facts: Mapping[str, Any]
    author: str
    created: datetime
    active: bool


def receive_labels(  # noqa: PLR0913, PLR0917  # as all files are received, with a note
    portal: Portal, actor: Actor, slug: str, file_name: str, blocks: Iterable[bytes], note: str = ""
) -> LabelSet:
    """Take labels; a worker reads them and says whether they fit.

    Args:
        portal: where.
        actor: an organiser.
        slug: the track.
        file_name: as sent; its ending tells what it is.
        blocks: its bytes, which go to the vault as they come.
        note: what is to be known of them, such as what was corrected.

    Raises:
        NotThereError: no such track.
        ConflictError: it is archived.
        RefusedError: a file of another kind.
        TooLargeError: more bytes than are taken.
    """
    require(actor, "organise")
    ending(file_name, KINDS)
    said = texts.paragraphs("note", note, most=_NOTE)
    with portal.database.read() as connection:
        contest_of(connection, slug, actor)
    _require_room(portal)
    with portal.vault.open_writer(most=MOST, spare=portal.settings.free_bytes) as incoming:
        for block in blocks:
            incoming.write(block)
        kept = incoming.keep()
    if not kept.size:
        raise RefusedError("a file of no bytes", code="E_EMPTY", expected="labels")
    name = kept_name(file_name, most=_NAME)
    facts = {"file_name": name, "sent": kept.digest, "size": kept.size}
    with portal.database.write() as connection:
        found, now = locked_contest(connection, slug, actor), portal.now()
        key, number = new_id(now), _next_number(connection, found)
        row = {
            "id": key,
            "contest": found.id,
            "number": number,
            "state": "received",
            "digest": kept.digest,
            "note": said,
            "facts": facts,
            "author": None if actor.role == "system" else actor.id,
            "created": now,
        }
        connection.execute(sa.insert(label_set).values(row))
        jobs.add(connection, "labels", key, now=now)
        detail = {"slug": slug, "number": number, "digest": kept.digest, "size": kept.size, "note": said}
        record(connection, actor.id, "labels.receive", key, detail, now)
        return label_set_of(connection, key, actor)


def label_sets(connection: sa.Connection, contest_id: str, actor: Actor) -> tuple[LabelSet, ...]:
    """All labels of a track, for organisers; the newest first.

    Raises:
        ForbiddenError: the person is no organiser.
    """
    require(actor, "organise")
    rows = connection.execute(_ALL.where(label_set.c.contest == contest_id).order_by(label_set.c.number.desc()))
    active = contest_by_id(connection, contest_id, actor).label_set
    return tuple(_label_set(row, active) for row in rows)


def label_set_of(connection: sa.Connection, label_set_id: str, actor: Actor) -> LabelSet:
    """One set of labels, for organisers.

    Raises:
        ForbiddenError: the person is no organiser.
        NotThereError: there is none.
    """
    require(actor, "organise")
    row = connection.execute(_ALL.where(label_set.c.id == label_set_id)).first()
    if row is None:
        raise NotThereError("no such labels", code="E_NO_LABELS")
    return _label_set(row, contest_by_id(connection, row.contest, actor).label_set)


def labels_ready(
    connection: sa.Connection, label_set_id: str, digest: str, facts: Mapping[str, Any], now: datetime
) -> None:
    """A worker has read labels and kept them for scoring.

    Args:
        connection: of the transaction that ends the worker's job.
        label_set_id: whose file it was.
        digest: of the file that was kept in the vault.
        facts: counts, no value of a label. ``items``: digest of the list of their items among the uploads (a file of
            ``write_wanted``), or of the track's own list, which they were found to fit. ``groups``: column to group to
            count.
        now: the moment.

    Raises:
        NotThereError: no such labels.
        ConflictError: the track has been given another list meanwhile; they are to be read anew, or refused.
    """
    row = _locked(connection, label_set_id)
    found = contest_by_id(connection, row.contest, SYSTEM)
    if found.items and facts["items"] != found.items:
        raise ConflictError(
            "the list of items has changed since the labels were read",
            code="E_ITEMS_CHANGED",
            expected="labels that fit the list that is there now",
        )
    kept = {**row.facts, **facts}
    values = {"state": "ready", "digest": digest, "facts": kept, "fault": ""}
    connection.execute(sa.update(label_set).where(label_set.c.id == label_set_id).values(values))
    changes: dict[str, Any] = {} if found.items else {"items": facts["items"]}
    if not found.label_set:
        changes |= {"label_set": label_set_id, "scorer": SCORER}
    if changes:
        change(connection, found, changes)
        _wake(connection, found, now)
    else:
        raise_version(connection, found.id)
    detail = {"number": row.number, "digest": digest, "facts": kept, "active": "label_set" in changes}
    record(connection, SYSTEM.id, "labels.ready", label_set_id, detail, now)


def labels_refused(connection: sa.Connection, label_set_id: str, fault: str, now: datetime) -> None:
    """A worker has found that labels cannot be used.

    Args:
        connection: of the transaction that ends the worker's job.
        label_set_id: whose file it was.
        fault: for organisers; it may name items, and tells no label.
        now: the moment.

    Raises:
        NotThereError: no such labels.
    """
    row = _locked(connection, label_set_id)
    values = {"state": "refused", "fault": fault}
    connection.execute(sa.update(label_set).where(label_set.c.id == label_set_id).values(values))
    raise_version(connection, row.contest)
    record(connection, SYSTEM.id, "labels.refuse", label_set_id, {"number": row.number, "fault": fault[:2000]}, now)


def _wake(connection: sa.Connection, found: Contest, now: datetime) -> None:
    """Submissions that came before there were labels are checked and scored."""
    states = {"received": "check", "queued": "score"}
    asked = sa.select(submission.c.id, submission.c.state).where(
        submission.c.contest == found.id, submission.c.state.in_(states)
    )
    for row in connection.execute(asked.order_by(submission.c.received, submission.c.id)).all():
        jobs.add(connection, "check" if row.state == "received" else "score", row.id, now=now)


def _require_room(portal: Portal) -> None:
    folder = portal.settings.labels
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if shutil.disk_usage(folder).free < portal.settings.free_bytes:
        raise RefusedError("the disk of the labels is nearly full", code="E_DISK", expected="free space on it")


def _next_number(connection: sa.Connection, found: Contest) -> int:
    last = sa.select(sa.func.max(label_set.c.number)).where(label_set.c.contest == found.id)
    return (connection.execute(last).scalar() or 0) + 1


def _locked(connection: sa.Connection, label_set_id: str) -> sa.Row[Any]:
    row = connection.execute(sa.select(label_set).where(label_set.c.id == label_set_id).with_for_update()).first()
    if row is None:
        raise NotThereError("no such labels", code="E_NO_LABELS")
    return row


_ALL: Final = sa.select(label_set, account.c.name.label("author_name")).outerjoin(
    account, account.c.id == label_set.c.author
)


def _label_set(row: sa.Row[Any], active: str) -> LabelSet:
    names = ("id", "number", "state", "digest", "note", "fault", "facts", "created")
    values = {name: row._mapping[name] for name in names}
    author = row.author_name or SYSTEM.name
    return LabelSet(contest_id=row.contest, author=author, active=row.id == active, **values)
