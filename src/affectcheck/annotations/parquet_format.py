"""Parquet as a table format."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

import polars as pl

from affectcheck.annotations.formats import FORMATS, Format
from affectcheck.atomic import write_bytes
from affectcheck.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.annotations.description import TableDescription


def _read(path: Path, description: TableDescription) -> pl.DataFrame:
    if description.encoding is not None or description.delimiter is not None:
        raise InputError("encoding and delimiter have no meaning for Parquet", where=str(path))
    try:
        return pl.read_parquet(path)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise InputError(
            f"cannot be read as Parquet: {error}",
            where=str(path),
            expected="a Parquet file",
            cause="another format under this name, or a file that was cut off",
        ) from error


def _write(frame: pl.DataFrame, path: Path) -> None:
    contents = BytesIO()  # written by ourselves, since a writer of tables says little about a full disk
    frame.write_parquet(contents)
    write_bytes(path, contents.getvalue())


FORMATS.add("parquet", Format("Apache Parquet", (".parquet",), _read, _write, typed=True))
