"""Sections on an audit: verdicts, distances beside chance, joint cells, adequacy, and the items that offend."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from affectcheck.partitions.findings import POINTS
from affectcheck.reports.charts import Floor, FloorChart
from affectcheck.reports.document import Cell, Column, Details, Figure, Row, Section, Table, Text
from affectcheck.reports.wording import clean, count_text, number, p_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from affectcheck.partitions.audit import Audit
    from affectcheck.reports.document import Block

DASH = "\N{EN DASH}"
#: Rows of a long table; the rest is in the CSV file and in ``--json``.
OFFENDING = 100
_OPENED = 20
_CELLS = 60
_ALL = "all"
_FAR = 0.05 + 1e-9
_OWN = ("cell", "items", "units", "splittable")


def verdicts(audit: Audit) -> Section:
    """A verdict a rule, by point of the protocol, with its reason."""
    rows = []
    for point in dict.fromkeys(finding.point for finding in audit.findings):
        if point:
            rows.append(Row((Cell(f"{point}) {POINTS[point]}"),), heading=True))
        for found in audit.findings:
            if found.point == point:
                rows.append(Row((Cell(found.rule), Cell("", status=found.status), Cell(found.reason)), found.status))
    head = (Column("Rule"), Column("Verdict", "status"), Column("Why"))
    table = Table("A verdict for every rule, by the points of the protocol (paper 1, section II-B)", head, tuple(rows))
    lead = "No broken rule means that none was found to be broken with these data, not that the sets are alike in everything."
    return Section("verdicts", "Verdicts", (table,), lead)


def distances(audit: Audit) -> Section | None:
    """How far each set is from all items, and the sets from each other, beside what chance alone makes."""
    rows = audit.distances.to_dicts()
    if not rows:
        return None
    own = [row for row in rows if row["against"] == _ALL]
    pairs = [row for row in rows if row["against"] != _ALL]
    blocks: list[Block] = []
    for title, chosen in (("Each set and all items", own), ("One set and another: label shift", pairs)):
        if chosen:
            blocks.append(_distance_figure(title, chosen))
    lead = (
        "Total variation: the share of items that would have to change their value for both to be alike. The bar reaches "
        f"to the 95 % mark of random divisions of whole {_units(audit)}, its tick is their mean. A triangle is farther than "
        "95 % of them; the protocol asks for similar distributions, and can make them closer than chance does."
    )
    if audit.shifts.height:
        blocks.append(_shifts(audit.shifts))
    return Section("distances", "Distances", tuple(blocks), lead)


def _units(audit: Audit) -> str:
    return next(iter(audit.units), "items")


def _distance_figure(title: str, rows: Sequence[dict[str, Any]]) -> Figure:
    floors = tuple(_floor(row) for row in rows if row["total_variation"] is not None and row["p_value"] is not None)
    kinds = ("text", "text", "text", *["number"] * 7)
    heads = (
        "Column",
        "Set",
        "Against",
        "Total variation",
        "By chance",
        "95 % mark",
        "p",
        "Jensen-Shannon",
        "Items",
        "Units",
    )
    columns = tuple(Column(name, kind) for name, kind in zip(heads, kinds, strict=True))  # type: ignore[arg-type]
    table = Table(f"{title}: distances; Jensen-Shannon divergence in bits", columns, tuple(map(_distance_row, rows)))
    far = sum(floor.decision == "exceeds" for floor in floors)
    caption = f"{title}: {far} of {count_text(len(floors), 'distance')} farther than 95 % of random divisions"
    return clean(Figure(FloorChart(floors, f"{caption}. The table has the numbers"), caption, table))


def _floor(row: dict[str, Any]) -> Floor:
    beside = "" if row["against"] == _ALL else f" / {row['against']}"
    far = row["p_value"] <= _FAR
    words = "farther than 95 % of random divisions" if far else "no farther than a random division"
    decision = "exceeds" if far else "within"
    label = f"{row['column']}: {row['set']}{beside}"
    return Floor(label, row["total_variation"], row["null_mean"], row["null_high"], decision, words)  # type: ignore[arg-type]


def _distance_row(row: dict[str, Any]) -> Row:
    texts = [_number(row[name]) for name in ("total_variation", "null_mean", "null_high")]
    p_value = DASH if row["p_value"] is None else p_text(row["p_value"])
    counts = (f"{row['items']:,}", f"{row['units']:,}")
    cells = (row["column"], row["set"], row["against"], *texts, p_value, _bits(row["jensen_shannon"]), *counts)
    return Row(tuple(map(Cell, cells)))


def _number(value: float | None) -> str:
    return DASH if value is None else number(value)


def _bits(value: float | None) -> str:
    """Divergences of like distributions are small: four decimals."""
    return DASH if value is None else f"{value:.4f}"


def _shifts(frame: pl.DataFrame) -> Table:
    """Whatever stands beside the sets of dimensions, as it is."""
    return clean(Table("Dimensions by set", *plain_table(frame)))


def plain_table(frame: pl.DataFrame) -> tuple[tuple[Column, ...], tuple[Row, ...]]:
    """Columns and rows of any frame of plain values."""
    columns = tuple(
        Column(name.replace("_", " "), "number" if frame.schema[name].is_numeric() else "text")
        for name in frame.columns
    )
    return columns, tuple(Row(tuple(Cell(_plain(value)) for value in row)) for row in frame.iter_rows())


def _plain(value: object) -> str:
    if value is None:
        return DASH
    if isinstance(value, float):
        return number(value)
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def joint_cells(audit: Audit) -> Section | None:
    """Which cells of label by age by gender by race a set lacks."""
    frame = audit.joint
    if not frame.height:
        return None
    attributes = [name for name in frame.columns if frame.schema[name] == pl.String and name != "cell"]
    sets = [name for name in frame.columns if name not in (*attributes, *_OWN)]
    empty = pl.any_horizontal(pl.col(name) == 0 for name in sets)
    lacking = frame.filter(pl.col("splittable") & empty).sort("items", "cell", descending=[True, False])
    small = frame.filter(~pl.col("splittable"))
    shown = lacking.head(_CELLS).select("cell", *sets, "items", "units")
    told = (
        f"{count_text(frame.height, 'cell')} of {' × '.join(attributes)} {'hold' if frame.height > 1 else 'holds'} items. "
        f"{small.height:,} of them are held by fewer units than there are sets, and cannot be in every set. "
        f"{lacking.height:,} of the others are missing in a set."
    )
    blocks: list[Block] = [Text(told)]
    if lacking.height:
        more = f"; the largest {_CELLS} of {lacking.height:,}" if lacking.height > _CELLS else ""
        table = Table(f"Cells that a set lacks although enough units hold them{more}", *plain_table(shown))
        blocks.append(Details("Missing cells", (table,), aside=count_text(lacking.height, "cell")))
    return clean(Section("joint", "Joint cells", tuple(blocks)))


def adequacy(audit: Audit) -> Section | None:
    """How wide an interval of a share would be in each set, and for which values it is too wide."""
    frame = audit.adequacy
    if not frame.height:
        return None
    judged = frame.filter(pl.col("verdict") != "not applicable")
    widths = judged.get_column("width")
    narrow = judged.filter(verdict="passed").height
    told = (
        f"{narrow:,} of {count_text(judged.height, 'cell')} (value by set) support an interval that is "
        f"narrow enough; the widest is {_number(float(widths.max())) if len(widths) else DASH}. "  # type: ignore[arg-type]
        "Width: of a 95 % interval of a share of one half, at the effective number of items, whole subjects counted as such."
    )
    table = Table("What the support of each value in each set allows", _ADEQUACY, tuple(_adequacy_rows(judged)))
    counts = tuple((name, judged.filter(verdict=name).height) for name in ("failed", "inconclusive", "passed"))
    details = Details("Every value in every set", (table,), opened=counts[0][1] > 0, counts=counts)
    return clean(Section("adequacy", "Adequacy", (Text(told), Text(_VERDICTS), details)))


_VERDICTS = (
    "Failed: the data hold enough for a narrow interval in each set, and this set got too little. Inconclusive: all sets "
    "together hold too little, so that no partition of these data could do much better."
)
_ADEQUACY = (
    Column("Value"),
    Column("Set"),
    Column("Verdict", "status"),
    *(Column(name, "number") for name in ("Items", "Units", "Effective items", "Width", "Width if shared fairly")),
)


def _adequacy_rows(frame: pl.DataFrame) -> Iterator[Row]:
    column = ""
    for row in frame.to_dicts():
        if row["column"] != column:
            column = row["column"]
            yield Row((Cell(column),), heading=True)
        counts = (f"{row['items']:,}", f"{row['units']:,}", f"{row['effective']:,.1f}")
        widths = (number(row["width"]), number(row["fair_width"]))
        verdict = Cell("", status=row["verdict"])
        yield Row((Cell(row["value"]), Cell(row["set"]), verdict, *map(Cell, (*counts, *widths))))


def offending(audit: Audit) -> Section | None:
    """The first items that break a rule."""
    frame = audit.offending
    if not frame.height:
        return None
    told = f"{count_text(frame.height, 'row')}, an item for each rule that it breaks."
    if frame.height > OFFENDING:
        told += f" The first {OFFENDING} are here; a report written as .csv has all."
    columns, rows = plain_table(frame.head(OFFENDING).select("item", "set", "rule", "value"))
    table = Table("Items that break a rule", columns, rows)
    details = Details("The items", (table,), aside=count_text(len(rows), "row"), opened=len(rows) <= _OPENED)
    return clean(Section("offending", "Offending items", (Text(told), details)))


def present(sections: Iterable[Section | None]) -> tuple[Section, ...]:
    """The sections that there are."""
    return tuple(section for section in sections if section is not None)
