from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
import sqlalchemy as sa

from affectcheck.server.accounts import tokens
from affectcheck.server.accounts.actors import SYSTEM, VISITOR, require
from affectcheck.server.accounts.tokens import actor_of_token, make_token, revoke_token, tokens_of
from affectcheck.server.faults import ConflictError, ForbiddenError, NotThereError, RefusedError, UnknownLoginError
from affectcheck.server.storage.tables import account, token

if TYPE_CHECKING:
    from collections.abc import Callable

    from affectcheck.server.accounts.actors import Actor, Right
    from affectcheck.server.portal import Portal
    from portal_clock import SetClock


def held(portal: Portal, actor: Actor) -> list[tokens.Token]:
    with portal.database.read() as connection:
        return tokens_of(connection, actor, portal.now())


def test_a_token_is_shown_once_and_kept_as_a_hash(portal: Portal, person: Callable[[str], Actor]) -> None:
    ada = person("Ada")
    secret = make_token(portal, ada, " a script ", "submit")
    assert secret.startswith("afc_")
    assert actor_of_token(portal, secret) == replace(ada, scope="submit")
    with portal.database.read() as connection:
        assert secret not in repr(connection.execute(sa.select(token)).all())
    assert [(one.name, one.scope) for one in held(portal, ada)] == [("a script", "submit")]


@pytest.mark.parametrize(
    ("scope", "rights"),
    [("read", ["read"]), ("submit", ["read", "submit"]), ("organise", ["read", "submit", "organise"])],
)
def test_a_token_reaches_as_far_as_its_scope(
    portal: Portal, organiser: Actor, scope: Right, rights: list[Right]
) -> None:
    actor = actor_of_token(portal, make_token(portal, organiser, "t", scope))
    everything: list[Right] = ["read", "submit", "organise"]
    for right in everything:
        if right in rights:
            require(actor, right)
        else:
            with pytest.raises(ForbiddenError):
                require(actor, right)
    with pytest.raises(ForbiddenError, match="a token makes no other one"):
        make_token(portal, actor, "another", "read")
    assert actor.organises == (scope == "organise")


def test_roles_and_rights(portal: Portal, organiser: Actor, person: Callable[[str], Actor]) -> None:
    for actor in (organiser, SYSTEM):
        require(actor, "organise")
    with pytest.raises(ForbiddenError, match="only organisers"):
        require(person("Ada"), "organise")
    with pytest.raises(UnknownLoginError):
        require(VISITOR, "read")
    with pytest.raises(UnknownLoginError):
        make_token(portal, VISITOR, "t", "read")
    assert not VISITOR.known


def test_a_token_of_an_organiser_who_is_none_any_more_organises_nothing(portal: Portal, organiser: Actor) -> None:
    secret = make_token(portal, organiser, "t", "organise")
    with portal.database.write() as connection:
        connection.execute(sa.update(account).values(role="member"))
    with pytest.raises(ForbiddenError):
        require(actor_of_token(portal, secret), "organise")


def test_what_is_no_token_is_refused(portal: Portal) -> None:
    for secret in ("", "afc_", "afc_nothing", "other", "afc_\ud800"):
        with pytest.raises(UnknownLoginError, match="does not hold"):
            actor_of_token(portal, secret)


def test_a_token_ends(portal: Portal, clock: SetClock, person: Callable[[str], Actor]) -> None:
    ada = person("Ada")
    secret = make_token(portal, ada, "t", "read", days=1)
    clock.forward(hours=23)
    assert actor_of_token(portal, secret).id == ada.id
    clock.forward(hours=1)
    with pytest.raises(UnknownLoginError):
        actor_of_token(portal, secret)
    assert held(portal, ada) == []


def test_a_revoked_token_holds_no_more_and_only_its_owner_revokes(
    portal: Portal, person: Callable[[str], Actor]
) -> None:
    ada, eve = person("Ada"), person("Eve")
    secret = make_token(portal, ada, "t", "read")
    key = held(portal, ada)[0].id
    with pytest.raises(NotThereError):
        revoke_token(portal, eve, key)
    assert actor_of_token(portal, secret).id == ada.id
    revoke_token(portal, ada, key)
    revoke_token(portal, ada, key)
    with pytest.raises(UnknownLoginError):
        actor_of_token(portal, secret)


def test_when_a_token_was_used_is_known_coarsely(
    portal: Portal, clock: SetClock, person: Callable[[str], Actor]
) -> None:
    ada = person("Ada")
    secret = make_token(portal, ada, "t", "read")
    assert held(portal, ada)[0].used is None
    first = clock()
    actor_of_token(portal, secret)
    clock.forward(minutes=9)
    actor_of_token(portal, secret)
    assert held(portal, ada)[0].used == first
    clock.forward(minutes=1)
    actor_of_token(portal, secret)
    assert held(portal, ada)[0].used == clock()


def test_tokens_that_are_refused(
    portal: Portal, person: Callable[[str], Actor], monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = person("Ada")
    for days in (0, 366, -1):
        with pytest.raises(RefusedError, match="days"):
            make_token(portal, ada, "t", "read", days=days)
    with pytest.raises(RefusedError, match="scope"):
        make_token(portal, ada, "t", "session")  # type: ignore[arg-type]
    with pytest.raises(RefusedError):
        make_token(portal, ada, "", "read")
    monkeypatch.setattr(tokens, "MOST", 1)
    make_token(portal, ada, "t", "read")
    with pytest.raises(ConflictError):
        make_token(portal, ada, "t", "read")
