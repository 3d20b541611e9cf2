"""Tables in batches of rows, so that memory stays flat: frames, lazy frames, and folders of Parquet files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

import polars as pl

from affectcheck.annotations.listing import name_list
from affectcheck.errors import InputError, MissingPathError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

#: What can be read in batches: a frame, a lazy frame, a Parquet file, or a folder or pattern of such files.
Table: TypeAlias = "pl.DataFrame | pl.LazyFrame | Path | str"

#: Rows of a batch, and of the row groups that Polars writes.
BATCH: Final = 262_144


@dataclass(frozen=True)
class Piece:
    """Some rows of a file.

    Attributes:
        path: the Parquet file.
        start: first row within the file, from 0.
        rows: how many.
        before: rows of all files before this piece.
    """

    path: Path
    start: int
    rows: int
    before: int


def is_pattern(place: Path | str) -> bool:
    """Whether a path stands for all that match it, such as ``runs/*.parquet``."""
    return any(mark in str(place) for mark in "*?[")


def parquet_files(place: Path | str) -> tuple[Path, ...]:
    """The Parquet files of a folder (with its subfolders), of a pattern such as ``runs/*.parquet``, or a single one.

    Raises:
        MissingPathError: there is no such folder or file, or none that matches.
    """
    path = Path(place)
    if path.is_file():
        return (path,)
    if path.is_dir():
        found: Iterator[Path] = path.rglob("*.parquet")
    else:
        parts = path.parts
        fixed = next((k for k, part in enumerate(parts) if is_pattern(part)), len(parts))
        found = Path(*parts[:fixed]).glob(str(Path(*parts[fixed:]))) if fixed < len(parts) else iter(())
    files = tuple(sorted(file for file in found if file.is_file() and not file.name.startswith((".", "_"))))
    if not files:
        raise MissingPathError.of(
            "folder of Parquet files",
            place,
            expected="a folder with files that end in .parquet, or a pattern that matches some",
            cause="a folder of CSV files, which are scored one by one" if path.is_dir() else "",
        )
    return files


def pieces(files: Sequence[Path]) -> tuple[Piece, ...]:
    """The files cut into pieces of ``BATCH`` rows, in order.

    Raises:
        InputError: a file is not Parquet, or none has rows.
    """
    found: list[Piece] = []
    before = 0
    for path in files:
        height = int(_opened(path).select(pl.len()).collect().item())
        found += [Piece(path, start, min(BATCH, height - start), before + start) for start in range(0, height, BATCH)]
        before += height
    if not before:
        raise InputError("no rows to score", where=str(files[0].parent), expected="at least one row")
    return tuple(found)


def schemas(files: Sequence[Path], columns: Iterable[str]) -> dict[str, pl.DataType]:
    """The type of each column over all files; text where files differ.

    Raises:
        UnknownNameError: a file lacks a column.
    """
    wanted = list(dict.fromkeys(columns))
    types: dict[str, pl.DataType] = {}
    for path in files:
        schema = _opened(path).collect_schema()
        missing = [name for name in wanted if name not in schema]
        if missing:
            raise UnknownNameError.of("column", missing[0], schema.names(), where=str(path))
        for name in wanted:
            types[name] = schema[name] if types.get(name, schema[name]) == schema[name] else pl.String()
    return types


def read(piece: Piece, types: Mapping[str, pl.DataType]) -> pl.DataFrame:
    """The rows of a piece, with columns of the types that all files share.

    Raises:
        InputError: the file cannot be read.
    """
    part = _opened(piece.path).select(list(types)).slice(piece.start, piece.rows)
    try:
        return part.with_columns(
            pl.col(name).cast(kind) for name, kind in types.items() if kind == pl.String()
        ).collect()
    except (pl.exceptions.PolarsError, OSError) as error:
        raise InputError(
            f"the file cannot be read: {error}", where=str(piece.path), cause="a file that was cut off"
        ) from error


def batches(table: Table, columns: Sequence[str]) -> Iterator[pl.DataFrame]:
    """The columns of a table, batch after batch.

    Raises:
        InputError: nothing can be read, or a column is not there.
    """
    names = list(dict.fromkeys(columns))
    if isinstance(table, pl.DataFrame):
        _require(names, table.columns)
        # Not by `select`, whose first call costs as much as counting a hundred thousand rows.
        yield from pl.DataFrame([table.get_column(name) for name in names]).iter_slices(BATCH)
    elif isinstance(table, pl.LazyFrame):
        _require(names, table.collect_schema().names())
        yield from _lazy(table.select(names))
    else:
        files = parquet_files(table)
        types = schemas(files, names)
        for piece in pieces(files):
            yield read(piece, types)


def _lazy(table: pl.LazyFrame) -> Iterator[pl.DataFrame]:
    if hasattr(table, "collect_batches"):
        yield from table.collect_batches(chunk_size=BATCH)
    else:  # before Polars 1.34 a lazy frame has no batches
        yield from table.collect().iter_slices(BATCH)


def _require(names: Sequence[str], known: Sequence[str]) -> None:
    for name in names:
        if name not in known:
            raise UnknownNameError.of("column", name, known)


def _opened(path: Path) -> pl.LazyFrame:
    try:
        frame = pl.scan_parquet(path, glob=False, hive_partitioning=False)
        frame.collect_schema()
    except (pl.exceptions.PolarsError, OSError) as error:
        raise InputError(
            f"not a Parquet file: {error}",
            where=str(path),
            expected=f"Parquet, as the name {name_list([path.name])} says",
            cause="another kind of file, or one that was cut off",
        ) from error
    return frame
