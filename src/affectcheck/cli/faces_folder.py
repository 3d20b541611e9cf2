"""The folder of a run of ``affectcheck faces crop``: what lies in it, and whose it is."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any, Final

from affectcheck.atomic import clear_write_errors, write_text
from affectcheck.errors import InputError
from affectcheck.media.faces.layout import ALIGNED, BOXES

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

#: Says which run a folder holds, from its beginning on.
HEADER: Final = "faces.json"
TABLES: Final = ("faces.parquet", "faces.csv")
SHEET: Final = "contact.jpg"
RATES: Final = "detection_rates.csv"
ANNOTATED: Final = "annotated.csv"
PAGE: Final = "report.html"
MISSED: Final = "missed"
_FOLDERS: Final = (ALIGNED, BOXES, MISSED)
_FILES: Final = (HEADER, *TABLES, SHEET, RATES, ANNOTATED, f"{ANNOTATED}.toml", PAGE)


def claim(folder: Path, header: dict[str, Any], *, overwrite: bool) -> None:
    """Make sure that a folder is new or holds this very run, and make it the folder of this run.

    Args:
        folder: that of the crops.
        header: what the run is.
        overwrite: whether another run of this verb is removed.

    Raises:
        InputError: it holds another run, or files of somebody else.
        WriteError: the disk is full or not writable.
    """
    there = [name for name in (*_FOLDERS, *_FILES) if (folder / name).exists()]
    held = _held(folder / HEADER)
    if there and held is None:
        raise InputError(
            f"{folder} holds {', '.join(there)} already, and no {HEADER} of a run that made it",
            expected="another folder",
        )
    if held == header and not overwrite:
        return
    if held is not None and not overwrite:
        differ = [name for name in header if held.get(name) != header[name]]
        raise InputError(
            f"{folder} holds crops that were made otherwise: other {', '.join(differ) or 'options'}",
            expected="another folder, or --overwrite",
        )
    with clear_write_errors(folder):
        for name in there:
            if (folder / name).is_dir():
                shutil.rmtree(folder / name)
            else:
                (folder / name).unlink()
    write_text(folder / HEADER, json.dumps(header, indent=2) + "\n")


def _held(path: Path) -> dict[str, Any] | None:
    """The header that a folder holds; None where there is none that this verb has written."""
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return held if isinstance(held, dict) and "detector_digest" in held else None


def nobodys(folder: Path, named: Iterable[str | None]) -> list[str]:
    """Crops in a folder that no row of its table names: those of what a source held when it was cropped before.

    Args:
        folder: that of the crops.
        named: files of the table's rows, relative to the folder.
    """
    known = {name for name in named if name is not None}
    files = (path for name in (ALIGNED, BOXES) for path in (folder / name).rglob("*.jpg") if path.is_file())
    return sorted({path.relative_to(folder).as_posix() for path in files if not path.name.startswith(".")} - known)
