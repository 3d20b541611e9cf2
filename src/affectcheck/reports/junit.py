"""Verdicts as JUnit XML, which every continuous-integration service shows."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from affectcheck.reports.reading import Reading, tally
from affectcheck.reports.wording import limit_text, number, place_text

if TYPE_CHECKING:
    from affectcheck.records import RunRecord, Verdict


def render_junit(record: RunRecord) -> str:
    """One suite a family, one case a comparison; what was not decided is skipped, with the reason.

    Inconclusive comparisons of a run that was asked to be strict are failures, as they are for its exit code.
    """
    reading = Reading(record)
    strict = bool(record.header.arguments.get("effective", {}).get("strict"))
    root = ET.Element("testsuites", {"name": str(reading.header.model.get("name", "affectcheck"))})
    for family in reading.families:
        verdicts = reading.verdicts_of(family)
        counts = tally(verdicts).counts
        undecided = counts["inconclusive"]
        suite = ET.SubElement(
            root,
            "testsuite",
            {
                "name": family,
                "tests": str(len(verdicts)),
                "failures": str(counts["failed"] + (undecided if strict else 0)),
                "errors": "0",
                "skipped": str(counts["not applicable"] + (0 if strict else undecided)),
            },
        )
        for verdict in verdicts:
            _case(suite, verdict, strict=strict)
    ET.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _case(suite: ET.Element, verdict: Verdict, *, strict: bool) -> None:
    name = " ".join(filter(None, (verdict.metric, place_text(verdict.place), verdict.data)))
    case = ET.SubElement(suite, "testcase", {"classname": f"{verdict.family}.{verdict.test}", "name": name})
    value = "no value" if verdict.value is None else number(verdict.value)
    said = f"{value}, limit {limit_text(verdict.threshold)}, n={verdict.support}: {verdict.reason}"
    if verdict.status == "failed":
        ET.SubElement(case, "failure", {"message": said})
    elif strict and verdict.status == "inconclusive":
        ET.SubElement(case, "failure", {"message": f"inconclusive, which is a failure in a strict run: {said}"})
    elif verdict.status != "passed":
        ET.SubElement(case, "skipped", {"message": f"{verdict.status}: {said}"})
