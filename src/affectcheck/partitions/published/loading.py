"""Read the published counts. One TOML file a database, each row as the paper prints it: one list a partition."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from affectcheck.errors import UnknownNameError
from affectcheck.partitions.balance import SIZE
from affectcheck.partitions.counted import CROSS, FRAME, Described, Division, Statistics, beside
from affectcheck.schemes import DEMOGRAPHICS, EXPRESSIONS, fold

if TYPE_CHECKING:
    from collections.abc import Iterator

_SUFFIX: Final = ".toml"
_UNITS: Final = "action units"
_PRESENT: Final = "present"
#: Schemes whose aliases are other spellings of published values.
_SCHEMES: Final = (*DEMOGRAPHICS, *EXPRESSIONS)
#: Group columns that mean the same under another name.
_ALIKE: Final = ({"sex", "gender"}, {"age", "age group"})


@dataclass(frozen=True)
class Note:
    """What must be known of published counts.

    Attributes:
        text: in words.
        covers: keys of the inconsistencies that it explains.
    """

    text: str
    covers: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Published:
    """What a paper publishes on the partitions of one database.

    Attributes:
        name: short name, such as ``raf-db``.
        title: of the database.
        source: paper and table.
        statistics: the counts.
        notes: what must be known of them, and which of them do not add up.
        facts: what the text states beside the tables.
    """

    name: str
    title: str
    source: str
    statistics: Statistics
    notes: tuple[Note, ...]
    facts: tuple[tuple[str, str], ...]


def published_names() -> tuple[str, ...]:
    """The databases whose published partitions are known, sorted."""
    found = (entry.name for entry in files(__package__).iterdir())
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in found if name.endswith(_SUFFIX)))


@cache
def published(name: str) -> Published:
    """The published partitions of one database.

    Raises:
        UnknownNameError: no such database.
    """
    known = published_names()
    if name not in known:
        raise UnknownNameError.of("published partition", name, known)
    data = tomllib.loads(files(__package__).joinpath(name + _SUFFIX).read_text(encoding="utf-8"))
    notes = tuple(Note(note["text"], tuple(note.get("covers", ()))) for note in data.get("notes", ()))
    facts = tuple((key, _text(value)) for key, value in data.get("facts", {}).items())
    counted = replace(_statistics(data), notes=tuple(note.text for note in notes))
    return Published(name, data["title"], data["source"], counted, notes, facts)


def published_statistics(name: str) -> Statistics:
    """The counts of one database, with their source and notes.

    Raises:
        UnknownNameError: no such database.
    """
    return published(name).statistics


def beside_published(own: Statistics, name: str) -> Statistics:
    """One's own statistics with the published partitions of a database in further columns.

    Sex and gender are one column here, as are the labels of categories whatever their target is called.

    Raises:
        UnknownNameError: no such database.
    """
    found = published(name)
    columns = {theirs.name: ours.name for theirs in found.statistics.columns if (ours := _alike(theirs, own))}
    titles = {one.name: f"{found.title}, {one.name}" for one in found.statistics.divisions}
    frame = found.statistics.frame.with_columns(pl.col("partition").replace(titles))
    theirs = replace(
        found.statistics,
        frame=frame.with_columns(_values(frame, own, columns)),
        divisions=tuple(replace(one, name=titles[one.name]) for one in found.statistics.divisions),
        source=found.source,
        notes=tuple(f"{found.title}: {note}" for note in found.statistics.notes),
    )
    return beside(own, theirs, columns)


def _alike(theirs: Described, own: Statistics) -> Described | None:
    for ours in own.columns:
        same = ours.name == theirs.name or any({ours.name, theirs.name} <= names for names in _ALIKE)
        if ours.role == theirs.role and (same or ours.role == "label"):
            return ours
    return None


def _values(frame: pl.DataFrame, own: Statistics, columns: dict[str, str]) -> pl.Series:
    """Published values in one's own spelling, where both mean the same."""
    ours = {
        (column, _folded(value)): value for column in set(columns.values()) for value in own.values(column)
    }  # by the names of one's own columns
    pairs = frame.select("column", "value").iter_rows()
    return pl.Series("value", [ours.get((columns.get(name, name), _folded(value)), value) for name, value in pairs])


def _folded(value: str) -> str:
    """A group or label by the meaning of its spelling: ``Female``, ``f`` and ``female`` are one."""
    folded = fold(value)
    return next((known[folded] for one in _SCHEMES if folded in (known := one.spellings())), folded)


def _text(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


def _statistics(data: dict[str, Any]) -> Statistics:
    units = data.get("count_of", {})
    divisions = tuple(
        Division(name, tuple(sets), unit=units.get(name, data["unit"])) for name, sets in data["partitions"].items()
    )
    described, rows = [], []
    for column, value, counts in _rows(data):
        if column not in described:
            described.append(column)
        for division, given in zip(divisions, counts, strict=True):
            cells: list[int | None] = [*given] if given else [None] * len(division.sets)  # a row that is not given
            rows += [
                (division.name, part, column.name, value, count, None)
                for part, count in zip(division.sets, cells, strict=True)
            ]
    frame = pl.DataFrame(rows, schema=FRAME, orient="row")
    order = pl.col("partition").replace_strict({one.name: code for code, one in enumerate(divisions)})
    frame = frame.sort(order, maintain_order=True)
    cross = pl.DataFrame(schema=CROSS)
    return Statistics(frame, cross, tuple(described), divisions, data["title"], source=data["source"])


def _rows(data: dict[str, Any]) -> Iterator[tuple[Described, str, list[list[int]]]]:
    """Every row of the file: what it counts, the value, and one list of counts a partition."""
    for value, counts in data["items"].items():
        yield Described(SIZE[0], "size"), value, counts
    for name, rows in data.get("groups", {}).items():
        for value, counts in rows.items():
            yield Described(name, "group"), value, counts
    for name, rows in data.get("labels", {}).items():
        for value, counts in rows.items():
            yield Described(name, "label", name), value, counts
    for unit, counts in data.get("units", {}).items():
        yield Described(unit, "unit", _UNITS), _PRESENT, counts
