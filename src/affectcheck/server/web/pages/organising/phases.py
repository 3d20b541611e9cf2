"""Phases of a track: opened, closed, moved with a reason."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Final

from affectcheck.challenges import moment_of
from affectcheck.challenges.track_parts import Phase
from affectcheck.errors import InputError
from affectcheck.server.contests import tracks
from affectcheck.server.contests.tracks import contest_of
from affectcheck.server.web.pages.organising.tracks import page_of
from affectcheck.server.web.pages.routing import sent

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.routing import Route

    from affectcheck.server.web.forms import Form
    from affectcheck.server.web.visits import Visit

#: One more than a track has, so that one can be added.
_MOST: Final = 20


def routes() -> list[Route]:
    """Routes of this module."""
    return [
        sent("/organise/tracks/{track}/phases", edit),
        sent("/organise/tracks/{track}/phases/open", open_now),
        sent("/organise/tracks/{track}/phases/close", close_now),
    ]


def open_now(visit: Visit) -> Response:
    """Open a phase now."""
    form, slug = visit.form(), visit.request.path_params["track"]
    form.needs("reason")
    if not form.faults:
        try:
            tracks.open_phase(visit.portal, visit.needs("organise"), slug, form.text("phase"), form.text("reason"))
            return visit.go(f"/organise/tracks/{slug}", "opened")
        except InputError as error:
            form.refuse(error)
    return page_of(visit, form)


def close_now(visit: Visit) -> Response:
    """Close a phase now."""
    form, slug = visit.form(), visit.request.path_params["track"]
    form.needs("reason")
    if not form.faults:
        try:
            tracks.close_phase(visit.portal, visit.needs("organise"), slug, form.text("phase"), form.text("reason"))
            return visit.go(f"/organise/tracks/{slug}", "closed")
        except InputError as error:
            form.refuse(error)
    return page_of(visit, form)


def edit(visit: Visit) -> Response:
    """Move phases; an extension is told to members."""
    form, slug, actor = visit.form(), visit.request.path_params["track"], visit.needs("organise")
    with visit.portal.database.read() as connection:
        known = contest_of(connection, slug, actor).track.phases
    phases = _phases(form, known)
    if not form.faults:
        try:
            tracks.edit_phases(visit.portal, actor, slug, phases, form.text("move_reason"))
            return visit.go(f"/organise/tracks/{slug}", "moved")
        except InputError as error:
            form.refuse(error, {"E_TEXT": "move_reason"})
    return page_of(visit, form)


def _phases(form: Form, known: tuple[Phase, ...]) -> tuple[Phase, ...]:
    """The phases that the form states; a row without a name is none. What the form does not say stays as it was."""
    found = []
    for place in range(_MOST):
        name = form.text(f"phase_name_{place}")
        if not name:
            continue
        before = known[place] if place < len(known) else Phase(name=name)
        opens, closes = (_moment(form, f"phase_{end}_{place}") for end in ("opens", "closes"))
        hidden = form.flag(f"phase_hidden_{place}")
        values = {
            "name": name,
            "split": form.text(f"phase_split_{place}") or before.split,
            "opens": opens,
            "closes": closes,
            "board": "hidden" if hidden else "public",
        }
        try:
            found.append(Phase(**values))  # type: ignore[arg-type]  # judged by the model
        except ValueError as error:
            form.faults[f"phase_closes_{place}"] = str(error).splitlines()[-2 if "\n" in str(error) else 0].strip()
    return tuple(found)


def _moment(form: Form, name: str) -> datetime | None:
    """A moment as ``2027-03-14 23:59:59``, in the zone of the form or with its own."""
    text = form.text(name)
    if not text:
        return None
    try:
        found = datetime.fromisoformat(text)
        return found if found.tzinfo else moment_of(found, form.text("zone") or "UTC")
    except InputError as error:
        form.refuse(error, otherwise=name)
    except ValueError:
        form.faults[name] = f"A time such as 2027-03-14 23:59:59 is expected, not {text[:30]!r}."
    return None
