"""Passed comparisons against benchmark scores: the figure, its numbers, and names that stay apart."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from affectcheck.records import Header, RunRecord
from affectcheck.reports import curves, render_html, render_markdown
from affectcheck.reports.drawing import draw
from affectcheck.reports.marks import LONGEST, Mark, MarkChart, MarkPanel, cut_middle, names_of
from affectcheck.reports.sections.verdicts_beside import score_figures

assert curves, "its drawings are registered by being imported"


def passed(model: str, family: str, counts: int, made: int = 10) -> dict[str, Any]:
    return {"model": model, "family": family, "test": f"{family}-x", "passed": counts, "made": made}


def scored(model: str, value: float | None, metric: str = "uar") -> dict[str, Any]:
    return {"model": model, "metric": metric, "value": value}


PASSES = [
    passed("a", "fairness", 9),
    passed("b", "fairness", 3),
    passed("b", "robustness", 0),
    passed("c", "fairness", 1),
]
HEADLINES = [scored("a", 0.5), scored("b", 0.7), scored("c", None)]


def test_a_plane_a_family_and_a_mark_a_model() -> None:
    (figure,) = score_figures([*PASSES, passed("a", "robustness", 6)], HEADLINES)
    assert [panel.title for panel in figure.chart.panels] == ["Fairness", "Robustness"]  # type: ignore[union-attr]
    assert [panel.marks for panel in figure.chart.panels] == [  # type: ignore[union-attr]
        (Mark("a", 0.5, 0.9), Mark("b", 0.7, 0.3)),
        (Mark("a", 0.5, 0.6), Mark("b", 0.7, 0.0)),
    ]
    assert "What 2 models show" in figure.caption
    assert figure.table is not None
    said = [[cell.text for cell in row.cells] for row in figure.table.rows]
    assert said == [
        ["a", "0.500", "90\N{NO-BREAK SPACE}%", "60\N{NO-BREAK SPACE}%"],
        ["b", "0.700", "30\N{NO-BREAK SPACE}%", "0\N{NO-BREAK SPACE}%"],
    ]


def test_tests_that_one_model_alone_took_are_not_counted() -> None:
    alone = {**passed("a", "fairness", 0), "test": "fairness-y"}
    (figure,) = score_figures([*PASSES, alone, passed("a", "robustness", 0, 0)], HEADLINES)
    (panel,) = figure.chart.panels  # type: ignore[union-attr]
    assert panel.title == "Fairness"
    assert panel.marks[0] == Mark("a", 0.5, 0.9)


def test_several_tests_of_a_family_are_pooled() -> None:
    other = [{**passed(model, "fairness", 1, 90), "test": "fairness-y"} for model in "ab"]
    more = [*other, passed("b", "fairness", 3), passed("a", "fairness", 9)]
    (figure,) = score_figures(more, HEADLINES)
    assert figure.chart.panels[0].marks[0].y == pytest.approx(0.1)  # type: ignore[union-attr]


def test_a_score_that_one_model_has_is_not_drawn() -> None:
    assert list(score_figures(PASSES, HEADLINES[:1])) == []
    assert list(score_figures([passed("a", "fairness", 0, 0)], HEADLINES)) == [], "nothing was made"
    several = [*HEADLINES, scored("a", 0.1, "ccc valence"), scored("b", 0.2, "ccc valence")]
    assert [figure.chart.titles[0] for figure in score_figures(PASSES, several)] == ["UAR", "CCC, valence"]  # type: ignore[union-attr]


def test_it_is_drawn_with_every_name_and_read_aloud() -> None:
    marks = (Mark("<b>a</b>", 0.5, 0.9), Mark("w2v2-L-robust-12 (run-a)", 0.5, 0.9), Mark("c", 0.7, 1.0))
    chart = MarkChart((MarkPanel("Fairness", marks),), ("UAR", "Comparisons passed"), "Passed against UAR.")
    (svg,) = draw(chart, validate=True)
    assert "<b>" not in svg
    assert "w2v2-L-r…2 (run-a)" in svg
    assert "Fairness. Passed against UAR. &lt;b&gt;a&lt;/b&gt;: 0.500, 90" in svg
    for shown in ("UAR", "Comparisons passed", "100%"):
        assert f">{shown}</text>" in svg
    assert chart.ends == pytest.approx((0.475, 0.725))
    alone = MarkChart((MarkPanel("Fairness", marks[:1]),), ("UAR", ""), "")
    assert alone.ends == pytest.approx((0.45, 0.55))


@pytest.mark.parametrize(
    "heights", [[0.5] * 6, [1.0] * 6, [0.0, 0.01, 0.98, 0.99, 1.0, 1.0], [0.9, 0.92, 0.94, 0.1, 0.2, 0.3]]
)
def test_names_are_a_line_apart_in_the_order_of_their_marks(heights: list[float]) -> None:
    found = names_of([Mark(str(n), 0.5, y) for n, y in enumerate(heights)], 0.06)
    placed = [name.height for name in found]
    assert all(high - low >= 0.06 - 1e-9 for low, high in pairwise(placed))
    assert placed[-1] <= 1.0
    assert [name.mark.y for name in found] == sorted(heights)


def test_of_equal_marks_the_one_nearest_to_the_names_stands_lowest() -> None:
    found = names_of([Mark("far", 0.1, 0.5), Mark("near", 0.9, 0.5)], 0.06)
    assert [name.text for name in found] == ["near", "far"]


def test_names_keep_what_sets_runs_apart() -> None:
    first, second = (cut_middle(f"a-very-long-model-name (run-{n})") for n in (1, 2))
    assert first != second
    assert len(first) <= LONGEST
    assert cut_middle("short") == "short"


def test_the_report_has_figure_and_table() -> None:
    def table(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
        return {"columns": list(rows[0]), "rows": [list(row.values()) for row in rows]}

    passes = [row | {"not_applicable": 0} for row in PASSES]
    tables = {"behaviour_passes": table(passes), "behaviour_headlines": table(HEADLINES)}
    record = RunRecord(Header(command="compare", model={"name": "a, b, c"}), tables=tables)
    for shown in (render_html(record), render_markdown(record)):
        assert "Test passes against benchmark scores" in shown
        assert "Benchmark score, then passed comparisons of those made" in shown
        assert "UAR, and the share of passed comparisons of each family" in shown
