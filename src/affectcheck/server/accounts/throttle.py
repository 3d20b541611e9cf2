"""What may be tried only so often, such as logins: counted by key, in the database, so that every process counts along."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from ipaddress import IPv4Address, ip_address, ip_network
from typing import TYPE_CHECKING, Final

import sqlalchemy as sa

from affectcheck.challenges import told
from affectcheck.server.faults import TooManyError
from affectcheck.server.identifiers import new_id
from affectcheck.server.storage.tables import attempt

if TYPE_CHECKING:
    from affectcheck.server.portal import Portal

#: No window is longer; what is older is forgotten, whatever its key.
LONGEST: Final = timedelta(days=1)


def hit(portal: Portal, key: str, *, limit: int, window: timedelta) -> str:
    """Count an attempt.

    Args:
        portal: where.
        key: what is counted together, such as ``login address 192.0.2.1``.
        limit: attempts within the window.
        window: how long an attempt counts.

    Raises:
        TooManyError: there were as many before; this one does not count.

    Returns:
        The attempt, for ``take_back``.
    """
    now, mine, kept = portal.now(), new_id(portal.now()), _kept(key)
    # Written before it is counted: of many at once each sees those that were written before, so that no more than
    # the limit pass.
    with portal.database.write() as connection:
        # Those of times to come are of a clock that was wrong, and would count until then.
        old = (attempt.c.at <= now - window) | (attempt.c.at > now + window)
        connection.execute(sa.delete(attempt).where(attempt.c.key == kept, old))
        connection.execute(sa.delete(attempt).where((attempt.c.at <= now - LONGEST) | (attempt.c.at > now + LONGEST)))
        connection.execute(sa.insert(attempt).values(id=mine, key=kept, at=now))
    with portal.database.read() as connection:
        times = connection.execute(
            sa.select(attempt.c.at).where(attempt.c.key == kept, attempt.c.id != mine).order_by(attempt.c.at)
        ).scalars()
        others = list(times)
    if len(others) < limit:
        return mine
    take_back(portal, mine)
    again = others[len(others) - limit] + window
    raise TooManyError(
        f"{limit} attempts within {_words(window)}",
        code="E_TOO_OFTEN",
        expected=f"the next one from {told(again).utc} on",
        again=again,
    )


def network_of(address: str) -> str:
    """What is counted as one place: an address of IPv4, or the network that one line has of IPv6, which is 2^64 addresses.

    Example:
        >>> network_of("192.0.2.7"), network_of("2001:db8::7"), network_of("::ffff:192.0.2.7")
        ('192.0.2.7', '2001:db8::/64', '192.0.2.7')
    """
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv4Address):
        return str(found)
    return str(found.ipv4_mapped or ip_network((int(found) >> 64 << 64, 64)))


def take_back(portal: Portal, mine: str) -> None:
    """Let an attempt not count, since it was right."""
    with portal.database.write() as connection:
        connection.execute(sa.delete(attempt).where(attempt.c.id == mine))


def forget(portal: Portal, key: str) -> None:
    """Let no attempt of a key count any more."""
    with portal.database.write() as connection:
        connection.execute(sa.delete(attempt).where(attempt.c.key == _kept(key)))


def _kept(key: str) -> str:
    """A key of any length, and no address in the clear."""
    return f"{key.split(' ', 1)[0][:32]} {hashlib.sha256(key.encode('utf-8', 'surrogatepass')).hexdigest()}"


def _words(window: timedelta) -> str:
    minutes = round(window.total_seconds() / 60)
    return f"{minutes // 60} h" if minutes >= 60 and minutes % 60 == 0 else f"{minutes} minutes"
