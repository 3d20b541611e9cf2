"""Cells that several sections share: a score with its interval, its support and the random model beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affectcheck.records import Score
from affectcheck.reports.document import Cell, Column, Lines, Row, Table
from affectcheck.reports.glossary import better_of, is_difference
from affectcheck.reports.remarks import methods, notes
from affectcheck.reports.wording import SMALL_SUPPORT, interval_text, number, score_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from affectcheck.records import Scored
    from affectcheck.reports.reading import Reading

DASH = Cell("\N{EN DASH}")
TOO_FEW = "no interval"


def value_cell(reading: Reading, score: Scored | None, *, compact: bool = False) -> Cell:
    """The value, linked to its signature; ``compact`` puts interval and random model on a second line."""
    if score is None:
        return DASH
    signed = is_difference(score.metric)
    link, faint = reading.link(score.signature), weak(score)
    if not compact:
        return Cell(score_text(score, signed=signed), link, weak=faint)
    if not isinstance(score, Score):
        return Cell("undefined", link, detail=score.reason, weak=faint)
    base = reading.baseline(score)
    random = f"random {number(base.value, signed=signed)}" if isinstance(base, Score) else ""
    parts = (interval_text(score.interval, signed=signed), random)
    detail = "\n".join(part.replace(" ", "\N{NO-BREAK SPACE}") for part in parts if part)
    return Cell(number(score.value, signed=signed), link, detail=detail, weak=faint)


def interval_cell(score: Scored) -> Cell:
    """The interval, or that there is none."""
    if not isinstance(score, Score):
        return DASH
    return Cell(interval_text(score.interval, signed=is_difference(score.metric)) or TOO_FEW)


def baseline_cell(reading: Reading, score: Scored) -> Cell:
    """The random model's value of the same thing."""
    base = reading.baseline(score)
    link = reading.link(base.signature) if base else ""
    return Cell(score_text(base, signed=is_difference(score.metric)), link)


def before_cell(reading: Reading, score: Scored) -> Cell:
    """The value before the steps."""
    raw = reading.before(score)
    return Cell(score_text(raw, signed=is_difference(score.metric)), reading.link(raw.signature) if raw else "")


def support_cell(score: Scored) -> Cell:
    """The number of items."""
    return Cell(f"{score.support:,}", weak=weak(score), detail="small" if weak(score) else "")


def weak(score: Scored) -> bool:
    """Whether the support is small."""
    return score.support < SMALL_SUPPORT


def score_table(reading: Reading, scores: Sequence[Scored], caption: str, *, name: Callable[[Scored], str]) -> Table:
    """One row a score: name, value, interval, random model, support and which way is better.

    Where predictions went through steps, the value before them stands first.
    """
    stepped = any(reading.before(score) for score in scores)
    columns = (
        Column("Metric"),
        *((Column("Before the steps", "number"),) if stepped else ()),
        Column("After the steps" if stepped else "Value", "number"),
        Column("Interval", "number"),
        *((Column("Random model", "number"),) if reading.has_baseline else ()),
        Column("n", "number"),
        Column("Better"),
    )
    rows = []
    for score in scores:
        base = (baseline_cell(reading, score),) if reading.has_baseline else ()
        cells = (
            Cell(name(score)),
            *((before_cell(reading, score),) if stepped else ()),
            value_cell(reading, score),
            interval_cell(score),
            *base,
            support_cell(score),
            Cell(better_of(score.metric) or "\N{EN DASH}"),
        )
        rows.append(Row(cells))
    how = methods(scores)
    return Table(f"{caption}. {how}." if how else f"{caption}.", columns, tuple(rows))


def note_lines(reading: Reading, scores: Sequence[Scored]) -> tuple[Lines, ...]:
    """What must be read with some scores, if anything."""
    found = notes(scores, reading.variant)
    return (Lines(found, "Read with care"),) if found else ()
