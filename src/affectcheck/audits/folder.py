"""The folder of a run: written beside its place and renamed when whole, so that no half-written run is ever seen."""

from __future__ import annotations

import glob
import os
import shutil
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from affectcheck.atomic import clear_write_errors, write_text
from affectcheck.errors import InputError
from affectcheck.records import RUN_FILE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LATEST: Final = "latest"


def run_name(command: str, model: str, digest: str) -> str:
    """Name of a run folder: time (UTC), verb, model and the first eight digits of the inputs' digest."""
    now = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    safe = "".join(c if c.isalnum() or c in "-_." else "-" for c in Path(model).name)[:40].strip("-.") or "model"
    return f"{now}_{command}_{safe}_{digest[:8]}"


def require_free(folder: Path, *, overwrite: bool, reads: Iterable[Path | str | None] = ()) -> None:
    """Raise before any work is done if the folder is taken.

    Args:
        folder: where a run is to be written.
        overwrite: replace the run that the folder holds.
        reads: what the run reads, as paths or as ``kind:path``: none of it may be replaced.

    Raises:
        InputError: the folder holds a run and ``overwrite`` is not set, holds something else, or holds what is read.
    """
    with clear_write_errors(folder):
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
    _require_outside(folder, reads)


def _require_outside(folder: Path, reads: Iterable[Path | str | None]) -> None:
    whole = folder.resolve()
    for told in filter(None, reads):
        paths = [Path(text) for text in (str(told), str(told).partition(":")[2]) if text]
        if any(path.exists() and path.resolve().is_relative_to(whole) for path in paths):
            raise InputError(
                f"{folder} is to be replaced, and {told} is read from it",
                expected="another folder to write to",
                cause="what is read would be lost",
            )


@contextmanager
def run_folder(folder: Path, *, overwrite: bool = False) -> Iterator[Path]:
    """A folder to write a run into; it takes its place when the block ends without an error.

    Folders left behind by killed runs are cleared first. What they computed is in the cache, not here.

    Raises:
        InputError: another process has put a run there meanwhile, and ``overwrite`` is not set.
        WriteError: the disk is full or not writable.
    """
    partial = folder.with_name(f".{folder.name}.{os.getpid()}.partial")
    with clear_write_errors(folder):
        for left in folder.parent.glob(f".{glob.escape(folder.name)}.*.partial"):
            if not _is_running(left.name.split(".")[-2]):
                shutil.rmtree(left, ignore_errors=True)
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
    try:
        yield partial
        if not overwrite:
            require_free(folder, overwrite=False)
        with clear_write_errors(folder):
            _replace(folder, partial)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    write_text(folder.parent / LATEST, f"{folder.name}\n")


def _replace(folder: Path, partial: Path) -> None:
    if not folder.exists():
        partial.rename(folder)
        return
    old = folder.with_name(f".{folder.name}.{os.getpid()}.old")
    shutil.rmtree(old, ignore_errors=True)
    folder.rename(old)
    partial.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


def _is_running(process: str) -> bool:
    """Whether a process of ours is running; where that cannot be asked, it is taken to be."""
    if not process.isdecimal() or os.name != "posix":
        return process.isdecimal()
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
