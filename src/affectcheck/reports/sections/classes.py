"""Scores by class, unit or dimension, and the confusion matrix."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from affectcheck.reports.charts import DotChart, MatrixChart, Panel
from affectcheck.reports.document import Cell, Column, Details, Figure, Row, Section, Table
from affectcheck.reports.remarks import methods
from affectcheck.reports.sections.cells import DASH, note_lines, value_cell
from affectcheck.reports.sections.group_scores import MANY, PANELS, dot
from affectcheck.reports.sections.scatter import clouds, histograms
from affectcheck.reports.sections.tables import rows_of
from affectcheck.reports.sections.units import unit_counts
from affectcheck.reports.wording import percent, score_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.records import Scored
    from affectcheck.reports.document import Block
    from affectcheck.reports.reading import Reading

#: Metrics of parts that are drawn and told first.
_FIRST: Final = ("unit_f1", "unit_recall", "unit_precision")
TITLES: Final = {"categories": "Classes", "units": "Action units", "dimensions": "Dimensions"}


def build(reading: Reading) -> Section | None:
    """The section; none where the record holds nothing of it."""
    tables = reading.record.tables
    blocks: list[Block] = [
        *_scores(reading),
        *_confusions(rows_of(tables.get("confusion")), _declared(reading)),
        *unit_counts(reading),
        *clouds(reading, rows_of(tables.get("scatter"))),
        *histograms(rows_of(tables.get("histogram"))),
        *note_lines(reading, reading.parts),
    ]
    title = reading.titled(TITLES[reading.kind])
    return Section(reading.anchored("classes"), title, tuple(blocks)) if blocks else None


def _declared(reading: Reading) -> tuple[str, ...]:
    parts = reading.header.model.get("parts") or ()
    return tuple(str(part) for part in parts)


def _scores(reading: Reading) -> tuple[Block, ...]:
    scores = reading.parts
    if not scores:
        return ()
    order = sorted(scores, key=lambda score: _FIRST.index(score.metric) if score.metric in _FIRST else len(_FIRST))
    variants = tuple(dict.fromkeys(reading.variant(score) for score in order))
    names = tuple(dict.fromkeys(score.place.part for score in scores))
    cells = {(score.place.part, reading.variant(score)): score for score in scores}
    panels = tuple(
        Panel(variant, tuple(dot(reading, cells.get((name, variant)), name, n=False) for name in names))
        for variant in variants[:PANELS]
    )
    how = methods(scores)
    marks = ["Dots: values, hollow below 30 items", *([f"lines: {how}"] if how else [])]
    marks += ["diamonds: the random model"] if reading.has_baseline else []
    said = "; ".join(f"{reading.variant(score)} {score.place.part}: {score_text(score)}" for score in scores)
    chart = DotChart(panels, f"Scores of each {reading.part}. {said}")
    caption = f"Scores of each {reading.part}. {'; '.join(marks)}."
    return (Figure(chart, caption, _part_table(reading, variants, names, cells), folded=False),)


def _part_table(
    reading: Reading, variants: Sequence[str], names: Sequence[str], cells: dict[tuple[str, str], Scored]
) -> Table:
    rows = []
    for name in names:
        mine = [cells.get((name, variant)) for variant in variants]
        support = max((score.support for score in mine if score), default=None)
        n = DASH if support is None else Cell(f"{support:,}")
        rows.append(Row((Cell(name), n, *(value_cell(reading, score, compact=True) for score in mine))))
    head = Column(reading.part.capitalize())
    columns = (head, Column("n", "number"), *(Column(variant, "number") for variant in variants))
    random = " and random model" if reading.has_baseline else ""
    return Table(f"Scores of each {reading.part}, with interval{random}", columns, tuple(rows))


def _confusions(rows: list[dict[str, Any]], declared: tuple[str, ...]) -> tuple[Block, ...]:
    kinds: dict[tuple[str, str], Counter[tuple[str, str]]] = {}
    for row in rows:
        place = (str(row.get("attribute") or ""), str(row.get("group") or ""))
        kinds.setdefault(place, Counter())[str(row["truth"]), str(row["prediction"])] += int(row["count"])
    pairs = dict.fromkeys(pair for counts in kinds.values() for pair in counts)
    truths = _ordered([truth for truth, _ in pairs], declared)
    predictions = _ordered([prediction for _, prediction in pairs], declared)
    blocks: list[Block] = []
    folded: dict[str, list[Figure]] = {}
    for (attribute, group), counts in kinds.items():
        where = f" ({attribute} = {group})" if group else ""
        figure = confusion_figure(truths, predictions, counts, where)
        (folded.setdefault(attribute, []) if group else blocks).append(figure)
    for attribute, figures in folded.items():
        # Of many groups the counts alone: twenty drawings would hide what is to be seen.
        shown = figures if len(figures) <= MANY else [figure.table for figure in figures if figure.table]
        blocks.append(Details(f"Confusion matrices by {attribute}", tuple(shown)))
    return tuple(blocks)


def _ordered(seen: Sequence[str], declared: Sequence[str]) -> tuple[str, ...]:
    """The declared labels that occur, in their order, then any others."""
    found = dict.fromkeys(seen)
    return (*(label for label in declared if label in found), *(label for label in found if label not in declared))


def confusion_figure(
    truths: Sequence[str], predictions: Sequence[str], counts: Counter[tuple[str, str]], where: str = ""
) -> Figure:
    """The matrix as a figure with its table."""
    grid = tuple(tuple(counts[truth, prediction] for prediction in predictions) for truth in truths)
    found = [
        f"{truth}: {percent(counts[truth, truth] / sum(row))} found"
        for truth, row in zip(truths, grid, strict=True)
        if sum(row)
    ]
    said = f"Confusion matrix{where} of {len(truths)} classes. {'; '.join(found)}"
    caption = (
        f"Confusion matrix{where}: rows are the truth, columns the prediction. Each cell: items, and their share of "
        "the row, which its colour shows too (dark: none, light: all)."
    )
    rows = [
        Row((Cell(truth), *(Cell(f"{value:,}") for value in row), Cell(f"{sum(row):,}")))
        for truth, row in zip(truths, grid, strict=True)
    ]
    columns = (Column("Truth"), *(Column(label, "number") for label in predictions), Column("Sum", "number"))
    table = Table(f"Counts{where}: truth by row, prediction by column", columns, tuple(rows))
    return Figure(MatrixChart(tuple(truths), tuple(predictions), grid, said), caption, table)
