"""Scores of the whole set, with intervals, beside the random model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affectcheck.records import Score
from affectcheck.reports.document import Section, Text
from affectcheck.reports.reading import methods
from affectcheck.reports.sections.cells import note_lines, score_table
from affectcheck.reports.wording import percent

if TYPE_CHECKING:
    from affectcheck.reports.document import Block
    from affectcheck.reports.reading import Reading


def build(reading: Reading) -> Section | None:
    """The section; none where nothing was scored."""
    scores = reading.overall
    if not scores:
        return None
    table = score_table(reading, scores, "Scores over all items", name=reading.variant)
    blocks: list[Block] = [table, *note_lines(reading, scores)]
    if not methods(scores):
        blocks.insert(1, Text(_why_no_interval(reading), "note"))
    return Section("scores", "Scores", tuple(blocks))


def _why_no_interval(reading: Reading) -> str:
    units = {score.signature.clusters for score in reading.overall if isinstance(score, Score)} - {""}
    unit = " or ".join(sorted(units)) or "subjects"
    level = percent(0.95)
    return f"No {level} intervals: there are too few clusters ({unit}) to resample. Predictions for all speakers, each made without that speaker, would give one."
