"""A gold standard as a file that other programs, and the other verbs, read."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Final

from affectcheck.atomic import write_bytes
from affectcheck.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.annotations.raters import Gold

SUFFIXES: Final = (".csv", ".parquet")


def require_suffix(path: Path) -> None:
    """Raise before any work is done if the file cannot be written in a known form.

    Raises:
        InputError: another suffix than .csv or .parquet.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise InputError(
            f"cannot write a gold standard as {path.suffix or 'a file without suffix'!r}",
            where=str(path),
            expected=" or ".join(SUFFIXES),
        )


def write_gold(gold: Gold, path: Path) -> None:
    """Write a gold standard as CSV or Parquet, by the suffix, whole or not at all; unknown labels are empty cells.

    Raises:
        InputError: another suffix, or the disk is full.
    """
    require_suffix(path)
    contents = BytesIO()
    if path.suffix.lower() == ".csv":
        gold.frame.write_csv(contents)
    else:
        gold.frame.write_parquet(contents)
    write_bytes(path, contents.getvalue())
