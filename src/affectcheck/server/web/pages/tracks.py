"""A track: its rules, what a submission looks like, when it is open, and the participants' pack."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from starlette.responses import FileResponse

from affectcheck.challenges import track_names
from affectcheck.metrics import METRICS
from affectcheck.server.contests.tracks import contest_of
from affectcheck.server.faults import NotThereError
from affectcheck.server.web.formats import example_of
from affectcheck.server.web.pages.events import TrackLine
from affectcheck.server.web.pages.routing import shown

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.routing import Route

    from affectcheck.server.contests.tracks import Contest
    from affectcheck.server.web.visits import Visit

_PLAIN: Final = re.compile(r"[^A-Za-z0-9._-]+")


def routes() -> list[Route]:
    """Routes of this module."""
    return [shown("/tracks/{track}", track_page), shown("/tracks/{track}/pack", pack)]


def contest_asked(visit: Visit) -> Contest:
    """The track that an address names.

    Raises:
        NotThereError: there is none, or the visitor may not know of it.
    """
    with visit.portal.database.read() as connection:
        return contest_of(connection, visit.request.path_params["track"], visit.actor)


def track_page(visit: Visit) -> Response:
    """The rules."""
    contest = contest_asked(visit)
    metric = METRICS.get(contest.track.metric)
    line = TrackLine.of(contest, visit.portal.now())
    pack_size = visit.portal.uploads.path(contest.pack).stat().st_size if contest.pack else 0
    return visit.page(
        "track.html.j2",
        contest=contest,
        track=contest.track,
        metric=metric,
        line=line,
        example=example_of(contest.track),
        limits=visit.portal.settings.limits,
        uploads_a_day=contest.settings.uploads_a_day or visit.portal.settings.uploads_a_day,
        pack_size=pack_size,
        address=visit.portal.settings.address,
        packaged=contest.track.name in track_names(),
    )


def pack(visit: Visit) -> Response:
    """The participants' pack as a file."""
    contest = contest_asked(visit)
    if not contest.pack:
        raise NotThereError("the track has no pack", code="E_NO_PACK", expected="a pack that the organisers upload")
    return FileResponse(
        visit.portal.uploads.path(contest.pack),
        media_type="application/zip",
        filename=f"{_PLAIN.sub('-', contest.slug)}-pack.zip",
        headers={"cache-control": "private, no-cache"},
    )
