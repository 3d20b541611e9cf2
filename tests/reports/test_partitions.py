"""Reports on partitions: every format says the same counts, nothing a stranger names is markup, figures are to scale."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import polars as pl
import pytest

from affectcheck.annotations import make_table
from affectcheck.errors import UnknownNameError
from affectcheck.partitions import own_partition, statistics
from affectcheck.partitions.counted import NOWHERE
from affectcheck.reports.diagram_parts import Arrow, Box, Diagram, Square, Words
from affectcheck.reports.diagrams import cut, diagram_svg
from affectcheck.reports.drawing import draw
from affectcheck.reports.markdown import LIMIT
from affectcheck.reports.partitions import (
    PartitionShown,
    partition_material,
    statistics_latex,
    write_material,
    write_partition_report,
)
from affectcheck.reports.partitions.figures import heat_maps, plane_figures
from affectcheck.reports.partitions.grid import grid_of, regions_of
from affectcheck.reports.partitions.outline import outline
from affectcheck.reports.partitions.protocol_figure import protocol_figure
from affectcheck.reports.partitions.split_figures import split_figure
from affectcheck.reports.partitions.tables import deviation_table, statistics_table, text_rows

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import ModuleType

    from affectcheck.annotations import AnnotationTable
    from affectcheck.reports.partitions import PartitionMaterial

ATTACK = "<script>alert(1)</script>\"'&|*[x](javascript:1) \\input{x}% $x_1^2$"


@pytest.fixture(scope="module")
def table(tables: ModuleType) -> AnnotationTable:
    return tables.faces()


@pytest.fixture(scope="module")
def material(tables: ModuleType, table: AnnotationTable) -> PartitionMaterial:
    return partition_material(table, tables.both(table))


@pytest.fixture(scope="module")
def page(material: PartitionMaterial, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("page") / "report.html"
    return write_material(material, path).read_text(encoding="utf-8")


def cells(text: str) -> list[list[str]]:
    rows = text.split(r"\midrule", maxsplit=1)[1].split(r"\bottomrule", maxsplit=1)[0].replace(r"\midrule", "")
    return [[cell.strip() for cell in row.removesuffix(r"\\").split(" & ")] for row in rows.splitlines() if row.strip()]


def test_the_grid_has_every_count_under_its_set(material: PartitionMaterial) -> None:
    counted = material.statistics
    grid = grid_of(counted, regions=True)
    assert grid.spans == (("original", 2), ("fair", 3))
    assert grid.heads == ("train", "test", "train", "validation", "test")
    line = next(line for line in grid.lines if (line.under, line.label) == ("gender", "female"))
    inside = counted.counts("fair", "gender")
    assert [cell.count for cell in line.cells[2:]] == [
        inside[part, "female"] for part in ("train", "validation", "test")
    ]
    assert line.cells[2].share == pytest.approx(inside["train", "female"] / counted.sizes("fair")["train"])
    regions = regions_of(counted)
    assert regions is not None
    assert {line.under for line in regions.lines} == {"valence × arousal"}
    assert not [line for line in grid_of(counted).lines if line.under == "valence × arousal"]
    assert [line.label for line in grid.lines[:2]] == ["items", "subjects"]


def test_latex_columns_rules_and_rows_agree(material: PartitionMaterial) -> None:
    text = statistics_latex(material.statistics)
    assert r"\begin{tabular}{llrrrrr}" in text
    assert r"\multicolumn{2}{c}{original} & \multicolumn{3}{c}{fair}" in text
    assert r"\cmidrule(lr){3-4} \cmidrule(lr){5-7}" in text
    assert {len(row) for row in cells(text)} == {7}
    grid = grid_of(material.statistics)
    held = [[int(cell.split(" ")[0]) for cell in row[2:]] for row in cells(text)]
    assert held == [[cell.count for cell in line.cells] for line in grid.lines]
    assert "(" not in "".join(cells(statistics_latex(material.statistics, shares=False))[5])
    compiled(text)


def compiled(text: str) -> None:
    """Where there is a TeX, it takes the table."""
    program = shutil.which("pdflatex") or shutil.which("tectonic")
    if program:  # pragma: no cover  # no TeX where the tests usually run
        whole = rf"\documentclass{{article}}\usepackage{{booktabs}}\begin{{document}}{text}\end{{document}}"
        done = subprocess.run([program, "-"], input=whole.encode(), capture_output=True, check=False)
        assert done.returncode == 0, done.stdout[-2000:]


def test_csv_is_every_count_and_reads_back(tmp_path: Path, tables: ModuleType, table: AnnotationTable) -> None:
    path = write_partition_report(table, tmp_path / "counts.csv")
    back = pl.read_csv(path, infer_schema_length=None)
    assert (
        back.select("partition", "set", "column", "value", "count").rows()
        == statistics(table).frame.select("partition", "set", "column", "value", "count").rows()
    )
    assert back.filter(column="gender", set="train").get_column("share").sum() == pytest.approx(1)
    shown = tables.own(table)
    offending = pl.read_csv(io.BytesIO(write_partition_report(table, tmp_path / "items.csv", shown).read_bytes()))
    assert offending.height == shown.audit.offending.height > 100


def test_the_first_tile_counts_the_rules_that_were_judged(tables: ModuleType, table: AnnotationTable) -> None:
    found = partition_material(table, tables.own(table))
    tile = next(tile for tile in outline(found).sections[0].blocks[0].tiles if tile.name == "Rules broken")
    judged = [finding for finding in found.audit.findings if finding.status != "not applicable"]
    assert tile.detail == f"of {len(judged)} judged"
    assert len(judged) < len(found.audit.findings)


def test_markdown_says_the_same_and_fits_a_comment(tmp_path: Path, tables: ModuleType, table: AnnotationTable) -> None:
    text = write_partition_report(table, tmp_path / "r.md", tables.own(table)).read_text(encoding="utf-8")
    assert len(text) < LIMIT
    assert "| Value | original (items), train | original (items), test | RAF-DB, original (images), train |" in text
    assert re.search(r"\| \*\*gender\*\* \|\s+\|", text)
    assert "| subject independence | FAIL |" in text
    assert "| items | 180 | 60 | 12,271 | 3,068 | 8,327 | 2,206 | 4,806 |" in text
    assert "paper 1, Table I" in text


def test_a_file_of_another_kind_is_refused_before_anything_is_counted(tmp_path: Path, table: AnnotationTable) -> None:
    with pytest.raises(UnknownNameError, match="docx"):
        write_partition_report(table, tmp_path / "r.docx")
    with pytest.raises(UnknownNameError, match="published partition"):
        write_partition_report(table, tmp_path / "r.md", PartitionShown(beside=("ravdb",)))
    assert not list(tmp_path.iterdir())


def test_the_page_has_its_parts_and_asks_nobody_for_anything(page: str, material: PartitionMaterial) -> None:
    for anchor in (
        "summary",
        "verdicts",
        "distances",
        "joint",
        "adequacy",
        "protocol",
        "statistics",
        "figures",
        "reading",
    ):
        assert f'id="{anchor}"' in page
    assert "<script" not in page
    assert not re.search(r"(?:src|href)=[\"'](?:https?:)?//", page)
    assert "perceive" in page
    assert "1.500 percentage points; not proven" in page
    assert "55-15-30, seed 7" in page
    assert "labels made by a model" in page
    assert f"from data {material.statistics.digest[:12]}" in page


@pytest.mark.slow
def test_the_same_partition_gives_the_same_bytes(
    tables: ModuleType, table: AnnotationTable, page: str, tmp_path: Path
) -> None:
    again = write_partition_report(table, tmp_path / "again.html", tables.both(table)).read_text(encoding="utf-8")
    assert again == page


class Walk(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: set[str] = set()
        self.links: set[str] = set()
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.links |= {value or "" for name, value in attrs if name in ("href", "src")}
        assert not [name for name, _ in attrs if name.startswith("on")]


@pytest.mark.slow
def test_no_name_of_a_stranger_is_markup(tables: ModuleType, tmp_path: Path) -> None:
    hostile = tables.faces(mark=ATTACK)
    shown = tables.both(hostile, ATTACK)
    walk = Walk(write_partition_report(hostile, tmp_path / "r.html", shown).read_text(encoding="utf-8"))
    assert "script" not in walk.tags
    assert all(link.startswith(("#", "data:,")) for link in walk.links)
    markdown = write_partition_report(hostile, tmp_path / "r.md", shown).read_text(encoding="utf-8")
    assert "<script" not in markdown
    assert not re.search(r"(?<!\\)\]\(javascript", markdown)
    latex = write_partition_report(hostile, tmp_path / "r.tex", shown).read_text(encoding="utf-8")
    assert not [line for line in latex.splitlines() if r"\input" in line and not line.startswith("%")]
    assert {len(row) for row in cells(latex)} == {7}


def test_a_table_without_groups_subjects_or_labels_still_has_a_report(
    tables: ModuleType, table: AnnotationTable, tmp_path: Path
) -> None:
    text = write_partition_report(tables.unnamed(table), tmp_path / "r.md").read_text(encoding="utf-8")
    assert "subjects" not in text.split("## Statistics")[1].split("## ")[0].split("Deviations")[0]
    bare = make_table(table.frame.select("item"), targets=[], name="")
    page = write_partition_report(bare, tmp_path / "r.html").read_text(encoding="utf-8")
    assert "Partition original of the data" in page
    assert "no labels" in page
    empty = statistics(bare)
    assert deviation_table(empty) is None
    assert plane_figures(empty) == heat_maps(empty) == ()
    assert text_rows(empty)[1] == [["", "items", "240"]]


def test_text_for_a_terminal_has_dashes_where_nothing_is_given(material: PartitionMaterial) -> None:
    from affectcheck.partitions import published_statistics

    head, rows = text_rows(published_statistics("aff-wild2-expr"), shares=False)
    assert head[2:] == [
        "annotations (frames): all",
        *(f"challenge (videos): {part}" for part in ("train", "validation", "test")),
    ]
    assert ["expression", "neutral", "468,069", "–", "–", "–"] in rows
    table = statistics_table(published_statistics("aff-wild2-expr"), shares=False)
    assert table.rows[2].cells[2].text == "–"
    assert not [cell.detail for row in table.rows for cell in row.cells if cell.detail]


def shapes(figure: Any, panel: int = 0) -> Diagram:
    return figure.chart.panels[panel]


def test_bars_of_the_task_split_are_as_long_as_their_counts(material: PartitionMaterial) -> None:
    split = material.splits[0]
    figure = split_figure(split, material.statistics)
    drawn = shapes(figure)
    bars = [shape for shape in drawn.shapes if isinstance(shape, Box)]
    widths = iter(bars)
    for _, counts in split.rows:
        for count in filter(None, counts):
            assert next(widths).width == pytest.approx(228 * count / sum(counts))
    marks = [shape.x for shape in drawn.shapes if isinstance(shape, Arrow)]
    assert marks == pytest.approx([112 + 228 * 0.55, 112 + 228 * 0.70])
    assert figure.table is not None
    assert len(figure.table.rows) == len(split.rows)
    for value, counts in split.rows:
        assert f"{value}: {counts[0]:,} train" in drawn.description


@pytest.mark.parametrize("place", [0, 1, 2])
def test_diagrams_stay_in_their_frame_and_say_what_they_show(material: PartitionMaterial, place: int) -> None:
    split = material.splits[place]
    protocol = protocol_figure(material.statistics, material.division, material.splits, "55-15-30")
    for figure in (split_figure(split, material.statistics), protocol):
        for diagram, svg in zip(figure.chart.panels, draw(figure.chart), strict=True):
            root = ET.fromstring(svg)
            assert root.get("role") == "img"
            assert root.get("aria-label") == diagram.description
            assert diagram.width <= 340
            for shape in diagram.shapes:
                assert within(shape, diagram), shape


def within(shape: Any, diagram: Diagram) -> bool:
    wide = getattr(shape, "width", getattr(shape, "side", 0.0))
    high = getattr(shape, "height", getattr(shape, "side", 0.0))
    return (
        shape.x >= -0.01
        and shape.x + wide <= diagram.width + 0.01
        and shape.y >= 0
        and shape.y + high <= diagram.height
    )


def test_the_plane_of_regions_frames_the_fullest_one(material: PartitionMaterial) -> None:
    split = material.splits[1]
    counts = dict(split.rows)
    assert sum(counts[split.chosen]) == max(map(sum, counts.values()))
    drawn = shapes(split_figure(split, material.statistics))
    squares = [shape for shape in drawn.shapes if isinstance(shape, Square)]
    framed = next(square for square in squares if square.chosen)
    darkest = next(square for square in squares if not square.chosen and square.share == 1)
    assert (framed.x, framed.y) == (darkest.x, darkest.y)
    assert len(squares) == 101
    assert f"{sum(counts[split.chosen]):,}, and is framed" in drawn.description


def test_many_labels_are_cut_and_counted(material: PartitionMaterial) -> None:
    split = replace(
        material.splits[0], rows=tuple((f"label {i}", (1, 0, 0)) for i in range(30)), chosen="label 0", levels=()
    )
    drawn = shapes(split_figure(split, material.statistics))
    assert "and 6 more" in [shape.text for shape in drawn.shapes if isinstance(shape, Words)]
    none = replace(split, rows=(("label 0", (0, 0, 0)),), cell=(0, 0, 0), division=replace(split.division, ratios=()))
    assert "nothing else" in split_figure(none, material.statistics).caption


def test_more_sets_than_three_and_items_in_none_have_boxes(table: AnnotationTable) -> None:
    parts = pl.DataFrame({"item": table.items, "part": [f"set {row % 5}" if row % 7 else None for row in range(240)]})
    counted = statistics(table, {"five": parts})
    figure = protocol_figure(counted, counted.divisions[0], (), "")
    boxes = {shape.lines[0]: shape for shape in shapes(figure).shapes if isinstance(shape, Box)}
    assert NOWHERE in boxes
    assert boxes["set 3"].y > boxes["set 0"].y
    assert boxes[NOWHERE].lines[1:] == (f"{counted.sizes('five')[NOWHERE]:,}",)


def test_planes_share_one_scale_and_heat_maps_hold_every_label(material: PartitionMaterial) -> None:
    figures = plane_figures(material.statistics)
    assert len(figures) == 2
    assert len({cloud.most for figure in figures for cloud in figure.chart.clouds}) == 1  # type: ignore[union-attr]
    for figure in figures:
        for cloud in figure.chart.clouds:  # type: ignore[union-attr]
            assert sum(share for *_, share in cloud.points) == pytest.approx(1)
    details = heat_maps(material.statistics)
    assert [one.summary for one in details] == ["Labels by groups: original", "Labels by groups: fair"]
    first = details[1].blocks[0].chart.panels  # type: ignore[union-attr]
    assert [panel.title for panel in first] == ["train", "validation", "test"]
    assert sum(sum(map(sum, panel.counts)) for panel in first) == 240


def test_the_new_charts_meet_the_schema(material: PartitionMaterial) -> None:
    for chart in (plane_figures(material.statistics)[0].chart, heat_maps(material.statistics)[0].blocks[0].chart):  # type: ignore[union-attr]
        for svg in draw(chart, validate=True):
            assert ET.fromstring(svg).get("aria-label")
    assert "expression anger, gender female" in draw(heat_maps(material.statistics)[1].blocks[0].chart)[0]  # type: ignore[union-attr]


def test_long_texts_in_boxes_are_cut() -> None:
    assert cut("short", 60) == "short"
    diagram = Diagram((Box(0, 0, 60, 20, ("a very long title of a box",)), Words(0, 30, "x", bold=True)), 60, 40, "two")
    svg = diagram_svg(diagram)
    assert "…" in svg
    assert 'font-weight="bold"' in svg
    with pytest.raises(TypeError, match="no drawing for str"):
        diagram_svg(Diagram(("x",), 1, 1, ""))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def pages(
    tables: ModuleType, table: AnnotationTable, page: str, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    (folder / "both.html").write_text(page, encoding="utf-8")
    write_partition_report(table, folder / "own.html", tables.own(table))
    write_partition_report(table, folder / "stats.html", PartitionShown({"own": own_partition(table)}, ("gft",)))
    return {name: folder / f"{name}.html" for name in ("both", "own", "stats")}


@pytest.fixture
def opened(browser: Any, pages: dict[str, Path]) -> Iterator[Any]:
    contexts = []

    def open_page(name: str, **options: Any) -> Any:
        contexts.append(browser.new_context(**options))
        found = contexts[-1].new_page()
        found.goto(pages[name].as_uri())
        found.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        return found

    yield open_page
    for context in contexts:
        context.close()


@pytest.mark.browser
@pytest.mark.parametrize("name", ["both", "own", "stats"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(opened: Any, name: str, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    found = axe.Axe().run(opened(name, color_scheme=scheme, bypass_csp=True))
    assert [(v["id"], v["nodes"][0]["html"][:200]) for v in found.response["violations"]] == []


@pytest.mark.browser
@pytest.mark.parametrize("width", [360, 768, 1280])
def test_nothing_is_wider_than_the_window(opened: Any, width: int) -> None:
    page = opened("both", viewport={"width": width, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.browser
def test_diagrams_fit_a_telephone_and_follow_the_scheme(opened: Any) -> None:
    ink = "getComputedStyle(document.querySelector('svg[role=img] text')).fill"
    page = opened("both", viewport={"width": 390, "height": 900}, color_scheme="light")
    widest = "Math.max(...[...document.querySelectorAll('svg[role=img]')].map(s => s.getBoundingClientRect().right))"
    assert page.evaluate(widest) <= 390
    assert page.evaluate(ink) != opened("both", color_scheme="dark").evaluate(ink)


@pytest.mark.browser
def test_no_text_of_a_diagram_leaves_its_drawing(opened: Any) -> None:
    """The estimated width of a text is at least what the browser takes, up to a pixel."""
    page = opened("both", viewport={"width": 1280, "height": 900})
    outside = """[...document.querySelectorAll('svg[role=img] text')].filter(t => {
        const own = t.getBoundingClientRect(), all = t.ownerSVGElement.getBoundingClientRect();
        return own.left < all.left - 1 || own.right > all.right + 1;
    }).map(t => t.textContent)"""
    assert page.evaluate(outside) == []
