"""A track of an event, as it is read from its row."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import sqlalchemy as sa

from affectcheck.challenges import parse_track
from affectcheck.server.accounts.actors import require
from affectcheck.server.contests.settings import TrackSettings, settings_of
from affectcheck.server.faults import ConflictError, NotThereError
from affectcheck.server.storage.audit import record
from affectcheck.server.storage.tables import contest, event

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from affectcheck.challenges import Track
    from affectcheck.server.accounts.actors import Actor
    from affectcheck.server.portal import Portal

_READ: Final = 256


@dataclass(frozen=True)
class Contest:
    """A track of an event.

    Attributes:
        id: of the row.
        slug: as it stands in addresses.
        event_id, event_slug, event_title: what it is a part of.
        track: what is predicted, and its rules.
        settings: what the organiser set beside.
        items: digest of the list of what is to be predicted, a file of ``write_wanted`` among the uploads; empty while
            there is none.
        pack: digest of the participants' pack among the uploads; empty where there is none.
        label_set: id of the labels that the board shows scores of; empty while there are none.
        scorer: version of what computed these scores; empty while there are none.
        standing: intervals of places, and of which submissions; see ``boards.standing``.
        version: grows with every change that a board may show.
        published: whether everyone sees it, as its event is published too; else organisers do.
        archived: since when nothing of it changes any more; None while it lives.
        created: when it was made.
    """

    id: str
    slug: str
    event_id: str
    event_slug: str
    event_title: str
    track: Track
    settings: TrackSettings
    items: str
    pack: str
    label_set: str
    scorer: str
    standing: Mapping[str, Any]
    version: int
    published: bool
    archived: datetime | None
    created: datetime


def contest_of(connection: sa.Connection, slug: str, actor: Actor) -> Contest:
    """A track by its short name.

    Raises:
        NotThereError: there is none, or the person may not know that there is.
    """
    row = connection.execute(_ALL.where(contest.c.slug == slug)).first()
    return _seen(row, slug, actor)


def contest_by_id(connection: sa.Connection, contest_id: str, actor: Actor) -> Contest:
    """A track by the id of its row.

    Raises:
        NotThereError: there is none, or the person may not know that there is.
    """
    row = connection.execute(_ALL.where(contest.c.id == contest_id)).first()
    return _seen(row, contest_id, actor)


def contests_of(connection: sa.Connection, event_id: str, actor: Actor) -> tuple[Contest, ...]:
    """Tracks of an event that somebody may see, by short name."""
    rows = connection.execute(_ALL.where(contest.c.event == event_id).order_by(contest.c.slug))
    return tuple(_contest(row) for row in rows if _open_to(row, actor))


def locked_contest(connection: sa.Connection, slug: str, actor: Actor, *, archived: bool = False) -> Contest:
    """A track that an organiser is about to change, which nobody else changes meanwhile.

    Args:
        connection: of the transaction that changes it.
        slug: its short name.
        actor: an organiser.
        archived: whether an archived one may be changed too.

    Raises:
        NotThereError: there is none.
        ConflictError: it is archived.
    """
    require(actor, "organise")
    connection.execute(sa.select(contest.c.id).where(contest.c.slug == slug).with_for_update())
    found = contest_of(connection, slug, actor)
    if found.archived and not archived:
        raise ConflictError(f"{found.track.title} is archived", code="E_ARCHIVED", expected="a track that is not")
    return found


def change(connection: sa.Connection, found: Contest, values: Mapping[str, Any]) -> None:
    """Change the row of a track, and raise its version."""
    kept = {**values, "version": contest.c.version + 1}
    connection.execute(sa.update(contest).where(contest.c.id == found.id).values(kept))


def raise_version(connection: sa.Connection, contest_id: str) -> None:
    """Something has changed that the board of a track may show."""
    grown = sa.update(contest).where(contest.c.id == contest_id).values(version=contest.c.version + 1)
    connection.execute(grown)


@dataclass(frozen=True)
class Edit:
    """A change of a track by an organiser.

    Attributes:
        action: name in the audit log.
        values: columns and their new values.
        detail: what the audit log holds of it.
    """

    action: str
    values: Mapping[str, Any]
    detail: Mapping[str, Any]


def edited(connection: sa.Connection, portal: Portal, actor: Actor, found: Contest, edit: Edit) -> Contest:
    """Carry out a change, with its row in the audit log."""
    change(connection, found, edit.values)
    record(connection, actor.id, edit.action, found.id, {"slug": found.slug, **edit.detail}, portal.now())
    return contest_by_id(connection, found.id, actor)


_ALL: Final = sa.select(
    contest,
    event.c.slug.label("event_slug"),
    event.c.title.label("event_title"),
    event.c.published.label("event_published"),
).join(event, event.c.id == contest.c.event)


def _open_to(row: sa.Row[Any], actor: Actor) -> bool:
    return actor.organises or bool(row.published and row.event_published)


def _seen(row: sa.Row[Any] | None, name: str, actor: Actor) -> Contest:
    if row is None or not _open_to(row, actor):
        raise NotThereError(f"no track {name[:80]!r}", code="E_NO_CONTEST")
    return _contest(row)


def _contest(row: sa.Row[Any]) -> Contest:
    return Contest(
        id=row.id,
        slug=row.slug,
        event_id=row.event,
        event_slug=row.event_slug,
        event_title=row.event_title,
        track=_track(json.dumps(row.track)),
        settings=_settings(json.dumps(row.settings)),
        items=row.items,
        pack=row.pack,
        label_set=row.label_set or "",
        scorer=row.scorer,
        standing=row.standing,
        version=row.version,
        published=row.published,
        archived=row.archived,
        created=row.created,
    )


@lru_cache(maxsize=_READ)
def _track(text: str) -> Track:
    return parse_track(json.loads(text), where="a track of the portal")


@lru_cache(maxsize=_READ)
def _settings(text: str) -> TrackSettings:
    return settings_of(json.loads(text))
