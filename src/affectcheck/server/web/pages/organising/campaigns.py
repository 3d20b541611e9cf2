"""Scoring anew: started for other labels, looked at before it is switched, switched by typing the track's name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affectcheck.errors import InputError
from affectcheck.server.contests.labels import label_set_of
from affectcheck.server.contests.tracks import contest_of
from affectcheck.server.ledger import campaigns
from affectcheck.server.web.forms import Form
from affectcheck.server.web.pages.organising.tracks import page_of
from affectcheck.server.web.pages.routing import sent, shown

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.routing import Route

    from affectcheck.server.web.visits import Visit


def routes() -> list[Route]:
    """Routes of this module."""
    return [
        sent("/organise/tracks/{track}/campaigns", start),
        shown("/organise/campaigns/{id}", campaign_page),
        sent("/organise/campaigns/{id}/switch", switch),
        sent("/organise/campaigns/{id}/cancel", cancel),
    ]


def start(visit: Visit) -> Response:
    """Score all submissions anew."""
    form, actor, slug = visit.form(), visit.needs("organise"), visit.request.path_params["track"]
    form.needs("label_set", "campaign_reason")
    if not form.faults:
        try:
            made = campaigns.start_campaign(
                visit.portal, actor, slug, form.text("label_set"), form.text("campaign_reason")
            )
            return visit.go(f"/organise/campaigns/{made.id}", "campaign")
        except InputError as error:
            form.refuse(error, {"E_REASON": "campaign_reason", "E_LABELS": "label_set"})
    return page_of(visit, form)


def campaign_page(visit: Visit) -> Response:
    """How far it is, and what would change."""
    return _page(visit, Form())


def switch(visit: Visit) -> Response:
    """Let the board show the new scores, or the old ones again."""
    form, key = visit.form(), visit.request.path_params["id"]
    form.needs("confirm")
    if not form.faults:
        try:
            campaigns.switch(visit.portal, visit.needs("organise"), key, form.text("confirm"))
            return visit.go(f"/organise/campaigns/{key}", "switched")
        except InputError as error:
            form.refuse(error, otherwise="confirm")
    return _page(visit, form)


def cancel(visit: Visit) -> Response:
    """Give it up."""
    form, key = visit.form(), visit.request.path_params["id"]
    try:
        campaigns.cancel(visit.portal, visit.needs("organise"), key)
        return visit.go(f"/organise/campaigns/{key}", "cancelled")
    except InputError as error:
        form.refuse(error)
    return _page(visit, form)


def _page(visit: Visit, form: Form) -> Response:
    actor = visit.needs("organise")
    with visit.portal.database.read() as connection:
        found = campaigns.campaign_of(connection, visit.request.path_params["id"], actor)
        contest = contest_of(connection, found.slug, actor)
        labels = label_set_of(connection, found.label_set, actor)
        changes = campaigns.changes(connection, found) if found.state in {"ready", "switched"} else None
    return visit.page(
        "organising/campaign.html.j2", form=form, campaign=found, contest=contest, labels=labels, changes=changes
    )
