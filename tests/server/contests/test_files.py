from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from affectcheck.challenges import load_track, read_wanted
from affectcheck.errors import InputError
from affectcheck.server.contests.tracks import receive_items, receive_pack
from affectcheck.server.faults import ConflictError, ForbiddenError, RefusedError, TooLargeError
from contest_rows import Sent, add_contest, add_entry, add_labels, add_team, read

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.server.accounts.actors import Actor
    from affectcheck.server.contests.tracks import Contest
    from affectcheck.server.portal import Portal

LIST = b"image_location,valence,arousal\nv1/00001.jpg,,\nv1/00002.jpg,,\nv2_left/00001.jpg,,\n"


@pytest.fixture
def bare(sqlite_portal: Portal, organiser: Actor) -> Contest:
    return add_contest(sqlite_portal, organiser, labels=False)


def test_a_list_is_kept_as_workers_read_it(
    sqlite_portal: Portal, organiser: Actor, bare: Contest, tmp_path: Path
) -> None:
    after = receive_items(sqlite_portal, organiser, bare.slug, "template.txt", [LIST[:20], LIST[20:]])
    assert after.version > bare.version
    path = tmp_path / "items.parquet"
    path.write_bytes(sqlite_portal.uploads.read(after.items))
    wanted = read_wanted(path, load_track("abaw6-va"))
    assert wanted.items.to_list() == ["v1/00001.jpg", "v1/00002.jpg", "v2_left/00001.jpg"]
    assert not list(sqlite_portal.settings.data.glob("items-*"))


def test_the_same_list_once_more_is_no_change(sqlite_portal: Portal, organiser: Actor, bare: Contest) -> None:
    first = receive_items(sqlite_portal, organiser, bare.slug, "template.csv", [LIST])
    add_labels(sqlite_portal, organiser, bare.slug, items=first.items)
    again = receive_items(sqlite_portal, organiser, bare.slug, "template.csv", [LIST])
    assert again.items == first.items


def test_a_list_may_be_replaced_until_something_is_of_it(
    sqlite_portal: Portal, organiser: Actor, member: Actor, bare: Contest
) -> None:
    other = LIST + b"v3/00001.jpg,,\n"
    first = receive_items(sqlite_portal, organiser, bare.slug, "template.csv", [LIST])
    second = receive_items(sqlite_portal, organiser, bare.slug, "template.csv", [other])
    assert first.items != second.items
    add_labels(sqlite_portal, organiser, bare.slug, items=second.items)
    with pytest.raises(ConflictError, match="has labels"):
        receive_items(sqlite_portal, organiser, bare.slug, "template.csv", [LIST])
    labelled = read(sqlite_portal, bare.slug)
    add_entry(sqlite_portal, labelled, member, Sent(add_team(sqlite_portal, labelled, "Reds", member), 0.2))
    with pytest.raises(ConflictError, match="has submissions"):
        receive_items(sqlite_portal, organiser, bare.slug, "template.csv", [LIST])


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (("list.csv", b"image_location\nv1/00001.jpg\nv1/00001.jpg\n"), "more than once"),
        (("list.csv", b"file\nv1/00001.jpg\n"), "no column 'image_location'"),
        (("list.csv", b""), "list"),
        (("list.parquet", b"PAR1 or not"), "list"),
        (("list.pkl", LIST), "a file called"),
    ],
)
def test_files_that_are_no_list(
    sqlite_portal: Portal, organiser: Actor, bare: Contest, given: tuple[str, bytes], told: str
) -> None:
    name, content = given
    with pytest.raises(InputError, match=told) as refused:
        receive_items(sqlite_portal, organiser, bare.slug, name, [content])
    assert str(sqlite_portal.settings.data) not in str(refused.value)
    assert name in str(refused.value)
    assert read(sqlite_portal, bare.slug) == bare


def test_a_list_that_is_too_large(sqlite_portal: Portal, organiser: Actor, bare: Contest) -> None:
    most = sqlite_portal.settings.limits.upload
    with pytest.raises(TooLargeError, match="a list of more than"):
        receive_items(sqlite_portal, organiser, bare.slug, "list.csv", (b"x" * (most // 4) for _ in range(5)))


def test_the_pack_is_a_public_file(sqlite_portal: Portal, organiser: Actor, bare: Contest) -> None:
    after = receive_pack(sqlite_portal, organiser, bare.slug, "pack.tar.gz", [b"pa", b"ck"])
    assert sqlite_portal.uploads.read(after.pack) == b"pack"
    with pytest.raises(RefusedError):
        receive_pack(sqlite_portal, organiser, bare.slug, "pack.exe", [b"pack"])


def test_a_pack_leaves_room_on_the_disk(
    sqlite_portal: Portal, organiser: Actor, bare: Contest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("affectcheck.server.storage.blobs.Blobs.free", lambda _: sqlite_portal.settings.free_bytes + 3)
    with pytest.raises(TooLargeError):
        receive_pack(sqlite_portal, organiser, bare.slug, "pack.zip", [b"pack"])


def test_only_organisers_send_files(sqlite_portal: Portal, member: Actor, bare: Contest) -> None:
    for receive, name in ((receive_items, "list.csv"), (receive_pack, "pack.zip")):
        with pytest.raises(ForbiddenError):
            receive(sqlite_portal, member, bare.slug, name, [LIST])


def test_what_a_killed_process_left_is_swept_once_it_is_old(sqlite_portal: Portal) -> None:
    from affectcheck.server.work.scratch import sweep

    data = sqlite_portal.settings.data
    for name in ("items-abc", "export-abc", "uploads"):
        (data / name).mkdir(exist_ok=True)
        (data / name / "file").write_text("x")
    assert sweep(sqlite_portal, older_s=3600) == 0
    assert sweep(sqlite_portal, older_s=-1) == 2
    assert [path.name for path in sorted(data.iterdir()) if path.is_dir()] == ["labels", "uploads"]
