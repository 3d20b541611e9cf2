"""Teams as they are read: who is in them, and which one a person is in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import sqlalchemy as sa

from affectcheck.server.faults import NotThereError
from affectcheck.server.storage.tables import account, event, membership, team

if TYPE_CHECKING:
    from collections.abc import Iterable

    from affectcheck.server.accounts.actors import Actor


@dataclass(frozen=True)
class Member:
    """Somebody in a team.

    Attributes:
        id: of the account.
        name: of the person.
        captain: whether the person made the team, or took it over.
    """

    id: str
    name: str
    captain: bool


@dataclass(frozen=True)
class Team:
    """A team of an event.

    Attributes:
        id: of the team.
        event: id of the event.
        name: as shown.
        affiliation: as stated; may be empty.
        frozen: whether its members can no longer change, since a submission was scored.
        members: the captain, then the longest in it first.
    """

    id: str
    event: str
    name: str
    affiliation: str
    frozen: bool
    members: tuple[Member, ...]

    def captain(self, account_id: str) -> bool:
        """Whether an account is the team's captain."""
        return any(member.captain for member in self.members if member.id == account_id)


def team_of(connection: sa.Connection, event_id: str, account_id: str) -> Team | None:
    """The team of a person in an event."""
    mine = (membership.c.event == event_id) & (membership.c.account == account_id)
    found = connection.execute(sa.select(membership.c.team).where(mine)).scalar_one_or_none()
    return None if found is None else team_by_id(connection, found)


def team_by_id(connection: sa.Connection, team_id: str) -> Team:
    """A team.

    Raises:
        NotThereError: there is none.
    """
    rows = connection.execute(sa.select(team).where(team.c.id == team_id)).mappings().all()
    if not rows:
        raise NotThereError("no such team", code="E_NO_TEAM")
    return _teams(connection, rows)[0]


def teams_of_event(connection: sa.Connection, event_id: str) -> list[Team]:
    """All teams of an event, the oldest first."""
    query = sa.select(team).where(team.c.event == event_id).order_by(team.c.created, team.c.id)
    return _teams(connection, connection.execute(query).mappings().all())


def event_row(connection: sa.Connection, slug: str, actor: Actor) -> sa.RowMapping:
    """The row of an event that somebody may see.

    Raises:
        NotThereError: there is none, or it is not published.
    """
    row = connection.execute(sa.select(event).where(event.c.slug == slug)).mappings().one_or_none()
    if row is None or not (row["published"] or actor.organises):
        raise NotThereError(f"no event {slug!r}", code="E_NO_EVENT")
    return row


def _teams(connection: sa.Connection, rows: Iterable[sa.RowMapping]) -> list[Team]:
    found = list(rows)
    query = (
        sa.select(membership.c.team, account.c.id, account.c.name, membership.c.captain)
        .join_from(membership, account, membership.c.account == account.c.id)
        .where(membership.c.team.in_([row["id"] for row in found]))
        .order_by(membership.c.captain.desc(), membership.c.created, membership.c.id)
    )
    members: dict[str, list[Member]] = {row["id"]: [] for row in found}
    for row in connection.execute(query):
        members[row.team].append(Member(row.id, row.name, row.captain))
    return [
        Team(row["id"], row["event"], row["name"], row["affiliation"], row["frozen"], tuple(members[row["id"]]))
        for row in found
    ]
