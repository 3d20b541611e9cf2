"""People of a portal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from contest_rows import add_account

if TYPE_CHECKING:
    from affectcheck.server.accounts.actors import Actor
    from affectcheck.server.portal import Portal


@pytest.fixture
def organiser(sqlite_portal: Portal) -> Actor:
    return add_account(sqlite_portal, "olga", "organiser")


@pytest.fixture
def member(sqlite_portal: Portal) -> Actor:
    return add_account(sqlite_portal, "mia")
