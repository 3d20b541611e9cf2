"""Drawings of lines and of spreads over expected bands; registered with the other drawings when imported."""

from __future__ import annotations

from typing import Any, Final

from affectcheck.reports.axes import WIDE, label_axis, load_altair, sized, themed, value_axis
from affectcheck.reports.charts import (  # the dispatch on types reads them at run time
    LineChart,  # noqa: TC001
    LineCharts,  # noqa: TC001
    SpreadChart,  # noqa: TC001
    SpreadPanel,  # noqa: TC001
)
from affectcheck.reports.drawing import specs
from affectcheck.reports.svg import ACCENT, BAND, INK, SOFT, WARM
from affectcheck.reports.wording import number

_STROKES: Final = ((ACCENT, [1, 0]), (WARM, [6, 3]), (INK, [2, 2]), (SOFT, [8, 3, 2, 3]))


@specs.register
def _lines(chart: LineChart) -> list[tuple[Any, str]]:
    alt = load_altair()
    scale = alt.Scale(type="log") if chart.logarithmic else alt.Scale(nice=False)
    x = alt.X("x:Q", title=chart.titles[0], scale=scale, axis=alt.Axis(tickCount=5, format="~s"))
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
        layers.append(text.encode(x=alt.value(WIDE - 4), y=alt.value(8 + 14 * place), text="name:N"))
    spec = alt.layer(*layers).properties(width=WIDE, height=190, title=alt.TitleParams(chart.title))
    return [(themed(spec), f"{chart.title}. {chart.description}")]


@specs.register
def _line_panels(chart: LineCharts) -> list[tuple[Any, str]]:
    return [spec for panel in chart.panels for spec in _lines(panel)]


@specs.register
def _spreads(chart: SpreadChart) -> list[tuple[Any, str]]:
    return [(_spread(panel), f"{panel.title}. {chart.description} {_said(panel)}") for panel in chart.panels]


def _said(panel: SpreadPanel) -> str:
    return "; ".join(f"{row.label}: median {number(row.middle)}, {row.words}".rstrip(", ") for row in panel.rows)


def _spread(panel: SpreadPanel) -> Any:
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
    x = value_axis(0, 1, nice=False)
    expected = base.transform_filter("datum.from !== null").mark_bar(height=20, color=BAND, aria=False)
    layers = [
        expected.encode(x=alt.X("from:Q"), x2="to:Q", y=y),
        base.mark_rule(strokeWidth=1.5, color=INK, aria=False).encode(x=alt.X("low:Q"), x2="high:Q", y=y),
        base.mark_bar(height=10, color=ACCENT, aria=False).encode(x=alt.X("lower:Q"), x2="upper:Q", y=y),
        base.mark_tick(thickness=2.5, size=16, color=WARM).encode(x=x, y=y, description="said:N"),
    ]
    return sized(alt.layer(*layers, data=alt.Data(values=rows)), panel.title, len(panel.rows), WIDE)
