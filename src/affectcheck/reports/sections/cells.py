"""Cells that several sections share: a score with its interval, its support, and what stands beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affectcheck.records import Score
from affectcheck.reports.document import Cell, Column, Details, Lines, Row, Table
from affectcheck.reports.glossary import better_of, is_difference, is_shift
from affectcheck.reports.remarks import NOT_ASKED, briefly, methods, notes, why_no_interval
from affectcheck.reports.wording import SMALL_SUPPORT, count_text, interval_text, number, score_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from affectcheck.records import Scored
    from affectcheck.reports.reading import Reading

DASH = Cell("\N{EN DASH}")
TOO_FEW = "no interval"
LEFT_OUT = "left-out rater"
UNBROKEN = 32
#: More cautions than this are folded.
CAUTIONS = 8


def is_signed(metric: str) -> bool:
    """Whether a value is a difference, shown with its sign."""
    return is_difference(metric) or is_shift(metric)


def value_cell(reading: Reading, score: Scored | None, *, compact: bool = False) -> Cell:
    """The value, linked to its signature; ``compact`` puts interval and random model on further lines."""
    if score is None:
        return DASH
    signed = is_signed(score.metric)
    link, faint = reading.link(score.signature), weak(score)
    if not compact:
        return Cell(score_text(score, signed=signed), link, weak=faint)
    if not isinstance(score, Score):
        return Cell("undefined", link, detail=score.reason, weak=faint)
    base = reading.baseline(score)
    random = f"random {number(base.value, signed=signed)}" if isinstance(base, Score) else ""
    below = beside(*_interval(score), _before(reading, score), random, _human(reading, score))
    return Cell(number(score.value, signed=signed), link, detail=below, weak=faint)


def _before(reading: Reading, score: Score) -> str:
    raw = reading.before(score)
    if not isinstance(raw, Score):
        return f"before: undefined, {raw.reason}" if raw else ""
    signed = is_signed(score.metric)
    return f"before {number(raw.value, signed=signed)} {interval_text(raw.interval, signed=signed)}".rstrip()


def beside(*lines: str) -> str:
    """Quieter lines below a value; short ones are not broken."""
    kept = [line.replace(" ", "\N{NO-BREAK SPACE}") if len(line) <= UNBROKEN else line for line in lines if line]
    return "\n".join(kept)


def _interval(score: Score) -> tuple[str, ...]:
    """The interval, or that there is none and the gist of why; nothing where none is due."""
    reason = why_no_interval(score)
    if reason == NOT_ASKED:  # said once, beside the scores of all items
        return ()
    return (TOO_FEW, briefly(reason)) if reason else (interval_text(score.interval, signed=is_signed(score.metric)),)


def interval_cell(score: Scored) -> Cell:
    """The interval, or that there is none, and why."""
    if not isinstance(score, Score):
        return DASH
    shown = interval_text(score.interval, signed=is_signed(score.metric))
    return Cell(shown or TOO_FEW, detail=beside(briefly(why_no_interval(score))))


def baseline_cell(reading: Reading, score: Scored) -> Cell:
    """The random model's value of the same thing."""
    base = reading.baseline(score)
    link = reading.link(base.signature) if base else ""
    return Cell(score_text(base, signed=is_signed(score.metric)), link)


def before_cell(reading: Reading, score: Scored) -> Cell:
    """The value before the steps, with its interval."""
    return _other(reading, reading.before(score))


def people_beside(reading: Reading, score: Scored) -> dict[str, Scored]:
    """The same score of people in the model's place, by what they are: ``left-out rater``."""
    return {role_of(name): found for name, found in reading.ceilings(score).items()}


def ceiling(reading: Reading, score: Scored) -> tuple[str, Score] | None:
    """The human ceiling where only one has room: that of a rater who had no part in the truth; None without any."""
    people = {role: s for role, s in people_beside(reading, score).items() if isinstance(s, Score)}
    if not people:
        return None
    role = LEFT_OUT if LEFT_OUT in people else next(iter(people))
    return role, people[role]


def _human(reading: Reading, score: Scored) -> str:
    found = ceiling(reading, score)
    return f"human {number(found[1].value, signed=is_signed(score.metric))}" if found else ""


def role_of(name: str) -> str:
    """What someone in the model's place is, without the votes that he is one of."""
    return name.partition(" of ")[0]


def _other(reading: Reading, score: Scored | None) -> Cell:
    if not isinstance(score, Score):
        return DASH if score is None else Cell("undefined", reading.link(score.signature), detail=score.reason)
    return Cell(
        number(score.value, signed=is_signed(score.metric)),
        reading.link(score.signature),
        detail=beside(*_interval(score)),
    )


def support_cell(score: Scored) -> Cell:
    """The number of items."""
    return Cell(f"{score.support:,}", weak=weak(score), detail="small" if weak(score) else "")


def weak(score: Scored) -> bool:
    """Whether the support is small."""
    return score.support < SMALL_SUPPORT


def score_table(reading: Reading, scores: Sequence[Scored], caption: str, *, name: Callable[[Scored], str]) -> Table:
    """One row a score: name, value, interval, what stands beside it, support and which way is better.

    Where predictions went through steps, the value before them stands first; where people were scored in the model's
    place, their values stand behind the random model's.
    """
    stepped = any(reading.before(score) for score in scores)
    roles = tuple(dict.fromkeys(role for score in scores for role in people_beside(reading, score)))
    columns = (
        Column("Metric"),
        *((Column("Before the steps", "number"),) if stepped else ()),
        Column("After the steps" if stepped else "Value", "number"),
        Column("Interval", "number"),
        *((Column("Random model", "number"),) if reading.has_baseline else ()),
        *(Column(f"Human: {role}", "number") for role in roles),
        Column("n", "number"),
        Column("Better"),
    )
    rows = []
    for score in scores:
        people = people_beside(reading, score)
        cells = (
            Cell(name(score)),
            *((before_cell(reading, score),) if stepped else ()),
            value_cell(reading, score),
            interval_cell(score),
            *((baseline_cell(reading, score),) if reading.has_baseline else ()),
            *(_other(reading, people.get(role)) for role in roles),
            support_cell(score),
            Cell(better_of(score.metric) or "\N{EN DASH}"),
        )
        rows.append(Row(cells))
    how = methods(scores)
    return Table(f"{caption}. {how}." if how else f"{caption}.", columns, tuple(rows))


def note_lines(reading: Reading, scores: Sequence[Scored]) -> tuple[Lines | Details, ...]:
    """What must be read with some scores, if anything; folded where it is much."""
    found = notes(scores, reading.variant)
    if len(found) <= CAUTIONS:
        return (Lines(found, "Read with care"),) if found else ()
    return (Details(f"Read with care: {count_text(len(found), 'note')}", (Lines(found),)),)
