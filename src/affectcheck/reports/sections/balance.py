"""How the sets of the partition compare: the share of every value in each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from affectcheck.reports.document import Cell, Column, Details, Row, Section, Table
from affectcheck.reports.sections.tables import rows_of
from affectcheck.reports.wording import percent, plain

if TYPE_CHECKING:
    from affectcheck.reports.document import Block
    from affectcheck.reports.reading import Reading

_DRAWN: Final = frozenset(
    {"confusion", "scatter", "histogram", "balance", "groups", "not_tested", "partitions", "units", "thresholds"}
)
#: Tables of behaviour tests, which their figures and the pages of the tests show.
_BEHAVIOUR: Final = "behaviour_"
ROWS: Final = 200


def build(reading: Reading) -> Section | None:
    """The section: the balance, then whatever tables the record holds that no other section shows."""
    tables = reading.record.tables
    blocks: list[Block] = []
    balance = rows_of(tables.get("balance"))
    if balance:
        blocks.append(_balance(balance))
    others = (name for name in tables if name not in _DRAWN and not name.startswith(_BEHAVIOUR))
    blocks += [_other(name, tables[name]) for name in others if tables[name].get("rows")]
    lead = (
        "How alike the sets are: a value that one set lacks cannot be learnt, or cannot be tested." if balance else ""
    )
    return Section("balance", "Data", tuple(blocks), lead) if blocks else None


def _balance(rows: list[dict[str, Any]]) -> Table:
    sets = tuple(dict.fromkeys(str(row["set"]) for row in rows))
    values = tuple(dict.fromkeys((str(row["column"]), plain(row["value"])) for row in rows))
    cells = {(str(row["set"]), str(row["column"]), plain(row["value"])): row for row in rows}
    targets = {str(row["set"]): row.get("target") for row in rows}
    columns = [Column("Column and value")]
    for name in sets:
        target = targets[name]
        wanted = f" (target {percent(target)})" if isinstance(target, int | float) else ""
        columns.append(Column(f"{name}{wanted}", "number"))
    found = []
    for column, value in values:
        row = [Cell("all items" if (column, value) == ("items", "all") else f"{column} = {value}")]
        for name in sets:
            cell = cells.get((name, column, value))
            if cell is None or cell.get("share") is None:
                row.append(Cell("0" if cell is None else plain(cell.get("count"))))
            else:
                row.append(Cell(percent(float(cell["share"])), detail=f"{int(cell['count']):,} items"))
        found.append(Row(tuple(row)))
    return Table("Share of each value that lies in each set", tuple(columns), tuple(found))


def _other(name: str, table: dict[str, list[Any]]) -> Details:
    numeric = [
        all(isinstance(row[i], int | float | None) for row in table["rows"]) for i in range(len(table["columns"]))
    ]
    columns = tuple(
        Column(str(title), "number" if is_number else "text")
        for title, is_number in zip(table["columns"], numeric, strict=True)
    )
    rows = tuple(Row(tuple(Cell(plain(value)) for value in row)) for row in table["rows"][:ROWS])
    left = len(table["rows"]) - len(rows)
    caption = f"Table {name}" + (f": the first {ROWS} rows; {left:,} more are in the record" if left > 0 else "")
    return Details(f"Table: {name.replace('_', ' ')}", (Table(caption, columns, rows),))
