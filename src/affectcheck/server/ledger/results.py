"""What workers found, written once a lease: in the transaction that ends their job, or not at all."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import sqlalchemy as sa

from affectcheck.server.identifiers import new_id
from affectcheck.server.ledger.rows import Moving, lock_contest, locked, move, submission_row
from affectcheck.server.storage import jobs
from affectcheck.server.storage.tables import campaign, contest, evaluation, job, submission, team

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from affectcheck.server.portal import Portal

SYSTEM_ID: Final = "system"
_INCIDENT: Final = 12
#: Campaigns that new scores belong to.
OPEN_CAMPAIGNS: Final = ("running", "ready")
_BEGINS: Final = {"check": ("received", "checking"), "score": ("queued", "scoring")}


@dataclass(frozen=True)
class NewEvaluation:
    """A score as a worker found it.

    Attributes:
        label_set: the labels' id.
        scorer: version of the scorer.
        score: by which the track ranks; None where it is undefined.
        result: values of a ``challenges.BoardScore``.
        shares: digest of the tallies by cluster in the vault; empty for none.
        facts: what the submission's facts gain, such as flags.
    """

    label_set: str
    scorer: str
    score: float | None
    result: Mapping[str, Any]
    shares: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)


class Settled(NamedTuple):
    """A submission whose worker went silent.

    Attributes:
        submission: its id.
        incident: number by which its failure is told; empty where it waits again.
    """

    submission: str
    incident: str = ""


def incident_number(now: datetime) -> str:
    """A number that people are told, and the log holds with what it was."""
    return new_id(now)[-_INCIDENT:]


def begun(connection: sa.Connection, held: jobs.Job, now: datetime) -> bool:
    """A worker has begun to check or score; False: there is nothing to do, and the job is over."""
    if held.campaign:
        return True
    row = locked(connection, held.subject)
    waits, runs = _BEGINS[held.kind]
    if row["state"] == waits:
        by = Moving(SYSTEM_ID, now, {"attempt": held.attempt})
        move(connection, row, "check" if held.kind == "check" else "score", by)
        return True
    if row["state"] == runs:
        return True  # by a worker that went silent
    jobs.finish(connection, held, now)  # it was disqualified meanwhile
    return False


def checked(connection: sa.Connection, held: jobs.Job, facts: Mapping[str, Any], now: datetime) -> bool:
    """A submission is valid: it waits to be scored. False: the lease was lost, nothing is written."""
    row = locked(connection, held.subject)
    if not jobs.finish(connection, held, now):
        return False
    if row["state"] == "checking":
        move(connection, row, "queue", Moving(SYSTEM_ID, now), {"facts": {**row["facts"], **facts}})
        await_score(connection, row, now)
    return True


def refused(connection: sa.Connection, held: jobs.Job, fault: Mapping[str, Any], now: datetime) -> bool:
    """A submission is invalid, and its slot free. False: the lease was lost, nothing is written."""
    row = locked(connection, held.subject)
    if not jobs.finish(connection, held, now):
        return False
    if row["state"] == "checking":
        by = Moving(SYSTEM_ID, now, {"code": fault.get("code", "")})
        facts = {**row["facts"], **fault.get("facts", {})}
        told = {name: value for name, value in fault.items() if name != "facts"}
        move(connection, row, "refuse", by, {"fault": told, "facts": facts})
    return True


def scored(connection: sa.Connection, held: jobs.Job, found: NewEvaluation, now: datetime) -> bool:
    """A submission has a score. False: the lease was lost, nothing is written.

    A score under labels that the board has left meanwhile is kept, and the submission is scored anew.
    """
    row = locked(connection, held.subject)
    if not jobs.finish(connection, held, now):
        return False
    board = lock_contest(connection, row["contest"])
    keep_evaluation(connection, row["id"], found, now)
    if held.campaign:
        campaign_moved(connection, held.campaign, now)
        return True
    if row["state"] != "scoring":
        return True
    by = Moving(SYSTEM_ID, now, {"label_set": found.label_set, "scorer": found.scorer})
    if board["label_set"] != found.label_set:
        move(connection, row, "retry", by)
        await_score(connection, row, now)
        return True
    move(connection, row, "finish", by, {"facts": {**row["facts"], **found.facts}})
    connection.execute(team.update().where(team.c.id == row["team"], ~team.c.frozen).values(frozen=True))
    _join_campaigns(connection, row, now)
    return True


def failed(connection: sa.Connection, held: jobs.Job, incident: str, now: datetime) -> bool:
    """It could not be checked or scored, by no fault of the team, and its slot is free. False: the lease was lost."""
    row = locked(connection, held.subject) if held.kind in _BEGINS else None
    if not jobs.fail(connection, held, f"incident {incident}", now):
        return False
    if row is not None:
        _fail(connection, row, held, incident, now)
    return True


def settle(portal: Portal) -> list[Settled]:
    """Bring submissions in line with jobs whose workers went silent."""
    running = ((submission.c.state.in_(_BEGINS["check"])) & (job.c.kind == "check")) | (
        (submission.c.state.in_(_BEGINS["score"])) & (job.c.kind == "score")
    )
    lost = (job.c.state == "failed") | (
        (job.c.state == "waiting") & submission.c.state.in_([runs for _, runs in _BEGINS.values()])
    )
    joined = submission.join(job, (job.c.subject == submission.c.id) & (job.c.campaign == ""))
    with portal.database.read() as connection:
        found = list(connection.execute(sa.select(job.c.id).select_from(joined).where(running, lost)).scalars())
    return [one for one in (_settle_one(portal, job_id) for job_id in found) if one is not None]


def keep_evaluation(connection: sa.Connection, submission_id: str, found: NewEvaluation, now: datetime) -> None:
    """Keep a score; there is one of a submission, scorer and set of labels, and the first stays."""
    same = (
        (evaluation.c.submission == submission_id)
        & (evaluation.c.scorer == found.scorer)
        & (evaluation.c.label_set == found.label_set)
    )
    if connection.execute(sa.select(evaluation.c.id).where(same)).first() is not None:
        return
    connection.execute(
        evaluation.insert().values(
            id=new_id(now),
            submission=submission_id,
            label_set=found.label_set,
            scorer=found.scorer,
            score=found.score,
            result=dict(found.result),
            shares=found.shares,
            created=now,
        )
    )


def campaign_moved(connection: sa.Connection, campaign_id: str, now: datetime) -> None:
    """A campaign is ready once all of its scores are there."""
    left = sa.select(job.c.id).where(job.c.campaign == campaign_id, job.c.state.not_in(("done", "cancelled"))).limit(1)
    state = "ready" if connection.execute(left).first() is None else "running"
    mine = (campaign.c.id == campaign_id) & campaign.c.state.in_(OPEN_CAMPAIGNS) & (campaign.c.state != state)
    finished = now if state == "ready" else None
    connection.execute(campaign.update().where(mine).values(state=state, finished=finished))


def await_score(connection: sa.Connection, row: sa.RowMapping, now: datetime) -> None:
    """Have a submission scored, if there are labels; else it waits for them."""
    label_set = connection.execute(sa.select(contest.c.label_set).where(contest.c.id == row["contest"])).scalar()
    if label_set is not None:
        jobs.add(connection, "score", row["id"], now=now)


def _join_campaigns(connection: sa.Connection, row: sa.RowMapping, now: datetime) -> None:
    """What is scored while a campaign runs is scored for it, too."""
    running = sa.select(campaign).where(campaign.c.contest == row["contest"], campaign.c.state.in_(OPEN_CAMPAIGNS))
    for one in connection.execute(running).mappings().all():
        jobs.add(connection, "score", row["id"], campaign=one["id"], now=now)
        campaign_moved(connection, one["id"], now)


def _fail(connection: sa.Connection, row: sa.RowMapping, held: jobs.Job, incident: str, now: datetime) -> None:
    if held.campaign:
        return  # the campaign stays unready, and says why
    waits, runs = _BEGINS[held.kind]
    by = Moving(SYSTEM_ID, now, {"incident": incident})
    if row["state"] == waits:
        move(connection, row, "check" if held.kind == "check" else "score", by)
        row = submission_row(connection, row["id"])
    if row["state"] == runs:
        fault = {
            "code": "E_INCIDENT",
            "what": f"it could not be {'checked' if held.kind == 'check' else 'scored'}, by a fault of the portal: {incident}",
            "where": "",
            "expected": "",
            "cause": "tell the organisers this number; the submission costs nothing and may be sent again",
        }
        move(connection, row, "fail", by, {"reason": f"incident {incident}", "fault": fault})


def _settle_one(portal: Portal, job_id: str) -> Settled | None:
    now = portal.now()
    with portal.database.write() as connection:
        held = connection.execute(sa.select(job).where(job.c.id == job_id)).mappings().one()
        row = locked(connection, held["subject"])
        held = connection.execute(sa.select(job).where(job.c.id == job_id)).mappings().one()
        waits, runs = _BEGINS[held["kind"]]
        if held["state"] == "failed" and row["state"] in (waits, runs):
            incident = incident_number(now)
            mine = next(one for one in jobs.of_subject(connection, row["id"]) if one.id == job_id)
            _fail(connection, row, mine, incident, now)
            return Settled(row["id"], incident)
        if held["state"] == "waiting" and row["state"] == runs:
            move(connection, row, "retry", Moving(SYSTEM_ID, now, {"attempt": held["attempt"]}))
            return Settled(row["id"])
    return None
