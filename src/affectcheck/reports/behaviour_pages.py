"""Pages beside a report: one a behaviour test, and the error browser that leads from a verdict to its items."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from affectcheck.atomic import write_text
from affectcheck.behaviour import explain
from affectcheck.reports.beside import ERRORS, FOLDER, REPORT, test_anchor
from affectcheck.reports.document import (
    Cell,
    Column,
    Details,
    Document,
    Lines,
    Link,
    Links,
    Row,
    Section,
    Sounds,
    Table,
    Text,
)
from affectcheck.reports.glossary import title_of
from affectcheck.reports.page import render_page
from affectcheck.reports.reading import Reading, tally
from affectcheck.reports.sections.behaviour_figures import change_figure, expected_figure, spectrum_figure
from affectcheck.reports.sections.provenance import signatures
from affectcheck.reports.sections.verdicts import sources, test_title, verdict_table
from affectcheck.reports.versions import has_pictures, has_sounds, value_text, versions_blocks
from affectcheck.reports.wording import count_text, place_text, plain
from affectcheck.version import __version__

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    import polars as pl

    from affectcheck.behaviour import Definition
    from affectcheck.records import RunRecord, Verdict
    from affectcheck.reports.document import Block, Pictures

#: Items of a verdict that the error browser shows, fewer where they would be more than a browser loads at once; the
#: list beside it has more.
SHOWN: Final = 25
FEWEST: Final = 5
ROWS: Final = 5_000


@dataclass(frozen=True)
class ItemsShown:
    """The items behind one verdict, as a page shows them.

    Attributes:
        verdict: the verdict.
        items: the first of them, up to ``SHOWN``, the worst first: ``item``, ``subject``, ``group``, ``truth``,
            ``prediction``, ``perturbed``, ``size``.
        count: how many there are.
        path: the list of them, relative to the run's folder.
        listed: how many of them the list holds, from the first.
        versions: item key to its versions, each with its path relative to the run's folder: ``as recorded`` of sound
            and ``as it is`` of pictures (``.png``), ``reference`` where the test compares with one, ``changed``.
    """

    verdict: Verdict
    items: pl.DataFrame
    count: int
    path: str = ""
    listed: int = 0
    versions: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def write_behaviour_pages(
    record: RunRecord,
    folder: Path,
    definitions: Sequence[Definition],
    behind: Sequence[ItemsShown] = (),
    examples: Mapping[str, Mapping[str, Mapping[str, str]]] | None = None,
) -> tuple[Path, ...]:
    """Write one page a test and the error browser into ``behaviour`` beside a report.

    Args:
        record: the run.
        folder: of the run.
        definitions: the tests of the run.
        behind: the items behind failed verdicts.
        examples: test name to examples: items with their versions, as ``ItemsShown`` has them.

    Raises:
        ExtraMissingError: the packages of the extra ``report`` are not installed.
    """
    reading = Reading(record)
    written = []
    for definition in definitions:
        page = folder / FOLDER / f"{definition.name}.html"
        shown = (examples or {}).get(definition.name, {})
        failed = any(one.verdict.test == definition.name for one in behind)
        write_text(page, render_page(_of_test(reading, definition, shown, any_behind=failed)))
        written.append(page)
    if behind:
        page = folder / FOLDER / ERRORS
        write_text(page, render_page(_errors(reading, behind)))
        written.append(page)
    return tuple(written)


def _of_test(
    reading: Reading, definition: Definition, examples: Mapping[str, Mapping[str, str]], *, any_behind: bool
) -> Document:
    verdicts = reading.verdicts_of(definition.family, definition.name)
    counts = tally(verdicts).counts
    said = ", ".join(f"{n:,} {status}" for status, n in counts.items())
    links = [Link("The whole report", f"../{REPORT}")]
    links += [Link("Items behind its failures", ERRORS, test_anchor(definition.name))] if any_behind else []
    about: tuple[Block, ...] = (Links(tuple(links)), *_about(definition))
    sections = [Section("about", "What this test asks", about, definition.question)]
    blocks: list[Block] = [Text(f"{said}.", "lead")]
    if verdicts:
        blocks += [verdict_table(reading, f"Comparisons of {definition.title}", verdicts), *sources(verdicts)]
    sections.append(Section("comparisons", "Verdicts", tuple(blocks)))
    figures = [change_figure(reading, definition), spectrum_figure(reading, definition.name)]
    figures += [expected_figure(reading)] if definition.kind == "consistency" else []
    shown = tuple(figure for figure in figures if figure is not None)
    if shown:
        sections.append(Section("figures", "Figures", shown))
    sections += [_examples(block) for block in versions_blocks(examples)]
    if verdicts:
        sections.append(signatures(reading, {verdict.signature for verdict in verdicts}))
    return _document(reading, definition.title, tuple(sections), examples.values())


def _examples(block: Sounds | Pictures) -> Section:
    """Sounds or pictures, with what they are."""
    if isinstance(block, Sounds):
        lead = "Sounds of this run as the model was given them: as recorded, and as the test changes them."
        return Section("examples", "What the model hears", (block,), lead)
    lead = (
        "Pictures of this run as the model was given them, and as the test changes them. Larger ones than 256 pixels "
        "are shown scaled down; of videos, some frames are shown."
    )
    return Section("examples-seen", "What the model sees", (block,), lead)


def _about(definition: Definition) -> Iterator[Lines]:
    """What a test asks and takes: its lines, and those of each kind of prediction under a heading of their own."""
    title, lines = "", list[str]()
    for line in explain(definition).splitlines()[1:]:
        if not line.startswith("  Asks:"):
            inner = line.startswith("    ")
            if line.startswith("  For ") or (title and not inner):
                yield Lines(tuple(lines), title)
                title, lines = "", []
            if line.startswith("  For "):
                title = line.strip().rstrip(":")
            else:
                lines.append(line.strip().removeprefix("- "))
    yield Lines(tuple(lines), title)


def _errors(reading: Reading, behind: Sequence[ItemsShown]) -> Document:
    lead = (
        "From each failed comparison to its items, the worst first. Errors are those of the predictions; whether an "
        "annotation is right is for people to say, who can listen or look."
    )
    sections = []
    several = len({one.verdict.data for one in behind}) > 1
    shown = max(FEWEST, min(SHOWN, ROWS // len(behind)))
    for test in dict.fromkeys(one.verdict.test for one in behind):
        mine = [one for one in behind if one.verdict.test == test]
        title = f"{title_of(mine[0].verdict.family)}: {test_title(test, mine[0].verdict.family)}"
        blocks = tuple(_behind(one, shown, named=several) for one in mine)
        sections.append(Section(test_anchor(test), title, (Links((Link("About this test", f"{test}.html"),)), *blocks)))
    first = Section("errors", "Items behind failures", (Links((Link("The whole report", f"../{REPORT}"),)),), lead)
    shown_media = [paths for one in behind for paths in one.versions.values()]
    return _document(reading, "Error browser", (first, *sections), shown_media)


def _behind(one: ItemsShown, shown: int, *, named: bool) -> Details:
    """The first items behind a verdict; with the name of its data where there are several."""
    verdict, count = one.verdict, one.count
    pieces = (title_of(verdict.metric), place_text(verdict.place), verdict.data if named else "")
    title = ", ".join(filter(None, pieces))
    blocks: list[Block] = [Text(verdict.reason)]
    if count:
        blocks.append(_items_table(f"Items of {title}{_first(shown, count)}", one.items.head(shown)))
    else:
        blocks.append(Text("No single item is behind it: none that it is about is in error or changed."))
    if count and one.path:
        text = f"The list of items{_first(one.listed, count) or f': all {count:,}'}"
        blocks.append(Links((Link(text, one.path.removeprefix(f"{FOLDER}/")),)))
    blocks += versions_blocks(one.versions, one.items)
    return Details(title, tuple(blocks), counts=(("failed", 1),), aside=count_text(count, "item"))


def _first(shown: int, count: int) -> str:
    """Which of the items are shown, where these are not all."""
    return f": the first {shown:,} of {count:,}" if shown < count else ""


def _items_table(caption: str, items: pl.DataFrame) -> Table:
    columns = [name for name in items.columns if name not in ("size", "media")]
    kept = [name for name in columns if name == "item" or items.get_column(name).null_count() < items.height]
    rows = tuple(
        Row(tuple(Cell(value_text(row[name], exact=name in ("item", "subject", "group"))) for name in kept))
        for row in items.iter_rows(named=True)
    )
    return Table(caption, tuple(Column(title_of(name)) for name in kept), rows)


def _document(
    reading: Reading, title: str, sections: tuple[Section, ...], media: Collection[Mapping[str, str]]
) -> Document:
    """A page; the media on it tell what it may show of the files beside it."""
    model = plain(reading.header.model.get("name"))
    data = ", ".join(plain(entry.get("name")) for entry in reading.header.data)
    return Document(
        title,
        f"affectcheck behaviour test of {model}{f' on {data}' if data else ''}",
        sections,
        footer=f"Written by affectcheck {__version__}",
        sounds=has_sounds(media),
        pictures=has_pictures(media),
    )
