"""The summary that the command line prints: plain text, aligned, without control characters of strangers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from affectcheck.records import STATUSES, Score
from affectcheck.reports.glossary import is_difference, is_shift
from affectcheck.reports.reading import Reading, tally
from affectcheck.reports.remarks import NOT_ASKED, briefly, why_no_interval
from affectcheck.reports.sections.cells import is_signed, people_beside
from affectcheck.reports.sections.differences import reading_of_difference
from affectcheck.reports.sections.fairness import judged_number, judged_of
from affectcheck.reports.sections.shares import shares
from affectcheck.reports.sections.sorting import sort
from affectcheck.reports.sections.summary import identity
from affectcheck.reports.sections.untested import untested
from affectcheck.reports.sections.worst import badness
from affectcheck.reports.wording import band_text, interval_text, number, percent, place_text, score_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from affectcheck.records import RunRecord, Scored, Verdict
    from affectcheck.reports.sections.sorting import Sorted


#: More groups than this are told in one line.
MANY: Final = 12


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
        for table in (_scores(view), _verdicts_by_group(view), _worst(view), _groups(view)):
            lines += ["", *_table(table)] if len(table) > 1 else []
    if reading.record.verdicts:
        lines += ["", *_table(_verdicts(reading)), "", *share_lines(reading.record.verdicts)]
    missing = untested(reading)
    if missing:
        lines += ["", "Not tested:", *(_flat(f"  - {sentence}") for sentence in missing)]
    if paths:
        lines += ["", *(f"Written: {path}" for path in paths)]
    return tuple(lines)


def _scores(reading: Reading) -> list[list[str]]:
    """Scores over all items: before the steps too, and beside people, where there are such."""
    overall = reading.overall or reading.headlines
    roles = tuple(dict.fromkeys(role for score in overall for role in people_beside(reading, score)))
    rows = [[reading.titled("scores"), "value", "interval", "random", *roles, "n", "reading"]]
    if reading.has_before:
        rows[0][1:2] = ["before", "after"]
    for score in overall:
        row = _score_row(reading, score)
        people = people_beside(reading, score)
        row[4:4] = [_value(people.get(role)) for role in roles]
        row[1:1] = [_value(reading.before(score))] if reading.has_before else []
        rows.append([*row, _remark(score)])
    return rows


def _value(score: Scored | None) -> str:
    """A value that stands beside another, or a dash."""
    return number(score.value, signed=is_signed(score.metric)) if isinstance(score, Score) else "-"


def _score_row(reading: Reading, score: Scored) -> list[str]:
    name = ", ".join(filter(None, (reading.variant(score), place_text(score.place))))
    interval = score.interval if isinstance(score, Score) else None
    signed = is_signed(score.metric)
    return [
        name,
        score_text(score, signed=signed) if isinstance(score, Score) else "undefined",
        interval_text(interval, signed=signed) or "-",
        _value(reading.baseline(score)),
        str(score.support),
    ]


def _remark(score: Scored) -> str:
    """What a difference says, why a score is undefined, or why it has no interval."""
    if not isinstance(score, Score):
        return score.reason
    reason = why_no_interval(score)
    lacking = f"no interval: {briefly(reason)}" if reason not in ("", NOT_ASKED) else ""
    return reading_of_difference(score) if is_difference(score.metric) and not lacking else lacking


def _groups(reading: Reading) -> list[list[str]]:
    """The headline score of each group, and the means over groups."""
    rows = [[reading.titled("by group"), "value", "interval", "random", "n", "reading"]]
    wanted = {reading.headline, f"{reading.headline}_difference", f"{reading.headline}_to_combined"}
    for attribute in reading.attributes:
        mine = reading.select(lambda place, name=attribute: place.attribute == name and not place.part)  # type: ignore[misc]
        shown = [score for score in mine if score.metric in wanted and score.place.group]
        grouped = [score for score in shown if score.place.group and not is_signed(score.metric)]
        if len(grouped) > MANY:
            rows.append(_range_row(reading, attribute, grouped))
            shown = [score for score in shown if score not in grouped and not is_shift(score.metric)]
        rows += [[*_score_row(reading, score), _remark(score)] for score in (*shown, *sort(mine).means)]
    return rows


def _range_row(reading: Reading, attribute: str, scores: Sequence[Scored]) -> list[str]:
    """Many groups in one line."""
    values = [score.value for score in scores if isinstance(score, Score)]
    shown = f"{number(min(values))} … {number(max(values))}" if values else "undefined"
    name = f"{reading.variant(scores[0])}, {len(scores)} groups of {attribute}"
    return [name, shown, "-", "-", str(sum(score.support for score in scores)), "see the report for each"]


def _verdicts_by_group(reading: Reading) -> list[list[str]]:
    """The disparities of each attribute in the scalings that they are given in."""
    found = {name: judged_of(reading, _of(reading, name).disparities) for name in reading.attributes}
    given = {convention for judged in found.values() for one in judged for convention in one.scores}
    conventions: list[str] = [name for name in ("tables", "paper", "upstream") if name in given]
    conventions = conventions or [""]
    rows = [
        [
            reading.titled("disparities"),
            "verdict",
            *(c or "value" for c in conventions),
            "limit",
            "null band",
            "reading",
        ]
    ]
    for name, judged in found.items():
        for one in judged:
            values = [_judged(one.scores.get(c) or one.scores.get("")) for c in conventions]
            limit, band = "-" if one.limit is None else f"{one.limit:g}", "-"
            if isinstance(one.judged, Score) and one.judged.floor:
                band = band_text(one.judged.floor, one.judged.value)
            rows.append([f"{one.title}, {name}", one.status, *values, limit, band, one.reason])
    return rows


def _judged(score: Scored | None) -> str:
    return judged_number(score) if isinstance(score, Score) else "-"


def _worst(reading: Reading) -> list[list[str]]:
    """The group of each attribute that scores worst by the headline metric."""
    rows = [[reading.titled("worst group"), "value", "interval", "random", "n", "reading"]]
    for name in reading.attributes:
        scored = [s for s in _of(reading, name).by_group if s.metric == reading.headline and not s.place.part]
        values = [score for score in scored if isinstance(score, Score) and badness(score) is not None]
        if len(values) > 1:
            worst = max(values, key=lambda score: badness(score) or 0.0)
            rows.append([*_score_row(reading, worst), _remark(worst)])
    return rows


def _of(reading: Reading, attribute: str) -> Sorted:
    return sort(reading.select(lambda place: place.attribute == attribute))


def _verdicts(reading: Reading) -> list[list[str]]:
    rows = [["tests", *STATUSES, "random passes"]]
    for family in reading.families:
        found = tally(reading.verdicts_of(family))
        random = f"{found.random_passed} of {found.random_made}" if found.random_made else "not run"
        rows.append([family, *(str(found.counts[status]) for status in STATUSES), random])
    return rows


def share_lines(verdicts: Iterable[Verdict]) -> tuple[str, ...]:
    """Shares of comparisons that passed, were made and were not applicable, and the random model beside them."""
    rows = [["comparisons", "pooled", "mean over tests", "random pooled", "random over tests"]]
    rows += [
        [one.name, *map(_share, (one.pooled, one.over_tests, one.random_pooled, one.random_over_tests))]
        for one in shares(verdicts)
    ]
    return tuple(_table(rows))


def _share(value: float | None) -> str:
    return "-" if value is None else percent(value)


def _table(rows: list[list[str]]) -> list[str]:
    """Words to the left, numbers to the right; two blanks between. A column that says nothing is left out."""
    silent = [
        i for i, name in enumerate(rows[0]) if name in ("random", "reading") and _empty(row[i] for row in rows[1:])
    ]
    rows = [[_flat(cell) for i, cell in enumerate(row) if i not in silent] for row in rows]
    widths = [max(len(row[index]) for row in rows) for index in range(len(rows[0]))]
    left = [index == 0 or name in ("reading", "verdict") for index, name in enumerate(rows[0])]
    return [
        "  ".join(
            cell.ljust(width) if to_left else cell.rjust(width)
            for cell, width, to_left in zip(row, widths, left, strict=True)
        ).rstrip()
        for row in rows
    ]


def _empty(cells: Iterable[str]) -> bool:
    return all(cell in ("", "-") for cell in cells)


def _flat(text: str) -> str:
    return " ".join(text.replace("\N{NO-BREAK SPACE}", " ").splitlines())
