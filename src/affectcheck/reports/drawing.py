"""Draw charts as SVG: Vega-Lite specifications by Altair, rendered without a browser."""

from __future__ import annotations

from functools import partial, singledispatch
from typing import TYPE_CHECKING, Any, Final

from affectcheck.errors import ExtraMissingError
from affectcheck.reports.axes import (
    LONG,
    NARROW,
    STEP,
    WIDE,
    WIDEST,
    label_axis,
    load_altair,
    sized,
    themed,
    value_axis,
    when,
)
from affectcheck.reports.charts import BarChart, CloudChart, DotChart, FloorChart, MatrixChart, MatrixCharts
from affectcheck.reports.diagram_parts import DiagramChart
from affectcheck.reports.diagrams import diagram_svg
from affectcheck.reports.svg import ACCENT, BAND, INK, PAPER, SOFT, WARM, inline_svg
from affectcheck.reports.wording import number, percent

if TYPE_CHECKING:
    from affectcheck.reports.charts import Bars, Chart, Cloud, Dot, Floor, Panel

CELL: Final = 46
_DARK_BELOW: Final = 0.48  # share at which cividis is as far from white as from black
_MARKS: Final = (
    ("exceeds", "triangle-up", WARM),
    ("within", "circle", ACCENT),
    ("inconclusive", "diamond", INK),
    ("", "circle", INK),
)


def draw(chart: Chart, *, validate: bool = False) -> tuple[str, ...]:
    """The chart as one SVG a panel.

    Args:
        chart: what to draw.
        validate: check every part of the specification against the schema, which takes most of the time; the
            tests do it for each kind of chart.

    Raises:
        ExtraMissingError: the plotting packages are not installed.
    """
    if isinstance(chart, DiagramChart):
        return tuple(diagram_svg(panel) for panel in chart.panels)
    with load_altair().utils.schemapi.debug_mode(validate):
        return tuple(_render(spec, description, validate) for spec, description in specs(chart))


def _render(spec: Any, description: str, validate: bool) -> str:
    try:
        import vl_convert  # noqa: PLC0415  # an optional package, and slow to import
    except ImportError as error:
        raise ExtraMissingError.of("drawing figures", "report", "vl-convert-python") from error
    wanted = ".".join(load_altair().SCHEMA_VERSION.removeprefix("v").split(".")[:2])
    known = vl_convert.get_vegalite_versions()
    version = wanted if wanted in known else known[-1]
    return inline_svg(vl_convert.vegalite_to_svg(spec.to_dict(validate=validate), vl_version=version), description)


@singledispatch
def specs(chart: Any) -> list[tuple[Any, str]]:
    """The chart's specifications with their descriptions, one a panel."""
    raise TypeError(f"no drawing for {type(chart).__name__}")


@specs.register
def _dots(chart: DotChart) -> list[tuple[Any, str]]:
    plot = (
        partial(_signed, reach=chart.reach)
        if chart.signed
        else partial(_unsigned, title=chart.axis, zoomed=chart.zoomed)
    )
    longest = max((len(dot.label) for panel in chart.panels for dot in panel.dots), default=0)
    width = NARROW if len(chart.panels) > 3 and longest <= LONG else WIDE
    width = WIDEST if len(chart.panels) == 1 and longest > LONG else width
    return [(sized(plot(panel), panel.title, len(panel.dots), width), _said(panel)) for panel in chart.panels]


def _said(panel: Panel) -> str:
    return f"{panel.title}. {'; '.join(_dot_text(dot) for dot in panel.dots)}"


def _dot_text(dot: Dot) -> str:
    if dot.value is None:
        return f"{dot.label}: undefined"
    bounded = dot.low is not None and dot.high is not None
    interval = f", interval {number(dot.low or 0.0)} to {number(dot.high or 0.0)}" if bounded else ""
    random = f", random model {number(dot.baseline)}" if dot.baseline is not None else ""
    return f"{dot.label}: {number(dot.value)}{interval}{random}"


def _data(panel: Panel) -> Any:
    alt = load_altair()
    rows = []
    for dot in panel.dots:
        open_ended = dot.low is None or dot.high is None
        crosses = open_ended or (dot.low or 0.0) <= 0 <= (dot.high or 0.0)
        row = {name: getattr(dot, name) for name in ("label", "value", "low", "high", "baseline", "weak", "whole")}
        rows.append({**row, "said": _dot_text(dot), "crosses": crosses})
    return alt.Data(values=rows)


def _numbers(panel: Panel) -> list[float]:
    return [v for dot in panel.dots for v in (dot.value, dot.low, dot.high, dot.baseline) if v is not None]


def _random(base: Any, y: Any) -> Any:
    shown = base.transform_filter("datum.baseline !== null")
    marks = shown.mark_point(shape="diamond", size=46, color=SOFT, strokeWidth=1.4, aria=False)
    return marks.encode(x=load_altair().X("baseline:Q"), y=y)


def _unsigned(panel: Panel, title: str, *, zoomed: bool) -> Any:
    alt = load_altair()
    values = _numbers(panel)
    low, high = min([0.0, *values]), max([*values, 0.0]) or 1.0
    high = 1.0 if 0.4 < high <= 1 else high * 1.05
    if zoomed and values:
        low = max(min(values) - 0.05 * (high - min(values)), 0.0)
    base, x, y = alt.Chart(), value_axis(low, high, title=title), label_axis([dot.label for dot in panel.dots])
    wide = base.transform_filter("datum.low !== null").mark_rule(strokeWidth=2, color=ACCENT, aria=False)
    dots = base.transform_filter("datum.value !== null && !datum.whole")
    square = base.transform_filter("datum.value !== null && datum.whole")
    absent = base.transform_filter("datum.value === null")
    word = absent.mark_text(align="left", color=SOFT, fontStyle="italic", fontSize=11, text="undefined")
    layers = [
        square.mark_rule(strokeDash=[3, 3], color=SOFT, aria=False).encode(x=x),
        _random(base, y),
        wide.encode(x=alt.X("low:Q"), x2="high:Q", y=y),
        dots.mark_point(size=64, color=ACCENT, strokeWidth=2, opacity=1).encode(
            x=x, y=y, fill=when("datum.weak", PAPER, ACCENT), description="said:N"
        ),
        square.mark_point(shape="square", size=64, color=INK, fill=INK, opacity=1).encode(
            x=x, y=y, description="said:N"
        ),
        word.encode(x=alt.datum(low), y=y, description="said:N"),
    ]
    return alt.layer(*layers, data=_data(panel))


def _signed(panel: Panel, reach: float) -> Any:
    alt = load_altair()
    reach = reach or (max(map(abs, _numbers(panel)), default=0.0) or 0.1) * 1.1
    base, x, y = alt.Chart(), value_axis(-reach, reach), label_axis([dot.label for dot in panel.dots])
    zero = alt.Chart(alt.Data(values=[{"zero": 0}])).mark_rule(color=INK, strokeWidth=1.2, aria=False)
    wide = base.transform_filter("datum.low !== null").mark_rule(strokeWidth=2, aria=False)
    layers = [
        zero.encode(x="zero:Q"),
        _random(base, y),
        wide.encode(x=alt.X("low:Q"), x2="high:Q", y=y, color=when("datum.crosses", ACCENT, WARM)),
    ]
    for test, shape, colour in (("datum.crosses", "circle", ACCENT), ("!datum.crosses", "triangle-up", WARM)):
        shown = base.transform_filter(f"datum.value !== null && {test}")
        marks = shown.mark_point(shape=shape, size=72, color=colour, fill=colour, opacity=1)
        layers.append(marks.encode(x=x, y=y, description="said:N"))
    return alt.layer(*layers, data=_data(panel))


@specs.register
def _floors(chart: FloorChart) -> list[tuple[Any, str]]:
    alt = load_altair()
    high = (
        max((v for row in chart.rows for v in (row.value, row.quantile, row.limit or 0.0)), default=1.0) * 1.08 or 1.0
    )
    data = alt.Data(values=[_floor_row(row) for row in chart.rows])
    base = alt.Chart()
    x, y = value_axis(0, high, nice=False), label_axis([row.label for row in chart.rows])
    bar = base.mark_bar(height=14, color=BAND, aria=False)
    tick = base.mark_tick(thickness=1.5, size=14, color=SOFT, aria=False)
    judged = base.transform_filter("datum.limit !== null").mark_tick(thickness=1.5, size=STEP, color=INK, aria=False)
    layers = [bar.encode(x=alt.X("zero:Q"), x2="quantile:Q", y=y), tick.encode(x=alt.X("mean:Q"), y=y)]
    layers.append(judged.encode(x=alt.X("limit:Q"), y=y))
    for decision, shape, colour in _MARKS:
        shown = base.transform_filter(f"datum.decision === '{decision}'")
        marks = shown.mark_point(shape=shape, size=80, color=colour, fill=colour, opacity=1)
        layers.append(marks.encode(x=x, y=y, description="said:N"))
    return [
        (sized(alt.layer(*layers, data=data), "Value over its null band", len(chart.rows), WIDE), chart.description)
    ]


def _floor_row(row: Floor) -> dict[str, Any]:
    said = f"{row.label}: {number(row.value)}, null band up to {number(row.quantile)}: {row.words}"
    values = {name: getattr(row, name) for name in ("label", "value", "mean", "quantile", "decision", "limit")}
    return {**values, "zero": 0.0, "said": said}


@specs.register
def _matrix(chart: MatrixChart) -> list[tuple[Any, str]]:
    alt = load_altair()
    size = max(26, min(CELL, 640 // max(len(chart.columns), 1)))
    base = alt.Chart()
    axis = {"domain": False, "ticks": False, "labelLimit": 120, "grid": False}
    top = alt.Axis(orient="top", labelAngle=-40, **axis)
    rows, columns = list(chart.rows), list(chart.columns)
    x = alt.X("prediction:N", sort=columns, title=chart.titles[1], scale=alt.Scale(domain=columns), axis=top)
    y = alt.Y("truth:N", sort=rows, title=chart.titles[0], scale=alt.Scale(domain=rows), axis=alt.Axis(**axis))
    colour = alt.Color("share:Q", scale=alt.Scale(scheme="cividis", domain=[0, 1]), legend=None)
    text = when(f"datum.share < {_DARK_BELOW}", "#ffffff", "#000000")
    roomy = size >= 36
    cells = base.mark_rect(stroke=PAPER, strokeWidth=1).encode(x=x, y=y, description="said:N", color=colour)
    counts = base.mark_text(fontSize=12, dy=-6 if roomy else 0, aria=False).encode(x=x, y=y, text="count:N", color=text)
    layers = [cells, counts]
    if roomy:
        shares = base.mark_text(fontSize=10, dy=8, aria=False).encode(x=x, y=y, text="percent:N", color=text)
        layers.append(shares)
    data = alt.Data(values=_matrix_rows(chart))
    spec = alt.layer(*layers, data=data).properties(width=size * len(columns), height=size * len(rows))
    spec = spec.properties(title=alt.TitleParams(chart.title)) if chart.title else spec
    return [(themed(spec), chart.description)]


@specs.register
def _matrices(chart: MatrixCharts) -> list[tuple[Any, str]]:
    return [spec for panel in chart.panels for spec in _matrix(panel)]


def _matrix_rows(chart: MatrixChart) -> list[dict[str, Any]]:
    rows = []
    for truth, counts in zip(chart.rows, chart.counts, strict=True):
        total = sum(counts)
        for prediction, count in zip(chart.columns, counts, strict=True):
            share = count / total if total else 0.0
            place = f"{chart.words[0]} {truth}, {chart.words[1]} {prediction}"
            said = f"{place}: {count:,} ({percent(share)} of the row)"
            cell = {"truth": truth, "prediction": prediction, "count": f"{count:,}", "share": share}
            rows.append({**cell, "percent": f"{share:.0%}" if count else "", "said": said})
    return rows


@specs.register
def _clouds(chart: CloudChart) -> list[tuple[Any, str]]:
    return [(_cloud(cloud, chart), f"{cloud.title}. {chart.description}") for cloud in chart.clouds]


def _cloud(cloud: Cloud, chart: CloudChart) -> Any:
    alt, cell = load_altair(), chart.cell
    rows = [{"t": t, "p": p, "t2": t + cell, "p2": p + cell, "n": n} for t, p, n in cloud.points]
    scale = alt.Scale(domain=[cloud.low, cloud.high], nice=False)
    x = alt.X("t:Q", title=chart.titles[0], scale=scale, axis=alt.Axis(tickCount=5, format="~g"))
    y = alt.Y("p:Q", title=chart.titles[1], scale=scale, axis=alt.Axis(tickCount=5, format="~g"))
    ends = alt.Chart(alt.Data(values=[{"t": cloud.low, "p": cloud.low}, {"t": cloud.high, "p": cloud.high}]))
    line = ends.mark_line(color=SOFT, strokeDash=[4, 3], strokeWidth=1.2, aria=False).encode(x=x, y=y)
    base = alt.Chart(alt.Data(values=rows))
    if cell:
        most = cloud.most or max((n for *_, n in cloud.points), default=1)
        shade = alt.Opacity("n:Q", scale=alt.Scale(type="sqrt", domain=[0, most], range=[0.08, 1]), legend=None)
        marks = base.mark_rect(color=ACCENT, aria=False).encode(x=x, x2="t2:Q", y=y, y2="p2:Q", opacity=shade)
    else:
        dots = base.mark_circle(size=18, color=ACCENT, opacity=0.5, aria=False, clip=True)
        marks = dots.encode(x=x, y=y)
    layers = (marks, line) if chart.diagonal else (marks,)
    spec = alt.layer(*layers).properties(width=230, height=230, title=alt.TitleParams(cloud.title))
    return themed(spec)


@specs.register
def _bars(chart: BarChart) -> list[tuple[Any, str]]:
    return [(_bar_panel(bars), f"{bars.title}. {chart.description}") for bars in chart.panels]


def _bar_panel(bars: Bars) -> Any:
    alt = load_altair()
    rows = [
        {"bin": name, "share": share, "of": of, "said": f"{of}, {name}: {percent(share)}"}
        for of, shares in (("truth", bars.truth), ("prediction", bars.prediction))
        for name, share in zip(bars.bins, shares, strict=True)
    ]
    order = ["truth", "prediction"]
    x = alt.X("bin:N", sort=list(bars.bins), title=None, axis=alt.Axis(labelAngle=-45, ticks=False))
    y = alt.Y("share:Q", title="Share", axis=alt.Axis(format="%", tickCount=4))
    offset = alt.XOffset("of:N", sort=order, scale=alt.Scale(domain=order))
    base = alt.Chart()
    layers = []
    for of, fill, stroke in (("truth", PAPER, INK), ("prediction", ACCENT, ACCENT)):
        marks = base.transform_filter(f"datum.of === '{of}'").mark_bar(fill=fill, stroke=stroke, strokeWidth=1.2)
        layers.append(marks.encode(x=x, y=y, xOffset=offset, description="said:N"))
    spec = alt.layer(*layers, data=alt.Data(values=rows)).properties(
        width=WIDE - 70, height=150, title=alt.TitleParams(bars.title)
    )
    return themed(spec)
