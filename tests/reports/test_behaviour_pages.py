"""Pages beside a report: a page a test, the error browser, and figures of the behaviour tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

from affectcheck.behaviour import load_suites
from affectcheck.records import Header, Place, RunRecord, Threshold, Verdict
from affectcheck.reports import ItemsShown, render_html, render_markdown, write_behaviour_pages
from affectcheck.reports.document import Links, Sound, Sounds
from affectcheck.reports.markdown import _block
from affectcheck.reports.reading import Reading
from affectcheck.reports.sections.behaviour_figures import (
    build,
    change_figure,
    expected_figure,
    passed_figure,
    spectrum_figure,
    threshold_figures,
)

if TYPE_CHECKING:
    from pathlib import Path

LIMIT = Threshold(0.9, "gt", "paper 2, Table IV")


def verdict(status: str, value: float | None = 0.5, **changes: Any) -> Verdict:
    base: dict[str, Any] = {
        "test": "robustness-gain", "family": "robustness", "metric": "unchanged", "status": status,
        "reason": "" if status == "passed" else "so it is", "value": value, "threshold": LIMIT, "baseline": 0.95,
    }  # fmt: skip
    return Verdict(**(base | changes))


def table(columns: str, *rows: list[Any]) -> dict[str, list[Any]]:
    return {"columns": columns.split(), "rows": list(rows)}


TABLES = {
    "behaviour_changes": table(
        "test before after count",
        ["robustness-gain", "a", "a", 3],
        ["robustness-gain", "a", "b", 1],
        ["robustness-gain", "b", "b", 2],
    ),
    "behaviour_expected": table(
        "dimension category low lower middle upper high count expected_low expected_high share",
        ["arousal", "sadness", 0.1, 0.2, 0.3, 0.4, 0.9, 12, 0.0, 0.45, 0.75],
        ["arousal", "contempt", 0.1, 0.2, 0.3, 0.4, 0.9, 3, None, None, None],
    ),
    "behaviour_spectra": table(
        "test version frequency_hz level_db clips",
        ["robustness-gain", "as recorded", 100.0, -3.0, 5],
        ["robustness-gain", "changed", 100.0, -4.0, 5],
    ),
    "behaviour_thresholds": table(
        "test metric groups size limit actual",
        ["fairness-sex", "uar", 2, 100, 0.2, None],
        ["fairness-sex", "uar", 2, 1000, 0.05, 400],
    ),
}


@pytest.fixture
def record() -> RunRecord:
    verdicts = (
        verdict("failed", place=Place("sex", "female", "anger"), reruns=(0.4, 0.6)),
        verdict("passed", 0.95, place=Place(part="sadness"), reruns=(0.96,)),
        verdict("not applicable", None, test="fairness-sex", family="fairness", threshold=None, baseline=None),
    )
    header = Header(command="test", model={"name": "m<script>", "kind": "categories"}, data=[{"name": "made"}])
    return RunRecord(header, verdicts=verdicts, tables=TABLES)


def test_the_report_shows_passes_expected_values_and_thresholds(record: RunRecord) -> None:
    section = build(Reading(record))
    assert section is not None
    assert [type(block.chart).__name__ for block in section.blocks] == ["DotChart", "SpreadChart", "LineCharts"]  # type: ignore[union-attr]
    (dot,) = section.blocks[0].chart.panels[0].dots  # type: ignore[union-attr]
    assert (dot.value, dot.low, dot.high, dot.baseline) == (0.5, 0.0, 1.0, 1.0)
    page, text = render_html(record), render_markdown(record)
    for shown in (page, text):
        assert "Behaviour tests at a glance" in shown
        assert "75" in shown
        assert "0.400 to 0.600" in shown
    assert "m<script>" not in page


def test_nothing_is_drawn_of_what_is_not_there(record: RunRecord) -> None:
    empty = Reading(RunRecord(record.header))
    assert build(empty) is None
    assert passed_figure(empty) is None
    assert expected_figure(empty) is None
    assert change_figure(empty, "robustness-gain") is None
    assert spectrum_figure(empty, "robustness-gain") is None
    assert list(threshold_figures(empty)) == []


def test_changes_of_classes_are_a_matrix(record: RunRecord) -> None:
    figure = change_figure(Reading(record), "robustness-gain")
    assert figure is not None
    assert figure.chart.counts == ((3, 1), (0, 2))  # type: ignore[union-attr]


def items() -> pl.DataFrame:
    rows = [["x/1.wav", "s1", None, "anger", "sadness", "anger", 1.0], ["x/2.wav", "s1", None, "anger", "b", "a", 1.0]]
    return pl.DataFrame(
        rows, schema=["item", "subject", "group", "truth", "prediction", "perturbed", "size"], orient="row"
    )


def test_a_page_a_test_and_an_error_browser(record: RunRecord, tmp_path: Path) -> None:
    definitions = load_suites(["robustness-gain", "fairness-sex"])
    failed = record.verdicts[0]
    sounds = {"x/1.wav": ("audio/a b.flac", "audio/c.flac"), "x/2.wav": ()}
    behind = [ItemsShown(failed, items(), "behaviour/items/gain.csv", sounds), ItemsShown(failed, items())]
    examples = {"robustness-gain": [("audio/a b.flac", "audio/r.flac", "audio/c.flac")]}
    written = write_behaviour_pages(record, tmp_path, definitions, behind, examples)
    assert [path.name for path in written] == ["robustness-gain.html", "fairness-sex.html", "errors.html"]
    page, silent, errors = (path.read_text(encoding="utf-8") for path in written)
    assert 'src="../audio/a%20b.flac"' in page
    assert "reference" in page
    assert "media-src" in page
    assert "media-src" not in silent
    assert 'href="../report.html"' in errors
    assert 'href="items/gain.csv"' in errors
    assert "truth anger, prediction sadness" in errors
    assert "prediction anger" in errors
    assert '<th scope="col" class="text">Group</th>' not in errors  # nothing is known of it
    assert 'href="errors.html"' in page


def test_without_failures_there_is_no_error_browser(record: RunRecord, tmp_path: Path) -> None:
    written = write_behaviour_pages(record, tmp_path, load_suites(["robustness-gain"]))
    assert [path.name for path in written] == ["robustness-gain.html"]
    assert "errors.html" not in written[0].read_text(encoding="utf-8")


def test_markdown_names_files() -> None:
    assert _block(Links((("a", "b c.csv"),)), 1) == "- [a](<b c.csv>)"
    assert _block(Sounds((("x", (Sound("as recorded", "a.flac"),)),)), 1) == "- x: a.flac"


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_the_pages(record: RunRecord, tmp_path: Path, browser: Any, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    behind = [ItemsShown(record.verdicts[0], items(), "behaviour/items/gain.csv", {"x/1.wav": ("audio/a.flac",) * 2})]
    for path in write_behaviour_pages(record, tmp_path, load_suites(["robustness-gain"]), behind):
        context = browser.new_context(color_scheme=scheme, bypass_csp=True)
        page = context.new_page()
        page.goto(path.as_uri())
        found = axe.Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        context.close()
