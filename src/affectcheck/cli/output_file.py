"""A file that a verb writes: one that is there is somebody's, and is replaced only where that is said."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from pathlib import Path

OverwriteFile = Annotated[bool, typer.Option("--overwrite", help="Replace the file that is there.")]


def require_new(output: Path | None, *, overwrite: bool) -> None:
    """Raise before any work is done if the file is there.

    Args:
        output: the file; None where nothing is written.
        overwrite: whether it may be replaced.

    Raises:
        InputError: it is there and ``overwrite`` is not set, or it is a folder.
    """
    from affectcheck.errors import InputError  # noqa: PLC0415

    if output is None or not output.exists():
        return
    if output.is_dir():
        raise InputError(f"{output} is a folder", expected="a file to write")
    if not overwrite:
        raise InputError(
            f"{output} exists",
            expected="another file, or --overwrite to replace it",
            cause="the same command was run before",
        )
