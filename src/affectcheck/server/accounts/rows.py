"""Rows of accounts, as they are read again and again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import sqlalchemy as sa

from affectcheck.server.accounts.actors import Actor
from affectcheck.server.faults import ConflictError, ForbiddenError
from affectcheck.server.identifiers import new_id
from affectcheck.server.storage import audit
from affectcheck.server.storage.tables import account, session

if TYPE_CHECKING:
    from datetime import datetime

    from affectcheck.server.accounts.actors import Scope


def actor_of(row: sa.RowMapping, scope: Scope = "session") -> Actor:
    """Who an account is."""
    return Actor(row["id"], row["name"], row["role"], scope)


def account_of(connection: sa.Connection, account_id: str) -> sa.RowMapping:
    """The row of an account that is there and not shut.

    Raises:
        ForbiddenError: there is none.
    """
    query = sa.select(account).where(account.c.id == account_id, account.c.active)
    row = connection.execute(query).mappings().one_or_none()
    if row is None:
        raise ForbiddenError("an account that is not open", code="E_ACCOUNT", expected="the account of a person")
    return row


def account_by_email(connection: sa.Connection, email: str) -> sa.RowMapping | None:
    """The row of an account by its folded address."""
    return connection.execute(sa.select(account).where(account.c.email == email)).mappings().one_or_none()


@dataclass(frozen=True)
class NewAccount:
    """An account that is to be.

    Attributes:
        email: folded.
        name: of the person.
        password: what is kept of it.
        role: what it becomes.
    """

    email: str
    name: str
    password: str = field(repr=False)
    role: Literal["organiser", "member"] = "member"


def add_account(connection: sa.Connection, new: NewAccount, now: datetime) -> Actor:
    """Add an account.

    Raises:
        ConflictError: the address has one.
    """
    key = new_id(now)
    try:
        with connection.begin_nested():
            connection.execute(sa.insert(account).values(**vars(new), id=key, created=now))
    except sa.exc.IntegrityError as error:
        raise ConflictError(
            f"{new.email} has an account",
            code="E_EMAIL_TAKEN",
            expected="a login, or a new password where it is forgotten",
        ) from error
    audit.record(connection, key, "account.register", key, {"role": new.role}, now)
    return Actor(key, new.name, new.role)


def end_sessions(connection: sa.Connection, account_id: str) -> int:
    """End all logins of an account; how many."""
    return connection.execute(sa.delete(session).where(session.c.account == account_id)).rowcount
