"""T6, T15: every page and every call of the route table for each role, and a policy that lets no script in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from starlette.routing import Route

from affectcheck.server.ledger.campaigns import start_campaign
from portal_scene import labels

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import httpx
    from fastapi import FastAPI

    from portal_scene import Scene

    from ..web.conftest import Person  # noqa: TID252  # tests are no package

#: What somebody who is not logged in may send.
FOR_VISITORS = {"/register", "/login", "/logout", "/forgot", "/reset", "/organiser"}
#: Where the key of a page stands for something else than a submission.
KEYS = {"/organise/campaigns/": "campaign", "/baselines/": "nothing", "/tokens/": "nothing"}
NOTHING = "019cae6b-6600-7cf2-81cd-bbc91729207d"


def _pages(app: FastAPI) -> Iterator[tuple[str, str]]:
    """Method and path of every page; calls of the API have a matrix of their own."""
    for route in app.router.routes:
        if isinstance(route, Route) and not route.path.startswith(("/api", "/static", "/health", "/ready")):
            for method in sorted(set(route.methods or ()) - {"HEAD", "OPTIONS"}):
                yield method, route.path


@pytest.fixture
def things(scene: Scene) -> dict[str, str]:
    """Objects of the team Blue, whose captain is the first person."""
    scene.contest()
    crew = scene.team("Blue")
    sent = scene.send(crew)
    scene.judge("faces", sent.id, 0.5)
    corrected = scene.labels("faces", labels(40, seed=9))
    campaign = start_campaign(scene.portal, scene.organiser, "faces", corrected, "item 7 was wrong")
    return {
        "event": "emotions",
        "track": "faces",
        "id": sent.id,
        "campaign": campaign.id,
        "email": crew.email,
        "nothing": NOTHING,
        "verb": "rerun",
    }


def _ask(person: Person, method: str, path: str, things: dict[str, str], code: str = "") -> httpx.Response:
    key = next((name for part, name in KEYS.items() if part in path), "id")
    where = path.replace("{id}", things[key])
    where = re.sub(r"\{(\w+)(:\w+)?\}", lambda found: things[found[1]], where)
    if method == "GET":
        return person.get(where)
    return person.request(method, where, data={"form_code": code, "reason": "x"})


def _turned_away(answer: httpx.Response) -> bool:
    to_login = answer.status_code == 303 and answer.headers["location"].startswith("/login")
    return to_login or answer.status_code in (401, 403, 404)


def test_t6_visitors_change_nothing(app: FastAPI, person: Callable[..., Person], things: dict[str, str]) -> None:
    visitor = person()
    code = visitor.code("/login")
    sent = [path for method, path in _pages(app) if method != "GET" and path not in FOR_VISITORS]
    assert len(sent) > 20
    let_in = [path for path in sent if not _turned_away(_ask(visitor, "POST", path, things, code))]
    assert let_in == []


def test_t6_visitors_see_what_is_public_alone(
    app: FastAPI, person: Callable[..., Person], things: dict[str, str]
) -> None:
    visitor = person()
    seen = {
        path for method, path in _pages(app) if method == "GET" and not _turned_away(_ask(visitor, "GET", path, things))
    }
    assert not [path for path in seen if path.startswith(("/organise/", "/submissions", "/account"))]
    assert not [path for path in seen if path.endswith(("/team", "/submit", "/submissions", "/leave"))]
    assert {"/", "/events/{event}", "/tracks/{track}", "/tracks/{track}/board"} <= seen


def test_t6_members_organise_nothing(
    app: FastAPI, person: Callable[..., Person], scene: Scene, things: dict[str, str]
) -> None:
    member = person(things["email"])
    code = member.code("/account")
    pages = [(method, path) for method, path in _pages(app) if path.startswith("/organise") and path != "/organiser"]
    assert len(pages) > 20
    let_in = [
        (method, path, answer.status_code)
        for method, path in pages
        if (answer := _ask(member, method, path, things, code)).status_code not in (403, 404)
    ]
    assert let_in == []
    assert scene.entry(things["id"]).state == "scored"


def test_t6_what_is_another_team_s_is_not_there(
    app: FastAPI, person: Callable[..., Person], scene: Scene, things: dict[str, str]
) -> None:
    other = person(scene.team("Red").email)
    code = other.code("/account")
    pages = [(method, path) for method, path in _pages(app) if path.startswith("/submissions/")]
    assert len(pages) >= 5
    told = {(method, path): _ask(other, method, path, things, code).status_code for method, path in pages}
    assert told == dict.fromkeys(told, 404)
    assert scene.entry(things["id"]).state == "scored"


def test_t6_whoever_it_belongs_to_gets_in(app: FastAPI, person: Callable[..., Person], things: dict[str, str]) -> None:
    """Else the matrix above would pass where nothing works at all."""
    member, organiser = person(things["email"]), person("olga@example.org")
    mine = [path for method, path in _pages(app) if method == "GET" and path.startswith("/submissions/")]
    assert {path: _ask(member, "GET", path, things).status_code for path in mine} == dict.fromkeys(mine, 200)
    theirs = [path for method, path in _pages(app) if method == "GET" and path.startswith("/organise/")]
    told = {path: _ask(organiser, "GET", path, things).status_code for path in theirs}
    assert told == dict.fromkeys(theirs, 200)


def test_t6_a_form_of_another_login_is_refused_everywhere(
    app: FastAPI, person: Callable[..., Person], things: dict[str, str]
) -> None:
    organiser, other = person("olga@example.org"), person(things["email"])
    code = other.code("/account")
    for method, path in _pages(app):
        if method == "POST" and "/labels" not in path and "/items" not in path and "/pack" not in path:
            answer = _ask(organiser, method, path, things, code)
            assert answer.status_code in (403, 422), path


INLINE = re.compile(rb"<script(?![^>]*\bsrc=)[^>]*>|<style|\son\w+\s*=|\sstyle\s*=|javascript:", re.IGNORECASE)


def test_t15_no_page_needs_or_allows_anything_inline(
    app: FastAPI, person: Callable[..., Person], things: dict[str, str]
) -> None:
    people: list[Any] = [person(), person(things["email"]), person("olga@example.org")]
    looked = 0
    for someone in people:
        for method, path in _pages(app):
            if method != "GET":
                continue
            answer = _ask(someone, method, path, things)
            policy = answer.headers["content-security-policy"]
            assert "unsafe" not in policy, path
            assert "default-src" in policy, path
            if answer.headers.get("content-type", "").startswith("text/html"):
                looked += 1
                found = INLINE.search(answer.content)
                assert found is None, (path, answer.content[max(0, found.start() - 80) : found.end() + 80])
                assert not re.search(rb'(src|href|action)="(https?:)?//(?!127\.0\.0\.1)', answer.content), path
    assert looked > 40
