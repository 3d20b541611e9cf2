"""Table files: read by description, written with one, so that what is written reads back as the same table."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from affectcheck.annotations.described_columns import table_from
from affectcheck.annotations.described_schemes import description_of
from affectcheck.annotations.description import describe, read_description
from affectcheck.annotations.table import COLUMNS
from affectcheck.annotations.toml_text import toml_text
from affectcheck.atomic import write_text
from affectcheck.errors import InputError, MissingPathError
from affectcheck.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable

    from affectcheck.annotations.description import TableDescription, Type
    from affectcheck.annotations.table import AnnotationTable


@dataclass(frozen=True)
class Format:
    """A kind of table file.

    Attributes:
        title: what it is, in a few words.
        suffixes: endings of file names, with the point.
        read: a file and its description to a frame with the file's columns.
        write: a frame to a file, whole or not at all.
        typed: whether the file keeps the types of columns.
    """

    title: str
    suffixes: tuple[str, ...]
    read: Callable[[Path, TableDescription], pl.DataFrame]
    write: Callable[[pl.DataFrame, Path], None]
    typed: bool


FORMATS: Final[Registry[Format]] = Registry("table format", "affectcheck.annotations")


def format_of(path: Path) -> Format:
    """The format of a file, by its ending.

    Raises:
        InputError: no format has the ending.
    """
    name = path.name.lower()
    for _, found in FORMATS.items():
        if name.endswith(found.suffixes):
            return found
    endings = [suffix for _, found in FORMATS.items() for suffix in found.suffixes]
    raise InputError(
        f"no table format has the ending of {path.name!r}",
        where=str(path),
        expected=f"a file name that ends in {', '.join(endings)}",
        cause="a spreadsheet or another table; save it as CSV in UTF-8" if name.endswith((".xls", ".xlsx")) else "",
    )


def sidecar(path: Path) -> Path:
    """Where the description of a table file stands: beside it, under its name with ``.toml`` behind."""
    return path.with_name(f"{path.name}.toml")


def read_table(path: Path, description: TableDescription | Path | None = None) -> AnnotationTable:
    """Read an annotation table from a CSV or Parquet file.

    Args:
        path: the table file; or a description (``.toml``) that names it.
        description: what its columns mean, or the TOML file that says so; None for the description beside the file
            (``labels.csv.toml`` for ``labels.csv``), as ``write_table`` leaves it.

    Returns:
        The table. Media paths are relative to the description's ``root``, else to the folder of the table file.

    Raises:
        MissingPathError: the table or its description is not there.
        UnknownNameError: the description names a column that the file does not have.
        InputError: the file, the description or a cell is not usable; the message says where and why.
    """
    if path.suffix == ".toml":
        return _read_described(path)
    if description is None and not sidecar(path).exists():
        raise MissingPathError.of(
            "table description",
            sidecar(path),
            expected="a TOML file that names the columns and labels, beside the table or handed over",
            cause="a table that affectcheck has not written, so nothing says what its columns mean",
        )
    found = sidecar(path) if description is None else description
    described = read_description(found) if isinstance(found, Path) else found
    if not path.is_file():
        raise MissingPathError.of("table", path)
    folder = described.folder or path.parent
    root = folder / described.root if described.root is not None else path.parent
    frame = format_of(path).read(path, described)
    return table_from(frame, described, root=root, where=str(path))


def _read_described(path: Path) -> AnnotationTable:
    described = read_description(path)
    if described.file is not None:
        return read_table(path.parent / described.file, described)
    if path.with_suffix("").is_file():
        return read_table(path.with_suffix(""), described)
    raise InputError("the description names no table file", where=str(path), expected='file = "labels.csv"')


def write_table(table: AnnotationTable, path: Path) -> Path:
    """Write a table as CSV or Parquet, with a description beside it from which it reads back equal.

    Args:
        table: what to write.
        path: ends in ``.csv``, ``.tsv`` or ``.parquet``.

    Returns:
        The path of the description.

    Raises:
        InputError: the format cannot hold a column, the folder is not writable, or a scheme has the name of a
            built-in one but other labels.
    """
    found = format_of(path)
    types = {} if found.typed else _types(table)
    text = toml_text(_description(table, path, types))
    describe(_description(table, path, types), where=str(path))
    found.write(table.frame, path)
    write_text(sidecar(path), text)
    return sidecar(path)


def _types(table: AnnotationTable) -> dict[str, str]:
    """Types of the columns beyond the schema, which a text file does not keep; numbers come back in 64 bits."""
    known = {column for target in table.targets.values() for column in target.columns} | set(COLUMNS)
    found = {name: _type(dtype) for name, dtype in table.frame.schema.items() if name not in known}
    return {name: kind for name, kind in found.items() if kind is not None}


def _type(dtype: pl.DataType) -> Type | None:
    if dtype == pl.Boolean:
        return "yes/no"
    if dtype.is_float():
        return "number"
    return "whole number" if dtype.is_integer() else None


def _description(table: AnnotationTable, path: Path, types: dict[str, str]) -> dict[str, Any]:
    keys: dict[str, Any] = {"file": path.name}
    if table.name:
        keys["name"] = table.name
    if table.root is not None and table.root != path.parent:
        keys["root"] = _root(table.root, path.parent)
    keys["groups"] = list(table.groups)
    if table.notes:
        keys["notes"] = list(table.notes)
    if types:
        keys["types"] = types
    return keys | {"targets": {name: description_of(target) for name, target in table.targets.items()}}


def _root(root: Path, folder: Path) -> str:
    return root.relative_to(folder).as_posix() if root.is_relative_to(folder) else root.absolute().as_posix()
