"""Drawings of lines and of spreads over expected bands; registered with the other drawings when imported."""

from __future__ import annotations

from typing import Any, Final

from affectcheck.reports.axes import WIDE, label_axis, load_altair, sized, themed, value_axis
from affectcheck.reports.charts import (  # the dispatch on types reads them at run time
    Line,  # noqa: TC001
    LineChart,  # noqa: TC001
    LineCharts,  # noqa: TC001
    Spread,  # noqa: TC001
    SpreadChart,  # noqa: TC001
    SpreadPanel,  # noqa: TC001
)
from affectcheck.reports.drawing import specs
from affectcheck.reports.marks import MarkChart, MarkPanel, names_of
from affectcheck.reports.svg import ACCENT, BAND, INK, SOFT, WARM
from affectcheck.reports.wording import number, percent

_PLOT: Final = WIDE - 64  # pixels of a plot that fits a telephone with its axis
_BROAD: Final = 130  # pixels of a plane, and of a line of text beside it
_TALL: Final = 200
_LINE: Final = 13
_STROKES: Final = ((ACCENT, [1, 0]), (WARM, [6, 3]), (INK, [2, 2]), (SOFT, [8, 3, 2, 3]))


@specs.register
def _lines(chart: LineChart) -> list[tuple[Any, str]]:
    alt = load_altair()
    scale = alt.Scale(type="log", nice=False) if chart.logarithmic else alt.Scale(nice=False)
    ticks = (
        alt.Axis(values=_places(chart), format=",", labelFlush=False, labelOverlap=False)
        if chart.logarithmic
        else alt.Axis(tickCount=5, format="~s")
    )
    x = alt.X("x:Q", title=chart.titles[0], scale=scale, axis=ticks)
    y = alt.Y("y:Q", title=chart.titles[1], scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=4, format=".4~g"))
    layers = []
    for mark in chart.marks:
        rule = alt.Chart(alt.Data(values=[{"x": mark}])).mark_rule(color=SOFT, strokeDash=[3, 3], aria=False)
        layers.append(rule.encode(x=x))
    for place, (line, (colour, dash)) in enumerate(zip(chart.lines, _STROKES, strict=False)):
        rows = [{"x": one, "y": other} for one, other in line.points]
        drawn = alt.Chart(alt.Data(values=rows)).mark_line(color=colour, strokeDash=dash, strokeWidth=2, aria=False)
        layers.append(drawn.encode(x=x, y=y, order="x:Q"))
        named = alt.Chart(alt.Data(values=[{"name": line.label}]))
        text = named.mark_text(align="right", color=colour, fontSize=11, aria=False)
        layers.append(text.encode(x=alt.value(_PLOT - 4), y=alt.value(8 + 14 * place), text="name:N"))
    spec = alt.layer(*layers).properties(width=_PLOT, height=190, title=alt.TitleParams(chart.title))
    return [(themed(spec), f"{chart.title}. {chart.description} {'; '.join(map(_ends, chart.lines))}.")]


def _places(chart: LineChart) -> list[float]:
    """Where the points of the lines lie on the horizontal axis."""
    return sorted({x for line in chart.lines for x, _ in line.points})


def _ends(line: Line) -> str:
    """Where a line begins and ends, in words."""
    if not line.points:
        return f"{line.label}: no values"
    (x, y), (last, end) = line.points[0], line.points[-1]
    return f"{line.label}: {number(y)} at {x:,.6g} to {number(end)} at {last:,.6g}"


@specs.register
def _line_panels(chart: LineCharts) -> list[tuple[Any, str]]:
    return [spec for panel in chart.panels for spec in _lines(panel)]


@specs.register
def _spreads(chart: SpreadChart) -> list[tuple[Any, str]]:
    return [
        (_spread(panel, chart.axis), f"{panel.title}. {chart.description} {_said(panel)}") for panel in chart.panels
    ]


def _said(panel: SpreadPanel) -> str:
    return "; ".join(f"{row.label}: median {number(row.middle)}, {_within(row)}".rstrip(", ") for row in panel.rows)


def _within(row: Spread) -> str:
    return f"{row.words} where expected" if row.expected and row.words else row.words


def _spread(panel: SpreadPanel, title: str) -> Any:
    alt = load_altair()
    rows = [
        {name: getattr(row, name) for name in ("label", "low", "lower", "upper", "high")}
        | {
            "value": row.middle,
            "from": row.expected[0] if row.expected else None,
            "to": row.expected[1] if row.expected else None,
        }
        | {"said": f"{row.label}: {row.words}"}
        for row in panel.rows
    ]
    base, y = alt.Chart(), label_axis([row.label for row in panel.rows])
    x = value_axis(0, 1, nice=False, title=title)
    expected = base.transform_filter("datum.from !== null").mark_bar(height=20, color=BAND, aria=False)
    layers = [
        expected.encode(x=alt.X("from:Q"), x2="to:Q", y=y),
        base.mark_rule(strokeWidth=1.5, color=INK, aria=False).encode(x=alt.X("low:Q"), x2="high:Q", y=y),
        base.mark_bar(height=10, color=ACCENT, aria=False).encode(x=alt.X("lower:Q"), x2="upper:Q", y=y),
        base.mark_tick(thickness=2.5, size=16, color=WARM).encode(x=x, y=y, description="said:N"),
    ]
    return sized(alt.layer(*layers, data=alt.Data(values=rows)), panel.title, len(panel.rows), WIDE)


@specs.register
def _marks(chart: MarkChart) -> list[tuple[Any, str]]:
    told = []
    for panel in chart.panels:
        said = "; ".join(f"{mark.label}: {number(mark.x)}, {percent(mark.y)}" for mark in panel.marks)
        told.append((_plane(panel, chart), f"{panel.title}. {chart.description} {said}"))
    return told


def _plane(panel: MarkPanel, chart: MarkChart) -> Any:
    alt = load_altair()
    end = chart.ends[1]
    rows = [
        {"x": name.mark.x, "y": name.mark.y, "end": end, "at": name.height, "name": name.text}
        | {"said": f"{name.mark.label}: {number(name.mark.x)}, {percent(name.mark.y)}"}
        for name in names_of(panel.marks, _LINE / _TALL)
    ]
    x = alt.X("x:Q", title=chart.titles[0], scale=alt.Scale(domain=chart.ends, nice=False), axis=alt.Axis(tickCount=5))
    share = alt.Axis(format="%", values=[0, 0.25, 0.5, 0.75, 1])
    y = alt.Y("y:Q", title=chart.titles[1], scale=alt.Scale(domain=[0, 1]), axis=share)
    base = alt.Chart()
    column = alt.X("end:Q")
    layers = [
        base.mark_rule(color=SOFT, strokeWidth=0.7, aria=False).encode(x=x, y=y, x2="end:Q", y2="at:Q"),
        base.mark_point(size=64, color=ACCENT, fill=ACCENT, opacity=1).encode(x=x, y=y, description="said:N"),
        base.mark_text(align="left", dx=4, color=INK, fontSize=11, aria=False).encode(
            x=column, y=alt.Y("at:Q"), text="name:N"
        ),
    ]
    spec = alt.layer(*layers, data=alt.Data(values=rows)).properties(width=_BROAD, height=_TALL)
    return themed(spec.properties(title=alt.TitleParams(panel.title)))
