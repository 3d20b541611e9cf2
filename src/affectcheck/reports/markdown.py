"""The report as Markdown, for pull requests and terminals: same order, no figures, needs no extra package."""

from __future__ import annotations

import re
from functools import singledispatch
from typing import TYPE_CHECKING, Any, Final

from affectcheck.reports.document import (
    Code,
    Definitions,
    Details,
    Facts,
    Figure,
    Lines,
    Section,
    Table,
    Text,
    Tiles,
)
from affectcheck.reports.outline import outline

if TYPE_CHECKING:
    from collections.abc import Iterable

    from affectcheck.records import RunRecord
    from affectcheck.reports.document import Block, Cell, Column, Document

#: What a pull request's comment may hold, with room for the line that says what was cut.
LIMIT: Final = 65_000
ROWS: Final = 60
_WORDS: Final = {"passed": "PASS", "failed": "FAIL", "inconclusive": "INCONCLUSIVE", "not applicable": "NOT APPLICABLE"}
_ESCAPED: Final = re.compile(r"([\\`*_{}#|!~$]|\](?=[(\[:])|^[-+>](?= )|^\d+(?=[.)] ))")
_ENTITIES: Final = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "&#64;"}


def render_markdown(record: RunRecord) -> str:
    """The report of a run as Markdown of less than 65,000 characters."""
    doc = outline(record)
    head = [f"# {escape(doc.title)}", escape(doc.subtitle)]
    if doc.warning:
        head.append(f"**Incomplete.** {escape(doc.warning)}")
    parts = [_section(section) for section in doc.sections]
    return _fit("\n\n".join(head), parts, doc)


def escape(text: str) -> str:
    """A text as one line that Markdown shows as it is: no markup, no table border, no mention of a person."""
    line = " ".join(text.split())
    line = _ESCAPED.sub(lambda match: f"\\{match[0]}", line)
    return "".join(_ENTITIES.get(character, character) for character in line)


def _fit(head: str, parts: list[str], doc: Document) -> str:
    footer = f"\n\n{escape(doc.footer)}\n"
    text, left = head, LIMIT - len(head) - len(footer) - 200
    for index, part in enumerate(parts):
        if len(part) + 2 > left:
            names = ", ".join(section.title for section in doc.sections[index:])
            return (
                f"{text}\n\n*Left out for length: {escape(names)}. The HTML report and the record hold them.*{footer}"
            )
        text, left = f"{text}\n\n{part}", left - len(part) - 2
    return text + footer


def _section(section: Section, level: int = 2) -> str:
    parts = [f"{'#' * level} {escape(section.title)}"]
    if section.lead:
        parts.append(escape(section.lead))
    for block in _verdicts_first(section.blocks) if section.anchor == "summary" else section.blocks:
        parts.append(_section(block, level + 1) if isinstance(block, Section) else _block(block))
    return "\n\n".join(filter(None, parts))


def _verdicts_first(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """In a pull request the verdicts are what is looked for."""
    return tuple(sorted(blocks, key=lambda block: not isinstance(block, Table)))


@singledispatch
def _block(block: Any) -> str:
    raise TypeError(f"no Markdown for {type(block).__name__}")


@_block.register
def _text(block: Text) -> str:
    return escape(block.text)


@_block.register
def _lines(block: Lines) -> str:
    items = "\n".join(f"- {escape(item)}" for item in block.items)
    return f"**{escape(block.title)}**\n\n{items}" if block.title else items


@_block.register
def _facts(block: Facts) -> str:
    return "\n".join(f"- **{escape(name)}**: {escape(value)}" for name, value in block.items)


@_block.register
def _tiles(block: Tiles) -> str:
    return "\n".join(f"- **{escape(t.name)}: {escape(t.value)}** ({escape(t.detail)})" for t in block.tiles)


@_block.register
def _definitions(block: Definitions) -> str:
    return "\n".join(f"- **{escape(item.term)}**: {escape(item.text)}" for item in block.items)


@_block.register
def _code(block: Code) -> str:
    return "\n".join(f"{index}. {escape(line)}" for index, (_, line) in enumerate(block.lines, start=1))


@_block.register
def _figure(block: Figure) -> str:
    return _table(block.table) if block.table else ""


@_block.register
def _details(block: Details) -> str:
    counts = ", ".join([*(f"{n} {status}" for status, n in block.counts if n), *filter(None, [block.aside])])
    head = f"**{escape(block.summary)}**" + (f" ({escape(counts)})" if counts else "")
    return "\n\n".join([head, *filter(None, (_block(inner) for inner in block.blocks))])


@_block.register
def _table(block: Table) -> str:
    kept = [index for index, column in enumerate(block.columns) if column.kind != "bar"]
    columns = [block.columns[index] for index in kept]
    rows = [_line(_cell(row.cells[index]) for index in kept) for row in block.rows[:ROWS]]
    left = len(block.rows) - len(rows)
    more = f"\n\n{left:,} more rows are in the HTML report and the record." if left > 0 else ""
    head = _line(escape(column.title) for column in columns)
    return f"{escape(block.caption)}\n\n{head}\n{_line(map(_rule, columns))}\n" + "\n".join(rows) + more


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _rule(column: Column) -> str:
    return "---:" if column.kind == "number" else "---"


def _cell(cell: Cell) -> str:
    text = _WORDS[cell.status] if cell.status else cell.text
    return escape(f"{text} ({cell.detail})" if cell.detail else text)
