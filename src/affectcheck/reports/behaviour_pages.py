"""Pages beside a report: one a behaviour test, and the error browser that leads from a verdict to its items."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from affectcheck.atomic import write_text
from affectcheck.behaviour import explain
from affectcheck.reports.document import (
    Cell,
    Column,
    Details,
    Document,
    Lines,
    Links,
    Row,
    Section,
    Sound,
    Sounds,
    Table,
    Text,
)
from affectcheck.reports.glossary import title_of
from affectcheck.reports.page import render_page
from affectcheck.reports.reading import Reading, tally
from affectcheck.reports.sections.behaviour_figures import change_figure, expected_figure, spectrum_figure
from affectcheck.reports.sections.verdicts import DASH, sources, test_title, verdict_table
from affectcheck.reports.wording import count_text, place_text
from affectcheck.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import polars as pl

    from affectcheck.behaviour import Definition
    from affectcheck.records import RunRecord, Verdict
    from affectcheck.reports.document import Block

#: Folder of the pages, beside the report, and the page of the error browser in it.
FOLDER: Final = "behaviour"
ERRORS: Final = "errors.html"
#: Items of a verdict that the error browser shows; the list beside it has more.
SHOWN: Final = 25


@dataclass(frozen=True)
class ItemsShown:
    """The items behind one verdict, as a page shows them.

    Attributes:
        verdict: the verdict.
        items: ``item``, ``subject``, ``group``, ``truth``, ``prediction``, ``perturbed``, ``size``; the worst first.
        path: the whole list, relative to the run's folder.
        sounds: item key to paths of its versions relative to the run's folder: as recorded, then as changed.
    """

    verdict: Verdict
    items: pl.DataFrame
    path: str = ""
    sounds: Mapping[str, Sequence[str]] = field(default_factory=dict)


def write_behaviour_pages(
    record: RunRecord,
    folder: Path,
    definitions: Sequence[Definition],
    behind: Sequence[ItemsShown] = (),
    examples: Mapping[str, Sequence[Sequence[str]]] | None = None,
) -> tuple[Path, ...]:
    """Write one page a test and the error browser into ``behaviour`` beside a report.

    Args:
        record: the run.
        folder: of the run.
        definitions: the tests of the run.
        behind: the items behind failed verdicts.
        examples: test name to examples, each the paths of one item's versions relative to the run's folder.

    Raises:
        ExtraMissingError: the packages of the extra ``report`` are not installed.
    """
    reading = Reading(record)
    written = []
    for definition in definitions:
        page = folder / FOLDER / f"{definition.name}.html"
        heard = (examples or {}).get(definition.name, ())
        write_text(page, render_page(_of_test(reading, definition, heard, any_behind=bool(behind))))
        written.append(page)
    if behind:
        page = folder / FOLDER / ERRORS
        write_text(page, render_page(_errors(reading, behind)))
        written.append(page)
    return tuple(written)


def _of_test(
    reading: Reading, definition: Definition, examples: Sequence[Sequence[str]], *, any_behind: bool
) -> Document:
    verdicts = reading.verdicts_of(definition.family, definition.name)
    counts = tally(verdicts).counts
    said = ", ".join(f"{n:,} {status}" for status, n in counts.items())
    links = [("The whole report", "../report.html"), *([("Items behind failures", ERRORS)] if any_behind else [])]
    about = tuple(line.strip().removeprefix("- ") for line in explain(definition).splitlines()[1:])
    sections = [Section("about", "What this test asks", (Lines(about), Links(tuple(links))), definition.question)]
    blocks: list[Block] = [Text(f"{said}.", "lead")]
    if verdicts:
        blocks += [verdict_table(reading, f"Comparisons of {definition.title}", verdicts), *sources(verdicts)]
    sections.append(Section("comparisons", "Verdicts", tuple(blocks)))
    figures = [change_figure(reading, definition.name), spectrum_figure(reading, definition.name)]
    figures += [expected_figure(reading)] if definition.kind == "consistency" else []
    shown = tuple(figure for figure in figures if figure is not None)
    if shown:
        sections.append(Section("figures", "Figures", shown))
    if examples:
        rows = tuple((f"Example {place}", _versions(paths)) for place, paths in enumerate(examples, start=1))
        lead = "Sounds of this run as the model was given them: as recorded, and as the test changes them."
        sections.append(Section("examples", "What the model hears", (Sounds(rows),), lead))
    return _document(definition.title, tuple(sections), sounds=bool(examples))


def _errors(reading: Reading, behind: Sequence[ItemsShown]) -> Document:
    lead = (
        "From each failed comparison to its items, the worst first. Errors are those of the predictions; whether an "
        "annotation is right is for a listener to say."
    )
    sections = []
    for test in dict.fromkeys(one.verdict.test for one in behind):
        mine = [one for one in behind if one.verdict.test == test]
        title = f"{title_of(mine[0].verdict.family)}: {test_title(test, mine[0].verdict.family)}"
        several = len({one.verdict.data for one in behind}) > 1
        blocks = tuple(_behind(one, named=several) for one in mine)
        sections.append(Section(f"test-{test}", title, (Links((("About this test", f"{test}.html"),)), *blocks)))
    first = Section("errors", "Items behind failures", (Links((("The whole report", "../report.html"),)),), lead)
    named = str(reading.header.model.get("name", ""))
    return _document(f"Error browser: {named}", (first, *sections), sounds=True)


def _behind(one: ItemsShown, *, named: bool) -> Details:
    """The items behind a verdict; with the name of its data where there are several."""
    verdict = one.verdict
    pieces = (title_of(verdict.metric), place_text(verdict.place), verdict.data if named else "")
    title = ", ".join(filter(None, pieces))
    blocks: list[Block] = [Text(verdict.reason)]
    blocks.append(_items_table(title, one.items.head(SHOWN)))
    if one.path:
        blocks.append(Links(((f"All of them as a list ({one.items.height:,})", one.path.removeprefix(f"{FOLDER}/")),)))
    rows = tuple((item, _versions(paths, *_said(one.items, item))) for item, paths in one.sounds.items() if paths)
    if rows:
        blocks.append(Sounds(rows))
    return Details(title, tuple(blocks), counts=(("failed", 1),), aside=count_text(one.items.height, "item"))


def _items_table(named: str, items: pl.DataFrame) -> Table:
    columns = [name for name in items.columns if name not in ("size", "media")]
    kept = [name for name in columns if name == "item" or items.get_column(name).null_count() < items.height]
    rows = tuple(
        Row(tuple(Cell(DASH if row[name] is None else str(row[name])) for name in kept))
        for row in items.iter_rows(named=True)
    )
    return Table(f"Items of {named}", tuple(Column(title_of(name)) for name in kept), rows)


def _said(items: pl.DataFrame, item: str) -> tuple[str, str]:
    """What is said of an item's sound as recorded, and of the changed one."""
    row = next(one for one in items.iter_rows(named=True) if one["item"] == item)
    shown = [(name, row[name]) for name in ("truth", "prediction") if row[name] is not None]
    changed = "" if row["perturbed"] is None else f"prediction {row['perturbed']}"
    return ", ".join(f"{name} {value}" for name, value in shown), changed


def _versions(paths: Sequence[str], recorded: str = "", changed: str = "") -> tuple[Sound, ...]:
    labels = ["as recorded", *(["changed"] if len(paths) == 2 else ["reference", "changed"])]
    details = {"as recorded": recorded, "changed": changed}
    return tuple(Sound(label, f"../{path}", details.get(label, "")) for label, path in zip(labels, paths, strict=False))


def _document(title: str, sections: tuple[Section, ...], *, sounds: bool) -> Document:
    return Document(
        title, "affectcheck behaviour test", sections, footer=f"Written by affectcheck {__version__}", sounds=sounds
    )
