"""What the disparities of an attribute say: verdicts with limit and null band, undefined cells, and single parts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from affectcheck.metrics.rules import RULES
from affectcheck.records import Score
from affectcheck.reports.charts import Floor, FloorChart
from affectcheck.reports.document import Cell, Column, Details, Figure, Lines, Row, Table
from affectcheck.reports.remarks import undefined_cells
from affectcheck.reports.sections.cells import DASH, beside, value_cell, weak
from affectcheck.reports.sections.judging import decide, judge
from affectcheck.reports.wording import apart, band_text, count_text, number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.records import Scored
    from affectcheck.reports.document import Block
    from affectcheck.reports.reading import Reading
    from affectcheck.reports.sections.judging import Judged

#: Columns of values, in this order, where a convention occurs.
_CONVENTIONS: Final = ("tables", "paper", "upstream")
#: Undefined cells that are told one by one; of crossed groups there may be hundreds.
CELLS: Final = 12
SAME: Final = "same"


def judged_of(reading: Reading, scores: Sequence[Scored]) -> tuple[Judged, ...]:
    """The disparities of an attribute over all parts, each with its verdict."""
    kinds: dict[tuple[str, str], list[Scored]] = {}
    for score in scores:
        if not score.place.part:
            kinds.setdefault((score.metric, reading.setting(score)), []).append(score)
    return tuple(judge(reading, found, reading.named(found[0])) for found in kinds.values())


def verdicts(reading: Reading, attribute: str, scores: Sequence[Scored]) -> tuple[Block, ...]:
    """The table of verdicts, and the figure of the values over their null bands."""
    found = judged_of(reading, scores)
    if not found:
        return ()
    floors = [
        _floor(reading, one, score)
        for one in found
        for score in one.scores.values()
        if isinstance(score, Score) and score.floor
    ]
    table = _table(reading, attribute, found)
    return (_figure(attribute, floors, table),) if floors else (table,)


def _table(reading: Reading, attribute: str, found: Sequence[Judged]) -> Table:
    given = {name for one in found for name in one.scores} - {""}
    conventions = [*(name for name in _CONVENTIONS if name in given), *sorted(given - set(_CONVENTIONS))]
    titles = [f"Value, {name}" for name in conventions] or ["Value"]
    columns = (
        Column("Disparity"),
        Column("Verdict", "status"),
        *(Column(title, "number") for title in titles),
        Column("Limit", "number"),
        Column("Null band", "number"),
        Column("Undefined", "number"),
        Column("n", "number"),
        Column("Reason"),
    )
    rows = tuple(Row(_cells(reading, one, conventions)) for one in found)
    how = dict.fromkeys(
        f"{score.floor.method}, {count_text(score.floor.draws, 'draw')}"
        for one in found
        for score in one.scores.values()
        if isinstance(score, Score) and score.floor and score.floor.method
    )
    drawn = " Null band: mean … 95 % mark" + (f", {'; '.join(how)}." if how else ".")
    caption = (
        f"Verdicts by {attribute}: each disparity, in the scaling of the published tables and in that of the paper's "
        f"formulae, against its limit and what chance reaches; how many of its cells are undefined.{drawn}"
    )
    return Table(caption, columns, rows)


def _cells(reading: Reading, one: Judged, conventions: Sequence[str]) -> tuple[Cell, ...]:
    judged = one.judged
    return (
        Cell(one.title),
        Cell(one.status, status=one.status),
        *(_value(reading, one, name) for name in conventions or [""]),
        DASH if one.limit is None else Cell(f"{one.limit:g}"),
        _band(one),
        Cell(_undefined(one)),
        Cell(f"{judged.support:,}", weak=weak(judged)),
        Cell(one.reason),
    )


def _value(reading: Reading, one: Judged, convention: str) -> Cell:
    """The value in one scaling, with the random model below it; where all scalings agree, it stands once."""
    score = one.scores.get(convention)
    if score is None and "" in one.scores:
        if convention not in ("", "tables"):
            return Cell(SAME)
        score = one.scores[""]
    cell = value_cell(reading, score, compact=True)
    return replace(cell, text=judged_number(score)) if isinstance(score, Score) else cell


def judged_number(score: Score) -> str:
    """A disparity that no rounding puts onto what it is judged by."""
    limit = [score.decision.limit] if score.decision else []
    return apart(score.value, *([score.floor.quantile] if score.floor else []), *limit)


def _band(one: Judged) -> Cell:
    """The null band of the judged value, and below it those of the other scalings."""
    bands = {
        name: band_text(score.floor, score.value)
        for name, score in one.scores.items()
        if isinstance(score, Score) and score.floor
    }
    name = one.judged.signature.convention
    others = [f"{other}: {band}" for other, band in bands.items() if other != name]
    return Cell(bands.get(name, DASH.text), detail=beside(*others))


def _undefined(one: Judged) -> str:
    """How many cells were undefined, by scaling where they differ."""
    counts = {name: score.undefined_parts for name, score in one.scores.items() if isinstance(score, Score)}
    return "/".join(f"{count:,}" for count in dict.fromkeys(counts.values())) or DASH.text


def _floor(reading: Reading, one: Judged, score: Score) -> Floor:
    decision, words = decide(reading, score)
    mean, quantile = (score.floor.mean, score.floor.quantile) if score.floor else (0.0, 0.0)
    limit = score.decision.limit if score.decision else None
    convention = score.signature.convention
    label = f"{one.title} ({convention})" if len(one.scores) > 1 else one.title
    return Floor(label, score.value, mean, quantile, decision, words, limit)


def _figure(attribute: str, floors: Sequence[Floor], table: Table) -> Figure:
    said = "; ".join(f"{f.label}: {number(f.value)}, null band up to {number(f.quantile)}, {f.words}" for f in floors)
    caption = (
        f"Disparities by {attribute} over their null bands. Bands: what a model that treats all groups alike would reach "
        "at these group sizes, up to its 95 % mark; short ticks: the mean of that; long ticks: the limit, where one is "
        "judged. Triangles exceed both, diamonds are inconclusive, dots are within: a point inside its band is no evidence "
        "of a difference."
    )
    chart = FloorChart(tuple(floors), f"Disparities over their null bands. {said}")
    return Figure(chart, caption, table, folded=False, leads=True)


def undefined(reading: Reading, attribute: str, scores: Sequence[Scored]) -> tuple[Details, ...]:
    """Which cells were undefined, disparity by disparity; folded."""
    lines = []
    total = 0
    for score in scores:
        count = score.undefined_parts if isinstance(score, Score) else 0
        if count and not score.place.part:
            total = max(total, count)
            lines.append(
                f"{reading.variant(score)}: {count_text(count, 'cell')}. {_which(undefined_cells(score))}".rstrip()
            )
    if not lines:
        return ()
    title = f"Undefined cells by {attribute}: up to {total:,}, which ones and what became of them"
    rules = dict.fromkeys(
        f"{reading.variant(score)}: {RULES.get(score.signature.undefined, score.signature.undefined)}"
        for score in scores
        if isinstance(score, Score) and score.undefined_parts and not score.place.part and score.signature.undefined
    )
    return (Details(title, (Lines(tuple(lines)), Lines(tuple(rules), "What became of them"))),)


def _which(sentences: Sequence[str]) -> str:
    left = len(sentences) - CELLS
    shown = sentences if left <= 1 else sentences[:CELLS]
    return "; ".join(shown) + (f"; and {left} more" if left > 1 else "")


def of_parts(reading: Reading, attribute: str, scores: Sequence[Scored]) -> tuple[Details, ...]:
    """Disparities, and means over groups, of each class, unit or dimension; folded."""
    scores = [score for score in scores if score.place.part]
    if not scores:
        return ()
    variants = tuple(dict.fromkeys(reading.variant(score) for score in scores))
    names = tuple(dict.fromkeys(score.place.part for score in scores))
    cells = {(score.place.part, reading.variant(score)): score for score in scores}
    title = f"Disparities of each {reading.part} by {attribute}"
    columns = (
        Column(reading.part.capitalize()),
        Column("n", "number"),
        *(Column(variant, "number") for variant in variants),
    )
    rows = []
    for name in names:
        mine = [cells.get((name, variant)) for variant in variants]
        support = max(score.support for score in mine if score)
        rows.append(Row((Cell(name), Cell(f"{support:,}"), *(_part_cell(reading, score) for score in mine))))
    caption = (
        f"{title}. Below a value: its interval, or the 95 % mark of its null band and whether it is above that. The limit is "
        "one of the mean, so that no part is judged by itself; of many parts some stand out by chance."
    )
    return (Details(title, (Table(caption, columns, tuple(rows)),)),)


def _part_cell(reading: Reading, score: Scored | None) -> Cell:
    cell = value_cell(reading, score, compact=True)
    if not isinstance(score, Score) or score.floor is None:
        return cell
    above = score.value > score.floor.quantile
    chance = f"{'above' if above else 'within'} chance, {number(score.floor.quantile)}"
    return Cell(cell.text, cell.link, detail=beside(chance, cell.detail), weak=cell.weak)
