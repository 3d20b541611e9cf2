"""The way of a track from its making to its archive, on both databases."""

from __future__ import annotations

import threading
import zipfile
from typing import TYPE_CHECKING

import polars as pl
import pytest

from affectcheck.challenges import check_submission, load_track, rank_intervals
from affectcheck.challenges.board_score import score_for_board
from affectcheck.challenges.kept_labels import keep_labels, wanted_of_kept
from affectcheck.server.accounts.actors import VISITOR
from affectcheck.server.boards.board import board_of
from affectcheck.server.boards.export import export_all
from affectcheck.server.boards.kept import KeptBoards
from affectcheck.server.boards.standing import standing_of, standing_ready
from affectcheck.server.contests.events import create_event
from affectcheck.server.contests.labels import label_sets, receive_labels
from affectcheck.server.contests.settings import TrackSettings
from affectcheck.server.contests.tracks import (
    archive_contest,
    close_phase,
    contest_of,
    create_contest,
    edit_settings,
    open_phase,
)
from affectcheck.server.faults import ConflictError
from affectcheck.server.storage.audit import verify
from contest_rows import Sent, add_account, add_contest, add_entry, add_labels, add_team, board_score

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from affectcheck.challenges import BoardScore
    from affectcheck.server.portal import Portal


def test_a_track_from_its_making_to_its_archive(portal: Portal, tmp_path: Path) -> None:
    organiser, member = add_account(portal, "olga", "organiser"), add_account(portal, "mia")
    contest = add_contest(portal, organiser, settings=TrackSettings(groups=("sex",), fairness_shown=True))
    mine, other = add_team(portal, contest, "Mine", member), add_team(portal, contest, "Other")
    for minute, (team, score) in enumerate(((mine, 0.3004), (other, 0.3001), (mine, 0.2), (other, None))):
        result = board_score(score, videos=3)
        add_entry(portal, contest, member, Sent(team, score, minute=minute), result)
    add_entry(portal, contest, member, Sent(other, 0.9, minute=9, state="disqualified", reason="two accounts"))
    boards = KeptBoards()
    with portal.database.write() as connection:
        wanted = standing_of(connection, contest.id)
        assert standing_ready(connection, wanted, [(1, 2, 1, ""), (1, 2, 2, "")])  # as JSON gives them
    with portal.database.read() as connection:
        contest = contest_of(connection, contest.slug, VISITOR)
        for _ in range(2):
            view = boards.board_of(connection, contest, member, portal.now())
            assert view == board_of(connection, contest, member, portal.now())
        assert [(row.place, row.team, row.score.text, row.is_own) for row in view.rows] == [
            (1, "Mine", "0.300", True),
            (1, "Other", "0.300", False),
        ]
        assert [cell.text for cell in view.rows[0].groups] == ["0.320", "0.280"]
        assert (view.standing, view.rows[1].place_high) == ("ready", 2)
        assert [one.reason for one in board_of(connection, contest, organiser, portal.now()).disqualified] == [
            "two accounts"
        ]
    close_phase(portal, organiser, contest.slug, "test", "over")
    open_phase(portal, organiser, contest.slug, "test", "a day more")
    close_phase(portal, organiser, contest.slug, "test", "over at last")
    edit_settings(portal, organiser, contest.slug, TrackSettings(board="hidden"))
    archive_contest(portal, organiser, contest.slug)
    export_all(portal, organiser, contest.slug, tmp_path / "all.zip")
    with zipfile.ZipFile(tmp_path / "all.zip") as archive:
        assert len(archive.read("submissions.jsonl").splitlines()) == 5
        assert b"a day more" in archive.read("audit.jsonl")
    with portal.database.read() as connection:
        assert verify(connection) == []


def test_labels_that_come_at_once_have_numbers_of_their_own(portal: Portal) -> None:
    organiser = add_account(portal, "olga", "organiser")
    contest = add_contest(portal, organiser, labels=False)
    faults = []

    def send(number: int) -> None:
        try:
            receive_labels(portal, organiser, contest.slug, "l.csv", [b"item\n", str(number).encode()])
        except Exception as error:  # noqa: BLE001  # told below
            faults.append(error)

    threads = [threading.Thread(target=send, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    with portal.database.read() as connection:
        assert [one.number for one in label_sets(connection, contest.id, organiser)] == [6, 5, 4, 3, 2, 1]


@pytest.fixture(scope="module")
def scores(tmp_path_factory: pytest.TempPathFactory) -> dict[str, BoardScore]:
    """Two submissions to 400 faces of 40 persons, scored as a worker does."""
    folder = tmp_path_factory.mktemp("scores")
    track = load_track("raf-db")
    count, classes = 400, len(track.parts)
    truth = [track.parts[n % classes] for n in range(count)]
    frame = pl.DataFrame(
        {
            track.file.item: [f"face-{n}.jpg" for n in range(count)],
            track.columns[0]: truth,
            "subject": [f"p{n % 40}" for n in range(count)],
            "gender": ["female" if n % 40 < 25 else "male" for n in range(count)],
        }
    )
    frame.write_csv(folder / "labels.csv")
    kept = keep_labels(folder / "labels.csv", track, folder / "kept.parquet")
    found = {}
    for name, wrong in (("Reds", 5), ("Blues", 3)):
        said = [track.parts[(n + (n % wrong == 0)) % classes] for n in range(count)]
        sent = frame.select(track.file.item).with_columns(pl.Series(track.columns[0], said))
        sent.write_csv(folder / f"{name}.csv")
        checked = check_submission(folder / f"{name}.csv", track, wanted=wanted_of_kept(kept, track))
        found[name] = score_for_board(checked, kept, track)
    return found


def test_scores_as_workers_make_them(portal: Portal, scores: dict[str, BoardScore]) -> None:
    organiser, member = add_account(portal, "olga", "organiser"), add_account(portal, "mia")
    track = load_track("raf-db")
    contest = add_contest(portal, organiser, track=track, labels=False)
    add_labels(portal, organiser, contest.slug, groups={"gender": {"female": 250, "male": 150}})
    settings = TrackSettings(groups=("gender",), fairness_shown=True, digits=4)
    contest = edit_settings(portal, organiser, contest.slug, settings)
    for name, result in scores.items():
        team = add_team(portal, contest, name)
        add_entry(portal, contest, member, Sent(team, result.headline.value), result)
    with portal.database.write() as connection:
        wanted = standing_of(connection, contest.id)
        shares = [scores[name].shares for name in ("Reds", "Blues")]
        intervals = rank_intervals(shares, track, resamples=1000, seed=0)
        assert standing_ready(connection, wanted, intervals)
    with portal.database.read() as connection:
        view = board_of(connection, contest_of(connection, contest.slug, VISITOR), VISITOR, portal.now())
        exact = board_of(connection, contest_of(connection, contest.slug, organiser), organiser, portal.now())
    assert [row.team for row in view.rows] == ["Reds", "Blues"]
    for row, full in zip(view.rows, exact.rows, strict=True):
        result = scores[row.team]
        assert full.score.value == result.headline.value
        assert row.score.value == round(result.headline.value, 4)
        assert (full.score.low, full.score.high) == (result.headline.low, result.headline.high)
        assert [cell.value for cell in full.groups] == [one.value for one in result.groups]
        assert [cell.support for cell in full.groups] == [one.support for one in result.groups]
        assert [cell.value for cell in full.disparities] == [one.value for one in result.disparities]
        assert [cell.value for cell in full.parts] == [one.value for one in result.parts]
        assert row.parts == ()
    assert {one.metric for one in view.disparity_columns} >= {"eop", "sp"}
    assert [(row.place, row.place_low, row.place_high) for row in view.rows] == [(1, 1, 2), (2, 1, 2)]
    assert [(one.place, one.low, one.high) for one in intervals] == [(1, 1, 2), (2, 1, 2)]


def test_a_short_name_is_taken_once_by_whoever_is_first(portal: Portal) -> None:
    organiser = add_account(portal, "olga", "organiser")
    create_event(portal, organiser, "abaw", "ABAW")
    found = []

    def make(act: Callable[[], object]) -> None:
        try:
            found.append(type(act()).__name__)
        except ConflictError as error:
            found.append(error.code)

    acts = [lambda: create_event(portal, organiser, "moods", "Moods")] * 4
    acts += [lambda: create_contest(portal, organiser, "abaw", load_track("raf-db"))] * 4
    threads = [threading.Thread(target=make, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == ["Contest", *["E_SLUG_TAKEN"] * 6, "Event"]
