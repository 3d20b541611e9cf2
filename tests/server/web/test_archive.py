"""A track that is over as a static site."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import pytest

from affectcheck.challenges import RankInterval, load_track
from affectcheck.cli import app, db
from affectcheck.errors import InputError
from affectcheck.server.boards.standing import standing_of, standing_ready
from affectcheck.server.contests.settings import TrackSettings
from affectcheck.server.contests.tracks import archive_contest, close_phase, edit_settings, publish_contest
from affectcheck.server.faults import ConflictError, NotThereError
from affectcheck.server.web.archive import write_archive
from contest_rows import Sent, add_account, add_contest, add_entry, add_team

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.server.accounts.actors import Actor
    from affectcheck.server.contests.tracks import Contest
    from affectcheck.server.portal import Portal
    from portal_clock import SetClock

if "db" not in app.VERBS:
    db.register(app.app)

EVIL = '"><script>window.PWN=1</script><img src=x onerror=PWN()>'
PAGES = ("declarations.html", "index.html", "rules.html")


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AFFECTCHECK_DATABASE", "AFFECTCHECK_SECRET", "AFFECTCHECK_SMTP"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def organiser(sqlite_portal: Portal) -> Actor:
    return add_account(sqlite_portal, "olga", "organiser")


@pytest.fixture
def over(sqlite_portal: Portal, organiser: Actor) -> Contest:
    """A track that is over, with two teams, one of a name that would be a script."""
    settings = TrackSettings(groups=("sex",), fairness_shown=True, text=(f"Be kind. {EVIL}",))
    found = add_contest(sqlite_portal, organiser, settings=settings)
    for minute, (name, score) in enumerate((("Reds", 0.41234), (EVIL, 0.3))):
        declared = {
            "method": f"{name} net",
            "link": "https://example.org/paper",
            "uni_task": minute == 0,
            "pretraining": EVIL,
            "other_data": "RAF-DB" if minute else "",
            "notes": ["other annotations were used"] if minute else [],
        }
        team = add_team(sqlite_portal, found, name)
        add_entry(sqlite_portal, found, organiser, Sent(team, score, minute=minute, declaration=declared))
    with sqlite_portal.database.write() as connection:
        wanted = standing_of(connection, found.id)
        assert standing_ready(connection, wanted, [RankInterval(1, 2, 1), RankInterval(1, 2, 2)])
    return close_phase(sqlite_portal, organiser, found.slug, "test", "over")


class Tags(HTMLParser):
    """Elements of a page with their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def tags(page: Path) -> list[tuple[str, dict[str, str | None]]]:
    parser = Tags()
    parser.feed(page.read_text(encoding="utf-8"))
    return parser.found


def test_a_site_of_a_track_that_is_over(sqlite_portal: Portal, over: Contest, tmp_path: Path) -> None:
    files = write_archive(sqlite_portal, over.slug, tmp_path / "site")
    assert set(files) == {path.name for path in (tmp_path / "site").iterdir()}
    assert set(files) == {
        *PAGES, "board.csv", "board.json", "board.tex", "track.toml", "archive.json", "portal.css", "icon.svg",
        "SHA256SUMS",
    }  # fmt: skip
    texts = {name: (tmp_path / "site" / name).read_text(encoding="utf-8") for name in files}
    told = json.loads(texts["board.json"])
    table = list(csv.DictReader(io.StringIO(texts["board.csv"])))
    assert [row["team"] for row in told["rows"]] == ["Reds", EVIL]
    assert [line["team"] for line in table if line["kind"] == "team"] == ["Reds", EVIL]
    assert [row["place_high"] for row in told["rows"]] == [2, 2]
    for words in ("0.412", "Reds", "0.250 to 0.350", "ResNet50, ImageNet weights", "1 to 2", "rounded to 3 digits"):
        assert words in texts["index.html"]
    for words in ("Predict how pleasant", "Be kind.", "until", "uni-task", "track.toml"):
        assert words in texts["rules.html"]
    for words in ("RAF-DB", "other annotations were used", "University of Reds", "https://example.org/paper"):
        assert words in texts["declarations.html"]
    (tmp_path / "again.toml").write_text(texts["track.toml"], encoding="utf-8")
    assert load_track(tmp_path / "again.toml") == over.track
    assert json.loads(texts["archive.json"])["teams"] == 2


def test_checksums_are_those_of_the_files(sqlite_portal: Portal, over: Contest, tmp_path: Path) -> None:
    files = write_archive(sqlite_portal, over.slug, tmp_path / "site")
    lines = (tmp_path / "site" / "SHA256SUMS").read_text().splitlines()
    assert [line.split("  ")[1] for line in lines] == sorted(set(files) - {"SHA256SUMS"})
    for line in lines:
        digest, name = line.split("  ")
        assert hashlib.sha256((tmp_path / "site" / name).read_bytes()).hexdigest() == digest


def test_no_page_needs_anything_from_elsewhere(sqlite_portal: Portal, over: Contest, tmp_path: Path) -> None:
    files = write_archive(sqlite_portal, over.slug, tmp_path / "site")
    outside = set()
    for name in PAGES:
        found = tags(tmp_path / "site" / name)
        kinds = {tag for tag, _ in found}
        assert not kinds & {"script", "iframe", "object", "embed", "form", "base", "video", "audio"}
        for tag, attributes in found:
            assert not any(key.startswith("on") or key == "style" for key in attributes), (tag, attributes)
            for key in ("src", "href", "action", "data", "poster", "xlink:href"):
                target = attributes.get(key)
                if target is None or target.startswith("#"):
                    continue
                if target.startswith("https://example.org/") and tag == "a":
                    outside.add(target)  # what a team has declared
                else:
                    assert unquote(target.partition("#")[0]) in files, (name, tag, target)
    assert outside == {"https://example.org/paper"}
    style = (tmp_path / "site" / "portal.css").read_text()
    assert not re.findall(r"@import|url\((?!['\"]?data:)", style)


def test_texts_of_others_are_texts(sqlite_portal: Portal, over: Contest, tmp_path: Path) -> None:
    write_archive(sqlite_portal, over.slug, tmp_path / "site")
    for name in PAGES:
        assert "<script" not in (tmp_path / "site" / name).read_text()
        assert "PWN" in (tmp_path / "site" / name).read_text()


def test_an_archived_track_is_the_same_bytes_at_any_time(
    sqlite_portal: Portal, organiser: Actor, over: Contest, clock: SetClock, tmp_path: Path
) -> None:
    archive_contest(sqlite_portal, organiser, over.slug)
    for name in ("one", "two"):
        write_archive(sqlite_portal, over.slug, tmp_path / name)
        clock.forward(days=300)
    one, two = ({path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in ("one", "two"))
    assert one == two


def test_a_hidden_board_stays_hidden(sqlite_portal: Portal, organiser: Actor, over: Contest, tmp_path: Path) -> None:
    edit_settings(sqlite_portal, organiser, over.slug, TrackSettings(board="hidden"))
    publish_contest(sqlite_portal, organiser, over.slug, published=False)
    files = write_archive(sqlite_portal, over.slug, tmp_path / "site")
    for name in files:
        assert b"Reds" not in (tmp_path / "site" / name).read_bytes(), name
    assert "keep this ranking to themselves" in (tmp_path / "site" / "index.html").read_text()


def test_a_track_without_teams(sqlite_portal: Portal, organiser: Actor, tmp_path: Path) -> None:
    found = add_contest(sqlite_portal, organiser, track=load_track("raf-db"), labels=False)
    close_phase(sqlite_portal, organiser, found.slug, "open", "over")
    write_archive(sqlite_portal, found.slug, tmp_path / "site")
    assert "No team has a score" in (tmp_path / "site" / "declarations.html").read_text()


def test_what_is_not_over_is_not_archived(sqlite_portal: Portal, organiser: Actor, tmp_path: Path) -> None:
    found = add_contest(sqlite_portal, organiser)
    with pytest.raises(ConflictError, match="not over"):
        write_archive(sqlite_portal, found.slug, tmp_path / "site")
    with pytest.raises(NotThereError):
        write_archive(sqlite_portal, "none", tmp_path / "site")
    add_entry(sqlite_portal, found, organiser, Sent(add_team(sqlite_portal, found, "Reds"), 0.3))
    close_phase(sqlite_portal, organiser, found.slug, "test", "over")
    with pytest.raises(ConflictError, match="being computed"):
        write_archive(sqlite_portal, found.slug, tmp_path / "site")
    assert not list(tmp_path.glob("*site*"))


def test_a_folder_with_something_in_it_is_left_alone(sqlite_portal: Portal, over: Contest, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    write_archive(sqlite_portal, over.slug, folder)  # an empty one is as good as a new one
    with pytest.raises(InputError, match="is there"):
        write_archive(sqlite_portal, over.slug, folder)
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputError, match="is there"):
        write_archive(sqlite_portal, over.slug, tmp_path / "file")
    assert (tmp_path / "file").read_text() == "mine"


def test_from_the_command_line(
    sqlite_portal: Portal, organiser: Actor, over: Contest, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archive_contest(sqlite_portal, organiser, over.slug)  # whatever the clock of this machine says
    data = str(sqlite_portal.settings.data)
    assert app.run(["db", "archive", over.slug, str(tmp_path / "site"), "--data", data, "--json"]) == 0
    assert "index.html" in json.loads(capsys.readouterr().out)["files"]
    assert app.run(["db", "archive", over.slug, str(tmp_path / "site"), "--data", data]) == 2
    assert "is there" in capsys.readouterr().err
    assert app.run(["db", "archive", "none", str(tmp_path / "other"), "--data", data]) == 2
    assert "no track 'none'" in capsys.readouterr().err


@pytest.mark.browser
@pytest.mark.slow
def test_in_a_browser_from_a_disk(sqlite_portal: Portal, over: Contest, tmp_path: Path, browser: Any) -> None:
    """Pages ask for nothing beside their own files, run nothing, and fit a telephone."""
    write_archive(sqlite_portal, over.slug, tmp_path / "site")
    page = browser.new_context(viewport={"width": 390, "height": 800}, color_scheme="dark").new_page()
    asked, said = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(f"file://{tmp_path}/site/index.html")
    for name in ("Rules", "Declarations", "Leaderboard"):
        page.get_by_role("navigation").get_by_role("link", name=name).click()
        page.get_by_role("heading", level=1).wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert page.evaluate("window.PWN === undefined")
        assert page.locator("[aria-current=page]").inner_text() == name
    assert {url.rsplit("/", 1)[0] for url in asked} == {f"file://{tmp_path}/site"}
    assert said == []
    assert page.evaluate("getComputedStyle(document.body).display") == "flex"  # the style sheet was read
    page.context.close()


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(sqlite_portal: Portal, over: Contest, tmp_path: Path, browser: Any, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    write_archive(sqlite_portal, over.slug, tmp_path / "site")
    # axe runs as a script of the page, which the page's own policy forbids
    page = browser.new_context(bypass_csp=True, color_scheme=scheme).new_page()
    for name in PAGES:
        page.goto(f"file://{tmp_path}/site/{name}")
        assert [(one["id"], one["nodes"][0]["html"]) for one in axe.run(page).response["violations"]] == [], name
    page.context.close()
