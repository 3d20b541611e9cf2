"""What a figure shows, as plain values: the drawing is done elsewhere and only for HTML."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from affectcheck.reports.diagram_parts import DiagramChart
from affectcheck.reports.marks import MarkChart, PointChart

Decision = Literal["exceeds", "within", "inconclusive", ""]


@dataclass(frozen=True)
class Dot:
    """A value with its interval; None where it is undefined.

    Attributes:
        label: the row it stands in.
        value, low, high: in the unit of the panel.
        baseline: the random model's value.
        weak: small support.
        whole: the value of the whole set, drawn apart from its groups.
    """

    label: str
    value: float | None
    low: float | None = None
    high: float | None = None
    baseline: float | None = None
    weak: bool = False
    whole: bool = False


@dataclass(frozen=True)
class Panel:
    """The dots of one metric."""

    title: str
    dots: tuple[Dot, ...]


@dataclass(frozen=True)
class DotChart:
    """Dots with intervals, one panel a metric; ``signed`` puts a rule at zero.

    Attributes:
        panels: in order; rows are the labels of the first.
        description: read by screen readers.
        signed: whether values are differences.
        axis: title of the axis of values; empty where that of the panel says it.
        zoomed: whether the axis holds the values alone, not 0 too: for shares that are all near 1.
        reach: largest size of a signed value on the axis; 0 for that of each panel.
    """

    panels: tuple[Panel, ...]
    description: str
    signed: bool = False
    axis: str = ""
    zoomed: bool = False
    reach: float = 0.0


@dataclass(frozen=True)
class Floor:
    """A disparity and the range that a model alike for all groups would reach; ``limit``: where one was judged."""

    label: str
    value: float
    mean: float
    quantile: float
    decision: Decision = ""
    words: str = ""
    limit: float | None = None


@dataclass(frozen=True)
class FloorChart:
    """Disparities over their noise floors."""

    rows: tuple[Floor, ...]
    description: str


@dataclass(frozen=True)
class MatrixChart:
    """Counts by rows and columns, coloured by the share of their row: truth and prediction, or what the titles say."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    description: str
    titles: tuple[str, str] = ("Truth", "Prediction")
    words: tuple[str, str] = ("truth", "predicted")
    title: str = ""


@dataclass(frozen=True)
class MatrixCharts:
    """Matrices side by side."""

    panels: tuple[MatrixChart, ...]


@dataclass(frozen=True)
class Cloud:
    """Truth and prediction of one dimension; points of equal place carry their count.

    Attributes:
        title: of the panel.
        points: place and count, or share.
        low, high: of both axes.
        most: count that is drawn darkest; None for the largest.
    """

    title: str
    points: tuple[tuple[float, float, float], ...]
    low: float
    high: float
    most: float | None = None


@dataclass(frozen=True)
class CloudChart:
    """Scatter of dimensions, as points or, where there are many, as counted squares.

    Attributes:
        clouds: one a dimension.
        description: read by screen readers.
        cell: side of a counted square; 0 for single points.
        titles: of the horizontal and the vertical axis.
        diagonal: whether a line marks where both agree.
    """

    clouds: tuple[Cloud, ...]
    description: str
    cell: float = 0.0
    titles: tuple[str, str] = ("Truth", "Prediction")
    diagonal: bool = True


@dataclass(frozen=True)
class Bars:
    """Shares of truth and prediction in bins."""

    title: str
    bins: tuple[str, ...]
    truth: tuple[float, ...]
    prediction: tuple[float, ...]


@dataclass(frozen=True)
class BarChart:
    """Distributions of truth and prediction side by side."""

    panels: tuple[Bars, ...]
    description: str


@dataclass(frozen=True)
class Line:
    """A line through places, in order."""

    label: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class LineChart:
    """Lines over one axis, with a mark where something real lies.

    Attributes:
        title: of the panel.
        lines: at most four, told apart by dashes and by their names at the end.
        titles: of the horizontal and the vertical axis.
        description: read by screen readers.
        logarithmic: whether the horizontal axis is.
        marks: places on the horizontal axis that are marked by a rule.
    """

    title: str
    lines: tuple[Line, ...]
    titles: tuple[str, str]
    description: str
    logarithmic: bool = False
    marks: tuple[float, ...] = ()


@dataclass(frozen=True)
class LineCharts:
    """Line charts side by side."""

    panels: tuple[LineChart, ...]


@dataclass(frozen=True)
class Spread:
    """Where the values of one row lie: smallest, quarters, largest; and where they are expected.

    Attributes:
        label: the row.
        low, lower, middle, upper, high: five numbers.
        expected: both ends of where values are expected; None where nothing is.
        words: what a screen reader says beside them.
    """

    label: str
    low: float
    lower: float
    middle: float
    upper: float
    high: float
    expected: tuple[float, float] | None = None
    words: str = ""


@dataclass(frozen=True)
class SpreadPanel:
    """The spreads of one dimension, on [0, 1]."""

    title: str
    rows: tuple[Spread, ...]


@dataclass(frozen=True)
class SpreadChart:
    """Boxes over the bands in which values are expected, one panel a dimension, with the title of their axis."""

    panels: tuple[SpreadPanel, ...]
    description: str
    axis: str = ""


Chart: TypeAlias = (
    DotChart
    | FloorChart
    | MatrixChart
    | MatrixCharts
    | CloudChart
    | BarChart
    | DiagramChart
    | LineChart
    | LineCharts
    | SpreadChart
    | MarkChart
    | PointChart
)
