"""Submissions from a file: what ``affectcheck challenge rank`` ranks."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from affectcheck.annotations import read_csv
from affectcheck.challenges.ranking import Entry
from affectcheck.challenges.states import STATES
from affectcheck.errors import InputError, MissingPathError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_OTHER_NAMES: Final = {"id": ("id", "key", "submission"), "time": ("time", "received"), "status": ("status", "state")}


def read_entries(path: Path, *, score: str = "score") -> tuple[Entry, ...]:
    """The submissions in a CSV file with a header, or a JSON list of objects.

    Args:
        path: the file, with ``team`` and a score; ``id``, ``time`` (with its zone) and ``status`` where it has them. A score
            may be missing, ``NaN`` or infinite: such a submission ranks nowhere.
        score: column of the score.

    Raises:
        MissingPathError: there is no such file.
        InputError: it is not readable, or lacks a team or a score's column; a score that is no number, a time without a
            zone, a submission twice.
    """
    if not path.is_file():
        raise MissingPathError.of("file of submissions", path, expected="a .csv or .json file")
    rows = _json(path) if path.suffix.lower() == ".json" else read_csv(path).to_dicts()
    if not rows:
        raise InputError("no submissions", where=str(path), expected="one row a submission")
    for name in ("team", score):
        if not any(name in row for row in rows):
            raise UnknownNameError.of("column", name, rows[0], where=str(path))
    found = tuple(_entry(row, number, score, path) for number, row in enumerate(rows, 1))
    seen: dict[str, int] = {}
    for number, entry in enumerate(found, 1):
        if seen.setdefault(entry.key, number) != number:
            raise InputError(
                f"the submission {entry.key!r} is in row {seen[entry.key]} too",
                where=f"{path}: row {number}",
                expected="each submission once",
            )
    return found


def _json(path: Path) -> list[dict[str, Any]]:
    try:
        found = json.loads(path.read_text(encoding="utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"not JSON: {error}", where=str(path)) from error
    if not isinstance(found, list) or not all(isinstance(row, dict) for row in found):
        raise InputError("no list of objects", where=str(path), expected='[{"team": "a", "score": 0.4}, …]')
    return found


def _entry(row: Mapping[str, Any], number: int, score: str, path: Path) -> Entry:
    where = f"{path}: row {number}"
    team = row.get("team")
    if not team:
        raise InputError("no team", where=where, expected="a name in every row")
    state = _named(row, "status") or ("scored" if row.get(score) is not None else "failed")
    if state not in STATES:
        raise UnknownNameError.of("state of a submission", str(state), STATES, where=where)
    received = _time(_named(row, "time"), number, where)
    return Entry(str(_named(row, "id") or number), str(team), received, state, _number(row.get(score), where))


def _named(row: Mapping[str, Any], name: str) -> Any:
    return next((row[other] for other in _OTHER_NAMES[name] if row.get(other) is not None), None)


def _number(value: object, where: str) -> float | None:
    try:
        return None if value is None else float(str(value))
    except ValueError as error:
        raise InputError(f"a score of {value!r}", where=where, expected="a number, or nothing") from error


def _time(value: object, number: int, where: str) -> datetime:
    if value is None:
        return datetime.fromtimestamp(number, UTC)  # the order of the rows stands for the time
    try:
        found = datetime.fromisoformat(str(value))
    except ValueError as error:
        raise InputError(f"a time of {value!r}", where=where, expected="such as 2024-03-01T10:00:00Z") from error
    if found.tzinfo is None:
        raise InputError(f"a time without a zone: {value!r}", where=where, expected="such as 2024-03-01T10:00:00Z")
    return found
