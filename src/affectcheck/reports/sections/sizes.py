"""Who is in the groups of an attribute, with how many items, and who is in none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from affectcheck.records import Score
from affectcheck.reports.document import Cell, Column, Details, Row, Table, Text
from affectcheck.reports.sections.tables import rows_of
from affectcheck.reports.wording import count_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from affectcheck.records import Scored
    from affectcheck.reports.document import Block
    from affectcheck.reports.reading import Reading

#: More groups than this are told by their number; the table of scores names each with its items.
NAMED: Final = 12
CROSS: Final = "*"


def sizes(reading: Reading, attribute: str, scores: Sequence[Scored]) -> tuple[Block, ...]:
    """Groups that were used and values that were left out, each with its items.

    Args:
        reading: the record.
        attribute: the attribute.
        scores: all scores of it.
    """
    used, left = group_sizes(reading, attribute, scores)
    if not used and not left:
        return ()
    said = [_used(used, small_groups(scores))] if used else []
    left = {value: count for value, count in left.items() if count}
    if left and len(left) <= NAMED:
        said.append(f"Left out, since the value names no group: {_listed(left)}.")
    blocks: list[Block] = []
    if len(left) > NAMED:
        total = count_text(sum(left.values()), "item")
        said.append(f"Left out, since one of their values names no group: {len(left)} combinations, {total}.")
        columns = (Column(attribute), Column("n", "number"))
        rows = tuple(Row((Cell(value), Cell(f"{count:,}"))) for value, count in left.items())
        blocks.append(Details(f"Left out by {attribute}", (Table("Values that name no group", columns, rows),)))
    return (Text(" ".join(said)), *blocks) if said else ()


def _used(used: Mapping[str, int], small: Sequence[str]) -> str:
    if len(used) <= NAMED and not small:
        return f"Items: {_listed(used)}."
    kept = {group: count for group, count in used.items() if group not in small}
    told = f"{len(kept)} groups with {count_text(sum(kept.values()), 'item')} are compared"
    if len(kept) <= NAMED:
        told += f": {_listed(kept)}"
    if small:
        items = count_text(sum(used.get(group, 0) for group in small), "item")
        told += f"; {count_text(len(small), 'group')} below the minimum support ({items}) are shown greyed, and not compared"
    return f"{told}."


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} ({count:,})" for name, count in counts.items())


def group_sizes(reading: Reading, attribute: str, scores: Sequence[Scored]) -> tuple[dict[str, int], dict[str, int]]:
    """Items of every group, and of every value that names none: of the record's table, else of the scores."""
    rows = [row for row in rows_of(reading.record.tables.get("groups")) if str(row.get("attribute")) == attribute]
    if rows:
        return tuple(  # type: ignore[return-value]  # two of them
            {str(row.get("group")): int(row.get("count") or 0) for row in rows if bool(row.get("scored", True)) is kept}
            for kept in (True, False)
        )
    used: dict[str, int] = {}
    for score in scores:
        group = score.place.group
        if group and not score.place.part and not score.metric.endswith("_difference"):
            used[group] = max(used.get(group, 0), score.support)
    told = next((score.signature.excluded for score in scores if score.signature.excluded), "")
    pairs = (piece.rpartition("=") for piece in told.split(","))
    return used, {value: int(count) for value, equals, count in pairs if equals and count.isdigit()}


def small_groups(scores: Sequence[Scored]) -> tuple[str, ...]:
    """Crossed groups of which nothing is defined: those below the minimum support."""
    crossed = [s for s in scores if CROSS in s.place.attribute and CROSS in s.place.group and not s.place.part]
    crossed = [s for s in crossed if not s.metric.endswith("_difference")]
    defined = {s.place.group for s in crossed if isinstance(s, Score)}
    return tuple(dict.fromkeys(s.place.group for s in crossed if s.place.group not in defined))
