"""Who is asking: cookies of logins, and codes that forms carry so that no other site can send them."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import TYPE_CHECKING, Final

from affectcheck.server.accounts.actors import VISITOR
from affectcheck.server.accounts.people import actor_of_session

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from affectcheck.server.accounts.actors import Actor
    from affectcheck.server.portal import Portal
    from affectcheck.server.settings import Settings

_LOGIN: Final = "affectcheck-login"
#: Of browsers that are not logged in, for their forms.
_BROWSER: Final = "affectcheck-browser"
_LONGEST: Final = 200


def cookie_name(name: str, settings: Settings) -> str:
    """Under https names begin with ``__Host-``, so that no neighbouring host can set them."""
    return f"__Host-{name}" if settings.https else name


def login_of(request: Request, settings: Settings) -> str:
    """The secret of the login; empty without one."""
    return _cookie(request, _LOGIN, settings)


def actor_of(request: Request, portal: Portal) -> Actor:
    """Who asks by a browser."""
    secret = login_of(request, portal.settings)
    return actor_of_session(portal, secret) if secret else VISITOR


def set_login(response: Response, secret: str, settings: Settings) -> None:
    """Keep a login in the browser."""
    _set(response, _LOGIN, secret, settings, settings.session_hours * 3600)


def forget_login(response: Response, settings: Settings) -> None:
    """Take it away."""
    _set(response, _LOGIN, "", settings, 0)


def browser_of(request: Request, settings: Settings) -> str:
    """The mark of a browser; made where it has none."""
    return _cookie(request, _BROWSER, settings) or secrets.token_urlsafe(24)


def keep_browser(request: Request, response: Response, mark: str, settings: Settings) -> None:
    """Give a browser its mark, unless it has it."""
    if _cookie(request, _BROWSER, settings) != mark:
        _set(response, _BROWSER, mark, settings, None)


def form_code(portal: Portal, login: str, browser: str) -> str:
    """What every form carries: bound to the login, or before it to the browser."""
    bound = f"form\0login\0{login}" if login else f"form\0browser\0{browser}"
    return hmac.new(portal.settings.secret.encode(), bound.encode(), hashlib.sha256).hexdigest()


def form_code_fits(request: Request, portal: Portal, code: str) -> bool:
    """Whether a form was made for this browser."""
    login, browser = login_of(request, portal.settings), _cookie(request, _BROWSER, portal.settings)
    if not (login or browser):
        return False
    return hmac.compare_digest(form_code(portal, login, browser).encode(), code.encode())


def _cookie(request: Request, name: str, settings: Settings) -> str:
    value = request.cookies.get(cookie_name(name, settings), "")
    return value if len(value) <= _LONGEST else ""


def _set(response: Response, name: str, value: str, settings: Settings, seconds: int | None) -> None:
    response.set_cookie(
        cookie_name(name, settings),
        value,
        max_age=seconds,
        path="/",
        secure=settings.https,
        httponly=True,
        samesite="lax",
    )
