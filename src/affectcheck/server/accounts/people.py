"""People: accounts, logins and passwords."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Final

import sqlalchemy as sa

from affectcheck.server.accounts import throttle, vouchers
from affectcheck.server.accounts.actors import VISITOR, Actor, require
from affectcheck.server.accounts.codes import hash_of, new_code
from affectcheck.server.accounts.emails import folded
from affectcheck.server.accounts.letters import post
from affectcheck.server.accounts.passwords import is_old, matches, rehashed, take_password
from affectcheck.server.accounts.person_names import person_name
from affectcheck.server.accounts.rows import (
    NewAccount,
    account_by_email,
    account_of,
    actor_of,
    add_account,
    end_sessions,
)
from affectcheck.server.faults import RefusedError, UnknownLoginError
from affectcheck.server.storage import audit
from affectcheck.server.storage.tables import account, session, token

if TYPE_CHECKING:
    from datetime import datetime

    from affectcheck.server.portal import Portal

_WINDOW: Final = timedelta(minutes=15)
#: Of one account from one place; from all places, so that nobody is locked out by a stranger of one; from one place.
LOGINS_OF_BOTH: Final = 10
LOGINS_OF_ACCOUNT: Final = 60
LOGINS_OF_ADDRESS: Final = 60
_HOUR: Final = timedelta(hours=1)
#: Right ones, each of which is a row of the audit log for good.
RIGHT_LOGINS_AN_HOUR: Final = 200
RESETS_AN_HOUR: Final = 3
RESETS_FROM_ADDRESS: Final = 20


@dataclass(frozen=True)
class SignedIn:
    """A login.

    Attributes:
        secret: what the cookie holds; it is not kept.
        actor: who.
    """

    secret: str = field(repr=False)
    actor: Actor


@dataclass(frozen=True)
class Person:
    """An account as its owner sees it."""

    id: str
    email: str
    name: str
    role: str
    created: datetime


def register(portal: Portal, email: str, name: str, password: str) -> Actor:
    """Make an account.

    Raises:
        RefusedError: the address, the name or the password is not taken.
        ConflictError: the address has an account.
    """
    address, called = folded(email), person_name(name)
    kept = take_password(password, email=address, name=called)
    with portal.database.write() as connection:
        return add_account(connection, NewAccount(address, called, kept), portal.now())


def check_login(portal: Portal, email: str, password: str, *, address: str) -> Actor:
    """Who an address and a password belong to; equal words and time whether the address is known or not.

    Args:
        portal: where.
        email: of the account.
        password: as typed.
        address: of the network, by which attempts are limited too.

    Raises:
        UnknownLoginError: the two belong to nobody.
        TooManyError: there were too many attempts.
    """
    email = _folded_or_as_sent(email)
    by_account, by_both = f"login account {email}", f"login-of {email} from {address}"
    mine = throttle.hit(portal, f"login-from {address}", limit=LOGINS_OF_ADDRESS, window=_WINDOW)
    throttle.hit(portal, by_both, limit=LOGINS_OF_BOTH, window=_WINDOW)
    throttle.hit(portal, by_account, limit=LOGINS_OF_ACCOUNT, window=_WINDOW)
    with portal.database.read() as connection:
        row = account_by_email(connection, email)
    right = matches(row["password"] if row is not None else None, password)
    if row is None or not right or not row["active"]:
        raise UnknownLoginError(
            "no account with this e-mail address and password",
            code="E_LOGIN",
            expected="the address and password of an account",
            cause="a typing mistake, or no account yet",
        )
    throttle.take_back(portal, mine)
    throttle.forget(portal, by_account)
    throttle.forget(portal, by_both)
    throttle.hit(portal, f"logged-in {row['id']}", limit=RIGHT_LOGINS_AN_HOUR, window=_HOUR)
    if is_old(row["password"]):
        with portal.database.write() as connection:
            connection.execute(sa.update(account).where(account.c.id == row["id"]).values(password=rehashed(password)))
    return actor_of(row)


def sign_in(portal: Portal, email: str, password: str, *, address: str, before: str = "") -> SignedIn:
    """Begin a login, always under a new secret.

    Args:
        portal: where.
        email: of the account.
        password: as typed.
        address: of the network.
        before: what the cookie has held until now, which no longer holds.

    Raises:
        UnknownLoginError: the address and the password belong to nobody.
        TooManyError: there were too many attempts.
    """
    actor = check_login(portal, email, password, address=address)
    with portal.database.write() as connection:
        if before:
            connection.execute(sa.delete(session).where(session.c.hash == hash_of(before)))
        return _begin(portal, connection, actor)


def _begin(portal: Portal, connection: sa.Connection, actor: Actor) -> SignedIn:
    now, secret = portal.now(), new_code()
    ends = now + timedelta(hours=portal.settings.session_hours)
    connection.execute(sa.delete(session).where(session.c.expires <= now))
    connection.execute(sa.insert(session).values(hash=hash_of(secret), account=actor.id, created=now, expires=ends))
    audit.record(connection, actor.id, "session.begin", actor.id, {}, now)
    return SignedIn(secret, actor)


def sign_out(portal: Portal, secret: str) -> None:
    """End a login, if it is one."""
    with portal.database.write() as connection:
        mine = session.c.hash == hash_of(secret)
        owner = connection.execute(sa.select(session.c.account).where(mine)).scalar_one_or_none()
        if owner is not None:
            connection.execute(sa.delete(session).where(mine))
            audit.record(connection, owner, "session.end", owner, {}, portal.now())


def actor_of_session(portal: Portal, secret: str) -> Actor:
    """Who a cookie belongs to; ``VISITOR`` where to nobody."""
    if not secret:
        return VISITOR
    query = (
        sa.select(account)
        .join(session, session.c.account == account.c.id)
        .where(session.c.hash == hash_of(secret), session.c.expires > portal.now(), account.c.active)
    )
    with portal.database.read() as connection:
        row = connection.execute(query).mappings().one_or_none()
    return VISITOR if row is None else actor_of(row)


def person_of(portal: Portal, actor: Actor) -> Person:
    """The account of somebody who is logged in, for its owner."""
    require(actor, "read")
    with portal.database.read() as connection:
        row = account_of(connection, actor.id)
    return Person(row["id"], row["email"], row["name"], row["role"], row["created"])


def change_password(portal: Portal, actor: Actor, old: str, new: str) -> SignedIn:
    """Change a password; every login ends, and a new one begins.

    Raises:
        UnknownLoginError: the old password is another one.
        RefusedError: the new one is not taken.
    """
    require(actor, "read")
    key = f"password {actor.id}"
    throttle.hit(portal, key, limit=LOGINS_OF_BOTH, window=_WINDOW)
    with portal.database.read() as connection:
        row = account_of(connection, actor.id)
    if not matches(row["password"], old):
        raise UnknownLoginError("the old password is another one", code="E_LOGIN", expected="the password until now")
    kept = take_password(new, email=row["email"], name=row["name"])
    throttle.forget(portal, key)
    with portal.database.write() as connection:
        _set_password(connection, actor.id, kept, portal.now())
        return _begin(portal, connection, actor_of(row))


def ask_reset(portal: Portal, email: str, *, address: str = "-") -> None:
    """Send a code for a new password, where the address has an account; nobody is told whether it has.

    Args:
        portal: where.
        email: of the account.
        address: of the network, by which requests are limited too.

    Raises:
        TooManyError: it was asked for too often.
    """
    owner, now = _folded_or_as_sent(email), portal.now()
    throttle.hit(portal, f"ask-from {address}", limit=RESETS_FROM_ADDRESS, window=_HOUR)
    throttle.hit(portal, f"reset {owner}", limit=RESETS_AN_HOUR, window=_HOUR)
    with portal.database.write() as connection:
        row = account_by_email(connection, owner)
        if row is None or not row["active"]:
            return
        code = vouchers.issue(connection, "reset", row["id"], now, _HOUR)
        body = (
            f"Somebody, probably you, asked for a new password at {portal.settings.address}.\n\n"
            f"{portal.settings.address}/reset?code={code}\n\n"
            "The link holds for one hour, and once. If it was not you, nothing needs to be done.\n"
        )
        post(connection, owner, "A new password", body, now)
        audit.record(connection, "visitor", "password.ask", row["id"], {}, now)


def reset(portal: Portal, code: str, password: str) -> None:
    """Set a new password by a code; every login and token of the account ends.

    Raises:
        ForbiddenError: the code does not hold.
        RefusedError: the password is not taken; the code still holds.
    """
    now = portal.now()
    with portal.database.write() as connection:
        owner = vouchers.redeem(connection, "reset", code, now)
        row = account_of(connection, owner)
        kept = take_password(password, email=row["email"], name=row["name"])
        _set_password(connection, owner, kept, now)
        alive = (token.c.account == owner) & token.c.revoked.is_(None)
        connection.execute(sa.update(token).where(alive).values(revoked=now))
    throttle.forget(portal, f"login account {row['email']}")


def _set_password(connection: sa.Connection, owner: str, kept: str, now: datetime) -> None:
    connection.execute(sa.update(account).where(account.c.id == owner).values(password=kept))
    vouchers.void(connection, "reset", owner)
    ended = end_sessions(connection, owner)
    audit.record(connection, owner, "password.change", owner, {"logins_ended": ended}, now)


def _folded_or_as_sent(email: str) -> str:
    """An address for a comparison: what is none has no account, which is all that anybody learns."""
    try:
        return folded(email)
    except RefusedError:
        return email.encode("utf-8", "replace").decode().replace("\0", "").strip().lower()[:400]
