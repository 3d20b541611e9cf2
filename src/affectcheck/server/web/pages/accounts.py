"""Registering, logging in and out, and passwords."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from affectcheck.errors import InputError
from affectcheck.server.accounts import people
from affectcheck.server.accounts.first_run import make_organiser
from affectcheck.server.accounts.throttle import hit
from affectcheck.server.web import sessions
from affectcheck.server.web.forms import Form
from affectcheck.server.web.pages.routing import sent, shown

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.routing import Route

    from affectcheck.server.web.visits import Visit

#: Accounts that are made from one address within an hour: a course of students behind one router fits.
REGISTRATIONS: Final = 60
_HOUR: Final = timedelta(hours=1)
_FIELDS: Final = {
    "E_EMAIL": "email",
    "E_EMAIL_TAKEN": "email",
    "E_NAME": "name",
    "E_PASSWORD": "password",
    "E_CODE": "code",
}


def routes() -> list[Route]:
    """Routes of this module."""
    return [
        shown("/register", register_page),
        sent("/register", register),
        shown("/login", login_page),
        sent("/login", login),
        sent("/logout", logout),
        shown("/forgot", forgot_page),
        sent("/forgot", forgot),
        shown("/reset", reset_page),
        sent("/reset", reset),
        shown("/organiser", organiser_page),
        sent("/organiser", become_organiser),
    ]


def register_page(visit: Visit) -> Response:
    """The form of a new account."""
    return visit.page("register.html.j2", form=_aimed(visit))


def register(visit: Visit) -> Response:
    """Make an account, and log in."""
    form = visit.form()
    form.needs("email", "name", "password")
    if not form.faults:
        try:
            hit(visit.portal, f"register {visit.address}", limit=REGISTRATIONS, window=_HOUR)
            people.register(visit.portal, form.text("email"), form.text("name"), form.raw("password"))
            return _log_in(visit, form)
        except InputError as error:
            form.refuse(error, _FIELDS)
    return visit.page("register.html.j2", form=form)


def login_page(visit: Visit) -> Response:
    """The form of a login."""
    return visit.page("login.html.j2", form=_aimed(visit))


def login(visit: Visit) -> Response:
    """Log in."""
    form = visit.form()
    form.needs("email", "password")
    if not form.faults:
        try:
            return _log_in(visit, form)
        except InputError as error:
            form.refuse(error)
    return visit.page("login.html.j2", form=form)


def logout(visit: Visit) -> Response:
    """End the login."""
    visit.form()
    people.sign_out(visit.portal, sessions.login_of(visit.request, visit.portal.settings))
    response = visit.go("/", "bye")
    sessions.forget_login(response, visit.portal.settings)
    return response


def forgot_page(visit: Visit) -> Response:
    """The form to ask for a new password."""
    return visit.page("forgot.html.j2")


def forgot(visit: Visit) -> Response:
    """Send a letter, where there is an account."""
    form = visit.form()
    form.needs("email")
    if not form.faults:
        try:
            people.ask_reset(visit.portal, form.text("email"), address=visit.address)
            return visit.go("/login", "letter")
        except InputError as error:
            form.refuse(error, _FIELDS)
    return visit.page("forgot.html.j2", form=form)


def reset_page(visit: Visit) -> Response:
    """The form of a new password, to which a letter leads."""
    return visit.page("reset.html.j2", form=Form({"code": visit.request.query_params.get("code", "")}))


def reset(visit: Visit) -> Response:
    """Set a new password."""
    form = visit.form()
    form.needs("code", "password")
    if not form.faults:
        try:
            people.reset(visit.portal, form.text("code"), form.raw("password"))
            return visit.go("/login", "password")
        except InputError as error:
            form.refuse(error, _FIELDS)
    return visit.page("reset.html.j2", form=form)


def organiser_page(visit: Visit) -> Response:
    """The form of the first organiser, or of one who is invited."""
    return visit.page("organiser.html.j2", form=Form({"code": visit.request.query_params.get("code", "")}))


def become_organiser(visit: Visit) -> Response:
    """Make an organiser by a code."""
    form = visit.form()
    form.needs("code", "email", "name", "password")
    if not form.faults:
        try:
            hit(visit.portal, f"organiser {visit.address}", limit=REGISTRATIONS, window=_HOUR)
            make_organiser(visit.portal, form.text("code"), form.text("email"), form.text("name"), form.raw("password"))
            return _log_in(visit, form)
        except InputError as error:
            form.refuse(error, _FIELDS)
    return visit.page("organiser.html.j2", form=form)


def _log_in(visit: Visit, form: Form) -> Response:
    before = sessions.login_of(visit.request, visit.portal.settings)
    signed = people.sign_in(
        visit.portal, form.text("email"), form.raw("password"), address=visit.address, before=before
    )
    back = form.text("next")
    response = visit.go(back if _is_ours(back) else "/", "welcome")
    sessions.set_login(response, signed.secret, visit.portal.settings)
    return response


def _aimed(visit: Visit) -> Form:
    """An empty form that leads back to where one came from."""
    back = visit.request.query_params.get("next", "")
    return Form({"next": back} if _is_ours(back) else {})


def _is_ours(path: str) -> bool:
    """Whether a path stays within the portal, which one that begins with two strokes does not."""
    return path.startswith("/") and not path.startswith(("//", "/\\")) and "\n" not in path and "?" not in path
