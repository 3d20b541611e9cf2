"""The summary that the command line prints: plain text, aligned, without control characters of strangers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affectcheck.records import STATUSES, Score
from affectcheck.reports.glossary import better_of, is_difference
from affectcheck.reports.reading import Reading, tally
from affectcheck.reports.sections.disparities import decide, reading_of_difference
from affectcheck.reports.sections.summary import identity, untested
from affectcheck.reports.wording import interval_text, number, place_text, score_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from affectcheck.records import RunRecord, Scored


def summary_lines(record: RunRecord, *, paths: Sequence[Path] = ()) -> tuple[str, ...]:
    """Model, data, headline scores with interval and random model, groups, verdict counts, what is missing, files.

    Args:
        record: the run.
        paths: files that were written, listed last.
    """
    reading = Reading(record)
    lines = [_flat(f"{name + ':':<11} {value}") for name, value in identity(reading)]
    if reading.header.status != "done":
        lines.insert(0, _flat(f"INCOMPLETE: this run is {reading.header.status}. {reading.header.message}"))
    for view in reading.views:
        lines += ["", *_table(_scores(view))]
        groups = _groups(view)
        lines += ["", *_table(groups)] if len(groups) > 1 else []
    if reading.record.verdicts:
        lines += ["", *_table(_verdicts(reading))]
    missing = untested(reading)
    if missing:
        lines += ["", "Not tested:", *(_flat(f"  - {sentence}") for sentence in missing)]
    if paths:
        lines += ["", *(f"Written: {path}" for path in paths)]
    return tuple(lines)


def _scores(reading: Reading) -> list[list[str]]:
    rows = [[reading.titled("scores"), "value", "interval", "random", "n"]]
    overall = reading.overall or reading.headlines
    if reading.has_before:
        rows[0][1:2] = ["before", "after"]
    undefined = [score for score in overall if not isinstance(score, Score)]
    if undefined:
        rows[0].append("reading")
    for score in overall:
        row = _score_row(reading, score)
        row[1:1] = [_before(reading, score)] if reading.has_before else []
        rows.append([*row, *([_judged(reading, score)] if undefined else [])])
    return rows


def _before(reading: Reading, score: Scored) -> str:
    """The value before the steps."""
    raw = reading.before(score)
    return number(raw.value, signed=is_difference(raw.metric)) if isinstance(raw, Score) else "-"


def _score_row(reading: Reading, score: Scored) -> list[str]:
    name = ", ".join(filter(None, (reading.variant(score), place_text(score.place))))
    interval = score.interval if isinstance(score, Score) else None
    signed = is_difference(score.metric)
    base = reading.baseline(score)
    shown = number(base.value, signed=signed) if isinstance(base, Score) else "-"
    return [
        name,
        score_text(score, signed=signed) if isinstance(score, Score) else "undefined",
        interval_text(interval, signed=signed) or "-",
        shown,
        str(score.support),
    ]


def _groups(reading: Reading) -> list[list[str]]:
    rows = [[reading.titled("by group"), "value", "interval", "random", "n", "reading"]]
    wanted = {reading.headline, f"{reading.headline}_difference"}
    for attribute in reading.attributes:
        mine = reading.select(lambda place, name=attribute: place.attribute == name and not place.part)  # type: ignore[misc]
        shown = [s for s in mine if s.metric in wanted or not s.place.group]
        rows += [[*_score_row(reading, s), _judged(reading, s)] for s in shown]
    return rows


def _judged(reading: Reading, score: Scored) -> str:
    """What a difference or disparity says, or why a score is undefined; nothing for a group's score or a mean of them."""
    if not isinstance(score, Score):
        return score.reason
    if is_difference(score.metric):
        return reading_of_difference(score)
    if score.floor is None or better_of(score.metric) == "higher":
        return ""
    outcome = decide(reading, score)[0]
    return f"{outcome or 'not judged'}, noise reaches {number(score.floor.quantile)}"


def _verdicts(reading: Reading) -> list[list[str]]:
    rows = [["tests", *STATUSES, "random passes"]]
    for family in reading.families:
        found = tally(reading.verdicts_of(family))
        random = f"{found.random_passed} of {found.random_made}" if found.random_made else "not run"
        rows.append([family, *(str(found.counts[status]) for status in STATUSES), random])
    return rows


def _table(rows: list[list[str]]) -> list[str]:
    """Words to the left, numbers to the right; two blanks between."""
    rows = [[_flat(cell) for cell in row] for row in rows]
    widths = [max(len(row[index]) for row in rows) for index in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(width) if index == 0 or rows[0][index] == "reading" else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _flat(text: str) -> str:
    return " ".join(text.replace("\N{NO-BREAK SPACE}", " ").splitlines())
