"""The folder of a run: written beside its place and renamed when whole, so that no half-written run is ever seen."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from affectcheck.atomic import write_text
from affectcheck.errors import InputError
from affectcheck.records import RUN_FILE

if TYPE_CHECKING:
    from collections.abc import Iterator

LATEST: Final = "latest"


def run_name(command: str, model: str, digest: str) -> str:
    """Name of a run folder: time (UTC), verb, model and the first eight digits of the inputs' digest."""
    now = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    safe = "".join(c if c.isalnum() or c in "-_." else "-" for c in Path(model).name)[:40].strip("-.") or "model"
    return f"{now}_{command}_{safe}_{digest[:8]}"


def require_free(folder: Path, *, overwrite: bool) -> None:
    """Raise before any work is done if the folder is taken.

    Raises:
        InputError: the folder holds a run and ``overwrite`` is not set, or holds something else.
    """
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    if not (folder / RUN_FILE).is_file():
        raise InputError(
            f"{folder} exists and holds no run", expected="a new folder, or one of an earlier run with --overwrite"
        )
    if not overwrite:
        raise InputError(
            f"{folder} already holds a run",
            expected="another folder, or --overwrite to replace the run",
            cause="the same command was run before",
        )


@contextmanager
def run_folder(folder: Path) -> Iterator[Path]:
    """A folder to write a run into; it takes its place when the block ends without an error.

    A folder left behind by a killed run is cleared first. What the old run computed is in the cache, not here.
    """
    partial = folder.with_name(f".{folder.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    try:
        yield partial
        if folder.exists():
            old = folder.with_name(f".{folder.name}.old")
            shutil.rmtree(old, ignore_errors=True)
            folder.rename(old)
            partial.rename(folder)
            shutil.rmtree(old, ignore_errors=True)
        else:
            partial.rename(folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    write_text(folder.parent / LATEST, f"{folder.name}\n")
