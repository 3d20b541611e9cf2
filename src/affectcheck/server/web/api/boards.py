"""Boards as JSON, CSV and LaTeX."""

from typing import Any

from starlette.responses import PlainTextResponse, Response

from affectcheck.server.accounts.actors import Actor
from affectcheck.server.boards.kept import kept_boards
from affectcheck.server.boards.view import BoardView
from affectcheck.server.boards.written import board_csv, board_json, board_latex
from affectcheck.server.contests.tracks import contest_of
from affectcheck.server.portal import Portal
from affectcheck.server.web.api.forms import Slug
from affectcheck.server.web.api.routing import router
from affectcheck.server.web.api.who import OPEN, Anyone, ThePortal

ROUTES = router("boards")


def _text(media: str) -> dict[int | str, dict[str, Any]]:
    return {200: {"description": "The board.", "content": {media: {"schema": {"type": "string"}}}}}


_JSON: dict[int | str, dict[str, Any]] = {
    200: {"description": "The board.", "content": {"application/json": {"schema": {"type": "object"}}}}
}


@ROUTES.get("/tracks/{track}/board", openapi_extra=OPEN, response_class=Response, responses=_JSON)
def show_board(track: Slug, actor: Anyone, portal: ThePortal) -> Response:
    """The board as one may see it; `visible` and `reason` say whether the ranking is shown."""
    return Response(board_json(_view(portal, actor, track)), media_type="application/json")


@ROUTES.get("/tracks/{track}/board.csv", openapi_extra=OPEN, response_class=Response, responses=_text("text/csv"))
def show_board_csv(track: Slug, actor: Anyone, portal: ThePortal) -> Response:
    """The board as CSV."""
    name = {"content-disposition": f'attachment; filename="{track}-board.csv"'}
    return Response(board_csv(_view(portal, actor, track)), headers=name, media_type="text/csv")


@ROUTES.get(
    "/tracks/{track}/board.tex", openapi_extra=OPEN, response_class=PlainTextResponse, responses=_text("text/plain")
)
def show_board_latex(track: Slug, actor: Anyone, portal: ThePortal) -> Response:
    """The board as a table for papers."""
    return PlainTextResponse(board_latex(_view(portal, actor, track)))


def _view(portal: Portal, actor: Actor, track: str) -> BoardView:
    with portal.database.read() as connection:
        contest = contest_of(connection, track, actor)
        return kept_boards(portal).board_of(connection, contest, actor, portal.now())
