"""What stands beside a score: people in the model's place, the value before the steps, why there is no interval."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from affectcheck.records import Interval, Place, RunRecord, Score, Undefined
from affectcheck.reports import render_html, render_markdown, summary_lines
from affectcheck.reports.reading import Reading
from affectcheck.reports.remarks import briefly, methods, notes, why_no_interval
from affectcheck.reports.sections.cells import ceiling, interval_cell, value_cell
from affectcheck.reports.sections.guide import occasions_of
from affectcheck.reports.sections.tiles import tiles
from affectcheck.reports.wording import apart, without_digests

if TYPE_CHECKING:
    from types import ModuleType

VOTES = "crema_votes@0123456789ab"


def human(score: Score, role: str, value: float, truth: str = "") -> Score:
    signature = score.signature.with_(model=f"{role} of {VOTES}", truth=truth)
    return replace(score, value=value, signature=signature)


@pytest.fixture
def rated(records: ModuleType) -> RunRecord:
    """A record whose UAR and recall stand beside those of people."""
    plain = records.categories()
    uar = next(s for s in plain.scores if s.metric == "uar" and s.place == Place())
    recall = next(s for s in plain.scores if s.metric == "recall" and s.place == Place(part="anger"))
    others = f"majority of the other raters of {VOTES}"
    people = (
        human(uar, "random rater", 0.8),
        human(uar, "left-out rater", 0.7, others),
        human(recall, "left-out rater", 0.6, others),
        replace(human(uar, "other raters", 0.65, f"a rater of {VOTES}"), metric="accuracy"),
    )
    return replace(plain, ceiling_scores=people)


class TestCeilings:
    def test_a_column_each_in_the_headline_table(self, rated: RunRecord) -> None:
        text = render_markdown(rated)
        assert "| Human: random rater | Human: left-out rater | Human: other raters |" in text
        assert "| 0.800 ([0.503, 0.598]) | 0.700 ([0.503, 0.598]) |" in text
        assert (
            "Human ceilings, people in the model's place: random rater of crema\\_votes against the truth, which they "
            "helped to make; left-out rater of crema\\_votes against majority of the other raters of crema\\_votes"
        ) in text

    def test_those_who_are_absent_are_a_dash(self, rated: RunRecord, records: ModuleType) -> None:
        row = next(line for line in render_markdown(rated).splitlines() if line.startswith("| UAP |"))
        assert "| – | – | – |" in row
        assert "Human" not in render_markdown(records.categories())

    def test_the_tile_and_cells_name_the_one_who_had_no_part_in_the_truth(self, rated: RunRecord) -> None:
        (tile,) = (tile for tile in tiles(Reading(rated)) if tile.name == "UAR")
        assert "human ceiling 0.700 (left-out rater)" in tile.detail
        reading = Reading(rated)
        recall = next(s for s in reading.record.scores if s.metric == "recall" and s.place == Place(part="anger"))
        assert "human\N{NO-BREAK SPACE}0.600" in value_cell(reading, recall, compact=True).detail

    def test_whoever_there_is_where_nobody_was_left_out(self, rated: RunRecord) -> None:
        reading = Reading(replace(rated, ceiling_scores=rated.ceiling_scores[:1]))
        uar = next(s for s in reading.record.scores if s.metric == "uar" and s.place == Place())
        found = ceiling(reading, uar)
        assert found is not None
        assert (found[0], found[1].value) == ("random rater", 0.8)
        assert ceiling(Reading(replace(rated, ceiling_scores=())), uar) is None

    def test_in_the_terminal(self, rated: RunRecord) -> None:
        lines = summary_lines(rated)
        (head,) = (line for line in lines if line.startswith("scores"))
        for role in ("random rater", "left-out rater", "other raters"):
            assert role in head
        (row,) = (line for line in lines if line.startswith("UAR  "))
        assert row.split()[-4:] == ["0.800", "0.700", "-", "432"]

    def test_their_numbers_link_to_their_signatures(self, rated: RunRecord) -> None:
        html = render_html(rated)
        index = Reading(rated).signatures[str(rated.ceiling_scores[1].signature)]
        assert f'<a href="#sig-{index}">0.700</a>' in html
        assert f'<li id="sig-{index}">' in html

    def test_undefined_ones_say_why(self, rated: RunRecord) -> None:
        first = rated.ceiling_scores[0]
        lost = Undefined("uar", "nobody rated", 0, first.signature)
        assert "undefined (nobody rated)" in render_markdown(replace(rated, ceiling_scores=(lost,)))


class TestSteps:
    def test_the_value_before_has_its_interval_and_stands_in_the_tile(self, records: ModuleType) -> None:
        plain = records.categories()
        stepped = tuple(replace(s, signature=s.signature.with_(steps="smooth:mean,11|lag:5")) for s in plain.scores)
        record = replace(plain, scores=stepped, before_scores=plain.scores)
        text = render_markdown(record)
        assert "| UAR | 0.553 ([0.503, 0.598]) | 0.553 |" in text
        assert "Before they were scored, the predictions went through: smooth:mean,11, then lag:5." in text
        (tile,) = (tile for tile in tiles(Reading(record)) if tile.name == "UAR")
        assert "before the steps 0.553" in tile.detail


class TestIntervals:
    REASON = "no interval: 3 subject clusters: an interval needs at least 5; more of them would give one"

    def test_why_there_is_none(self, records: ModuleType) -> None:
        score = records.score("uar", 0.5, width=0, notes=("a caution", self.REASON))
        assert why_no_interval(score) == self.REASON.removeprefix("no interval: ")
        assert briefly(why_no_interval(score)) == "3 subject clusters"
        assert why_no_interval(records.score("uar", 0.5)) == ""
        assert why_no_interval(records.score("uar", 0.5, width=0)) == "", "nobody says"
        unasked = replace(score, notes=(), signature=score.signature.with_(resamples=""))
        assert why_no_interval(unasked) == "none was asked for"

    def test_it_stands_beside_the_value(self, records: ModuleType) -> None:
        score = records.score("uar", 0.5, width=0, notes=(self.REASON,))
        reading = Reading(RunRecord(records.interrupted().header, (score,)))
        for cell in (interval_cell(score), value_cell(reading, score, compact=True)):
            assert "3\N{NO-BREAK SPACE}subject\N{NO-BREAK SPACE}clusters" in cell.detail
        record = RunRecord(records.interrupted().header, (score,))
        assert "| UAR | 0.500 | no interval (3 subject clusters) |" in render_markdown(record)
        assert any(line.endswith("no interval: 3 subject clusters") for line in summary_lines(record))
        assert "no interval: 3 subject clusters" in tiles(Reading(record))[0].detail

    def test_what_nobody_asked_for_is_not_excused_in_every_cell(self, records: ModuleType) -> None:
        score = records.score("uar", 0.5, width=0)
        score = replace(score, signature=score.signature.with_(resamples=""))
        reading = Reading(RunRecord(records.interrupted().header, (score,)))
        assert value_cell(reading, score, compact=True).detail == ""

    def test_numbers_of_clusters_are_told_as_a_range(self, records: ModuleType) -> None:
        score = records.score("uar", 0.5)
        other = replace(score, interval=replace(score.interval, clusters=24))
        assert methods((score, other)) == "95\N{NO-BREAK SPACE}% interval (percentile-t) over 8 to 24 subjects"
        bca = replace(score, interval=replace(score.interval, method="bca"))
        assert methods((score, bca)).count("interval") == 2

    def test_undefined_resamples_are_told_once(self, records: ModuleType) -> None:
        def lost(name: str, number: int) -> Score:
            return replace(records.score(name, 0.5), interval=Interval(0.1, 0.2, undefined_resamples=number))

        scores = [lost("uar", 2), lost("uap", 30), lost("f1_macro", 0)]
        assert notes(scores) == ("Undefined in 2 to 30 resamples, which are left out of the interval (UAR; UAP)",)
        assert notes(scores[:1]) == ("Undefined in 2 resamples, which are left out of the interval (UAR)",)

    def test_many_cautions_are_folded(self, records: ModuleType) -> None:
        cautions = tuple(f"caution {i}" for i in range(12))
        record = RunRecord(records.interrupted().header, (records.score("uar", 0.5, notes=cautions),))
        assert "<summary><span>Read with care: 12 notes</span>" in render_html(record)


@pytest.mark.parametrize(
    ("value", "others", "text"),
    [
        (0.42324, (0.42318,), "0.42324"),
        (0.1, (0.1,), "0.100"),
        (0.1002, (0.1,), "0.1002"),
        (-0.5, (0.1, 0.2), "−0.500"),
        (0.1 + 1e-12, (0.1,), "0.100"),
        (0.3, (), "0.300"),
    ],
)
def test_a_number_is_told_apart_from_others(value: float, others: tuple[float, ...], text: str) -> None:
    assert apart(value, *others) == text


def test_sentences_leave_out_digests() -> None:
    assert without_digests("on affwild2@0123456789ab, as told") == "on affwild2, as told"


def test_the_guide_explains_what_occurs(rated: RunRecord, records: ModuleType) -> None:
    occasions = occasions_of(Reading(rated))
    assert {"ceilings", "disparities", "conventions", "baseline", "verdicts"} <= occasions
    assert not {"steps", "ranks", "comparisons", "units", "crossed"} & occasions
    text = render_markdown(rated)
    for term in (
        "Human ceiling",
        "Null band, or noise floor",
        "Three-way verdict",
        "Percentile-t and BCa",
        "Three conventions",
    ):
        assert f"**{term}**" in text
    bare = render_markdown(records.bare())
    for term in (
        "Human ceiling",
        "Null band",
        "Holm's correction",
        "Interval of a rank",
        "Steps",
        "Thresholds of action",
    ):
        assert f"**{term}" not in bare
    assert "#### Metrics" not in render_markdown(records.interrupted()), "no metric occurs"
