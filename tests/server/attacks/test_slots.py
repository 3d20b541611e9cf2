"""T1, T2, T9, T10, T12, T13: five slots are five, however they are asked for, and nothing undefined is ranked."""

from __future__ import annotations

import itertools
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
import sqlalchemy as sa

from affectcheck.challenges import Entry, ranking
from affectcheck.server.accounts.merging import merge_teams
from affectcheck.server.faults import ConflictError, RefusedError
from affectcheck.server.ledger.choosing import withdraw
from affectcheck.server.ledger.organising import disqualify
from affectcheck.server.storage.tables import submission
from portal_scene import predictions

if TYPE_CHECKING:
    from portal_scene import Crew, Scene

SENDER = """
import sys, threading
from pathlib import Path
from concurrent.futures import ThreadPoolExecutor
sys.path.insert(0, sys.argv[1])
from portal_scene import DECLARED, predictions, blocks
from affectcheck.server.accounts.tokens import actor_of_token
from affectcheck.server.faults import RefusedError
from affectcheck.server.ledger.intake import receive
from affectcheck.server.opening import open_portal
from affectcheck.server.settings import Settings
data, url, token, first = Path(sys.argv[2]), sys.argv[3], sys.argv[4], int(sys.argv[5])
portal = open_portal(Settings(data, database=url), upgrade=False)
actor = actor_of_token(portal, token)
print("ready", flush=True)
sys.stdin.readline()
def send(number):
    try:
        sent = {"file_name": "x.csv", "declaration": DECLARED, "began": portal.now()}
        return receive(portal, actor, "faces", blocks=blocks(predictions(10, seed=number)), **sent).id
    except RefusedError as refused:
        return refused.code
with ThreadPoolExecutor(10) as pool:
    print(*pool.map(send, range(first, first + 10)), flush=True)
"""


def _slots(scene: Scene) -> list[int]:
    with scene.portal.database.read() as connection:
        found = connection.execute(sa.select(submission.c.slot).where(submission.c.slot.is_not(None))).scalars()
        return sorted(found)


def _tried(scene: Scene, crew: Crew, seed: int) -> str:
    try:
        return scene.send(crew, data=predictions(10, seed=seed)).id
    except RefusedError as refused:
        return refused.code


def test_t1_t2_of_40_threads_that_send_at_once_5_are_taken(scene_on_both: Scene) -> None:
    scene = scene_on_both
    scene.contest(items=10)
    crew = scene.team("Blue")
    gate = threading.Barrier(40)

    def send(seed: int) -> str:
        gate.wait()
        return _tried(scene, crew, seed)

    with ThreadPoolExecutor(40) as pool:
        answers = list(pool.map(send, range(40)))
    assert sorted(answers)[-35:] == ["E_SLOTS_IN_USE"] * 35
    assert _slots(scene) == [1, 2, 3, 4, 5]
    assert scene.faults() == []


@pytest.mark.slow
def test_t1_t2_of_4_processes_of_10_threads_5_are_taken(scene_on_both: Scene) -> None:
    """As workers of a web server: no lock within a process helps here."""
    from pathlib import Path

    from affectcheck.server.accounts.tokens import make_token

    scene = scene_on_both
    scene.contest(items=10)
    crew = scene.team("Blue")
    token = make_token(scene.portal, crew.captain, "test", "submit")
    portal, here = scene.portal, Path(__file__).parents[2]
    begun = [
        subprocess.Popen(
            [sys.executable, "-c", SENDER, here, portal.settings.data, portal.settings.database, token, str(first)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for first in range(0, 40, 10)
    ]
    for process in begun:
        assert process.stdout.readline() == "ready\n"
    for process in begun:
        process.stdin.write("\n")
        process.stdin.flush()
    answers = [answer for process in begun for answer in process.communicate(timeout=120)[0].split()]
    assert len(answers) == 40
    assert sum(answer == "E_SLOTS_IN_USE" for answer in answers) == 35
    assert _slots(scene) == [1, 2, 3, 4, 5]
    assert scene.faults() == []


def test_t1_slots_that_are_freed_and_asked_for_at_once_stay_five(scene_on_both: Scene) -> None:
    """Uploads, refusals by the check and disqualifications at once."""
    scene = scene_on_both
    scene.contest(items=10)
    crew = scene.team("Blue")
    for seed in range(5):
        scene.send(crew, data=predictions(10, seed=seed))
    with scene.portal.database.read() as connection:
        first = connection.execute(sa.select(submission.c.id).order_by(submission.c.slot)).scalars().all()

    def act(number: int) -> None:
        if number < 3:
            disqualify(scene.portal, scene.organiser, first[number], "not theirs", free_slot=True)
        else:
            _tried(scene, crew, 100 + number)

    with ThreadPoolExecutor(12) as pool:
        list(pool.map(act, range(24)))
    assert set(_slots(scene)) <= {1, 2, 3, 4, 5}
    assert len(_slots(scene)) == len(set(_slots(scene))) <= 5
    for seed in range(200, 205):
        _tried(scene, crew, seed)
    assert _slots(scene) == [1, 2, 3, 4, 5]
    assert scene.faults() == []


@pytest.mark.parametrize("higher", [True, False])
@pytest.mark.parametrize("bad", [float("nan"), float("inf"), float("-inf"), None])
def test_t9_what_is_no_number_is_never_ranked(higher: bool, bad: float | None) -> None:
    from portal_clock import NOON

    entries = [Entry("good", "Good", NOON, "scored", 0.5), Entry("bad", "Bad", NOON, "scored", bad)]
    for order in (entries, entries[::-1]):
        found = ranking(order, higher_is_better=higher)
        placed = [(row.team, row.place) for row in found if row.place is not None]
        assert placed == [("Good", 1)]


def test_t9_an_undefined_score_stands_on_no_board(scene: Scene) -> None:
    scene.contest()
    good, bad = scene.team("Good"), scene.team("Bad")
    scene.judge("faces", scene.send(bad).id, None)
    scene.judge("faces", scene.send(good).id, 0.0)
    placed = [(row.team, row.place) for row in scene.board().rows if row.place is not None]
    assert placed == [("Good", 1)]


def test_t10_the_board_is_the_same_in_whatever_order_ties_arrive() -> None:
    from datetime import timedelta

    from portal_clock import NOON

    scores = [0.7, 0.7, 0.7, 0.5, 0.9]
    entries = [
        Entry(f"s{number}", f"Team {number}", NOON + timedelta(seconds=number // 2), "scored", score)
        for number, score in enumerate(scores)
    ]
    boards = {
        tuple((row.team, row.place) for row in ranking(order, higher_is_better=True))
        for order in itertools.permutations(entries)
    }
    assert boards == {(("Team 4", 1), ("Team 0", 2), ("Team 1", 2), ("Team 2", 2), ("Team 3", 5))}


def test_t12_a_withdrawn_submission_stays_counted(scene: Scene) -> None:
    from portal_scene import moods_track

    scene.contest(track=moods_track(submissions=2))
    crew = scene.team("Blue")
    for score in (0.5, 0.6):
        found = scene.send(crew)
        scene.judge("faces", found.id, score)
        withdraw(scene.portal, crew.captain, found.id)
    assert _slots(scene) == [1, 2]
    with pytest.raises(RefusedError) as refused:
        scene.send(crew)
    assert refused.value.code == "E_ALL_SLOTS_TAKEN"
    assert [row for row in scene.board().rows if row.place is not None] == []


def test_t13_merged_teams_have_the_slots_of_one(scene_on_both: Scene) -> None:
    scene = scene_on_both
    scene.contest(items=10)
    blue, red, grey = scene.team("Blue"), scene.team("Red"), scene.team("Grey")
    for crew, count in ((blue, 3), (red, 2), (grey, 1)):
        for _ in range(count):
            scene.judge("faces", scene.send(crew).id, 0.5)
    merge_teams(scene.portal, scene.organiser, "emotions", blue.id, red.id)
    assert scene.faults() == []
    for crew in (blue, red):
        with pytest.raises(RefusedError) as refused:
            scene.send(crew)
        assert refused.value.code == "E_ALL_SLOTS_TAKEN"
    with pytest.raises(ConflictError) as refused:
        merge_teams(scene.portal, scene.organiser, "emotions", blue.id, grey.id)
    assert refused.value.code == "E_SLOTS"
