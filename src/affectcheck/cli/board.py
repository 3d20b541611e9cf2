"""``affectcheck board``: the published leaderboards, with runs of one's own among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from affectcheck.cli import board_plot
from affectcheck.cli.output import Json, columns, emit, say
from affectcheck.cli.output_file import OverwriteFile, require_new

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

Plot = Annotated[
    Path | None,
    typer.Option(
        "--plot",
        help="File to write: performance and differences between groups as .html, .svg, .png or .pdf; without a board, all.",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command()(board)


def board(
    name: Name = "",
    by: By = "",
    run: Runs = None,
    own: Values = None,
    plot: Plot = None,
    overwrite: OverwriteFile = False,
    json: Json = False,
) -> None:
    """Show a published leaderboard: every model with its place, performance beside fairness, and what does not add up."""
    from affectcheck.cli.board_speech import SPEECH, show_speech  # noqa: PLC0415

    require_new(plot, overwrite=overwrite)
    if plot is not None:
        board_plot.require_plot(plot)
    if not name:
        _require_alone(by or run or own)
        if plot is None:
            _list(json)
        else:
            board_plot.plot_boards(plot, as_json=json)
    elif name not in SPEECH:
        _published(name, Asked(by, run or [], _own(own or []), plot), json)
    elif plot is None:
        show_speech(name, by, run or [], _own(own or []), as_json=json)
    else:
        _require_alone(by or run)
        board_plot.plot_board(name, plot, _own(own or []), as_json=json)


@dataclass(frozen=True)
class Asked:
    """What is asked of a board, as the options say."""

    by: str
    runs: Sequence[Path]
    own: dict[str, float]
    plot: Path | None


def _require_alone(others: object) -> None:
    from affectcheck.errors import InputError  # noqa: PLC0415

    if others:
        raise InputError(
            "--by, --run or --own where they say nothing",
            expected=f"a board that takes them, one of {', '.join(_names())}",
            cause="no board was named, or a plot of paper 2, which takes --own alone",
        )


def _names() -> tuple[str, ...]:
    from affectcheck.challenges import board_names  # noqa: PLC0415
    from affectcheck.cli.board_speech import SPEECH  # noqa: PLC0415

    return (*board_names(), *SPEECH)


def _published(name: str, asked: Asked, json: bool) -> None:
    from affectcheck.annotations.listing import name_list  # noqa: PLC0415
    from affectcheck.challenges import load_board  # noqa: PLC0415
    from affectcheck.cli.board_published import published_plain, published_text, scores_of_runs  # noqa: PLC0415
    from affectcheck.errors import InputError, UnknownNameError  # noqa: PLC0415

    if name not in _names():
        raise UnknownNameError.of("board", name, _names())
    found = load_board(name)
    column = asked.by or found.columns[0]
    runs = scores_of_runs(asked.runs, found, column)
    if not runs.keys().isdisjoint(asked.own):
        twice = name_list(runs.keys() & asked.own.keys())
        raise InputError(f"--own and --run of one name: {twice}", expected="each value under a name of its own")
    mine = asked.own | runs
    if asked.plot is not None and column != found.columns[0]:
        raise InputError(
            f"--plot with --by {column!r}", expected=f"values of {found.columns[0]!r}, which the plot is over"
        )
    told = published_plain(found, column, mine), published_text(found, column, mine)
    for note in found.notes:
        say(f"note: {note}")
    if asked.plot is not None:
        board_plot.plot_board(name, asked.plot, mine, as_json=json)
        return
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
        if name in found:
            raise InputError(f"--own {name} twice", expected="each value under a name of its own")
        try:
            found[name] = float(value)
        except ValueError as error:
            raise InputError(f"--own {text}", expected="NAME=VALUE, such as mine=0.71") from error
        if not name or not -1.0 <= found[name] <= 1.0:
            percent = "per cent; write 0.71, not 71" if name and abs(found[name]) > 1.0 else ""
            raise InputError(f"--own {text}", expected="NAME=VALUE, a fraction", cause=percent)
    return found
