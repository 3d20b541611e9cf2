"""Submissions of a team: what becomes of each, which one counts, and withdrawing one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import HTMLResponse, Response

from affectcheck.challenges import RUNNING, events_of, told
from affectcheck.errors import InputError
from affectcheck.server.contests.contest import contest_by_id
from affectcheck.server.contests.tracks import contest_of
from affectcheck.server.ledger import choosing
from affectcheck.server.ledger.entries import submission_of, submissions_of
from affectcheck.server.ledger.intake import receipt_of
from affectcheck.server.ledger.rows import submission_row
from affectcheck.server.web.forms import Form
from affectcheck.server.web.pages.routing import sent, shown
from affectcheck.server.web.pages.sending import Room, receipt_text
from affectcheck.server.web.rendering import render

if TYPE_CHECKING:
    from starlette.routing import Route

    from affectcheck.server.ledger.entries import Submission
    from affectcheck.server.web.visits import Visit


def routes() -> list[Route]:
    """Routes of this module."""
    return [
        shown("/tracks/{track}/submissions", list_page),
        shown("/submissions/{id}", submission_page),
        shown("/submissions/{id}/state", state_part),
        shown("/submissions/{id}/receipt", receipt),
        sent("/submissions/{id}/choose", choose),
        shown("/submissions/{id}/withdraw", withdraw_page),
        sent("/submissions/{id}/withdraw", withdraw),
    ]


def list_page(visit: Visit) -> Response:
    """Submissions of one's team to a track."""
    actor, now = visit.needs("read"), visit.portal.now()
    with visit.portal.database.read() as connection:
        contest = contest_of(connection, visit.request.path_params["track"], actor)
        room = Room.of(connection, visit, contest, now)
        found = submissions_of(connection, contest, room.team.id, actor, now=now) if room.team else ()
    return visit.page("submissions.html.j2", contest=contest, track=contest.track, room=room, submissions=found)


def submission_page(visit: Visit) -> Response:
    """One submission."""
    return _page(visit, Form())


def state_part(visit: Visit) -> Response:
    """The state alone, which the page asks for while something is being done."""
    visit.needs("read")
    found = _asked(visit)
    text = render("submission_state.html.j2", one=found, running=found.state in RUNNING)
    return HTMLResponse(text, headers={"cache-control": "no-store"})


def receipt(visit: Visit) -> Response:
    """The receipt as a file."""
    actor = visit.needs("read")
    with visit.portal.database.read() as connection:
        found = submission_of(connection, visit.request.path_params["id"], actor)
        made = receipt_of(visit.portal, submission_row(connection, found.id))
    values = {
        "portal": visit.portal.settings.address,
        "submission": made.id,
        "track": found.track_title,
        "team": found.team_name,
        "file": found.file_name,
        "sha256": made.digest,
        "bytes": made.size,
        "received": made.received.isoformat(),
        "signature": made.signature,
    }
    headers = {"content-disposition": f'attachment; filename="receipt-{made.id}.json"', "cache-control": "no-store"}
    return Response(receipt_text(values), headers=headers, media_type="application/json")


def choose(visit: Visit) -> Response:
    """Let a submission count for the team."""
    form, key = visit.form(), visit.request.path_params["id"]
    try:
        choosing.choose(visit.portal, visit.needs("submit"), key)
        return visit.go(f"/submissions/{key}", "chosen")
    except InputError as error:
        form.refuse(error)
    return _page(visit, form)


def withdraw_page(visit: Visit) -> Response:
    """Ask whether it is meant."""
    return _page(visit, Form(), withdrawing=True)


def withdraw(visit: Visit) -> Response:
    """Withdraw a submission."""
    form, key = visit.form(), visit.request.path_params["id"]
    if not form.flag("sure"):
        form.faults["sure"] = "Tick this to withdraw."
        return _page(visit, form, withdrawing=True)
    try:
        choosing.withdraw(visit.portal, visit.needs("submit"), key, form.text("reason"))
        return visit.go(f"/submissions/{key}", "withdrawn")
    except InputError as error:
        form.refuse(error)
    return _page(visit, form, withdrawing=True)


def _asked(visit: Visit) -> Submission:
    with visit.portal.database.read() as connection:
        key = visit.request.path_params["id"]
        return submission_of(connection, key, visit.needs("read"), now=visit.portal.now())


def _page(visit: Visit, form: Form, *, withdrawing: bool = False) -> Response:
    found = _asked(visit)
    with visit.portal.database.read() as connection:
        contest = contest_by_id(connection, found.contest, visit.actor)
    may = {
        "withdraw": found.mine and "withdraw" in events_of(found.state, "team"),  # type: ignore[arg-type]
        "choose": found.mine
        and contest.settings.counting == "chosen"
        and found.state in {*RUNNING, "scored"}
        and not found.chosen,
    }
    return visit.page(
        "submission.html.j2",
        form=form,
        one=found,
        contest=contest,
        may=may,
        running=found.state in RUNNING,
        withdrawing=withdrawing,
        received=told(found.received),
    )
