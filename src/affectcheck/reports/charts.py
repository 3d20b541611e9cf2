"""What a figure shows, as plain values: the drawing is done elsewhere and only for HTML."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

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
    """

    panels: tuple[Panel, ...]
    description: str
    signed: bool = False


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
    """Counts of truth (rows) and prediction (columns), coloured by the share of their row."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    description: str


@dataclass(frozen=True)
class Cloud:
    """Truth and prediction of one dimension; points of equal place carry their count."""

    title: str
    points: tuple[tuple[float, float, int], ...]
    low: float
    high: float


@dataclass(frozen=True)
class CloudChart:
    """Scatter of dimensions, as points or, where there are many, as counted squares.

    Attributes:
        clouds: one a dimension.
        description: read by screen readers.
        cell: side of a counted square; 0 for single points.
    """

    clouds: tuple[Cloud, ...]
    description: str
    cell: float = 0.0


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


Chart: TypeAlias = DotChart | FloorChart | MatrixChart | CloudChart | BarChart
