"""One's account: its name, the password, and tokens of programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from affectcheck.errors import InputError
from affectcheck.server.accounts import people, tokens
from affectcheck.server.accounts.actors import SCOPES
from affectcheck.server.web import sessions
from affectcheck.server.web.forms import Form
from affectcheck.server.web.pages.routing import sent, shown

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.routing import Route

    from affectcheck.server.accounts.actors import Right
    from affectcheck.server.web.visits import Visit


def routes() -> list[Route]:
    """Routes of this module."""
    return [
        shown("/account", account_page),
        sent("/account/password", change_password),
        sent("/account/tokens", make_token),
        sent("/account/tokens/{id}/revoke", revoke_token),
    ]


def account_page(visit: Visit) -> Response:
    """The account."""
    return _page(visit, Form())


def change_password(visit: Visit) -> Response:
    """Set another password; other logins end."""
    form, actor = visit.form(), visit.needs("read")
    form.needs("old_password", "password")
    if not form.faults:
        try:
            signed = people.change_password(visit.portal, actor, form.raw("old_password"), form.raw("password"))
        except InputError as error:
            form.refuse(error, {"E_LOGIN": "old_password", "E_PASSWORD": "password"})
        else:
            response = visit.go("/account", "saved")
            sessions.set_login(response, signed.secret, visit.portal.settings)
            return response
    return _page(visit, form)


def make_token(visit: Visit) -> Response:
    """Make a token and show it this once."""
    form, actor = visit.form(), visit.needs("read")
    form.needs("name")
    days = form.number("days", least=1, most=tokens.DAYS)
    if not form.faults:
        try:
            secret = tokens.make_token(
                visit.portal, actor, form.text("name"), cast("Right", form.text("scope")), days=days
            )
            return _page(visit, Form(), made=secret)
        except InputError as error:
            form.refuse(error, {"E_NAME": "name", "E_DAYS": "days", "E_SCOPE": "scope", "E_ROLE": "scope"})
    return _page(visit, form)


def revoke_token(visit: Visit) -> Response:
    """Let a token open nothing any more."""
    visit.form()
    tokens.revoke_token(visit.portal, visit.needs("read"), visit.request.path_params["id"])
    return visit.go("/account", "revoked")


def _page(visit: Visit, form: Form, made: str = "") -> Response:
    actor = visit.needs("read")
    with visit.portal.database.read() as connection:
        mine = tokens.tokens_of(connection, actor, visit.portal.now())
    scopes = [scope for scope in SCOPES if scope != "organise" or actor.organises]
    person = people.person_of(visit.portal, actor)
    return visit.page("account.html.j2", form=form, person=person, tokens=mine, scopes=scopes, made=made)
