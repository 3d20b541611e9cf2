"""The order of a report, the same in every format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affectcheck.reports.document import Document
from affectcheck.reports.reading import Reading
from affectcheck.reports.sections import (
    balance,
    behaviour_figures,
    classes,
    comparisons,
    data_sets,
    faults,
    groups,
    guide,
    headline,
    provenance,
    summary,
    verdicts,
    verdicts_beside,
)
from affectcheck.reports.wording import plain
from affectcheck.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.records import RunRecord
    from affectcheck.reports.beside import Beside


def outline(record: RunRecord, beside: Sequence[Beside] = ()) -> Document:
    """What a report on this run says, with links to the pages beside it."""
    reading = Reading(record, beside=beside)
    header = reading.header
    sections = (
        summary.build(reading),
        comparisons.build(reading),
        verdicts_beside.build(reading),
        headline.build(reading),
        *(groups.build(view) for view in reading.views),
        *(classes.build(view) for view in reading.views),
        data_sets.build(reading),
        behaviour_figures.build(reading),
        verdicts.build(reading),
        balance.build(reading),
        faults.build(reading),
        guide.build(reading),
        provenance.signatures(reading),
        provenance.provenance(reading),
    )
    model = plain(header.model.get("name"))
    data = ", ".join(plain(entry.get("name") or entry.get("title")) for entry in header.data)
    return Document(
        title=f"{model} on {data}" if data else model,
        subtitle=f"affectcheck {header.command or 'report'}",
        sections=tuple(section for section in sections if section is not None),
        warning=_warning(header.status, header.message),
        footer=f"Written by affectcheck {__version__} from the run record {header.digest[:12]}".rstrip(),
    )


def _warning(status: str, message: str) -> str:
    if status == "done":
        return ""
    return f"This run is {status}, so what follows is incomplete. {message}".strip()
