"""Tables V to VII of paper 2 among the boards: the data are those of ``suites leaderboard``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from affectcheck.cli.output import emit
from affectcheck.cli.suites_judge import board_plain, board_text, own_rows_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from affectcheck.behaviour.leaderboards import Board, Standing

#: Name of a board to its table of paper 2.
SPEECH: Final = {"ser-tests": "V", "ser-benchmarks": "VI", "ser-sentiment": "VII"}


def speech_rows() -> list[tuple[str, str, str, str]]:
    """Name, title, rows and source of each board."""
    from affectcheck.behaviour.leaderboards import board  # noqa: PLC0415

    found = [(name, board(table)) for name, table in SPEECH.items()]
    return [(name, one.title, f"{len(next(iter(one.blocks.values())))} models", one.source) for name, one in found]


def show_speech(name: str, by: str, runs: Sequence[Path], own: Mapping[str, float], *, as_json: bool) -> None:
    """Print one, with runs and values of one's own among its models.

    Args:
        name: of the board.
        by: column that models are ranked by, with its block before it where a board has several, such as
            ``robustness mean``; empty for the mean.
        runs: run folders of one model, or of a model of values and its twin of categories.
        own: name to a value of ``by``.
        as_json: whether for machines.

    Raises:
        UnknownNameError: no such column.
        InputError: values of one's own on a board that ranks nothing, or a run without what the board shows.
    """
    from affectcheck.behaviour.leaderboards import board, standings  # noqa: PLC0415
    from affectcheck.errors import InputError  # noqa: PLC0415

    found = board(SPEECH[name])
    block, column = _place(found, by)
    mine = {key: dict(rows) for key, rows in own_rows_of(found.name, runs, only=True).items()}
    for model, value in own.items():
        _require_ranked(found, model, block)
        if model in mine.get(block, {}):
            raise InputError(f"--own and --run of one name: {model!r}", expected="each value under a name of its own")
        cells = [None] * len(found.columns)
        mine.setdefault(block, {})[model] = (*cells[:column], value, *cells[column + 1 :])
    rows = _ordered(standings(found, mine), column) if by else standings(found, mine)
    emit({"name": name, **board_plain(found, rows)}, board_text(found, rows), as_json=as_json)


def _place(board: Board, by: str) -> tuple[str, int]:
    """Block and column that are meant; the first block and the last column, the mean, by default."""
    from affectcheck.errors import UnknownNameError  # noqa: PLC0415

    block = next((one for one in board.blocks if one and by.startswith(f"{one} ")), next(iter(board.blocks)))
    column = by.removeprefix(f"{block} ") or board.columns[-1]
    if column not in board.columns:
        raise UnknownNameError.of(f"column of table {board.name} of paper 2:", by, board.columns)
    return block, board.columns.index(column)


def _require_ranked(board: Board, model: str, block: str) -> None:
    from affectcheck.errors import InputError  # noqa: PLC0415

    if board.higher_is_better is None:
        raise InputError(
            f"--own on table {board.name} of paper 2, which ranks nothing", expected="--run, or another board"
        )
    if model in board.blocks[block]:
        raise InputError(f"a published model is called {model!r}", expected="another name for your own")


def _ordered(rows: Sequence[Standing], column: int) -> list[Standing]:
    """Rows of each block by their place in a column, those without a value last."""

    def key(row: Standing) -> tuple[Any, ...]:
        place = row.places[column]
        return (blocks.index(row.block), place is None, place or 0, not row.own)

    blocks = list(dict.fromkeys(row.block for row in rows))
    return sorted(rows, key=key)
