"""What stays under every perturbation, group by group: one table a column of groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from affectcheck.reports.document import Cell, Column, Row, Table
from affectcheck.reports.glossary import title_of
from affectcheck.reports.sections.tables import rows_of
from affectcheck.reports.sections.verdicts import DASH
from affectcheck.reports.wording import percent

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from affectcheck.reports.reading import Reading

#: Items below which a share is greyed: that of groups which are not compared.
SMALL: Final = 30
_PREFIX: Final = ("face-fairness-under-", "fairness-under-")


def staying_tables(reading: Reading) -> tuple[Table, ...]:
    """The tables of a record; none where no perturbation was asked about groups."""
    found = rows_of(reading.record.tables.get("behaviour_stays"))
    kinds = dict.fromkeys((row["attribute"], row["dimension"]) for row in found)
    return tuple(
        _table([row for row in found if (row["attribute"], row["dimension"]) == kind], reading) for kind in kinds
    )


def _table(rows: Sequence[dict[str, Any]], reading: Reading) -> Table:
    attribute, dimension = rows[0]["attribute"], rows[0]["dimension"]
    groups = tuple(sorted({row["group"] for row in rows}))
    failed = {
        (verdict.test, verdict.place.group)
        for verdict in reading.record.verdicts
        if verdict.status == "failed"
        and verdict.metric == "unchanged_difference"
        and (verdict.place.attribute, verdict.place.part) == (attribute, dimension)
    }
    what = f"Predictions of {dimension} that stay" if dimension else "Predictions that stay"
    caption = (
        f"{what} under each perturbation, by {attribute}. A group is marked where it differs from all by more than "
        f"groups that are dealt out at random; groups of fewer than {SMALL} items are grey and not compared."
    )
    heads = ("Perturbation", *(group or "All" for group in groups))
    body = tuple(
        _row(test, groups, [row for row in rows if row["test"] == test], failed)
        for test in dict.fromkeys(row["test"] for row in rows)
    )
    return Table(caption, tuple(Column(head, "number" if place else "text") for place, head in enumerate(heads)), body)


def _row(test: str, groups: Iterable[str], rows: Sequence[dict[str, Any]], failed: set[tuple[str, str]]) -> Row:
    found = {row["group"]: row for row in rows}
    cells = [_cell(found.get(group), marked=(test, group) in failed) for group in groups]
    name = next((test.removeprefix(prefix) for prefix in _PREFIX if test.startswith(prefix)), test)
    return Row((Cell(title_of(name.replace("-", " "))), *cells))


def _cell(row: dict[str, Any] | None, *, marked: bool) -> Cell:
    if row is None:
        return Cell(DASH)
    return Cell(percent(row["share"]), detail="differs" if marked else "", weak=row["items"] < SMALL)
