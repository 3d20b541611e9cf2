"""Tracks of events: made, set, opened and closed."""

import tomllib
from datetime import datetime
from typing import Any, Literal, Self

from pydantic import Field

from affectcheck.challenges import Track, load_track, next_change, parse_track, plain, track_names
from affectcheck.challenges.track_parts import Baseline, Phase
from affectcheck.server.contests import tracks as contests
from affectcheck.server.contests.events import event_of
from affectcheck.server.contests.settings import TrackSettings
from affectcheck.server.contests.tracks import Contest
from affectcheck.server.faults import RefusedError
from affectcheck.server.portal import Portal
from affectcheck.server.web.api.forms import Asked, Id, Line, Published, Slug, Told
from affectcheck.server.web.api.routing import router
from affectcheck.server.web.api.who import OPEN, Anyone, Organiser, ThePortal

ROUTES = router("tracks")


class NewTrack(Asked):
    """A track that is to be: one of the package by name, or its values, or the text of its TOML file."""

    built_in: Line = ""
    track: dict[str, Any] | None = None
    toml: str | None = Field(default=None, max_length=400_000)
    settings: TrackSettings | None = None
    slug: Line = ""

    def read(self) -> Track:
        """The track.

        Raises:
            InputError: not exactly one is stated, or it is none.
        """
        stated = [bool(self.built_in), self.track is not None, self.toml is not None]
        if sum(stated) != 1:
            raise RefusedError("not one track", code="E_TRACK", expected="one of built_in, track and toml")
        if self.built_in:
            if self.built_in not in track_names():  # never a path of the server's
                raise RefusedError(
                    f"no track {self.built_in[:80]!r}", code="E_TRACK", expected=f"one of {', '.join(track_names())}"
                )
            return load_track(self.built_in)
        return parse_track(self.track if self.track is not None else _toml(self.toml or ""), where="the track")


class NewPhases(Asked):
    """All phases of a track, by date; a reason once the track is published."""

    phases: list[Phase] = Field(max_length=50)
    reason: Line = ""


class PhaseMove(Asked):
    """A phase that is to open or close now, and why."""

    phase: Line
    reason: Line


class PhaseState(Told):
    """A phase, and where the moment lies."""

    name: str
    split: str
    opens: datetime | None
    closes: datetime | None
    board: Literal["public", "hidden"]
    state: Literal["before", "open", "after"]


class KeptBaseline(Told):
    """A score of reference."""

    id: str
    name: str
    split: str
    score: float
    parts: dict[str, float]
    source: str


class TrackTold(Told):
    """A track: ``track`` holds the values of its file, which `affectcheck challenge check` takes."""

    slug: str
    title: str
    event: str
    metric: str
    higher_is_better: bool
    submissions: int
    upload_bytes: int
    uploads_a_day: int
    phases: list[PhaseState]
    changes: datetime | None
    now: datetime
    has_items: bool
    has_pack: bool
    has_labels: bool
    published: bool
    archived: datetime | None
    version: int
    settings: TrackSettings
    track: dict[str, Any]

    @classmethod
    def of(cls, found: Contest, portal: Portal) -> Self:
        """From what the portal holds."""
        now, track = portal.now(), found.track
        coming = next_change(track, now)
        return cls(
            slug=found.slug,
            title=track.title,
            event=found.event_slug,
            metric=track.metric,
            higher_is_better=track.higher_is_better,
            submissions=track.submissions,
            upload_bytes=portal.settings.limits.upload,
            uploads_a_day=found.settings.uploads_a_day or portal.settings.uploads_a_day,
            phases=[PhaseState(**one.model_dump(), state=one.state(now)) for one in track.phases],
            changes=coming.at if coming else None,
            now=now,
            has_items=bool(found.items),
            has_pack=bool(found.pack),
            has_labels=bool(found.label_set),
            published=found.published,
            archived=found.archived,
            version=found.version,
            settings=found.settings,
            track=plain(track),
        )


@ROUTES.get("/events/{event}/tracks", openapi_extra=OPEN)
def list_tracks(event: Slug, actor: Anyone, portal: ThePortal) -> list[TrackTold]:
    """Tracks of an event that one may see."""
    with portal.database.read() as connection:
        found = contests.contests_of(connection, event_of(connection, event, actor).id, actor)
    return [TrackTold.of(one, portal) for one in found]


@ROUTES.post("/events/{event}/tracks", status_code=201)
def create_track(event: Slug, asked: NewTrack, actor: Organiser, portal: ThePortal) -> TrackTold:
    """Make a track, which organisers alone see until it is published."""
    made = contests.create_contest(portal, actor, event, asked.read(), asked.settings, asked.slug)
    return TrackTold.of(made, portal)


@ROUTES.get("/tracks/{track}", openapi_extra=OPEN)
def show_track(track: Slug, actor: Anyone, portal: ThePortal) -> TrackTold:
    """One track."""
    with portal.database.read() as connection:
        return TrackTold.of(contests.contest_of(connection, track, actor), portal)


@ROUTES.put("/tracks/{track}/settings")
def edit_settings(track: Slug, asked: TrackSettings, actor: Organiser, portal: ThePortal) -> TrackTold:
    """Change what is shown of scores, and how they count."""
    return TrackTold.of(contests.edit_settings(portal, actor, track, asked), portal)


@ROUTES.put("/tracks/{track}/phases")
def edit_phases(track: Slug, asked: NewPhases, actor: Organiser, portal: ThePortal) -> TrackTold:
    """Change all phases; members are told of one that is extended."""
    return TrackTold.of(contests.edit_phases(portal, actor, track, asked.phases, asked.reason), portal)


@ROUTES.post("/tracks/{track}/open")
def open_phase(track: Slug, asked: PhaseMove, actor: Organiser, portal: ThePortal) -> TrackTold:
    """Open a phase now."""
    return TrackTold.of(contests.open_phase(portal, actor, track, asked.phase, asked.reason), portal)


@ROUTES.post("/tracks/{track}/close")
def close_phase(track: Slug, asked: PhaseMove, actor: Organiser, portal: ThePortal) -> TrackTold:
    """Close a phase now; of a track without phases, the phase `open`."""
    return TrackTold.of(contests.close_phase(portal, actor, track, asked.phase, asked.reason), portal)


@ROUTES.post("/tracks/{track}/publish")
def publish_track(track: Slug, asked: Published, actor: Organiser, portal: ThePortal) -> TrackTold:
    """Show a track to everyone who sees its event, or to organisers alone."""
    return TrackTold.of(contests.publish_contest(portal, actor, track, published=asked.published), portal)


@ROUTES.post("/tracks/{track}/archive")
def archive_track(track: Slug, actor: Organiser, portal: ThePortal) -> TrackTold:
    """Close a track for good, once its phases have ended."""
    return TrackTold.of(contests.archive_contest(portal, actor, track), portal)


@ROUTES.get("/tracks/{track}/baselines", openapi_extra=OPEN)
def list_baselines(track: Slug, actor: Anyone, portal: ThePortal) -> list[KeptBaseline]:
    """Scores of reference."""
    with portal.database.read() as connection:
        found = contests.baselines_of(connection, contests.contest_of(connection, track, actor).id)
    return [KeptBaseline.model_validate(one) for one in found]


@ROUTES.post("/tracks/{track}/baselines", status_code=201)
def add_baseline(track: Slug, asked: Baseline, actor: Organiser, portal: ThePortal) -> TrackTold:
    """Add a score of reference."""
    return TrackTold.of(contests.add_baseline(portal, actor, track, asked), portal)


@ROUTES.delete("/tracks/{track}/baselines/{baseline}", status_code=204)
def remove_baseline(track: Slug, baseline: Id, actor: Organiser, portal: ThePortal) -> None:
    """Remove a score of reference."""
    contests.remove_baseline(portal, actor, track, baseline)


def _toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise RefusedError(
            f"not TOML: {str(error)[:300]}", code="E_TRACK", expected="the text of a track's file"
        ) from error
