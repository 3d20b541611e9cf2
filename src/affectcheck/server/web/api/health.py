"""Whether the portal runs, and whether it can be of use."""

from typing import Literal

from starlette.responses import Response

from affectcheck.server.web.api.forms import Told
from affectcheck.server.web.api.problems import Problem, answer_of
from affectcheck.server.web.api.routing import PREFIX, router
from affectcheck.server.web.api.who import OPEN, Anyone, ThePortal
from affectcheck.version import __version__

ROUTES = router("health", 503, prefix="")


class Health(Told):
    """The portal answers."""

    state: Literal["ok"] = "ok"
    version: str = __version__


@ROUTES.get("/healthz", openapi_extra=OPEN)
def health(_actor: Anyone) -> Health:
    """Whether the process answers; nothing else is looked at."""
    return Health()


@ROUTES.get("/readyz", openapi_extra=OPEN, response_model=Health)
def ready(_actor: Anyone, portal: ThePortal) -> Health | Response:
    """Whether the database answers and uploads have room."""
    with portal.database.read() as connection:
        connection.exec_driver_sql("SELECT 1")
    if portal.uploads.free() < portal.settings.free_bytes:
        return answer_of(
            Problem(status=503, title="Service Unavailable", code="E_NO_ROOM", what="The disk is nearly full.")
        )
    return Health()


@ROUTES.get(f"{PREFIX}/problem", openapi_extra=OPEN)
def example_problem(_actor: Anyone) -> Problem:
    """What a refusal looks like, as an example; refusals themselves are of the type `application/problem+json`."""
    return Problem(
        status=409,
        title="Conflict",
        code="E_CLOSED",
        what="The track closed at 2027-03-13 23:59:59 UTC.",
        where="",
        expected="an upload that begins before",
    )
