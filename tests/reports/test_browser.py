"""The page in a browser: readable by everybody, in both schemes, on a telephone and on paper."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from affectcheck.reports import render_html

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from types import ModuleType

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def files(records: ModuleType, real: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    found = {}
    made = {name: getattr(records, name)() for name in ("categories", "dimensions", "interrupted")}
    for name, record in (made | real).items():
        found[name] = folder / f"{name}.html"
        found[name].write_text(render_html(record), encoding="utf-8")
    return found


@pytest.fixture
def opened(browser: Any, files: dict[str, Path]) -> Iterator[Callable[..., Any]]:
    contexts = []

    def open_page(name: str, **options: Any) -> Any:
        contexts.append(browser.new_context(**options))
        page = contexts[-1].new_page()
        page.goto(files[name].as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()


@pytest.mark.parametrize("name", ["categories", "dimensions", "interrupted", "expressions", "action_units", "affect"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(opened: Callable[..., Any], name: str, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    # axe runs as a script of the page, which the page's own policy forbids
    page = opened(name, color_scheme=scheme, bypass_csp=True)
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    found = axe.Axe().run(page)
    told = [
        (v["id"], v["nodes"][0]["html"][:200], v["nodes"][0].get("failureSummary"))
        for v in found.response["violations"]
    ]
    assert told == []


@pytest.mark.parametrize("width", [360, 390, 768, 1280])
@pytest.mark.parametrize("name", ["categories", "expressions", "action_units"])
def test_nothing_is_wider_than_the_window(opened: Callable[..., Any], name: str, width: int) -> None:
    page = opened(name, viewport={"width": width, "height": 900})
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_schemes_can_be_chosen_without_a_script(opened: Callable[..., Any]) -> None:
    page = opened("categories", color_scheme="light", java_script_enabled=True)
    colour = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(colour)
    page.check("#appearance-dark")
    dark = page.evaluate(colour)
    page.check("#appearance-light")
    assert page.evaluate(colour) == light != dark


def test_figures_follow_the_scheme(opened: Callable[..., Any]) -> None:
    ink = "getComputedStyle(document.querySelector('.panels text')).fill"
    assert opened("categories", color_scheme="light").evaluate(ink) != opened(
        "categories", color_scheme="dark"
    ).evaluate(ink)


def test_verdicts_can_be_filtered_without_a_script(opened: Callable[..., Any]) -> None:
    page = opened("categories")
    visible = "[...document.querySelectorAll('tr.verdict.passed')].some(r => r.checkVisibility())"
    assert page.evaluate(visible)
    page.uncheck("#show-passed")
    assert not page.evaluate(visible)
    assert page.evaluate(visible.replace("passed", "failed"))


def test_a_number_leads_to_its_signature(opened: Callable[..., Any]) -> None:
    page = opened("categories")
    page.click("td.number a >> nth=0")
    page.wait_for_timeout(100)
    assert page.evaluate("document.querySelector(':target code').checkVisibility()")


def test_keyboard_reaches_the_report_first(opened: Callable[..., Any]) -> None:
    page = opened("categories")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") == "#content"


def test_print_opens_what_is_folded(opened: Callable[..., Any]) -> None:
    page = opened("categories", viewport={"width": 800, "height": 1000})
    folded = "[...document.querySelectorAll('details:not([open]) code')].some(c => c.checkVisibility())"
    assert not page.evaluate(folded)
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate(folded)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert len(page.pdf(format="A4", print_background=True)) > 20_000
