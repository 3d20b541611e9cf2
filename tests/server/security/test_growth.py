"""What one account may add to tables that nobody empties."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import sqlalchemy as sa

from affectcheck.server.accounts import people, teams, tokens
from affectcheck.server.contests.settings import TrackSettings
from affectcheck.server.faults import TooManyError
from affectcheck.server.ledger import choosing
from affectcheck.server.storage.tables import audit
from portal_scene import PASSWORD

if TYPE_CHECKING:
    from collections.abc import Callable

    from affectcheck.server.portal import Portal
    from portal_scene import Scene


FEW = 4


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "RIGHT_LOGINS_AN_HOUR", FEW)
    monkeypatch.setattr(teams, "CHANGES_AN_HOUR", FEW)
    monkeypatch.setattr(tokens, "MADE_AN_HOUR", FEW)
    monkeypatch.setattr(choosing, "CHOSEN_AN_HOUR", FEW)


def rows_of(portal: Portal, act: Callable[[], object], most: int) -> int:
    """Rows of the audit log that somebody adds who never tires."""
    asked = sa.select(sa.func.count()).select_from(audit)
    with portal.database.read() as connection:
        before = connection.execute(asked).scalar_one()
    for _ in range(most):
        act()
    with pytest.raises(TooManyError):
        act()
    with portal.database.read() as connection:
        return connection.execute(asked).scalar_one() - before


def test_right_logins(sqlite_portal: Portal) -> None:
    people.register(sqlite_portal, "ada@example.org", "Ada", PASSWORD)

    def again() -> None:
        people.sign_in(sqlite_portal, "ada@example.org", PASSWORD, address="192.0.2.1")

    assert rows_of(sqlite_portal, again, FEW) == FEW


def test_teams_that_are_made_and_left(scene: Scene) -> None:
    scene.event()
    ada = people.register(scene.portal, "ada@example.org", "Ada", PASSWORD)

    def again() -> None:
        teams.create_team(scene.portal, ada, "emotions", "Yellow")
        teams.leave_team(scene.portal, ada, "emotions")

    assert rows_of(scene.portal, again, FEW) == 2 * FEW


def test_codes_of_a_team(scene: Scene) -> None:
    scene.contest()
    captain = scene.team("Blue").captain
    assert rows_of(scene.portal, lambda: teams.new_join_code(scene.portal, captain, "emotions"), FEW - 1) == FEW - 1


def test_tokens_that_are_made_and_revoked(sqlite_portal: Portal) -> None:
    ada = people.register(sqlite_portal, "ada@example.org", "Ada", PASSWORD)

    def again() -> None:
        tokens.make_token(sqlite_portal, ada, "one", "read")
        with sqlite_portal.database.read() as connection:
            (made,) = tokens.tokens_of(connection, ada, sqlite_portal.now())
        tokens.revoke_token(sqlite_portal, ada, made.id)

    assert rows_of(sqlite_portal, again, FEW) == 2 * FEW


def test_submissions_that_are_chosen_again_and_again(scene: Scene) -> None:
    scene.contest(settings=TrackSettings(counting="chosen"))
    crew = scene.team("Blue")
    receipt = scene.send(crew, "faces")
    scene.judge("faces", receipt.id, 0.5)
    assert rows_of(scene.portal, lambda: choosing.choose(scene.portal, crew.captain, receipt.id), FEW) == FEW
