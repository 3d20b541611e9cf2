"""Registering, logging in and out, passwords, tokens."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
import sqlalchemy as sa

from affectcheck.server.accounts.first_run import first_run_token
from affectcheck.server.accounts.people import ask_reset
from affectcheck.server.accounts.tokens import actor_of_token
from affectcheck.server.storage.tables import letter
from portal_scene import PASSWORD

from .conftest import Person, main_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from affectcheck.server.portal import Portal
    from portal_scene import Scene


def test_registering_logs_in_and_leads_back(visitor: Person) -> None:
    assert 'value="/tracks/x"' in visitor.get("/register?next=/tracks/x").text
    answer = visitor.post("/register", email="Ada@Example.org", name="Ada", password=PASSWORD, next="/tracks/x")
    assert (answer.status_code, answer.headers["location"]) == (303, "/tracks/x?done=welcome")
    assert "Ada" in visitor.get("/").text
    assert "HttpOnly" in answer.headers["set-cookie"]


@pytest.mark.parametrize("path", ["//evil.example", "/\\evil.example", "https://evil.example", "/x?y", "evil"])
def test_a_login_leads_nowhere_else(visitor: Person, scene: Scene, path: str) -> None:
    assert path not in visitor.get("/login", params={"next": path}).text
    answer = visitor.post("/login", email="olga@example.org", password=PASSWORD, next=path)
    assert answer.headers["location"] == "/?done=welcome"


def test_faults_stand_at_their_fields_and_values_are_kept(visitor: Person) -> None:
    answer = visitor.post("/register", email="no address", name="Ada", password=PASSWORD)
    page = answer.text
    assert answer.status_code == 422
    assert 'value="no address"' in page
    assert 'aria-describedby="h-email e-email"' in page
    assert 'id="e-email"' in page
    assert PASSWORD not in page
    assert "This is needed." in main_of(visitor.post("/register", email="", name="", password=""))
    assert "10 to 200 characters" in main_of(
        visitor.post("/register", email="b@example.org", name="B", password="short")
    )


def test_logins_are_throttled(visitor: Person, scene: Scene) -> None:
    answers = [visitor.post("/login", email="olga@example.org", password=f"wrong {n}") for n in range(11)]
    assert [answer.status_code for answer in answers] == [422] * 11
    assert "attempts within" in main_of(answers[-1])
    assert "again from" in main_of(answers[-1])
    assert "This is needed." in main_of(visitor.post("/login", email="", password=""))


def test_logging_out_ends_the_login(person: Callable[..., Person], scene: Scene) -> None:
    someone = person("olga@example.org")
    before = dict(someone.cookies)
    assert someone.post("/account", "/logout").headers["location"] == "/?done=bye"
    someone.cookies.update(before)
    assert someone.get("/organise").status_code == 303
    assert "Log in" in someone.get("/?done=bye").text


def test_pages_for_people_lead_to_the_login_and_back(
    visitor: Person, person: Callable[..., Person], scene: Scene
) -> None:
    assert visitor.get("/account").headers["location"] == "/login?next=/account"
    assert visitor.get("/organise/log").headers["location"] == "/login?next=/organise/log"
    _, email = scene.person()
    refused = person(email).get("/organise")
    assert refused.status_code == 403
    assert "Only organisers" in main_of(refused)


def test_a_forgotten_password_is_set_by_a_letter(visitor: Person, scene: Scene, sqlite_portal: Portal) -> None:
    assert "This is needed" in main_of(visitor.post("/forgot", email=""))
    assert visitor.post("/forgot", email="olga@example.org").headers["location"] == "/login?done=letter"
    assert visitor.post("/forgot", email="nobody@example.org").headers["location"] == "/login?done=letter"
    with sqlite_portal.database.read() as connection:
        body = connection.execute(sa.select(letter.c.body)).scalar_one()
    code = re.search(r"code=(\S+)", body)
    assert code
    assert code[1] in visitor.get(f"/reset?code={code[1]}").text
    assert "expected" in main_of(visitor.post("/reset", code=code[1], password="x"))
    assert visitor.post("/reset", code=code[1], password="another 12 words").status_code == 303
    assert visitor.post("/reset", code=code[1], password="another 13 words").status_code == 422
    assert visitor.post("/login", email="olga@example.org", password="another 12 words").status_code == 303


def test_asking_too_often_is_told(visitor: Person, scene: Scene, sqlite_portal: Portal) -> None:
    for _ in range(3):
        ask_reset(sqlite_portal, "olga@example.org")
    assert "attempts within" in main_of(visitor.post("/forgot", email="olga@example.org"))


def test_the_first_organiser_and_those_who_are_invited(
    visitor: Person, person: Callable[..., Person], sqlite_portal: Portal
) -> None:
    code = first_run_token(sqlite_portal)
    assert code
    values = {"email": "olga@example.org", "name": "Olga", "password": PASSWORD}
    assert code in visitor.get(f"/organiser?code={code}").text
    assert visitor.post("/organiser", code="wrong", **values).status_code == 422
    assert visitor.post("/organiser", code=code, **values).status_code == 303
    assert "Organise" in visitor.get("/organise").text
    assert "An invitation to pat@example.org" in main_of(
        visitor.post("/organise", "/organise/invite", email="pat@example.org")
    )
    assert "This is needed" in main_of(visitor.post("/organise", "/organise/invite", email=""))
    assert "address" in main_of(visitor.post("/organise", "/organise/invite", email="none"))


def test_tokens_are_shown_once_and_revoked(person: Callable[..., Person], scene: Scene, sqlite_portal: Portal) -> None:
    someone = person("olga@example.org")
    page = someone.post("/account", "/account/tokens", name="my laptop 7", scope="organise", days="30").text
    secret = re.search(r"afc_[A-Za-z0-9_-]+", page)
    assert secret
    assert actor_of_token(sqlite_portal, secret[0]).scope == "organise"
    later = someone.get("/account").text
    assert "my laptop 7" in later
    assert secret[0] not in later
    found = re.search(r"/account/tokens/([0-9a-f-]+)/revoke", later)
    assert found
    assert someone.post("/account", found[0]).headers["location"] == "/account?done=revoked"
    assert "my laptop 7" not in someone.get("/account").text
    assert someone.post("/account", found[0].replace(found[1], "0" * 36)).status_code == 404


def test_faults_of_tokens(person: Callable[..., Person], scene: Scene) -> None:
    _, email = scene.person()
    someone = person(email)
    assert "organise:" not in someone.get("/account").text
    for values, words in (
        ({"name": ""}, "This is needed"),
        ({"name": "x", "days": "1000"}, "A whole number from 1 to 365"),
        ({"name": "x", "days": "٣"}, "A whole number from 1 to 365"),
        ({"name": "x", "scope": "organise"}, "Only organisers"),
        ({"name": "x", "scope": "rule"}, "scope"),
    ):
        answer = someone.post("/account", "/account/tokens", **{"scope": "read", "days": "", **values})
        assert answer.status_code == 422
        assert words in main_of(answer)


def test_a_password_is_changed_and_other_logins_end(person: Callable[..., Person], scene: Scene) -> None:
    one, other = person("olga@example.org"), person("olga@example.org")
    assert "This is needed" in main_of(one.post("/account", "/account/password", old_password="", password=""))
    wrong = one.post("/account", "/account/password", old_password="no", password="another 12 words")
    assert "another one" in main_of(wrong)
    done = one.post("/account", "/account/password", old_password=PASSWORD, password="another 12 words")
    assert done.headers["location"] == "/account?done=saved"
    assert one.get("/account").status_code == 200
    assert other.get("/account").status_code == 303
