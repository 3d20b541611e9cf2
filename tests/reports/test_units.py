"""Action units in reports: thresholds in words, counts of truth and prediction, parts, and disparities of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from affectcheck.records import Header, NoiseFloor, Place, RunRecord
from affectcheck.reports import render_html, render_markdown
from affectcheck.reports.document import Details, Table, Text
from affectcheck.reports.reading import Reading
from affectcheck.reports.sections import classes
from affectcheck.reports.sections.units import thresholds, unit_counts

if TYPE_CHECKING:
    from types import ModuleType

HEADER = Header(model={"name": "au-net", "kind": "units", "parts": ["AU1", "AU2"]})


def counts(*places: tuple[str, str]) -> dict[str, Any]:
    rows: list[list[Any]] = []
    for attribute, group in places:
        for unit, cells in (("AU1", (50, 6, 10, 34, 4)), ("AU2", (0, 0, 0, 0, 104))):
            pairs = [(0, 0), (0, 1), (1, 0), (1, 1), (None, None)]
            rows += [[unit, t, p, n, attribute, group] for (t, p), n in zip(pairs, cells, strict=True)]
    return {"columns": ["unit", "truth", "prediction", "count", "attribute", "group"], "rows": rows}


def record(records: ModuleType, *scores: Any, **tables: Any) -> Reading:
    return Reading(RunRecord(HEADER, tuple(scores), tables=tables))


def test_counts_of_each_unit(records: ModuleType) -> None:
    (table,) = unit_counts(record(records, units=counts(("", ""))))
    assert isinstance(table, Table)
    first, second = ([cell.text for cell in row.cells] for row in table.rows)
    assert first == ["AU1", "44", "34", "10", "6", "50", "4"]
    assert table.rows[0].cells[1].detail == "44\N{NO-BREAK SPACE}% of 100"
    assert second == ["AU2", "–", "0", "0", "0", "0", "104"], "nothing is known of it"


def test_counts_by_group_are_folded_by_attribute(records: ModuleType) -> None:
    _, details = unit_counts(record(records, units=counts(("", ""), ("sex", "f"), ("sex", "m"))))
    assert isinstance(details, Details)
    assert details.summary == "Counts of each action unit by sex"
    captions = [block.caption for block in details.blocks if isinstance(block, Table)]
    assert captions == [f"Items by truth and prediction of each action unit, sex = {group}" for group in "fm"]
    text = render_markdown(record(records, records.score("unit_f1", 0.4), units=counts(("", ""))).record)
    assert "Table units" not in text


def told(records: ModuleType, rows: list[list[Any]]) -> list[str]:
    table = {"columns": ["unit", "threshold", "output", "how"], "rows": rows}
    return [block.text for block in thresholds(record(records, thresholds=table)) if isinstance(block, Text)]


def test_thresholds_in_words(records: ModuleType) -> None:
    def of(how: str, *values: float) -> list[str]:
        return told(records, [[f"AU{i}", value, "probability", how] for i, value in enumerate(values, start=1)])

    assert of("natural", 0.5, 0.5) == [
        "An action unit counts as present from a probability of 0.5 on (as the kind of score says by itself)."
    ]
    assert of("", 0.3) == ["An action unit counts as present from a probability of 0.3 on (stated)."]
    assert of("per unit by F1 on affwild2@0123456789ab", 0.25, 0.4) == [
        "An action unit counts as present from a probability of its own on (chosen per unit by F1 on affwild2): "
        "AU1 0.25, AU2 0.4."
    ]


def test_thresholds_of_a_view_without_tables(records: ModuleType) -> None:
    score = records.score("unit_f1", 0.4)
    stated = [s.signature.with_(thresholds=text) for s, text in ((score, "AU1=0.3"), (score, "natural"))]
    scores = [type(score)(score.metric, 0.4, 9, signature) for signature in stated]
    (text,) = thresholds(record(records, *scores))
    assert isinstance(text, Text)
    assert text.text == "Thresholds of the action units: AU1=0.3."


def test_thresholds_stand_below_the_headline(records: ModuleType) -> None:
    table = {"columns": ["unit", "threshold", "output", "how"], "rows": [["AU1", 0.3, "logit", ""]]}
    made = record(records, records.score("unit_f1", 0.4), thresholds=table).record
    for text in (render_html(made), render_markdown(made)):
        assert "present from a logit of 0.3 on" in text
    assert "Table thresholds" not in render_markdown(made)


def test_f1_recall_and_precision_are_drawn_first_with_what_is_known(records: ModuleType) -> None:
    scores = [
        records.score(metric, 0.5, place=Place(part=unit), n=n)
        for metric in ("unit_accuracy", "unit_precision", "unit_f1", "unit_recall")
        for unit, n in (("AU1", 100), ("AU2", 12))
    ]
    made = classes.build(record(records, *scores))
    assert made is not None
    figure = made.blocks[0]
    assert [panel.title for panel in figure.chart.panels] == ["AU F1", "AU recall", "AU precision", "AU accuracy"]  # type: ignore[union-attr]
    assert [[cell.text for cell in row.cells[:2]] for row in figure.table.rows] == [["AU1", "100"], ["AU2", "12"]]  # type: ignore[union-attr]


def test_disparities_of_each_unit_are_folded(records: ModuleType) -> None:
    floor = NoiseFloor(0.05, 0.08, 1000)
    scores = [records.score("eod", 0.2, place=Place("sex"), width=0, floor=floor)]
    scores += [records.score("eod", 0.1 * i, place=Place("sex", "", f"AU{i}"), width=0, floor=floor) for i in (1, 2)]
    text = render_markdown(record(records, *scores).record)
    assert "**Disparities of each action unit by sex**" in text
    assert "| AU2 | 432 | 0.200 (above chance, 0.080) |" in text
