"""Run folders on disk: ``run.json`` and whatever belongs to it; listed by their headers alone."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from affectcheck.atomic import write_text
from affectcheck.errors import InputError, MissingPathError
from affectcheck.records.codec import (
    decode_header,
    decode_run,
    encode_run,
    parse_strict_json,
    require_format,
    strict_json,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from affectcheck.records.run import Header, RunRecord

RUN_FILE: Final = "run.json"


def save_run(record: RunRecord, folder: Path) -> Path:
    """Write a record into its folder, one top-level key a line so that its header is the third line.

    Returns:
        The path of the file.
    """
    data = encode_run(record)
    lines = [f"{json.dumps(key)}: {strict_json(value)}" for key, value in data.items()]
    path = folder / RUN_FILE
    write_text(path, "{" + ",\n".join(lines) + "}\n")
    return path


def load_run(path: Path) -> RunRecord:
    """Read a record from its folder or file.

    Raises:
        MissingPathError: there is none.
        InputError: the file is no run record.
    """
    path = run_path(path)
    return decode_run(parse_strict_json(path.read_text(encoding="utf-8"), where=str(path)), where=str(path))


def run_path(path: Path) -> Path:
    """The record's file, given the folder or the file.

    Raises:
        MissingPathError: there is none.
    """
    found = path / RUN_FILE if path.is_dir() else path
    if not found.is_file():
        raise MissingPathError.of(
            "run", path, expected=f"a folder that holds {RUN_FILE}", cause="the run was not finished, or another folder"
        )
    return found


def read_header(path: Path) -> Header:
    """Read the header of a record without its scores.

    Raises:
        InputError: the file is no run record.
    """
    path = run_path(path)
    with path.open(encoding="utf-8") as file:
        head = "".join(next(file, "") for _ in range(3)).rstrip().rstrip(",")
    where = str(path)
    data: Any = parse_strict_json(head if head.endswith("}}") else head + "}", where=where)
    require_format(data, where)
    return decode_header(data, where)


@dataclass(frozen=True)
class StoredRun:
    """A run found on disk: its folder, and its header or why it cannot be read."""

    folder: Path
    header: Header | None
    fault: str = ""


def find_runs(root: Path) -> Iterator[StoredRun]:
    """Every run below a folder, in the order of their paths; an unreadable one is listed with its fault."""
    if not root.is_dir():
        raise MissingPathError.of(
            "folder of runs", root, cause="no run was made in this folder yet; `affectcheck audit` makes one"
        )
    for path in sorted(root.rglob(RUN_FILE)):
        try:
            yield StoredRun(path.parent, read_header(path))
        except InputError as error:
            yield StoredRun(path.parent, None, str(error))
