from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import sqlalchemy as sa

from affectcheck.server.accounts.first_run import first_run_token, invite_organiser, make_organiser
from affectcheck.server.accounts.people import sign_in
from affectcheck.server.faults import ForbiddenError, RefusedError, UnknownLoginError
from affectcheck.server.storage.tables import letter, voucher

from .conftest import PASSWORD

if TYPE_CHECKING:
    from collections.abc import Callable

    from affectcheck.server.accounts.actors import Actor
    from affectcheck.server.portal import Portal
    from portal_clock import SetClock


def test_the_first_organiser_comes_by_a_code_that_holds_once(portal: Portal) -> None:
    older, code = first_run_token(portal), first_run_token(portal)
    assert older
    assert code
    with portal.database.read() as connection:
        assert code not in connection.execute(sa.select(voucher.c.hash)).scalars().all()
    with pytest.raises(ForbiddenError):
        make_organiser(portal, older, "olga@example.org", "Olga", PASSWORD)
    with pytest.raises(RefusedError):
        make_organiser(portal, code, "olga@example.org", "Olga", "short")
    actor = make_organiser(portal, code, "olga@example.org", "Olga", PASSWORD)
    assert actor.role == "organiser"
    assert first_run_token(portal) is None
    with pytest.raises(ForbiddenError):
        make_organiser(portal, code, "eve@example.org", "Eve", PASSWORD)


def test_a_code_of_the_first_run_ends_after_a_week(portal: Portal, clock: SetClock) -> None:
    code = first_run_token(portal)
    assert code
    clock.forward(days=7)
    with pytest.raises(ForbiddenError):
        make_organiser(portal, code, "olga@example.org", "Olga", PASSWORD)


def test_a_code_of_the_first_run_makes_no_second_organiser(portal: Portal) -> None:
    code = first_run_token(portal)
    assert code
    make_organiser(portal, code, "olga@example.org", "Olga", PASSWORD)
    with portal.database.write() as connection:
        connection.execute(sa.update(voucher).values(used=None))
    with pytest.raises(ForbiddenError, match="there is an organiser already"):
        make_organiser(portal, code, "eve@example.org", "Eve", PASSWORD)


def test_an_invitation_holds_for_its_address(portal: Portal, organiser: Actor) -> None:
    code = invite_organiser(portal, organiser, "Otto@example.org")
    with portal.database.read() as connection:
        sent = connection.execute(sa.select(letter.c.recipient, letter.c.body)).one()
    assert sent.recipient == "otto@example.org"
    assert code in sent.body
    with pytest.raises(ForbiddenError, match="another address"):
        make_organiser(portal, code, "eve@example.org", "Eve", PASSWORD)
    assert make_organiser(portal, code, "otto@example.org", "Otto", PASSWORD).organises


def test_a_person_with_an_account_becomes_organiser_by_its_password(
    portal: Portal, organiser: Actor, person: Callable[[str], Actor]
) -> None:
    ada = person("Ada")
    code = invite_organiser(portal, organiser, "ada@example.org")
    with pytest.raises(UnknownLoginError):
        make_organiser(portal, code, "ada@example.org", "Ada", "another password 7")
    made = make_organiser(portal, code, "ada@example.org", "Ada", PASSWORD)
    assert (made.id, made.role) == (ada.id, "organiser")
    assert sign_in(portal, "ada@example.org", PASSWORD, address="192.0.2.1").actor.organises


def test_only_organisers_invite(portal: Portal, organiser: Actor, person: Callable[[str], Actor]) -> None:
    assert organiser.organises
    with pytest.raises(ForbiddenError):
        invite_organiser(portal, person("Ada"), "otto@example.org")
