"""Leaderboards: the page, and the same as JSON, CSV and LaTeX."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from affectcheck.challenges import next_change
from affectcheck.server.accounts.actors import VISITOR
from affectcheck.server.accounts.teams import team_of
from affectcheck.server.boards.board import board_of
from affectcheck.server.boards.export import board_csv, board_json, board_latex
from affectcheck.server.contests.tracks import contest_of
from affectcheck.server.web import sessions
from affectcheck.server.web.drawings.board import BoardDrawing
from affectcheck.server.web.drawings.plane import planes_of
from affectcheck.server.web.kept import Kept, Page, public_version
from affectcheck.server.web.pages.routing import hot
from affectcheck.server.web.rendering import render

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    import sqlalchemy as sa
    from markupsafe import Markup
    from starlette.responses import Response
    from starlette.routing import Route

    from affectcheck.server.accounts.actors import Actor
    from affectcheck.server.boards.view import BoardView
    from affectcheck.server.contests.tracks import Contest
    from affectcheck.server.web.visits import Visit

_FILES: Final[Mapping[str, tuple[Callable[[BoardView], str], str]]] = {
    "json": (board_json, "application/json"),
    "csv": (board_csv, "text/csv; charset=utf-8"),
    "tex": (board_latex, "application/x-latex; charset=utf-8"),
}
_HTML: Final = "text/html; charset=utf-8"


def routes() -> list[Route]:
    """Routes of this module."""
    return [
        hot("/tracks/{track}/board", board_page),
        *(hot(f"/tracks/{{track}}/board.{kind}", _file(kind)) for kind in _FILES),
    ]


def board_page(visit: Visit) -> Response:
    """The board; the same bytes for all visitors, until something of it changes."""
    if not sessions.login_of(visit.request, visit.portal.settings):
        slug = visit.request.path_params["track"]
        version = public_version(visit.portal, slug)
        if version is not None:
            kept: Kept = visit.request.app.state.kept
            page = kept.page(("page", slug), version, visit.portal.now(), lambda: _whole(visit, VISITOR))
            return page.answer(visit.request, public=True)
    part, contest = _part(visit)
    return visit.page("board.html.j2", part=part, contest=contest)


def _whole(visit: Visit, actor: Actor) -> Page:
    """The page of a visitor, who has no form on it."""
    view, contest, until = _view(visit, actor)
    text = render(
        "board.html.j2",
        actor=actor,
        now=visit.portal.now(),
        form_code="",
        notice="",
        here=visit.request.url.path,
        contest=contest,
        part=_drawn(view),
    )
    return Page.of(text, _HTML, until)


def _part(visit: Visit) -> tuple[Markup, Contest]:
    """The drawn board of somebody who is logged in, kept for all of the team."""
    with visit.portal.database.read() as connection:
        contest = contest_of(connection, visit.request.path_params["track"], visit.actor)
        who = _who(connection, contest, visit.actor)
    kept: Kept = visit.request.app.state.kept

    def make() -> Page:
        view, _, until = _view(visit, visit.actor)
        return Page.of(_drawn(view), _HTML, until)

    page = kept.page(("part", contest.slug, who), (contest.version,), visit.portal.now(), make)
    return _markup(page.body.decode()), contest


def _who(connection: sa.Connection, contest: Contest, actor: Actor) -> str:
    """What tells apart whose boards differ: organisers see more, and each team is shown which row is its own."""
    mine = team_of(connection, contest.event_id, actor.id) if actor.known else None
    return f"{'organiser' if actor.organises else 'everyone'} {mine.id if mine else ''}"


def _drawn(view: BoardView) -> Markup:
    return _markup(render("board_part.html.j2", view=view, drawing=BoardDrawing(view), planes=planes_of(view)))


def _markup(text: str) -> Markup:
    from markupsafe import Markup  # noqa: PLC0415  # comes with jinja2

    return Markup(text)  # noqa: S704  # of our own template, in which every text is escaped


def _view(visit: Visit, actor: Actor) -> tuple[BoardView, Contest, datetime | None]:
    now = visit.portal.now()
    with visit.portal.database.read() as connection:
        contest = contest_of(connection, visit.request.path_params["track"], actor)
        view = board_of(connection, contest, actor, now)
    change = next_change(contest.track, now)
    return view, contest, change.at if change else None


def _file(kind: str) -> Callable[[Visit], Response]:
    write, media = _FILES[kind]

    def answer(visit: Visit) -> Response:
        with visit.portal.database.read() as connection:
            contest = contest_of(connection, visit.request.path_params["track"], visit.actor)
            who = _who(connection, contest, visit.actor)
        kept: Kept = visit.request.app.state.kept

        def make() -> Page:
            view, _, until = _view(visit, visit.actor)
            return Page.of(write(view), media, until)  # type: ignore[arg-type,unused-ignore]

        page = kept.page((kind, contest.slug, who), (contest.version,), visit.portal.now(), make)
        response = page.answer(visit.request, public=not visit.actor.known)
        response.headers["content-disposition"] = f'inline; filename="{contest.slug}-board.{kind}"'
        return response

    answer.__name__ = f"board_{kind}"
    return answer
