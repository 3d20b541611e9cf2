"""The pages that lie beside a report, so that it can link to them: those that are there, and no others."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from affectcheck.reports.document import Link

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from affectcheck.records import RunRecord, Verdict

#: Folder of the pages in that of a run, and the page of the error browser in it.
FOLDER: Final = "behaviour"
ERRORS: Final = "errors.html"
REPORT: Final = "report.html"
#: Key of a data set's entry in a header that names the folder of its own run.
RUN: Final = "run"


@dataclass(frozen=True)
class Beside:
    """The pages of one run, their paths relative to a report.

    Attributes:
        data: name of its data, where a report tells of several; else empty.
        report: its own report, where that is another one.
        tests: test to its page.
        errors: the error browser.
    """

    data: str = ""
    report: str = ""
    tests: Mapping[str, str] = field(default_factory=dict)
    errors: str = ""

    def links(self, test: str, verdicts: Iterable[Verdict]) -> tuple[Link, ...]:
        """Links to what there is on a test, which has these verdicts on all data sets."""
        mine = (one for one in verdicts if self.data in ("", one.data.rpartition("@")[0]))
        failed = any(verdict.status == "failed" for verdict in mine)
        of = f" on {self.data}" if self.data else ""
        found = []
        if test in self.tests:
            found.append(Link(f"The page of this test{of}", self.tests[test]))
        if failed and self.errors:
            found.append(Link(f"Items behind its failures{of}", self.errors, test_anchor(test)))
        return tuple(found)


def test_anchor(test: str) -> str:
    """Fragment of a test in the error browser."""
    return f"test-{test}"


def pages_of(record: RunRecord, run: Path | None, start: Path) -> tuple[Beside, ...]:
    """What lies in the folder of a run; where it tested several data sets, in those of each.

    Args:
        record: the run.
        run: its folder; None where it has none.
        start: the folder that the report is written to.
    """
    if run is None:
        return ()
    several = [(str(one.get("name", "")), str(one[RUN])) for one in record.header.data if one.get(RUN)]
    tests = dict.fromkeys(verdict.test for verdict in record.verdicts)
    if not several:
        return (Beside("", "", *_found(run, tests, start)),)
    return tuple(
        Beside(name, _relative(run / place / REPORT, start), *_found(run / place, tests, start))
        for name, place in several
    )


def _found(run: Path, tests: Mapping[str, None], start: Path) -> tuple[dict[str, str], str]:
    paths = {test: _relative(run / FOLDER / f"{test}.html", start) for test in tests}
    return {test: path for test, path in paths.items() if path}, _relative(run / FOLDER / ERRORS, start)


def _relative(page: Path, start: Path) -> str:
    """The way to a page from a folder; empty where there is no page, or no way."""
    if not page.is_file():
        return ""
    try:
        return os.path.relpath(page, start).replace(os.sep, "/")
    except ValueError:  # on another drive
        return ""
