"""``affectcheck board``: the published leaderboards, with runs of one's own among them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from affectcheck.cli.output import Json, columns, emit, say

Name = Annotated[str, typer.Argument(help="Name of a board; without it, all are listed.")]
By = Annotated[
    str, typer.Option("--by", help="Column that models are ranked by; default: the first, or the mean of paper 2's.")
]
Runs = Annotated[
    list[Path] | None,
    typer.Option("--run", help="Run folder of your own, placed by its score on the board's set; may be repeated."),
]
Values = Annotated[
    list[str] | None, typer.Option("--own", help="Value of your own, NAME=VALUE as a fraction; may be repeated.")
]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command()(board)


def board(name: Name = "", by: By = "", run: Runs = None, own: Values = None, json: Json = False) -> None:
    """Show a published leaderboard: every model with its place, performance beside fairness, and what does not add up."""
    from affectcheck.challenges import board_names, load_board  # noqa: PLC0415
    from affectcheck.cli.board_published import published_plain, published_text, scores_of_runs  # noqa: PLC0415
    from affectcheck.cli.board_speech import SPEECH, show_speech  # noqa: PLC0415
    from affectcheck.errors import InputError, UnknownNameError  # noqa: PLC0415

    known = (*board_names(), *SPEECH)
    if not name:
        if by or run or own:
            raise InputError("--by, --run or --own without a board", expected=f"one of {', '.join(known)}")
        _list(json)
        return
    if name in SPEECH:
        show_speech(name, by, run or [], _own(own or []), as_json=json)
        return
    if name not in known:
        raise UnknownNameError.of("board", name, known)
    found = load_board(name)
    column = by or found.columns[0]
    mine = _own(own or []) | scores_of_runs(run or [], found, column)
    told = published_plain(found, column, mine), published_text(found, column, mine)
    for note in found.notes:
        say(f"note: {note}")
    emit(*told, as_json=json)


def _list(json: bool) -> None:
    from affectcheck.challenges import board_names, load_board  # noqa: PLC0415
    from affectcheck.cli.board_speech import speech_rows  # noqa: PLC0415

    boards = [load_board(one) for one in board_names()]
    rows = [(one.name, one.title, f"{len(one.rows)} model{'s' * (len(one.rows) != 1)}", one.source) for one in boards]
    rows += speech_rows()
    emit([row[0] for row in rows], columns(rows, head=("board", "title", "rows", "source")), as_json=json)


def _own(told: list[str]) -> dict[str, float]:
    from affectcheck.errors import InputError  # noqa: PLC0415

    found: dict[str, float] = {}
    for text in told:
        name, _, value = text.rpartition("=")
        try:
            found[name] = float(value)
        except ValueError as error:
            raise InputError(f"--own {text}", expected="NAME=VALUE, such as mine=0.71") from error
        if not name or not -1.0 <= found[name] <= 1.0:
            raise InputError(f"--own {text}", expected="NAME=VALUE, a fraction", cause="per cent; write 0.71, not 71")
    return found
