"""Uploads that are refused behind their last byte leave nothing on the disk, and none fills it."""

from __future__ import annotations

from collections import namedtuple
from threading import Barrier, Thread
from typing import TYPE_CHECKING

import pytest

from affectcheck.server.faults import ConflictError, NoRoomError, RefusedError
from affectcheck.server.ledger.intake import receive
from portal_scene import DECLARED, moods_track, predictions

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from affectcheck.server.portal import Portal
    from portal_scene import Crew, Scene

Usage = namedtuple("Usage", "total used free")


def files_of(portal: Portal) -> list[Path]:
    return [path for path in portal.uploads.root.rglob("*") if path.is_file()]


def send(scene: Scene, crew: Crew, blocks: Iterator[bytes], name: str = "p.csv", **more: str) -> None:
    values = {"file_name": name, "blocks": blocks, "declaration": DECLARED, "began": scene.portal.now(), **more}
    receive(scene.portal, crew.captain, "faces", **values)


def test_of_many_uploads_that_begin_at_once_those_that_are_refused_are_not_kept(scene: Scene) -> None:
    scene.contest("faces", moods_track("faces", submissions=2))
    crew, together, refused = scene.team("Blue"), Barrier(6), []
    before = len(files_of(scene.portal))

    def one(seed: int) -> None:
        def blocks() -> Iterator[bytes]:
            yield predictions(seed=seed)
            together.wait(60)  # each was let in before any has ended

        try:
            send(scene, crew, blocks())
        except ConflictError as error:
            refused.append(error.code)

    threads = [Thread(target=one, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert refused == ["E_SLOTS_IN_USE"] * 4
    assert len(files_of(scene.portal)) - before == 2


def test_bytes_that_were_there_before_are_kept_once(scene: Scene) -> None:
    scene.contest()
    crew = scene.team("Blue")
    send(scene, crew, iter([predictions()]))
    there = files_of(scene.portal)
    send(scene, crew, iter([predictions()]))
    assert files_of(scene.portal) == there


def test_the_disk_is_looked_at_while_bytes_come(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    scene.contest()
    crew, before = scene.team("Blue"), len(files_of(scene.portal))
    usage = "affectcheck.server.storage.blobs.shutil.disk_usage"

    def blocks() -> Iterator[bytes]:
        yield bytes(1 << 20)
        monkeypatch.setattr(usage, lambda _path: Usage(1 << 40, 1 << 40, 1000))
        for _ in range(40):
            yield bytes(1 << 20)

    with pytest.raises(NoRoomError, match="nearly full"):
        send(scene, crew, blocks())
    assert len(files_of(scene.portal)) == before


def test_other_bytes_than_were_announced_are_not_kept(scene: Scene) -> None:
    scene.contest()
    crew, before = scene.team("Blue"), len(files_of(scene.portal))
    with pytest.raises(RefusedError, match="other bytes"):
        send(scene, crew, iter([predictions()]), digest="0" * 64)
    assert len(files_of(scene.portal)) == before


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("../../etc/passwd.csv", "passwd.csv"),
        ("C:\\Users\\ada\\run.csv", "run.csv"),
        ("a\0b\x1b[31m\r\nc\u202egpj.csv", "ab[31mcgpj.csv"),
        ("a\ud800.csv", "a.csv"),
        ("x" * 9000 + ".csv", "x" * 251 + ".csv"),
        ("\0", "file"),
    ],
)
def test_a_name_is_kept_without_folders_and_characters_that_are_not_seen(
    scene_on_both: Scene, sent: str, kept: str
) -> None:
    scene_on_both.contest()
    crew = scene_on_both.team("Blue")
    send(scene_on_both, crew, iter([predictions()]), name=sent)
    from affectcheck.server.contests.tracks import contest_of
    from affectcheck.server.ledger.entries import submissions_of

    with scene_on_both.portal.database.read() as connection:
        board = contest_of(connection, "faces", crew.captain)
        found = submissions_of(connection, board, crew.id, crew.captain, now=scene_on_both.portal.now())
    assert [one.file_name for one in found] == [kept]
