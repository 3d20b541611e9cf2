"""How refusals look: a page for people, a few values for programs, never a traceback."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from affectcheck.errors import InputError
from affectcheck.server.faults import RefusedError
from affectcheck.server.web.forms import sentence_of
from affectcheck.server.web.rendering import render
from affectcheck.server.web.visits import LoginNeededError

if TYPE_CHECKING:
    from collections.abc import Mapping, MutableMapping

    from fastapi import FastAPI

_TITLES = {
    401: "Please log in",
    403: "Not for you",
    404: "There is no such page",
    405: "That does not work here",
    409: "That does not fit",
    413: "Too large",
    429: "Too often",
    500: "Our fault",
}


def tell(status: int, sentence: str, more: str, scope: MutableMapping[str, Any]) -> tuple[bytes, str]:
    """What the guard says of a request that nobody else sees."""
    if is_for_programs(scope["path"]):
        found = {"status": status, "code": f"E_HTTP_{status}", "what": sentence, "more": more}
        return json.dumps(found).encode(), "application/problem+json"
    return _page(status, sentence, more).encode(), "text/html; charset=utf-8"


def is_for_programs(path: str) -> bool:
    """Whether an address is one of the API."""
    return path.startswith("/api/")


def add_refusals(app: FastAPI) -> None:
    """Let an application tell its refusals."""
    for kind in (RefusedError, InputError):
        app.add_exception_handler(kind, _refused)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(ClientDisconnect, _gone)


async def _refused(request: Request, error: Exception) -> Response:
    status = error.status if isinstance(error, RefusedError) else 422
    code = error.code if isinstance(error, RefusedError) else "E_INPUT"
    headers = _headers_of(error)
    if is_for_programs(request.url.path):
        return JSONResponse(_problem(status, code, error), status, headers, media_type="application/problem+json")
    if isinstance(error, LoginNeededError):
        back = request.url.path if request.method == "GET" else "/"
        return RedirectResponse(f"/login?next={quote(back)}", 303)
    return HTMLResponse(_page(status, sentence_of(error), code), status, {**headers, "cache-control": "no-store"})


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    phrase = HTTPStatus(error.status_code).phrase
    if is_for_programs(request.url.path):
        found = {"status": error.status_code, "code": f"E_HTTP_{error.status_code}", "what": str(error.detail)}
        return JSONResponse(found, error.status_code, error.headers, media_type="application/problem+json")
    return HTMLResponse(_page(error.status_code, f"{phrase}.", ""), error.status_code, error.headers)


async def _gone(_request: Request, _error: Exception) -> Response:
    return Response(status_code=400)


def _headers_of(error: Exception) -> Mapping[str, str]:
    again = getattr(error, "again", None)
    return {"retry-after": f"{again:%a, %d %b %Y %H:%M:%S} GMT"} if again is not None else {}


def _problem(status: int, code: str, error: Exception) -> dict[str, object]:
    told = {name: getattr(error, name, "") for name in ("what", "where", "expected", "cause")}
    again = getattr(error, "again", None)
    return {"status": status, "code": code, **told, "again": f"{again:%Y-%m-%dT%H:%M:%SZ}" if again else None}


def _page(status: int, sentence: str, more: str) -> str:
    title = _TITLES.get(status, HTTPStatus(status).phrase)
    return render("refusal.html.j2", title=title, sentence=sentence, more=more, status=status, actor=None)
