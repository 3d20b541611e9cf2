from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
import sqlalchemy as sa

from affectcheck.server.accounts import people
from affectcheck.server.accounts.actors import VISITOR
from affectcheck.server.accounts.tokens import actor_of_token, make_token
from affectcheck.server.faults import (
    ConflictError,
    ForbiddenError,
    RefusedError,
    TooManyError,
    UnknownLoginError,
)
from affectcheck.server.storage.audit import verify
from affectcheck.server.storage.tables import account, audit, letter, session

from .conftest import PASSWORD

if TYPE_CHECKING:
    from collections.abc import Callable

    from affectcheck.server.accounts.actors import Actor
    from affectcheck.server.portal import Portal
    from portal_clock import SetClock

NEW = "a wholly other 5 word phrase"


def sign_in(portal: Portal, email: str = "ada@example.org", password: str = PASSWORD, **rest: str) -> people.SignedIn:
    return people.sign_in(portal, email, password, **{"address": "192.0.2.1", **rest})


def test_somebody_who_registers_can_log_in_and_out(portal: Portal) -> None:
    actor = people.register(portal, " Ada@Example.ORG ", "  Ada   Lovelace ", PASSWORD)
    assert (actor.name, actor.role, actor.scope) == ("Ada Lovelace", "member", "session")
    login = sign_in(portal, "ADA@example.org")
    assert login.actor == actor
    assert people.actor_of_session(portal, login.secret) == actor
    person = people.person_of(portal, actor)
    assert (person.email, person.role) == ("ada@example.org", "member")
    people.sign_out(portal, login.secret)
    people.sign_out(portal, login.secret)
    assert people.actor_of_session(portal, login.secret) == VISITOR
    with portal.database.read() as connection:
        assert verify(connection) == []
        done = connection.execute(sa.select(audit.c.action).order_by(audit.c.number)).scalars().all()
    assert done == ["account.register", "session.begin", "session.end"]


def test_no_secret_is_kept_as_it_is(portal: Portal, person: Callable[[str], Actor]) -> None:
    person("Ada")
    login = sign_in(portal)
    with portal.database.read() as connection:
        kept = connection.execute(sa.select(account.c.password)).scalar_one()
        hashes = connection.execute(sa.select(session.c.hash)).scalars().all()
    assert kept.startswith("$argon2id$")
    assert PASSWORD not in kept
    assert login.secret not in hashes
    assert login.secret not in repr(login)


def test_an_address_has_one_account(portal: Portal, person: Callable[[str], Actor]) -> None:
    person("Ada")
    with pytest.raises(ConflictError, match="has an account"):
        people.register(portal, "ADA@EXAMPLE.ORG", "Ada", PASSWORD)


@pytest.mark.parametrize("email", ["ada", "@example.org", "ada@example", "a b@example.org", "ada@-.org", "a..b@x.org"])
def test_what_is_no_address_is_refused(portal: Portal, email: str) -> None:
    with pytest.raises(RefusedError, match="not an e-mail address"):
        people.register(portal, email, "Ada", PASSWORD)


@pytest.mark.parametrize("name", ["", "   ", "...", "a\u202eb", "a\u0000b", "x" * 81, "x" * 100_000])
def test_what_is_no_name_is_refused(portal: Portal, name: str) -> None:
    with pytest.raises(RefusedError):
        people.register(portal, "ada@example.org", name, PASSWORD)


def test_an_unknown_address_and_a_wrong_password_are_told_in_the_same_words(
    portal: Portal, person: Callable[[str], Actor]
) -> None:
    person("Ada")
    told = []
    for email, password in (("ada@example.org", "another one"), ("eve@example.org", PASSWORD), ("no address\0", "x")):
        with pytest.raises(UnknownLoginError) as caught:
            sign_in(portal, email, password)
        told.append((str(caught.value), caught.value.code))
    assert len(set(told)) == 1


def test_a_password_is_compared_where_there_is_no_account(portal: Portal, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str | None] = []
    monkeypatch.setattr(people, "matches", lambda kept, _password: bool(asked.append(kept)))
    with pytest.raises(UnknownLoginError):
        sign_in(portal, "eve@example.org")
    assert asked == [None]


def test_an_account_that_is_shut_has_no_login(portal: Portal, person: Callable[[str], Actor]) -> None:
    ada = person("Ada")
    login = sign_in(portal)
    token = make_token(portal, ada, "t", "read")
    with portal.database.write() as connection:
        connection.execute(sa.update(account).values(active=False))
    assert people.actor_of_session(portal, login.secret) == VISITOR
    with pytest.raises(UnknownLoginError):
        sign_in(portal)
    with pytest.raises(UnknownLoginError):
        actor_of_token(portal, token)
    with pytest.raises(ForbiddenError):
        people.person_of(portal, ada)


def test_logins_are_limited_by_account_and_free_again_after_a_while(
    portal: Portal, clock: SetClock, person: Callable[[str], Actor]
) -> None:
    person("Ada")
    for number in range(people.LOGINS_OF_ACCOUNT):
        with pytest.raises(UnknownLoginError):
            sign_in(portal, password="another one", address=f"192.0.2.{10 + number}")
    with pytest.raises(TooManyError, match="60 attempts within 15 minutes") as caught:
        sign_in(portal)
    assert caught.value.again == clock() + timedelta(minutes=15)
    clock.forward(minutes=15)
    assert sign_in(portal).actor.name == "Ada"


def test_logins_are_limited_by_address(
    portal: Portal, person: Callable[[str], Actor], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(people, "LOGINS_OF_ADDRESS", 3)
    monkeypatch.setattr(people, "matches", lambda kept, password: kept is not None and password == PASSWORD)
    person("Ada")
    for number in range(3):
        with pytest.raises(UnknownLoginError):
            sign_in(portal, f"eve{number}@example.org")
    with pytest.raises(TooManyError):
        sign_in(portal)
    assert sign_in(portal, address="192.0.2.2").actor.name == "Ada"


def test_right_logins_do_not_count(
    portal: Portal, person: Callable[[str], Actor], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(people, "LOGINS_OF_ADDRESS", 2)
    monkeypatch.setattr(people, "LOGINS_OF_ACCOUNT", 2)
    person("Ada")
    for _ in range(4):
        sign_in(portal)


def test_a_login_has_a_new_secret_each_time_and_ends(
    portal: Portal, clock: SetClock, person: Callable[[str], Actor]
) -> None:
    person("Ada")
    first = sign_in(portal)
    second = sign_in(portal, before=first.secret)
    assert first.secret != second.secret
    assert people.actor_of_session(portal, first.secret) == VISITOR
    assert people.actor_of_session(portal, second.secret).name == "Ada"
    clock.forward(hours=portal.settings.session_hours)
    assert people.actor_of_session(portal, second.secret) == VISITOR
    assert people.actor_of_session(portal, "") == VISITOR
    sign_in(portal)
    with portal.database.read() as connection:
        assert connection.execute(sa.select(sa.func.count()).select_from(session)).scalar_one() == 1


def test_a_changed_password_ends_every_login(portal: Portal, person: Callable[[str], Actor]) -> None:
    ada = person("Ada")
    before = [sign_in(portal).secret for _ in range(2)]
    with pytest.raises(UnknownLoginError, match="old password"):
        people.change_password(portal, ada, "another one", NEW)
    with pytest.raises(RefusedError, match="a password of 5 characters"):
        people.change_password(portal, ada, PASSWORD, "short")
    assert all(people.actor_of_session(portal, one).known for one in before)
    after = people.change_password(portal, ada, PASSWORD, NEW)
    assert not any(people.actor_of_session(portal, one).known for one in before)
    assert people.actor_of_session(portal, after.secret) == ada
    with pytest.raises(UnknownLoginError):
        sign_in(portal)
    sign_in(portal, password=NEW)


def test_a_password_hashed_at_other_costs_is_hashed_anew(portal: Portal, person: Callable[[str], Actor]) -> None:
    from argon2 import PasswordHasher

    person("Ada")
    old = PasswordHasher(time_cost=1, memory_cost=1024, parallelism=1).hash(PASSWORD)
    with portal.database.write() as connection:
        connection.execute(sa.update(account).values(password=old))
    sign_in(portal)
    with portal.database.read() as connection:
        assert "m=19456,t=2" in connection.execute(sa.select(account.c.password)).scalar_one()
    sign_in(portal)


def code_of(portal: Portal) -> str:
    with portal.database.read() as connection:
        body = connection.execute(sa.select(letter.c.body).order_by(letter.c.id.desc())).scalars().first()
    assert body is not None
    return body.partition("code=")[2].split()[0]


def test_a_forgotten_password_is_set_by_a_code_once(
    portal: Portal, clock: SetClock, person: Callable[[str], Actor]
) -> None:
    ada = person("Ada")
    login, token = sign_in(portal).secret, make_token(portal, ada, "t", "read")
    people.ask_reset(portal, "Ada@example.org")
    clock.forward(seconds=1)
    people.ask_reset(portal, "ada@example.org")
    with pytest.raises(RefusedError, match="characters"):
        people.reset(portal, code_of(portal), "short")
    people.reset(portal, code_of(portal), NEW)
    assert not people.actor_of_session(portal, login).known
    with pytest.raises(UnknownLoginError):
        actor_of_token(portal, token)
    with pytest.raises(ForbiddenError, match="does not hold"):
        people.reset(portal, code_of(portal), PASSWORD)
    assert sign_in(portal, password=NEW).actor == ada


def test_an_older_code_and_one_after_an_hour_do_not_hold(
    portal: Portal, clock: SetClock, person: Callable[[str], Actor]
) -> None:
    person("Ada")
    people.ask_reset(portal, "ada@example.org")
    older = code_of(portal)
    clock.forward(seconds=1)
    people.ask_reset(portal, "ada@example.org")
    with pytest.raises(ForbiddenError):
        people.reset(portal, older, NEW)
    clock.forward(hours=1)
    with pytest.raises(ForbiddenError):
        people.reset(portal, code_of(portal), NEW)


def test_nobody_is_told_whether_an_address_has_an_account(portal: Portal, person: Callable[[str], Actor]) -> None:
    person("Ada")
    for email in ("eve@example.org", "ada@example.org"):
        for _ in range(people.RESETS_AN_HOUR):
            people.ask_reset(portal, email)
        with pytest.raises(TooManyError):
            people.ask_reset(portal, email)
    with portal.database.read() as connection:
        assert set(connection.execute(sa.select(letter.c.recipient)).scalars()) == {"ada@example.org"}
