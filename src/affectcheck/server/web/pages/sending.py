"""A submission is sent: the declaration, the file, and the receipt."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

import sqlalchemy as sa

from affectcheck.challenges import DeclarationError, next_change, open_phase
from affectcheck.errors import InputError
from affectcheck.server.accounts.teams import team_of
from affectcheck.server.contests.tracks import contest_of
from affectcheck.server.ledger.intake import receive
from affectcheck.server.ledger.rows import taken_slots
from affectcheck.server.storage.tables import submission
from affectcheck.server.web.forms import CODE, Form, stale_form
from affectcheck.server.web.pages.routing import shown, uploaded
from affectcheck.server.web.sessions import form_code_fits
from affectcheck.server.web.uploads import Upload

if TYPE_CHECKING:
    from datetime import datetime

    from starlette.responses import Response
    from starlette.routing import Route

    from affectcheck.challenges import Change
    from affectcheck.challenges.track_parts import Phase
    from affectcheck.server.accounts.teams import Team
    from affectcheck.server.contests.tracks import Contest
    from affectcheck.server.web.visits import Visit

_DAY: Final = timedelta(hours=24)
#: Fields of a declaration on the form; ``affiliation`` is the team's.
FIELDS: Final = ("method", "link", "pretraining", "uni_task", "other_data", "text")


@dataclass(frozen=True)
class Room:
    """What a team may still send.

    Attributes:
        team: whose; None where the person is in none.
        used: slots that its submissions hold.
        today: uploads of the last 24 hours.
        uploads: that are allowed in them.
        open: the phase that is open; None where none is.
        change: what happens next.
    """

    team: Team | None
    used: tuple[int, ...]
    today: int
    uploads: int
    open: Phase | None
    change: Change | None

    @classmethod
    def of(cls, connection: sa.Connection, visit: Visit, contest: Contest, now: datetime) -> Room:
        """The room of somebody's team at a moment."""
        team = team_of(connection, contest.event_id, visit.actor.id)
        most = contest.settings.uploads_a_day or visit.portal.settings.uploads_a_day
        phase = None if contest.archived else open_phase(contest.track, now)
        used: tuple[int, ...] = ()
        today = 0
        if team is not None:
            used = taken_slots(connection, team.id, contest.id)
            mine = (submission.c.contest == contest.id) & (submission.c.team == team.id)
            recent = sa.select(sa.func.count()).where(mine, submission.c.received > now - _DAY)
            today = connection.execute(recent).scalar_one()
        return cls(team, used, today, most, phase, next_change(contest.track, now))


def routes() -> list[Route]:
    """Routes of this module."""
    return [shown("/tracks/{track}/submit", submit_page), uploaded("/tracks/{track}/submit", submit)]


def submit_page(visit: Visit) -> Response:
    """The form, and what the team may still send."""
    return _page(visit, Form())


def submit(visit: Visit) -> Response:
    """Take a file; its page tells what becomes of it."""
    began, actor = visit.portal.now(), visit.needs("submit")
    upload = Upload(visit.request)
    upload.read_fields()
    form = Form(upload.fields)
    if not form_code_fits(visit.request, visit.portal, form.raw(CODE)):
        raise stale_form()
    if not upload.file_name:
        form.faults["file"] = "Choose a file."
        return _page(visit, form)
    try:
        receipt = receive(
            visit.portal,
            actor,
            visit.request.path_params["track"],
            file_name=upload.file_name,
            blocks=upload.blocks(),
            declaration={name: form.values[name] for name in FIELDS if name in form.values},
            began=began,
        )
    except DeclarationError as error:
        form.faults.update({name: f"{fault[:1].upper()}{fault[1:]}." for name, fault in error.faults.items()})
        return _page(visit, form)
    except InputError as error:
        form.refuse(error, {"E_TOO_LARGE": "file", "E_EMPTY": "file"})
        return _page(visit, form)
    done = "there" if receipt.already else "kept-late" if receipt.state == "late" else "sent"
    return visit.go(f"/submissions/{receipt.id}", done)


def _page(visit: Visit, form: Form) -> Response:
    actor, now = visit.needs("submit"), visit.portal.now()
    with visit.portal.database.read() as connection:
        contest = contest_of(connection, visit.request.path_params["track"], actor)
        room = Room.of(connection, visit, contest, now)
    most = visit.portal.settings.limits.upload
    return visit.page("submit.html.j2", form=form, contest=contest, track=contest.track, room=room, most=most)


def receipt_text(values: dict[str, object]) -> str:
    """A receipt as a file: what the portal signs, and how to tell that it is of one's own bytes."""
    return json.dumps(values, indent=2, ensure_ascii=False) + "\n"
