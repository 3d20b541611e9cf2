"""Verdicts as JUnit XML, which every continuous-integration service shows."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from affectcheck.reports.reading import Reading, tally
from affectcheck.reports.wording import limit_text, number, place_text

if TYPE_CHECKING:
    from affectcheck.records import RunRecord, Verdict


def render_junit(record: RunRecord) -> str:
    """One suite a family, one case a comparison; inconclusive and not applicable ones are skipped, with the reason."""
    reading = Reading(record)
    root = ET.Element("testsuites", {"name": str(reading.header.model.get("name", "affectcheck"))})
    for family in reading.families:
        verdicts = reading.verdicts_of(family)
        counts = tally(verdicts).counts
        suite = ET.SubElement(
            root,
            "testsuite",
            {
                "name": family,
                "tests": str(len(verdicts)),
                "failures": str(counts["failed"]),
                "errors": "0",
                "skipped": str(counts["inconclusive"] + counts["not applicable"]),
            },
        )
        for verdict in verdicts:
            _case(suite, verdict)
    ET.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _case(suite: ET.Element, verdict: Verdict) -> None:
    name = " ".join(filter(None, (verdict.metric, place_text(verdict.place), verdict.data)))
    case = ET.SubElement(suite, "testcase", {"classname": f"{verdict.family}.{verdict.test}", "name": name})
    value = "no value" if verdict.value is None else number(verdict.value)
    said = f"{value}, limit {limit_text(verdict.threshold)}, n={verdict.support}: {verdict.reason}"
    if verdict.status == "failed":
        ET.SubElement(case, "failure", {"message": said})
    elif verdict.status != "passed":
        ET.SubElement(case, "skipped", {"message": f"{verdict.status}: {said}"})
