"""Teams: made by one person, joined with a code, one a person and event, and closed once a submission was scored."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Final

import sqlalchemy as sa

from affectcheck.challenges.public_names import confusable_key, parse_name
from affectcheck.server.accounts import throttle
from affectcheck.server.accounts.actors import Actor, require
from affectcheck.server.accounts.codes import hash_of, new_code
from affectcheck.server.accounts.merging import merge_teams
from affectcheck.server.accounts.person_names import line_of_text
from affectcheck.server.accounts.rows import account_of
from affectcheck.server.accounts.team_rows import Member, Team, event_row, team_by_id, team_of, teams_of_event
from affectcheck.server.faults import ConflictError, ForbiddenError, NotThereError
from affectcheck.server.identifiers import new_id
from affectcheck.server.storage import audit
from affectcheck.server.storage.tables import event, membership, submission, team

if TYPE_CHECKING:
    from datetime import datetime

    from affectcheck.server.portal import Portal

__all__ = [
    "Member",
    "NewTeam",
    "Team",
    "create_team",
    "join_team",
    "leave_team",
    "merge_teams",
    "new_join_code",
    "team_by_id",
    "team_of",
    "teams_of_event",
]

_AFFILIATION: Final = 200
_JOINS_AN_HOUR: Final = 10
#: Teams made and left, and codes: each is a row of the audit log for good.
CHANGES_AN_HOUR: Final = 60
_HOUR: Final = timedelta(hours=1)


@dataclass(frozen=True)
class NewTeam:
    """A team that was made.

    Attributes:
        team: the team.
        join_code: by which others join; shown this once.
    """

    team: Team
    join_code: str = field(repr=False)


def create_team(portal: Portal, actor: Actor, event_slug: str, name: str, affiliation: str = "") -> NewTeam:
    """Make a team, with oneself as its captain.

    Raises:
        InputError: a name that is not taken.
        ConflictError: the event has a team of such a name, or the person is in a team.
        NotThereError: no such event.
        TooManyError: teams were made and left again and again.
    """
    require(actor, "submit")
    shown = parse_name(name)
    from_where = line_of_text(affiliation, "an affiliation", most=_AFFILIATION)
    code, now = new_code(), portal.now()
    _count(portal, actor)
    with portal.database.write() as connection:
        account_of(connection, actor.id)
        place = event_row(connection, event_slug, actor)["id"]
        row = {"id": new_id(now), "event": place, "name": shown, "name_key": confusable_key(shown)[:160]}
        try:
            with connection.begin_nested():
                connection.execute(
                    sa.insert(team).values(**row, affiliation=from_where, join_hash=hash_of(code), created=now)
                )
        except sa.exc.IntegrityError as error:
            raise ConflictError(
                f"a team whose name is, or looks like, {shown!r}", code="E_NAME_TAKEN", expected="another name"
            ) from error
        _enter(connection, _Entry(row["id"], place, actor.id, captain=True), now)
        audit.record(connection, actor.id, "team.create", row["id"], {"name": shown}, now)
        return NewTeam(team_by_id(connection, row["id"]), code)


def join_team(portal: Portal, actor: Actor, join_code: str) -> Team:
    """Join the team of a code.

    Raises:
        NotThereError: no team has the code.
        ConflictError: the team is closed or full, or the person is in a team.
        TooManyError: too many codes were tried.
    """
    require(actor, "submit")
    throttle.hit(portal, f"join {actor.id}", limit=_JOINS_AN_HOUR, window=_HOUR)
    now = portal.now()
    with portal.database.write() as connection:
        account_of(connection, actor.id)
        locked = sa.select(team).where(team.c.join_hash == hash_of(join_code)).with_for_update()
        row = connection.execute(locked).mappings().one_or_none()
        if row is None:
            raise NotThereError("no team has this code", code="E_JOIN_CODE", expected="the newest code of its captain")
        if row["frozen"]:
            raise _closed()
        most = connection.execute(sa.select(event.c.team_size).where(event.c.id == row["event"])).scalar_one()
        there = team_by_id(connection, row["id"]).members
        if len(there) >= most and actor.id not in {member.id for member in there}:
            raise ConflictError(f"a team of {len(there)} members", code="E_TEAM_FULL", expected=f"at most {most}")
        _enter(connection, _Entry(row["id"], row["event"], actor.id, captain=False), now)
        audit.record(connection, actor.id, "team.join", row["id"], {}, now)
        return team_by_id(connection, row["id"])


def leave_team(portal: Portal, actor: Actor, event_slug: str) -> None:
    """Leave one's team; the next longest member becomes captain, and a team without members is gone.

    Raises:
        NotThereError: no such event, or the person is in no team of it.
        ConflictError: the team is closed, or its last member would leave submissions behind.
    """
    require(actor, "submit")
    now = portal.now()
    with portal.database.write() as connection:
        mine = _locked(connection, event_slug, actor)
        if mine.frozen:
            raise _closed()
        others = [member for member in mine.members if member.id != actor.id]
        sent = sa.select(sa.func.count()).select_from(submission).where(submission.c.team == mine.id)
        if not others and connection.execute(sent).scalar_one():
            raise ConflictError(
                "the last member of a team that has submissions", code="E_LAST_MEMBER", expected="a team that stays"
            )
        here = membership.c.team == mine.id
        connection.execute(sa.delete(membership).where(here & (membership.c.account == actor.id)))
        if not others:
            connection.execute(sa.delete(team).where(team.c.id == mine.id))
        elif mine.captain(actor.id):
            next_one = here & (membership.c.account == others[0].id)
            connection.execute(sa.update(membership).where(next_one).values(captain=True))
        audit.record(connection, actor.id, "team.leave", mine.id, {"members_left": len(others)}, now)


def new_join_code(portal: Portal, actor: Actor, event_slug: str) -> str:
    """A new code for one's team, of which one is the captain; the one before no longer holds.

    Raises:
        NotThereError: no such event, or the person is in no team of it.
        ForbiddenError: another member is captain.
        ConflictError: the team is closed.
    """
    require(actor, "submit")
    code = new_code()
    _count(portal, actor)
    with portal.database.write() as connection:
        mine = _locked(connection, event_slug, actor)
        if not mine.captain(actor.id):
            raise ForbiddenError("only the captain of a team gives codes", code="E_CAPTAIN", expected="its captain")
        if mine.frozen:
            raise _closed()
        connection.execute(sa.update(team).where(team.c.id == mine.id).values(join_hash=hash_of(code)))
        audit.record(connection, actor.id, "team.code", mine.id, {}, portal.now())
    return code


def _count(portal: Portal, actor: Actor) -> None:
    throttle.hit(portal, f"team {actor.id}", limit=CHANGES_AN_HOUR, window=_HOUR)


def _locked(connection: sa.Connection, event_slug: str, actor: Actor) -> Team:
    """One's team in an event, which nobody changes meanwhile."""
    found = team_of(connection, event_row(connection, event_slug, actor)["id"], actor.id)
    if found is None:
        raise NotThereError("you are in no team of this event", code="E_NO_TEAM", expected="a team made or joined")
    connection.execute(sa.select(team.c.id).where(team.c.id == found.id).with_for_update())
    return team_by_id(connection, found.id)


@dataclass(frozen=True)
class _Entry:
    team: str
    event: str
    account: str
    captain: bool


def _enter(connection: sa.Connection, entry: _Entry, now: datetime) -> None:
    try:
        with connection.begin_nested():
            connection.execute(sa.insert(membership).values(**vars(entry), id=new_id(now), created=now))
    except sa.exc.IntegrityError as error:
        raise ConflictError(
            "you are in a team of this event already", code="E_IN_TEAM", expected="one team a person and event"
        ) from error


def _closed() -> ConflictError:
    return ConflictError(
        "a team whose members no longer change",
        code="E_TEAM_CLOSED",
        expected="a team without a scored submission",
        cause="a submission of the team was scored",
    )
