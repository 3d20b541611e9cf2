"""Who calls: the bearer of a token; each route says what it needs, and one that says nothing does not come into being."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Final

from fastapi import Depends
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.requests import Request

from affectcheck.server.accounts.actors import VISITOR, Actor, Right, require
from affectcheck.server.accounts.throttle import network_of
from affectcheck.server.accounts.tokens import actor_of_token
from affectcheck.server.faults import UnknownLoginError
from affectcheck.server.portal import Portal

_BEARER: Final = HTTPBearer(
    auto_error=False, scheme_name="token", description="A token that begins with `afc_`, made on the page of tokens."
)
#: For ``openapi_extra`` of routes that visitors may call too.
OPEN: Final[dict[str, Any]] = {"security": [{}]}


async def portal_of(request: Request) -> Portal:
    """The portal that is asked; on the loop, since a thread for it would take longer than it does."""
    portal: Portal = request.app.state.portal
    return portal


ThePortal = Annotated[Portal, Depends(portal_of)]
Credentials = Annotated[HTTPAuthorizationCredentials | None, Depends(_BEARER)]


def anyone(request: Request, portal: ThePortal, credentials: Credentials) -> Actor:
    """Whoever calls; a token that is sent must hold, lest somebody believes to be logged in."""
    stated = request.headers.get("authorization", "").strip()
    if not stated:
        return VISITOR
    if credentials is None:
        raise UnknownLoginError("a login of another kind", code="E_TOKEN", expected="Authorization: Bearer afc_…")
    return actor_of_token(portal, credentials.credentials)


Anyone = Annotated[Actor, Depends(anyone)]


def _needs(right: Right) -> Callable[[Actor], Awaitable[Actor]]:
    async def needed(actor: Anyone) -> Actor:
        require(actor, right)
        return actor

    needed.__name__ = f"needs_{right}"
    return needed


needs_read: Final = _needs("read")
needs_submit: Final = _needs("submit")
needs_organise: Final = _needs("organise")
Reader = Annotated[Actor, Depends(needs_read)]
Submitter = Annotated[Actor, Depends(needs_submit)]
Organiser = Annotated[Actor, Depends(needs_organise)]


def address_of(request: Request) -> str:
    """Where a request comes from, for limits of attempts."""
    return network_of(request.client.host) if request.client else "-"
