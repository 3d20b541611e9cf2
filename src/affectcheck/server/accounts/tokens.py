"""Tokens of programs: shown once, kept as a hash, of one scope, with an end, and revocable."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final, cast

import sqlalchemy as sa

from affectcheck.server.accounts import throttle
from affectcheck.server.accounts.actors import SCOPES, Actor, Scope, require
from affectcheck.server.accounts.codes import hash_of, new_code
from affectcheck.server.accounts.person_names import person_name
from affectcheck.server.accounts.rows import account_of, actor_of
from affectcheck.server.faults import ConflictError, ForbiddenError, NotThereError, RefusedError, UnknownLoginError
from affectcheck.server.identifiers import new_id
from affectcheck.server.storage import audit
from affectcheck.server.storage.tables import account, token

if TYPE_CHECKING:
    from datetime import datetime

    from affectcheck.server.accounts.actors import Right
    from affectcheck.server.portal import Portal

PREFIX: Final = "afc_"
DAYS: Final = 365
MOST: Final = 50
#: Each is a row of the audit log for good.
MADE_AN_HOUR: Final = 60
#: How exactly it is known when a token was used last, so that reading does not write each time.
_COARSE: Final = timedelta(minutes=10)


@dataclass(frozen=True)
class Token:
    """A token, without its secret."""

    id: str
    name: str
    scope: Right
    created: datetime
    used: datetime | None
    expires: datetime | None


def make_token(portal: Portal, actor: Actor, name: str, scope: Right, days: int | None = None) -> str:
    """Make a token, for somebody who has logged in: a token makes none, lest one that was lost outlives its end.

    Args:
        portal: where.
        actor: for whom.
        name: by which its owner knows it.
        scope: read, submit or organise, the last for organisers alone.
        days: that it holds; a year by default, which is the most.

    Returns:
        The secret, which is shown this once.

    Raises:
        ForbiddenError: a token asks, or the role does not reach so far.
        RefusedError: a scope, name or number of days that is not taken.
        ConflictError: the account has too many.
        TooManyError: too many were made within an hour.
    """
    if scope not in SCOPES:
        raise RefusedError(f"a scope {scope!r}", code="E_SCOPE", expected=" or ".join(SCOPES))
    require(actor, scope)
    if actor.scope != "session":
        raise ForbiddenError("a token makes no other one", code="E_SCOPE", expected="a login with the password")
    lasts = DAYS if days is None else days
    if not 1 <= lasts <= DAYS:
        raise RefusedError(f"a token for {lasts} days", code="E_DAYS", expected=f"1 to {DAYS}")
    called, now, secret = person_name(name), portal.now(), new_code(PREFIX)
    throttle.hit(portal, f"token {actor.id}", limit=MADE_AN_HOUR, window=timedelta(hours=1))
    with portal.database.write() as connection:
        account_of(connection, actor.id)
        if len(tokens_of(connection, actor, now)) >= MOST:
            raise ConflictError(f"{MOST} tokens", code="E_TOKENS", expected="one revoked before another is made")
        row = {"id": new_id(now), "account": actor.id, "hash": hash_of(secret), "name": called, "scope": scope}
        ends = now + timedelta(days=lasts)
        connection.execute(sa.insert(token).values(**row, created=now, expires=ends))
        audit.record(connection, actor.id, "token.make", row["id"], {"scope": scope, "days": lasts}, now)
    return secret


def revoke_token(portal: Portal, actor: Actor, token_id: str) -> None:
    """End a token of one's own; one that has ended is left as it is.

    Raises:
        NotThereError: one's account has no such token.
    """
    require(actor, "read")
    now, mine = portal.now(), (token.c.id == token_id) & (token.c.account == actor.id)
    with portal.database.write() as connection:
        if connection.execute(sa.select(token.c.id).where(mine)).scalar_one_or_none() is None:
            raise NotThereError("no such token", code="E_NO_TOKEN")
        if connection.execute(sa.update(token).where(mine & token.c.revoked.is_(None)).values(revoked=now)).rowcount:
            audit.record(connection, actor.id, "token.revoke", token_id, {}, now)


def tokens_of(connection: sa.Connection, actor: Actor, now: datetime) -> list[Token]:
    """Tokens of an account that hold, the newest first."""
    query = sa.select(token).where(token.c.account == actor.id, token.c.revoked.is_(None), token.c.expires > now)
    rows = connection.execute(query.order_by(token.c.created.desc(), token.c.id.desc())).mappings()
    return [Token(*(row[name] for name in ("id", "name", "scope", "created", "used", "expires"))) for row in rows]


def actor_of_token(portal: Portal, secret: str) -> Actor:
    """Who a token belongs to.

    Raises:
        UnknownLoginError: it is none, was revoked, or its time is over.
    """
    now = portal.now()
    valid = token.c.revoked.is_(None) & (token.c.expires.is_(None) | (token.c.expires > now)) & account.c.active
    query = sa.select(account, token.c.id.label("token"), token.c.scope, token.c.used).join_from(
        account, token, token.c.account == account.c.id
    )
    row = None
    if secret.startswith(PREFIX):
        with portal.database.read() as connection:
            found = connection.execute(query.where(token.c.hash == hash_of(secret), valid))
            row = found.mappings().one_or_none()
    if row is None:
        raise UnknownLoginError(
            "a token that does not hold",
            code="E_TOKEN",
            expected=f"a token that begins with {PREFIX}, neither revoked nor past its end",
        )
    due = row["used"] is None or row["used"] <= now - _COARSE
    if due and not portal.database.is_busy:  # no request waits for that; the next one will do
        with portal.database.write() as connection:
            connection.execute(sa.update(token).where(token.c.id == row["token"]).values(used=now))
    return actor_of(row, cast("Scope", row["scope"]))
