"""Draw charts as SVG: Vega-Lite specifications by Altair, rendered without a browser."""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING, Any, Final

from affectcheck.errors import ExtraMissingError
from affectcheck.reports.charts import BarChart, CloudChart, DotChart, FloorChart, MatrixChart
from affectcheck.reports.svg import ACCENT, BAND, INK, PAPER, RULE, SOFT, WARM, inline_svg
from affectcheck.reports.wording import number, percent

if TYPE_CHECKING:
    from types import ModuleType

    from affectcheck.reports.charts import Bars, Chart, Cloud, Dot, Panel

WIDTH: Final = 320  # fits a telephone without being shrunk
STEP: Final = 24
CELL: Final = 46
_DARK_BELOW: Final = 0.48  # share at which cividis is as far from white as from black
_FONT: Final = "Arial"  # its widths are known to the renderer; the page draws with the same metrics


def draw(chart: Chart) -> tuple[str, ...]:
    """The chart as one SVG a panel.

    Raises:
        ExtraMissingError: the plotting packages are not installed.
    """
    return tuple(_render(spec, description) for spec, description in specs(chart))


def _load() -> ModuleType:
    try:
        import altair  # noqa: PLC0415  # an optional package, and slow to import
    except ImportError as error:
        raise ExtraMissingError.of("drawing figures", "report", "altair") from error
    return altair  # type: ignore[no-any-return]


def _render(spec: Any, description: str) -> str:
    alt = _load()
    try:
        import vl_convert  # noqa: PLC0415  # an optional package, and slow to import
    except ImportError as error:
        raise ExtraMissingError.of("drawing figures", "report", "vl-convert-python") from error
    wanted = ".".join(alt.SCHEMA_VERSION.removeprefix("v").split(".")[:2])
    known = vl_convert.get_vegalite_versions()
    drawn = vl_convert.vegalite_to_svg(spec.to_dict(), vl_version=wanted if wanted in known else known[-1])
    return inline_svg(drawn, description)


@singledispatch
def specs(chart: Any) -> list[tuple[Any, str]]:
    """The chart's specifications with their descriptions, one a panel."""
    raise TypeError(f"no drawing for {type(chart).__name__}")


@specs.register
def _dots(chart: DotChart) -> list[tuple[Any, str]]:
    return [(_signed(panel) if chart.signed else _panel(panel), _said(panel)) for panel in chart.panels]


def _said(panel: Panel) -> str:
    said = "; ".join(_dot_text(dot) for dot in panel.dots)
    return f"{panel.title}. {said}"


def _dot_text(dot: Dot) -> str:
    if dot.value is None:
        return f"{dot.label}: undefined"
    interval = (
        f", interval {number(dot.low)} to {number(dot.high)}" if dot.low is not None and dot.high is not None else ""
    )
    random = f", random model {number(dot.baseline)}" if dot.baseline is not None else ""
    return f"{dot.label}: {number(dot.value)}{interval}{random}"


def _themed(chart: Any) -> Any:
    return (
        chart.configure(background="transparent", font=_FONT, padding=4)
        .configure_view(stroke=None)
        .configure_axis(
            labelColor=SOFT,
            titleColor=INK,
            gridColor=RULE,
            domainColor=SOFT,
            tickColor=SOFT,
            labelFontSize=11,
            titleFontSize=11,
            titleFontWeight="normal",
            labelLimit=150,
            gridWidth=0.6,
        )
        .configure_title(color=INK, fontSize=12, anchor="start", fontWeight="bold", limit=WIDTH - 10, offset=8)
    )


def _sized(chart: Any, title: str, rows: int) -> Any:
    alt = _load()
    size = {"width": WIDTH - 8, "height": rows * STEP + 62}
    fit = alt.AutoSizeParams(type="fit", contains="padding")
    return _themed(chart.properties(title=alt.TitleParams(title), autosize=fit, **size))


def _rows(panel: Panel) -> list[dict[str, Any]]:
    return [
        {
            "label": dot.label,
            "value": dot.value,
            "low": dot.low,
            "high": dot.high,
            "baseline": dot.baseline,
            "weak": dot.weak,
            "whole": dot.whole,
            "said": _dot_text(dot),
            "crosses": dot.low is None or dot.high is None or dot.low <= 0 <= dot.high,
        }
        for dot in panel.dots
    ]


def _panel(panel: Panel) -> Any:
    alt = _load()
    values = [v for dot in panel.dots for v in (dot.value, dot.low, dot.high, dot.baseline) if v is not None]
    low, high = min([0.0, *values]), max([*values, 0.0]) or 1.0
    high = 1.0 if 0.4 < high <= 1 else high * 1.05
    base = alt.Chart(alt.Data(values=_rows(panel)))
    y = _label_axis(alt, [dot.label for dot in panel.dots])
    x = alt.X(
        "value:Q", title=None, scale=alt.Scale(domain=[low, high], nice=True), axis=alt.Axis(tickCount=5, format="~g")
    )
    wide = base.transform_filter("datum.low !== null")
    layers = [
        base.transform_filter("datum.whole").mark_rule(strokeDash=[3, 3], color=SOFT, aria=False).encode(x=x),
        base.transform_filter("datum.baseline !== null")
        .mark_point(shape="diamond", size=46, color=SOFT, strokeWidth=1.4, aria=False)
        .encode(x=alt.X("baseline:Q"), y=y),
        wide.mark_rule(strokeWidth=2, color=ACCENT, aria=False).encode(x=alt.X("low:Q"), x2="high:Q", y=y),
        base.transform_filter("datum.value !== null && !datum.whole")
        .mark_point(size=64, color=ACCENT, strokeWidth=2, opacity=1)
        .encode(x=x, y=y, fill=_when(alt, "datum.weak", PAPER, ACCENT), description="said:N"),
        base.transform_filter("datum.value !== null && datum.whole")
        .mark_point(shape="square", size=64, color=INK, fill=INK, opacity=1)
        .encode(x=x, y=y, description="said:N"),
        base.transform_filter("datum.value === null")
        .mark_text(align="left", color=SOFT, fontStyle="italic", fontSize=11, text="undefined")
        .encode(x=alt.datum(low), y=y, description="said:N"),
    ]
    return _sized(alt.layer(*layers), panel.title, len(panel.dots))


def _label_axis(alt: ModuleType, labels: list[str]) -> Any:
    return alt.Y(
        "label:N", sort=labels, title=None, scale=alt.Scale(domain=labels), axis=alt.Axis(ticks=False, domain=False)
    )


def _when(alt: ModuleType, test: str, then: str, otherwise: str) -> Any:
    return alt.condition(test, alt.value(then), alt.value(otherwise))


def _signed(panel: Panel) -> Any:
    alt = _load()
    values = [abs(v) for dot in panel.dots for v in (dot.value, dot.low, dot.high, dot.baseline) if v is not None]
    reach = (max(values, default=0.0) or 0.1) * 1.1
    base = alt.Chart(alt.Data(values=_rows(panel)))
    y = _label_axis(alt, [dot.label for dot in panel.dots])
    x = alt.X(
        "value:Q",
        title=None,
        scale=alt.Scale(domain=[-reach, reach], nice=True),
        axis=alt.Axis(tickCount=5, format="~g"),
    )
    colour = _when(alt, "datum.crosses", ACCENT, WARM)
    layers = [
        alt.Chart(alt.Data(values=[{"zero": 0}])).mark_rule(color=INK, strokeWidth=1.2, aria=False).encode(x="zero:Q"),
        base.transform_filter("datum.baseline !== null")
        .mark_point(shape="diamond", size=46, color=SOFT, strokeWidth=1.4, aria=False)
        .encode(x=alt.X("baseline:Q"), y=y),
        base.transform_filter("datum.low !== null")
        .mark_rule(strokeWidth=2, aria=False)
        .encode(x=alt.X("low:Q"), x2="high:Q", y=y, color=colour),
        base.transform_filter("datum.value !== null && datum.crosses")
        .mark_point(size=64, color=ACCENT, fill=ACCENT, opacity=1)
        .encode(x=x, y=y, description="said:N"),
        base.transform_filter("datum.value !== null && !datum.crosses")
        .mark_point(shape="triangle-up", size=80, color=WARM, fill=WARM, opacity=1)
        .encode(x=x, y=y, description="said:N"),
    ]
    return _sized(alt.layer(*layers), panel.title, len(panel.dots))


@specs.register
def _floors(chart: FloorChart) -> list[tuple[Any, str]]:
    alt = _load()
    rows = [
        {
            "label": r.label,
            "value": r.value,
            "mean": r.mean,
            "zero": 0.0,
            "quantile": r.quantile,
            "decision": r.decision,
            "said": f"{r.label}: {number(r.value)}, noise floor up to {number(r.quantile)}: {r.words}",
        }
        for r in chart.rows
    ]
    labels = [row.label for row in chart.rows]
    high = max([v for r in chart.rows for v in (r.value, r.quantile)], default=1.0) * 1.08 or 1.0
    base = alt.Chart(alt.Data(values=rows))
    y = _label_axis(alt, labels)
    x = alt.X("value:Q", title=None, scale=alt.Scale(domain=[0, high]), axis=alt.Axis(tickCount=5, format="~g"))
    layers = [
        base.mark_bar(height=14, color=BAND, aria=False).encode(x=alt.X("zero:Q"), x2="quantile:Q", y=y),
        base.mark_tick(thickness=1.5, size=14, color=SOFT, aria=False).encode(x=alt.X("mean:Q"), y=y),
    ]
    for decision, shape, colour in (
        ("exceeds", "triangle-up", WARM),
        ("within", "circle", ACCENT),
        ("inconclusive", "diamond", INK),
        ("", "circle", INK),
    ):
        marks = base.transform_filter(f"datum.decision === '{decision}'").mark_point(
            shape=shape, size=80, color=colour, fill=colour, opacity=1
        )
        layers.append(marks.encode(x=x, y=y, description="said:N"))
    return [(_sized(alt.layer(*layers), "Value over its noise floor", len(rows)), chart.description)]


@specs.register
def _matrix(chart: MatrixChart) -> list[tuple[Any, str]]:
    alt = _load()
    rows = []
    for truth, counts in zip(chart.labels, chart.counts, strict=True):
        total = sum(counts)
        for prediction, count in zip(chart.labels, counts, strict=True):
            share = count / total if total else 0.0
            said = f"truth {truth}, predicted {prediction}: {count:,} ({percent(share)} of the row)"
            rows.append(
                {
                    "truth": truth,
                    "prediction": prediction,
                    "count": f"{count:,}",
                    "share": share,
                    "percent": percent(round(share, 2)) if total else "",
                    "said": said,
                }
            )
    labels = list(chart.labels)
    size = max(26, min(CELL, 640 // max(len(labels), 1)))
    base = alt.Chart(alt.Data(values=rows))
    x = alt.X(
        "prediction:N",
        sort=labels,
        title="Prediction",
        scale=alt.Scale(domain=labels),
        axis=alt.Axis(orient="top", labelAngle=-40, domain=False, ticks=False, labelLimit=110),
    )
    y = alt.Y(
        "truth:N",
        sort=labels,
        title="Truth",
        scale=alt.Scale(domain=labels),
        axis=alt.Axis(domain=False, ticks=False, labelLimit=130),
    )
    text = _when(alt, f"datum.share < {_DARK_BELOW}", "#ffffff", "#000000")
    layers = [
        base.mark_rect(stroke=PAPER, strokeWidth=1).encode(
            x=x,
            y=y,
            description="said:N",
            color=alt.Color("share:Q", scale=alt.Scale(scheme="cividis", domain=[0, 1]), legend=None),
        ),
        base.mark_text(fontSize=12, dy=-6 if size >= 36 else 0, aria=False).encode(
            x=x, y=y, text="count:N", color=text
        ),
    ]
    if size >= 36:
        layers.append(base.mark_text(fontSize=9, dy=8, aria=False).encode(x=x, y=y, text="percent:N", color=text))
    spec = alt.layer(*layers).properties(width=size * len(labels), height=size * len(labels))
    return [(_themed(spec), chart.description)]


@specs.register
def _clouds(chart: CloudChart) -> list[tuple[Any, str]]:
    return [(_cloud(cloud, chart.cell), f"{cloud.title}. {chart.description}") for cloud in chart.clouds]


def _cloud(cloud: Cloud, cell: float) -> Any:
    alt = _load()
    rows = [{"t": t, "p": p, "t2": t + cell, "p2": p + cell, "n": n} for t, p, n in cloud.points]
    scale = alt.Scale(domain=[cloud.low, cloud.high], nice=False)
    axis = {"tickCount": 5, "format": "~g"}
    x = alt.X("t:Q", title="Truth", scale=scale, axis=alt.Axis(**axis))
    y = alt.Y("p:Q", title="Prediction", scale=scale, axis=alt.Axis(**axis))
    ends = alt.Chart(alt.Data(values=[{"t": cloud.low, "p": cloud.low}, {"t": cloud.high, "p": cloud.high}]))
    line = ends.mark_line(color=SOFT, strokeDash=[4, 3], strokeWidth=1.2, aria=False).encode(x=x, y=y)
    base = alt.Chart(alt.Data(values=rows))
    if cell:
        shade = alt.Opacity(
            "n:Q",
            scale=alt.Scale(type="sqrt", domain=[0, max(n for *_, n in cloud.points)], range=[0.08, 1]),
            legend=None,
        )
        marks = base.mark_rect(color=ACCENT, aria=False).encode(x=x, x2="t2:Q", y=y, y2="p2:Q", opacity=shade)
    else:
        marks = base.mark_circle(size=18, color=ACCENT, opacity=0.5, aria=False, clip=True).encode(x=x, y=y)
    spec = alt.layer(marks, line).properties(width=230, height=230, title=alt.TitleParams(cloud.title))
    return _themed(spec)


@specs.register
def _bars(chart: BarChart) -> list[tuple[Any, str]]:
    return [(_bar_panel(bars), f"{bars.title}. {chart.description}") for bars in chart.panels]


def _bar_panel(bars: Bars) -> Any:
    alt = _load()
    rows = [
        {"bin": name, "share": share, "of": of, "said": f"{of}, {name}: {percent(share)}"}
        for of, shares in (("truth", bars.truth), ("prediction", bars.prediction))
        for name, share in zip(bars.bins, shares, strict=True)
    ]
    order = ["truth", "prediction"]
    x = alt.X("bin:N", sort=list(bars.bins), title=None, axis=alt.Axis(labelAngle=-45, ticks=False))
    y = alt.Y("share:Q", title="Share", axis=alt.Axis(format="%", tickCount=4))
    offset = alt.XOffset("of:N", sort=order, scale=alt.Scale(domain=order))
    base = alt.Chart(alt.Data(values=rows))
    layers = [
        base.transform_filter("datum.of === 'truth'")
        .mark_bar(fill=PAPER, stroke=INK, strokeWidth=1.2)
        .encode(x=x, y=y, xOffset=offset, description="said:N"),
        base.transform_filter("datum.of === 'prediction'")
        .mark_bar(fill=ACCENT, stroke=ACCENT, strokeWidth=1.2)
        .encode(x=x, y=y, xOffset=offset, description="said:N"),
    ]
    spec = alt.layer(*layers).properties(width=WIDTH - 60, height=150, title=alt.TitleParams(bars.title))
    return _themed(spec)
