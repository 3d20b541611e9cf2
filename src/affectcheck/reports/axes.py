"""The look of every chart: theme, sizes and axes, in colours that the page replaces by its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from affectcheck.errors import ExtraMissingError
from affectcheck.reports.svg import INK, RULE, SOFT

if TYPE_CHECKING:
    from types import ModuleType

WIDE: Final = 328  # fits a telephone without being shrunk
NARROW: Final = 252  # four stand side by side on a desk
WIDEST: Final = 520  # one panel with long labels
LONG: Final = 22  # characters of a label; longer ones take more room
STEP: Final = 24
FONT: Final = "Arial"  # its widths are known to the renderer; the page draws with the same metrics


def load_altair() -> ModuleType:
    """Altair, which is optional and slow to import.

    Raises:
        ExtraMissingError: it is not installed.
    """
    try:
        import altair  # noqa: PLC0415  # an optional package, and slow to import
    except ImportError as error:
        raise ExtraMissingError.of("drawing figures", "report", "altair") from error
    return altair  # type: ignore[no-any-return,unused-ignore]


def themed(chart: Any, width: int = WIDE) -> Any:
    """The chart with the theme of the page."""
    axis = {"labelColor": SOFT, "titleColor": INK, "gridColor": RULE, "domainColor": SOFT, "tickColor": SOFT}
    sizes = {"labelFontSize": 11, "titleFontSize": 11, "titleFontWeight": "normal", "gridWidth": 0.6}
    return (
        chart.configure(background="transparent", font=FONT, padding=4)
        .configure_view(stroke=None)
        .configure_axis(labelLimit=width * 3 // 5, **axis, **sizes)
        .configure_title(color=INK, fontSize=12, anchor="start", fontWeight="bold", limit=width - 10, offset=8)
    )


def sized(chart: Any, title: str, rows: int, width: int = WIDE) -> Any:
    """A chart of so many rows, fitted into a width, with its title."""
    alt = load_altair()
    fit = alt.AutoSizeParams(type="fit", contains="padding")
    whole = chart.properties(title=alt.TitleParams(title), autosize=fit, width=width - 8, height=rows * STEP + 62)
    return themed(whole, width)


def label_axis(labels: list[str]) -> Any:
    """Rows by label, in their order."""
    alt = load_altair()
    axis = alt.Axis(ticks=False, domain=False, labelPadding=6)
    return alt.Y("label:N", sort=labels, title=None, scale=alt.Scale(domain=labels), axis=axis)


def value_axis(low: float, high: float, *, nice: bool = True, title: str = "") -> Any:
    """The axis of the values."""
    alt = load_altair()
    ticks = {"values": [0, 0.25, 0.5, 0.75, 1]} if (low, high) == (0.0, 1.0) else {"tickCount": 4}
    axis = alt.Axis(format=".4~g", labelOverlap="parity", **ticks)
    return alt.X("value:Q", title=title or None, scale=alt.Scale(domain=[low, high], nice=nice), axis=axis)


def when(test: str, then: str, otherwise: str) -> Any:
    """A condition on colours."""
    alt = load_altair()
    return alt.condition(test, alt.value(then), alt.value(otherwise))
