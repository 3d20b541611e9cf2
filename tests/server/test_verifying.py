"""What is broken is named, whatever it is; what is left over is swept, and nothing else."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa

from affectcheck.server.storage import audit, jobs
from affectcheck.server.storage.references import UPLOADS, VAULT, sweep
from affectcheck.server.storage.tables import account, contest, evaluation, event, job, label_set, submission, team
from affectcheck.server.storage.verifying import verify
from portal_clock import NOON

if TYPE_CHECKING:
    from affectcheck.server.portal import Portal
    from affectcheck.server.storage.blobs import Blobs


def _stores(portal: Portal) -> dict[str, Blobs]:
    return {UPLOADS: portal.uploads, VAULT: portal.vault}


def _faults(portal: Portal) -> list[str]:
    return verify(portal.database, _stores(portal))


def _do(portal: Portal, *statements: sa.Executable) -> None:
    with portal.database.write() as connection:
        for statement in statements:
            connection.execute(statement)


def _submission(key: str, digest: str, **values: Any) -> sa.Executable:
    row = {"contest": "c", "team": "t", "author": "a", "phase": "", "state": "scored", "file_name": "x", "size": 1}
    times = {"began": NOON, "received": NOON}
    return submission.insert().values(id=key, digest=digest, declaration={}, **{**row, **times, **values})


@pytest.fixture
def whole(sqlite_portal: Portal) -> Portal:
    return _made(sqlite_portal)


def _made(portal: Portal) -> Portal:
    """A portal with a track, labels, a scored submission and one that waits."""
    items = portal.uploads.put([b"items"], most=100).digest
    sent = portal.uploads.put([b"sent"], most=100).digest
    labels = portal.vault.put([b"labels"], most=100).digest
    shares = portal.vault.put([b"shares"], most=100).digest
    _do(
        portal,
        account.insert().values(id="a", email="a@x", name="A", password="", role="member", created=NOON),
        event.insert().values(id="e", slug="e", title="", description="", created=NOON),
        team.insert().values(id="t", event="e", name="T", name_key="t", affiliation="", join_hash="", created=NOON),
        contest.insert().values(
            id="c", event="e", slug="c", track={"submissions": 2}, settings={}, items=items, label_set="l", scorer="1",
            created=NOON,
        ),
        label_set.insert().values(id="l", contest="c", number=1, state="ready", digest=labels, created=NOON),
        _submission("s1", sent, slot=1),
        _submission("s2", sent, slot=2, state="queued"),
        evaluation.insert().values(
            id="v", submission="s1", label_set="l", scorer="1", score=0.5, result={}, shares=shares, created=NOON
        ),
    )  # fmt: skip
    with portal.database.write() as connection:
        jobs.add(connection, "score", "s2", now=NOON)
        audit.record(connection, "system", "test.make", "c", {}, NOON)
    assert _faults(portal) == []
    return portal


BROKEN = {
    "no work": (job.delete(), "submission s2 is queued, and there is no work for it"),
    "work is over": (job.update().values(state="failed"), "submission s2 is queued, and there is no work for it"),
    "nobody has it": (job.update().values(state="running"), "runs, and nobody has it"),
    "no slot": (
        submission.update().where(submission.c.id == "s1").values(slot=None),
        "submission s1 is scored without",
    ),
    "beyond the limit": (submission.update().where(submission.c.id == "s1").values(slot=3), "s1 holds slot 3 of 2"),
    "invalid with a slot": (
        submission.update().where(submission.c.id == "s1").values(state="invalid"),
        "submission s1 is invalid and holds slot 1",
    ),
    "no score": (evaluation.delete(), "submission s1 is scored, and has no score under the labels of its board"),
    "of other labels": (contest.update().values(scorer="2"), "has no score under the labels of its board"),
    "no number": (evaluation.update().values(score=float("inf")), "submission s1 has the score inf"),
    "labels nobody reads": (label_set.update().values(state="received"), "there is no work for them"),
    "no such file": (submission.update().values(digest="0" * 64), f"uploads: file {'0' * 64} is missing"),
    "no predictions": (
        submission.update().where(submission.c.id == "s2").values(facts={"predictions": "1" * 64}),
        f"labels: file {'1' * 64} is missing",
    ),
    "forged": (sa.text("UPDATE audit SET actor = 'x'"), "row 1 of the audit log was changed"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_broken_is_named(whole: Portal, name: str) -> None:
    statement, said = BROKEN[name]
    _do(whole, statement)
    assert any(said in fault for fault in _faults(whole)), _faults(whole)


def test_more_slots_than_the_track_gives_are_named(whole: Portal) -> None:
    _do(whole, contest.update().values(track={"submissions": 1}))
    assert "team t holds 2 slots of 1 on track c" in _faults(whole)


def test_a_track_that_does_not_say_gives_five_slots(whole: Portal) -> None:
    _do(whole, contest.update().values(track={}))
    assert _faults(whole) == []
    _do(whole, submission.update().where(submission.c.id == "s1").values(slot=6))
    assert _faults(whole) == ["submission s1 holds slot 6 of 5"]


def test_what_waits_for_the_organiser_is_not_broken(whole: Portal) -> None:
    _do(whole, evaluation.delete(), submission.delete().where(submission.c.id == "s1"), job.delete())
    _do(whole, contest.update().values(label_set=None, scorer=""))
    assert _faults(whole) == []
    _do(whole, contest.update().values(items=""), submission.update().values(state="received"))
    assert _faults(whole) == []


def test_a_disqualified_one_may_hold_its_slot_or_not(whole: Portal) -> None:
    for slot in (1, None):
        _do(whole, submission.update().where(submission.c.id == "s1").values(state="disqualified", slot=slot))
        assert _faults(whole) == []


def test_files_that_rotted_are_named(whole: Portal) -> None:
    digest = next(whole.vault.digests())
    whole.vault.path(digest).write_bytes(b"rotten")
    assert _faults(whole) == [f"labels: file {digest} has other bytes than it had"]


def _aged(store: Blobs, content: bytes) -> str:
    digest = store.put([content], most=100).digest
    os.utime(store.path(digest), (0, 0))
    return digest


def test_what_no_row_refers_to_is_swept(portal: Portal) -> None:
    whole = _made(portal)
    for store in (whole.uploads, whole.vault):
        for digest in store.digests():
            os.utime(store.path(digest), (0, 0))
    told = _aged(whole.uploads, b"told in facts")
    _do(whole, submission.update().values(facts={"report": {"file": told}}))
    kept = sorted(whole.uploads.digests()), sorted(whole.vault.digests())
    _aged(whole.uploads, b"orphan")
    _aged(whole.vault, b"orphan")
    young = whole.uploads.put([b"on its way"], most=100).digest
    left = whole.uploads.root / "incoming" / "unfinished"
    left.write_bytes(b"half")
    os.utime(left, (0, 0))
    assert sweep(whole.database, _stores(whole)) == (1, 2)
    assert (sorted(set(whole.uploads.digests()) - {young}), sorted(whole.vault.digests())) == kept
    assert whole.uploads.path(young).exists()
    assert _faults(whole) == []


def test_refused_labels_stay_until_they_are_removed(whole: Portal) -> None:
    digest = _aged(whole.vault, b"refused")
    _do(
        whole,
        label_set.insert().values(id="l2", contest="c", number=2, state="refused", digest=digest, created=NOON),
    )
    assert sweep(whole.database, _stores(whole)).orphans == 0
    whole.vault.remove(digest)
    assert _faults(whole) == []


def test_content_that_arrives_anew_while_it_is_swept_stays(sqlite_portal: Portal) -> None:
    store = sqlite_portal.uploads
    digest = _aged(store, b"again")
    store.put([b"again"], most=100)
    assert not store.remove_unless_younger(digest, before=time.time() - 60)
    assert store.read(digest) == b"again"
    assert not store.remove_unless_younger("0" * 64, before=time.time())
