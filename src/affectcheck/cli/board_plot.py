"""``affectcheck board --plot``: performance and differences between groups, of one board or of all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from affectcheck.cli.board_published import correlation_plain, correlation_text
from affectcheck.cli.output import columns, emit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from affectcheck.reports.board_planes import Planes


def require_plot(path: Path) -> None:
    """Raise before anything is made if a plot has another ending.

    Raises:
        InputError: it has.
    """
    from affectcheck.errors import InputError  # noqa: PLC0415
    from affectcheck.reports.boards import PLOT_FORMATS  # noqa: PLC0415

    if path.suffix.lower() not in PLOT_FORMATS:
        raise InputError(f"cannot write a plot to {path}", expected=f"a file that ends in {', '.join(PLOT_FORMATS)}")


def plot_board(name: str, path: Path, own: Mapping[str, float], *, as_json: bool) -> None:
    """Plot one board, with the performance of one's own models as lines.

    Raises:
        InputError: the board has no column of groups.
    """
    from affectcheck.reports.boards import write_board_plot  # noqa: PLC0415

    planes = _planes(name)
    write_board_plot(planes, path, own)
    _tell([planes], path, as_json=as_json)


def plot_boards(path: Path, *, as_json: bool) -> None:
    """Plot the rank correlations of all boards with differences between groups."""
    from affectcheck.challenges import board_names, load_board  # noqa: PLC0415
    from affectcheck.reports.board_planes import planes_of, speech_planes  # noqa: PLC0415
    from affectcheck.reports.boards import write_boards_plot  # noqa: PLC0415

    found = [load_board(name) for name in board_names()]
    boards = [planes_of(one) for one in found if one.disparities]
    boards.append(speech_planes())
    write_boards_plot(boards, path)
    _tell(boards, path, as_json=as_json)


def _planes(name: str) -> Planes:
    from affectcheck.challenges import load_board  # noqa: PLC0415
    from affectcheck.cli.board_speech import SPEECH as SPEECH_BOARDS  # noqa: PLC0415
    from affectcheck.errors import InputError  # noqa: PLC0415
    from affectcheck.reports.board_planes import SPEECH, planes_of, speech_planes  # noqa: PLC0415

    if name == SPEECH:
        return speech_planes()
    if name in SPEECH_BOARDS:
        raise InputError(f"board {name!r} has no column of groups", expected=f"a board of paper 1, or {SPEECH}")
    return planes_of(load_board(name))


def _tell(boards: Sequence[Planes], path: Path, *, as_json: bool) -> None:
    rows = [
        (planes.name, one.title, len(planes.models), correlation_text(one.correlation))
        for planes in boards
        for one in planes.differences
    ]
    table = columns(rows, head=("board", "difference", "models", "rank correlation with performance, 95 % interval"))
    positive = "\n".join(dict.fromkeys(planes.reading.positive for planes in boards))
    emit(_plain(boards, path), f"{table}\n\n{positive}\n\n{path}", as_json=as_json)


def _plain(boards: Sequence[Planes], path: Path) -> dict[str, Any]:
    correlations = [
        {"board": planes.name, "attribute": one.attribute, "measure": one.measure, **correlation_plain(one.correlation)}
        for planes in boards
        for one in planes.differences
    ]
    return {"plot": str(path), "correlations": correlations}
