"""Work is claimed once at a time, done once, and lost by whoever goes silent."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from affectcheck.server.storage import jobs
from portal_clock import NOON

if TYPE_CHECKING:
    from datetime import datetime

    import sqlalchemy as sa

    from affectcheck.server.portal import Portal

LEASE = timedelta(seconds=30)


def _add(portal: Portal, kind: jobs.Kind, subject: str, now: datetime = NOON, **more: object) -> None:
    with portal.database.write() as connection:
        jobs.add(connection, kind, subject, now=now, **more)


def _claim(portal: Portal, worker: str = "one", now: datetime = NOON) -> jobs.Job | None:
    return jobs.claim(portal.database, worker, now, LEASE)


def _finish(portal: Portal, job: jobs.Job, now: datetime = NOON) -> bool:
    with portal.database.write() as connection:
        return jobs.finish(connection, job, now)


def _position(portal: Portal, subject: str) -> int | None:
    with portal.database.read() as connection:
        return jobs.position(connection, subject)


def _states(portal: Portal, subject: str) -> list[tuple[str, str]]:
    with portal.database.read() as connection:
        return [(job.kind, job.state) for job in jobs.of_subject(connection, subject)]


def test_there_is_nothing_to_claim_at_first(portal: Portal) -> None:
    assert _claim(portal) is None


def test_work_is_claimed_labels_first_and_oldest_first(portal: Portal) -> None:
    added = [("standing", "s"), ("score", "b"), ("check", "c2"), ("score", "a"), ("labels", "l"), ("check", "c1")]
    for minute, (kind, subject) in enumerate(added):
        _add(portal, kind, subject, NOON + timedelta(minutes=minute))
    taken = []
    while (job := _claim(portal)) is not None:
        taken.append(job.subject)
        assert (job.state, job.worker, job.attempt) == ("running", "one", 1)
        assert _finish(portal, job)
    assert taken == ["l", "c2", "c1", "b", "a", "s"]


def test_one_row_of_a_kind_subject_and_campaign(portal: Portal) -> None:
    for _ in range(2):
        _add(portal, "score", "x")
        _add(portal, "score", "x", campaign="c")
    assert _states(portal, "x") == [("score", "waiting")] * 2


def test_one_that_is_over_waits_again(portal: Portal) -> None:
    _add(portal, "check", "x")
    job = _claim(portal)
    assert _finish(portal, job)
    later = NOON + timedelta(hours=1)
    _add(portal, "check", "x", later)
    again = _claim(portal)
    assert (again.id, again.attempt, again.created) == (job.id, 1, later)


def test_one_that_runs_goes_on_unless_it_is_to_begin_anew(portal: Portal) -> None:
    _add(portal, "standing", "x")
    job = _claim(portal)
    _add(portal, "standing", "x")
    assert _claim(portal) is None
    _add(portal, "standing", "x", again=True)
    assert not _finish(portal, job)
    anew = _claim(portal)
    assert anew is not None
    assert not _finish(portal, job)
    assert _finish(portal, anew)


def test_many_claim_at_once_and_each_gets_another(portal: Portal) -> None:
    for number in range(24):
        _add(portal, "check", f"s{number}")

    def take(worker: int) -> list[str]:
        taken = []
        while (job := _claim(portal, f"w{worker}")) is not None:
            taken.append(job.subject)
            assert _finish(portal, job)
        return taken

    with ThreadPoolExecutor(6) as pool:
        taken = [subject for part in pool.map(take, range(6)) for subject in part]
    assert sorted(taken) == sorted(f"s{number}" for number in range(24))


def test_added_at_once_is_added_once(portal: Portal) -> None:
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda _: _add(portal, "check", "x"), range(12)))
    assert _states(portal, "x") == [("check", "waiting")]


def test_whoever_goes_silent_loses_it_and_can_write_nothing(portal: Portal) -> None:
    _add(portal, "score", "x")
    silent = _claim(portal)
    assert jobs.reap(portal.database, NOON + LEASE) == []
    late = NOON + LEASE + timedelta(microseconds=1)
    assert [job.state for job in jobs.reap(portal.database, late)] == ["waiting"]
    other = _claim(portal, "two", late)
    assert other.attempt == 2
    assert not _finish(portal, silent)
    assert not jobs.progress(portal.database, silent, 1, 2, late, LEASE)
    with portal.database.write() as connection:
        assert not jobs.fail(connection, silent, "late", late)
    jobs.give_back(portal.database, silent)
    assert _finish(portal, other)
    assert _states(portal, "x") == [("score", "done")]


def test_progress_holds_it_for_longer(portal: Portal) -> None:
    _add(portal, "score", "x")
    job = _claim(portal)
    later = NOON + timedelta(seconds=20)
    assert jobs.progress(portal.database, job, 3, 10, later, LEASE)
    assert jobs.reap(portal.database, later + LEASE) == []
    with portal.database.read() as connection:
        assert [(one.done, one.total) for one in jobs.of_subject(connection, "x")] == [(3, 10)]


def test_silent_three_times_is_failed_and_told_in_the_same_transaction(portal: Portal) -> None:
    _add(portal, "score", "x")
    told: list[str] = []
    now = NOON
    for _ in range(3):
        assert _claim(portal, now=now) is not None
        now += 2 * LEASE
        reaped = jobs.reap(portal.database, now, lost=lambda _, job: told.append(job.subject))
    assert [job.state for job in reaped] == ["failed"]
    assert reaped[0].fault == "the worker went silent 3 times"
    assert told == ["x"]
    assert _claim(portal, now=now) is None


def test_if_it_cannot_be_told_it_has_not_failed(portal: Portal) -> None:
    _add(portal, "score", "x")
    _claim(portal)

    def refuse(_: sa.Connection, job: jobs.Job) -> None:
        raise KeyError(job.subject)

    with pytest.raises(KeyError):
        jobs.reap(portal.database, NOON + 2 * LEASE, attempts=1, lost=refuse)
    assert _states(portal, "x") == [("score", "running")]


def test_reapers_at_once_reap_once(portal: Portal) -> None:
    for number in range(10):
        _add(portal, "score", f"s{number}")
        _claim(portal)
    with ThreadPoolExecutor(4) as pool:
        reaped = list(pool.map(lambda _: jobs.reap(portal.database, NOON + 2 * LEASE), range(4)))
    assert sorted(job.subject for part in reaped for job in part) == sorted(f"s{number}" for number in range(10))


def test_what_is_given_back_was_no_attempt(portal: Portal) -> None:
    _add(portal, "score", "x")
    jobs.give_back(portal.database, _claim(portal))
    assert _claim(portal, "two").attempt == 1


def test_failed_for_good(portal: Portal) -> None:
    _add(portal, "score", "x")
    job = _claim(portal)
    with portal.database.write() as connection:
        assert jobs.fail(connection, job, "incident 7", NOON)
    with portal.database.read() as connection:
        assert [(one.state, one.fault) for one in jobs.of_subject(connection, "x")] == [("failed", "incident 7")]


def test_what_is_cancelled_is_lost_by_its_worker(portal: Portal) -> None:
    for campaign in ("", "c"):
        _add(portal, "score", "x", campaign=campaign)
    _add(portal, "score", "y", campaign="c")
    job = _claim(portal)
    with portal.database.write() as connection:
        assert jobs.cancel(connection, NOON, subject="x", campaign="c") == 1
        assert jobs.cancel(connection, NOON, campaign="c") == 1
        assert jobs.cancel(connection, NOON, subject="x") == 1
    assert not _finish(portal, job)
    assert _claim(portal) is None


def test_position_in_the_queue(portal: Portal) -> None:
    for minute, (kind, subject) in enumerate([("score", "old"), ("score", "new"), ("check", "c")]):
        _add(portal, kind, subject, NOON + timedelta(minutes=minute))
    assert [_position(portal, subject) for subject in ("c", "old", "new", "none")] == [1, 2, 3, None]
    job = _claim(portal)
    assert [_position(portal, subject) for subject in ("c", "old", "new")] == [0, 1, 2]
    _finish(portal, job)
    assert _position(portal, "c") is None
