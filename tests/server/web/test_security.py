"""What every answer carries, and what no request may be."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from affectcheck.server.settings import Settings
from affectcheck.server.web import guard, security
from affectcheck.server.web.app import create_app

from .conftest import Person, main_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from affectcheck.server.portal import Portal
    from portal_scene import Scene

PATHS = ("/", "/login", "/nowhere", "/organise", "/static/nothing.css", "/api/v1/openapi.json")


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_has_the_headers(visitor: Person, path: str) -> None:
    headers = visitor.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert "strict-transport-security" not in headers


def test_under_https_cookies_are_secure_and_bound_to_the_host(sqlite_portal: Portal, loop: Any) -> None:
    portal = replace(sqlite_portal, settings=replace(sqlite_portal.settings, address="https://challenge.example.org"))
    page = Person(create_app(portal), loop, base="https://challenge.example.org").get("/login")
    assert page.headers["strict-transport-security"].startswith("max-age=31536000")
    cookie = page.headers["set-cookie"]
    assert cookie.startswith("__Host-affectcheck-browser=")
    for word in ("HttpOnly", "SameSite=lax", "Secure", "Path=/"):
        assert word in cookie
    assert "Domain" not in cookie


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1:9", "127.0.0.1", ""])
def test_other_hosts_are_not_answered(visitor: Person, host: str) -> None:
    answer = visitor.get("/", headers={"host": host})
    assert answer.status_code == 421
    assert "http://127.0.0.1:8000" in answer.text


@pytest.mark.parametrize(
    ("address", "hosts"),
    [
        ("http://127.0.0.1:8000", {"127.0.0.1:8000", "localhost:8000", "[::1]:8000"}),
        ("https://a.example", {"a.example", "a.example:443"}),
        ("http://a.example:81", {"a.example:81"}),
        ("http://[2001:db8::1]", {"[2001:db8::1]", "[2001:db8::1]:80"}),
    ],
)
def test_hosts_of_an_address(tmp_path: Path, address: str, hosts: set[str]) -> None:
    assert security.hosts_of(Settings(tmp_path, address=address)) == hosts


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "https://127.0.0.1:8000"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"referer": "https://evil.example/http://127.0.0.1:8000/"},
    ],
)
def test_forms_of_other_sites_are_refused(visitor: Person, headers: dict[str, str]) -> None:
    values = {"form_code": visitor.code("/login"), "email": "a@example.org", "password": "x"}
    answer = visitor.request("POST", "/login", data=values, headers=headers)
    assert answer.status_code == 403
    assert "only pages of this portal" in main_of(answer)


@pytest.mark.parametrize("headers", [{"origin": "http://127.0.0.1:8000"}, {"sec-fetch-site": "same-origin"}, {}])
def test_our_own_forms_are_read(visitor: Person, headers: dict[str, str]) -> None:
    values = {"form_code": visitor.code("/login"), "email": "a@example.org", "password": "x"}
    answer = visitor.request("POST", "/login", data=values, headers=headers)
    assert answer.status_code == 422
    assert "No account with this e-mail address and password" in main_of(answer)


def test_a_form_without_its_code_or_with_another_browsers_is_refused(
    person: Callable[..., Person], scene: Scene
) -> None:
    one, other = person(), person()
    for values in ({}, {"form_code": other.code("/login")}, {"form_code": "0" * 64}, {"form_code": "é"}):
        one.get("/login")
        answer = one.request("POST", "/login", data={"email": "olga@example.org", "password": "x", **values})
        assert answer.status_code == 403, values
        assert "not made for this login" in main_of(answer)


def test_a_code_of_before_the_login_does_not_hold_after_it(person: Callable[..., Person], scene: Scene) -> None:
    someone = person()
    before = someone.code("/login")
    someone.log_in("olga@example.org")
    answer = someone.request("POST", "/organise/events", data={"form_code": before, "slug": "x", "title": "x"})
    assert answer.status_code == 403


@pytest.mark.parametrize("declared", [True, False])
def test_a_body_that_is_too_long_is_refused_with_the_number(visitor: Person, declared: bool) -> None:
    async def blocks() -> Any:
        for _ in range(20):
            yield b"x" * 65536

    body = b"x" * (guard.FORM_BYTES + 1) if declared else blocks()
    answer = visitor.request("POST", "/login", content=body)
    assert answer.status_code == 413
    assert str(guard.FORM_BYTES) in main_of(answer)


def test_an_upload_that_is_too_long_is_cut_off_while_it_comes(
    person: Callable[..., Person], scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "limit_of", lambda *_: 100_000)
    scene.contest()
    sent = 0

    async def blocks() -> Any:
        nonlocal sent
        yield b"--b\r\nContent-Disposition: form-data; name=file; filename=x\r\n\r\n"
        for _ in range(20):
            sent += 1
            yield b"x" * 65536

    someone = person("olga@example.org")
    answer = someone.request(
        "POST", "/tracks/faces/submit", content=blocks(), headers={"content-type": "multipart/form-data; boundary=b"}
    )
    # Whether the form is told apart before the bytes are counted or after, not all of them were read.
    assert answer.status_code in {403, 413}
    assert sent < 20


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        ("10.0.0.1", "203.0.113.9", "203.0.113.9"),
        ("10.0.0.1", "198.51.100.1, 203.0.113.9, 10.0.0.1", "203.0.113.9"),
        ("192.0.2.7", "203.0.113.9", "192.0.2.7"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("10.0.0.1", "no address", "10.0.0.1"),
    ],
)
def test_only_proxies_of_the_settings_are_believed(peer: str, forwarded: str, client: str) -> None:
    assert security.client_of(peer, forwarded, ("10.0.0.1",)) == client


@pytest.mark.parametrize(
    ("path", "headers"),
    [("/" + "a" * 5000, {}), ("/", {"x-long": "a" * 40_000}), ("/", {f"x-{n}": "a" for n in range(150)})],
)
def test_long_headers_and_paths_are_refused(visitor: Person, path: str, headers: dict[str, str]) -> None:
    assert visitor.get(path, headers=headers).status_code == 431


@pytest.mark.parametrize(
    "path", ["/tracks/a%00b", "/organise/log?action=%00", "/api/v1/tracks/a%00b", "/login?next=/%00"]
)
def test_addresses_with_characters_that_no_database_keeps_are_refused(visitor: Person, path: str) -> None:
    assert visitor.get(path).status_code == 400


def test_a_form_that_never_ends_is_given_up(visitor: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    import anyio

    monkeypatch.setattr(guard, "FORM_SECONDS", 0.05)

    async def blocks() -> Any:
        yield b"email="
        await anyio.sleep(5)
        yield b"x"

    answer = visitor.request("POST", "/login", content=blocks())
    assert answer.status_code == 408
    assert "did not end" in main_of(answer)


@pytest.mark.parametrize(("seconds", "grace"), [(0.05, 60.0), (30.0, -1.0)])
def test_an_upload_that_crawls_is_given_up(
    person: Callable[..., Person], scene: Scene, monkeypatch: pytest.MonkeyPatch, seconds: float, grace: float
) -> None:
    import anyio

    monkeypatch.setattr(guard, "UPLOAD_SECONDS", seconds)
    monkeypatch.setattr(guard, "_GRACE_SECONDS", grace)
    monkeypatch.setattr(guard, "UPLOAD_RATE", 10**9)
    scene.contest()

    async def blocks() -> Any:
        yield b"--b\r\n"
        await anyio.sleep(0.5)
        yield b"x"

    answer = person("olga@example.org").request(
        "POST", "/tracks/faces/submit", content=blocks(), headers={"content-type": "multipart/form-data; boundary=b"}
    )
    assert answer.status_code == 408


def test_what_goes_wrong_is_an_incident_and_no_traceback(
    visitor: Person, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("secret of the inside")

    monkeypatch.setattr("affectcheck.server.web.pages.events.events_for", fail)
    answer = visitor.get("/")
    assert answer.status_code == 500
    assert "Traceback" not in answer.text
    assert "secret of the inside" not in answer.text
    incident = main_of(answer).partition("Incident ")[2].split()[0]
    assert incident in caplog.text
    assert answer.headers["content-security-policy"]


def test_the_access_log_has_no_query_and_no_new_lines(visitor: Person, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "affectcheck.server.access"):
        visitor.get("/reset?code=afc_very_secret")
        visitor.get("/a%0Ab")
    assert "GET /reset 200" in caplog.text
    assert "afc_very_secret" not in caplog.text
    assert "/a%0Ab 404" in caplog.text


def test_refusals_of_the_api_are_values(visitor: Person) -> None:
    answer = visitor.get("/api/v1/openapi.json", headers={"host": "evil.example"})
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["code"] == "E_HTTP_421"
    missing = visitor.get("/api/v1/nowhere")
    assert (missing.status_code, missing.json()["code"]) == (404, "E_HTTP_404")
