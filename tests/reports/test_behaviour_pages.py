"""Pages beside a report: a page a test, the error browser, and figures of the behaviour tests."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

from affectcheck.behaviour import load_suites
from affectcheck.records import Header, Place, RunRecord, Threshold, Verdict
from affectcheck.reports import ItemsShown, render_html, render_markdown, write_behaviour_pages, write_report
from affectcheck.reports.behaviour_pages import _items_table
from affectcheck.reports.beside import Beside, pages_of
from affectcheck.reports.document import Link, Links, Pictures, Sounds, Version
from affectcheck.reports.drawing import draw
from affectcheck.reports.markdown import _block
from affectcheck.reports.outline import outline
from affectcheck.reports.reading import Reading
from affectcheck.reports.sections.behaviour_figures import (
    build,
    change_figure,
    expected_figure,
    passed_figure,
    spectrum_figure,
    threshold_figures,
)
from affectcheck.reports.sections.verdicts import test_title as title_of_test
from affectcheck.reports.versions import details_of, versions_blocks, words_of

if TYPE_CHECKING:
    from pathlib import Path

LIMIT = Threshold(0.9, "gt", "paper 2, Table IV")


def verdict(status: str, value: float | None = 0.5, **changes: Any) -> Verdict:
    base: dict[str, Any] = {
        "test": "robustness-gain", "family": "robustness", "metric": "unchanged", "status": status,
        "reason": "" if status == "passed" else "so it is", "signature": f"unchanged|{changes.get('test')}", "value": value, "threshold": LIMIT, "baseline": 0.95,
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
    assert change_figure(empty, load_suites(["robustness-gain"])[0]) is None
    assert spectrum_figure(empty, "robustness-gain") is None
    assert list(threshold_figures(empty)) == []


def test_changes_of_classes_are_a_matrix(record: RunRecord) -> None:
    (gain,) = load_suites(["robustness-gain"])
    figure = change_figure(Reading(record), gain)
    assert figure is not None
    assert figure.chart.counts == ((3, 1), (0, 2))  # type: ignore[union-attr]
    assert figure.caption.startswith("Predictions on the sound as recorded (rows) and on the changed sound (columns)")
    assert figure.chart.titles == ("As recorded", "Changed")  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("media", "referred", "title", "told"),
    [
        ("audio", True, "Reference", "on the reference sound (rows) and on the changed sound (columns)"),
        ("image", False, "As they are", "on the pictures as they are (rows) and on the changed pictures (columns)"),
        ("frames", True, "Reference", "on the reference pictures (rows) and on the changed pictures (columns)"),
    ],
)
def test_changes_are_told_in_the_words_of_the_medium(
    record: RunRecord, media: Any, referred: bool, title: str, told: str
) -> None:
    (gain,) = load_suites(["robustness-gain"])
    reference = gain.reference.model_copy(update={"perturbation": gain.perturbation if referred else None})
    definition = gain.model_copy(
        update={"data": gain.data.model_copy(update={"media": (media,)}), "reference": reference}
    )
    figure = change_figure(Reading(record), definition)
    assert figure is not None
    assert told in figure.caption
    assert figure.chart.titles == (title, "Changed")  # type: ignore[union-attr]


def test_values_of_a_model_of_classes_are_called_derived(record: RunRecord) -> None:
    derived = expected_figure(Reading(record))
    assert derived is not None
    assert derived.caption.startswith("Values derived from class probabilities, not predicted, by annotated class")
    predicted = expected_figure(Reading(record.with_header(model={"kind": "dimensions"})))
    assert predicted is not None
    assert predicted.caption.startswith("Predicted values by annotated class")
    (told,) = draw(derived.chart)
    assert "sadness: median 0.300, 75" in told
    assert "of 12 where expected; contempt: median 0.300, nothing is expected" in told
    assert (derived.chart.axis, predicted.chart.axis) == ("Derived value", "Predicted value")  # type: ignore[union-attr]


def test_a_spectrum_has_a_row_a_band(record: RunRecord) -> None:
    figure = spectrum_figure(Reading(record), "robustness-gain")
    assert figure is not None
    assert figure.table is not None
    assert [column.title for column in figure.table.columns] == ["Middle of the band", "As recorded", "Changed"]
    assert [[cell.text for cell in row.cells] for row in figure.table.rows] == [["100 Hz", "-3.0 dB", "-4.0 dB"]]
    assert "5 clips as recorded and as changed" in figure.caption


def items() -> pl.DataFrame:
    rows = [["x/1.wav", "s1", None, "anger", "sadness", "anger", 1.0], ["x/2.wav", "s1", None, "anger", "b", "a", 1.0]]
    return pl.DataFrame(
        rows, schema=["item", "subject", "group", "truth", "prediction", "perturbed", "size"], orient="row"
    )


CHANGED = {"as recorded": "audio/a b.flac", "changed": "audio/c.flac"}


def test_a_page_a_test_and_an_error_browser(record: RunRecord, tmp_path: Path) -> None:
    definitions = load_suites(["robustness-gain", "fairness-sex"])
    failed = record.verdicts[0]
    sounds: dict[str, dict[str, str]] = {"x/1.wav": CHANGED, "x/2.wav": {}}
    behind = [ItemsShown(failed, items(), 2, "behaviour/items/gain.csv", 2, sounds), ItemsShown(failed, items(), 2)]
    referred = {"as recorded": "audio/a b.flac", "reference": "audio/r.flac", "changed": "audio/c.flac"}
    written = write_behaviour_pages(record, tmp_path, definitions, behind, {"robustness-gain": {"x/<7>.wav": referred}})
    assert [path.name for path in written] == ["robustness-gain.html", "fairness-sex.html", "errors.html"]
    page, silent, errors = (path.read_text(encoding="utf-8") for path in written)
    assert 'src="../audio/a%20b.flac"' in page
    assert "reference" in page
    assert "x/&lt;7&gt;.wav" in page
    assert "media-src" in page
    assert "media-src" not in silent
    assert 'href="../report.html"' in errors
    assert '<a href="items/gain.csv">The list of items: all 2</a>' in errors
    assert "truth anger, prediction sadness" in errors
    assert "prediction anger" in errors
    assert '<th scope="col" class="text">Group</th>' not in errors  # nothing is known of it
    assert 'href="errors.html#test-robustness-gain"' in page
    assert 'id="test-robustness-gain"' in errors
    assert "errors.html" not in silent, "nothing of it failed"
    for number in re.findall('href="#(sig-[0-9]+)"', page):
        assert f'<li id="{number}">' in page
    assert page.count("<li id=") == 1, "its own signatures, not those of other tests"
    for shown in (page, silent, errors):
        assert "affectcheck behaviour test of m&lt;script&gt; on made" in shown


SEEN = {"as it is": "pictures/a b.png", "changed": "pictures/c.png"}


def test_pictures_are_shown_before_and_after_with_what_was_predicted_on_each(record: RunRecord, tmp_path: Path) -> None:
    definitions = load_suites(["robustness-gain", "fairness-sex"])
    behind = [
        ItemsShown(record.verdicts[0], items(), 2, "behaviour/items/gain.csv", 2, {"x/1.wav": SEEN, "x/2.wav": {}})
    ]
    written = write_behaviour_pages(record, tmp_path, definitions, behind, {"robustness-gain": {"x/<7>.jpg": SEEN}})
    page, silent, errors = (path.read_text(encoding="utf-8") for path in written)
    for shown in (page, errors):
        assert 'src="../pictures/a%20b.png"' in shown
        assert "img-src data: 'self' file:;" in shown
        assert not re.search("<audio|media-src", shown)
    assert "recorded" not in errors
    assert "img-src data:;" in silent
    assert "What the model sees" in page
    assert 'alt="x/&lt;7&gt;.jpg, as it is"' in page
    assert '<span>as it is</span> <span class="detail">truth anger, prediction sadness</span>' in errors
    assert '<span>changed</span> <span class="detail">prediction anger</span>' in errors


def test_an_item_may_be_heard_and_seen() -> None:
    sounds, pictures = versions_blocks({"x/1.mp4": {"as recorded": "audio/a.flac", "as it is": "pictures/b.png"}})
    assert sounds == Sounds((("x/1.mp4", (Version("as recorded", "../audio/a.flac"),)),))
    assert pictures == Pictures((("x/1.mp4", (Version("as it is", "../pictures/b.png"),)),))
    assert versions_blocks({"x/1.mp4": {}}) == ()


def test_a_page_tells_what_it_asks_by_kind_of_prediction(record: RunRecord, tmp_path: Path) -> None:
    (path,) = write_behaviour_pages(record, tmp_path, load_suites(["correctness-consistency"]))
    page = path.read_text(encoding="utf-8")
    assert '<p class="lines-title">For dimensions (paper: arousal, dominance, valence)</p>' in page
    assert "<li>expected high valence, from 0.55: happiness</li>" in page
    assert page.count("Do predicted values of dimensions lie") == 1
    assert page.index("happiness</li>\n</ul>") < page.index("Corrected mode")


def test_a_list_that_does_not_hold_all_items_says_so(record: RunRecord, tmp_path: Path) -> None:
    many = pl.concat([items().with_columns(item=pl.lit(f"{n}.wav")).head(1) for n in range(30)])
    behind = [ItemsShown(record.verdicts[0], many, 30, "behaviour/items/gain.csv", 28)]
    *_, errors = write_behaviour_pages(record, tmp_path, load_suites(["robustness-gain"]), behind)
    page = errors.read_text(encoding="utf-8")
    assert "The list of items: the first 28 of 30" in page
    assert "anger: the first 25 of 30" in page


def test_many_failures_are_shown_with_fewer_items_each(record: RunRecord, tmp_path: Path) -> None:
    failed = record.verdicts[0]
    many = pl.concat([items().with_columns(item=pl.lit(f"{n}.wav")).head(1) for n in range(25)])
    verdicts = [replace(failed, place=Place("sex", f"group {n}")) for n in range(600)]
    behind = [ItemsShown(one, many, 900, "behaviour/items/gain.csv", 500) for one in verdicts]
    *_, errors = write_behaviour_pages(record, tmp_path, load_suites(["robustness-gain"]), behind)
    page = errors.read_text(encoding="utf-8")
    assert page.count(": the first 8 of 900") == 600 * 2, "in the caption and its label"
    assert page.count("<tr>") == 600 * 9
    assert page.count("The list of items: the first 500 of 900") == 600


def test_a_failure_behind_which_no_item_is(record: RunRecord, tmp_path: Path) -> None:
    behind = [ItemsShown(record.verdicts[0], items().head(0), 0, "behaviour/items/gain.csv")]
    *_, errors = write_behaviour_pages(record, tmp_path, load_suites(["robustness-gain"]), behind)
    page = errors.read_text(encoding="utf-8")
    assert "No single item is behind it" in page
    assert "gain.csv" not in page
    assert "<tbody>" not in page


def test_a_prediction_stands_with_the_sound_that_it_was_made_on() -> None:
    referred = {"as recorded": "a.flac", "reference": "r.flac", "changed": "c.flac"}
    valued = items().with_columns(truth=pl.lit("0.123456"), prediction=pl.lit("0.65"), perturbed=pl.lit("0.7"))
    told = details_of(referred, words_of(valued, "x/1.wav"))
    assert told == {"as recorded": "truth 0.123", "reference": "prediction 0.650", "changed": "prediction 0.700"}
    told = details_of({"as recorded": "a.flac"}, words_of(items(), "x/1.wav"))
    assert told | {"reference": "", "changed": "prediction anger"} == told
    assert {"as recorded": told["as recorded"]} == {"as recorded": "truth anger, prediction sadness"}
    unlabelled = items().with_columns(truth=pl.lit(None, pl.String), perturbed=pl.lit(None, pl.String))
    assert words_of(unlabelled, "x/1.wav") == {"prediction": "prediction sadness", "changed": ""}
    table = _items_table("Items", valued.with_columns(subject=pl.lit("s.1"), item=pl.lit("7.25"), truth=pl.lit("a.b")))
    assert [cell.text for cell in table.rows[0].cells] == ["7.25", "s.1", "a.b", "0.650", "0.700"]


def pages(run: Path) -> None:
    (run / "behaviour").mkdir(parents=True)
    for name in ("robustness-gain", "errors"):
        (run / "behaviour" / f"{name}.html").write_text("", encoding="utf-8")


def test_the_report_links_to_the_pages_that_are_there(record: RunRecord, tmp_path: Path) -> None:
    run = tmp_path / "a #1"
    pages(run)
    (path,) = write_report(record, run / "report.html", run=run)
    told = path.read_text(encoding="utf-8")
    assert '<a href="behaviour/robustness-gain.html">The page of this test</a>' in told
    assert '<a href="behaviour/errors.html#test-robustness-gain">Items behind its failures</a>' in told
    assert "fairness-sex.html" not in told, "there is no such page"
    (path,) = write_report(record, tmp_path / "b" / "other.html", run=run)
    assert 'href="../a%20%231/behaviour/robustness-gain.html"' in path.read_text(encoding="utf-8")
    assert 'href="behaviour' not in render_html(record)
    (path,) = write_report(record, tmp_path / "alone.html")
    assert path.read_text(encoding="utf-8") == render_html(record)


def test_no_way_to_pages_on_another_drive(record: RunRecord, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages(tmp_path)

    def other(*_: object) -> str:
        raise ValueError

    monkeypatch.setattr("affectcheck.reports.beside.os.path.relpath", other)
    assert pages_of(record, tmp_path, tmp_path) == (Beside(),)


def test_a_report_on_several_data_sets_leads_to_that_of_each(record: RunRecord, tmp_path: Path) -> None:
    entries = [{"name": "made <i>", "run": "1-made"}, {"name": "other", "run": "2-other"}]
    failed, *rest = record.verdicts
    verdicts = (replace(failed, data="other@1"), *rest, verdict("not applicable", None, data="other@2"))
    several = replace(record.with_header(data=entries), verdicts=verdicts)
    lines = render_markdown(several)
    assert "- made &lt;i&gt;: 1-made/report.html" in lines
    assert "| other&#64;2 | 0 | 0 | 0 | 1 | – |" in lines
    for place in ("1-made", "2-other"):
        pages(tmp_path / place)
        (tmp_path / place / "report.html").write_text("", encoding="utf-8")
    (path,) = write_report(several, tmp_path / "report.html", run=tmp_path)
    told = path.read_text(encoding="utf-8")
    assert '<a href="1-made/report.html">Report on made &lt;i&gt;</a>' in told
    assert '<a href="2-other/behaviour/errors.html#test-robustness-gain">Items behind its failures on other</a>' in told
    assert "1-made/behaviour/errors.html" not in told, "nothing failed there"
    assert "2-other/report.html</li>" not in told
    assert "Data sets" not in [section.title for section in outline(record).sections]


def test_without_failures_there_is_no_error_browser(record: RunRecord, tmp_path: Path) -> None:
    written = write_behaviour_pages(record, tmp_path, load_suites(["robustness-gain"]))
    assert [path.name for path in written] == ["robustness-gain.html"]
    assert "errors.html" not in written[0].read_text(encoding="utf-8")


def test_titles_of_tests_leave_out_the_family() -> None:
    assert title_of_test("robustness-noise-music", "robustness") == "Noise music"
    assert title_of_test("face-robustness-low-light", "robustness") == "Low light (faces)"


def test_markdown_names_files() -> None:
    assert _block(Links((Link("a", "b c>.csv"),)), 1) == "- [a](<b%20c%3E.csv>)"
    assert _block(Sounds((("x", (Version("as recorded", "a.flac"),)),)), 1) == "- x: a.flac"
    assert (
        _block(Pictures((("x", (Version("as it is", "a.png"), Version("changed", "b.png"))),)), 1)
        == "- x: a.png, b.png"
    )


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_the_pages(record: RunRecord, tmp_path: Path, browser: Any, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    shown = {"x/1.wav": CHANGED, "x/2.wav": SEEN}
    behind = [ItemsShown(record.verdicts[0], items(), 2, "behaviour/items/gain.csv", 2, shown)]
    for path in write_behaviour_pages(record, tmp_path, load_suites(["robustness-gain"]), behind):
        context = browser.new_context(color_scheme=scheme, bypass_csp=True)
        page = context.new_page()
        page.goto(path.as_uri())
        found = axe.Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        context.close()
