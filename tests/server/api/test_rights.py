"""Who may call what: every route of the table, each role, and objects of somebody else."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from fastapi.routing import APIRoute

from affectcheck.server.accounts.tokens import make_token, tokens_of
from affectcheck.server.contests.events import create_event
from affectcheck.server.contests.tracks import create_contest
from affectcheck.server.ledger.campaigns import start_campaign
from affectcheck.server.web.api import routers
from affectcheck.server.web.api.who import anyone, needs_organise, needs_read, needs_submit
from portal_scene import labels, moods_track, predictions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastapi.dependencies.models import Dependant

    from affectcheck.server.portal import Portal
    from portal_scene import Scene

    from .conftest import Program, Programs

RIGHTS = {needs_read: "read", needs_submit: "submit", needs_organise: "organise"}
KEY = "019cae6b-6600-7cf2-81cd-bbc91729207d"
PASSWORD = "nine lives of 7 cats"
#: What routes need beside their path; most are refused before anybody looks at it.
BODIES: dict[str, Any] = {
    "create_team": {"name": "Red"},
    "withdraw_submission": {"reason": ""},
    "change_password": {"old": PASSWORD, "new": "a wholly other 5 word phrase"},
    "join_team": {"join_code": "none"},
}


class Route(NamedTuple):
    """A row of the route table; ``right`` empty where visitors may call."""

    name: str
    method: str
    path: str
    right: str

    def __str__(self) -> str:
        return self.name


def calls(dependant: Dependant) -> Iterator[object]:
    for one in dependant.dependencies:
        yield one.call
        yield from calls(one)


def table() -> list[Route]:
    found = []
    for route in (one for router in routers() for one in router.routes):
        assert isinstance(route, APIRoute)
        rights = [RIGHTS[one] for one in calls(route.dependant) if one in RIGHTS]
        assert len(rights) <= 1, route.name
        assert anyone in set(calls(route.dependant)), f"{route.name} does not ask who calls"
        (method,) = route.methods
        found.append(Route(route.name, method, route.path, "".join(rights)))
    return found


TABLE = table()
OPEN = [route for route in TABLE if not route.right]
CLOSED = [route for route in TABLE if route.right]


@pytest.fixture
def things(scene: Scene, sqlite_portal: Portal) -> dict[str, str]:
    """Objects of somebody else's, by the names that paths have for them."""
    scene.contest()
    crew = scene.team("Blue")
    sent = scene.send(crew)
    scene.judge("faces", sent.id, 0.5)
    campaign = start_campaign(
        sqlite_portal, scene.organiser, "faces", scene.labels("faces", labels(40, seed=9)), "item 7 was wrong"
    )
    make_token(sqlite_portal, crew.captain, "theirs", "read")
    with sqlite_portal.database.read() as connection:
        token = tokens_of(connection, crew.captain, sqlite_portal.now())[0].id
    found = {"event": "emotions", "track": "faces", "submission": sent.id, "campaign": campaign.id, "token": token}
    return {**found, "baseline": KEY}


def ask(program: Program, route: Route, things: dict[str, str]) -> Any:
    path = re.sub(r"\{(\w+)\}", lambda found: things[found[1]], route.path)
    more: dict[str, Any] = {"json": BODIES[route.name]} if route.name in BODIES else {}
    if route.name in ("submit", "upload_items", "upload_pack", "upload_labels"):
        more = {"params": {"file_name": "p.csv"}, "content": predictions()}
    return program.call(route.method, path, **more)


def test_names_of_operations_are_theirs_alone(app: Any) -> None:
    names = [one["operationId"] for path in app.openapi()["paths"].values() for one in path.values()]
    assert len(set(names)) == len(names) == len(TABLE)


def test_visitors_may_look_and_come_in_and_nothing_else() -> None:
    changing = {route.name for route in OPEN if route.method != "GET"}
    assert changing == {"register", "login", "ask_reset", "set_new_password", "become_organiser"}


def test_every_other_route_refuses_visitors(visitor: Program, things: dict[str, str]) -> None:
    told = {route.name: ask(visitor, route, things) for route in CLOSED}
    assert {name: one.status_code for name, one in told.items()} == dict.fromkeys(told, 401)
    assert {one.headers["content-type"] for one in told.values()} == {"application/problem+json"}


def test_no_scope_reaches_further_than_it_says(programs: Programs, scene: Scene, things: dict[str, str]) -> None:
    order = ("read", "submit", "organise")
    for scope in ("read", "submit"):
        program = programs.of(scene.organiser, scope)
        further = [route for route in CLOSED if order.index(route.right) > order.index(scope)]
        told = {route.name: ask(program, route, things) for route in further}
        assert {name: (one.status_code, one.json()["code"]) for name, one in told.items()} == dict.fromkeys(
            told, (403, "E_SCOPE")
        )


def test_members_do_nothing_of_what_organisers_do(programs: Programs, scene: Scene, things: dict[str, str]) -> None:
    member = programs.of(scene.team("Green").captain, "submit")
    organisers = [route for route in CLOSED if route.right == "organise"]
    assert len(organisers) > 20
    assert {route.name: ask(member, route, things).status_code for route in organisers} == dict.fromkeys(
        (route.name for route in organisers), 403
    )


def test_what_is_of_another_team_is_not_there(programs: Programs, scene: Scene, things: dict[str, str]) -> None:
    member = programs.of(scene.team("Green").captain, "submit")
    theirs = [
        route for route in CLOSED if route.right != "organise" and re.search(r"\{(submission|token)\}", route.path)
    ]
    assert len(theirs) >= 5
    assert {route.name: ask(member, route, things).status_code for route in theirs} == dict.fromkeys(
        (route.name for route in theirs), 404
    )
    nobody, _ = scene.person()
    alone = programs.of(nobody, "submit")
    assert ask(alone, next(one for one in TABLE if one.name == "submit"), things).status_code == 403
    assert ask(alone, next(one for one in TABLE if one.name == "list_submissions"), things).status_code == 404


def test_what_is_not_published_is_not_there(
    visitor: Program, programs: Programs, scene: Scene, sqlite_portal: Portal
) -> None:
    create_event(sqlite_portal, scene.organiser, "secret", "Secret")
    create_contest(sqlite_portal, scene.organiser, "secret", moods_track("hidden"))
    member = programs.of(scene.team("Green").captain, "submit")
    routes = [one for one in TABLE if one.right != "organise" and re.search(r"\{(event|track)\}", one.path)]
    assert len(routes) >= 10
    hidden = {"event": "secret", "track": "hidden"}
    for program, seen in ((visitor, OPEN), (member, TABLE)):
        told = {route.name: ask(program, route, hidden) for route in routes if route in seen}
        assert {name: one.status_code for name, one in told.items()} == dict.fromkeys(told, 404)
        assert not any("Secret" in one.text or "Moods" in one.text for one in told.values())


def test_no_route_gives_a_label_out(organiser: Program, scene: Scene, things: dict[str, str]) -> None:
    hidden = labels(40).decode().splitlines()[1:]
    pairs = [tuple(line.split(",")[:2]) for line in hidden]
    for route in (one for one in TABLE if one.method == "GET"):
        answer = ask(organiser, route, {**things, "token": KEY})
        if route.name == "download_submission":
            continue  # a team's own predictions, of the same form
        assert answer.status_code in (200, 404, 409), route.name
        assert not any(f"{item},{mood}".encode() in answer.content for item, mood in pairs), route.name
        assert not any(f'"{item}"' in answer.text for item, _ in pairs), route.name


def test_the_page_names_every_route_and_who_may_call_it() -> None:
    page = Path(__file__).resolve().parents[3] / "docs" / "portal-api.md"
    rows = [line.split(" | ") for line in page.read_text(encoding="utf-8").splitlines() if "| `/" in line]
    told = {(row[0].removeprefix("| "), row[1].strip("`"), row[2]) for row in rows}
    assert told == {
        (route.method, route.path.removeprefix("/api/v1"), route.right or "all")
        for route in TABLE
        if route.path.startswith("/api/v1")
    }
