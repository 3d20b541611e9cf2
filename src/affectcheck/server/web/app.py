"""The application: pages, the API and the files of both, behind one guard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import FastAPI
from starlette.routing import Route

import affectcheck
from affectcheck.server.web.api import routers
from affectcheck.server.web.assets import serve_asset
from affectcheck.server.web.guard import Guard
from affectcheck.server.web.kept import Kept
from affectcheck.server.web.pages import site
from affectcheck.server.web.refusals import add_refusals, tell
from affectcheck.server.web.shared import Shared

if TYPE_CHECKING:
    from affectcheck.server.portal import Portal


def create_app(portal: Portal) -> FastAPI:
    """The application of a portal that is open.

    Args:
        portal: its database, files, settings and clock.
    """
    app = FastAPI(
        title="affectcheck challenges",
        version=affectcheck.__version__,
        openapi_url="/api/v1/openapi.json",
        docs_url=None,  # its pages load scripts from elsewhere
        redoc_url=None,
        redirect_slashes=False,
    )
    app.state.portal = portal
    app.state.kept = Kept()
    add_refusals(app)
    for router in routers():
        app.include_router(router)
    app.router.routes.extend(site.routes())
    app.router.routes.append(Route("/static/{name}", serve_asset))
    app.add_middleware(Shared, portal=portal)
    app.add_middleware(Guard, portal=portal, tell=tell)
    return app
