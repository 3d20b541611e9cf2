"""Markdown, JUnit XML and the terminal."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affectcheck.records import Fault, NoiseFloor, Undefined, count
from affectcheck.reports import render_junit, render_markdown, summary_lines
from affectcheck.reports.markdown import LIMIT, _block, escape

if TYPE_CHECKING:
    from types import ModuleType


def test_verdicts_stand_first(records: ModuleType) -> None:
    text = render_markdown(records.categories())
    order = ["# wav-baseline on ravdess", "Verdicts of the behaviour tests", "| Correctness | 12 | 5 | 0 | 0 | 71 % | 0 of 17 |",
             "- **Model**", "What was not tested", "## Scores", "## Groups", "## Classes", "## Behaviour tests", "## Provenance"]  # fmt: skip
    places = [text.index(piece) for piece in order]
    assert places == sorted(places)
    assert "undefined" in text
    assert "| FAIL |" in text
    assert "| PASS |" in text


def test_tables_are_whole(records: ModuleType) -> None:
    width = 0
    for line in render_markdown(records.categories()).splitlines():
        if not line.startswith("|"):
            width = 0
            continue
        cells = line.replace("\\|", "").count("|")
        assert width in (0, cells)
        width = cells


def test_stays_below_the_limit(records: ModuleType) -> None:
    text = render_markdown(records.large())
    assert len(text) < LIMIT
    assert "## Behaviour tests" in text
    record = records.categories()
    many = replace(record, faults=tuple(Fault("item", f"kind {i}" * 4000, "x") for i in range(9)))
    text = render_markdown(many)
    assert len(text) < LIMIT
    assert "*Left out for length:" in text
    assert "## Provenance" in text


def test_rows_that_are_cut_are_counted(records: ModuleType) -> None:
    record = records.categories()
    many = replace(record, faults=tuple(Fault(f"item {i}", "clipping", "", "warning") for i in range(80)))
    assert "20 more rows: see the HTML report or the record." in render_markdown(many)


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("a|b", "a\\|b"),
        ("<b>&", "&lt;b&gt;&amp;"),
        ("two\nlines", "two lines"),
        ("[x](http://e)", "[x\\](http://e)"),
        ("[x]: http://e", "[x\\]: http://e"),
        ("[0.1, 0.2]", "[0.1, 0.2]"),
        ("@team `code` *b* _i_ #1", "&#64;team \\`code\\` \\*b\\* \\_i\\_ \\#1"),
        ("- item", "\\- item"),
        ("1. item", "1\\. item"),
        ("2) item", "2\\) item"),
        ("", ""),
    ],
)
def test_escape(text: str, safe: str) -> None:
    assert escape(text) == safe


@given(st.text())
def test_escaped_text_is_one_line_without_tags_or_borders(text: str) -> None:
    safe = escape(text)
    assert "\n" not in safe
    assert "<" not in safe
    assert "|" not in safe.replace("\\\\", "").replace("\\|", "")


def test_a_block_without_markdown() -> None:
    with pytest.raises(TypeError, match="no Markdown for int"):
        _block(3, 1)


def test_junit_counts(records: ModuleType) -> None:
    record = records.categories()
    root = ET.fromstring(render_junit(record))
    counts = count(record.verdicts)
    assert len(list(root.iter("testcase"))) == len(record.verdicts)
    assert len(list(root.iter("failure"))) == counts["failed"]
    assert len(list(root.iter("skipped"))) == counts["inconclusive"] + counts["not applicable"]
    skipped = next(root.iter("skipped"))
    assert skipped.attrib["message"].startswith("inconclusive: ")
    suite = next(root.iter("testsuite"))
    assert (suite.attrib["name"], suite.attrib["tests"], suite.attrib["failures"]) == ("correctness", "17", "5")


def test_a_strict_run_has_no_undecided_cases(records: ModuleType) -> None:
    record = records.categories()
    counts = count(record.verdicts)
    strict = record.with_header(arguments={"effective": {"strict": True}})
    root = ET.fromstring(render_junit(strict))
    messages = [one.attrib["message"] for one in root.iter("failure")]
    assert len(messages) == counts["failed"] + counts["inconclusive"]
    assert sum(one.startswith("inconclusive, which is a failure") for one in messages) == counts["inconclusive"] > 0
    assert len(list(root.iter("skipped"))) == counts["not applicable"]
    assert sum(int(suite.attrib["failures"]) for suite in root) == len(messages)


def test_terminal(records: ModuleType) -> None:
    lines = summary_lines(records.categories(), paths=[Path("out/report.html")])
    text = "\n".join(lines)
    for piece in (
        "Model:      wav-baseline",
        "UAR       0.553  [0.503, 0.598]   0.123  432",
        "UAR, sex = female",
        "correctness      12       5             0               0        0 of 17",
        "fairness by accent: the data name no accent",
        "Written: out/report.html",
    ):
        assert piece in text
    (empty,) = (line for line in lines if line.startswith("UAR, age = 40-49"))
    assert empty.split()[4] == "undefined"
    assert empty.endswith("the group has no items")


def test_a_reason_why_a_score_is_undefined_leaves_the_columns_narrow(records: ModuleType) -> None:
    reason = "the truth holds one value, and so does the prediction, whatever the item is"
    first, *others = records.bare().scores
    undefined = Undefined(first.metric, reason, 432, first.signature, first.place)
    lines = summary_lines(replace(records.bare(), scores=(undefined, *others)))
    (row,) = (line for line in lines if line.startswith("UAR"))
    assert row.endswith(f"  {reason}")
    assert row.index("undefined") < 20


def test_the_mean_over_groups_is_no_disparity(records: ModuleType) -> None:
    record = records.categories()
    floor = NoiseFloor(0.5, 0.52, 1000)
    scores = tuple(replace(s, floor=floor) if s.metric == "local_f1" else s for s in record.scores)
    lines = summary_lines(replace(record, scores=scores))
    (mean,) = (line for line in lines if line.startswith("Local F1, sex"))
    assert "noise" not in mean
    (disparity,) = (line for line in lines if line.startswith("SP, sex"))
    assert "not applicable" in disparity
    assert "what groups dealt out at random reach" in disparity


def test_a_table_does_not_repeat_the_title_above_it(records: ModuleType) -> None:
    paragraphs = [part.strip("*") for part in render_markdown(records.categories()).split("\n\n")]
    assert not [now for before, now in pairwise(paragraphs) if now == before]
    assert "**Recall of each class by sex**\n\n| Class |" in render_markdown(records.categories())


def test_terminal_of_an_interrupted_run(records: ModuleType) -> None:
    lines = summary_lines(records.interrupted())
    assert lines[0].startswith("INCOMPLETE: this run is interrupted. stopped by the user")
    assert "  - No behaviour tests were run." in lines
