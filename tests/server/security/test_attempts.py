"""Attempts: by whom, from where, and by which clock."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from affectcheck.server.accounts import people
from affectcheck.server.accounts.throttle import hit, network_of
from affectcheck.server.faults import TooManyError, UnknownLoginError
from portal_scene import PASSWORD

from ..api.conftest import Program  # noqa: TID252  # tests are no package

if TYPE_CHECKING:
    from affectcheck.server.portal import Portal
    from portal_clock import SetClock

    from ..api.conftest import Programs  # noqa: TID252  # tests are no package

HOUR = timedelta(hours=1)


def test_a_stranger_of_one_place_locks_nobody_out(sqlite_portal: Portal) -> None:
    ada = people.register(sqlite_portal, "ada@example.org", "Ada", PASSWORD)
    for _ in range(people.LOGINS_OF_BOTH):
        with pytest.raises(UnknownLoginError):
            people.check_login(sqlite_portal, "ada@example.org", "a guess", address="198.51.100.1")
    with pytest.raises(TooManyError):
        people.check_login(sqlite_portal, "ada@example.org", PASSWORD, address="198.51.100.1")
    assert people.check_login(sqlite_portal, "ada@example.org", PASSWORD, address="192.0.2.1") == ada


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("-", "-"),
        ("testclient", "testclient"),
    ],
)
def test_addresses_of_one_line_are_one_place(address: str, network: str) -> None:
    assert network_of(address) == network


def test_attempts_of_a_clock_that_was_wrong_do_not_count_for_years(sqlite_portal: Portal, clock: SetClock) -> None:
    now = clock()
    clock.forward(days=3000)
    for _ in range(3):
        hit(sqlite_portal, "a key", limit=3, window=HOUR)
    clock.set(now)
    hit(sqlite_portal, "a key", limit=3, window=HOUR)


def test_codes_for_new_passwords_are_asked_for_so_often_from_one_place(programs: Programs) -> None:
    nobody = Program(programs.client)
    answers = [
        nobody.post("/account/reset", {"email": f"somebody{number}@example.org"}).status_code
        for number in range(people.RESETS_FROM_ADDRESS + 1)
    ]
    assert answers == [202] * people.RESETS_FROM_ADDRESS + [429]
