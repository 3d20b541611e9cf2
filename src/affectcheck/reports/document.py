"""What a report says, as plain blocks: built once from a record, then written as HTML or as Markdown.

Every text in a block is plain text. The writers escape it; nothing here is markup.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from affectcheck.reports.charts import Chart

ColumnKind = Literal["text", "number", "status", "bar"]


@dataclass(frozen=True)
class Cell:
    """One cell of a table.

    Attributes:
        text: what stands in it.
        link: fragment that the text links to, such as ``sig-3``; empty for none.
        status: verdict state, drawn as a badge with the word.
        detail: further, quieter lines.
        bar: for a bar column, the counts by state.
        weak: greyed, for values of small support.
    """

    text: str
    link: str = ""
    status: str = ""
    detail: str = ""
    bar: tuple[tuple[str, int], ...] = ()
    weak: bool = False


@dataclass(frozen=True)
class Column:
    """Head of a column."""

    title: str
    kind: ColumnKind = "text"


@dataclass(frozen=True)
class Row:
    """A row: its first cell is its head; a row of a verdict table carries the state it can be filtered by.

    A row that is a heading has one cell, over the whole width, and names the rows below it.
    """

    cells: tuple[Cell, ...]
    status: str = ""
    heading: bool = False


@dataclass(frozen=True)
class Table:
    """A table with a caption that says what it shows; the first column holds the row heads.

    Spans are headings over several columns, from the second on: title and how many.
    """

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    spans: tuple[tuple[str, int], ...] = ()

    @property
    def starts(self) -> frozenset[int]:
        """Columns with which a span begins."""
        return frozenset(1 + sum(width for _, width in self.spans[:place]) for place in range(len(self.spans)))


@dataclass(frozen=True)
class Text:
    """A paragraph, or a note or warning that stands out."""

    text: str
    kind: Literal["plain", "note", "warning", "lead"] = "plain"


@dataclass(frozen=True)
class Lines:
    """A list of sentences, with a heading that is no heading of the outline."""

    items: tuple[str, ...]
    title: str = ""


@dataclass(frozen=True)
class Facts:
    """Names and values, such as the card of a model."""

    items: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Tile:
    """One figure of the first screen: its name, its value and what must be read with it."""

    name: str
    value: str
    detail: str = ""
    link: str = ""


@dataclass(frozen=True)
class Tiles:
    """The figures of the first screen."""

    tiles: tuple[Tile, ...]


@dataclass(frozen=True)
class Definition:
    """A term of the glossary, with its anchor."""

    term: str
    text: str
    anchor: str


@dataclass(frozen=True)
class Definitions:
    """A glossary."""

    items: tuple[Definition, ...]


@dataclass(frozen=True)
class Code:
    """Lines to copy, each with its anchor: signatures."""

    lines: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Figure:
    """A chart, its caption, and the table of its numbers: open, folded, or above the chart where it leads."""

    chart: Chart
    caption: str
    table: Table | None = None
    folded: bool = True
    leads: bool = False


@dataclass(frozen=True)
class Version:
    """A sound or a picture in a file beside the page: an item as it is, or as it was changed.

    Attributes:
        label: what it is.
        path: relative to the page.
        detail: what is said of it, such as truth and prediction.
    """

    label: str
    path: str
    detail: str = ""


@dataclass(frozen=True)
class Sounds:
    """Sounds to be played; each row is one item with its versions."""

    rows: tuple[tuple[str, tuple[Version, ...]], ...]


@dataclass(frozen=True)
class Pictures:
    """Pictures beside one another; each row is one item with its versions."""

    rows: tuple[tuple[str, tuple[Version, ...]], ...]


@dataclass(frozen=True)
class Link:
    """A link to a file beside the page.

    Attributes:
        text: what is linked.
        path: of the file, relative to the page.
        fragment: a place in it; empty for its top.
    """

    text: str
    path: str
    fragment: str = ""


@dataclass(frozen=True)
class Links:
    """Links to files beside the page."""

    items: tuple[Link, ...]


@dataclass(frozen=True)
class Details:
    """Blocks behind a summary line."""

    summary: str
    blocks: tuple[Block, ...]
    anchor: str = ""
    opened: bool = False
    counts: tuple[tuple[str, int], ...] = ()
    aside: str = ""


@dataclass(frozen=True)
class Section:
    """A headed part of the report; sections nest."""

    anchor: str
    title: str
    blocks: tuple[Block, ...] = ()
    lead: str = ""


@dataclass(frozen=True)
class Document:
    """A whole report; one with sounds or pictures lets the page show files beside it."""

    title: str
    subtitle: str
    sections: tuple[Section, ...]
    facts: tuple[tuple[str, str], ...] = ()
    warning: str = ""
    footer: str = ""
    rounding: str = "Values are rounded to three decimals here; the record holds them in full."
    language: str = field(default="en")
    sounds: bool = False
    pictures: bool = False


Block: TypeAlias = (
    Text | Lines | Facts | Tiles | Table | Figure | Sounds | Pictures | Links | Details | Section | Code | Definitions
)
