"""Every page in a browser: readable by everybody, in both schemes, on a telephone; and no name runs as a script."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pytest

from affectcheck.server.contests.settings import TrackSettings
from affectcheck.server.storage.tables import account, audit, contest, evaluation, event, label_set, submission, team
from portal_scene import PASSWORD, labels

from .served import Site, served

if TYPE_CHECKING:
    from collections.abc import Iterator

    from portal_scene import Crew, Scene

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PWN = "<img src=x onerror=window.PWN=1><svg/onload=window.PWN=1>\"'><script>window.PWN=1</script>{{7*7}}"
FORMS = "main form[method=post]:not([enctype])"
FILL_AND_SEND = """([forms, at, text]) => {
  const form = document.querySelectorAll(forms)[at];
  for (const one of form.querySelectorAll('input:not([type=hidden], [type=checkbox]), textarea')) {
    if (one.localName === 'input') one.type = 'text';
    one.value = text;
  }
  setTimeout(() => HTMLFormElement.prototype.submit.call(form));
}"""
OPEN = ("/", "/login", "/register", "/forgot", "/reset", "/organiser", "/nowhere")


@dataclass(frozen=True)
class Place:
    """A portal with something on every page."""

    site: Site
    crew: Crew
    scored: str
    invalid: str
    campaign: str

    @property
    def public(self) -> tuple[str, ...]:
        return (*OPEN, "/events/emotions", "/tracks/faces", "/tracks/faces/board", "/tracks/voices/board")

    @property
    def members(self) -> tuple[str, ...]:
        one = f"/submissions/{self.scored}"
        team = "/events/emotions/team"
        return (
            "/account", team, f"{team}/leave", "/tracks/faces/board", "/tracks/faces/submit", "/tracks/faces/submissions",
            one, f"{one}/withdraw", f"/submissions/{self.invalid}",
        )  # fmt: skip

    @property
    def organisers(self) -> tuple[str, ...]:
        track = "/organise/tracks/faces"
        return (
            "/organise", "/organise/events/emotions", "/organise/events/emotions/tracks", track, f"{track}/submissions",
            "/organise/events/emotions/teams", f"/organise/submissions/{self.scored}", "/tracks/faces/board",
            f"/organise/campaigns/{self.campaign}", "/organise/log?verify=yes",
        )  # fmt: skip


@pytest.fixture
def place(scene: Scene) -> Iterator[Place]:
    from affectcheck.server.ledger.campaigns import start_campaign

    settings = TrackSettings(counting="chosen", text=("Be kind.",))
    scene.contest("faces", settings=settings)
    scene.contest("voices", labelled=False)
    crews = [scene.team(name) for name in ("Alpha", "Beta", "Gamma")]
    sent = [scene.send(crew) for crew in crews]
    for receipt, score in zip(sent, (0.7, 0.7, 0.4), strict=True):
        scene.judge("faces", receipt.id, score)
    with_groups(scene)
    invalid = scene.send(crews[0])
    scene.refuse(invalid.id)
    scene.send(crews[0])
    other = scene.labels("faces", labels(40, seed=3))
    made = start_campaign(scene.portal, scene.organiser, "faces", other, "classes were mixed up")
    with served(scene.portal) as site:
        yield Place(site, crews[0], sent[0].id, invalid.id, made.id)


def with_groups(scene: Scene) -> None:
    """Scores of groups and disparities, as a worker would have found them."""
    from affectcheck.challenges import BoardScore, BoardValue
    from affectcheck.server.contests.settings import plain_settings

    with scene.portal.database.write() as connection:
        for place, row in enumerate(connection.execute(evaluation.select()).mappings().all()):
            score, gap = row["score"], 0.02 + 0.03 * place
            groups = [
                BoardValue("f1_macro", score + gap * turn, 20, 20, attribute="sex", group=name)
                for name, turn in (("female", 0.5), ("male", -0.5))
            ]
            gaps = (BoardValue("eop", gap, 40, 10, attribute="sex", floor=0.01),)
            headline = BoardValue("f1_macro", score, 40, 40, low=score - 0.05, high=score + 0.04)
            found = replace(
                BoardScore.from_plain(row["result"]), headline=headline, groups=tuple(groups), disparities=gaps
            )
            connection.execute(evaluation.update().where(evaluation.c.id == row["id"]).values(result=found.plain()))
        settings = TrackSettings(counting="chosen", text=("Be kind.",), groups=("sex",), fairness_shown=True)
        mine = contest.update().where(contest.c.slug == "faces")
        connection.execute(mine.values(settings=plain_settings(settings), version=contest.c.version + 1))


def page_of(browser: Any, place: Place, email: str = "", **options: Any) -> Any:
    page = browser.new_context(**options).new_page()
    if email:
        page.goto(f"{place.site.address}/login")
        page.fill("#f-email", email)
        page.fill("#f-password", PASSWORD)
        with page.expect_navigation():
            page.click("main button")
    return page


def everyone(browser: Any, place: Place, **options: Any) -> Iterator[tuple[Any, str]]:
    """Every page, as those see it whom it is for."""
    for email, paths in (
        ("", place.public),
        (place.crew.email, place.members),
        ("olga@example.org", place.organisers),
    ):
        page = page_of(browser, place, email, **options)
        for path in paths:
            page.goto(place.site.address + path)
            yield page, path
        page.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(browser: Any, place: Place, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    found = []
    # axe runs as a script of the page, which the page's own policy forbids
    for page, path in everyone(browser, place, color_scheme=scheme, bypass_csp=True):
        page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        for one in axe.run(page).response["violations"]:
            found.append((path, one["id"], one["nodes"][0]["html"][:200], one["nodes"][0].get("failureSummary")))
    assert found == []


def test_nothing_scrolls_sideways_on_a_telephone_and_the_policy_is_kept(browser: Any, place: Place) -> None:
    wide, complaints, known = [], [], []
    for page, path in everyone(browser, place, viewport={"width": 390, "height": 844}):
        if page not in known:
            page.on("console", lambda told: complaints.append((told.location, told.text, told.type)))
            known.append(page)
        page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        if page.evaluate("document.documentElement.scrollWidth") > 390:
            wide.append(path)
        page.reload()
    assert wide == []
    assert [one for one in complaints if one[2] == "error" and "404" not in one[1]] == []


def test_forms_can_be_filled_by_keyboard_and_focus_is_seen(browser: Any, place: Place) -> None:
    page = page_of(browser, place)
    page.goto(f"{place.site.address}/login")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    page.keyboard.press("Tab")
    page.keyboard.type(place.crew.email)
    page.keyboard.press("Tab")
    page.keyboard.type("a wrong password")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.getAttribute('role')") == "alert"
    assert page.input_value("#f-email") == place.crew.email
    assert page.input_value("#f-password") == ""


def test_no_text_of_a_person_runs(browser: Any, scene: Scene, place: Place) -> None:
    """Past all rules of names, straight into the rows: only the pages stand between it and the reader."""
    with scene.portal.database.write() as connection:
        for table, columns in (
            (account, ("name",)),
            (team, ("affiliation",)),
            (event, ("title", "description")),
            (label_set, ("note", "fault")),
            (submission, ("file_name", "reason")),
        ):
            connection.execute(table.update().values(dict.fromkeys(columns, PWN)))
        for row in connection.execute(team.select()).mappings().all():
            connection.execute(team.update().where(team.c.id == row["id"]).values(name=f"{row['name']} {PWN}"))
        told = {"method": PWN, "link": "", "uni_task": False, "pretraining": PWN, "other_data": PWN, "text": PWN}
        fault = dict.fromkeys(("code", "what", "where", "expected", "cause"), PWN)
        facts = {"rows": PWN, "notes": [PWN], "flags": [{"text": PWN}]}
        connection.execute(
            submission.update().values(declaration={**told, "affiliation": PWN, "notes": [PWN]}, facts=facts)
        )
        connection.execute(submission.update().where(submission.c.state == "invalid").values(fault=fault))
        connection.execute(audit.update().values(detail={"x": PWN}))
        row = connection.execute(contest.select().where(contest.c.slug == "faces")).mappings().one()
        track = {**row["track"], "title": PWN, "description": PWN, "source": PWN}
        settings = {**row["settings"], "text": [PWN]}
        connection.execute(
            contest.update()
            .where(contest.c.slug == "faces")
            .values(track=track, settings=settings, version=row["version"] + 1)
        )
    seen = 0
    for page, path in everyone(browser, place, bypass_csp=True):  # the policy alone is not what protects
        assert page.evaluate("window.PWN") is None, path
        seen += page.content().count("&lt;script&gt;window.PWN")
        assert "49" not in page.locator("h1").inner_text(), path
    assert seen > 30


def test_what_is_typed_into_forms_does_not_run_when_they_are_shown_again(browser: Any, place: Place) -> None:
    page = page_of(browser, place, "olga@example.org", bypass_csp=True)
    for path in ("/organise", "/organise/events/emotions/tracks", "/organise/tracks/faces", "/account"):
        page.goto(place.site.address + path)
        for form in range(page.locator(FORMS).count()):
            page.goto(place.site.address + path)
            with page.expect_navigation():
                page.evaluate(FILL_AND_SEND, [FORMS, form, PWN])
            assert page.evaluate("window.PWN") is None, (path, form)
    page.context.close()
