"""Plots of published boards: every model and value is there, in words too, and nothing claims more than it shows."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from affectcheck.challenges import load_board
from affectcheck.challenges.board_correlation import NoCorrelation, RankCorrelation
from affectcheck.errors import InputError
from affectcheck.reports.board_planes import DIFFERENCES, OVER_GROUPS, TESTS, Planes, planes_of, speech_planes
from affectcheck.reports.boards import board_document, boards_document, write_board_plot, write_boards_plot
from affectcheck.reports.document import Figure, Table
from affectcheck.reports.figure_file import FigureFile, figure_svg, palette, write_figure
from affectcheck.reports.markdown import render_document
from affectcheck.reports.marks import Mark, PointChart, padded
from affectcheck.reports.planes import _Box, _boxes

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.reports.document import Document

BOARDS = ("raf-db", "affectnet-7", "affectnet-8", "raf-au", "emotionet", "disfa", "gft")


@pytest.fixture(scope="module")
def planes() -> Planes:
    return planes_of(load_board("raf-db"))


def figure_of(document: Document) -> Figure:
    (figure,) = (block for section in document.sections for block in section.blocks if isinstance(block, Figure))
    return figure


@pytest.mark.parametrize("name", BOARDS)
def test_a_board_is_told_by_its_differences(name: str) -> None:
    board = load_board(name)
    found = planes_of(board)
    assert found.reading is DIFFERENCES
    assert [one.title.casefold().replace(": ", " ") for one in found.differences] == sorted(
        board.disparities, key=lambda column: [one.split()[1] for one in board.disparities].index(column.split()[1])
    )
    for one in found.differences:
        column = f"{one.attribute} {one.measure.casefold()}"
        assert dict(zip(found.models, one.values, strict=True)) == board.column(column)
        assert one.correlation == board.correlation("f1", column)
        assert one.lower


def test_a_board_without_differences_is_told_by_its_scores_over_groups() -> None:
    found = planes_of(load_board("affectnet-va"))
    assert found.reading is OVER_GROUPS
    assert [one.measure for one in found.differences[::3]] == ["local CCC", "local CCC valence", "local CCC arousal"]
    assert not any(one.lower for one in found.differences)
    assert "says nothing of differences" in figure_of(board_document(found, {})).caption
    with pytest.raises(InputError, match="has no column of groups"):
        planes_of(load_board("abaw6-emi"))


def test_speech_models_are_told_by_the_fairness_tests_that_they_fail() -> None:
    found = speech_planes()
    assert found.reading is TESTS
    failed = {one.attribute: dict(zip(found.models, one.values, strict=True)) for one in found.differences}
    assert failed["valence"]["CNN14"] == pytest.approx(0.156)
    assert dict(zip(found.models, found.performance, strict=True))["w2v2-L-robust"] == 0.57
    mean = found.differences[-1].correlation
    assert isinstance(mean, RankCorrelation)
    assert mean.value == pytest.approx(0.073, abs=0.0005)


def test_the_page_holds_every_value_and_says_what_it_does_not_show(planes: Planes) -> None:
    document = board_document(planes, {})
    figure = figure_of(document)
    assert isinstance(figure.chart, PointChart)
    assert figure.table is not None
    rows = {row.cells[0].text: [cell.text for cell in row.cells[1:]] for row in figure.table.rows}
    assert set(rows) == set(planes.models)
    assert next(iter(rows)) == "POSTER++"  # the best first
    assert rows["POSTER++"] == ["0.789", "0.082", "0.117", "0.245", "0.155", "0.068", "0.197"]
    text = render_document(document)
    assert "how much of a difference is chance at these sizes is not known" in text
    assert "lower is a lower difference between groups" in figure.caption
    assert "MA-Net are at 12.1 or more" in text  # what does not add up
    assert not re.search(r"fair(er|est)? model|unfair|bias-free", text)
    named = {panel.title: set(panel.named) for panel in figure.chart.panels}
    assert named["age: EOP"] == {"POSTER++"}
    assert named["age: SP"] == {"POSTER++", "EffNet_b1"}


def test_a_board_with_nothing_to_note_has_no_section_of_notes(planes: Planes) -> None:
    assert [one.anchor for one in board_document(replace(planes, notes=()), {}).sections] == ["planes", "correlations"]


def test_all_boards_beside_each_other(planes: Planes) -> None:
    boards = [planes, planes_of(load_board("affectnet-va")), speech_planes()]
    figure = figure_of(boards_document(boards))
    assert [panel.title for panel in figure.chart.panels] == ["race", "gender", "age", "speech: failed fairness tests"]
    assert isinstance(figure.table, Table)
    assert len(figure.table.rows) == 6 + 5  # the local CCC is no difference
    assert "of 11 intervals about 1 would by chance alone" in figure.caption
    told = {row.cells[0].text: row.cells for row in figure.table.rows}
    assert told["raf-db, age: EOP"][2].text == "+0.541"
    assert told["raf-db, age: EOP"][3].text == "+0.281 to +0.727"


def test_a_correlation_that_is_none_says_why(planes: Planes) -> None:
    nothing = NoCorrelation("all models have the same value", 47)
    changed = replace(planes, differences=(replace(planes.differences[0], correlation=nothing),))
    text = render_document(board_document(changed, {}))
    assert "undefined: all models have the same value" in text
    figure = figure_of(boards_document([changed]))
    assert figure.chart.panels[0].dots[0].value is None


@pytest.mark.parametrize("kind", [".svg", pytest.param(".png", marks=pytest.mark.slow), ".html"])
def test_the_same_board_gives_the_same_bytes(kind: str, planes: Planes, tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    paths = [tmp_path / f"{name}{kind}" for name in "ab"]
    for path in paths:
        write_board_plot(planes, path, {"mine": 0.7})
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_a_figure_is_read_without_being_seen(planes: Planes, tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    write_board_plot(planes, tmp_path / "p.svg", {"mine": 0.7, "<script>": 0.72})
    text = (tmp_path / "p.svg").read_text(encoding="utf-8")
    root = ET.fromstring(text)
    space = "{http://www.w3.org/2000/svg}"
    assert "age: EOP +0.54 [+0.28, +0.73]" in root.get("aria-label", "")
    assert root.findtext(f"{space}title") == "Expressions on RAF-DB, fair protocol: F1 and differences between groups"
    assert text.count("POSTER++: 0.789, 0.197") >= 2  # in the panel's words, and at its mark
    assert "<script" not in text
    assert "prefers-color-scheme:dark" in text
    light, dark = palette()
    assert set(light) == set(dark)
    assert light["ink"] in text
    assert dark["ink"] in text
    used = set(re.findall(r"var\(--([a-z-]+)\)", text))
    assert used <= set(light)
    assert not re.search(r"(href|src|url\(http|@import)", text)


@pytest.mark.slow
def test_plots_of_all_boards(planes: Planes, tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    for kind in ("svg", "pdf", "html"):
        write_boards_plot([planes, speech_planes()], tmp_path / f"all.{kind}")
        assert (tmp_path / f"all.{kind}").stat().st_size > 5000
    assert "speech: failed fairness tests" in (tmp_path / "all.svg").read_text(encoding="utf-8")
    with pytest.raises(InputError, match=r"\.svg, \.png, \.pdf"):
        write_boards_plot([planes], tmp_path / "all.gif")


def panel(width: int, height: int) -> str:
    return f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}"><rect width="1" height="1"/></svg>'


def test_panels_stand_in_rows_and_texts_are_wrapped() -> None:
    sizes = ((200, 100), (180, 120), (220, 90))
    made = FigureFile(
        "A title that is longer than two panels are wide",
        tuple(panel(*one) for one in sizes),
        ("word " * 40,),
        "said",
        2,
    )
    root = ET.fromstring(figure_svg(made))
    space = "{http://www.w3.org/2000/svg}"
    places = [(float(one.get("x", "")), float(one.get("y", ""))) for one in root.findall(f"{space}svg")]
    assert places[1][0] == 16 + 220 + 14  # columns are as wide as their widest panel
    assert places[0][1] == places[1][1]
    assert places[2] == (16, places[0][1] + 120 + 14)
    width = float(root.get("width", ""))
    assert width == 2 * 16 + 220 + 14 + 180
    texts = root.findall(f"{space}text")
    heads = [one.text for one in texts if one.get("font-weight") == "bold"]
    assert " ".join(filter(None, heads)) == made.title
    assert len(heads) == 2
    assert max(float(one.get("y", "")) for one in texts) < float(root.get("height", ""))


def test_another_ending_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot write a figure"):
        write_figure(FigureFile("t", (panel(9, 9),), (), "d"), tmp_path / "x.jpg")


def test_names_stand_where_they_cover_nothing() -> None:
    crowded = [(100.0, 88.0)]  # a mark above
    boxes = _boxes(100.0, 100.0, 40.0)
    assert min(boxes, key=lambda box: box.cost(crowded, [])) == boxes[1]  # below
    assert boxes[0].cost([], [boxes[0]]) == 100
    assert _Box(0.0, -5.0, 10.0).cost([], []) == 1000
    assert len(_boxes(2.0, 50.0, 40.0)) == 5  # no room on the left
    assert all(box.left >= 0 for box in _boxes(2.0, 50.0, 40.0))


def test_axes_hold_marks_and_ones_own() -> None:
    chart = PointChart((), "F1", "", (("mine", 0.9),))
    assert chart.ends == pytest.approx((0.85, 0.95))
    assert padded([0.0, 1.0]) == pytest.approx((-0.1, 1.1))
    assert Mark("a", 0.1, 0.2).label == "a"
