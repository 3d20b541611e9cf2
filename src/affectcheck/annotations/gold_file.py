"""A gold standard as a file that other programs, and the other verbs, read; another that is there is never lost."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.atomic import write_bytes
from affectcheck.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.annotations.raters import Gold

SUFFIXES: Final = (".csv", ".parquet")


def require_suffix(path: Path, *, kind: str = "a gold standard") -> None:
    """Raise before any work is done if the file cannot be written in a known form.

    Raises:
        InputError: another suffix than .csv or .parquet.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise InputError(
            f"cannot write {kind} as {path.suffix or 'a file without suffix'!r}",
            where=str(path),
            expected=" or ".join(SUFFIXES),
        )


def write_gold(gold: Gold, path: Path, *, overwrite: bool = False) -> None:
    """Write a gold standard as CSV or Parquet, by the suffix, whole or not at all; unknown labels are empty cells.

    Raises:
        InputError: another suffix, the disk is full, or the file holds something else and ``overwrite`` is not set.
    """
    write_labels(gold.frame, path, overwrite=overwrite)


def write_labels(frame: pl.DataFrame, path: Path, *, kind: str = "a gold standard", overwrite: bool = False) -> None:
    """Write a table of labels as CSV or Parquet, by the suffix, whole or not at all.

    A file of the same content is left as it is.

    Args:
        frame: the table.
        path: the file.
        kind: what it is, for messages.
        overwrite: whether a file that holds something else is replaced.

    Raises:
        InputError: another suffix, the disk is full, or the file holds something else and ``overwrite`` is not set.
    """
    require_suffix(path, kind=kind)
    contents = BytesIO()
    csv = path.suffix.lower() == ".csv"
    if csv:
        frame.write_csv(contents)
    else:
        frame.write_parquet(contents)
    if path.exists():
        if _same(frame, contents.getvalue(), path, csv=csv):
            return
        if not overwrite:
            raise InputError(
                f"{path} is there and is not what would be written, {kind} of {frame.height} rows",
                expected="another file, or --overwrite to replace it",
                cause="another run; or somebody has filled it in since",
            )
    write_bytes(path, contents.getvalue())


def _same(frame: pl.DataFrame, contents: bytes, path: Path, *, csv: bool) -> bool:
    """Whether a file holds the same table; Parquet may be written in other bytes by another version."""
    if not path.is_file():
        return False
    if csv:
        return path.read_bytes() == contents
    try:
        return pl.read_parquet(path).equals(frame)
    except (pl.exceptions.PolarsError, OSError):
        return False
