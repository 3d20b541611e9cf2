"""Figures of the behaviour tests: how many pass, how classes change, where values lie beside annotated classes."""

from __future__ import annotations

from statistics import pstdev
from typing import TYPE_CHECKING, Any

from affectcheck.behaviour.medium import SOUND, medium_of
from affectcheck.reports.charts import (
    Dot,
    DotChart,
    Line,
    LineChart,
    LineCharts,
    MatrixChart,
    Panel,
    Spread,
    SpreadChart,
    SpreadPanel,
)
from affectcheck.reports.document import Cell, Column, Figure, Row, Section, Table
from affectcheck.reports.glossary import title_of
from affectcheck.reports.reading import tally
from affectcheck.reports.sections.staying import staying_tables
from affectcheck.reports.sections.tables import rows_of
from affectcheck.reports.sections.verdicts import DASH, test_title
from affectcheck.reports.wording import count_text, number, percent

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from affectcheck.behaviour import Definition
    from affectcheck.records import Verdict
    from affectcheck.reports.reading import Reading

_LEAD = "What the verdicts look like: which tests pass, and what the predictions do under the tests."
_PAGES = "how predicted classes change are on the page of each test, which its verdicts below link to."


def build(reading: Reading) -> Section | None:
    """The section; none where no tests were run."""
    figures = tuple(figure for figure in (passed_figure(reading), expected_figure(reading)) if figure is not None)
    figures += tuple(threshold_figures(reading))
    tables = staying_tables(reading)
    what = "Spectra" if reading.record.tables.get("behaviour_spectra") else "Examples"
    lead = f"{_LEAD} {what} and {_PAGES}" if any(pages.tests for pages in reading.beside) else _LEAD
    blocks: tuple[Figure | Table, ...] = (*figures, *tables)
    return Section("behaviour-figures", "Behaviour tests at a glance", blocks, lead) if blocks else None


def passed_figure(reading: Reading) -> Figure | None:
    """The share of passed comparisons of every test, with the spread over what was predicted (paper 2, Fig. 4)."""
    panels, rows = [], []
    for family in reading.families:
        dots = []
        for test in dict.fromkeys(v.test for v in reading.verdicts_of(family)):
            found = reading.verdicts_of(family, test)
            whole = tally(found)
            if not whole.executed:
                continue
            share, spread = whole.counts["passed"] / whole.executed, _spread(found)
            random = whole.random_passed / whole.random_made if whole.random_made else None
            low, high = (max(0.0, share - spread), min(1.0, share + spread)) if spread is not None else (None, None)
            name = test_title(test, family)
            dots.append(Dot(name, share, low, high, random))
            counts = [f"{whole.counts[s]:,}" for s in ("passed", "failed", "inconclusive", "not applicable")]
            said = DASH if random is None else percent(random)
            rows.append(_row(f"{title_of(family)}: {name}", percent(share), *counts, said))
        panels += [Panel(title_of(family), tuple(dots))] if dots else []
    if not panels:
        return None
    caption = (
        "Share of the executed comparisons of each test that passed, inconclusive ones not counted as passed; lines "
        "are one standard deviation over classes or dimensions, diamonds the random model."
    )
    heads = ("Test", "Passed", "n passed", "failed", "inconclusive", "not applicable", "Random model passes")
    chart = DotChart(tuple(panels), caption, axis="Share passed")
    return Figure(chart, caption, _table(caption, heads, rows))


def _spread(verdicts: Sequence[Verdict]) -> float | None:
    """Standard deviation of the passed share over parts: dimensions, or classes."""
    parts = dict.fromkeys(v.place.part.partition(" ")[0] for v in verdicts if v.place.part)
    shares = []
    for part in parts:
        mine = tally(v for v in verdicts if v.place.part.partition(" ")[0] == part)
        if mine.executed:
            shares.append(mine.counts["passed"] / mine.executed)
    return pstdev(shares) if len(shares) > 1 else None


def expected_figure(reading: Reading) -> Figure | None:
    """Predicted values by annotated class over the band in which they are expected (paper 2, Fig. 5)."""
    found = rows_of(reading.record.tables.get("behaviour_expected"))
    if not found:
        return None
    panels, rows = [], []
    for dimension in dict.fromkeys(row["dimension"] for row in found):
        spreads = tuple(_spread_of(row) for row in found if row["dimension"] == dimension)
        panels.append(SpreadPanel(title_of(dimension), spreads))
        rows += [_row(f"{title_of(dimension)}, {one.label}", *_five(one), one.words) for one in spreads]
    derived = reading.kind == "categories"
    what = "Values derived from class probabilities, not predicted," if derived else "Predicted values"
    caption = (
        f"{what} by annotated class: lines reach from the smallest to the largest, the box holds the middle half, the "
        "tick is the median, and the band is where they are expected."
    )
    heads = ("Values of", "Smallest", "Lower quarter", "Median", "Upper quarter", "Largest", "In the expected band")
    chart = SpreadChart(tuple(panels), caption, "Derived value" if derived else "Predicted value")
    return Figure(chart, caption, _table(caption, heads, rows))


def _spread_of(row: dict[str, Any]) -> Spread:
    band = None if row["expected_low"] is None else (row["expected_low"], row["expected_high"])
    words = "nothing is expected" if band is None else f"{percent(row['share'])} of {row['count']:,}"
    five = (row["low"], row["lower"], row["middle"], row["upper"], row["high"])
    return Spread(str(row["category"]), *five, band, words)


def _five(one: Spread) -> tuple[str, ...]:
    return tuple(number(value) for value in (one.low, one.lower, one.middle, one.upper, one.high))


def change_figure(reading: Reading, definition: Definition) -> Figure | None:
    """How predicted classes change under a perturbation (paper 2, Fig. 6); from those on a reference, if there is one."""
    found = [row for row in rows_of(reading.record.tables.get("behaviour_changes")) if row["test"] == definition.name]
    if not found:
        return None
    labels = tuple(dict.fromkeys(str(row["before"]) for row in found))
    counts = {(str(row["before"]), str(row["after"])): int(row["count"]) for row in found}
    rows = tuple(tuple(counts.get((one, other), 0) for other in labels) for one in labels)
    title, given, changed = _versions(definition)
    caption = f"Predictions on {given} (rows) and on {changed} (columns), shaded by share of the row."
    chart = MatrixChart(labels, labels, rows, caption, (title, "Changed"), (title.lower(), "changed"))
    table = [_row(one, *(f"{n:,}" for n in line)) for one, line in zip(labels, rows, strict=True)]
    return Figure(chart, caption, _table(caption, (title, *labels), table))


def _versions(definition: Definition) -> tuple[str, str, str]:
    """What a perturbation starts from, as a heading and in a sentence, and what it makes of it."""
    medium = medium_of(definition)
    changed = f"the changed {medium.name}"
    if definition.reference.perturbation is not None:
        return "Reference", f"the reference {medium.name}", changed
    return "As recorded" if medium is SOUND else "As they are", medium.untouched, changed


def spectrum_figure(reading: Reading, test: str) -> Figure | None:
    """The mean spectrum of some clips as recorded and as changed (paper 2, Fig. 2 and 3)."""
    found = [row for row in rows_of(reading.record.tables.get("behaviour_spectra")) if row["test"] == test]
    if not found:
        return None
    lines = []
    for version in dict.fromkeys(row["version"] for row in found):
        points = tuple((row["frequency_hz"], row["level_db"]) for row in found if row["version"] == version)
        lines.append(Line(str(version), points))
    clips = found[0]["clips"]
    caption = (
        f"Mean magnitude spectrum of {count_text(clips, 'clip')} as recorded and as changed; levels are relative to the "
        "mean power of each sound."
    )
    chart = LineChart("Spectrum", tuple(lines), ("Frequency in Hz", "Level in dB"), caption)
    levels = {(row["frequency_hz"], row["version"]): f"{row['level_db']:.1f} dB" for row in found}
    bands, versions = dict.fromkeys(row["frequency_hz"] for row in found), [line.label for line in lines]
    rows = [_row(f"{band:.0f} Hz", *(levels.get((band, one), DASH) for one in versions)) for band in bands]
    heads = ("Middle of the band", *(f"{one[:1].upper()}{one[1:]}" for one in versions))
    return Figure(chart, caption, _table(caption, heads, rows))


def threshold_figures(reading: Reading) -> Iterator[Figure]:
    """The difference that random models reach, against the size of the groups (paper 2, Fig. 1)."""
    found = rows_of(reading.record.tables.get("behaviour_thresholds"))
    if not found:
        return
    panels, rows = [], []
    for test, metric in dict.fromkeys((row["test"], row["metric"]) for row in found):
        mine = [row for row in found if (row["test"], row["metric"]) == (test, metric)]
        line = Line(f"{mine[0]['groups']} groups", tuple((row["size"], row["limit"]) for row in mine))
        title = f"{test_title(str(test), 'fairness')}: {title_of(str(metric))}"
        marks = tuple(float(size) for size in dict.fromkeys(row["actual"] for row in mine if row["actual"]))
        axes = ("Items of each group", f"Difference of {title_of(str(metric))}")
        panels.append(LineChart(title, (line,), axes, "Threshold by group size.", logarithmic=True, marks=marks))
        rows += [_row(f"{title}, {row['size']:,} items a group", number(row["limit"])) for row in mine]
    caption = (
        f"Differences that {_models(found[0])} stay within in all groups at once, by items of each group; the dashed "
        "line is the smallest group at hand. Simulated with the classes and bins of paper 2, for orientation: what a "
        "verdict's own limit was simulated with stands below its table."
    )
    yield Figure(LineCharts(tuple(panels)), caption, _table(caption, ("Comparison", "Threshold"), rows))


def _models(row: dict[str, Any]) -> str:
    """How many of how many random models a curve is of."""
    if not row.get("models"):
        return "random models"
    return f"{percent(row['quantile'])} of {count_text(row['models'], 'random model')}"


def _row(name: str, *cells: str) -> Row:
    return Row((Cell(name), *(Cell(text) for text in cells)))


def _table(caption: str, heads: Sequence[str], rows: Sequence[Row]) -> Table:
    first, *others = heads
    return Table(caption, (Column(first), *(Column(one, "number") for one in others)), tuple(rows))
