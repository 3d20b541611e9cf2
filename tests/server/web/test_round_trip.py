"""A challenge from its opening to its export, by people in a browser, with a real worker behind it."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pytest

from affectcheck.server.accounts.first_run import first_run_token
from portal_scene import MOODS, PASSWORD, item_names, labels, predictions

from .served import Site, served

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from affectcheck.server.portal import Portal

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ITEMS = 60
TRACK = """
format = 1
name = "moods"
title = "Moods of voices"
scheme = "moods"
metric = "f1_macro"
submissions = 2
[own]
labels = ["calm", "glad", "grim"]
[file]
item = "item"
coding = "label"
columns = ["mood"]
[[phases]]
name = "test"
"""


@pytest.fixture
def site(sqlite_portal: Portal) -> Iterator[Site]:
    from affectcheck.server.clock import system_clock

    with served(replace(sqlite_portal, clock=system_clock)) as found:
        yield found


@dataclass
class Surfer:
    """Somebody in front of a browser."""

    page: Any
    address: str

    def go(self, path: str) -> Surfer:
        self.page.goto(self.address + path)
        return self

    def fill(self, **values: str) -> Surfer:
        for name, value in values.items():
            self.page.fill(f"main [name={name}]", value)
        return self

    def press(self, words: str) -> str:
        """Press a button or follow a link of the content; what the page says then."""
        named = self.page.locator("main button, main a").filter(has_text=re.compile(f"^{re.escape(words)}$"))
        with self.page.expect_navigation():
            named.first.click()
        return self.said

    @property
    def said(self) -> str:
        return str(self.page.inner_text("main"))

    def attach(self, selector: str, name: str, data: bytes) -> None:
        self.page.set_input_files(selector, {"name": name, "mimeType": "text/csv", "buffer": data})

    def send(self, track: str, data: bytes, method: str) -> str:
        """Send a file by the form, with its script; the address of the submission."""
        self.go(f"/tracks/{track}/submit").fill(method=method, pretraining="none")
        self.attach("#f-file", "predictions.csv", data)
        self.page.click("main button:has-text('Send')")
        self.page.wait_for_url("**/submissions/*")
        return str(self.page.url).removeprefix(self.address).partition("?")[0]


@pytest.fixture
def surfers(browser: Any, site: Site) -> Iterator[Any]:
    contexts = []

    def make(**options: Any) -> Surfer:
        contexts.append(browser.new_context(**options))
        contexts[-1].set_default_timeout(15_000)
        return Surfer(contexts[-1].new_page(), site.address)

    yield make
    for context in contexts:
        context.close()


def work(portal: Portal) -> None:
    """All that waits is done, by a real worker and its children."""
    from affectcheck.server.work.worker import Worker

    worker = Worker(portal, "worker")
    while worker.step():
        pass


def opened(organiser: Surfer, site: Site) -> None:
    """An organiser opens a track."""
    code = first_run_token(site.portal)
    organiser.go(f"/organiser?code={code}").fill(email="olga@example.org", name="Olga", password=PASSWORD)
    assert "You are logged in" in organiser.press("Become an organiser")
    organiser.go("/organise").fill(title="Voices 2027", slug="voices")
    assert "Created" in organiser.press("Make the event")
    organiser.press("Add a track")
    organiser.fill(toml=TRACK)
    assert "Created" in organiser.press("Make the track")
    organiser.attach("#f-items_file", "items.csv", "\n".join(["item", *item_names(ITEMS)]).encode())
    organiser.page.click("form[action$='/items'] button")
    organiser.page.wait_for_url("**done=uploaded")
    organiser.attach("#f-labels_file", "labels.csv", labels(ITEMS))
    organiser.page.click("form[action$='/labels'] button")
    organiser.page.wait_for_url("**done=labels")
    work(site.portal)
    assert "on the board" in organiser.go("/organise/tracks/moods").said
    assert "Everybody can see it" in organiser.press("Publish")
    organiser.go("/organise/events/voices").press("Publish")


def registered(someone: Surfer, name: str) -> Surfer:
    someone.go("/register").fill(email=f"{name.lower()}@example.org", name=name, password=PASSWORD)
    assert "You are logged in" in someone.press("Register")
    return someone


def places(site: Site, visitor: Surfer) -> list[tuple[str, str]]:
    """Places and teams of the board as the page shows them."""
    visitor.go("/tracks/moods/board")
    rows = visitor.page.query_selector_all(".board > li")
    return [
        (
            ("=" if row.query_selector(".tie") else "") + row.query_selector(".rank").inner_text(),
            row.query_selector(".team strong").inner_text(),
        )
        for row in rows
    ]


def test_a_challenge_from_opening_to_export(site: Site, surfers: Any, tmp_path: Path) -> None:
    organiser, ada, bo, cy, visitor = (surfers() for _ in range(5))
    opened(organiser, site)
    in_teams(ada, bo, cy)
    tied(site, (ada, bo, cy), visitor)
    bo.send("moods", perfect(), "Oracle")
    work(site.portal)
    assert places(site, visitor) == [("1", "Beta"), ("2", "Alpha")]
    scored_anew(site, organiser, visitor)
    the_same_everywhere(site, organiser, visitor, tmp_path / "all.zip")


def in_teams(ada: Surfer, bo: Surfer, cy: Surfer) -> None:
    """Two teams; one has a second member."""
    registered(ada, "Ada").go("/events/voices/team").fill(name="Alpha", affiliation="Lund")
    ada.press("Make the team")
    code = ada.page.inner_text("#join-code")
    registered(cy, "Cy").go("/events/voices/team").fill(join_code=code)
    assert "You are in the team" in cy.press("Join")
    registered(bo, "Bo").go("/events/voices/team").fill(name="Beta")
    bo.press("Make the team")


def tied(site: Site, people: tuple[Surfer, Surfer, Surfer], visitor: Surfer) -> None:
    """One fails a check, then ties; progress is followed by the page."""
    ada, bo, cy = people
    good = predictions(ITEMS, seed=5)
    sent = ada.send("moods", good, "Trees")
    assert "The file is here and kept" in ada.said
    failing = bo.send("moods", b"item,mood\nitem-0000,happy\n", "Forest")
    work(site.portal)
    told = bo.go(failing).said
    assert "The check refuses the file" in told
    assert "happy" in told
    assert "E_" in told
    assert "line 2" in told
    bo.send("moods", good, "Forest")
    work(site.portal)
    ada.page.wait_for_selector("text=scored")  # by its own polling, without being opened anew
    assert "1 of 2" in cy.go(sent).said
    assert "1 of 2" in bo.go("/tracks/moods/submit").said
    found = places(site, visitor)
    assert [team for _, team in found] == ["Alpha", "Beta"]
    assert {place for place, _ in found} == {"=1"}


def perfect() -> bytes:
    """Predictions that are the labels."""
    rows = labels(ITEMS).decode().splitlines()[1:]
    return "\n".join(["item,mood", *(row.rpartition(",")[0] for row in rows)]).encode()


def turned() -> bytes:
    """Labels of which each has become the next mood."""
    after = {mood: MOODS[(at + 1) % 3] for at, mood in enumerate(MOODS)}
    rows = (row.split(",") for row in labels(ITEMS).decode().splitlines()[1:])
    return "\n".join(["item,mood,sex", *(f"{item},{after[mood]},{sex}" for item, mood, sex in rows)]).encode()


def scored_anew(site: Site, organiser: Surfer, visitor: Surfer) -> None:
    """Labels are fixed; the board changes when the organiser switches it, and not before."""
    organiser.go("/organise/tracks/moods").fill(note="classes were mixed up")
    organiser.attach("#f-labels_file", "labels.csv", turned())
    organiser.page.click("form[action$='/labels'] button")
    organiser.page.wait_for_url("**done=labels")
    work(site.portal)
    organiser.go("/organise/tracks/moods").fill(campaign_reason="classes were mixed up")
    organiser.press("Start")
    work(site.portal)
    assert places(site, visitor) == [("1", "Beta"), ("2", "Alpha")]  # nothing has changed yet
    organiser.page.reload()
    assert "What would change" in organiser.said
    organiser.fill(confirm="another")
    assert "needs a look" in organiser.press("Switch")
    organiser.fill(confirm="moods")
    assert "The board is switched" in organiser.press("Switch")
    # Of Beta the file counts again that is the same as Alpha's.
    assert places(site, visitor) == [("=1", "Alpha"), ("=1", "Beta")]


def the_same_everywhere(site: Site, organiser: Surfer, visitor: Surfer, target: Path) -> None:
    """What the page shows is what the files say, and the export holds everything."""
    board = json.loads(visitor.page.request.get(f"{site.address}/tracks/moods/board.json").text())
    assert [row["team"] for row in board["rows"]] == [team for _, team in places(site, visitor)]
    table = list(csv.reader(io.StringIO(visitor.page.request.get(f"{site.address}/tracks/moods/board.csv").text())))
    assert len(table) == 3
    organiser.go("/organise/tracks/moods")
    with organiser.page.expect_download() as download:
        organiser.page.click("text=Export everything")
    download.value.save_as(target)
    with zipfile.ZipFile(target) as archive:
        everything = b"\n".join(archive.read(name) for name in archive.namelist())
    for word in (b"Alpha", b"Beta", b"Forest", b"Oracle", b"classes were mixed up", b"campaign.switch"):
        assert word in everything, word
    assert not list(site.portal.settings.data.glob("export-*"))


def test_without_scripts_everything_works_as_well(site: Site, surfers: Any) -> None:
    organiser, ada = surfers(java_script_enabled=False), surfers(java_script_enabled=False)
    opened(organiser, site)
    registered(ada, "Ada").go("/events/voices/team").fill(name="Alpha")
    ada.press("Make the team")
    sent = ada.send("moods", predictions(ITEMS, seed=5), "Trees")
    work(site.portal)
    assert "scored" in ada.go(sent).said
    assert "checked next" not in ada.said


def test_a_file_that_is_too_large_is_not_sent(site: Site, surfers: Any) -> None:
    organiser, ada = surfers(), surfers()
    opened(organiser, site)
    registered(ada, "Ada").go("/events/voices/team").fill(name="Alpha")
    ada.press("Make the team")
    ada.go("/tracks/moods/submit")
    ada.page.eval_on_selector("form[data-most]", "form => { form.dataset.most = '100'; }")
    ada.fill(method="Trees", pretraining="none")
    ada.attach("#f-file", "predictions.csv", b"x" * 2048)
    ada.page.click("main button:has-text('Send')")
    assert "The file has 2.0 KiB; at most 0.1 KiB are taken" in ada.said
    assert ada.page.url.endswith("/submit")
