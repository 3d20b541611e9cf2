"""Scoring all submissions of a track anew, under other labels or a newer scorer, and then one switch of its board.

A campaign computes beside the board, which does not change meanwhile. Once every submission has its score, and so every
team its place, the organiser sees the changes and switches; the same switch leads back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import sqlalchemy as sa

from affectcheck.challenges import SCORER
from affectcheck.server.accounts import letters
from affectcheck.server.accounts.actors import require
from affectcheck.server.contests import texts
from affectcheck.server.contests.labels import label_set_of
from affectcheck.server.contests.tracks import contest_by_id, contest_of
from affectcheck.server.faults import ConflictError, NotThereError, RefusedError
from affectcheck.server.identifiers import new_id
from affectcheck.server.ledger.changes import changes
from affectcheck.server.ledger.mailing import members_of
from affectcheck.server.ledger.results import OPEN_CAMPAIGNS, campaign_moved
from affectcheck.server.ledger.rows import board_changed, lock_contest
from affectcheck.server.storage import audit, jobs
from affectcheck.server.storage.tables import campaign, contest, evaluation, job, submission

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from affectcheck.server.accounts.actors import Actor
    from affectcheck.server.contests.tracks import Contest
    from affectcheck.server.portal import Portal

__all__ = ["Campaign", "campaign_of", "campaigns_of", "cancel", "changes", "start_campaign", "switch"]

#: States of submissions that have a score, shown or not.
_SCORED: Final = ("scored", "withdrawn", "disqualified")


@dataclass(frozen=True)
class Campaign:
    """A campaign.

    Attributes:
        id: of the row.
        contest: id of the track; ``slug``, its short name.
        label_set, scorer: what it scores by.
        before: the same of the board when it was switched last, or will be switched from.
        state: running, ready, switched or cancelled.
        reason: why.
        author: id of the organiser.
        created, finished: times.
        total, done, failed: scores; a failed one holds the campaign up.
    """

    id: str
    contest: str
    slug: str
    label_set: str
    scorer: str
    before: dict[str, str]
    state: str
    reason: str
    author: str
    created: datetime
    finished: datetime | None
    total: int
    done: int
    failed: int


def start_campaign(portal: Portal, actor: Actor, slug: str, label_set_id: str, reason: str) -> Campaign:
    """Score all submissions of a track anew.

    Started once more for the same labels, it goes on where it failed.

    Raises:
        NotThereError: no such track or labels.
        ConflictError: the labels are not ready, the board shows them already, or another campaign runs.
        RefusedError: no reason.
    """
    require(actor, "organise")
    why = texts.why(reason)
    now = portal.now()
    with portal.database.write() as connection:
        board = contest_of(connection, slug, actor)
        lock_contest(connection, board.id)
        board = contest_by_id(connection, board.id, actor)
        _require_usable(connection, board, label_set_id, actor)
        found = _open(connection, board, label_set_id)
        if found is None:
            found = new_id(now)
            row = {"id": found, "contest": board.id, "label_set": label_set_id, "scorer": SCORER, "state": "running"}
            before = {"label_set": board.label_set, "scorer": board.scorer}
            connection.execute(campaign.insert().values(**row, before=before, reason=why, author=actor.id, created=now))
        for one in _without_score(connection, board.id, label_set_id, SCORER):
            jobs.add(connection, "score", one, campaign=found, now=now)
        campaign_moved(connection, found, now)
        detail = {"slug": slug, "label_set": label_set_id, "scorer": SCORER, "reason": why}
        audit.record(connection, actor.id, "campaign.start", found, detail, now)
        return campaign_of(connection, found, actor)


def campaign_of(connection: sa.Connection, campaign_id: str, actor: Actor) -> Campaign:
    """One campaign, for organisers.

    Raises:
        NotThereError: there is none.
    """
    require(actor, "organise")
    row = connection.execute(_ALL.where(campaign.c.id == campaign_id)).mappings().first()
    if row is None:
        raise NotThereError("no such campaign", code="E_NO_CAMPAIGN")
    return _campaign(connection, row)


def campaigns_of(connection: sa.Connection, board: Contest, actor: Actor) -> tuple[Campaign, ...]:
    """All campaigns of a track, the newest first."""
    require(actor, "organise")
    rows = connection.execute(_ALL.where(campaign.c.contest == board.id).order_by(campaign.c.created.desc()))
    return tuple(_campaign(connection, row) for row in rows.mappings().all())


def switch(portal: Portal, actor: Actor, campaign_id: str, confirm: str) -> Campaign:
    """Let the board show the scores of a campaign that is ready, or of one that was switched, those before it again.

    Args:
        portal: which.
        actor: an organiser.
        campaign_id: of the campaign.
        confirm: short name of the track, typed.

    Raises:
        RefusedError: another name was typed.
        ConflictError: it is not ready, the board has been switched otherwise since, or a submission has no score yet.
    """
    require(actor, "organise")
    now = portal.now()
    with portal.database.write() as connection:
        found = campaign_of(connection, campaign_id, actor)
        lock_contest(connection, found.contest)
        found = campaign_of(connection, campaign_id, actor)
        board = contest_by_id(connection, found.contest, actor)
        if confirm != board.slug:
            raise RefusedError("another name was typed", code="E_CONFIRM", expected=board.slug)
        after = {"label_set": found.label_set, "scorer": found.scorer}
        back = found.state == "switched"
        from_, to = (after, found.before) if back else (found.before, after)
        _require_switchable(connection, found, board, from_, to)
        connection.execute(contest.update().where(contest.c.id == board.id).values(**to))
        state = "ready" if back else "switched"
        connection.execute(campaign.update().where(campaign.c.id == campaign_id).values(state=state, finished=now))
        board_changed(connection, board.id, now)
        audit.record(connection, actor.id, "campaign.revert" if back else "campaign.switch", campaign_id, to, now)
        _tell(connection, portal, board, found)
        return campaign_of(connection, campaign_id, actor)


def cancel(portal: Portal, actor: Actor, campaign_id: str) -> None:
    """Give a campaign up; scores that it found are kept.

    Raises:
        ConflictError: it was switched or cancelled.
    """
    require(actor, "organise")
    now = portal.now()
    with portal.database.write() as connection:
        found = campaign_of(connection, campaign_id, actor)
        lock_contest(connection, found.contest)
        mine = (campaign.c.id == campaign_id) & campaign.c.state.in_(OPEN_CAMPAIGNS)
        changed = connection.execute(campaign.update().where(mine).values(state="cancelled", finished=now))
        if changed.rowcount != 1:
            raise ConflictError(f"a campaign that is {found.state}", code="E_STATE", expected="running or ready")
        jobs.cancel(connection, now, campaign=campaign_id)
        audit.record(connection, actor.id, "campaign.cancel", campaign_id, {}, now)


_ALL: Final = sa.select(campaign, contest.c.slug).join_from(campaign, contest, contest.c.id == campaign.c.contest)


def _campaign(connection: sa.Connection, row: sa.RowMapping) -> Campaign:
    counted = (
        sa.select(job.c.state, sa.func.count().label("number")).where(job.c.campaign == row["id"]).group_by(job.c.state)
    )
    counts: dict[str, int] = {row[0]: row[1] for row in connection.execute(counted)}
    total = sum(counts.values()) - counts.get("cancelled", 0)
    kept = {name: row[name] for name in Campaign.__dataclass_fields__ if name not in ("total", "done", "failed")}
    return Campaign(**kept, total=total, done=counts.get("done", 0), failed=counts.get("failed", 0))


def _require_usable(connection: sa.Connection, board: Contest, label_set_id: str, actor: Actor) -> None:
    labels = label_set_of(connection, label_set_id, actor)
    if labels.contest_id != board.id:
        raise NotThereError("no such labels", code="E_NO_LABELS")
    if labels.state != "ready":
        raise ConflictError(f"labels that are {labels.state}", code="E_LABELS", expected="labels that are ready")
    if (board.label_set, board.scorer) == (label_set_id, SCORER):
        raise ConflictError("the board shows scores of these labels already", code="E_LABELS", expected="other labels")


def _open(connection: sa.Connection, board: Contest, label_set_id: str) -> str | None:
    """The open campaign of these labels.

    Raises:
        ConflictError: there is one of others.
    """
    asked = sa.select(campaign).where(campaign.c.contest == board.id, campaign.c.state.in_(OPEN_CAMPAIGNS))
    for row in connection.execute(asked).mappings():
        if (row["label_set"], row["scorer"]) == (label_set_id, SCORER):
            return str(row["id"])
        raise ConflictError(
            "another campaign of this track is open", code="E_CAMPAIGN", expected="one that is switched or cancelled"
        )
    return None


def _without_score(connection: sa.Connection, contest_id: str, label_set_id: str, scorer: str) -> Sequence[str]:
    """Scored submissions that have no score under other labels or another scorer, the earliest first."""
    judged = (
        (evaluation.c.submission == submission.c.id)
        & (evaluation.c.scorer == scorer)
        & (evaluation.c.label_set == label_set_id)
    )
    any_score = sa.select(evaluation.c.id).where(evaluation.c.submission == submission.c.id).exists()
    asked = (
        sa.select(submission.c.id)
        .where(submission.c.contest == contest_id, submission.c.state.in_(_SCORED), any_score)
        .where(~sa.select(evaluation.c.id).where(judged).exists())
        .order_by(submission.c.received, submission.c.id)
    )
    return connection.execute(asked).scalars().all()


def _require_switchable(
    connection: sa.Connection, found: Campaign, board: Contest, from_: dict[str, str], to: dict[str, str]
) -> None:
    if found.state not in ("ready", "switched"):
        raise ConflictError(f"a campaign that is {found.state}", code="E_STATE", expected="one that is ready")
    if {"label_set": board.label_set, "scorer": board.scorer} != from_:
        raise ConflictError(
            "the board shows other scores than this campaign begins from",
            code="E_STATE",
            expected="a new campaign with the labels that it is to show",
        )
    missing = _without_score(connection, board.id, to["label_set"], to["scorer"])
    if missing:
        raise ConflictError(
            f"{len(missing)} of the track's submissions have no score there",
            code="E_NOT_SCORED",
            expected="a campaign with these labels, which scores what came since",
        )


def _tell(connection: sa.Connection, portal: Portal, board: Contest, found: Campaign) -> None:
    teams = (
        sa.select(submission.c.team).where(submission.c.contest == board.id, submission.c.state.in_(_SCORED)).distinct()
    )
    body = (
        f"All submissions to {board.track.title} have been scored anew. The reason, in the organisers' words:\n\n"
        f"{found.reason}\n\nThe board is at {portal.settings.address}/\n"
    )
    for address in members_of(connection, connection.execute(teams).scalars().all()):
        letters.post(connection, address, f"{board.track.title}: scored anew", body, portal.now())
