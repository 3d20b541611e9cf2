from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
import sqlalchemy as sa

from affectcheck.challenges import load_track, parse_track, track_names
from affectcheck.challenges.track_parts import Baseline, Phase
from affectcheck.errors import InputError
from affectcheck.server.accounts.actors import SYSTEM, VISITOR
from affectcheck.server.contests.events import create_event, publish_event
from affectcheck.server.contests.settings import TrackSettings, plain_settings, settings_of
from affectcheck.server.contests.tracks import (
    add_baseline,
    archive_contest,
    baselines_of,
    close_phase,
    contest_by_id,
    contest_of,
    contests_of,
    create_contest,
    edit_settings,
    publish_contest,
    remove_baseline,
)
from affectcheck.server.faults import ConflictError, ForbiddenError, NotThereError, RefusedError
from affectcheck.server.storage.tables import audit
from contest_rows import add_contest, read

if TYPE_CHECKING:
    from affectcheck.server.accounts.actors import Actor
    from affectcheck.server.portal import Portal

OWN = {
    "format": 1,
    "name": "tension",
    "title": "Tension",
    "scheme": "tension",
    "metric": "f1_macro",
    "own": {"labels": ["calm", "tense"]},
    "file": {"coding": "label"},
}


@pytest.mark.parametrize("name", track_names())
def test_every_track_of_the_package_is_opened_as_it_is(sqlite_portal: Portal, organiser: Actor, name: str) -> None:
    create_event(sqlite_portal, organiser, "abaw", "ABAW")
    made = create_contest(sqlite_portal, organiser, "abaw", load_track(name))
    assert made.slug == name
    assert made.track == load_track(name)
    assert made.settings == TrackSettings()
    with sqlite_portal.database.read() as connection:
        kept = baselines_of(connection, made.id)
    assert [(one.name, one.split, one.score) for one in kept] == [
        (one.name, one.split, one.score) for one in load_track(name).baselines
    ]


def test_a_track_of_ones_own(sqlite_portal: Portal, organiser: Actor) -> None:
    create_event(sqlite_portal, organiser, "moods", "Moods")
    settings = TrackSettings(digits=2, board="hidden", text=("Be kind.",))
    made = create_contest(sqlite_portal, organiser, "moods", parse_track(OWN), settings, "tension-2027")
    again = read(sqlite_portal, "tension-2027")
    assert again == made
    assert (again.track.parts, again.settings, again.event_slug) == (("calm", "tense"), settings, "moods")
    assert (again.items, again.label_set, again.scorer, again.pack, again.version) == ("", "", "", "", 1)


def test_who_sees_a_track(sqlite_portal: Portal, organiser: Actor, member: Actor) -> None:
    event = create_event(sqlite_portal, organiser, "abaw", "ABAW")
    made = create_contest(sqlite_portal, organiser, "abaw", load_track("abaw6-va"))

    def seen(actor: Actor) -> bool:
        with sqlite_portal.database.read() as connection:
            listed = [one.slug for one in contests_of(connection, event.id, actor)]
            for ask in (
                lambda: contest_of(connection, made.slug, actor),
                lambda: contest_by_id(connection, made.id, actor),
            ):
                if not listed:
                    with pytest.raises(NotThereError):
                        ask()
                else:
                    assert ask().id == made.id
        return bool(listed)

    assert not any(map(seen, (VISITOR, member, replace(organiser, scope="read"))))
    assert seen(organiser)
    assert seen(SYSTEM)
    publish_contest(sqlite_portal, organiser, made.slug)
    assert not seen(VISITOR)  # its event is not published
    publish_event(sqlite_portal, organiser, "abaw")
    assert seen(VISITOR)
    publish_contest(sqlite_portal, organiser, made.slug, published=False)
    assert not seen(member)


def test_a_short_name_is_taken_once(sqlite_portal: Portal, organiser: Actor) -> None:
    add_contest(sqlite_portal, organiser, labels=False)
    with pytest.raises(ConflictError, match="abaw6-va") as refused:
        create_contest(sqlite_portal, organiser, "abaw", load_track("abaw6-va"))
    assert "abaw-abaw6-va" in refused.value.expected
    create_contest(sqlite_portal, organiser, "abaw", load_track("abaw6-va"), slug="abaw-abaw6-va")


def test_an_unknown_event_and_a_wrong_short_name(sqlite_portal: Portal, organiser: Actor) -> None:
    with pytest.raises(NotThereError):
        create_contest(sqlite_portal, organiser, "none", load_track("abaw6-va"))
    with pytest.raises(RefusedError, match="short name"):
        create_contest(sqlite_portal, organiser, "none", load_track("abaw6-va"), slug="A B")


def test_settings_are_changed_with_a_new_version(sqlite_portal: Portal, organiser: Actor) -> None:
    made = add_contest(sqlite_portal, organiser)
    changed = edit_settings(sqlite_portal, organiser, made.slug, TrackSettings(groups=("sex",), digits=None))
    assert changed.settings.groups == ("sex",)
    assert changed.version > made.version
    with sqlite_portal.database.read() as connection:
        row = connection.execute(sa.select(audit).where(audit.c.action == "contest.settings")).one()
    assert row.detail["after"] == {"groups": ["sex"], "digits": None}


def test_groups_that_the_labels_do_not_have(sqlite_portal: Portal, organiser: Actor) -> None:
    made = add_contest(sqlite_portal, organiser)
    with pytest.raises(RefusedError, match="age") as refused:
        edit_settings(sqlite_portal, organiser, made.slug, TrackSettings(groups=("sex", "age")))
    assert refused.value.expected == "of sex"


def test_groups_are_stated_before_there_are_labels(sqlite_portal: Portal, organiser: Actor) -> None:
    made = add_contest(sqlite_portal, organiser, labels=False)
    assert edit_settings(sqlite_portal, organiser, made.slug, TrackSettings(groups=("age",))).settings.groups == (
        "age",
    )


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"digts": 3}, "did you mean"),
        ({"digits": 0}, "digits"),
        ({"digits": 16}, "digits"),
        ({"counting": "last"}, "counting"),
        ({"groups": ["name"]}, "unknown column 'name'"),
        ({"groups": ["sex", "sex"]}, "named twice"),
        ({"fairness_shown": True}, "of no group"),
        ({"feedback": "none", "board": "public"}, "tells every team its score"),
        ({"resamples": 10_001}, "resamples"),
        ({"uploads_a_day": 0}, "uploads_a_day"),
        ({"text": [""]}, "text"),
    ],
)
def test_settings_that_are_refused(values: dict, told: str) -> None:
    with pytest.raises(InputError, match=told):
        settings_of(values)


def test_settings_survive_the_database() -> None:
    settings = TrackSettings(groups=("sex",), fairness_shown=True, digits=None, uploads_a_day=7)
    assert settings_of(plain_settings(settings)) == settings
    assert plain_settings(TrackSettings()) == {}


def test_only_a_track_that_is_over_is_archived(sqlite_portal: Portal, organiser: Actor, clock) -> None:
    made = add_contest(sqlite_portal, organiser)
    with pytest.raises(ConflictError, match="not over"):
        archive_contest(sqlite_portal, organiser, made.slug)
    close_phase(sqlite_portal, organiser, made.slug, "test", "over")
    archived = archive_contest(sqlite_portal, organiser, made.slug)
    assert archived.archived == clock.now
    for change in (
        lambda: archive_contest(sqlite_portal, organiser, made.slug),
        lambda: edit_settings(sqlite_portal, organiser, made.slug, TrackSettings()),
        lambda: add_baseline(
            sqlite_portal, organiser, made.slug, Baseline(name="b", split="test", score=1, source="s")
        ),
    ):
        with pytest.raises(ConflictError, match="archived"):
            change()
    assert not publish_contest(sqlite_portal, organiser, made.slug, published=False).published


def test_only_organisers_change_tracks(sqlite_portal: Portal, organiser: Actor, member: Actor) -> None:
    made = add_contest(sqlite_portal, organiser, labels=False)
    for change in (
        lambda: create_contest(sqlite_portal, member, "abaw", load_track("abaw6-au")),
        lambda: edit_settings(sqlite_portal, member, made.slug, TrackSettings()),
        lambda: publish_contest(sqlite_portal, member, made.slug),
        lambda: archive_contest(sqlite_portal, member, made.slug),
        lambda: close_phase(sqlite_portal, member, made.slug, "test", "because"),
        lambda: remove_baseline(sqlite_portal, member, made.slug, "x"),
    ):
        with pytest.raises(ForbiddenError):
            change()


def test_baselines_are_added_and_removed(sqlite_portal: Portal, organiser: Actor) -> None:
    made = add_contest(sqlite_portal, organiser, labels=False)
    own = Baseline(name="ours", split="test", score=0.3, parts={"valence": 0.4}, source="this portal")
    added = add_baseline(sqlite_portal, organiser, made.slug, own)
    assert added.version > made.version
    with sqlite_portal.database.read() as connection:
        published, ours = baselines_of(connection, made.id)
    assert (ours.name, ours.split, ours.score, ours.parts, ours.source) == (
        "ours", "test", 0.3, {"valence": 0.4}, "this portal",
    )  # fmt: skip
    with pytest.raises(ConflictError, match="'ours' is there"):
        add_baseline(sqlite_portal, organiser, made.slug, own)
    remove_baseline(sqlite_portal, organiser, made.slug, published.id)
    with pytest.raises(NotThereError):
        remove_baseline(sqlite_portal, organiser, made.slug, published.id)
    with sqlite_portal.database.read() as connection:
        assert baselines_of(connection, made.id) == (ours,)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"score": float("nan")}, "score nan"),
        ({"parts": {"valence": float("inf")}}, "score inf"),
        ({"parts": {"dominance": 0.1}}, "'dominance'"),
        ({"name": "x" * 121}, "name of a baseline"),
        ({"source": " "}, "source of a baseline"),
        ({"split": "\u200b"}, "split of a baseline"),
    ],
)
def test_baselines_that_are_refused(sqlite_portal: Portal, organiser: Actor, changes: dict, told: str) -> None:
    made = add_contest(sqlite_portal, organiser, labels=False)
    values = {"name": "b", "split": "test", "score": 0.1, "source": "s", "parts": {}, **changes}
    with pytest.raises(RefusedError, match=told):
        add_baseline(sqlite_portal, organiser, made.slug, Baseline.model_construct(**values))


def test_a_track_never_has_too_many_baselines(
    sqlite_portal: Portal, organiser: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = add_contest(sqlite_portal, organiser, labels=False)
    monkeypatch.setattr("affectcheck.server.contests.baselines.MOST_BASELINES", 1)
    with pytest.raises(ConflictError, match="1 baselines"):
        add_baseline(sqlite_portal, organiser, made.slug, Baseline(name="b", split="t", score=1, source="s"))


def test_phases_that_overlap_make_no_track(sqlite_portal: Portal, organiser: Actor, clock) -> None:
    create_event(sqlite_portal, organiser, "abaw", "ABAW")
    day = timedelta(days=1)
    first = Phase(name="one", opens=clock.now, closes=clock.now + 2 * day)
    track = load_track("abaw6-va").model_copy(update={"phases": (first, Phase(name="two", opens=clock.now + day))})
    with pytest.raises(RefusedError, match="'two' opens before 'one' has closed"):
        create_contest(sqlite_portal, organiser, "abaw", track)
