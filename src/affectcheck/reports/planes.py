"""Drawings of planes of many marks, such as models by performance and difference; registered when imported."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from affectcheck.reports.axes import NARROW, load_altair, themed
from affectcheck.reports.drawing import specs
from affectcheck.reports.marks import PointChart, cut_middle, padded  # the dispatch on types reads it at run time
from affectcheck.reports.svg import ACCENT, INK, SOFT, WARM
from affectcheck.reports.wording import number

if TYPE_CHECKING:
    from affectcheck.reports.marks import Mark, PointPanel

#: Ends of the horizontal and of the vertical axis.
Domain: TypeAlias = tuple[tuple[float, float], tuple[float, float]]
_PLOT: Final = NARROW - 60  # pixels of a plane that stands in rows of four, with its axis
_TALL: Final = 170
_LETTER: Final = 6.8  # pixels of a letter of a name, at most on the mean
_HALF: Final = 6  # pixels of half a name's height


@specs.register
def _planes(chart: PointChart) -> list[tuple[Any, str]]:
    return [
        (_plane(panel, chart), f"{panel.title}. {panel.detail}. {chart.description} {_said(panel)}")
        for panel in chart.panels
    ]


def _said(panel: PointPanel) -> str:
    return "; ".join(_mark_text(mark) for mark in panel.marks)


def _mark_text(mark: Mark) -> str:
    return f"{mark.label}: {number(mark.x)}, {number(mark.y)}"


def _plane(panel: PointPanel, chart: PointChart) -> Any:
    alt = load_altair()
    ends, heights = chart.ends, padded([mark.y for mark in panel.marks])
    rows = [
        {"x": mark.x, "y": mark.y, "said": _mark_text(mark), "named": mark.label in panel.named} for mark in panel.marks
    ]
    ticks = alt.Axis(tickCount=4, format=".2f", labelOverlap="parity")
    x = alt.X("x:Q", title=chart.axis, scale=alt.Scale(domain=ends, nice=False), axis=ticks)
    y = alt.Y("y:Q", title=panel.axis, scale=alt.Scale(domain=heights, nice=False), axis=ticks)
    base = alt.Chart(alt.Data(values=rows))
    quiet, named = base.transform_filter("!datum.named"), base.transform_filter("datum.named")
    layers = [
        *_rules(chart, x),
        quiet.mark_point(size=30, color=ACCENT, fill=ACCENT, fillOpacity=0.35, opacity=1, strokeWidth=1).encode(
            x=x, y=y, description="said:N"
        ),
        named.mark_point(size=52, color=INK, fill=ACCENT, opacity=1, strokeWidth=1.4).encode(
            x=x, y=y, description="said:N"
        ),
        *_names(panel, x, y, (ends, heights)),
    ]
    title = alt.TitleParams(
        panel.title, subtitle=panel.detail, subtitleColor=SOFT, subtitleFontSize=11, offset=6, limit=0
    )
    return themed(alt.layer(*layers).properties(width=_PLOT, height=_TALL, title=title), NARROW)


def _rules(chart: PointChart, x: Any) -> list[Any]:
    """Where values of one's own lie, of which the difference is not known."""
    alt = load_altair()
    drawn = []
    for place, (name, value) in enumerate(chart.rules):
        base = alt.Chart(alt.Data(values=[{"x": value, "name": cut_middle(name), "said": f"{name}: {number(value)}"}]))
        right = value > sum(chart.ends) / 2
        text = base.mark_text(
            align="right" if right else "left", dx=-4 if right else 4, color=WARM, fontSize=11, aria=False
        )
        drawn += [
            base.mark_rule(color=WARM, strokeDash=[4, 3], strokeWidth=1.5).encode(x=x, description="said:N"),
            text.encode(x=x, y=alt.value(8 + 13 * place), text="name:N"),
        ]
    return drawn


def _names(panel: PointPanel, x: Any, y: Any, domain: Domain) -> list[Any]:
    """The names of a few marks, each where it covers the fewest marks, no other name, and stays in the panel."""
    alt = load_altair()
    crowd = [_pixel(mark, domain) for mark in panel.marks]
    taken: list[_Box] = []
    drawn = []
    for mark in panel.marks:
        if mark.label not in panel.named:
            continue
        text = cut_middle(mark.label)
        across, down = _pixel(mark, domain)
        box = min(_boxes(across, down, len(text) * _LETTER), key=lambda one: one.cost(crowd, taken))
        taken.append(box)
        base = alt.Chart(alt.Data(values=[{"x": mark.x, "y": mark.y, "name": text}]))
        label = base.mark_text(
            align="left", dx=box.left - across, dy=box.middle - down, color=INK, fontSize=11, aria=False
        )
        drawn.append(label.encode(x=x, y=y, text="name:N"))
    return drawn


@dataclass(frozen=True)
class _Box:
    """Where a name may stand, in pixels of the panel."""

    left: float
    middle: float
    width: float

    def cost(self, crowd: list[tuple[float, float]], taken: list[_Box]) -> float:
        """How bad a place it is: marks that are covered; much worse, other names, or a place outside."""
        covered = sum(
            self.left - 3 <= x <= self.left + self.width + 3 and abs(y - self.middle) < _HALF + 3 for x, y in crowd
        )
        names = sum(
            abs(one.middle - self.middle) < 2 * _HALF
            and self.left < one.left + one.width
            and one.left < self.left + self.width
            for one in taken
        )
        return covered + 100 * names + 1000 * (not _HALF <= self.middle <= _TALL - _HALF)


def _boxes(across: float, down: float, width: float) -> list[_Box]:
    """Above, below, beside and further off, pushed into the panel from its sides."""
    middle = min(max(across - width / 2, 2.0), _PLOT - width)
    found = [_Box(middle, down + shift, width) for shift in (-12, 13, -25, 26)]
    if across + 8 + width <= _PLOT:
        found.insert(2, _Box(across + 8, down, width))
    if across - 8 - width >= 0:
        found.insert(2, _Box(across - 8 - width, down, width))
    return found


def _pixel(mark: Mark, domain: Domain) -> tuple[float, float]:
    (left, right), (bottom, top) = domain
    return (mark.x - left) / (right - left) * _PLOT, (top - mark.y) / (top - bottom) * _TALL
