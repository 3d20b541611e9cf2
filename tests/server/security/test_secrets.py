"""Codes that letters carry."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlalchemy as sa

from affectcheck.server.accounts import letters, people
from affectcheck.server.accounts.first_run import invite_organiser
from affectcheck.server.storage.tables import letter, metadata
from portal_scene import PASSWORD

if TYPE_CHECKING:
    from portal_scene import Scene


def test_codes_are_in_no_table_once_their_letters_are_sent(scene: Scene) -> None:
    portal, told = scene.portal, []
    people.register(portal, "ada@example.org", "Ada", PASSWORD)
    people.ask_reset(portal, "ada@example.org")
    invited = invite_organiser(portal, scene.organiser, "eve@example.org")
    assert letters.deliver(portal, told.append) == 2
    sent = "\n".join(told)
    assert invited in sent
    codes = [part.split()[0] for part in sent.split("code=")[1:]]
    assert len(codes) == 2
    with portal.database.read() as connection:
        kept = str([connection.execute(sa.select(table)).all() for table in metadata.tables.values()])
        assert all(code not in kept for code in codes)
        assert (
            "The link holds for one hour"
            in connection.execute(sa.select(letter.c.body).where(letter.c.recipient == "ada@example.org")).scalar_one()
        )
    people.reset(portal, next(code for code in codes if code != invited), "twelve red herrings, one net")
