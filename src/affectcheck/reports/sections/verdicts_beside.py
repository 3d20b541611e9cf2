"""Verdicts of several runs beside each other: passed comparisons against benchmark scores, and what differs."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from affectcheck.records import Place
from affectcheck.reports.document import Cell, Column, Details, Figure, Row, Section, Table, Text
from affectcheck.reports.glossary import title_of
from affectcheck.reports.marks import Mark, MarkChart, MarkPanel
from affectcheck.reports.sections.tables import rows_of
from affectcheck.reports.sections.verdicts import DASH, test_title
from affectcheck.reports.wording import count_text, number, percent, place_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from affectcheck.reports.document import Block
    from affectcheck.reports.reading import Reading

    Rows = Sequence[Mapping[str, Any]]

_PAIRED: Final = (
    "Verdicts are paired by test, metric and place; those that differ by no more than the noise of other draws, or of "
    "which one is inconclusive, are called near."
)
_LEAD: Final = (
    "Which behaviour tests each model passes, beside its benchmark score: a better score is no promise of more passed "
    f"tests. {_PAIRED}"
)
_UNSCORED: Final = f"Which behaviour tests each model passes; these runs hold no benchmark score. {_PAIRED}"


def build(reading: Reading) -> Section | None:
    """The section; none where no verdicts were compared."""
    tables = reading.record.tables
    passes = rows_of(tables.get("behaviour_passes"))
    if not passes:
        return None
    headlines = rows_of(tables.get("behaviour_headlines"))
    blocks: list[Block] = [pass_table(passes, headlines), *score_figures(passes, headlines)]
    differing = rows_of(tables.get("behaviour_differing"))
    for pair in rows_of(tables.get("behaviour_pairs")):
        mine = [row for row in differing if (row["first"], row["second"]) == (pair["first"], pair["second"])]
        told = Text(f"{pair_text(pair)}.")
        names = f"{pair['first']} and {pair['second']}"
        table = [_differing_table(names, pair, mine)] if mine else []
        blocks.append(Details(f"Verdicts of {names}", (told, *table)))
    if not headlines:
        return Section("verdicts-beside", "Test passes beside each other", tuple(blocks), _UNSCORED)
    return Section("verdicts-beside", "Test passes against benchmark scores", tuple(blocks), _LEAD)


def pass_lines(tables: Mapping[str, dict[str, list[Any]]]) -> tuple[list[tuple[str, ...]], list[str]]:
    """The same for a terminal: rows of the table of passes with its head first, and a line each pair."""
    passes = rows_of(tables.get("behaviour_passes"))
    if not passes:
        return [], []
    models, rows = _pass_rows(passes, rows_of(tables.get("behaviour_headlines")))
    head = ("passed of those made", *models)
    lines = []
    for pair in rows_of(tables.get("behaviour_pairs")):
        lines.append(f"{pair['first']} and {pair['second']}: {pair_text(pair)}")
        for row in rows_of(tables.get("behaviour_differing")):
            if (row["first"], row["second"]) == (pair["first"], pair["second"]) and not row["near"]:
                place = " ".join(filter(None, (row["attribute"], row["group"], row["part"])))
                of = f" of {place}" if place else ""
                lines.append(f"  {row['test']} {row['metric']}{of}: {_states(row)}, {_values(row)}")
    return [head, *rows], lines


def pass_table(passes: Rows, headlines: Rows) -> Table:
    """One row a test, one column a model, the headline scores first."""
    models, rows = _pass_rows(passes, headlines)
    columns = (Column("Score or test" if headlines else "Test"), *(Column(model, "number") for model in models))
    table = tuple(Row(tuple(Cell(cell) for cell in row)) for row in rows)
    caption = "Passed comparisons of those made"
    return Table(f"Benchmark score, then {caption.lower()}" if headlines else caption, columns, table)


def score_figures(passes: Rows, headlines: Rows) -> Iterator[Figure]:
    """A figure of each benchmark score that two models have: one plane a family, one mark a model."""
    for metric in dict.fromkeys(row["metric"] for row in headlines):
        scores = {row["model"]: row["value"] for row in headlines if row["metric"] == metric}
        known = {model: value for model, value in scores.items() if value is not None}
        panels = tuple(_planes(passes, known)) if len(known) > 1 else ()
        if not panels:
            continue
        title = _score_title(metric)
        caption = (
            f"Share of the comparisons made that passed, pooled over the tests of a family that all of these models "
            f"took, against the benchmark score {title}: one mark a model. What {len(known)} models show need not hold for others."
        )
        chart = MarkChart(panels, (title, "Comparisons passed"), f"Passed comparisons against {title}.")
        yield Figure(chart, caption, _score_table(title, panels))


def _planes(passes: Rows, scores: Mapping[str, float]) -> Iterator[MarkPanel]:
    """Of tests that all models took: shares of other tests say nothing beside each other."""
    made = [row for row in passes if row["made"] and row["model"] in scores]
    takers = Counter(row["test"] for row in made)
    shared = [row for row in made if takers[row["test"]] == len(scores)]
    for family in dict.fromkeys(row["family"] for row in shared):
        marks = []
        for model, score in scores.items():
            mine = [row for row in shared if (row["family"], row["model"]) == (family, model)]
            marks.append(Mark(str(model), score, sum(row["passed"] for row in mine) / sum(row["made"] for row in mine)))
        yield MarkPanel(title_of(family), tuple(marks))


def _score_table(title: str, panels: Sequence[MarkPanel]) -> Table:
    rows = []
    for marks in zip(*(panel.marks for panel in panels), strict=True):  # of one model
        shares = (Cell(percent(mark.y)) for mark in marks)
        rows.append(Row((Cell(marks[0].label), Cell(number(marks[0].x)), *shares)))
    columns = (Column("Model"), *(Column(name, "number") for name in (title, *(panel.title for panel in panels))))
    return Table(f"{title}, and the share of passed comparisons of each family", columns, tuple(rows))


def pair_text(pair: Mapping[str, Any]) -> str:
    """How many verdicts of two models differ."""
    if pair["only_first"] is None:
        return f"not compared: {pair['note']}"
    said = [
        f"{pair['only_first']:,} passed by the first alone",
        f"{pair['only_second']:,} passed by the second alone",
        f"{pair['same']:,} with the same verdict",
        f"{pair['near']:,} near",
    ]
    if pair["one_sided"]:
        said.append(f"{count_text(pair['one_sided'], 'comparison')} made for one of them alone")
    return ", ".join(said)


def _pass_rows(passes: Rows, headlines: Rows) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    models = tuple(dict.fromkeys(str(row["model"]) for row in passes))
    scores = {(row["metric"], row["model"]): row["value"] for row in headlines}
    rows = [
        (_score_title(metric), *(_number(scores.get((metric, model))) for model in models))
        for metric in dict.fromkeys(row["metric"] for row in headlines)
    ]
    found = {(row["family"], row["test"], row["model"]): row for row in passes}
    for family, test in dict.fromkeys((row["family"], row["test"]) for row in passes):
        held = [found.get((family, test, model)) for model in models]
        if any(row and row["made"] for row in held):
            rows.append((f"{title_of(family)}: {test_title(test, family)}", *map(_passed, held)))
    sums = [[row for row in passes if row["model"] == model] for model in models]
    rows.append(("All tests, pooled", *map(_pooled, sums)))
    rows.append(("All tests, mean over tests", *map(_mean, sums)))
    return models, rows


def _score_title(metric: str) -> str:
    name, _, part = metric.partition(" ")
    return f"{title_of(name)}, {part}" if part else title_of(name)


def _passed(row: Mapping[str, Any] | None) -> str:
    return f"{row['passed']:,} of {row['made']:,}" if row and row["made"] else DASH


def _pooled(rows: Rows) -> str:
    passed, made = (sum(row[name] for row in rows) for name in ("passed", "made"))
    return f"{passed:,} of {made:,}, {percent(passed / made)}" if made else DASH


def _mean(rows: Rows) -> str:
    shares = [row["passed"] / row["made"] for row in rows if row["made"]]
    return percent(sum(shares) / len(shares)) if shares else DASH


def _differing_table(names: str, pair: Mapping[str, Any], rows: Rows) -> Table:
    columns = (
        Column("Comparison"),
        Column("Test"),
        Column(str(pair["first"]), "status"),
        Column(str(pair["second"]), "status"),
        Column("Values", "number"),
        Column("Reason"),
    )
    return Table(f"Verdicts in which {names} differ", columns, tuple(_row(row) for row in rows))


def _row(row: Mapping[str, Any]) -> Row:
    place = Place(row["attribute"], row["group"], row["part"])
    near = f"near: {row['reason']}" if row["near"] else row["reason"]
    states = (Cell(row[name], status=row[name]) for name in ("first_verdict", "second_verdict"))
    head = Cell(title_of(row["metric"]), detail=place_text(place))
    return Row((head, Cell(row["test"]), *states, Cell(_values(row)), Cell(near or DASH)))


def _states(row: Mapping[str, Any]) -> str:
    return f"{row['first_verdict']} and {row['second_verdict']}"


def _values(row: Mapping[str, Any]) -> str:
    return f"{_number(row['first_value'])} and {_number(row['second_value'])}"


def _number(value: float | None) -> str:
    return DASH if value is None else number(value)
