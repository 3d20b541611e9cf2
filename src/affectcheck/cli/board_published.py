"""Boards of papers 1 and 3 as text and as plain values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from affectcheck.cli.output import columns, say

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from affectcheck.challenges import PublishedBoard
    from affectcheck.challenges.board_correlation import NoCorrelation, RankCorrelation

_ATTRIBUTES = ("race", "gender", "age")


def scores_of_runs(folders: Sequence[Path], board: PublishedBoard, column: str) -> dict[str, float]:
    """The score of each run by the board's metric.

    Raises:
        InputError: a run without it, or another column than the score.
    """
    from affectcheck.challenges import load_track  # noqa: PLC0415
    from affectcheck.errors import InputError  # noqa: PLC0415
    from affectcheck.records import Score, load_run  # noqa: PLC0415

    if folders and column != board.columns[0]:
        raise InputError(f"--run with --by {column!r}", expected=f"the board's score, {board.columns[0]!r}")
    metric = load_track(board.track).metric
    found: dict[str, float] = {}
    for folder in folders:
        if folder.name in found:
            raise InputError(f"two runs called {folder.name!r}", expected="folders of different names")
        record = load_run(folder)
        scores = [
            one for one in record.scores if one.metric == metric and not any((one.place.attribute, one.place.part))
        ]
        if not scores or not isinstance(scores[0], Score):
            raise InputError(
                f"no score {metric!r} in the run", where=str(folder), expected=f"a run scored with --metrics {metric}"
            )
        say(f"note: {folder}: whether its items are the board's {board.split} set is not known here")
        found[folder.name] = scores[0].value
    return found


def published_plain(board: PublishedBoard, column: str, mine: Mapping[str, float]) -> dict[str, Any]:
    """A board for machines, with values of one's own."""
    places = board.places(column, mine)
    rows = [
        {"place": places[model], "model": model, "own": model in mine}
        | (dict(zip(board.columns, board.rows[model], strict=True)) if model in board.rows else {column: mine[model]})
        for model in sorted(places, key=lambda one: places[one])
    ]
    told = {"name": board.name, "title": board.title, "source": board.source, "split": board.split}
    correlations = {name: correlation_plain(found) for name, found in _correlations(board).items()}
    return {**told, "by": column, "rows": rows, "notes": list(board.notes), "correlations": correlations}


def correlation_plain(found: RankCorrelation | NoCorrelation) -> dict[str, Any]:
    """A rank correlation for machines."""
    from affectcheck.challenges.board_correlation import RankCorrelation  # noqa: PLC0415

    if isinstance(found, RankCorrelation):
        return {"value": found.value, "low": found.low, "high": found.high, "models": found.models}
    return {"value": None, "reason": found.reason, "models": found.models}


def _correlations(board: PublishedBoard) -> dict[str, RankCorrelation | NoCorrelation]:
    """How performance and each column of groups agree over the models; of distances less counts as better."""
    first = board.columns[0]
    return {name: board.correlation(first, name) for name in board.columns if name.partition(" ")[0] in _ATTRIBUTES}


def published_text(board: PublishedBoard, column: str, mine: Mapping[str, float]) -> str:
    """A board for a reader, with values of one's own."""
    rows, places = [], board.places(column, mine)
    for model in sorted(places, key=lambda one: places[one]):
        values = board.rows.get(model)
        cells = (
            [f"{value:.{board.digits}f}" for value in values]
            if values
            else [f"{mine[model]:.4f}" if name == column else "" for name in board.columns]
        )
        rows.append((places[model], f"{model} (own)" if model in mine else model, *cells))
    table = columns(rows, head=("place", "model", *board.columns))
    told = f"{board.title} ({board.split} set; {board.source}), by {column}\n\n{table}"
    return f"{told}\n\n{_agreement(board)}" if _correlations(board) else told


def _agreement(board: PublishedBoard) -> str:
    """The rank correlations with their intervals, a line each."""
    lines = [(name, correlation_text(found)) for name, found in _correlations(board).items()]
    head = f"Spearman's rank correlation of {board.columns[0]} over the {len(board.rows)} published models, 95 % interval, with"
    foot = "(+1: the better models are better there too; of differences between groups less is better)"
    return f"{head}\n{columns(lines)}\n{foot}"


def correlation_text(found: RankCorrelation | NoCorrelation) -> str:
    """A rank correlation for a reader."""
    from affectcheck.challenges.board_correlation import RankCorrelation  # noqa: PLC0415

    if isinstance(found, RankCorrelation):
        return f"{found.value:+.2f} [{found.low:+.2f}, {found.high:+.2f}]"
    return f"undefined: {found.reason}"
