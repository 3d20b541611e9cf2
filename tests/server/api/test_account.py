from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from affectcheck.errors import InputError
from affectcheck.server.accounts.first_run import first_run_token
from affectcheck.server.accounts.people import sign_in
from affectcheck.server.web.api.problems import answer_of, problem_of

if TYPE_CHECKING:
    from affectcheck.server.portal import Portal
    from portal_scene import Scene

    from .conftest import Program

PASSWORD = "nine lives of 7 cats"
JSON = {"content-type": "application/json"}
ADA = {"email": "Ada@example.org", "name": "Ada", "password": PASSWORD}


def test_a_person_does_everything_about_an_account_without_a_browser(visitor: Program) -> None:
    made = visitor.post("/account", ADA)
    assert made.status_code == 201
    assert made.json() == {"id": made.json()["id"], "email": "ada@example.org", "name": "Ada", "role": "member"}
    login = visitor.post("/login", {"email": "ada@example.org", "password": PASSWORD})
    assert login.status_code == 201
    visitor.secret = login.json()["token"]
    assert visitor.get("/account").json() == made.json()
    narrow = {"email": "ada@example.org", "password": PASSWORD, "name": "a script", "scope": "read", "days": 3}
    assert visitor.post("/login", narrow).json()["token"].startswith("afc_")
    listed = visitor.get("/tokens").json()
    assert {(one["name"], one["scope"]) for one in listed} == {("a script", "read"), ("a login by the API", "submit")}
    key = next(one["id"] for one in listed if one["scope"] == "read")
    assert visitor.call("DELETE", f"/tokens/{key}").status_code == 204
    assert len(visitor.get("/tokens").json()) == 1
    changed = visitor.post("/account/password", {"old": PASSWORD, "new": "a wholly other 5 word phrase"})
    assert changed.status_code == 204
    visitor.secret = ""
    assert visitor.post("/login", {"email": "ada@example.org", "password": PASSWORD}).status_code == 401
    assert visitor.post("/account/reset", {"email": "ada@example.org"}).status_code == 202
    refused = visitor.post("/account/new-password", {"code": "none", "password": "another phrase of 5"})
    assert (refused.status_code, refused.json()["code"]) == (403, "E_CODE")


def test_a_refusal_is_a_problem(visitor: Program) -> None:
    answer = visitor.get("/account")
    assert answer.status_code == 401
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["www-authenticate"].startswith("Bearer")
    told = answer.json()
    assert set(told) == {"status", "title", "code", "what", "where", "expected", "cause", "again"}
    assert (told["status"], told["code"], told["what"]) == (401, "E_LOGIN", "nobody is logged in")


def test_a_request_of_another_form_is_told_field_by_field(visitor: Program) -> None:
    answer = visitor.post("/account", {**ADA, "role": "organiser", "email": 7})
    told = answer.json()
    assert (answer.status_code, told["code"]) == (422, "E_REQUEST")
    assert "body.role: Extra inputs are not permitted" in told["what"]
    assert "body.email" in told["what"]
    assert PASSWORD not in answer.text
    assert visitor.call("POST", "/account", content=b"{").status_code == 422


def test_a_token_that_does_not_hold_is_told_even_where_visitors_may_look(visitor: Program) -> None:
    for header in ("Bearer afc_none", "Bearer ", "Basic YTpi", "afc_none"):
        answer = visitor.get("/events", headers={"Authorization": header})
        assert (answer.status_code, answer.json()["code"]) == (401, "E_TOKEN")


def test_an_organiser_comes_by_the_code_of_the_first_run_and_invites(visitor: Program, sqlite_portal: Portal) -> None:
    code = first_run_token(sqlite_portal)
    olga = {"email": "olga@example.org", "name": "Olga", "password": PASSWORD}
    assert visitor.post("/organisers", {**olga, "code": "none"}).status_code == 403
    made = visitor.post("/organisers", {**olga, "code": code})
    assert (made.status_code, made.json()["role"]) == (201, "organiser")
    visitor.secret = visitor.post("/login", {"email": "olga@example.org", "password": PASSWORD}).json()["token"]
    invited = visitor.post("/organisers/invitations", {"email": "otto@example.org"})
    otto = {"email": "otto@example.org", "name": "Otto", "password": PASSWORD, "code": invited.json()["code"]}
    assert visitor.post("/organisers", otto).json()["role"] == "organiser"


def test_registrations_of_an_address_are_limited(visitor: Program) -> None:
    answers = [visitor.post("/account", {**ADA, "password": "short"}) for _ in range(21)]
    assert [one.status_code for one in answers] == [422] * 20 + [429]
    assert answers[-1].json()["again"]
    assert answers[-1].headers["retry-after"].endswith("GMT")


def test_cookies_of_browsers_are_no_login_here(visitor: Program, scene: Scene, sqlite_portal: Portal) -> None:
    secret = sign_in(sqlite_portal, "olga@example.org", PASSWORD, address="192.0.2.1").secret
    answer = visitor.get("/account", headers={"cookie": f"affectcheck-login={secret}"})
    assert (answer.status_code, scene.organiser.name) == (401, "Olga")


def test_health(visitor: Program) -> None:
    assert visitor.get("/healthz").json()["state"] == "ok"
    assert visitor.get("/readyz").json()["state"] == "ok"
    assert visitor.get("/problem").json()["code"] == "E_CLOSED"


def test_a_full_disk_is_not_ready(visitor: Program, sqlite_portal: Portal, monkeypatch: object) -> None:
    object.__setattr__(sqlite_portal.settings, "free_bytes", 1 << 62)
    answer = visitor.get("/readyz")
    assert (answer.status_code, answer.json()["code"]) == (503, "E_NO_ROOM")


def test_a_body_that_is_no_text_and_a_method_that_there_is_not_are_told(visitor: Program) -> None:
    answer = visitor.call("POST", "/account", content=b"\xff", headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (422, "E_REQUEST")
    assert answer.headers["content-type"] == "application/problem+json"
    refused = visitor.call("PUT", "/account")
    assert (refused.status_code, refused.headers["allow"]) == (405, "GET, POST")
    assert refused.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("text", [r"\ud800", r"a\ud800b", r"\udfff\ud800"])
def test_halves_of_characters_are_refused_and_told(visitor: Program, text: str) -> None:
    bodies = [
        '{"email": "%s", "password": "x"}',
        '{"email": "a@example.org", "password": "%s"}',
        '{"%s": 1}',
        '{"email": "a@example.org", "password": "x", "scope": "%s"}',
    ]
    for body in bodies:
        answer = visitor.call("POST", "/login", content=(body % text).encode(), headers=JSON)
        assert answer.status_code in (401, 422), answer.text
        assert answer.json()["what"]


def test_a_character_that_no_database_keeps_is_refused_everywhere(organiser: Program, scene: Scene) -> None:
    scene.contest()
    phases = rb'{"phases": [{"name": "a\u0000b"}], "reason": "x"}'
    answer = organiser.call("PUT", "/tracks/faces/phases", content=phases, headers=JSON)
    assert (answer.status_code, answer.json()["code"]) == (422, "E_REQUEST")
    track = rb'{"track": {"format": 1, "name": "a\ud800", "\ud800": 2}}'
    answer = organiser.call("POST", "/events/emotions/tracks", content=track, headers=JSON)
    assert answer.status_code == 422


def test_a_message_with_half_a_character_can_be_told() -> None:
    answer = answer_of(problem_of(InputError("a name \ud800", where="\udfff", expected="b", cause="c")))
    assert json.loads(bytes(answer.body))["what"] == "a name ?"
