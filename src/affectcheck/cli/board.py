"""``affectcheck board``: the published leaderboards, with runs of one's own among them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from affectcheck.cli.output import Json, columns, emit, say

if TYPE_CHECKING:
    from affectcheck.challenges import PublishedBoard

_ATTRIBUTES = ("race", "gender", "age")

Name = Annotated[
    str,
    typer.Argument(help="Name of a board; without it, all are listed. Those of paper 2: `suites leaderboard`."),
]
By = Annotated[str, typer.Option("--by", help="Column that models are ranked by; default: the first.")]
Runs = Annotated[
    list[Path] | None,
    typer.Option("--run", help="Run folder of your own, placed by its score on the board's test set; may be repeated."),
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
    from affectcheck.errors import InputError  # noqa: PLC0415

    if not name:
        if by or run or own:
            raise InputError("--by, --run or --own without a board", expected=f"one of {', '.join(board_names())}")
        boards = [load_board(one) for one in board_names()]
        rows = [(one.name, one.title, f"{len(one.rows)} models", one.source) for one in boards]
        emit([one.name for one in boards], columns(rows, head=("board", "title", "rows", "source")), as_json=json)
        return
    found = load_board(name)
    column = by or found.columns[0]
    mine = _own(own or []) | _runs(run or [], found, column)
    places = found.places(column, mine)
    for note in found.notes:
        say(f"note: {note}")
    emit(_plain(found, column, mine, places), _text(found, column, mine, places), as_json=json)


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


def _runs(folders: list[Path], board: PublishedBoard, column: str) -> dict[str, float]:
    """The score of each run by the board's metric."""
    from affectcheck.challenges import load_track  # noqa: PLC0415
    from affectcheck.errors import InputError  # noqa: PLC0415
    from affectcheck.records import Score, load_run  # noqa: PLC0415

    if folders and column != board.columns[0]:
        raise InputError(f"--run with --by {column!r}", expected=f"the board's score, {board.columns[0]!r}")
    metric = load_track(board.track).metric
    found: dict[str, float] = {}
    for folder in folders:
        record = load_run(folder)
        scores = [
            one for one in record.scores if one.metric == metric and not any((one.place.attribute, one.place.part))
        ]
        if not scores or not isinstance(scores[0], Score):
            raise InputError(
                f"no score {metric!r} in the run", where=str(folder), expected=f"a run scored with --metrics {metric}"
            )
        say(f"note: {folder}: whether its items are the board's test set is not known here")
        found[folder.name] = scores[0].value
    return found


def _plain(board: PublishedBoard, column: str, mine: dict[str, float], places: dict[str, int]) -> dict[str, object]:
    rows = [
        {"place": places[model], "model": model, "own": model in mine}
        | (dict(zip(board.columns, board.rows[model], strict=True)) if model in board.rows else {column: mine[model]})
        for model in sorted(places, key=lambda one: places[one])
    ]
    told = {"name": board.name, "title": board.title, "source": board.source, "split": board.split}
    return {**told, "by": column, "rows": rows, "notes": list(board.notes), "correlations": _correlations(board)}


def _correlations(board: PublishedBoard) -> dict[str, float]:
    """How performance and each column of groups agree over the models; of distances less counts as better."""
    first = board.columns[0]
    return {name: board.correlation(first, name) for name in board.columns if name.partition(" ")[0] in _ATTRIBUTES}


def _text(board: PublishedBoard, column: str, mine: dict[str, float], places: dict[str, int]) -> str:
    rows = []
    for model in sorted(places, key=lambda one: places[one]):
        values = board.rows.get(model)
        cells = (
            [f"{value:.3f}" for value in values]
            if values
            else [f"{mine[model]:.4f}" if name == column else "" for name in board.columns]
        )
        rows.append((places[model], f"{model} (own)" if model in mine else model, *cells))
    table = columns(rows, head=("place", "model", *board.columns))
    told = ", ".join(f"{name} {value:+.2f}" for name, value in _correlations(board).items())
    agree = f"Spearman's rank correlation of {board.columns[0]} over the {len(board.rows)} published models with"
    return f"{board.title} ({board.split} set; {board.source}), by {column}\n\n{table}\n\n{agree}:\n{told}\n(+1: the better models are better there too; of distances less is better)"
