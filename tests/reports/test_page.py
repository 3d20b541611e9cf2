"""The page as a document: it stands alone, it is in order, and every link leads somewhere."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from affectcheck.reports import render_html

if TYPE_CHECKING:
    from types import ModuleType

VOID = {"meta", "link", "input", "br", "hr", "img", "path", "line", "rect"}
HERE = Path(__file__).parent


class Parsed(HTMLParser):
    """Every element with its attributes, and the headings, ids and links."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())


@pytest.fixture(scope="session")
def parsed(page: str) -> Parsed:
    return Parsed(page)


def test_stands_alone(page: str, parsed: Parsed) -> None:
    assert not parsed.all("script")
    assert all(not (a.get("src") or "").startswith("http") for _, a in parsed.elements)
    assert [a["href"] for a in parsed.all("link")] == ["data:,"]
    assert all((a.get("href") or "").startswith("#") for a in parsed.all("a"))
    assert "@import" not in page
    assert "url(http" not in page
    policy = next(a["content"] for a in parsed.all("meta") if a.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None
    assert policy.startswith("default-src 'none'")
    assert "script-src" not in policy


def test_is_small(page: str) -> None:
    assert len(page.encode()) < 600_000


def test_ids_are_unique_and_every_link_leads_somewhere(parsed: Parsed) -> None:
    ids = [a["id"] for _, a in parsed.elements if "id" in a]
    assert len(ids) == len(set(ids))
    links = {a["href"][1:] for a in parsed.all("a") if a.get("href")}
    assert links <= set(ids)
    labelled = {a["aria-labelledby"] for _, a in parsed.elements if "aria-labelledby" in a}
    assert labelled <= set(ids)
    clips = set(re.findall(r"url\(#([^)]+)\)", " ".join(a.get("clip-path") or "" for _, a in parsed.elements)))
    assert clips <= set(ids)


def test_headings_are_in_order(parsed: Parsed) -> None:
    levels = [int(tag[1]) for tag, _ in parsed.elements if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_tables_have_captions_and_scopes(parsed: Parsed) -> None:
    assert len(parsed.all("table")) == len(parsed.all("caption")) > 10
    assert all(a.get("scope") in ("row", "col") for a in parsed.all("th"))
    regions = [a["aria-label"] for _, a in parsed.elements if a.get("role") == "region"]
    assert len(regions) == len(set(regions))
    assert all(a.get("tabindex") == "0" for _, a in parsed.elements if a.get("role") == "region")


def test_figures_have_captions_and_numbers(page: str) -> None:
    figures = re.findall(r"<figure>.*?</figure>", page, re.DOTALL)
    assert len(figures) >= 6
    for figure in figures:
        assert "<figcaption>" in figure
        assert "<table>" in figure
        assert 'role="graphics-document"' in figure


def test_landmarks(parsed: Parsed) -> None:
    assert {"header", "nav", "main", "footer"} <= {tag for tag, _ in parsed.elements}
    assert parsed.all("html")[0]["lang"] == "en"
    assert parsed.all("a")[0]["href"] == "#content"


def test_says_first_what_matters(parsed: Parsed) -> None:
    text = parsed.text
    order = [
        "wav-baseline on ravdess",
        "RAVDESS, train set (13 speakers)",
        "1,440 items",
        "18 of 31",
        "random model passes 13 of 31",
        "Verdicts of the behaviour tests, by family",
        "8 of 9",
        "What was not tested, and why",
        "fairness by accent: the data name no accent",
        "Scores over all items",
        "By sex",
        "Confusion matrix",
        "Behaviour tests",
        "Share of each value that lies in each set",
        "Faults by kind",
        "Harmonic mean of recall and precision",
        "ravdess@5f2c11aa90b3",
        "830dc07f1b2c, with uncommitted changes",
    ]
    place = text.index("Skip to the report")
    for piece in order:
        place = text.index(piece, place)


def test_states_are_words_and_shapes(page: str) -> None:
    for word in ("pass", "fail", "inconclusive", "not applicable"):
        assert re.search(rf'class="badge [a-z-]+"><span aria-hidden="true">.</span> {word}<', page)


def test_undefined_is_said_with_its_reason(parsed: Parsed, page: str) -> None:
    assert "the class was never predicted" in parsed.text
    assert "the group has no items" in parsed.text
    assert not re.search(r"\bnan\b", parsed.text, re.IGNORECASE)


def test_every_signature_can_be_copied(records: ModuleType, parsed: Parsed) -> None:
    record = records.categories()
    wanted = {str(score.signature) for score in (*record.scores, *record.baseline_scores)}
    assert all(line in parsed.text for line in wanted)


def test_same_bytes_again(page: str, records: ModuleType) -> None:
    assert render_html(records.categories()) == page


@pytest.mark.slow
def test_same_bytes_in_another_process_after_another_report(page: str) -> None:
    script = (
        "import sys, hashlib; sys.path.insert(0, sys.argv[1]); import records;"
        "from affectcheck.reports import render_html as r;"
        "r(records.dimensions(40)); print(hashlib.sha256(r(records.categories()).encode()).hexdigest())"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(HERE)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "77"},
    )
    assert done.stdout.strip() == hashlib.sha256(page.encode()).hexdigest()


def test_dimensions(records: ModuleType) -> None:
    parsed = Parsed(render_html(records.dimensions()))
    assert "Truth against prediction, items counted in squares" in parsed.text
    assert "CCC of each dimension by sex" in parsed.text
    assert "Distribution over the scale" in parsed.text
    assert "No behaviour tests were run." in parsed.text


def test_few_points_are_drawn_one_by_one(records: ModuleType) -> None:
    text = render_html(records.dimensions(30))
    assert "counted in squares" not in text
    assert "Truth against prediction" in text


def test_interrupted_says_so_first(records: ModuleType) -> None:
    parsed = Parsed(render_html(records.interrupted()))
    assert "stopped by the user after 12 of 1440 items" in parsed.text
    assert parsed.text.index("Incomplete.") < parsed.text.index("At a glance", parsed.text.index("Incomplete."))
    assert "No item had a fault." in parsed.text


@pytest.mark.slow
def test_the_whole_published_suite_stays_below_the_limit(records: ModuleType) -> None:
    text = render_html(records.large())
    assert len(text.encode()) < 5_000_000
    assert text.count('<tr class="verdict') == 2309
