"""What the sections make of records of several kinds."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from affectcheck.records import Decision, NoiseFloor, Place, RunRecord, Score, Threshold, Verdict
from affectcheck.reports import render_html, render_markdown, summary_lines
from affectcheck.reports.reading import Reading, tally
from affectcheck.reports.sections import classes, differences, summary
from affectcheck.reports.sections.differences import reading_of_difference
from affectcheck.reports.sections.judging import decide
from affectcheck.reports.sections.summary import tiles
from affectcheck.reports.sections.untested import untested

if TYPE_CHECKING:
    from types import ModuleType


def test_every_setting_is_a_view_of_its_own(records: ModuleType) -> None:
    record = records.cross_validated()
    reading = Reading(record)
    assert [view.name for view in reading.views] == ["test", "cross-validation by subject"]
    assert sum(len(view.record.scores) for view in reading.views) == len(record.scores)
    assert [bool(view.record.tables) for view in reading.views] == [True, False]
    text = render_markdown(record)
    for piece in (
        "## Groups: test",
        "## Groups: cross-validation by subject",
        "## Classes: cross-validation by subject",
        "Scores over all items: test.",
        "UAR · test: 0.553",
        "On 3 further partitions the UAR is between 0.530 and 0.570, on average 0.550 (standard deviation 0.020).",
        "Control: the labels were permuted.",
        "Items: female (216), male (216).",
        "Left out, since the value names no group: unsure (4).",
        "Left out of the scores by age: missing=24",
        "432 tested",
    ):
        assert piece in text
    lines = summary_lines(record)
    assert any(line.startswith("scores: cross-validation by subject") for line in lines)


def test_every_view_shows_its_largest_difference(records: ModuleType) -> None:
    record = records.cross_validated()
    smaller = [
        replace(s, value=s.value / 4) if s.signature.part.startswith("cross") and isinstance(s, Score) else s
        for s in record.scores
    ]
    shown = [tile.name for tile in tiles(Reading(replace(record, scores=tuple(smaller)))) if "Largest" in tile.name]
    assert shown == [
        "Largest UAR difference · test",
        "Largest UAR difference · cross-validation by subject",
    ]


def test_a_gap_over_many_groups_is_not_hidden_by_a_smaller_difference_of_two(records: ModuleType) -> None:
    record = records.categories()
    larger = [replace(s, value=0.9) if s.metric == "uar_gap" and isinstance(s, Score) else s for s in record.scores]
    assert any(s.metric == "uar_gap" for s in larger)
    tile = next(tile for tile in tiles(Reading(replace(record, scores=tuple(larger)))) if "Largest" in tile.name)
    assert tile.name == "Largest UAR gap"
    assert tile.value == "0.900"
    assert " to " in tile.detail


def test_comparisons_of_parts_that_are_not_applicable_for_one_reason_stand_in_one_line(records: ModuleType) -> None:
    record = records.categories()
    one = next(v for v in record.verdicts if v.status == "passed")
    lacking = [
        replace(
            one, status="not applicable", value=None, place=Place(part=part), reason=f"{part}: the truth is constant"
        )
        for part in ("anger", "fear")
    ]
    said = untested(Reading(replace(record, verdicts=tuple(lacking))))
    told = f"{one.family.capitalize()}: 2 comparisons not applicable: anger, fear: the truth is constant"
    assert told in said


def test_views_share_one_numbering_of_signatures(records: ModuleType) -> None:
    text = render_html(records.cross_validated())
    assert 'id="groups-view-2"' in text
    assert 'href="#groups-view-2"' in text
    assert text.count("<li id=") == len(Reading(records.cross_validated()).signatures)


def test_a_record_of_nothing_but_scores(records: ModuleType) -> None:
    text = render_markdown(records.bare())
    assert "No groups were compared" in text
    assert "The random model was not scored" in text
    assert "No behaviour tests were run." in text
    assert "| My metric | 0.500 | no interval | 432 | – |" in text
    assert "No intervals: too few clusters (subject) to resample." in text
    assert "Random model |" not in text
    assert summary_lines(records.bare())[0] == "Model:      –"


def test_intervals_that_were_not_asked_for(records: ModuleType) -> None:
    record = records.bare()
    scores = tuple(replace(s, signature=s.signature.with_(clusters="")) for s in record.scores)
    assert "No intervals were asked for." in render_markdown(replace(record, scores=scores))
    told = tuple(replace(s, notes=("no interval: 3 subject clusters",)) for s in record.scores)
    assert "too few clusters" not in render_markdown(replace(record, scores=told))


def test_units(records: ModuleType) -> None:
    text = render_markdown(records.units())
    assert "## Action units" in text
    assert "| Action unit | n | F1 |" in text
    assert Reading(records.units()).headline == "f1"


@pytest.mark.parametrize(("metric", "kind"), [("ccc", "dimensions"), ("uar", "categories")])
def test_kind_without_a_card(records: ModuleType, metric: str, kind: str) -> None:
    assert Reading(RunRecord(records.interrupted().header, (records.score(metric, 0.1),))).kind == kind


def test_random_model_is_counted_only_where_it_was_run() -> None:
    limit = Threshold(0.5, "gt", "")
    verdicts = (
        Verdict("t", "correctness", "uar", "passed", value=0.6, threshold=limit, baseline=0.7),
        Verdict("t", "correctness", "uar", "failed", value=0.4, threshold=limit, baseline=0.1),
        Verdict("t", "correctness", "uar", "failed", value=0.4, threshold=limit),
        Verdict("t", "correctness", "uar", "not applicable", threshold=limit, baseline=0.9),
    )
    found = tally(verdicts)
    assert (found.executed, found.random_passed, found.random_made) == (3, 1, 2)
    assert found.counts == {"passed": 1, "failed": 2, "inconclusive": 0, "not applicable": 1}


@pytest.mark.parametrize(
    ("status", "decision"), [("failed", "exceeds"), ("passed", "within"), ("inconclusive", "inconclusive")]
)
def test_a_verdict_on_the_score_decides(records: ModuleType, status: str, decision: str) -> None:
    score = records.score("eop", 0.2, place=Place("sex"), width=0, floor=NoiseFloor(0.1, 0.3, 10))
    verdict = Verdict("t", "fairness", "eop", status, "", Place("sex"), signature=str(score.signature))  # type: ignore[arg-type]
    header = records.interrupted().header
    assert decide(Reading(RunRecord(header, (score,), verdicts=(verdict,))), score)[0] == decision


def test_the_noise_floor_decides_where_no_verdict_does(records: ModuleType) -> None:
    reading = Reading(records.interrupted())
    score = records.score("eop", 0.2, place=Place("sex"), width=0)
    assert decide(reading, score) == ("", "no null band was drawn")
    floored = replace(score, floor=NoiseFloor(0.1, 0.3, 10))
    assert "no more than groups dealt out at random" in decide(reading, floored)[1]
    assert "above what groups dealt out" in decide(reading, replace(score, floor=NoiseFloor(0.05, 0.1, 10)))[1]
    judged = replace(floored, decision=Decision("inconclusive", 0.1, "above the limit, but noise"))
    assert decide(reading, judged) == ("inconclusive", "above the limit, but noise")


def test_differences_are_read_by_their_interval(records: ModuleType) -> None:
    score = records.score("uar_difference", 0.1, width=0.05)
    assert reading_of_difference(score) == "difference detected"
    assert reading_of_difference(records.score("uar_difference", 0.1, width=0.2)) == differences.NO_DIFFERENCE
    assert (
        reading_of_difference(records.score("uar_difference", 0.1, width=0))
        == "inconclusive: the support gives no interval"
    )


def test_disparities_of_parts_and_of_undefined(records: ModuleType) -> None:
    undefined = next(s for s in records.categories().scores if not s.defined)
    scores = (
        records.score("recall_gap", 0.1, place=Place("sex", "", "anger"), width=0),
        replace(undefined, metric="eop", place=Place("sex"), reason="one group only"),
        replace(undefined, metric="uar_difference", place=Place("sex", "a-b"), reason="one group only"),
    )
    text = render_markdown(RunRecord(records.interrupted().header, scores))
    assert "Disparities of each class by sex" in text
    assert "| EOP | NOT APPLICABLE | undefined (one group only) |" in text
    assert "| UAR difference (a-b) | undefined (one group only) |" in text
    assert render_html(RunRecord(records.interrupted().header, scores))


def test_missing_predictions_are_a_column_and_no_row() -> None:
    counts = [
        {"truth": "a", "prediction": "a", "count": 3},
        {"truth": "b", "prediction": "a", "count": 1},
        {"truth": "a", "prediction": "b", "count": 0},
        {"truth": "b", "prediction": "b", "count": 2},
        {"truth": "a", "prediction": "(no prediction)", "count": 4},
    ]
    (figure,) = classes._confusions(counts, ("b", "a"))
    assert figure.chart.rows == ("b", "a")  # type: ignore[union-attr]
    assert figure.chart.columns == ("b", "a", "(no prediction)")  # type: ignore[union-attr]
    assert figure.chart.counts == ((2, 1, 0), (0, 3, 4))  # type: ignore[union-attr]


def test_other_tables_are_shown_and_cut(records: ModuleType) -> None:
    rows = [[f"S{i}", i / 7, None] for i in range(250)]
    tables = {
        "by_speaker": {"columns": ["speaker", "value", "note"], "rows": rows},
        "histogram": {"columns": ["x"], "rows": [[1]]},
    }
    text = render_html(replace(records.interrupted(), tables=tables))
    assert "Table: by speaker" in text
    assert "the first 200 rows; 50 more are in the record" in text


def test_everything_tested_is_said(records: ModuleType) -> None:
    base = records.categories()
    verdicts = tuple(v for v in base.verdicts if v.status != "not applicable")
    scores = tuple(s for s in base.scores if s.defined and not s.signature.excluded)
    tables = {name: table for name, table in base.tables.items() if name != "not_tested"}
    record = replace(base, verdicts=verdicts, scores=scores, faults=(), tables=tables)
    assert summary.untested(Reading(record)) == ()
    assert "Everything that was planned was tested." in render_markdown(record)


def test_one_family_missing_is_named(records: ModuleType) -> None:
    base = records.categories()
    record = replace(base, verdicts=tuple(v for v in base.verdicts if v.family != "robustness"))
    assert "No robustness tests were run." in summary.untested(Reading(record))


def test_a_family_in_which_nothing_could_be_compared(records: ModuleType) -> None:
    verdict = Verdict("fairness-accent", "fairness", "all", "not applicable", "the data name no accent")
    text = render_markdown(replace(records.interrupted(), verdicts=(verdict,)))
    assert "No comparison of this family could be made." in text
    assert "**Accent** (1 not applicable)" in text


def test_notes_that_many_comparisons_share_stand_once(records: ModuleType) -> None:
    note = "fewer than 20 subjects"
    verdicts = tuple(
        Verdict("t", "correctness", "recall", "passed", place=Place(part=c), notes=(note, f"own {c}")) for c in "abcd"
    )
    text = render_markdown(replace(records.interrupted(), verdicts=verdicts))
    assert text.count(note) == 1
    assert "own c" in text


def test_constant_scatter_has_a_range(records: ModuleType) -> None:
    tables = {"scatter": {"columns": ["dimension", "truth", "prediction"], "rows": [["v", 0.5, 0.5], ["v", None, 0.5]]}}
    assert "Truth against prediction" in render_html(replace(records.interrupted(), tables=tables))


def test_scores_before_the_steps_stand_beside_those_after(records: ModuleType) -> None:
    plain = records.categories()
    overall = [s for s in plain.scores if s.place == Place()]
    before = tuple(replace(s, value=s.value - 0.05) for s in overall if isinstance(s, Score))
    stepped = tuple(replace(s, signature=s.signature.with_(steps="smooth:mean,11|lag:5")) for s in plain.scores)
    record = replace(plain, scores=stepped, before_scores=before)
    text = render_markdown(record)
    assert "| Metric | Before the steps | After the steps |" in text
    assert "**Steps**: smooth:mean,11 \\| lag:5" in text
    first = overall[0]
    assert isinstance(first, Score)
    row = next(line for line in text.splitlines() if line.startswith(f"| UAR | {first.value - 0.05:.3f}"))
    assert f" {first.value:.3f} " in row
    lines = summary_lines(record)
    assert next(line for line in lines if line.startswith("scores")).split()[1:3] == ["before", "after"]
    assert any(f"{first.value - 0.05:.3f}" in line for line in lines)
    assert "Before the steps" not in render_markdown(plain)
    lone = replace(record, before_scores=before[1:])
    assert any(" -  " in line for line in summary_lines(lone))
