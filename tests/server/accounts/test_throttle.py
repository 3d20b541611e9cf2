from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
import sqlalchemy as sa

from affectcheck.server.accounts.throttle import forget, hit, take_back
from affectcheck.server.faults import TooManyError
from affectcheck.server.storage.tables import attempt

if TYPE_CHECKING:
    from affectcheck.server.portal import Portal
    from portal_clock import SetClock

HOUR = timedelta(hours=1)


def test_as_many_as_are_allowed_pass(portal: Portal, clock: SetClock) -> None:
    first = clock()
    for _ in range(3):
        hit(portal, "a key", limit=3, window=HOUR)
        clock.forward(minutes=1)
    for _ in range(5):
        with pytest.raises(TooManyError, match="3 attempts within 1 h") as caught:
            hit(portal, "a key", limit=3, window=HOUR)
        assert caught.value.again == first + HOUR
    hit(portal, "another key", limit=3, window=HOUR)
    clock.set(first + HOUR)
    hit(portal, "a key", limit=3, window=HOUR)
    with pytest.raises(TooManyError):
        hit(portal, "a key", limit=3, window=HOUR)


def test_attempts_that_were_right_do_not_count(portal: Portal) -> None:
    for _ in range(3):
        take_back(portal, hit(portal, "a key", limit=1, window=HOUR))
    hit(portal, "a key", limit=1, window=HOUR)
    forget(portal, "a key")
    hit(portal, "a key", limit=1, window=HOUR)


def test_of_many_at_once_no_more_than_the_limit_pass(portal: Portal) -> None:
    def one(_: int) -> bool:
        try:
            hit(portal, "a key", limit=5, window=HOUR)
        except TooManyError:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        passed = sum(pool.map(one, range(24)))
    assert 1 <= passed <= 5


def test_keys_of_any_length_are_kept_short_and_not_in_the_clear(portal: Portal) -> None:
    hit(portal, "login " + "ada@example.org" * 100, limit=1, window=HOUR)
    with portal.database.read() as connection:
        kept = connection.execute(sa.select(attempt.c.key)).scalar_one()
    assert len(kept) <= 160
    assert "ada" not in kept


def test_old_attempts_of_any_key_are_forgotten(portal: Portal, clock: SetClock) -> None:
    hit(portal, "a key", limit=1, window=HOUR)
    clock.forward(days=1)
    hit(portal, "another key", limit=1, window=HOUR)
    with portal.database.read() as connection:
        assert connection.execute(sa.select(sa.func.count()).select_from(attempt)).scalar_one() == 1
