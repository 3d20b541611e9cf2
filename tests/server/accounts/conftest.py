"""People and an event to test accounts with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import sqlalchemy as sa

from affectcheck.server.accounts.first_run import first_run_token, make_organiser
from affectcheck.server.accounts.people import register
from affectcheck.server.identifiers import new_id
from affectcheck.server.storage.tables import event

if TYPE_CHECKING:
    from collections.abc import Callable

    from affectcheck.server.accounts.actors import Actor
    from affectcheck.server.portal import Portal

PASSWORD = "nine lives of 7 cats"


@pytest.fixture
def organiser(portal: Portal) -> Actor:
    code = first_run_token(portal)
    assert code is not None
    return make_organiser(portal, code, "olga@example.org", "Olga", PASSWORD)


@pytest.fixture
def person(portal: Portal) -> Callable[[str], Actor]:
    """``person("Ada")``: somebody who has an account, ada@example.org."""
    return lambda name: register(portal, f"{name.lower()}@example.org", name, PASSWORD)


@pytest.fixture
def event_id(portal: Portal) -> str:
    """The published event ``abaw``, of teams of at most three."""
    row = {"id": new_id(portal.now()), "slug": "abaw", "title": "ABAW", "team_size": 3, "published": True}
    with portal.database.write() as connection:
        connection.execute(sa.insert(event).values(**row, created=portal.now()))
    return str(row["id"])
