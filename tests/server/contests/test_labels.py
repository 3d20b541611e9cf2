from __future__ import annotations

import ast
import itertools
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import sqlalchemy as sa

import affectcheck.server
from affectcheck.challenges import SCORER
from affectcheck.server.accounts.actors import VISITOR
from affectcheck.server.contests.labels import (
    label_set_of,
    label_sets,
    labels_ready,
    labels_refused,
    receive_labels,
)
from affectcheck.server.contests.tracks import archive_contest, close_phase
from affectcheck.server.faults import (
    ConflictError,
    ForbiddenError,
    NotThereError,
    RefusedError,
    TooLargeError,
    UnknownLoginError,
)
from affectcheck.server.storage import jobs
from affectcheck.server.storage.tables import audit, job, label_set
from contest_rows import GROUPS, Sent, add_contest, add_entry, add_labels, add_team, read

if TYPE_CHECKING:
    from affectcheck.server.accounts.actors import Actor
    from affectcheck.server.contests.labels import LabelSet
    from affectcheck.server.contests.tracks import Contest
    from affectcheck.server.portal import Portal

CANARY = b"item,valence\ncanary-5f2e,0.424242\n"
ITEMS, OTHER = "e" * 64, "f" * 64


@pytest.fixture
def bare(sqlite_portal: Portal, organiser: Actor) -> Contest:
    return add_contest(sqlite_portal, organiser, labels=False)


def send(portal: Portal, organiser: Actor, bare: Contest, name: str = "labels.csv", note: str = "") -> LabelSet:
    return receive_labels(portal, organiser, bare.slug, name, [CANARY[:10], CANARY[10:]], note)


def ready(portal: Portal, key: str, items: str = ITEMS, **facts: object) -> None:
    told = {"items": items, "height": 2, "labelled": 2, "groups": GROUPS, **facts}
    with portal.database.write() as connection:
        labels_ready(connection, key, "d" * 64, told, portal.now())


def test_labels_go_to_the_vault_and_to_a_worker(sqlite_portal: Portal, organiser: Actor, bare: Contest) -> None:
    found = send(sqlite_portal, organiser, bare, "C:\\Users\\me\\labels.CSV", "as released")
    assert (found.number, found.state, found.note, found.author, found.active) == (
        1,
        "received",
        "as released",
        "olga",
        False,
    )
    assert found.facts == {"file_name": "labels.CSV", "sent": found.digest, "size": len(CANARY)}
    assert sqlite_portal.vault.read(found.digest) == CANARY
    assert list(sqlite_portal.uploads.digests()) == []
    with sqlite_portal.database.read() as connection:
        (waiting,) = jobs.of_subject(connection, found.id)
    assert (waiting.kind, waiting.state) == ("labels", "waiting")


def test_the_first_labels_become_the_boards(sqlite_portal: Portal, organiser: Actor, bare: Contest) -> None:
    first = send(sqlite_portal, organiser, bare)
    ready(sqlite_portal, first.id)
    after = read(sqlite_portal, bare.slug)
    assert (after.label_set, after.items, after.scorer) == (first.id, ITEMS, SCORER)
    assert after.version > bare.version
    second = send(sqlite_portal, organiser, bare, note="three labels corrected")
    ready(sqlite_portal, second.id)
    assert read(sqlite_portal, bare.slug).label_set == first.id
    with sqlite_portal.database.read() as connection:
        listed = label_sets(connection, bare.id, organiser)
    assert [(one.number, one.state, one.active) for one in listed] == [(2, "ready", False), (1, "ready", True)]
    assert listed[0].facts["groups"] == GROUPS
    assert (listed[0].digest, listed[0].facts["sent"]) == ("d" * 64, second.digest)


def test_labels_of_another_list_are_not_taken(sqlite_portal: Portal, organiser: Actor, bare: Contest) -> None:
    add_labels(sqlite_portal, organiser, bare.slug)
    second = send(sqlite_portal, organiser, bare)
    with pytest.raises(ConflictError, match="list of items has changed"):
        ready(sqlite_portal, second.id, OTHER)
    with sqlite_portal.database.write() as connection:
        labels_refused(connection, second.id, "2 items of the list without labels: a, b", sqlite_portal.now())
    with sqlite_portal.database.read() as connection:
        found = label_set_of(connection, second.id, organiser)
    assert (found.state, found.fault) == ("refused", "2 items of the list without labels: a, b")
    assert read(sqlite_portal, bare.slug).label_set != second.id


def test_refused_labels_do_not_stand_in_the_way_of_the_first(
    sqlite_portal: Portal, organiser: Actor, bare: Contest
) -> None:
    wrong = send(sqlite_portal, organiser, bare)
    with sqlite_portal.database.write() as connection:
        labels_refused(connection, wrong.id, "no item has a label", sqlite_portal.now())
    right = send(sqlite_portal, organiser, bare)
    assert right.number == 2
    ready(sqlite_portal, right.id)
    assert read(sqlite_portal, bare.slug).label_set == right.id


def test_what_came_before_the_labels_is_checked_and_scored_then(
    sqlite_portal: Portal, organiser: Actor, member: Actor, bare: Contest
) -> None:
    first = send(sqlite_portal, organiser, bare)
    team = add_team(sqlite_portal, bare, "Reds", member)
    keys = {
        state: add_entry(sqlite_portal, bare, member, Sent(team, None, state=state, label_set=first.id))
        for state in ("received", "queued", "invalid", "withdrawn", "disqualified")
    }
    ready(sqlite_portal, first.id)
    with sqlite_portal.database.read() as connection:
        rows = connection.execute(sa.select(job.c.kind, job.c.subject).where(job.c.kind != "labels")).all()
    assert set(map(tuple, rows)) == {("check", keys["received"]), ("score", keys["queued"])}


def test_organisers_alone_know_of_labels(sqlite_portal: Portal, organiser: Actor, member: Actor, bare: Contest) -> None:
    sent = send(sqlite_portal, organiser, bare)
    for actor, error in ((member, ForbiddenError), (VISITOR, UnknownLoginError)):
        with pytest.raises(error):
            send(sqlite_portal, actor, bare)
        with sqlite_portal.database.read() as connection:
            with pytest.raises(error):
                label_sets(connection, bare.id, actor)
            with pytest.raises(error):
                label_set_of(connection, sent.id, actor)


@pytest.mark.parametrize("name", ["labels.pkl", "labels.npy", "labels", ".csv", "labels.csv.exe", ""])
def test_files_of_other_kinds(sqlite_portal: Portal, organiser: Actor, bare: Contest, name: str) -> None:
    with pytest.raises(RefusedError, match="a file called") as refused:
        send(sqlite_portal, organiser, bare, name)
    assert refused.value.code == "E_FILE_KIND"
    assert list(sqlite_portal.vault.digests()) == []


def test_files_that_are_too_large_or_empty_leave_nothing(
    sqlite_portal: Portal, organiser: Actor, bare: Contest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("affectcheck.server.contests.labels.MOST", 100)
    with pytest.raises(TooLargeError):
        receive_labels(sqlite_portal, organiser, bare.slug, "l.csv", itertools.repeat(b"x" * 60))
    with pytest.raises(RefusedError, match="no bytes"):
        receive_labels(sqlite_portal, organiser, bare.slug, "l.csv", [])
    with sqlite_portal.database.read() as connection:
        assert label_sets(connection, bare.id, organiser) == ()
    assert list((sqlite_portal.vault.root / "incoming").iterdir()) == []


def test_a_disk_that_is_nearly_full(
    sqlite_portal: Portal, organiser: Actor, bare: Contest, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Usage:
        free = 1000

    monkeypatch.setattr("shutil.disk_usage", lambda _: Usage)
    with pytest.raises(RefusedError, match="nearly full"):
        send(sqlite_portal, organiser, bare)


def test_an_archived_track_takes_no_labels(sqlite_portal: Portal, organiser: Actor, bare: Contest) -> None:
    close_phase(sqlite_portal, organiser, bare.slug, "test", "over")
    archive_contest(sqlite_portal, organiser, bare.slug)
    with pytest.raises(ConflictError, match="archived"):
        send(sqlite_portal, organiser, bare)


def test_labels_that_are_not_there(sqlite_portal: Portal, organiser: Actor) -> None:
    with sqlite_portal.database.write() as connection:
        for ask in (
            lambda: label_set_of(connection, "none", organiser),
            lambda: labels_refused(connection, "none", "fault", sqlite_portal.now()),
            lambda: labels_ready(connection, "none", "d", {}, sqlite_portal.now()),
        ):
            with pytest.raises(NotThereError):
                ask()


def test_no_label_stands_in_a_row(sqlite_portal: Portal, organiser: Actor, bare: Contest) -> None:
    sent = send(sqlite_portal, organiser, bare)
    ready(sqlite_portal, sent.id)
    with sqlite_portal.database.read() as connection:
        rows = [*connection.execute(sa.select(label_set)), *connection.execute(sa.select(audit))]
        told = [*map(str, rows), *(str(asdict(one)) for one in label_sets(connection, bare.id, organiser))]
    assert not any("canary" in one or "424242" in one for one in told)


@pytest.mark.parametrize("room", ["accounts", "contests", "ledger", "boards", "web"])
def test_nothing_but_workers_reads_the_vault(room: str) -> None:
    """Whatever answers requests names the vault to write into it, and for nothing else."""
    files = sorted((Path(affectcheck.server.__path__[0]) / room).rglob("*.py"))
    assert len(files) > 5
    for path in files:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
        for node in ast.walk(tree):
            where = f"{path.name}:{getattr(node, 'lineno', 0)}"
            assert not (isinstance(node, ast.Constant) and node.value == "vault"), where
            assert not (isinstance(node, ast.Name) and node.id == "vault"), where
            if isinstance(node, ast.Attribute) and node.attr == "vault":
                parent = parents[node]
                assert isinstance(parent, ast.Attribute), where
                assert parent.attr == "open_writer", where
            if isinstance(node, ast.Attribute) and node.attr == "labels" and isinstance(node.value, ast.Attribute):
                # the folder, by way of the settings, is named to tell how full its disk is
                assert node.value.attr != "settings" or (room, path.name) == ("contests", "labels.py"), where


def test_what_answers_requests_imports_no_reader_of_labels() -> None:
    """No way leads from a route to a function that reads labels as they are kept."""
    readers = {"read_labels", "keep_labels", "load_kept", "score_for_board", "score_submission", "video_scores"}
    for room in ("accounts", "contests", "ledger", "boards", "web"):
        for path in (Path(affectcheck.server.__path__[0]) / room).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom):
                    assert not readers & {alias.name for alias in node.names}, path
                    assert not (node.module or "").startswith("affectcheck.server.work"), path
                if isinstance(node, ast.Import):
                    assert not any(alias.name.startswith("affectcheck.server.work") for alias in node.names), path
