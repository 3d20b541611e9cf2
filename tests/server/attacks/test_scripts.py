"""T14: whatever is written into any text, no page lets it run: as bytes for every role, and in a real Chromium."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa
from starlette.routing import Route

from affectcheck.server.storage.tables import account, audit, contest, event, label_set, letter, submission, team
from portal_scene import PASSWORD, labels

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fastapi import FastAPI

    from portal_scene import Crew, Scene

    from ..web.conftest import Person  # noqa: TID252  # tests are no package

#: Each does something else where it is not escaped; ``window.PWN`` is what a browser is asked for.
CORPUS = (
    "<script>window.PWN=1</script>",
    "</script><script>window.PWN=1</script>",
    "<img src=x onerror=window.PWN=1>",
    '"><svg/onload=window.PWN=1>',
    "' autofocus onfocus=window.PWN=1 x='",
    "javascript:window.PWN=1",
    "</textarea></title></style></noscript><script>window.PWN=1</script>",
    "<iframe srcdoc='<script>parent.PWN=1</script>'></iframe>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=window.PWN=1&gt;'>",
    "{{7*7}}${7*7}{% raw %}",
    "\u202e<b>\u2066",
)
ALL = " ".join(CORPUS)
KEYS = {"/organise/campaigns/": "campaign", "/baselines/": "none", "/tokens/": "none"}


@pytest.fixture
def things(scene: Scene) -> dict[str, str]:
    """A portal on which every text of a person is the corpus, past all rules of what is taken."""
    from affectcheck.challenges.track_parts import Baseline
    from affectcheck.server.contests.tracks import add_baseline
    from affectcheck.server.ledger.campaigns import start_campaign
    from affectcheck.server.ledger.organising import disqualify

    scene.contest()
    crew = scene.team("Blue")
    sent, other, last = (scene.send(crew) for _ in range(3))
    scene.judge("faces", sent.id, 0.5)
    scene.refuse(other.id)
    scene.judge("faces", last.id, 0.7)
    disqualify(scene.portal, scene.organiser, last.id, "x")
    add_baseline(scene.portal, scene.organiser, "faces", Baseline(name="Trees", split="test", score=0.4, source="x"))
    made = start_campaign(scene.portal, scene.organiser, "faces", scene.labels("faces", labels(40, seed=3)), "wrong")
    _write_everywhere(scene)
    return {"event": "emotions", "track": "faces", "id": sent.id, "campaign": made.id, "email": crew.email, "none": "x"}


def _write_everywhere(scene: Scene) -> None:
    told = dict.fromkeys(("method", "pretraining", "other_data", "text", "affiliation"), ALL)
    fault = dict.fromkeys(("code", "what", "where", "expected", "cause"), ALL)
    with scene.portal.database.write() as connection:
        for table, columns in (
            (account, ("name",)),
            (team, ("name", "affiliation")),
            (event, ("title", "description")),
            (label_set, ("note", "fault")),
            (submission, ("file_name", "reason", "phase")),
            (letter, ("subject", "body")),
        ):
            connection.execute(table.update().values(dict.fromkeys(columns, ALL)))
        declared = {**told, "link": f"https://example.org/{ALL}", "uni_task": False, "notes": [ALL]}
        connection.execute(submission.update().values(declaration=declared, facts={"rows": 1, "notes": [ALL]}))
        connection.execute(submission.update().where(submission.c.state == "invalid").values(fault=fault))
        connection.execute(audit.update().values(detail={ALL: ALL}))
        connection.execute(sa.text("UPDATE baseline SET name = :x, source = :x, split = :x"), {"x": ALL[:100]})
        connection.execute(sa.text("UPDATE campaign SET reason = :x"), {"x": ALL})
        row = connection.execute(sa.select(contest)).mappings().one()
        track = {**row["track"], "title": ALL, "description": ALL, "source": ALL}
        track["use"] = {"text": [ALL], "annotations": ALL, "pretraining": ALL}
        values = {"track": track, "settings": {**row["settings"], "text": [ALL]}, "version": row["version"] + 1}
        connection.execute(contest.update().values(values))


def _paths(app: FastAPI, things: dict[str, str]) -> Iterator[str]:
    for route in app.router.routes:
        if isinstance(route, Route) and "GET" in (route.methods or ()) and not route.path.startswith("/static"):
            key = next((name for part, name in KEYS.items() if part in route.path), "id")
            where = route.path.replace("{id}", things[key])
            yield re.sub(r"\{(\w+)(:\w+)?\}", lambda found: things.get(found[1], "x"), where)


class Harmful(HTMLParser):
    """Collects what would run in a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        runs = [name for name in values if name.startswith("on")]
        leads = [
            name
            for name in ("href", "src", "action", "formaction", "srcdoc")
            if re.match(r"\s*(javascript|data|vbscript):", values.get(name) or "", re.IGNORECASE) or "srcdoc" in values
        ]
        if runs or leads or tag in ("iframe", "object", "embed", "base", "math", "mglyph"):
            self.found.append(f"<{tag} {runs or leads}>")
        if tag == "script" and not (values.get("src") or "").startswith("/static/"):
            self.found.append("<script>")


@pytest.mark.slow
def test_t14_no_text_is_more_than_text_in_any_page(
    app: FastAPI, person: Callable[..., Person], things: dict[str, str]
) -> None:
    seen = 0
    for email in ("", things["email"], "olga@example.org"):
        someone = person(email)
        for path in _paths(app, things):
            answer = someone.get(path)
            assert answer.status_code < 500, path
            if answer.headers.get("content-type", "").startswith("text/html"):
                reader = Harmful()
                reader.feed(answer.text)
                assert reader.found == [], (path, reader.found)
                assert " 49" not in answer.text or "49$" not in answer.text, path
                seen += answer.text.count("window.PWN=1")
    assert seen > 200


@pytest.mark.slow
def test_t14_other_forms_of_an_answer_are_no_page(
    app: FastAPI, person: Callable[..., Person], things: dict[str, str]
) -> None:
    """JSON, CSV, LaTeX and files are never shown as a page, whatever is in them."""
    someone = person("olga@example.org")
    for path in _paths(app, things):
        answer = someone.get(path)
        kind = answer.headers.get("content-type", "")
        if answer.status_code == 200 and not kind.startswith("text/html"):
            assert answer.headers["x-content-type-options"] == "nosniff", path
            assert kind.split(";")[0] not in ("image/svg+xml", "application/xhtml+xml", "text/xml"), path


@pytest.mark.browser
@pytest.mark.slow
def test_t14_nothing_runs_in_chromium(browser: Any, app: FastAPI, scene: Scene, things: dict[str, str]) -> None:
    from ..web.served import served  # noqa: TID252  # tests are no package

    seen = 0
    with served(scene.portal) as site:
        for email in ("", things["email"], "olga@example.org"):
            page = browser.new_context(bypass_csp=True).new_page()  # the policy alone is not what protects
            if email:
                page.goto(f"{site.address}/login")
                page.fill("#f-email", email)
                page.fill("#f-password", PASSWORD)
                with page.expect_navigation():
                    page.click("main button")
            for path in _paths(app, things):
                if path.endswith((".csv", ".json", ".tex", "/export", "/receipt", "/pack", "/file")) or "{" in path:
                    continue
                page.goto(site.address + path)
                assert page.evaluate("window.PWN") is None, path
                seen += page.content().count("window.PWN=1")
            page.context.close()
    assert seen > 200


@pytest.mark.parametrize(
    "link", ["javascript:window.PWN=1", " javascript:x", "data:text/html,x", "//evil.example", "http://x.example"]
)
def test_t14_a_link_leads_to_https_alone(link: str) -> None:
    """What stands as a link on a board is known to be one when it is taken; its escape alone would not do."""
    from affectcheck.challenges.declaration import DeclarationError, parse_declaration
    from portal_scene import moods_track

    with pytest.raises(DeclarationError, match="link"):
        parse_declaration({"method": "Trees", "pretraining": "none", "link": link}, moods_track())


def test_t14_what_is_taken_as_a_name_is_no_tag(scene: Scene) -> None:
    """Names of teams go through a rule besides; of the corpus none passes."""
    from affectcheck.errors import InputError

    taken: list[Crew] = []
    for text in CORPUS:
        try:
            taken.append(scene.team(text))
        except InputError:
            continue
    assert [crew.name for crew in taken] == []
