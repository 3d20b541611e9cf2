"""The API as it is documented: made-up requests, right and wrong, by Schemathesis, against a portal that is served."""

from __future__ import annotations

import shutil
import socket
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("schemathesis", reason="schemathesis is not installed (extra check)")
pytest.importorskip("uvicorn", reason="uvicorn is not installed (extra server)")

import schemathesis
import uvicorn
from fastapi import FastAPI
from hypothesis import HealthCheck, settings

from affectcheck.server.accounts.tokens import make_token
from affectcheck.server.opening import open_portal
from affectcheck.server.settings import Settings
from affectcheck.server.web.api import routers
from affectcheck.server.web.app import create_app
from portal_clock import SetClock
from portal_scene import make_scene

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.slow

#: Requests that the schema allows may still be refused: a name that is taken, a phase that there is not.
LEFT_OUT = frozenset({"positive_data_acceptance"})
FEW = settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck), database=None, derandomize=True)


def documented() -> dict[str, Any]:
    app = FastAPI(title="affectcheck challenges", version="1")
    for router in routers():
        app.include_router(router)
    return app.openapi()


SCHEMA = schemathesis.openapi.from_dict(documented())


@dataclass(frozen=True)
class Served:
    """A portal at an address, what there is, and the tokens of an organiser and of a team's captain."""

    address: str
    things: dict[str, str]
    organiser: str
    captain: str


@pytest.fixture(scope="module")
def served(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("served")
    shutil.copy(sqlite_template, folder / "portal.db")
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        clock = SetClock()
        portal = open_portal(Settings(folder, address=address, free_bytes=0), clock=clock)
        server = uvicorn.Server(uvicorn.Config(create_app(portal), log_level="critical", lifespan="off"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        scene = make_scene(portal, clock)
        scene.contest()
        crew = scene.team("Blue")
        sent = scene.send(crew)
        scene.judge("faces", sent.id, 0.5)
        organiser = make_token(portal, scene.organiser, "a test", "organise")
        captain = make_token(portal, crew.captain, "a test", "submit")
        yield Served(address, {"event": "emotions", "track": "faces", "submission": sent.id}, organiser, captain)
        server.should_exit = True
        thread.join(10)
        assert scene.faults() == []
        portal.close()


def ask(case: Any, served: Served, token: str) -> None:
    left = [check for check in schemathesis.checks.CHECKS.get_all() if check.__name__ in LEFT_OUT]
    headers = {"Authorization": f"Bearer {token}"}
    case.call_and_validate(base_url=served.address, headers=headers, excluded_checks=left, timeout=30)


@SCHEMA.parametrize()
@FEW
def test_answers_are_as_documented(case: Any, served: Served) -> None:
    ask(case, served, served.organiser)


@SCHEMA.include(path_regex=r"\{(event|track|submission)\}").parametrize()
@FEW
def test_answers_about_what_there_is_are_as_documented(case: Any, served: Served) -> None:
    for name in set(case.path_parameters or {}) & set(served.things):
        case.path_parameters[name] = served.things[name]
    case.call_and_validate(
        base_url=served.address,
        headers={"Authorization": f"Bearer {served.captain}"},
        checks=[one for one in schemathesis.checks.CHECKS.get_all() if one.__name__ in CONFORMANCE],
        timeout=30,
    )


CONFORMANCE = frozenset(
    {
        "not_a_server_error",
        "status_code_conformance",
        "content_type_conformance",
        "response_schema_conformance",
        "response_headers_conformance",
    }
)
