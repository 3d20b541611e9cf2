"""Reports of real evaluations: nothing that was scored goes unsaid."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Any

import pytest

from affectcheck.records import Place, Score
from affectcheck.reports import render_html, render_markdown, summary_lines
from affectcheck.reports.glossary import entry_of
from affectcheck.reports.latex import render_latex
from affectcheck.reports.reading import Reading
from affectcheck.reports.remarks import NOT_ASKED, briefly, why_no_interval
from affectcheck.reports.sections.cells import is_signed
from affectcheck.reports.wording import interval_text, number

if TYPE_CHECKING:
    from affectcheck.records import RunRecord

KINDS = ("expressions", "action_units", "affect")


@pytest.fixture(scope="module")
def pages(real: dict[str, RunRecord]) -> dict[str, str]:
    return {name: html.unescape(render_html(real[name])).replace("\N{NO-BREAK SPACE}", " ") for name in KINDS}


@pytest.mark.parametrize("kind", KINDS)
def test_every_interval_and_every_reason_for_none_is_shown(
    real: dict[str, RunRecord], pages: dict[str, str], kind: str
) -> None:
    for score in (*real[kind].scores, *real[kind].before_scores):
        if not isinstance(score, Score):
            assert score.reason in pages[kind], score
            continue
        text = number(score.value, signed=is_signed(score.metric))
        assert text in pages[kind], score
        if score.interval:
            assert interval_text(score.interval, signed=is_signed(score.metric)) in pages[kind], score
        assert briefly(why_no_interval(score)) in pages[kind], score
        assert why_no_interval(score) != NOT_ASKED


@pytest.mark.parametrize("kind", KINDS)
def test_every_number_of_a_floor_is_shown(real: dict[str, RunRecord], pages: dict[str, str], kind: str) -> None:
    for score in real[kind].scores:
        if isinstance(score, Score) and score.floor and not score.place.part:
            assert number(score.floor.mean) in pages[kind], score
            assert f"… {number(score.floor.quantile)}" in pages[kind], score
        if isinstance(score, Score) and score.decision:
            assert score.decision.reason in pages[kind], score


@pytest.mark.parametrize("kind", KINDS)
def test_whole_scores_are_in_markdown_and_terminal_with_their_intervals(real: dict[str, RunRecord], kind: str) -> None:
    text, lines = render_markdown(real[kind]), "\n".join(summary_lines(real[kind]))
    reading = Reading(real[kind])
    for score in reading.overall:
        assert isinstance(score, Score)
        for told in (text, lines):
            assert number(score.value) in told
            assert interval_text(score.interval) in told
    plain = [name for name in reading.attributes if "*" not in name]
    for score in real[kind].scores:
        if score.metric == reading.headline and score.place.attribute in plain and not score.place.part:
            assert isinstance(score, Score)
            beside = interval_text(score.interval) or f"no interval: {briefly(why_no_interval(score))}"
            assert beside in lines, score


@pytest.mark.parametrize("kind", KINDS)
def test_verdicts_stand_first_under_every_attribute(pages: dict[str, str], kind: str) -> None:
    parts = re.findall(r'<section aria-labelledby="group-\d+">.*?</section>', pages[kind], re.DOTALL)
    assert len(parts) == 3
    for part in parts:
        before, _, after = part.partition("</table>")
        assert "Verdicts by " in before
        assert 'class="badge' in before
        assert "<svg" not in before
        assert "Verdicts by " not in after.replace('aria-label="Verdicts by ', "")


def test_crossed_groups_below_the_minimum_are_greyed_with_their_reason(pages: dict[str, str]) -> None:
    rows = re.findall(
        r"<tr>(?:(?!</tr>).)*?fewer than the minimum support of 40.*?</tr>", pages["expressions"], re.DOTALL
    )
    assert rows
    assert all('class="short weak"' in row or "undefined" in row for row in rows)


def test_every_scored_metric_is_explained(real: dict[str, RunRecord], pages: dict[str, str]) -> None:
    for kind in KINDS:
        for metric in {score.metric for score in real[kind].scores}:
            entry = entry_of(metric)
            assert entry is not None, metric
            assert entry.text in pages[kind], metric


def test_units_hold_counts_thresholds_and_their_disparities(pages: dict[str, str]) -> None:
    page = pages["action_units"]
    assert "An action unit counts as present from a probability of its own on (stated): AU1 0.4, AU2 0.45" in page
    assert "Items by truth and prediction of each action unit" in page
    assert "Disparities of each action unit by sex" in page


def test_steps_stand_beside_what_they_changed(pages: dict[str, str]) -> None:
    assert "Before the steps" in pages["affect"]
    assert "the predictions went through: scale:arousal=1.1x,valence=1.2x, then clip:-1,1." in pages["affect"]


class TestLatex:
    """The layouts of paper 1 filled from real records."""

    def cells(self, *records: RunRecord) -> list[list[str]]:
        lines = render_latex(*records).splitlines()
        start = lines.index(r"\midrule") + 1
        rows = lines[start : lines.index(r"\bottomrule")]
        return [[cell.strip() for cell in row.removesuffix(r"\\").split("&")] for row in rows]

    def percent(self, record: RunRecord, metric: str, place: Place, convention: str) -> str:
        found = [s for s in record.scores if s.metric == metric and s.place == place]
        score = next(s for s in found if s.signature.convention in (convention, ""))
        assert isinstance(score, Score)
        return f"{100 * score.value:.1f}".replace("-", "$-$")

    def test_expressions_two_models(self, real: dict[str, RunRecord]) -> None:
        first, second = self.cells(real["expressions"], real["other"])
        assert (first[0], second[0]) == ("made", "other")
        wanted = [self.percent(real["expressions"], "f1_macro", Place(), "paper")]
        for attribute in ("sex", "age", "sex*age"):
            for metric in ("sp", "local_f1", "eop"):
                wanted.append(self.percent(real["expressions"], metric, Place(attribute), "tables"))
        assert [cell.split("$^")[0] for cell in first[1:]] == wanted

    def test_units(self, real: dict[str, RunRecord]) -> None:
        (row,) = self.cells(real["action_units"])
        record = real["action_units"]
        wanted = [self.percent(record, "unit_f1", Place(), "paper")]
        for attribute in ("sex", "age", "sex*age"):
            for metric in ("unit_local_f1", "eod", "dpd"):
                wanted.append(self.percent(record, metric, Place(attribute), "tables"))
        assert [cell.split("$^")[0] for cell in row[1:]] == wanted

    def test_affect_has_local_scores_of_each_dimension(self, real: dict[str, RunRecord]) -> None:
        (row,) = self.cells(real["affect"])
        record = real["affect"]
        parts = ("", "valence", "arousal")
        wanted = [self.percent(record, "ccc", Place("", "", part), "paper") for part in parts]
        for attribute in ("sex", "age", "sex*age"):
            wanted += [self.percent(record, "local_ccc", Place(attribute, "", part), "tables") for part in parts]
        assert row[1:] == wanted
        assert "--" not in row

    def test_a_signature_stands_once(self, real: dict[str, RunRecord]) -> None:
        lines: list[Any] = render_latex(real["affect"]).splitlines()
        signatures = lines[lines.index("% signatures:") + 1 :]
        assert len(signatures) == len(set(signatures)) > 3
