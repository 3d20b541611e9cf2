"""A real worker and its children: labels, checks, scores, places, campaigns, letters."""

from __future__ import annotations

import io
import logging
import threading
import zipfile
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa

from affectcheck.challenges import SCORER, load_kept, score_submission
from affectcheck.challenges.checking import check
from affectcheck.challenges.labels import read_labels
from affectcheck.challenges.scoring import ScoringOptions, headline
from affectcheck.server.contests.labels import label_sets
from affectcheck.server.contests.settings import TrackSettings
from affectcheck.server.ledger.campaigns import campaign_of, start_campaign, switch
from affectcheck.server.ledger.counted import Standing
from affectcheck.server.storage import jobs
from affectcheck.server.storage.tables import evaluation, job
from affectcheck.server.work import handling
from affectcheck.server.work.running import Answer
from affectcheck.server.work.worker import LEASE, Worker
from portal_children import run_here
from portal_scene import item_names, labels, predictions

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from portal_scene import Scene


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Children are no processes, but functions."""
    monkeypatch.setattr(handling, "run", run_here)


def label_set(scene: Scene, slug: str = "faces") -> Any:
    """The newest."""
    with scene.portal.database.read() as connection:
        return label_sets(connection, scene.contest_of(slug).id, scene.organiser)[0]


def kept(scene: Scene) -> list[sa.RowMapping]:
    with scene.portal.database.read() as connection:
        return list(connection.execute(sa.select(evaluation).order_by(evaluation.c.created)).mappings())


@pytest.mark.slow
def test_what_was_sent_is_checked_scored_and_placed(scene_on_both: Scene, tmp_path: Path) -> None:
    scene = scene_on_both
    scene.contest(labelled=False)
    scene.labels(read=False)
    blue, red, grey = scene.team("Blue"), scene.team("Red"), scene.team("Grey")
    data = predictions(seed=5)
    good, bad = scene.send(blue, data=data), scene.send(red, data=b"item,mood\nitem-0000,furious\n")
    scene.work()
    scene.clock.forward(seconds=1)
    same = scene.send(grey, data=data + b"\n")
    scene.work()
    entry, refused = scene.entry(good.id), scene.entry(bad.id, red.captain)
    assert (entry.state, entry.facts["rows"], entry.facts["files"]) == ("scored", 40, ["predictions.csv"])
    assert (refused.state, refused.slot, refused.fault["where"]) == ("invalid", None, "predictions.csv:2")
    assert "furious" in refused.fault["what"]
    assert [flag["other"] for flag in scene.entry(same.id).facts["flags"]] == [good.id]
    assert set(scene.entry(same.id, grey.captain).facts) == {"rows", "files", "notes"}
    # The same number as without a server.
    track = scene.contest_of().track
    (tmp_path / "labels.csv").write_bytes(labels())
    (tmp_path / "sent.csv").write_bytes(data)
    truth = read_labels(tmp_path / "labels.csv", track)
    found = score_submission(check(tmp_path / "sent.csv", track), truth, track, ScoringOptions(resamples=0))
    assert entry.score.value == headline(found, track).value
    assert {row["scorer"] for row in kept(scene)} == {SCORER}
    standing = Standing.from_plain(scene.contest_of().standing)
    assert set(standing.intervals) == {good.id, same.id}
    ranks = [(row.team, row.place, row.place_low) for row in scene.board().rows]
    assert ranks == [("Blue", 1, 1), ("Grey", 1, 1)]
    assert {attribute.group for attribute in entry.score.result.groups} == {"female", "male"}
    assert not list((scene.portal.vault.root / "scratch").iterdir())
    assert scene.faults() == []


@pytest.mark.usefixtures("here")
def test_labels_are_scored_anew_by_a_worker(scene: Scene) -> None:
    scene.contest()
    key = scene.send(scene.team("Blue"), data=labels(40, seed=3).replace(b",female", b"").replace(b",male", b"").replace(b",sex", b"")).id  # fmt: skip
    scene.work()
    before = scene.entry(key).score.value
    new = scene.labels(data=labels(40, seed=3), read=False)
    scene.work()
    found = start_campaign(scene.portal, scene.organiser, "faces", new, "all were wrong")
    scene.work()
    assert scene.entry(key).score.value == before < 1
    with scene.portal.database.read() as connection:
        assert campaign_of(connection, found.id, scene.organiser).state == "ready"
    switch(scene.portal, scene.organiser, found.id, "faces")
    assert scene.entry(key).score.value == 1
    scene.work()
    assert len(kept(scene)) == 2
    assert [one.place_low for one in scene.board().rows] == [1]
    assert scene.faults() == []


@pytest.mark.usefixtures("here")
def test_labels_of_an_archive_make_the_list(scene: Scene) -> None:
    from affectcheck.challenges import load_track
    from affectcheck.server.contests.labels import receive_labels
    from affectcheck.server.contests.tracks import create_contest, publish_contest

    scene.event()
    track = load_track("abaw6-expr").model_copy(update={"phases": ()})
    create_contest(scene.portal, scene.organiser, "emotions", track, slug="expr")
    packed = io.BytesIO()
    head = ",".join(track.parts)
    with zipfile.ZipFile(packed, "w") as archive:
        for video in ("one", "two"):
            archive.writestr(f"labels/{video}.txt", f"{head}\n0\n-1\n3\n")
    receive_labels(scene.portal, scene.organiser, "expr", "labels.zip", [packed.getvalue()])
    publish_contest(scene.portal, scene.organiser, "expr")
    scene.work()
    board, found = scene.contest_of("expr"), label_set(scene, "expr")
    assert (found.state, found.active, found.facts["height"], found.facts["labelled"]) == ("ready", True, 6, 4)
    assert board.label_set == found.id
    assert load_kept(scene.portal.vault.path(found.digest), board.track).height == 6
    assert board.items == found.facts["items"]
    scene.portal.uploads.path(board.items)
    assert scene.faults() == []


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (labels(39), "1 item of the list without a row: item-0039"),
        (labels(41), "1 item that the list does not have: item-0040"),
        (b"item,mood\nitem-0000,furious\n", "labels.csv"),
        (b"nothing", "labels.csv"),
    ],
)
@pytest.mark.usefixtures("here")
def test_labels_that_do_not_fit_are_refused(scene: Scene, data: bytes, told: str) -> None:
    scene.contest(labelled=False)
    scene.labels(data=data, read=False)
    scene.work()
    found = label_set(scene)
    assert (found.state, found.active) == ("refused", False)
    assert told in found.fault
    assert str(scene.portal.vault.root) not in found.fault
    assert "scratch" not in found.fault
    assert "labels.csv.csv" not in found.fault


def packed(*files: tuple[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in files:
            archive.writestr(name, content)
    return stream.getvalue()


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("files", "state", "told"),
    [
        ([("a/labels.csv", labels()), ("a/readme.md", b"x")], "ready", ""),
        ([("labels.csv", labels()), ("other.csv", labels())], "refused", "2 tables and 0 annotation files"),
        ([("a/one.txt", b"x"), ("b/one.txt", b"y")], "refused", "two files called 'one.txt'"),
        ([("readme.md", b"x")], "refused", "0 tables and 0 annotation files"),
    ],
)
def test_archives_of_labels(scene: Scene, files: list[tuple[str, bytes]], state: str, told: str) -> None:
    from affectcheck.server.contests.labels import receive_labels

    scene.contest(labelled=False)
    receive_labels(scene.portal, scene.organiser, "faces", "labels.zip", [packed(*files)])
    scene.work()
    assert (label_set(scene).state, told in label_set(scene).fault) == (state, True)


@pytest.mark.usefixtures("here")
def test_a_list_that_changes_while_labels_are_read_is_seen(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    from affectcheck.server.contests.tracks import receive_items

    scene.contest(labelled=False, items=40)
    scene.labels(data=labels(39), read=False)
    listed = ["item\n" + "".join(f"{name}\n" for name in item_names(39))]
    real = handling.run

    def run(*given: Any) -> Answer:
        found = real(*given)
        if listed:
            receive_items(scene.portal, scene.organiser, "faces", "i.csv", [listed.pop().encode()])
            return Answer("result", {"height": 39, "labelled": 39, "groups": {}})
        return found

    def refuse(self: Any, *_: Any) -> str:
        (self.folder / "kept.parquet").touch()
        return "0" * 64

    with monkeypatch.context() as patched:
        patched.setattr(handling, "run", run)
        patched.setattr(handling.Scratch, "keep", refuse)
        assert Worker(scene.portal).step()
    assert label_set(scene).state == "received"
    scene.work()
    assert label_set(scene).state == "ready"


def run_as(monkeypatch: pytest.MonkeyPatch, found: Answer | Callable[..., Answer]) -> None:
    monkeypatch.setattr(handling, "run", found if callable(found) else lambda *_: found)


def steps(scene: Scene, number: int) -> None:
    for _ in range(number):
        assert Worker(scene.portal).step()


@pytest.mark.parametrize("ending", ["error", "limit"])
def test_an_incident_is_tried_three_times_and_told_by_its_number(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, ending: Any
) -> None:
    scene.contest()
    crew = scene.team("Blue")
    key = scene.send(crew).id
    run_as(monkeypatch, Answer(ending, {}, "clock" if ending == "limit" else "item-3 is grim, /vault/x"))
    steps(scene, 2)
    assert scene.entry(key).state == "checking"
    steps(scene, 1)
    entry = scene.entry(key, crew.captain)
    assert (entry.state, entry.slot) == ("failed", None)
    assert "grim" not in str(entry.fault)
    number = entry.reason.removeprefix("incident ")
    assert number in entry.fault["what"]
    (line,) = [one.getMessage() for one in caplog.records if number in one.getMessage()]
    assert "attempt 3" in line
    assert not Worker(scene.portal).step()
    assert scene.faults() == []


def test_an_exception_of_ours_is_an_incident(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    scene.contest()
    key = scene.send(scene.team("Blue")).id

    def stumble(*_: object) -> Answer:
        raise OSError("no space")

    run_as(monkeypatch, stumble)
    steps(scene, 3)
    assert scene.entry(key).state == "failed"
    assert "no space" in caplog.text


def test_labels_fail_by_a_number_too(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    scene.contest(labelled=False)
    scene.labels(read=False)
    run_as(monkeypatch, Answer("error", {}, "secret"))
    steps(scene, 3)
    assert label_set(scene).state == "refused"
    assert "by a fault of the portal" in label_set(scene).fault


@pytest.mark.parametrize(("told", "words"), [("memory", "4096 MiB of memory"), ("time", "600 s of a processor")])
def test_a_file_that_costs_too_much_is_refused(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, told: str, words: str
) -> None:
    scene.contest()
    key = scene.send(scene.team("Blue")).id
    run_as(monkeypatch, Answer("limit", {}, told))
    steps(scene, 1)
    assert (scene.entry(key).state, scene.entry(key).fault["code"]) == ("invalid", "E_TOO_COSTLY")
    assert words in scene.entry(key).fault["what"]


@pytest.mark.usefixtures("here")
def test_a_fault_of_a_score_is_ours(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    scene.contest()
    key = scene.send(scene.team("Blue")).id
    steps(scene, 1)
    run_as(monkeypatch, Answer("fault", {"code": "E", "what": "label 7", "where": "", "expected": "", "cause": ""}))
    steps(scene, 3)
    entry = scene.entry(key)
    assert entry.state == "failed"
    assert "label 7" not in str(entry.fault)


def test_a_worker_that_stops_gives_its_work_back(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    scene.contest()
    key = scene.send(scene.team("Blue")).id
    stop, seen = threading.Event(), []

    def run(_: object, __: object, beat: Callable[[int, int], bool]) -> Answer:
        seen.append(beat(0, 1))
        stop.set()
        seen.append(beat(0, 1))
        return Answer("stopped", {})

    run_as(monkeypatch, run)
    Worker(scene.portal).run(stop)
    assert seen == [True, False]
    with scene.portal.database.read() as connection:
        row = connection.execute(sa.select(job).where(job.c.kind == "check")).mappings().one()
    assert (row["state"], row["attempt"]) == ("waiting", 0)
    monkeypatch.undo()
    scene.work()
    assert scene.entry(key).state == "scored"


def test_a_worker_ends_with_the_process_that_began_it(scene: Scene) -> None:
    scene.contest()
    scene.send(scene.team("Blue"))
    Worker(scene.portal, parent=1 << 30).run(threading.Event())
    with scene.portal.database.read() as connection:
        assert connection.execute(sa.select(job.c.state).where(job.c.kind == "check")).scalar_one() == "waiting"


def test_a_lost_lease_stops_the_child_and_writes_nothing(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    scene.contest()
    key = scene.send(scene.team("Blue")).id
    clock = [0.0]
    monkeypatch.setattr("affectcheck.server.work.worker.time.monotonic", lambda: clock[0])

    def run(_: object, __: object, beat: Callable[[int, int], bool]) -> Answer:
        clock[0] += 2
        assert beat(1, 4)
        assert scene.entry(key).progress.done == 1
        clock[0] += 5
        assert beat(1, 4)  # nothing new, and not yet time
        scene.clock.forward(seconds=61)
        jobs.reap(scene.portal.database, scene.clock())
        clock[0] += 10
        assert not beat(1, 4)
        return Answer("stopped", {})

    run_as(monkeypatch, run)
    with caplog.at_level(logging.WARNING):
        steps(scene, 1)
    assert "the lease was lost" in caplog.text
    with scene.portal.database.read() as connection:
        row = connection.execute(sa.select(job).where(job.c.kind == "check")).mappings().one()
    assert (row["state"], row["attempt"]) == ("waiting", 1)


@pytest.mark.usefixtures("here")
def test_progress_that_cannot_be_written_does_not_end_the_work(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    scene.contest()
    key = scene.send(scene.team("Blue")).id
    real, clock = handling.run, [0.0]
    monkeypatch.setattr("affectcheck.server.work.worker.time.monotonic", lambda: clock[0])

    def broken(*_: object) -> bool:
        raise sa.exc.OperationalError("UPDATE job", {}, Exception("no connection"))

    def run(request: Any, folder: Any, beat: Callable[[int, int], bool]) -> Answer:
        clock[0] += 20
        with monkeypatch.context() as patched:
            patched.setattr(jobs, "progress", broken)
            assert beat(1, 2)
        return real(request, folder, beat)

    run_as(monkeypatch, run)
    steps(scene, 1)
    assert "is not written" in caplog.text
    assert scene.entry(key).state == "queued"


def test_a_worker_goes_on_when_its_database_does_not_answer(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    stop = threading.Event()
    monkeypatch.setattr("affectcheck.server.work.worker._FAULT_S", 0.0)
    monkeypatch.setattr("affectcheck.server.work.worker._IDLE_S", 0.0)
    calls = []

    def claim(*_: object) -> None:
        calls.append(1)
        if len(calls) == 1:
            raise sa.exc.OperationalError("SELECT", {}, Exception("no connection"))
        stop.set()

    monkeypatch.setattr(jobs, "claim", claim)
    Worker(scene.portal).run(stop)
    assert len(calls) == 2
    assert "could not go on" in caplog.text


def test_what_was_settled_meanwhile_is_passed_over(scene: Scene) -> None:
    from affectcheck.server.ledger.organising import disqualify
    from affectcheck.server.work import checks, labelling, standings
    from affectcheck.server.work.scratch import scratch

    scene.contest()
    key = scene.send(scene.team("Blue")).id
    held = jobs.claim(scene.portal.database, "one", scene.clock(), LEASE)
    disqualify(scene.portal, scene.organiser, key, "copied")
    with scratch(scene.portal) as folder:
        assert checks.prepare(scene.portal, held, folder) is None
        board = scene.contest_of()
        assert standings.prepare(scene.portal, replace(held, subject=board.id), folder) is None
        assert labelling.prepare(scene.portal, replace(held, subject=board.label_set), folder) is None


@pytest.mark.usefixtures("here")
def test_places_are_drawn_anew_where_others_count_meanwhile(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    scene.contest(settings=TrackSettings(resamples=10))
    blue, red = scene.team("Blue"), scene.team("Red")
    first, second = scene.send(blue), scene.send(red)
    steps(scene, 4)
    real, once = handling.run, []

    def run(*given: Any) -> Answer:
        found = real(*given)
        if not once:
            once.append(1)
            from affectcheck.server.ledger.choosing import withdraw

            withdraw(scene.portal, red.captain, second.id)
        return found

    run_as(monkeypatch, run)
    steps(scene, 1)
    assert scene.contest_of().standing == {}
    steps(scene, 1)
    assert set(Standing.from_plain(scene.contest_of().standing).intervals) == {first.id}
    assert not Worker(scene.portal).step()


def test_lost_labels_are_refused(scene: Scene) -> None:
    scene.contest(labelled=False)
    scene.labels(read=False)
    for _ in range(3):
        assert jobs.claim(scene.portal.database, "one", scene.clock(), LEASE) is not None
        scene.clock.forward(seconds=61)
        jobs.reap(scene.portal.database, scene.clock())
    assert not Worker(scene.portal).step()
    assert label_set(scene).state == "refused"
