"""Teams of an event: all of them, names that look alike, and merging two."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affectcheck.challenges.public_names import confusable_key
from affectcheck.errors import InputError
from affectcheck.server.accounts import teams
from affectcheck.server.contests.events import event_of
from affectcheck.server.web.forms import Form
from affectcheck.server.web.pages.routing import sent, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.responses import Response
    from starlette.routing import Route

    from affectcheck.server.accounts.teams import Team
    from affectcheck.server.web.visits import Visit


def routes() -> list[Route]:
    """Routes of this module."""
    return [
        shown("/organise/events/{event}/teams", teams_page),
        sent("/organise/events/{event}/teams/merge", merge),
    ]


def teams_page(visit: Visit) -> Response:
    """All teams."""
    return _page(visit, Form())


def merge(visit: Visit) -> Response:
    """Merge one team into another, if their submissions fit."""
    form, slug = visit.form(), visit.request.path_params["event"]
    form.needs("into", "from")
    if form.text("into") == form.text("from") and not form.faults:
        form.faults["from"] = "Choose another team than the first."
    if not form.flag("sure"):
        form.faults["sure"] = "Tick this to merge; it cannot be undone."
    if not form.faults:
        try:
            teams.merge_teams(visit.portal, visit.needs("organise"), slug, form.text("into"), form.text("from"))
            return visit.go(f"/organise/events/{slug}/teams", "merged")
        except InputError as error:
            form.refuse(error)
    return _page(visit, form)


def alike(found: Sequence[Team]) -> list[tuple[str, str]]:
    """Pairs of teams of which one name begins as another is read, such as ``Alpha`` and ``A1pha 2``."""
    keys = sorted((confusable_key(team.name), team.name) for team in found)
    return [
        (name, other)
        for at, (key, name) in enumerate(keys)
        for other_key, other in keys[at + 1 :]
        if other_key.startswith(key) and len(key) > 2
    ]


def _page(visit: Visit, form: Form) -> Response:
    actor = visit.needs("organise")
    with visit.portal.database.read() as connection:
        event = event_of(connection, visit.request.path_params["event"], actor)
        found = teams.teams_of_event(connection, event.id)
    return visit.page("organising/teams.html.j2", form=form, event=event, teams=found, alike=alike(found))
