"""Tables V, VI and VII of paper 2 as leaderboards, and a model's place on them.

A board ships as a file with its source. A place is one more than the number of models that are better; equal values
share a place. Only what both have is compared: a model without categories has no place in the mean over the tasks.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

import polars as pl

from affectcheck.errors import UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    #: Block, model, then a value a column.
    Blocks: TypeAlias = Mapping[str, Mapping[str, tuple[float | None, ...]]]

_FOLDER: Final = Path(__file__).parent / "published"
_FILES: Final = {"V": "table-5.toml", "VI": "table-6.toml", "VII": "table-7.toml"}


@dataclass(frozen=True)
class Board:
    """A table of models.

    Attributes:
        name, title, source: what it is and where it is from.
        columns: names of the values.
        blocks: block, model, values.
        higher_is_better: whether models are ranked by size, larger first; None where they are not ranked.
        notes: sentences for the reader.
    """

    name: str
    title: str
    source: str
    columns: tuple[str, ...]
    blocks: Blocks
    higher_is_better: bool | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Standing:
    """A model's row among the others of its block.

    Attributes:
        block, model: which row.
        own: a model of the user's.
        values: one a column, None where it has none.
        places: place in each column; None without a value, or where nothing is ranked.
        models: how many models have a value in each column.
    """

    block: str
    model: str
    own: bool
    values: tuple[float | None, ...]
    places: tuple[int | None, ...]
    models: tuple[int, ...]


def board_names() -> tuple[str, ...]:
    """The tables that ship."""
    return tuple(_FILES)


def board(name: str) -> Board:
    """A table that ships.

    Raises:
        UnknownNameError: there is no such table.

    Example:
        >>> board("VI").blocks[""]["CNN14"]
        (0.5, 0.39, 0.18, 0.44, 0.38)
    """
    if name not in _FILES:
        raise UnknownNameError.of("table", name, _FILES)
    found = tomllib.loads((_FOLDER / _FILES[name]).read_text(encoding="utf-8"))
    return Board(
        found["name"],
        found["title"],
        found["source"],
        tuple(found["columns"]),
        {block: {model: tuple(row) for model, row in rows.items()} for block, rows in found["rows"].items()},
        found.get("higher_is_better"),
        tuple(found["notes"]),
    )


def standings(table: Board, own: Blocks) -> tuple[Standing, ...]:
    """Every row of a board with the user's among them, best first where models are ranked.

    Args:
        table: the board.
        own: the user's rows, with as many values as the board has columns; a block that the board has not is shown
            by itself, after the others.
    """
    blocks = (*table.blocks, *(block for block in own if block not in table.blocks))
    return tuple(row for block in blocks for row in _block(table, block, own.get(block, {})))


def _block(table: Board, block: str, own: Mapping[str, tuple[float | None, ...]]) -> list[Standing]:
    rows = [(model, False, values) for model, values in table.blocks.get(block, {}).items()]
    rows += [(model, True, values) for model, values in own.items()]
    ranked = table.higher_is_better is not None
    columns = [[values[index] for _, _, values in rows] for index in range(len(table.columns))]
    counts = tuple(sum(value is not None for value in column) for column in columns)
    found = [
        Standing(
            block,
            model,
            mine,
            values,
            tuple(_place(v, column, table) if ranked else None for v, column in zip(values, columns, strict=True)),
            counts,
        )
        for model, mine, values in rows
    ]
    return sorted(found, key=_order(found)) if ranked else found


def _place(value: float | None, column: Iterable[float | None], table: Board) -> int | None:
    if value is None:
        return None
    others = (one for one in column if one is not None)
    return 1 + sum(one > value if table.higher_is_better else one < value for one in others)


def _order(rows: Iterable[Standing]) -> Callable[[Standing], tuple[bool, int, bool]]:
    """By the last column that every row has a value in: the mean, unless the user's model lacks a task."""
    held = tuple(rows)
    whole = [index for index in range(len(held[0].values)) if all(one.places[index] is not None for one in held)]
    column = whole[-1] if whole else -1
    return lambda one: (one.places[column] is None, one.places[column] or 0, not one.own)


def standings_frame(table: Board, rows: Iterable[Standing]) -> pl.DataFrame:
    """The rows as a frame: table, block, model, whether it is the user's, then each value with its place."""
    schema: dict[str, type[pl.DataType]] = {
        "table": pl.String,
        "block": pl.String,
        "model": pl.String,
        "own": pl.Boolean,
    }
    for column in table.columns:
        schema |= {column: pl.Float64, f"{column}_place": pl.Int64}
    cells = [
        (table.name, one.block, one.model, one.own, *chain.from_iterable(zip(one.values, one.places, strict=True)))
        for one in rows
    ]
    return pl.DataFrame(cells, schema=schema, orient="row")
