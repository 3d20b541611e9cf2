"""Two teams that become one: only where the submissions of both fit into the slots of one, on every track."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from affectcheck.challenges import free_slot
from affectcheck.server.accounts.actors import Actor, require
from affectcheck.server.accounts.letters import post
from affectcheck.server.accounts.team_rows import Team, event_row, team_by_id
from affectcheck.server.faults import ConflictError, NotThereError
from affectcheck.server.storage import audit, jobs
from affectcheck.server.storage.tables import account, contest, event, membership, submission, team

if TYPE_CHECKING:
    from datetime import datetime

    from affectcheck.server.portal import Portal


def merge_teams(portal: Portal, actor: Actor, event_slug: str, into: str, from_: str) -> Team:
    """Make one team of two.

    Args:
        portal: where.
        actor: an organiser.
        event_slug: the event of both.
        into: id of the team that stays, with its name.
        from_: id of the team that goes; its submissions take the lowest free slots, the oldest first.

    Raises:
        NotThereError: no such event or team.
        ConflictError: too many submissions on a track, or too many members.
    """
    require(actor, "organise")
    now = portal.now()
    with portal.database.write() as connection:
        place = event_row(connection, event_slug, actor)
        stays, goes = _locked_pair(connection, place["id"], into, from_)
        _members_fit(stays, goes, place["team_size"])
        tracks = connection.execute(sa.select(contest).where(contest.c.event == place["id"]).order_by(contest.c.slug))
        for row in tracks.mappings().all():
            _move_submissions(connection, row, stays.id, goes.id, now)
        _move_members(connection, stays, goes)
        audit.record(connection, actor.id, "team.merge", stays.id, {"from": goes.id, "name": goes.name}, now)
        merged = team_by_id(connection, stays.id)
        _tell(connection, merged, goes, portal)
        return merged


def _locked_pair(connection: sa.Connection, event_id: str, into: str, from_: str) -> tuple[Team, Team]:
    if into == from_:
        raise ConflictError("a team and itself", code="E_SAME_TEAM", expected="two teams")
    both = sa.select(team.c.id).where(team.c.event == event_id, team.c.id.in_((into, from_))).order_by(team.c.id)
    if len(connection.execute(both.with_for_update()).all()) < 2:
        raise NotThereError("no such teams", code="E_NO_TEAM", expected="ids of two teams of the event")
    return team_by_id(connection, into), team_by_id(connection, from_)


def _members_fit(stays: Team, goes: Team, most: int) -> None:
    members = len(stays.members) + len(goes.members)
    if members > most:
        raise ConflictError(f"{members} members", code="E_TEAM_FULL", expected=f"at most {most} in a team of the event")


def _move_submissions(connection: sa.Connection, track: sa.RowMapping, stays: str, goes: str, now: datetime) -> None:
    """Submissions of one track, each into the lowest slot that is free."""
    query = sa.select(submission.c.id, submission.c.team, submission.c.slot, submission.c.chosen).where(
        submission.c.contest == track["id"], submission.c.team.in_((stays, goes))
    )
    rows = connection.execute(query.order_by(submission.c.received, submission.c.id)).all()
    taken = {row.slot for row in rows if row.team == stays and row.slot is not None}
    limit = int(track["track"].get("submissions", 5))
    holding = sum(row.slot is not None for row in rows)
    if holding > limit:
        raise ConflictError(
            f"{holding} submissions on the track {track['slug']}",
            code="E_SLOTS",
            expected=f"at most {limit} of both teams together",
        )
    chosen = any(row.team == stays and row.chosen for row in rows)
    for row in (row for row in rows if row.team == goes):
        slot = None if row.slot is None else free_slot(taken, limit)
        taken |= set() if slot is None else {slot}
        values: dict[str, Any] = {"team": stays, "slot": slot, "chosen": row.chosen and not chosen}
        connection.execute(sa.update(submission).where(submission.c.id == row.id).values(values))
    if rows:
        newer = sa.update(contest).where(contest.c.id == track["id"]).values(version=contest.c.version + 1)
        connection.execute(newer)
        jobs.add(connection, "standing", track["id"], now=now)  # other submissions count


def _move_members(connection: sa.Connection, stays: Team, goes: Team) -> None:
    moved = sa.update(membership).where(membership.c.team == goes.id).values(team=stays.id, captain=False)
    connection.execute(moved)
    connection.execute(sa.update(team).where(team.c.id == stays.id).values(frozen=stays.frozen or goes.frozen))
    connection.execute(sa.delete(team).where(team.c.id == goes.id))


def _tell(connection: sa.Connection, merged: Team, goes: Team, portal: Portal) -> None:
    title = connection.execute(sa.select(event.c.title).where(event.c.id == merged.event)).scalar_one()
    who = sa.select(account.c.email).where(account.c.id.in_([member.id for member in merged.members]))
    for email in connection.execute(who.order_by(account.c.email)).scalars():
        body = f"The organiser of {title} has made one team of {merged.name} and {goes.name}: {merged.name}.\n"
        post(connection, email, f"{title}: one team of two", body, portal.now())
