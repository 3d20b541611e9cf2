"""Tracks are made, set, shown and archived."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from affectcheck.challenges import plain
from affectcheck.server.accounts.actors import require
from affectcheck.server.contests import texts
from affectcheck.server.contests.baselines import baseline_rows
from affectcheck.server.contests.contest import Contest, Edit, contest_by_id, edited, locked_contest
from affectcheck.server.contests.events import event_of
from affectcheck.server.contests.phases import require_order
from affectcheck.server.contests.settings import TrackSettings, plain_settings
from affectcheck.server.contests.showing import ended
from affectcheck.server.faults import ConflictError, RefusedError
from affectcheck.server.identifiers import new_id
from affectcheck.server.storage import jobs
from affectcheck.server.storage.audit import record
from affectcheck.server.storage.tables import baseline, contest, label_set

if TYPE_CHECKING:
    from affectcheck.challenges import Track
    from affectcheck.server.accounts.actors import Actor
    from affectcheck.server.portal import Portal


def create_contest(  # noqa: PLR0913, PLR0917  # what a track is made of
    portal: Portal,
    actor: Actor,
    event_slug: str,
    track: Track,
    settings: TrackSettings | None = None,
    slug: str = "",
) -> Contest:
    """Make a track of an event, which only organisers see until it is published.

    Args:
        portal: where.
        actor: an organiser.
        event_slug: what it is a part of.
        track: one that comes with the package, or one of the organiser's own.
        settings: what is shown of scores; those of ``TrackSettings`` where none are stated.
        slug: its short name in addresses; by default that of the track.

    Raises:
        NotThereError: no such event.
        ConflictError: the short name is taken.
        RefusedError: phases that are not in order, or a short name that is none.
    """
    require(actor, "organise")
    name, now = texts.slug(slug or track.name), portal.now()
    require_order(track.phases)
    values = {"track": plain(track), "settings": plain_settings(settings or TrackSettings())}
    with portal.database.write() as connection:
        found = event_of(connection, event_slug, actor)
        key = new_id(now)
        _insert(connection, {"id": key, "event": found.id, "slug": name, "created": now, **values}, event_slug)
        rows = baseline_rows(key, track.baselines, now)
        if rows:
            connection.execute(sa.insert(baseline), rows)
        record(connection, actor.id, "contest.create", key, {"slug": name, "event": event_slug, **values}, now)
        return contest_by_id(connection, key, actor)


def edit_settings(portal: Portal, actor: Actor, slug: str, settings: TrackSettings) -> Contest:
    """Change what is shown of scores, and how they count.

    Raises:
        NotThereError: no such track.
        ConflictError: it is archived.
        RefusedError: groups that the labels do not have.
    """
    with portal.database.write() as connection:
        found = locked_contest(connection, slug, actor)
        _require_groups(connection, found, settings)
        before, after = plain_settings(found.settings), plain_settings(settings)
        edit = Edit("contest.settings", {"settings": after}, {"before": before, "after": after})
        jobs.add(connection, "standing", found.id, now=portal.now())  # other submissions may count, or other draws
        return edited(connection, portal, actor, found, edit)


def publish_contest(portal: Portal, actor: Actor, slug: str, *, published: bool = True) -> Contest:
    """Show a track to everyone who sees its event, or to organisers alone.

    Raises:
        NotThereError: no such track.
    """
    with portal.database.write() as connection:
        found = locked_contest(connection, slug, actor, archived=True)
        edit = Edit("contest.publish" if published else "contest.hide", {"published": published}, {})
        return edited(connection, portal, actor, found, edit)


def archive_contest(portal: Portal, actor: Actor, slug: str) -> Contest:
    """Close a track for good: nothing of it changes any more.

    Raises:
        NotThereError: no such track.
        ConflictError: a phase is open or to come.
    """
    with portal.database.write() as connection:
        found, now = locked_contest(connection, slug, actor), portal.now()
        if not ended(found, now):
            raise ConflictError(
                f"{found.track.title} is not over",
                code="E_NOT_OVER",
                expected="a track whose phases have all ended",
                cause="a phase that is open, or to come; close it first",
            )
        return edited(connection, portal, actor, found, Edit("contest.archive", {"archived": now}, {}))


def _insert(connection: sa.Connection, row: dict[str, Any], event_slug: str) -> None:
    try:
        with connection.begin_nested():
            connection.execute(sa.insert(contest).values(row))
    except sa.exc.IntegrityError as error:
        raise ConflictError(
            f"a track {row['slug']!r} is there",
            code="E_SLUG_TAKEN",
            expected=f"another short name, such as {event_slug}-{row['slug']}",
        ) from error


def _require_groups(connection: sa.Connection, found: Contest, settings: TrackSettings) -> None:
    facts: dict[str, Any] = (
        connection.execute(sa.select(label_set.c.facts).where(label_set.c.id == found.label_set)).scalar() or {}
    )
    there = facts.get("groups")
    missing = [name for name in settings.groups if there is not None and name not in there]
    if missing:
        raise RefusedError(
            f"groups by {missing[0]!r}, which the labels do not have",
            code="E_GROUPS",
            expected=f"of {', '.join(there) or 'no column'}" if there is not None else "",
            cause="labels that were uploaded without that column",
        )
