"""``affectcheck suites judge`` and ``suites leaderboard``: published values judged, and models among the published."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from affectcheck.cli.choices import MODES, Mode, choice, names
from affectcheck.cli.output import Json, columns, emit, say
from affectcheck.cli.output_file import OverwriteFile, require_new

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from fractions import Fraction

    from affectcheck.behaviour.leaderboards import Board, Standing
    from affectcheck.behaviour.published_shares import Tally

Suites = Annotated[str, typer.Option("--suite", "-s", help="Suites or tests whose limits and rules are applied.")]
Output = Annotated[Path | None, typer.Option("--output", "-o", help="CSV file to write; default: none.")]


def register(noun: typer.Typer) -> None:
    """Add the verbs."""
    noun.command()(judge)
    noun.command()(leaderboard)


def judge(
    values: Annotated[Path, typer.Argument(help="CSV with task, model_name, test, dataset, metric, subkey, value.")],
    mode: Mode = "published",
    suite: Suites = "ser",
    output: Output = None,
    overwrite: OverwriteFile = False,
    json: Json = False,
) -> None:
    """Judge values of single comparisons: what passed, failed and was skipped, pooled and as a mean over tests.

    With -o, every comparison is written with its limit and verdict.
    """
    from affectcheck.atomic import write_text  # noqa: PLC0415
    from affectcheck.behaviour import load_suites  # noqa: PLC0415
    from affectcheck.behaviour.published_rules import judge_values, judged_frame  # noqa: PLC0415
    from affectcheck.behaviour.published_shares import table_five, tally_tests  # noqa: PLC0415
    from affectcheck.behaviour.published_values import read_values  # noqa: PLC0415

    chosen = choice("mode", mode, MODES)
    require_new(output, overwrite=overwrite)
    judged = judge_values(read_values(values), load_suites(names(suite)), chosen)
    tallies = tally_tests(judged)
    if chosen == "corrected":
        say("note: limits are the stated ones: the table does not say the sizes that others could be simulated for")
    if output:
        write_text(output, judged_frame(judged).write_csv())
    cells = table_five(tallies)
    text = "\n\n".join((_tests_text(tallies), _families_text(tallies), _cells_text(cells)))
    emit(_plain(tallies, cells, chosen), f"{text}\n\n{output}" if output else text, as_json=json)


def leaderboard(
    table: Annotated[str, typer.Option("--table", help="Table of paper 2: V, VI or VII; default: all.")] = "",
    run: Annotated[
        list[Path] | None,
        typer.Option("--run", help="Your run; twice for a model of values and its twin of categories."),
    ] = None,
    output: Output = None,
    overwrite: OverwriteFile = False,
    json: Json = False,
) -> None:
    """Show the models of paper 2, and your model among them."""
    import polars as pl  # noqa: PLC0415

    from affectcheck.atomic import write_text  # noqa: PLC0415
    from affectcheck.behaviour.leaderboards import board, board_names, standings, standings_frame  # noqa: PLC0415

    require_new(output, overwrite=overwrite)
    shown = [board(one) for one in (names(table) or board_names())]
    placed = [(one, standings(one, own_rows_of(one.name, run or [], only=len(shown) == 1))) for one in shown]
    if output:
        frames = [standings_frame(one, rows) for one, rows in placed]
        write_text(output, pl.concat(frames, how="diagonal").write_csv())
    text = "\n\n".join(board_text(one, rows) for one, rows in placed)
    emit([board_plain(*one) for one in placed], f"{text}\n\n{output}" if output else text, as_json=json)


def own_rows_of(table: str, runs: Sequence[Path], *, only: bool) -> dict[str, Any]:
    """Rows of the user's model; what its runs do not hold is told, and an error where nothing else was asked for."""
    from affectcheck.behaviour.leaderboards_own import NothingToShowError, own_rows  # noqa: PLC0415
    from affectcheck.records import load_run  # noqa: PLC0415

    try:
        return own_rows(table, [load_run(one) for one in runs])
    except NothingToShowError as error:
        if only:
            raise
        say(f"note: not on table {table}: {error.what}")
        return {}


def _tests_text(tallies: Iterable[Tally]) -> str:
    rows = [
        (one.model, one.task, one.test, one.passed, one.failed, one.not_applicable, _share(one.share))
        for one in tallies
    ]
    return columns(rows, head=("model", "task", "test", "passed", "failed", "not applicable", "share"))


def _families_text(tallies: Sequence[Tally]) -> str:
    head = ("model", "task", "family", "configured", "passed", "failed", "not applicable", "pooled", "mean over tests")
    rows = [
        (*key, *counts, _share(pooled), _share(mean))
        for key, counts, pooled, mean in (_family(key, held) for key, held in _by_family(tallies).items())
    ]
    return columns(rows, head=head)


def _by_family(tallies: Iterable[Tally]) -> dict[tuple[str, str, str], list[Tally]]:
    found: dict[tuple[str, str, str], list[Tally]] = {}
    for one in tallies:
        for family in (one.family, "all"):
            found.setdefault((one.model, one.task, family), []).append(one)
    return dict(sorted(found.items()))


def _family(key: tuple[str, str, str], held: Sequence[Tally]) -> tuple[Any, ...]:
    from affectcheck.behaviour.published_shares import mean_over_tests, pooled  # noqa: PLC0415

    counts = tuple(
        sum(getattr(one, kind) for one in held) for kind in ("configured", "passed", "failed", "not_applicable")
    )
    return key, counts, pooled(held), mean_over_tests(held)


def _cells_text(cells: dict[str, dict[str, tuple[float | None, ...]]]) -> str:
    from affectcheck.behaviour.published_shares import COLUMNS  # noqa: PLC0415

    rows = [
        (block, model, *("-" if value is None else f"{value:.3f}" for value in values))
        for block, held in cells.items()
        for model, values in held.items()
    ]
    head = columns(rows, head=("share of passed tests", "model", *COLUMNS))
    return f"{head}\n\nall tests: pooled; families: mean over tests; rounded as paper 2, Table V"


def _plain(tallies: Sequence[Tally], cells: dict[str, dict[str, tuple[float | None, ...]]], mode: str) -> Any:
    from affectcheck.behaviour.published_shares import COLUMNS  # noqa: PLC0415

    counted = ("model", "task", "test", "family", "passed", "failed", "not_applicable", "configured")
    families = [
        dict(zip(("model", "task", "family"), key, strict=True))
        | dict(zip(("configured", "passed", "failed", "not_applicable"), counts, strict=True))
        | {"pooled": _float(pooled), "mean_over_tests": _float(mean)}
        for key, counts, pooled, mean in (_family(key, held) for key, held in _by_family(tallies).items())
    ]
    return {
        "mode": mode,
        "tests": [{n: getattr(one, n) for n in counted} | {"share": _float(one.share)} for one in tallies],
        "families": families,
        "table_5": {
            block: {model: dict(zip(COLUMNS, values, strict=True)) for model, values in held.items()}
            for block, held in cells.items()
        },
    }


def board_text(board: Board, rows: Sequence[Standing]) -> str:
    """A table with the user's rows among the published ones."""
    signed, decimals = board.higher_is_better is None, 3 if board.name == "V" else 2
    pieces = [f"Table {board.name}: {board.title} ({board.source})"]
    for block in dict.fromkeys(one.block for one in rows):
        held = [one for one in rows if one.block == block]
        lines = [("→" if one.own else "", one.model, *_cells(one, decimals, signed=signed)) for one in held]
        pieces.append(columns(lines, head=("", block or "model", *board.columns)))
    return "\n\n".join((*pieces, "\n".join(board.notes)))


def _cells(row: Standing, decimals: int, *, signed: bool) -> list[str]:
    """Values, each of the user's with its place."""
    cells = []
    for value, place, models in zip(row.values, row.places, row.models, strict=True):
        shown = "-" if value is None else f"{round(value, decimals) + 0.0:{'+' if signed else ''}.{decimals}f}"
        cells.append(f"{shown} ({place} of {models})" if row.own and place else shown)
    return cells


def board_plain(board: Board, rows: Sequence[Standing]) -> dict[str, Any]:
    """The same for machines."""
    return {
        "table": board.name,
        "title": board.title,
        "source": board.source,
        "notes": list(board.notes),
        "rows": [
            {
                "block": one.block,
                "model": one.model,
                "own": one.own,
                "values": dict(zip(board.columns, one.values, strict=True)),
                "places": dict(zip(board.columns, one.places, strict=True)),
            }
            for one in rows
        ],
    }


def _share(share: Fraction | None) -> str:
    return "-" if share is None else f"{float(share):.3f}"


def _float(share: Fraction | None) -> float | None:
    return None if share is None else float(share)
