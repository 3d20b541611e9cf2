"""All submissions to a track, and what an organiser does with one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from affectcheck.challenges import STATES, events_of
from affectcheck.errors import InputError
from affectcheck.server.contests.tracks import contest_of
from affectcheck.server.ledger import organising
from affectcheck.server.ledger.entries import all_submissions, submission_of
from affectcheck.server.web.forms import Form
from affectcheck.server.web.pages.routing import sent, shown

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.routing import Route

    from affectcheck.server.web.visits import Visit


def routes() -> list[Route]:
    """Routes of this module."""
    return [
        shown("/organise/tracks/{track}/submissions", list_page),
        shown("/organise/submissions/{id}", one_page),
        sent("/organise/submissions/{id}/disqualify", disqualify),
        sent("/organise/submissions/{id}/{verb}", act),
    ]


def list_page(visit: Visit) -> Response:
    """Submissions of all teams, filtered by state, team and flags."""
    actor, asked = visit.needs("organise"), visit.request.query_params
    state = asked.get("state", "") if asked.get("state", "") in STATES else ""
    with visit.portal.database.read() as connection:
        contest = contest_of(connection, visit.request.path_params["track"], actor)
        found = all_submissions(connection, contest, actor, state=state, now=visit.portal.now())
    teams = sorted({one.team_name for one in found})
    team = asked.get("team", "")
    kept = [one for one in found if not team or one.team_name == team]
    if asked.get("flagged"):
        kept = [one for one in kept if flags_of(one)]
    return visit.page(
        "organising/submissions.html.j2",
        contest=contest,
        submissions=kept,
        teams=teams,
        states=STATES,
        filters={"state": state, "team": team, "flagged": asked.get("flagged", "")},
        flags_of=flags_of,
    )


def one_page(visit: Visit) -> Response:
    """One submission, and what can be done with it."""
    return _page(visit, Form())


def disqualify(visit: Visit) -> Response:
    """Take it off the board, with a reason that its team is told."""
    form, key = visit.form(), visit.request.path_params["id"]
    form.needs("reason")
    if not form.faults:
        try:
            organising.disqualify(
                visit.portal, visit.needs("organise"), key, form.text("reason"), free_slot=form.flag("free_slot")
            )
            return visit.go(f"/organise/submissions/{key}", "disqualified")
        except InputError as error:
            form.refuse(error, {"E_REASON": "reason"})
    return _page(visit, form)


def act(visit: Visit) -> Response:
    """Reinstate, accept a late one, or check a failed one again."""
    form, key, actor = visit.form(), visit.request.path_params["id"], visit.needs("organise")
    verbs = {
        "reinstate": (organising.reinstate, "reinstated"),
        "accept": (organising.accept_late, "accepted"),
        "reopen": (organising.rerun, "again"),
    }
    known = verbs.get(visit.request.path_params["verb"])
    if known is None:
        form.faults[""] = "There is no such action."
        return _page(visit, form)
    try:
        known[0](visit.portal, actor, key)
        return visit.go(f"/organise/submissions/{key}", known[1])
    except InputError as error:
        form.refuse(error)
    return _page(visit, form)


def flags_of(one: Any) -> list[Any]:
    """What should be looked at: flags of the score, and notes of the declaration."""
    scored = one.score.result.flags if one.score and one.score.result else ()
    checked = one.facts.get("flags", ())
    found = (
        *(flag.text for flag in scored),
        *(flag.get("text", flag) if isinstance(flag, dict) else flag for flag in checked),
    )
    return list(dict.fromkeys(found))


def _page(visit: Visit, form: Form) -> Response:
    actor = visit.needs("organise")
    with visit.portal.database.read() as connection:
        found = submission_of(connection, visit.request.path_params["id"], actor, now=visit.portal.now())
        contest = _contest_of(connection, found.contest, actor)
    may = events_of(found.state, "organiser")  # type: ignore[arg-type]
    return visit.page(
        "organising/submission.html.j2", form=form, one=found, contest=contest, may=may, flags=flags_of(found)
    )


def _contest_of(connection: Any, key: str, actor: Any) -> Any:
    from affectcheck.server.contests.contest import contest_by_id  # noqa: PLC0415

    return contest_by_id(connection, key, actor)
