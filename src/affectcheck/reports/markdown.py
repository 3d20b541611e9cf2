"""The report as Markdown, for pull requests and terminals: same order, no figures, needs no extra package."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import singledispatch
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from affectcheck.reports.document import (
    Code,
    Definitions,
    Details,
    Facts,
    Figure,
    Lines,
    Links,
    Pictures,
    Section,
    Sounds,
    Table,
    Text,
    Tiles,
)
from affectcheck.reports.outline import outline
from affectcheck.reports.wording import count_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from affectcheck.records import RunRecord
    from affectcheck.reports.document import Block, Cell, Column, Document, Row

LIMIT: Final = 65_000  # what a pull request's comment may hold
ROWS: Final = (60, 8, 2, 0)  # rows of a table: as many as fit; none leaves only the counts of a test
_WORDS: Final = {"passed": "PASS", "failed": "FAIL", "inconclusive": "INCONCLUSIVE", "not applicable": "NOT APPLICABLE"}
_ESCAPED: Final = re.compile(r"[\\`*_{}#|!~$]|\](?=[(\[:])|^[-+](?= )|(?<=^\d)[.)](?= )|(?<=^\d\d)[.)](?= )")
_ENTITIES: Final = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "&#64;"}


def render_markdown(record: RunRecord) -> str:
    """The report of a run as Markdown of less than 65,000 characters."""
    return render_document(outline(record))


def render_document(doc: Document) -> str:
    """A document as Markdown of less than 65,000 characters."""
    head = [f"# {escape(doc.title)}", escape(doc.subtitle)]
    if doc.warning:
        head.append(f"**Incomplete.** {escape(doc.warning)}")
    return _fit("\n\n".join(head), doc)


def escape(text: str) -> str:
    """A text as one line that Markdown shows as it is: no markup, no table border, no mention of a person."""
    line = " ".join(text.split())
    line = _ESCAPED.sub(lambda match: f"\\{match[0]}", line)
    return "".join(_ENTITIES.get(character, character) for character in line)


def _fit(head: str, doc: Document) -> str:
    """Every section with as many rows as leave room for the sections after it."""
    footer = f"\n\n{escape(doc.footer)}\n"
    parts, omitted = [head], []
    left = LIMIT - len(head) - len(footer) - 500
    for section in doc.sections:
        sizes = (_section(section, rows) for rows in ROWS)
        fitting = next((part for part in sizes if len(part) < left // 2), None)
        if fitting is None:
            omitted.append(section.title)
            continue
        parts.append(fitting)
        left -= len(fitting) + 2
    if omitted:
        parts.append(f"*Left out for length: {escape(', '.join(omitted))}. The HTML report and the record hold them.*")
    return "\n\n".join(parts) + footer


def _section(section: Section, rows: int, level: int = 2) -> str:
    parts = [f"{'#' * level} {escape(section.title)}"]
    if section.lead:
        parts.append(escape(section.lead))
    for block in _verdicts_first(section.blocks) if section.anchor == "summary" else section.blocks:
        parts.append(_section(block, rows, level + 1) if isinstance(block, Section) else _block(block, rows))
    return "\n\n".join(filter(None, parts))


def _verdicts_first(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """In a pull request the verdicts are what is looked for."""
    return tuple(sorted(blocks, key=lambda block: not isinstance(block, Table)))


@singledispatch
def _block(block: Any, rows: int) -> str:
    """A block, its tables cut after so many rows."""
    raise TypeError(f"no Markdown for {type(block).__name__}")


@_block.register
def _text(block: Text, rows: int) -> str:
    return escape(block.text)


@_block.register
def _lines(block: Lines, rows: int) -> str:
    items = "\n".join(f"- {escape(item)}" for item in block.items)
    return f"**{escape(block.title)}**\n\n{items}" if block.title else items


@_block.register
def _facts(block: Facts, rows: int) -> str:
    return "\n".join(f"- **{escape(name)}**: {escape(value)}" for name, value in block.items)


@_block.register
def _links(block: Links, rows: int) -> str:
    return "\n".join(f"- [{escape(one.text)}](<{quote(one.path)}>)" for one in block.items)


@_block.register
def _sounds(block: Sounds, rows: int) -> str:
    return _files((name, [one.path for one in sounds]) for name, sounds in block.rows)


@_block.register
def _pictures(block: Pictures, rows: int) -> str:
    return _files((name, [one.path for one in pictures]) for name, pictures in block.rows)


def _files(rows: Iterable[tuple[str, list[str]]]) -> str:
    """A line an item, with the files of its versions."""
    return "\n".join(f"- {escape(name)}: {', '.join(map(escape, paths))}" for name, paths in rows)


@_block.register
def _tiles(block: Tiles, rows: int) -> str:
    return "\n".join(f"- **{escape(t.name)}: {escape(t.value)}** ({escape(t.detail)})" for t in block.tiles)


@_block.register
def _definitions(block: Definitions, rows: int) -> str:
    return "\n".join(f"- **{escape(item.term)}**: {escape(item.text)}" for item in block.items)


@_block.register
def _code(block: Code, rows: int) -> str:
    return "\n".join(f"{index}. {escape(line)}" for index, (_, line) in enumerate(block.lines, start=1))


@_block.register
def _figure(block: Figure, rows: int) -> str:
    return _table(block.table, rows) if block.table else ""


@_block.register
def _details(block: Details, rows: int) -> str:
    counts = [*(f"{n} {status}" for status, n in block.counts if n), *filter(None, [block.aside])]
    head = f"**{escape(block.summary)}**" + (f" ({escape(', '.join(counts))})" if counts else "")
    if not rows and block.counts:
        return head
    inner = (_without_title(one, block.summary) for one in block.blocks)
    return "\n\n".join([head, *filter(None, (_block(one, rows) for one in inner))])


def _without_title(block: Block, title: str) -> Block:
    """A table under a title that its caption would repeat: the caption says the rest."""
    if not isinstance(block, Table) or not block.caption.startswith(title):
        return block
    return replace(block, caption=block.caption.removeprefix(title).lstrip(". "))


@_block.register
def _table(block: Table, rows: int) -> str:
    kept = [index for index, column in enumerate(block.columns) if column.kind != "bar"]
    columns = [block.columns[index] for index in kept]
    lines = [_row(row, kept) for row in block.rows[:rows]]
    left = len(block.rows) - len(lines)
    more = f"\n\n{count_text(left, 'more row')}: see the HTML report or the record." if left > 0 else ""
    over = [title for title, width in block.spans for _ in range(width)]
    titles = [f"{over[i - 1]}, {block.columns[i].title}" if over and i else block.columns[i].title for i in kept]
    head = _line(escape(title) for title in titles)
    table = f"{head}\n{_line(map(_rule, columns))}\n" + "\n".join(lines) + more
    return "\n\n".join(filter(None, (escape(block.caption), table)))


def _row(row: Row, kept: list[int]) -> str:
    if row.heading:
        return _line([f"**{_cell(row.cells[0])}**", *[""] * (len(kept) - 1)])
    return _line(_cell(row.cells[index]) for index in kept)


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _rule(column: Column) -> str:
    return "---:" if column.kind == "number" else "---"


def _cell(cell: Cell) -> str:
    text = _WORDS[cell.status] if cell.status else cell.text
    detail = "; ".join(cell.detail.split("\n"))
    return escape(f"{text} ({detail})" if detail else text)
