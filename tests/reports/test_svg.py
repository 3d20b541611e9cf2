"""Figures: stable, themed, labelled, and nothing in them but shapes and text."""

from __future__ import annotations

import re
import warnings

import pytest

import affectcheck.reports.boards  # noqa: F401  # registers every drawing, with those of the page
from affectcheck.reports.charts import (
    BarChart,
    Bars,
    Chart,
    Cloud,
    CloudChart,
    Dot,
    DotChart,
    Floor,
    FloorChart,
    Line,
    LineChart,
    LineCharts,
    MatrixChart,
    Panel,
    Spread,
    SpreadChart,
    SpreadPanel,
)
from affectcheck.reports.drawing import draw, specs
from affectcheck.reports.marks import Mark, PointChart, PointPanel
from affectcheck.reports.svg import VARIABLES, inline_svg

DOTS = Panel(
    "UAR",
    (
        Dot("all", 0.5, 0.4, 0.6, 0.1, whole=True),
        Dot("female", 0.6, 0.5, 0.7),
        Dot("male", None),
        Dot("x", 0.2, weak=True),
    ),
)
SIGNED = Panel("a-b", (Dot("UAR", 0.1, -0.1, 0.3), Dot("F1", 0.2, 0.1, 0.3), Dot("acc", -0.1)))
PLANE = (Mark("a", 0.6, 0.2), Mark("b", 0.8, 0.1), Mark("c", 0.7, 0.15))
CHARTS: dict[str, Chart] = {
    "dots": DotChart((DOTS,), "scores"),
    "four panels": DotChart((DOTS,) * 4, "scores"),
    "negative": DotChart((Panel("MDE", (Dot("a", -0.2, -0.3, -0.1), Dot("b", 3.0))),), "errors"),
    "all undefined": DotChart((Panel("UAR", (Dot("a", None),)),), "scores"),
    "signed": DotChart((SIGNED,), "differences", signed=True),
    "signed, all undefined": DotChart((Panel("a-b", (Dot("a", None),)),), "differences", signed=True),
    "floors": FloorChart((Floor("EOP", 0.2, 0.1, 0.15, "exceeds", "differs"), Floor("SP", 0.0, 0.0, 0.0)), "disparities"),
    "matrix": MatrixChart(("a", "b"), ("a", "b", "none"), ((3, 1, 0), (0, 0, 0)), "matrix"),
    "wide matrix": MatrixChart(tuple("abcdefghijklmnopqrstuvwxyz"), ("a",), tuple((1,) for _ in range(26)), "matrix"),
    "points": CloudChart((Cloud("valence", ((0.1, 0.2, 1), (0.5, 0.4, 1)), 0.0, 1.0),), "scatter"),
    "squares": CloudChart((Cloud("valence", ((0.1, 0.2, 7), (0.5, 0.4, 1)), 0.0, 1.0),), "scatter", 0.03),
    "lines": LineChart("spectrum", (Line("a", ((1, 2), (3, 4))), Line("b", ())), ("x", "y"), "lines", True, (2.0,)),
    "line panels": LineCharts((LineChart("spectrum", (Line("a", ((0, 2), (3, 4))),), ("x", "y"), "lines"),) * 2),
    "spreads": SpreadChart(
        (SpreadPanel("arousal", (Spread("a", 0, 0.1, 0.2, 0.3, 1, (0, 0.45), "50%"), Spread("b", 0, 0, 0, 0, 0))),),
        "values",
    ),
    "planes": PointChart((PointPanel("age: EOP", "+0.54", "EOP", PLANE, frozenset("ab")),), "F1", "models", (("me", 0.7),)),
    "shared axis": DotChart((SIGNED,), "differences", signed=True, reach=1.0),
    "bars": BarChart((Bars("valence", ("0–0.5", "0.5–1"), (0.4, 0.6), (0.1, 0.9)),), "distribution"),
}  # fmt: skip


@pytest.mark.parametrize("name", CHARTS)
def test_specifications_are_valid(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert all(svg.startswith("<svg") for svg in draw(CHARTS[name], validate=True))


@pytest.mark.parametrize("name", CHARTS)
def test_same_bytes_each_time(name: str) -> None:
    assert draw(CHARTS[name]) == draw(CHARTS[name])


@pytest.mark.parametrize("name", CHARTS)
def test_only_shapes_and_text_in_the_colours_of_the_page(name: str) -> None:
    for svg in draw(CHARTS[name]):
        assert set(re.findall(r"<([a-zA-Z]+)", svg)) <= {
            "svg",
            "g",
            "path",
            "line",
            "rect",
            "text",
            "tspan",
            "defs",
            "clipPath",
        }
        assert not any(colour in svg for colour in VARIABLES)
        assert "font-family" not in svg
        assert 'role="graphics-document"' in svg


def test_marks_are_labelled() -> None:
    (svg,) = draw(CHARTS["dots"])
    assert 'aria-label="all: 0.500, interval 0.400 to 0.600, random model 0.100"' in svg
    assert 'aria-label="male: undefined"' in svg
    (svg,) = draw(CHARTS["matrix"])
    assert 'aria-label="truth a, predicted b: 1 (25\N{NO-BREAK SPACE}% of the row)"' in svg


def test_ids_name_their_content() -> None:
    ids = [set(re.findall(r' id="([^"]+)"', draw(CHARTS[name])[0])) for name in ("points", "points")]
    assert ids[0]
    assert ids[0] == ids[1]
    other = CloudChart((Cloud("arousal", ((0.3, 0.2, 1),), 0.0, 1.0),), "scatter")
    assert not ids[0] & set(re.findall(r' id="([^"]+)"', draw(other)[0]))


def test_text_of_a_matrix_can_be_read_on_its_cell() -> None:
    (svg,) = draw(MatrixChart(("a", "b"), ("a", "b"), ((9, 1), (1, 9)), "matrix"))
    assert '#ffffff">1<' in svg or re.search(r'fill="#ffffff"[^>]*>1<', svg)
    assert re.search(r'fill="#000000"[^>]*>9<', svg)


def test_what_is_no_shape_is_dropped() -> None:
    hostile = (
        '<svg xmlns="http://www.w3.org/2000/svg" onload="x()" width="9" height="9" viewBox="0 0 9 9"><script>x()</script>'
        '<foreignObject><b/></foreignObject><a href="javascript:x()"><path d="M0,0h1"/></a>'
        '<g onclick="x()" style="background:url(http://e)"><path d="M0,0h9v9Z" fill="#040404" opacity="1"/></g></svg>'
    )
    clean = inline_svg(hostile, 'a "quoted" <name>')
    assert clean == (
        '<svg viewBox="0 0 9 9" width="9" height="9" role="graphics-document" aria-roledescription="chart" '
        'aria-label="a &quot;quoted&quot; &lt;name&gt;"><g><path d="M0,0h9v9Z" style="fill:var(--accent)" /></g></svg>'
    )


def test_a_chart_that_cannot_be_drawn() -> None:
    with pytest.raises(TypeError, match="no drawing for int"):
        specs(3)


@pytest.mark.parametrize("name", ["lines", "line panels", "spreads"])
def test_curves_fit_a_telephone_without_being_shrunk(name: str) -> None:
    for svg in draw(CHARTS[name]):
        width = float(svg.partition('width="')[2].partition('"')[0])
        assert width <= 358, "390 pixels less both margins"
