"""Shares of predictions that stay, by group: one table a column, marked where a group differs."""

from __future__ import annotations

from affectcheck.records import Header, Place, RunRecord, Verdict
from affectcheck.reports import render_html
from affectcheck.reports.reading import Reading
from affectcheck.reports.sections.behaviour_figures import build
from affectcheck.reports.sections.staying import staying_tables
from affectcheck.reports.wording import percent

ROWS = [
    ["face-fairness-under-mask", "", "gender", "", 60, 0.5],
    ["face-fairness-under-mask", "", "gender", "female", 31, 0.4],
    ["face-fairness-under-mask", "", "gender", "male", 29, 0.6],
    ["face-fairness-under-low-light", "", "gender", "", 31, 0.8],
    ["face-fairness-under-low-light", "", "gender", "female", 31, 0.8],
    ["face-fairness-under-jpeg", "valence", "race", "", 60, 1.0],
]


def record() -> RunRecord:
    verdict = Verdict(
        test="face-fairness-under-mask",
        family="fairness",
        metric="unchanged_difference",
        status="failed",
        reason="so it is",
        value=-0.1,
        place=Place("gender", "female"),
        signature="unchanged",
    )
    columns = ["test", "dimension", "attribute", "group", "items", "share"]
    return RunRecord(
        Header(command="test", model={"name": "m", "kind": "categories"}, data=[{"name": "made"}]),
        verdicts=(verdict,),
        tables={"behaviour_stays": {"columns": columns, "rows": ROWS}},
    )


def test_a_table_a_column_of_groups() -> None:
    gender, race = staying_tables(Reading(record()))
    assert [column.title for column in gender.columns] == ["Perturbation", "All", "female", "male"]
    assert [[cell.text for cell in row.cells] for row in gender.rows] == [
        ["Mask", percent(0.5), percent(0.4), percent(0.6)],
        ["Low light", percent(0.8), percent(0.8), "–"],
    ]
    mask = gender.rows[0].cells
    assert [cell.detail for cell in mask] == ["", "", "differs", ""]
    assert [cell.weak for cell in mask] == [False, False, False, True]
    assert "by gender" in gender.caption
    assert "Predictions of valence that stay" in race.caption
    assert [row.cells[0].text for row in race.rows] == ["JPEG"]


def test_the_report_shows_them() -> None:
    page = render_html(record())
    assert "Predictions that stay under each perturbation, by gender" in page
    section = build(Reading(record()))
    assert section is not None
    assert section.blocks[-1].caption.startswith("Predictions of valence")  # type: ignore[union-attr]


def test_nothing_is_told_where_no_groups_were_asked_about() -> None:
    assert staying_tables(Reading(RunRecord(record().header))) == ()
