"""Verdicts of several runs beside each other."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from affectcheck.audits import AuditOptions, audit, compare_runs, save_audit, save_record
from affectcheck.audits.verdicts_beside import Judged, verdict_tables
from affectcheck.errors import MissingPathError
from affectcheck.evaluation import CompareOptions
from affectcheck.records import Header, Place, RunRecord, Threshold, Verdict
from affectcheck.reports import render_html, render_markdown
from affectcheck.reports.sections.verdicts_beside import pass_lines

if TYPE_CHECKING:
    from pathlib import Path

LIMIT = Threshold(0.5, "gt", "stated")


def judged(name: str, *values: float | None, mode: str = "corrected") -> Judged:
    """A run with a verdict for each value: those above 0.5 pass, those that are None were not made."""
    verdicts = []
    for place, value in enumerate(values):
        status = "not applicable" if value is None else "passed" if value > 0.5 else "failed"
        reason = "" if status == "passed" else "too low"
        verdicts.append(
            Verdict(
                f"correctness-{place}",
                "correctness",
                "recall",
                status,  # type: ignore[arg-type]  # one of the four
                reason,
                Place("sex", "female", "anger"),
                value,
                LIMIT,
                mode=mode,
                data="data@1",
            )
        )
    return Judged(name, RunRecord(Header(model={"name": name}), verdicts=tuple(verdicts)))


def test_passes_and_differences_are_told_by_pair() -> None:
    tables = verdict_tables(
        [judged("a", 0.9, 0.9, 0.2, None), judged("b", 0.9, 0.1, 0.6, 0.7), Judged("c", RunRecord(Header()))]
    )
    assert [row[0] for row in tables["behaviour_pairs"]["rows"]] == ["a"]
    assert tables["behaviour_pairs"]["rows"][0][2:7] == [1, 1, 1, 0, 1]
    rows, lines = pass_lines(tables)
    assert rows[0] == ("passed of those made", "a", "b")
    assert rows[-2:] == [
        ("All tests, pooled", "2 of 3, 67\N{NO-BREAK SPACE}%", "3 of 4, 75\N{NO-BREAK SPACE}%"),
        ("All tests, mean over tests", "67\N{NO-BREAK SPACE}%", "75\N{NO-BREAK SPACE}%"),
    ]
    assert lines[0].startswith("a and b: 1 passed by the first alone, 1 passed by the second alone")
    assert lines[1] == "  correctness-1 recall of sex female anger: passed and failed, 0.900 and 0.100"
    record = RunRecord(Header(command="compare", model={"name": "a, b"}), tables=tables)
    page = render_html(record)
    assert "Test passes beside each other" in page, "no run has a benchmark score"
    assert "benchmark score" not in page.replace("these runs hold no benchmark score", "")
    told = render_markdown(record)
    assert "Verdicts in which a and b differ" in told
    assert "behaviour_passes" not in told
    assert "No behaviour tests were run" not in told


def test_verdicts_of_two_modes_are_not_compared() -> None:
    tables = verdict_tables([judged("a", None), judged("b", 0.9, mode="published")])
    _, lines = pass_lines(tables)
    assert lines == ["a and b: not compared: verdicts of different modes: corrected and published"]
    assert pass_lines({}) == ([], [])
    assert verdict_tables([judged("a", 0.9)]) == {}


@pytest.fixture(scope="module")
def runs(tones: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("beside")
    options = AuditOptions(
        f"table:{tones}", "random-categorical", suites=("correctness",), partition="none", resamples=20, workers=1
    )
    options = replace(options, cache=folder / "cache")
    for name, scored in (("scored", True), ("tested", False)):
        done = audit(options, scored=scored)
        save_audit(done, folder / name)
        model = done.record.header.model | {"name": "twin"}
        record = replace(done.record.with_header(model=model))
        (folder / f"{name}-twin").mkdir()
        save_record(record, folder / f"{name}-twin")
    return [folder / name for name in ("scored", "tested", "tested-twin")]


def test_runs_that_scored_nothing_are_compared_by_their_verdicts(runs: list[Path]) -> None:
    found, record = compare_runs(runs)
    names = [one["name"] for one in record.header.model["models"]]
    assert names == ["random-categorical (scored)", "random-categorical (tested)", "twin"]
    assert found.comparisons == ()
    assert found.notes == ("verdicts alone are compared: not all of these runs scored their items",)
    assert len(record.tables["behaviour_pairs"]["rows"]) == 3
    assert all(row[2] == row[3] == 0 for row in record.tables["behaviour_pairs"]["rows"])
    scores = record.tables["behaviour_headlines"]["rows"]
    assert [row[0] for row in scores] == ["random-categorical (scored)"]
    with pytest.raises(MissingPathError):
        compare_runs(runs, cross_validated=True)


def test_scores_and_verdicts_stand_in_one_report(runs: list[Path]) -> None:
    from shutil import copytree

    other = copytree(runs[0], runs[0].parent / "again")
    _, record = compare_runs([runs[0], other], CompareOptions(resamples=10, draws=10))
    assert record.comparisons
    assert {row[1] for row in record.tables["behaviour_headlines"]["rows"]} == {"uar"}


def test_other_data_are_told(runs: list[Path], tmp_path: Path) -> None:
    from affectcheck.records import load_run

    record = load_run(runs[1])
    data = [{**record.header.data[0], "digest": "other", "name": "strangers"}]
    save_record(record.with_header(data=data), tmp_path)
    found, _ = compare_runs([runs[1], tmp_path])
    assert found.notes[1:] == ("the runs were made on different data: tones and strangers",)
