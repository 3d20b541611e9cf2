"""Organisers: the first by a code that is printed once, the others by invitation."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

import sqlalchemy as sa

from affectcheck.server.accounts import vouchers
from affectcheck.server.accounts.actors import Actor, require
from affectcheck.server.accounts.emails import folded
from affectcheck.server.accounts.letters import post
from affectcheck.server.accounts.passwords import matches, take_password
from affectcheck.server.accounts.person_names import person_name
from affectcheck.server.accounts.rows import NewAccount, account_by_email, add_account
from affectcheck.server.faults import ForbiddenError, UnknownLoginError
from affectcheck.server.storage import audit
from affectcheck.server.storage.tables import account

if TYPE_CHECKING:
    from affectcheck.server.portal import Portal

_LIFETIME: Final = timedelta(days=7)


def first_run_token(portal: Portal) -> str | None:
    """The code by which the first organiser comes, to be printed; None where there is an organiser.

    Only its hash is kept, so that each call makes a new one, and those before no longer hold.
    """
    with portal.database.write() as connection:
        if _organisers(connection):
            return None
        return vouchers.issue(connection, "first-run", "", portal.now(), _LIFETIME)


def invite_organiser(portal: Portal, actor: Actor, email: str) -> str:
    """Invite somebody to organise; the code is sent to the address, and returned.

    Raises:
        ForbiddenError: only organisers invite.
    """
    require(actor, "organise")
    address, now = folded(email), portal.now()
    with portal.database.write() as connection:
        code = vouchers.issue(connection, "invitation", address, now, _LIFETIME)
        body = (
            f"{actor.name} invites you to organise challenges at {portal.settings.address}.\n\n"
            f"{portal.settings.address}/organiser?code={code}\n\nThe link holds for seven days, and once.\n"
        )
        post(connection, address, "An invitation to organise", body, now)
        audit.record(connection, actor.id, "organiser.invite", actor.id, {"email": address}, now)
    return code


def make_organiser(portal: Portal, token: str, email: str, name: str, password: str) -> Actor:
    """Make an organiser by the code of the first run, or by an invitation to the address.

    An account that the address has already becomes an organiser's, where the password is its.

    Raises:
        ForbiddenError: the code does not hold, or is for another address.
        UnknownLoginError: the address has an account with another password.
        RefusedError: the address, the name or the password is not taken.
    """
    address, called, now = folded(email), person_name(name), portal.now()
    with portal.database.write() as connection:
        _redeem(connection, token, address, portal)
        row = account_by_email(connection, address)
        if row is None:
            kept = take_password(password, email=address, name=called)
            return add_account(connection, NewAccount(address, called, kept, "organiser"), now)
        if not row["active"] or not matches(row["password"], password):
            raise UnknownLoginError(
                f"{address} has an account with another password", code="E_LOGIN", expected="its password"
            )
        connection.execute(sa.update(account).where(account.c.id == row["id"]).values(role="organiser"))
        audit.record(connection, row["id"], "organiser.become", row["id"], {}, now)
    return Actor(row["id"], row["name"], "organiser")


def _redeem(connection: sa.Connection, code: str, address: str, portal: Portal) -> None:
    try:
        invited = vouchers.redeem(connection, "invitation", code, portal.now())
    except ForbiddenError:
        vouchers.redeem(connection, "first-run", code, portal.now())
        if _organisers(connection):
            raise ForbiddenError("there is an organiser already", code="E_CODE", expected="an invitation") from None
        return
    if invited != address:
        raise ForbiddenError("an invitation to another address", code="E_CODE", expected="the address it was sent to")


def _organisers(connection: sa.Connection) -> int:
    query = sa.select(sa.func.count()).where(account.c.role == "organiser", account.c.active)
    return int(connection.execute(query).scalar_one())
