"""Action units: from which score on each counts as present, and its counts of truth and prediction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from affectcheck.reports.document import Cell, Column, Details, Row, Table, Text
from affectcheck.reports.sections.cells import DASH
from affectcheck.reports.sections.tables import rows_of
from affectcheck.reports.wording import percent, plain, without_digests

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.reports.document import Block
    from affectcheck.reports.reading import Reading

#: Truth and prediction of each count, in the order of its columns; unknown truth last.
_COUNTS: Final = (
    ("Found", (1, 1)),
    ("Missed", (1, 0)),
    ("False alarms", (0, 1)),
    ("Rightly absent", (0, 0)),
    ("Unknown", (None, None)),
)
#: How a threshold is called that nobody chose: what the kind of score says by itself.
_BY_KIND: Final = "natural"


def thresholds(reading: Reading) -> tuple[Block, ...]:
    """The thresholds in words; by unit, in a folded table too, where they differ."""
    rows = rows_of(reading.record.tables.get("thresholds"))
    if not rows:
        told = dict.fromkeys(s.signature.thresholds for s in reading.record.scores if s.signature.thresholds)
        return tuple(Text(f"Thresholds of the action units: {line}.") for line in told if line != _BY_KIND)
    values = {str(row["unit"]): float(row["threshold"]) for row in rows}
    output, how = plain(rows[0].get("output")), str(rows[0].get("how") or "")
    chosen = {"": "stated", _BY_KIND: "as the kind of score says by itself"}.get(how, f"chosen {without_digests(how)}")
    low, high = min(values.values()), max(values.values())
    if low == high:
        return (Text(f"An action unit counts as present from a {output} of {low:g} on ({chosen})."),)
    listed = ", ".join(f"{unit} {value:g}" for unit, value in values.items())
    return (Text(f"An action unit counts as present from a {output} of its own on ({chosen}): {listed}."),)


def unit_counts(reading: Reading) -> tuple[Block, ...]:
    """The two-by-two counts of each unit, over all items; those of each group folded."""
    rows = rows_of(reading.record.tables.get("units"))
    places: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in rows:
        places.setdefault((str(row.get("attribute") or ""), str(row.get("group") or "")), []).append(row)
    blocks: list[Block] = []
    folded: dict[str, list[Block]] = {}
    for (attribute, group), mine in places.items():
        where = f", {attribute} = {group}" if group else ""
        table = _table(f"Items by truth and prediction of each action unit{where}", mine)
        if group:
            folded.setdefault(attribute, []).append(table)
        else:
            blocks.append(table)
    blocks += [Details(f"Counts of each action unit by {name}", tuple(tables)) for name, tables in folded.items()]
    return tuple(blocks)


def _table(caption: str, rows: Sequence[dict[str, Any]]) -> Table:
    found: dict[str, dict[tuple[Any, Any], int]] = {}
    for row in rows:
        found.setdefault(str(row["unit"]), {})[row["truth"], row["prediction"]] = int(row["count"])
    columns = (
        Column("Action unit"),
        Column("Present, of known", "number"),
        *(Column(title, "number") for title, _ in _COUNTS),
    )
    lines = []
    for unit, cells in found.items():
        known = sum(count for (truth, _), count in cells.items() if truth is not None)
        present = cells.get((1, 1), 0) + cells.get((1, 0), 0)
        share = Cell(f"{present:,}", detail=f"{percent(present / known)} of {known:,}") if known else DASH
        numbers = (Cell(f"{cells.get(pair, 0):,}") for _, pair in _COUNTS)
        lines.append(Row((Cell(unit), share, *numbers)))
    return Table(caption, columns, tuple(lines))
