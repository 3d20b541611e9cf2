"""A visit of a page: who comes, what the page is made of, and the answer."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import quote

from starlette.responses import HTMLResponse, RedirectResponse, Response

from affectcheck.server.accounts.actors import require
from affectcheck.server.accounts.throttle import network_of
from affectcheck.server.faults import UnknownLoginError
from affectcheck.server.web import sessions
from affectcheck.server.web.forms import Form, read_form
from affectcheck.server.web.rendering import NOTICES, render

if TYPE_CHECKING:
    from starlette.requests import Request

    from affectcheck.server.accounts.actors import Actor
    from affectcheck.server.portal import Portal


class LoginNeededError(UnknownLoginError):
    """A page for people that are logged in; visitors are led to the login and back."""


@dataclass(frozen=True, eq=False)
class Visit:
    """One request of a browser."""

    request: Request
    portal: Portal

    @classmethod
    def of(cls, request: Request) -> Visit:
        """The visit that a request is."""
        return cls(request, request.app.state.portal)

    @cached_property
    def actor(self) -> Actor:
        """Who comes."""
        return sessions.actor_of(self.request, self.portal)

    @cached_property
    def browser(self) -> str:
        """The mark of the browser, by which forms before a login are bound."""
        return sessions.browser_of(self.request, self.portal.settings)

    @property
    def address(self) -> str:
        """Where the visit comes from, for limits of attempts."""
        client = self.request.client
        return network_of(client.host) if client else "-"

    def needs(self, right: str) -> Actor:
        """The actor, if it may do that.

        Raises:
            LoginNeededError: nobody is logged in.
            ForbiddenError: the person may not.
        """
        if self.actor.role == "visitor":
            raise LoginNeededError("nobody is logged in", code="E_LOGIN")
        require(self.actor, right)  # type: ignore[arg-type,unused-ignore]  # one of the words that it takes
        return self.actor

    def form(self) -> Form:
        """What was sent, if it was made for this browser."""
        return read_form(self.request, self.portal)

    def page(self, template: str, *, status: int = 200, **values: object) -> Response:
        """A page; one with a form that is at fault has the status 422."""
        form = values.setdefault("form", Form())
        if status == 200 and isinstance(form, Form) and form.faults:
            status = 422
        response = HTMLResponse(self.markup(template, **values), status, {"cache-control": "no-store"})
        if self.actor.role == "visitor":
            sessions.keep_browser(self.request, response, self.browser, self.portal.settings)
        return response

    def markup(self, template: str, **values: object) -> str:
        """The text of a page."""
        # That of a login that has ended too: the browser sends its cookie on, and with it the form.
        login = sessions.login_of(self.request, self.portal.settings)
        return render(
            template,
            **{
                "actor": self.actor,
                "now": self.portal.now(),
                "form_code": sessions.form_code(self.portal, login, self.browser),
                "notice": NOTICES.get(self.request.query_params.get("done", ""), ""),
                "here": self.request.url.path,
                **values,
            },
        )

    def go(self, path: str, done: str = "") -> Response:
        """Lead on to a page, which says what was done."""
        return RedirectResponse(f"{path}?done={quote(done)}" if done else path, 303)
