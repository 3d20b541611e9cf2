"""Nothing that a stranger writes is ever markup: every free text of a record, in every format."""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest

from affectcheck.reports import render_html, render_junit, render_markdown, summary_lines

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import ModuleType

#: All that the template and the drawings write. Anything else came out of a name.
TAGS = {
    *("html", "head", "meta", "link", "title", "style", "body", "header", "main", "nav", "footer", "section", "div"),
    *("a", "p", "h1", "h2", "h3", "h4", "fieldset", "legend", "label", "input", "ol", "ul", "li", "dl", "dt", "dd"),
    *("strong", "span", "code", "table", "caption", "thead", "tbody", "tr", "th", "td"),
    *("figure", "figcaption", "details", "summary"),
    *("svg", "g", "path", "line", "rect", "text", "tspan", "defs", "clippath"),
}
#: Three attacks at once; and each alone, in case one hides another.
ATTACKS = [-1, *(pytest.param(index, marks=pytest.mark.slow) for index in range(8))]


def attack(records: ModuleType, index: int) -> str:
    return " ".join(records.ATTACKS[:3]) if index < 0 else records.ATTACKS[index]


@pytest.fixture(scope="module")
def pages(records: ModuleType) -> Callable[[int], str]:
    """The report of the record with this attack in every free text; rendered once."""

    @cache
    def render(index: int) -> str:
        return render_html(records.hostile(attack(records, index)))

    return render


class Walk(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.links: set[str] = set()
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            self.attributes.add(name)
            if name in ("href", "src", "action", "formaction", "xlink:href"):
                self.links.add(value or "")


@pytest.mark.parametrize("index", ATTACKS)
def test_html_has_only_our_own_markup(pages: Callable[[int], str], index: int) -> None:
    text = pages(index)
    walk = Walk(text)
    assert walk.tags <= TAGS
    assert not [name for name in walk.attributes if name.startswith("on") or name in ("src", "srcdoc", "xlink:href")]
    assert all(link == "data:," or re.fullmatch(r"#[A-Za-z0-9_-]+", link) for link in walk.links)
    assert text.count("</style>") == 1
    assert not re.search("[\x00-\x08\x1b\u202e]", text)


@pytest.mark.parametrize("index", ATTACKS)
def test_markdown_shows_names_as_text(records: ModuleType, index: int) -> None:
    text = render_markdown(records.hostile(attack(records, index)))
    assert "<" not in text
    assert not re.search("[\x00-\x08\x1b\u202e]", text)
    for line in text.splitlines():
        if line.startswith("|"):
            assert len(re.findall(r"(?<!\\)\|", line)) >= 3


@pytest.mark.parametrize("index", ATTACKS)
def test_junit_is_well_formed(records: ModuleType, index: int) -> None:
    root = ET.fromstring(render_junit(records.hostile(attack(records, index))).encode())
    assert {element.tag for element in root.iter()} <= {"testsuites", "testsuite", "testcase", "failure", "skipped"}


@pytest.mark.parametrize("index", ATTACKS)
def test_terminal_gets_no_control_characters(records: ModuleType, index: int) -> None:
    for line in summary_lines(records.hostile(attack(records, index))):
        assert line.isprintable()


@pytest.mark.browser
@pytest.mark.slow
def test_a_browser_runs_nothing(pages: Callable[[int], str], browser: Any, tmp_path: Path) -> None:
    for index in range(8):
        path = tmp_path / f"{index}.html"
        # without the policy that forbids scripts, so that the escaping alone is tried
        text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", pages(index))
        path.write_text(text, encoding="utf-8")
        page = browser.new_page()
        asked: list[str] = []
        page.on("request", lambda request, asked=asked: asked.append(request.url))
        page.goto(path.as_uri())
        page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        page.evaluate("document.querySelectorAll('*').forEach(e => e.dispatchEvent(new MouseEvent('click')))")
        page.wait_for_timeout(100)
        assert page.evaluate("window.PWN === undefined")
        assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
        page.close()


@pytest.mark.browser
def test_the_probe_works(browser: Any, tmp_path: Path, records: ModuleType) -> None:
    """Unescaped, the attacks do run: the test above would see them."""
    path = tmp_path / "page.html"
    path.write_text("<!DOCTYPE html>" + records.ATTACKS[1], encoding="utf-8")
    page = browser.new_page()
    page.goto(path.as_uri())
    page.wait_for_timeout(100)
    assert page.evaluate("window.PWN === 1")
    page.close()
