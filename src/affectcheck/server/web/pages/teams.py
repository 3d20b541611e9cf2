"""A team of an event: made, joined with a code, left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affectcheck.errors import InputError
from affectcheck.server.accounts import teams
from affectcheck.server.contests.events import event_of
from affectcheck.server.web.forms import Form
from affectcheck.server.web.pages.routing import sent, shown

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.routing import Route

    from affectcheck.server.web.visits import Visit


def routes() -> list[Route]:
    """Routes of this module."""
    return [
        shown("/events/{event}/team", team_page),
        sent("/events/{event}/team/create", create),
        sent("/events/{event}/team/join", join),
        sent("/events/{event}/team/code", new_code),
        shown("/events/{event}/team/leave", leave_page),
        sent("/events/{event}/team/leave", leave),
    ]


def team_page(visit: Visit) -> Response:
    """One's team, or how to come to one."""
    return _page(visit, Form())


def create(visit: Visit) -> Response:
    """Make a team; the code by which others join is shown this once."""
    form, actor = visit.form(), visit.needs("submit")
    form.needs("name")
    if not form.faults:
        try:
            made = teams.create_team(
                visit.portal, actor, visit.request.path_params["event"], form.text("name"), form.text("affiliation")
            )
            return _page(visit, Form(), join_code=made.join_code)
        except InputError as error:
            form.refuse(error, {"E_TEXT": "affiliation", "E_IN_TEAM": ""}, otherwise="name")
    return _page(visit, form)


def join(visit: Visit) -> Response:
    """Join a team by its code."""
    form, actor = visit.form(), visit.needs("submit")
    form.needs("join_code")
    if not form.faults:
        try:
            teams.join_team(visit.portal, actor, form.text("join_code"))
            return visit.go(f"/events/{visit.request.path_params['event']}/team", "joined")
        except InputError as error:
            form.refuse(error, otherwise="join_code")
    return _page(visit, form)


def new_code(visit: Visit) -> Response:
    """Another code; the one before no longer holds."""
    form, actor = visit.form(), visit.needs("submit")
    try:
        code = teams.new_join_code(visit.portal, actor, visit.request.path_params["event"])
        return _page(visit, Form(), join_code=code)
    except InputError as error:
        form.refuse(error)
    return _page(visit, form)


def leave_page(visit: Visit) -> Response:
    """Ask whether one wants to leave."""
    return _page(visit, Form(), leaving=True)


def leave(visit: Visit) -> Response:
    """Leave one's team."""
    form, actor = visit.form(), visit.needs("submit")
    try:
        teams.leave_team(visit.portal, actor, visit.request.path_params["event"])
        return visit.go(f"/events/{visit.request.path_params['event']}", "left")
    except InputError as error:
        form.refuse(error)
    return _page(visit, form)


def _page(visit: Visit, form: Form, *, join_code: str = "", leaving: bool = False) -> Response:
    actor = visit.needs("submit")
    with visit.portal.database.read() as connection:
        event = event_of(connection, visit.request.path_params["event"], actor)
        mine = teams.team_of(connection, event.id, actor.id)
    return visit.page("team.html.j2", form=form, event=event, team=mine, join_code=join_code, leaving=leaving)
