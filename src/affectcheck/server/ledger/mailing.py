"""Addresses of the members of teams."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlalchemy as sa

from affectcheck.server.storage.tables import account, membership

if TYPE_CHECKING:
    from collections.abc import Iterable


def members_of(connection: sa.Connection, team_ids: Iterable[str]) -> tuple[str, ...]:
    """Addresses of all members of teams, each once."""
    asked = (
        sa.select(account.c.email)
        .join_from(membership, account, account.c.id == membership.c.account)
        .where(membership.c.team.in_(list(team_ids)), account.c.active)
        .distinct()
        .order_by(account.c.email)
    )
    return tuple(connection.execute(asked).scalars())
