"""Uploads: stored before they are answered, counted by slot, and refused with one sentence."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
import sqlalchemy as sa

from affectcheck.challenges import Limits
from affectcheck.challenges.declaration import DeclarationError
from affectcheck.challenges.track_parts import Phase
from affectcheck.server.accounts.actors import VISITOR
from affectcheck.server.accounts.teams import merge_teams
from affectcheck.server.accounts.tokens import actor_of_token, make_token
from affectcheck.server.contests.settings import TrackSettings
from affectcheck.server.contests.tracks import archive_contest
from affectcheck.server.faults import (
    ConflictError,
    ForbiddenError,
    NoRoomError,
    NotThereError,
    RefusedError,
    TooLargeError,
    TooManyError,
    UnknownLoginError,
)
from affectcheck.server.ledger.intake import is_genuine, receive
from affectcheck.server.ledger.rows import submission_row
from affectcheck.server.storage.tables import audit, job, submission
from affectcheck.version import __version__
from portal_clock import NOON
from portal_scene import DECLARED, blocks, moods_track, predictions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from portal_scene import Scene

DAY = timedelta(days=1)
PHASE = Phase(name="test", opens=NOON - DAY, closes=NOON + DAY)


def rows(scene: Scene) -> list[sa.RowMapping]:
    with scene.portal.database.read() as connection:
        return list(connection.execute(sa.select(submission).order_by(submission.c.id)).mappings())


def test_a_receipt_is_of_what_is_kept(scene_on_both: Scene) -> None:
    scene = scene_on_both
    scene.contest()
    crew, data = scene.team("Blue"), predictions()
    receipt = scene.send(crew, data=data)
    (row,) = rows(scene)
    assert (receipt.id, receipt.state, receipt.slot, receipt.already) == (row["id"], "received", 1, False)
    assert scene.portal.uploads.read(receipt.digest) == data
    assert (row["size"], row["received"], row["declaration"]["method"]) == (len(data), NOON, "Trees")
    with scene.portal.database.read() as connection:
        assert connection.execute(sa.select(job.c.kind).where(job.c.subject == receipt.id)).scalars().all() == ["check"]
        (told,) = connection.execute(sa.select(audit).where(audit.c.subject == receipt.id)).mappings()
    assert (told["action"], told["actor"]) == ("submission.receive", crew.captain.id)
    assert is_genuine(scene.portal, row, receipt.signature)
    assert not is_genuine(scene.portal, {**row, "size": 1}, receipt.signature)
    assert not is_genuine(scene.portal, row, "é")
    assert scene.faults() == []


def test_forty_at_once_take_five_slots(scene_on_both: Scene) -> None:
    scene = scene_on_both
    scene.contest()
    crew = scene.team("Blue")
    ready = threading.Barrier(40)

    def upload(number: int) -> str:
        def data() -> Iterator[bytes]:
            ready.wait()  # all have been let in by then
            yield predictions(seed=number)

        try:
            sent = {"file_name": "p.csv", "declaration": DECLARED, "began": NOON}
            return str(receive(scene.portal, crew.captain, "faces", blocks=data(), **sent).slot)
        except ConflictError as error:
            return error.code

    with ThreadPoolExecutor(40) as pool:
        answers = sorted(pool.map(upload, range(40)))
    assert answers == ["1", "2", "3", "4", "5", *["E_SLOTS_IN_USE"] * 35]
    assert sorted(row["slot"] for row in rows(scene)) == [1, 2, 3, 4, 5]
    assert scene.faults() == []


def test_equal_bytes_at_once_are_one_submission(scene_on_both: Scene) -> None:
    scene = scene_on_both
    scene.contest()
    crew, data = scene.team("Blue"), predictions()
    with ThreadPoolExecutor(12) as pool:
        found = list(pool.map(lambda _: scene.send(crew, data=data), range(12)))
    assert len({one.id for one in found}) == 1
    assert sum(not one.already for one in found) == 1
    assert len(rows(scene)) == 1


def test_equal_bytes_cost_nothing_whatever_became_of_them(scene: Scene) -> None:
    scene.contest()
    crew, other, data = scene.team("Blue"), scene.team("Red"), predictions()
    first = scene.send(crew, data=data)
    scene.judge("faces", first.id, 0.5)
    again = scene.send(crew, data=data)
    assert (again.id, again.already, again.state) == (first.id, True, "scored")
    assert scene.send(other, data=data).id != first.id


def test_an_invalid_one_is_checked_anew_only_where_the_answer_may_differ(scene: Scene) -> None:
    scene.contest()
    crew, data = scene.team("Blue"), b"item,mood\n"
    first = scene.send(crew, data=data)
    scene.refuse(first.id)
    with scene.portal.database.write() as connection:
        facts = {"items": scene.contest_of().items, "by": __version__}
        connection.execute(submission.update().where(submission.c.id == first.id).values(facts=facts))
    again = scene.send(crew, data=data)
    assert (again.id, again.already, again.slot) == (first.id, True, None)
    with scene.portal.database.write() as connection:
        older = submission.update().where(submission.c.id == first.id).values(facts={**facts, "by": "0.0"})
        connection.execute(older)
    assert scene.send(crew, data=data).id != first.id


def test_a_digest_that_is_known_is_answered_without_a_byte(scene: Scene) -> None:
    scene.contest("faces", moods_track(phases=[PHASE]))
    crew = scene.team("Blue")
    first = scene.send(crew, data=b"some bytes")
    scene.clock.forward(days=2)

    def nothing() -> Iterator[bytes]:
        raise AssertionError("the body is read")
        yield b""

    sent = {"file_name": "p.csv", "declaration": {}, "began": scene.clock()}
    again = receive(scene.portal, crew.captain, "faces", blocks=nothing(), digest=first.digest, **sent)
    assert (again.id, again.already) == (first.id, True)
    with pytest.raises(ConflictError) as refused:
        receive(scene.portal, crew.captain, "faces", blocks=nothing(), **sent)
    assert refused.value.code == "E_CLOSED"


def test_other_bytes_than_were_sent_are_refused(scene: Scene) -> None:
    scene.contest()
    with pytest.raises(RefusedError) as refused:
        scene.send(scene.team("Blue"), data=b"cut off", digest="0" * 64)
    assert refused.value.code == "E_DIGEST"
    assert rows(scene) == []


@pytest.mark.parametrize(
    ("began", "ended", "state"),
    [
        (NOON, NOON + DAY - timedelta(microseconds=1), "received"),
        (NOON, NOON + DAY, "late"),
        (NOON + DAY - timedelta(seconds=1), NOON + 2 * DAY, "late"),
        (NOON + DAY, NOON + DAY, "E_CLOSED"),
        (NOON - DAY - timedelta(seconds=1), NOON, "E_NOT_OPEN_YET"),
        (NOON - DAY, NOON, "received"),
    ],
)
def test_the_moment_of_the_last_byte_counts(scene: Scene, began: object, ended: object, state: str) -> None:
    scene.contest("faces", moods_track(phases=[PHASE]))
    crew = scene.team("Blue")

    def slow() -> Iterator[bytes]:
        scene.clock.set(ended)
        yield b"bytes"

    scene.clock.set(began)
    sent = {"file_name": "p.csv", "declaration": DECLARED, "began": began}
    try:
        found = receive(scene.portal, crew.captain, "faces", blocks=slow(), **sent).state
    except ConflictError as error:
        found = error.code
    assert found == state
    with scene.portal.database.read() as connection:
        jobs = connection.execute(sa.select(job.c.id).where(job.c.kind == "check")).all()
    assert len(jobs) == (state == "received")


def test_uploads_a_day_are_counted_valid_or_not(scene: Scene) -> None:
    scene.contest("faces", settings=TrackSettings(uploads_a_day=3))
    crew = scene.team("Blue")
    for _ in range(3):
        scene.refuse(scene.send(crew).id)
        scene.clock.forward(hours=1)
    with pytest.raises(TooManyError) as refused:
        scene.send(crew)
    assert refused.value.again == NOON + DAY
    scene.clock.set(NOON + DAY)
    assert scene.send(crew).slot == 1


def test_nothing_is_read_where_the_disk_is_nearly_full(scene: Scene) -> None:
    scene.contest()
    crew = scene.team("Blue")
    full = replace(scene.portal, settings=replace(scene.portal.settings, free_bytes=1 << 62))

    def nothing() -> Iterator[bytes]:
        raise AssertionError("the body is read")
        yield b""

    with pytest.raises(NoRoomError) as refused:
        receive(full, crew.captain, "faces", blocks=nothing(), file_name="p", declaration=DECLARED, began=NOON)
    assert (refused.value.status, refused.value.code) == (507, "E_NO_ROOM")


def test_what_is_too_large_or_empty_leaves_nothing_behind(scene: Scene) -> None:
    scene.contest()
    crew = scene.team("Blue")
    small = replace(scene.portal, settings=replace(scene.portal.settings, limits=Limits(upload=1000)))
    before = list(scene.portal.uploads.digests())
    sent = {"file_name": "p", "declaration": DECLARED, "began": NOON}
    with pytest.raises(TooLargeError):
        receive(small, crew.captain, "faces", blocks=blocks(b"x" * 1001), **sent)
    with pytest.raises(RefusedError, match="empty"):
        receive(small, crew.captain, "faces", blocks=blocks(b""), **sent)
    assert list(scene.portal.uploads.digests()) == before
    assert not list((scene.portal.uploads.root / "incoming").iterdir())
    assert receive(small, crew.captain, "faces", blocks=blocks(b"x" * 1000), **sent).slot == 1


def test_a_connection_that_breaks_leaves_nothing_behind(scene: Scene) -> None:
    scene.contest()

    def broken() -> Iterator[bytes]:
        yield b"half"
        raise ConnectionError

    with pytest.raises(ConnectionError):
        receive(
            scene.portal,
            scene.team("Blue").captain,
            "faces",
            blocks=broken(),
            file_name="p",
            declaration=DECLARED,
            began=NOON,
        )
    assert rows(scene) == []
    assert not list((scene.portal.uploads.root / "incoming").iterdir())


def test_a_fault_before_the_end_leaves_no_row_and_no_slot(
    scene_on_both: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = scene_on_both
    scene.contest()
    crew, data = scene.team("Blue"), predictions()

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("the power is cut")

    with monkeypatch.context() as patched:
        patched.setattr("affectcheck.server.ledger.intake.jobs.add", broken)
        with pytest.raises(RuntimeError):
            scene.send(crew, data=data)
    assert rows(scene) == []
    again = scene.send(crew, data=data)
    assert (again.slot, again.already) == (1, False)
    assert scene.faults() == []


def test_who_may_not_send(scene: Scene) -> None:
    scene.contest()
    crew = scene.team("Blue")
    alone, _ = scene.person()
    sent = {"file_name": "p", "blocks": [b"x"], "declaration": DECLARED, "began": NOON}
    with pytest.raises(UnknownLoginError):
        receive(scene.portal, VISITOR, "faces", **sent)
    reader = actor_of_token(scene.portal, make_token(scene.portal, crew.captain, "reads", "read"))
    with pytest.raises(ForbiddenError) as refused:
        receive(scene.portal, reader, "faces", **sent)
    assert refused.value.code == "E_SCOPE"
    with pytest.raises(ForbiddenError) as refused:
        receive(scene.portal, alone, "faces", **sent)
    assert refused.value.code == "E_NO_TEAM"
    with pytest.raises(NotThereError):
        receive(scene.portal, crew.captain, "nowhere", **sent)


def test_a_declaration_is_read_before_the_bytes(scene: Scene) -> None:
    scene.contest()
    crew = scene.team("Blue")

    def nothing() -> Iterator[bytes]:
        raise AssertionError("the body is read")
        yield b""

    with pytest.raises(DeclarationError):
        receive(
            scene.portal,
            crew.captain,
            "faces",
            blocks=nothing(),
            file_name="p",
            declaration={"method": ""},
            began=NOON,
        )


def test_an_archived_track_takes_nothing(scene: Scene) -> None:
    scene.contest("faces", moods_track(phases=[PHASE]))
    crew = scene.team("Blue")
    scene.clock.forward(days=2)
    archive_contest(scene.portal, scene.organiser, "faces")
    with pytest.raises(ConflictError) as refused:
        scene.send(crew)
    assert refused.value.code == "E_ARCHIVED"


def test_a_team_that_is_merged_while_it_sends_sends_for_the_new_one(scene_on_both: Scene) -> None:
    scene = scene_on_both
    scene.contest()
    blue, red = scene.team("Blue"), scene.team("Red")

    def slow() -> Iterator[bytes]:
        merge_teams(scene.portal, scene.organiser, "emotions", red.id, blue.id)
        yield b"bytes"

    sent = {"file_name": "p.csv", "declaration": DECLARED, "began": NOON}
    found = receive(scene.portal, blue.captain, "faces", blocks=slow(), **sent)
    with scene.portal.database.read() as connection:
        assert submission_row(connection, found.id)["team"] == red.id


def test_names_of_files_are_kept_without_their_folders(scene: Scene) -> None:
    scene.contest()
    sent = scene.send(scene.team("Blue"), file_name="../<b>" + "ö" * 300 + ".csv")
    (row,) = rows(scene)
    assert row["id"] == sent.id
    assert row["file_name"] == "ö" * 251 + ".csv"
