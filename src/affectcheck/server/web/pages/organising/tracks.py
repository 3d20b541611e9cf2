"""A track of an organiser's: made from one that comes with the package or from TOML, set, shown, archived."""

from __future__ import annotations

import math
import tomllib
from typing import TYPE_CHECKING, Any, Final

from affectcheck.challenges import load_track, parse_track, track_names
from affectcheck.challenges.track_parts import Baseline
from affectcheck.errors import InputError
from affectcheck.server.contests import tracks
from affectcheck.server.contests.events import event_of
from affectcheck.server.contests.labels import label_sets
from affectcheck.server.contests.settings import settings_of
from affectcheck.server.faults import RefusedError
from affectcheck.server.ledger.campaigns import campaigns_of
from affectcheck.server.web.forms import Form
from affectcheck.server.web.pages.events import TrackLine
from affectcheck.server.web.pages.routing import sent, shown
from affectcheck.strict import parsed

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.routing import Route

    from affectcheck.challenges import Track
    from affectcheck.server.web.visits import Visit

_SLUGS: Final = {"E_SLUG": "slug", "E_SLUG_TAKEN": "slug"}


def routes() -> list[Route]:
    """Routes of this module."""
    return [
        shown("/organise/events/{event}/tracks", new_page),
        sent("/organise/events/{event}/tracks", create),
        shown("/organise/tracks/{track}", track_page),
        sent("/organise/tracks/{track}/settings", change_settings),
        sent("/organise/tracks/{track}/publish", publish),
        sent("/organise/tracks/{track}/baselines", add_baseline),
        sent("/organise/tracks/{track}/baselines/{id}/remove", remove_baseline),
        sent("/organise/tracks/{track}/archive", archive),
    ]


def new_page(visit: Visit) -> Response:
    """The form of a new track."""
    return _new(visit, Form())


def create(visit: Visit) -> Response:
    """Make a track."""
    form, actor = visit.form(), visit.needs("organise")
    if not (form.text("built_in") or form.text("toml")):
        form.faults["built_in"] = "Choose a track that comes with the package, or write one below."
        return _new(visit, form)
    try:
        made = tracks.create_contest(
            visit.portal, actor, visit.request.path_params["event"], _track(form), slug=form.text("slug")
        )
        return visit.go(f"/organise/tracks/{made.slug}", "created")
    except InputError as error:
        form.refuse(error, _SLUGS, otherwise="toml" if form.text("toml") else "built_in")
    return _new(visit, form)


def track_page(visit: Visit) -> Response:
    """Everything of a track."""
    return page_of(visit, Form())


def change_settings(visit: Visit) -> Response:
    """Set what is shown of scores, and how they count."""
    form, actor, slug = visit.form(), visit.needs("organise"), visit.request.path_params["track"]
    try:
        values = _settings(form)
        if not form.faults:
            tracks.edit_settings(visit.portal, actor, slug, settings_of(values))
            return visit.go(f"/organise/tracks/{slug}", "saved")
    except InputError as error:
        form.refuse(error)
    return page_of(visit, form)


def publish(visit: Visit) -> Response:
    """Show it to everyone, or to organisers alone."""
    form, slug = visit.form(), visit.request.path_params["track"]
    published = form.text("published") == "yes"
    try:
        tracks.publish_contest(visit.portal, visit.needs("organise"), slug, published=published)
        return visit.go(f"/organise/tracks/{slug}", "published" if published else "saved")
    except InputError as error:
        form.refuse(error)
    return page_of(visit, form)


def add_baseline(visit: Visit) -> Response:
    """Show a score of reference."""
    form, actor, slug = visit.form(), visit.needs("organise"), visit.request.path_params["track"]
    form.needs("baseline_name", "baseline_score", "baseline_source")
    if not form.faults:
        try:
            values = {
                "name": form.text("baseline_name"),
                "split": form.text("baseline_split") or "test",
                "score": _score(form.text("baseline_score")),
                "source": form.text("baseline_source"),
            }
            found = parsed(Baseline, values, kind="baseline")
            tracks.add_baseline(visit.portal, actor, slug, found)
            return visit.go(f"/organise/tracks/{slug}", "saved")
        except InputError as error:
            form.refuse(error, {"E_SCORE": "baseline_score"}, otherwise="baseline_name")
    return page_of(visit, form)


def remove_baseline(visit: Visit) -> Response:
    """Take one away."""
    visit.form()
    slug = visit.request.path_params["track"]
    tracks.remove_baseline(visit.portal, visit.needs("organise"), slug, visit.request.path_params["id"])
    return visit.go(f"/organise/tracks/{slug}", "removed")


def archive(visit: Visit) -> Response:
    """Let nothing of it change any more; its name is typed to show that it is meant."""
    form, slug = visit.form(), visit.request.path_params["track"]
    if form.text("archive_name") != slug:
        form.faults["archive_name"] = f"Type {slug} to archive the track."
        return page_of(visit, form)
    try:
        tracks.archive_contest(visit.portal, visit.needs("organise"), slug)
        return visit.go(f"/organise/tracks/{slug}", "archived")
    except InputError as error:
        form.refuse(error, otherwise="archive_name")
    return page_of(visit, form)


def page_of(visit: Visit, form: Form) -> Response:
    """The page of a track, with a form as it was sent."""
    actor, now = visit.needs("organise"), visit.portal.now()
    with visit.portal.database.read() as connection:
        contest = tracks.contest_of(connection, visit.request.path_params["track"], actor)
        labels = label_sets(connection, contest.id, actor)
        baselines = tracks.baselines_of(connection, contest.id)
        campaigns = campaigns_of(connection, contest, actor)
    return visit.page(
        "organising/track.html.j2",
        form=form,
        contest=contest,
        track=contest.track,
        settings=contest.settings,
        line=TrackLine.of(contest, now),
        labels=labels,
        baselines=baselines,
        campaigns=campaigns,
        most=visit.portal.settings.limits.upload,
    )


def _new(visit: Visit, form: Form) -> Response:
    actor = visit.needs("organise")
    with visit.portal.database.read() as connection:
        event = event_of(connection, visit.request.path_params["event"], actor)
    built_in = [(name, load_track(name).title) for name in track_names()]
    return visit.page("organising/new_track.html.j2", form=form, event=event, built_in=built_in)


def _track(form: Form) -> Track:
    written = form.text("toml")
    if not written:
        return load_track(form.text("built_in")) if form.text("built_in") in track_names() else _unknown()
    try:
        values = tomllib.loads(written)
    except tomllib.TOMLDecodeError as error:
        raise RefusedError(
            f"not TOML: {error}", code="E_TOML", expected="a track as `affectcheck challenge new` writes"
        ) from error
    return parse_track(values, where="the track")


def _unknown() -> Track:
    raise RefusedError("no such track", code="E_TRACK", expected="one of the list")


def _settings(form: Form) -> dict[str, Any]:
    """Values of the form; empty numbers are left to what is usual."""
    numbers = {
        "digits": form.number("digits", least=1, most=15),
        "resamples": form.number("resamples", most=10_000),
        "seed": form.number("seed", most=2**31 - 1),
        "uploads_a_day": form.number("uploads_a_day", least=1, most=10_000),
    }
    values: dict[str, Any] = {name: value for name, value in numbers.items() if value is not None}
    if form.flag("all_digits"):
        values["digits"] = None
    values |= {name: form.text(name) for name in ("counting", "feedback", "board") if form.text(name)}
    values["groups"] = tuple(name.strip() for name in form.text("groups").split(",") if name.strip())
    values |= {name: form.flag(name) for name in ("fairness_shown", "parts_shown")}
    values["text"] = tuple(part.strip() for part in form.text("text").split("\n\n") if part.strip())
    return values


def _score(text: str) -> float:
    refused = RefusedError(f"the score {text[:20]!r}", code="E_SCORE", expected="a number such as 0.25")
    if not text.isascii() or "_" in text:
        raise refused
    try:
        found = float(text)
    except ValueError:
        raise refused from None
    if not math.isfinite(found):
        raise refused
    return found
