"""Rows of a portal's contests, written straight into its tables where the way there is not what a test is about."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from affectcheck.challenges import SCORER, BoardScore, BoardValue, load_track
from affectcheck.challenges.result import VideoScore
from affectcheck.server.accounts.actors import SYSTEM, Actor
from affectcheck.server.contests.events import create_event, publish_event
from affectcheck.server.contests.labels import labels_ready, receive_labels
from affectcheck.server.contests.tracks import contest_of, create_contest, publish_contest, raise_version
from affectcheck.server.identifiers import new_id
from affectcheck.server.storage.tables import account, evaluation, membership, submission, team

if TYPE_CHECKING:
    from affectcheck.challenges import Track
    from affectcheck.server.contests.settings import TrackSettings
    from affectcheck.server.contests.tracks import Contest
    from affectcheck.server.portal import Portal

GROUPS = {"sex": {"female": 60, "male": 40}}


def add_account(portal: Portal, name: str, role: str = "member") -> Actor:
    key = new_id(portal.now())
    row = {"id": key, "email": f"{name}@example.org", "name": name, "password": "-", "role": role, "active": True}
    with portal.database.write() as connection:
        connection.execute(sa.insert(account).values(**row, created=portal.now()))
    return Actor(key, name, role)


def add_contest(
    portal: Portal,
    organiser: Actor,
    *,
    track: Track | None = None,
    settings: TrackSettings | None = None,
    labels: bool = True,
) -> Contest:
    """A published track of a published event ``abaw``, with labels of groups where they are asked for."""
    track = track or load_track("abaw6-va")
    with portal.database.read() as connection:
        there = connection.execute(sa.text("SELECT 1 FROM event WHERE slug = 'abaw'")).first()
    if not there:
        create_event(portal, organiser, "abaw", "ABAW 2027")
        publish_event(portal, organiser, "abaw")
    create_contest(portal, organiser, "abaw", track, settings)
    publish_contest(portal, organiser, track.name)
    if labels:
        add_labels(portal, organiser, track.name)
    return read(portal, track.name)


def add_labels(portal: Portal, organiser: Actor, slug: str, *, items: str = "e" * 64, **facts: Any) -> str:
    found = receive_labels(portal, organiser, slug, "labels.csv", [b"item,label\na,1\n"])
    with portal.database.write() as connection:
        told = {"items": items, "height": 100, "labelled": 100, "groups": GROUPS, **facts}
        labels_ready(connection, found.id, "d" * 64, told, portal.now())
    return found.id


def read(portal: Portal, slug: str) -> Contest:
    with portal.database.read() as connection:
        return contest_of(connection, slug, SYSTEM)


def add_team(portal: Portal, contest: Contest, name: str, *members: Actor) -> str:
    key, now = new_id(portal.now()), portal.now()
    row = {"id": key, "event": contest.event_id, "name": name, "name_key": name.casefold(), "join_hash": key}
    with portal.database.write() as connection:
        connection.execute(sa.insert(team).values(**row, affiliation=f"University of {name}", created=now))
        for one in members:
            values = {"id": new_id(now), "event": contest.event_id, "team": key, "account": one.id, "captain": False}
            connection.execute(sa.insert(membership).values(**values, created=now))
    return key


@dataclass(frozen=True)
class Sent:
    """A submission of a team, ``minute`` minutes after noon."""

    team: str
    score: float | None
    minute: float = 0.0
    state: str = "scored"
    slot: int | None = None
    chosen: bool = False
    reason: str = ""
    phase: str = "test"
    shares: str = "5" * 64
    label_set: str = ""
    scorer: str = SCORER
    declaration: dict[str, Any] = field(default_factory=lambda: {"method": "ours", "pretraining": "none", "notes": []})


def add_entry(portal: Portal, contest: Contest, author: Actor, sent: Sent, result: BoardScore | None = None) -> str:
    """Keep a submission with its evaluation, as the ledger would; the id."""
    with portal.database.write() as connection:
        return insert_entry(connection, contest, author.id, sent, result or board_score(sent.score), at=portal.now())


def insert_entry(
    connection: sa.Connection, contest: Contest, author: str, sent: Sent, result: BoardScore, *, at: datetime
) -> str:
    received = at + timedelta(minutes=sent.minute)
    key = new_id(received)
    slots = sa.select(sa.func.count(submission.c.slot)).where(
        submission.c.team == sent.team, submission.c.contest == contest.id
    )
    slot = sent.slot if sent.slot is not None else connection.execute(slots).scalar_one() + 1
    connection.execute(
        sa.insert(submission).values(
            id=key,
            contest=contest.id,
            team=sent.team,
            author=author,
            phase=sent.phase,
            state=sent.state,
            slot=slot,
            file_name="predictions.csv",
            digest="a" * 64,
            size=10,
            declaration=sent.declaration,
            chosen=sent.chosen,
            reason=sent.reason,
            began=received,
            received=received,
        )
    )
    connection.execute(
        sa.insert(evaluation).values(
            id=new_id(received),
            submission=key,
            label_set=sent.label_set or contest.label_set,
            scorer=sent.scorer,
            score=sent.score,
            result=result.plain(),
            shares=sent.shares,
            created=received,
        )
    )
    raise_version(connection, contest.id)
    return key


def board_score(score: float | None, *, videos: int = 0, metric: str = "p_va") -> BoardScore:
    """A score with two parts, two groups and their disparities."""
    base = 0.0 if score is None else score
    head = BoardValue(metric, score, 100, 40, low=base - 0.05, high=base + 0.05)
    if score is None:
        head = replace(head, reason="a constant prediction", low=None, high=None)
    parts = tuple(
        BoardValue("ccc", base + shift, 100, 40, part=part) for part, shift in (("valence", 0.01), ("arousal", -0.01))
    )
    groups = tuple(
        BoardValue(metric, base + shift, count, 20, attribute="sex", group=group)
        for group, shift, count in (("female", 0.02, 60), ("male", -0.02, 40))
    )
    gap = BoardValue("ccc_gap", 0.04, 100, 40, attribute="sex", floor=0.06, outcome="within")
    return BoardScore(
        "abaw6-va", head, parts, (), groups, (gap,), 100, 100,
        tuple(VideoScore(f"video-{n}", 700, 0.1) for n in range(videos)), (), (), "p_va|v:1", "l" * 32, "s" * 32,
    )  # fmt: skip
