"""A run on several data sets: the verdicts of each, and where its own report is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from affectcheck.records import STATUSES
from affectcheck.reports.beside import REPORT, RUN
from affectcheck.reports.document import Cell, Column, Lines, Link, Links, Row, Section, Table
from affectcheck.reports.reading import tally
from affectcheck.reports.sections.verdicts import DASH
from affectcheck.reports.wording import percent

if TYPE_CHECKING:
    from affectcheck.reports.document import Block
    from affectcheck.reports.reading import Reading

_LEAD: Final = (
    "Verdicts were made on each data set by itself. Figures of the predictions on one (values by annotated class, "
    "changed classes, thresholds by group size) and its sounds or pictures are in its own report."
)


def build(reading: Reading) -> Section | None:
    """The section; none for a run on one data set."""
    folders = [(str(one.get("name", "")), str(one[RUN])) for one in reading.header.data if one.get(RUN)]
    if not folders:
        return None
    links = tuple(Link(f"Report on {one.data}", one.report) for one in reading.beside if one.report)
    files = tuple(f"{name}: {folder}/{REPORT}" for name, folder in folders)
    where: Block = Links(links) if len(links) == len(folders) else Lines(files, "Reports, in the folder of the run")
    return Section("data-sets", "Data sets", (where, _table(reading)), _LEAD)


def _table(reading: Reading) -> Table:
    heads = ("Data set", *(status.capitalize() for status in STATUSES), "Passed, of those made")
    rows = []
    for data in dict.fromkeys(verdict.data for verdict in reading.record.verdicts):
        found = tally(verdict for verdict in reading.record.verdicts if verdict.data == data)
        share = percent(found.counts["passed"] / found.executed) if found.executed else DASH
        cells = (data or DASH, *(f"{found.counts[status]:,}" for status in STATUSES), share)
        rows.append(Row(tuple(Cell(text) for text in cells)))
    first, *others = heads
    columns = (Column(first), *(Column(head, "number") for head in others))
    return Table("Verdicts of each data set", columns, tuple(rows))
