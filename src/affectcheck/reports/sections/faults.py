"""Faults of single items: counted by kind, then listed."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from affectcheck.reports.document import Cell, Column, Details, Row, Section, Table, Text
from affectcheck.reports.wording import count_text

if TYPE_CHECKING:
    from affectcheck.reports.document import Block
    from affectcheck.reports.reading import Reading

LISTED: Final = 200


def build(reading: Reading) -> Section:
    """The section; it stands also where there are none, since that too is a finding."""
    faults = reading.record.faults
    if not faults:
        return Section("faults", "Faults", (Text("No item had a fault."),))
    counts = Counter((fault.kind, fault.severity) for fault in faults)
    kinds = tuple(Row((Cell(kind), Cell(severity), Cell(f"{n:,}"))) for (kind, severity), n in counts.most_common())
    rows = tuple(
        Row((Cell(fault.item), Cell(fault.severity), Cell(fault.kind), Cell(fault.message)))
        for fault in faults[:LISTED]
    )
    left = len(faults) - len(rows)
    caption = f"Items with faults{f': the first {LISTED}; {left:,} more are in the record' if left else ''}"
    table = Table(caption, (Column("Item"), Column("Severity"), Column("Kind"), Column("What is wrong")), rows)
    summary = Table("Faults by kind", (Column("Kind"), Column("Severity"), Column("Items", "number")), kinds)
    lead = "An error leaves an item without a result; a warning gives one, with a caution."
    blocks: tuple[Block, ...] = (summary, Details(f"All {count_text(len(faults), 'fault')}", (table,)))
    return Section("faults", "Faults", blocks, lead)
