"""A challenge that is over as a folder of static pages, which need no server, no script and nothing from elsewhere."""

from __future__ import annotations

import hashlib
import json
import shutil
from typing import TYPE_CHECKING, Any, Final

from affectcheck.annotations.toml_text import toml_text
from affectcheck.atomic import clear_write_errors
from affectcheck.challenges import plain
from affectcheck.errors import InputError
from affectcheck.server.accounts.actors import SYSTEM, VISITOR
from affectcheck.server.boards.board import board_of
from affectcheck.server.boards.export import board_csv, board_json, board_latex
from affectcheck.server.contests.settings import plain_settings
from affectcheck.server.contests.showing import ended
from affectcheck.server.contests.tracks import contest_of
from affectcheck.server.faults import ConflictError
from affectcheck.server.web.assets import assets
from affectcheck.server.web.drawings.board import BoardDrawing
from affectcheck.server.web.drawings.plane import planes_of
from affectcheck.server.web.formats import example_of
from affectcheck.server.web.rendering import render
from affectcheck.version import __version__

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.server.boards.view import BoardView
    from affectcheck.server.contests.tracks import Contest
    from affectcheck.server.portal import Portal

FORMAT: Final = 1
SUMS: Final = "SHA256SUMS"
#: Files of the portal that pages load.
_ASSETS: Final = ("portal.css", "icon.svg")
_PAGES: Final = (("index.html", "Leaderboard"), ("rules.html", "Rules"), ("declarations.html", "Declarations"))


def write_archive(portal: Portal, slug: str, folder: Path) -> tuple[str, ...]:
    """Write a track that is over as a static site, as everyone sees it.

    Args:
        portal: where the track is.
        slug: its short name.
        folder: a new one, which is whole or not there.

    Returns:
        Names of the files.

    Raises:
        NotThereError: no such track.
        ConflictError: it is not over, or intervals of its places are still to be computed.
        InputError: the folder is there, and not empty.
        WriteError: it cannot be written.
    """
    now = portal.now()
    with portal.database.read() as connection:
        contest = contest_of(connection, slug, SYSTEM)
        if not ended(contest, now):
            raise ConflictError(
                f"{contest.track.title} is not over",
                code="E_NOT_OVER",
                expected="a track whose phases have all ended",
                cause="a phase that is open, or to come; close it first",
            )
        # Nothing of an archived track changes any more, so that its site is the same bytes whenever it is written.
        view = board_of(connection, contest, VISITOR, contest.archived or now)
    if view.standing == "computing":
        raise ConflictError(
            "intervals of places are being computed",
            code="E_STANDING",
            expected="a worker that is done with them, or settings without resamples",
            cause="a phase that ended just now, or no worker that runs",
        )
    files = {name: content.encode() for name, content in _texts(contest, view).items()}
    files |= {name: assets()[name].body for name in _ASSETS}
    sums = "".join(f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files))
    files[SUMS] = sums.encode()
    _write(folder, files)
    return tuple(sorted(files))


def _texts(contest: Contest, view: BoardView) -> dict[str, str]:
    part = _markup(
        render("board_part.html.j2", view=view, drawing=BoardDrawing(view), planes=planes_of(view), files="board")
    )
    values = {
        "view": view,
        "track": contest.track,
        "settings": contest.settings,
        "example": example_of(contest.track),
        "part": part,
        "pages": _PAGES,
        "made_by": __version__,
    }
    pages = {name: render(f"archive/{name}.j2", here=name, **values) for name, _ in _PAGES}
    about = {
        "format": FORMAT,
        "slug": contest.slug,
        "title": contest.track.title,
        "event": contest.event_slug,
        "event_title": contest.event_title,
        "settings": plain_settings(contest.settings),
        "scorer": contest.scorer,
        "teams": len(view.rows),
        "as_of": f"{view.as_of:%Y-%m-%dT%H:%M:%S}Z",
    }
    return {
        **pages,
        "board.csv": board_csv(view),
        "board.json": board_json(view),
        "board.tex": board_latex(view),
        "track.toml": toml_text(plain(contest.track)),
        "archive.json": json.dumps(about, ensure_ascii=False, indent=1) + "\n",
    }


def _write(folder: Path, files: dict[str, bytes]) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} is there", expected="a new folder, or an empty one")
    partial = folder.with_name(f".{folder.name}.partial")
    with clear_write_errors(folder):
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        try:
            for name, content in files.items():
                (partial / name).write_bytes(content)
            partial.replace(folder)
        finally:
            shutil.rmtree(partial, ignore_errors=True)


def _markup(text: str) -> Any:
    from markupsafe import Markup  # noqa: PLC0415  # comes with jinja2

    return Markup(text)  # noqa: S704  # of our own template, in which every text is escaped
