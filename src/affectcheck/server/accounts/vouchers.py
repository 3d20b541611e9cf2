"""Codes that are used once: the first run's, invitations and new passwords; only their hash is kept."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import sqlalchemy as sa

from affectcheck.server.accounts.codes import hash_of, new_code
from affectcheck.server.faults import ForbiddenError
from affectcheck.server.storage.tables import voucher

if TYPE_CHECKING:
    from datetime import datetime

    from affectcheck.server.portal import Portal

#: How long codes are kept after their time.
KEPT: Final = timedelta(days=30)
Use: TypeAlias = Literal["first-run", "invitation", "reset"]


def issue(connection: sa.Connection, kind: Use, subject: str, now: datetime, lifetime: timedelta) -> str:
    """A new code; those of the same kind and subject that were not used no longer hold."""
    void(connection, kind, subject)
    code = new_code()
    row = {"hash": hash_of(code), "kind": kind, "subject": subject, "created": now, "expires": now + lifetime}
    connection.execute(sa.insert(voucher).values(row))
    return code


def void(connection: sa.Connection, kind: Use, subject: str) -> None:
    """Forget the codes of a kind and subject that were not used."""
    same = (voucher.c.kind == kind) & (voucher.c.subject == subject)
    connection.execute(sa.delete(voucher).where(same & voucher.c.used.is_(None)))


def forget(portal: Portal) -> int:
    """Remove codes whose time was over a month ago; how many."""
    with portal.database.write() as connection:
        return connection.execute(sa.delete(voucher).where(voucher.c.expires < portal.now() - KEPT)).rowcount


def redeem(connection: sa.Connection, kind: Use, code: str, now: datetime) -> str:
    """Use a code up.

    Raises:
        ForbiddenError: there is no such code, it was used, or its time is over.

    Returns:
        What it was issued for.
    """
    valid = (voucher.c.kind == kind) & (voucher.c.hash == hash_of(code)) & (voucher.c.expires > now)
    mine = sa.update(voucher).where(valid & voucher.c.used.is_(None)).values(used=now)
    if connection.execute(mine).rowcount != 1:  # of two who come at once, one changes the row
        raise ForbiddenError(
            "a code that does not hold",
            code="E_CODE",
            expected="the newest code, unused and in time",
            cause="it was used already, a newer one was sent, or its time is over",
        )
    return str(connection.execute(sa.select(voucher.c.subject).where(voucher.c.hash == hash_of(code))).scalar_one())
