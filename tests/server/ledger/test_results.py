"""What workers write: once a lease, or not at all."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa

from affectcheck.server.ledger import results
from affectcheck.server.ledger.organising import disqualify, reinstate
from affectcheck.server.storage import jobs
from affectcheck.server.storage.tables import audit, evaluation, job, submission, team
from portal_scene import LEASE, made_result

if TYPE_CHECKING:
    from portal_scene import Scene

FAULT = {"code": "E_X", "what": "wrong", "where": "p.csv:2", "expected": "", "cause": "", "facts": {"by": "1"}}


def claim(scene: Scene, worker: str = "one") -> jobs.Job:
    found = jobs.claim(scene.portal.database, worker, scene.clock(), LEASE)
    assert found is not None
    return found


def write(scene: Scene, function: Any, *arguments: Any) -> bool:
    with scene.portal.database.write() as connection:
        return function(connection, *arguments, scene.clock())


def found(scene: Scene, score: float = 0.5, **more: Any) -> results.NewEvaluation:
    board = scene.contest_of()
    kept = {"label_set": board.label_set, "scorer": board.scorer, "score": score, "facts": {"flags": []}, **more}
    return results.NewEvaluation(result=made_result("faces", score, 40), **kept)


def sent(scene: Scene) -> str:
    scene.contest()
    return scene.send(scene.team("Blue")).id


def scores(scene: Scene) -> list[float]:
    with scene.portal.database.read() as connection:
        return list(connection.execute(sa.select(evaluation.c.score)).scalars())


def test_a_worker_that_lost_its_lease_writes_nothing(scene_on_both: Scene) -> None:
    scene = scene_on_both
    key = sent(scene)
    lost = claim(scene, "one")
    write(scene, results.begun, lost)
    scene.clock.forward(seconds=61)
    jobs.reap(scene.portal.database, scene.clock())
    assert results.settle(scene.portal) == [results.Settled(key)]
    assert scene.entry(key).state == "received"
    held = claim(scene, "two")
    write(scene, results.begun, held)
    assert not write(scene, results.checked, lost, {"rows": 1})
    assert not write(scene, results.refused, lost, FAULT)
    assert not write(scene, results.failed, lost, "1")
    assert scene.entry(key).state == "checking"
    assert write(scene, results.checked, held, {"rows": 40})
    assert not write(scene, results.checked, held, {"rows": 2})
    lost = claim(scene, "one")
    write(scene, results.begun, lost)
    scene.clock.forward(seconds=61)
    jobs.reap(scene.portal.database, scene.clock())
    held = claim(scene, "two")
    write(scene, results.begun, held)
    assert not write(scene, results.scored, lost, found(scene, 0.1))
    assert write(scene, results.scored, held, found(scene, 0.5))
    assert not write(scene, results.scored, held, found(scene, 0.9))
    assert scores(scene) == [0.5]
    assert (scene.entry(key).state, scene.entry(key).facts["rows"]) == ("scored", 40)
    assert scene.faults() == []


def test_what_is_refused_gives_its_slot_back(scene: Scene) -> None:
    key = sent(scene)
    held = claim(scene)
    write(scene, results.begun, held)
    assert write(scene, results.refused, held, FAULT)
    entry = scene.entry(key)
    assert (entry.state, entry.slot, entry.finished) == ("invalid", None, scene.clock())
    assert entry.fault == {name: text for name, text in FAULT.items() if name != "facts"}
    assert entry.facts == {"by": "1"}


def test_what_fails_gives_its_slot_back_and_tells_a_number_alone(scene: Scene) -> None:
    key = sent(scene)
    held = claim(scene)
    write(scene, results.begun, held)
    assert write(scene, results.failed, held, "abc123")
    entry = scene.entry(key)
    assert (entry.state, entry.slot, entry.fault["code"]) == ("failed", None, "E_INCIDENT")
    assert "abc123" in entry.fault["what"]
    assert entry.reason == "incident abc123"


def test_a_team_is_closed_once_it_has_a_score(scene: Scene) -> None:
    key = sent(scene)

    def frozen() -> bool:
        with scene.portal.database.read() as connection:
            return bool(connection.execute(sa.select(team.c.frozen)).scalar_one())

    assert not frozen()
    scene.judge("faces", key, 0.5)
    assert frozen()


@pytest.mark.parametrize("kind", ["check", "score"])
def test_a_worker_that_goes_silent_three_times_fails_the_submission(scene_on_both: Scene, kind: str) -> None:
    scene = scene_on_both
    key = sent(scene)
    if kind == "score":
        held = claim(scene)
        write(scene, results.begun, held)
        write(scene, results.checked, held, {})
    for attempt in (1, 2, 3):
        held = claim(scene)
        assert (held.kind, held.attempt) == (kind, attempt)
        if attempt != 2:  # one was killed before it had said that it begins
            write(scene, results.begun, held)
        scene.clock.forward(seconds=61)
        jobs.reap(scene.portal.database, scene.clock())
        results.settle(scene.portal)
    entry = scene.entry(key)
    assert (entry.state, entry.slot, entry.fault["code"]) == ("failed", None, "E_INCIDENT")
    assert results.settle(scene.portal) == []
    assert jobs.claim(scene.portal.database, "one", scene.clock(), LEASE) is None
    assert scene.faults() == []


def test_silence_before_the_beginning_fails_it_too(scene: Scene) -> None:
    key = sent(scene)
    for _ in range(3):
        claim(scene)
        scene.clock.forward(seconds=61)
        jobs.reap(scene.portal.database, scene.clock())
        results.settle(scene.portal)
    assert scene.entry(key).state == "failed"


def test_a_disqualified_one_is_not_gone_on_with(scene_on_both: Scene) -> None:
    scene = scene_on_both
    key = sent(scene)
    held = claim(scene)
    write(scene, results.begun, held)
    disqualify(scene.portal, scene.organiser, key, "copied")
    assert not write(scene, results.checked, held, {"rows": 40})
    assert scene.entry(key).state == "disqualified"
    reinstate(scene.portal, scene.organiser, key)
    assert (scene.entry(key).state, scene.entry(key).slot) == ("received", 1)
    scene.judge("faces", key, 0.5)
    assert scene.entry(key).state == "scored"


def test_a_job_of_what_moved_on_is_over_without_an_effect(scene: Scene) -> None:
    key = sent(scene)
    held = claim(scene)
    disqualify(scene.portal, scene.organiser, key, "copied")
    with scene.portal.database.write() as connection:  # as if it had been claimed behind the disqualification
        connection.execute(job.update().where(job.c.id == held.id).values(state="running"))
    assert not write(scene, results.begun, held)
    with scene.portal.database.read() as connection:
        assert connection.execute(sa.select(job.c.state).where(job.c.id == held.id)).scalar_one() == "done"


def test_it_waits_for_labels(scene: Scene) -> None:
    scene.contest(labelled=False)
    key = scene.send(scene.team("Blue")).id
    held = claim(scene)
    write(scene, results.begun, held)
    write(scene, results.checked, held, {"rows": 40})
    assert scene.entry(key).state == "queued"
    assert jobs.claim(scene.portal.database, "one", scene.clock(), LEASE) is None
    assert scene.faults() == []
    scene.labels()
    scene.judge("faces", key, 0.25)
    assert scene.entry(key).state == "scored"


def test_a_score_under_labels_that_the_board_left_is_scored_anew(scene: Scene) -> None:
    key = sent(scene)
    held = claim(scene)
    write(scene, results.begun, held)
    write(scene, results.checked, held, {})
    held = claim(scene)
    write(scene, results.begun, held)
    other = scene.labels()
    before = scene.contest_of().label_set
    assert write(scene, results.scored, held, found(scene, 0.3, label_set=other))
    assert scene.entry(key).state == "queued"
    scene.judge("faces", key, 0.4)
    with scene.portal.database.read() as connection:
        kept = connection.execute(sa.select(evaluation.c.label_set, evaluation.c.score)).all()
    assert sorted(kept) == sorted([(other, 0.3), (before, 0.4)])


def test_every_move_stands_in_the_audit_log(scene: Scene) -> None:
    key = sent(scene)
    scene.judge("faces", key, 0.5)
    with scene.portal.database.read() as connection:
        asked = sa.select(audit.c.action, audit.c.detail).where(audit.c.subject == key).order_by(audit.c.number)
        told = connection.execute(asked).all()
    assert [row.action for row in told] == [
        f"submission.{event}" for event in ("receive", "check", "queue", "score", "finish")
    ]
    assert [row.detail.get("to") for row in told[1:]] == ["checking", "queued", "scoring", "scored"]


def test_a_board_changes_with_every_score(scene: Scene) -> None:
    key = sent(scene)
    before = scene.contest_of().version
    scene.judge("faces", key, 0.5)
    assert scene.contest_of().version > before
    with scene.portal.database.read() as connection:
        kinds = connection.execute(sa.select(job.c.kind).where(job.c.state == "waiting")).scalars().all()
    assert kinds == ["standing"]


def test_no_more_than_one_score_under_a_scorer_and_labels(scene_on_both: Scene) -> None:
    key = sent(scene_on_both)
    for score in (0.5, 0.75):
        with scene_on_both.portal.database.write() as connection:
            results.keep_evaluation(connection, key, found(scene_on_both, score), scene_on_both.clock())
    assert scores(scene_on_both) == [0.5]


def test_times_of_ends_are_kept(scene: Scene) -> None:
    key = sent(scene)
    scene.clock.forward(minutes=5)
    scene.judge("faces", key, 0.5)
    with scene.portal.database.read() as connection:
        row = connection.execute(sa.select(submission)).mappings().one()
    assert row["finished"] - row["received"] == timedelta(minutes=5)
