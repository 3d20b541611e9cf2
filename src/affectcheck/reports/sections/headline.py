"""Scores of the whole set, with intervals, beside the random model; and how they vary with the partition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from affectcheck.records import Score
from affectcheck.reports.document import Cell, Column, Details, Row, Section, Table, Text
from affectcheck.reports.glossary import title_of
from affectcheck.reports.remarks import methods
from affectcheck.reports.sections.cells import note_lines, score_table
from affectcheck.reports.sections.tables import rows_of
from affectcheck.reports.sections.units import thresholds
from affectcheck.reports.wording import count_text, number, plain, without_digests

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.records import Scored
    from affectcheck.reports.document import Block
    from affectcheck.reports.reading import Reading

_PART_OF_IT: Final = "the truth, which they helped to make"


def build(reading: Reading) -> Section | None:
    """The section; none where nothing was scored."""
    blocks: list[Block] = []
    for view in reading.views:
        scores = view.overall
        if scores:
            blocks.append(score_table(view, scores, view.titled("Scores over all items"), name=view.variant))
            blocks += [*thresholds(view), *_steps(view), *_people(view, scores)]
            blocks += [*_interval_note(view), *note_lines(view, scores)]
    blocks += _repeats(reading)
    return Section("scores", "Scores", tuple(blocks)) if blocks else None


def _steps(view: Reading) -> tuple[Text, ...]:
    """What was done to the predictions, in order."""
    return tuple(
        Text(f"Before they were scored, the predictions went through: {', then '.join(steps.split('|'))}.")
        for steps in view.steps
    )


def _people(view: Reading, scores: Sequence[Scored]) -> tuple[Text, ...]:
    """Who was put in the model's place, against which truth."""
    truths: dict[str, dict[str, None]] = {}
    for score in scores:
        for name, found in view.ceilings(score).items():
            truths.setdefault(name, {})[found.signature.truth or _PART_OF_IT] = None
    told = [f"{name} against {' or '.join(against)}" for name, against in truths.items()]
    said = without_digests("; ".join(told))
    return (Text(f"Human ceilings, people in the model's place: {said}."),) if told else ()


def _interval_note(view: Reading) -> tuple[Text, ...]:
    """Says why no score has an interval, unless the scores say it themselves."""
    told = any("interval" in note for score in view.overall for note in score.notes)
    if told or methods(view.overall):
        return ()
    units = {score.signature.clusters for score in view.overall if isinstance(score, Score)} - {""}
    if not units:
        return (Text("No intervals were asked for.", "note"),)
    return (
        Text(
            f"No intervals: too few clusters ({' or '.join(sorted(units))}) to resample. Predictions for all subjects, "
            "each made without that subject, would give one.",
            "note",
        ),
    )


def _repeats(reading: Reading) -> tuple[Block, ...]:
    """The headline score on the test sets of further partitions."""
    rows = rows_of(reading.record.tables.get("partitions"))
    if not rows:
        return ()
    values = [float(row["value"]) for row in rows if row.get("value") is not None]
    said = f"Another partition gives another test set. On {count_text(len(rows), 'further partition')}"
    if values:
        said += f" the {title_of(str(rows[0].get('metric', '')))} is between {number(min(values))} and {number(max(values))}"
    summary = reading.header.partition.get("repeats")
    if isinstance(summary, dict) and isinstance(summary.get("mean"), float):
        spread = summary.get("standard_deviation")
        said += f", on average {number(summary['mean'])}"
        said += f" (standard deviation {number(spread)})" if isinstance(spread, float) else ""
    lines = [
        Row((Cell(plain(row.get("seed"))), Cell("undefined" if row.get("value") is None else number(row["value"]))))
        for row in rows
    ]
    columns = (Column("Seed of the partition"), Column(title_of(str(rows[0].get("metric", ""))), "number"))
    table = Table("The headline score on further partitions", columns, tuple(lines))
    return (Text(f"{said}."), Details("Each further partition", (table,)))
