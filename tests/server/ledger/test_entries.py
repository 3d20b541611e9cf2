"""Who sees what of submissions, and what teams and organisers do with them."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
import sqlalchemy as sa

from affectcheck.challenges import BoardScore, BoardValue, Flag, VideoScore
from affectcheck.challenges.track_parts import Phase
from affectcheck.server.accounts.actors import VISITOR
from affectcheck.server.contests.settings import TrackSettings
from affectcheck.server.faults import ConflictError, ForbiddenError, NotThereError, RefusedError, UnknownLoginError
from affectcheck.server.ledger import organising, results
from affectcheck.server.ledger.choosing import choose, withdraw
from affectcheck.server.ledger.entries import all_submissions, as_shown, limited, submission_of, submissions_of
from affectcheck.server.ledger.rows import submission_row
from affectcheck.server.storage import jobs
from affectcheck.server.storage.tables import letter, submission
from portal_clock import NOON
from portal_scene import LEASE, moods_track

if TYPE_CHECKING:
    from portal_scene import Scene

DAY = timedelta(days=1)
PHASE = Phase(name="test", opens=NOON - DAY, closes=NOON + DAY)


def test_a_team_sees_its_own_and_nobody_else_does(scene: Scene) -> None:
    scene.contest()
    blue, red = scene.team("Blue"), scene.team("Red")
    sent = scene.send(blue)
    assert scene.entry(sent.id, blue.captain).mine
    assert not scene.entry(sent.id).mine
    for other in (red.captain, VISITOR):
        with pytest.raises(NotThereError):
            scene.entry(sent.id, other)
    with scene.portal.database.read() as connection:
        board = scene.contest_of()
        assert [one.id for one in submissions_of(connection, board, blue.id, blue.captain)] == [sent.id]
        with pytest.raises(NotThereError):
            submissions_of(connection, board, blue.id, red.captain)
        assert [one.id for one in all_submissions(connection, board, scene.organiser)] == [sent.id]
        assert all_submissions(connection, board, scene.organiser, state="scored") == ()
        with pytest.raises(ForbiddenError):
            all_submissions(connection, board, blue.captain)
        with pytest.raises(NotThereError):
            submission_of(connection, "nothing", scene.organiser)
        with pytest.raises(NotThereError):
            submission_row(connection, "nothing")


def test_progress_is_the_place_in_the_queue(scene: Scene) -> None:
    scene.contest()
    blue, red = scene.team("Blue"), scene.team("Red")
    first = scene.send(blue)
    scene.clock.forward(seconds=1)
    second = scene.send(red)
    assert [scene.entry(one.id).progress.position for one in (first, second)] == [1, 2]
    scene.judge("faces", first.id, 0.5)
    assert scene.entry(first.id).progress is None


def test_scores_are_told_to_the_digits_of_the_track(scene: Scene) -> None:
    scene.contest("faces", settings=TrackSettings(digits=2))
    crew = scene.team("Blue")
    sent, undefined = scene.send(crew), scene.send(crew)
    scene.judge("faces", sent.id, 0.123456, flags=[{"kind": "constant"}], sketch="s")
    scene.judge("faces", undefined.id, None)
    mine, whole = scene.entry(sent.id, crew.captain), scene.entry(sent.id)
    assert (mine.score.text, mine.score.value, mine.score.result) == ("0.12", 0.12, None)
    assert (whole.score.text, whole.score.value) == ("0.12", 0.123456)
    assert whole.score.result.headline.value == 0.123456
    assert set(mine.facts) == {"rows"}
    assert set(whole.facts) == {"rows", "flags", "sketch"}
    none = scene.entry(undefined.id, crew.captain).score
    assert (none.text, none.value, none.reason, none.result) == ("—", None, "no item of a class", None)
    assert scene.entry(undefined.id).score.result is not None


def test_scores_may_be_told_after_the_end_alone(scene: Scene) -> None:
    settings = TrackSettings(feedback="none", board="hidden")
    scene.contest("faces", moods_track(phases=[PHASE]), settings)
    crew = scene.team("Blue")
    sent = scene.send(crew)
    scene.judge("faces", sent.id, 0.123456)
    assert scene.entry(sent.id, crew.captain).score is None
    assert scene.entry(sent.id).score is not None
    scene.clock.forward(days=1)
    told = scene.entry(sent.id, crew.captain).score
    assert (told.value, told.result.headline.value) == (0.123, 0.123)


def test_what_is_limited_tells_no_other_and_no_video() -> None:
    value = BoardValue("f1_macro", 0.123456, 9, low=0.054321, high=None, floor=0.25678)
    many = (value,)
    result = BoardScore(
        "t",
        value,
        many,
        many,
        many,
        many,
        9,
        9,
        (VideoScore("v", 1, 0.5),),
        (Flag("equal", "other"),),
        (),
        "s",
        "l",
        "p",
    )
    found = limited(result, 2)
    assert (found.videos, found.flags) == ((), ())
    for one in (found.headline, *found.parts, *found.others, *found.groups, *found.disparities):
        assert (one.value, one.low, one.high, one.floor) == (0.12, 0.05, None, 0.26)
    assert limited(result, None).headline == value


@pytest.mark.parametrize(("value", "digits", "text"), [(0.5, 3, "0.500"), (-0.0001, 3, "0.000"), (0.1 + 0.2, None, "0.30000000000000004")])  # fmt: skip
def test_scores_as_text(value: float, digits: int | None, text: str) -> None:
    assert as_shown(value, digits) == text


def chosen(scene: Scene) -> list[str]:
    with scene.portal.database.read() as connection:
        return list(connection.execute(sa.select(submission.c.id).where(submission.c.chosen)).scalars())


def test_a_team_chooses_which_one_counts(scene: Scene) -> None:
    scene.contest("faces", moods_track(phases=[PHASE]), TrackSettings(counting="chosen"))
    crew, other = scene.team("Blue"), scene.team("Red")
    good, poor, bad = scene.send(crew), scene.send(crew), scene.send(crew)
    scene.judge("faces", good.id, 0.75)
    scene.judge("faces", poor.id, 0.5)
    scene.refuse(bad.id)
    assert [row.score.text for row in scene.board().rows] == ["0.750"]
    before = scene.contest_of().version
    choose(scene.portal, crew.captain, poor.id)
    assert chosen(scene) == [poor.id]
    assert scene.contest_of().version > before
    assert [row.score.text for row in scene.board().rows] == ["0.500"]
    choose(scene.portal, crew.captain, good.id)
    assert chosen(scene) == [good.id]
    with pytest.raises(NotThereError):
        choose(scene.portal, other.captain, poor.id)
    with pytest.raises(ConflictError, match="invalid"):
        choose(scene.portal, crew.captain, bad.id)
    scene.clock.forward(days=1)
    with pytest.raises(ConflictError) as refused:
        choose(scene.portal, crew.captain, poor.id)
    assert refused.value.code == "E_CLOSED"


def test_nothing_is_chosen_where_the_best_counts(scene: Scene) -> None:
    scene.contest()
    crew = scene.team("Blue")
    with pytest.raises(ConflictError) as refused:
        choose(scene.portal, crew.captain, scene.send(crew).id)
    assert refused.value.code == "E_NOT_CHOSEN"


def test_a_reason_has_characters_that_are_seen(scene: Scene) -> None:
    scene.contest()
    blue = scene.team("Blue")
    sent = scene.send(blue)
    scene.judge("faces", sent.id, 0.5)
    with pytest.raises(RefusedError, match="direction-changing"):
        withdraw(scene.portal, blue.captain, sent.id, "wrong \u202efile")
    with pytest.raises(RefusedError, match="2001 characters"):
        withdraw(scene.portal, blue.captain, sent.id, "x" * 2001)
    assert scene.entry(sent.id).state == "scored"
    withdraw(scene.portal, blue.captain, sent.id, " the wrong\nfile ")
    assert scene.entry(sent.id).reason == "the wrong file"


def test_a_withdrawn_one_keeps_its_slot(scene_on_both: Scene) -> None:
    scene = scene_on_both
    scene.contest("faces", moods_track(submissions=1))
    crew, other = scene.team("Blue"), scene.team("Red")
    sent = scene.send(crew)
    with pytest.raises(ConflictError):
        withdraw(scene.portal, crew.captain, sent.id)
    scene.judge("faces", sent.id, 0.5)
    with pytest.raises(NotThereError):
        withdraw(scene.portal, other.captain, sent.id)
    with pytest.raises(UnknownLoginError):
        withdraw(scene.portal, VISITOR, sent.id)
    withdraw(scene.portal, crew.captain, sent.id, "a mistake of ours")
    entry = scene.entry(sent.id)
    assert (entry.state, entry.slot, entry.reason) == ("withdrawn", 1, "a mistake of ours")
    assert scene.board().rows == ()
    with pytest.raises(ConflictError) as refused:
        scene.send(crew)
    assert refused.value.code == "E_ALL_SLOTS_TAKEN"
    assert scene.faults() == []


@pytest.mark.parametrize("free", [False, True])
def test_a_disqualified_one_frees_its_slot_if_the_organiser_says_so(scene: Scene, free: bool) -> None:
    scene.contest("faces", moods_track(submissions=1))
    crew = scene.team("Blue")
    sent = scene.send(crew)
    scene.judge("faces", sent.id, 0.5)
    with pytest.raises(ForbiddenError):
        organising.disqualify(scene.portal, crew.captain, sent.id, "mine")
    with pytest.raises(RefusedError, match="no reason"):
        organising.disqualify(scene.portal, scene.organiser, sent.id, "  ")
    with pytest.raises(RefusedError, match="2001 characters"):
        organising.disqualify(scene.portal, scene.organiser, sent.id, "x" * 2001)
    with pytest.raises(RefusedError, match="direction-changing") as unseen:
        organising.disqualify(scene.portal, scene.organiser, sent.id, "two \u202eaccounts")
    assert unseen.value.code == "E_REASON"
    organising.disqualify(scene.portal, scene.organiser, sent.id, "test labels", free_slot=free)
    with pytest.raises(ConflictError):
        organising.disqualify(scene.portal, scene.organiser, sent.id, "again")
    entry = scene.entry(sent.id, crew.captain)
    assert (entry.state, entry.slot, entry.reason) == ("disqualified", None if free else 1, "test labels")
    assert scene.board().rows == ()
    if free:
        assert scene.send(crew).slot == 1
        with pytest.raises(ConflictError, match="slots"):
            organising.reinstate(scene.portal, scene.organiser, sent.id)
        return
    scene.clock.forward(seconds=1)
    organising.reinstate(scene.portal, scene.organiser, sent.id)
    assert (scene.entry(sent.id).state, scene.entry(sent.id).reason) == ("scored", "")
    assert len(scene.board().rows) == 1
    with scene.portal.database.read() as connection:
        letters = connection.execute(sa.select(letter).order_by(letter.c.id)).mappings().all()
    assert [(one["recipient"], one["subject"]) for one in letters] == [
        (crew.email, "A submission was disqualified"),
        (crew.email, "A submission was reinstated"),
    ]
    assert "test labels" in letters[0]["body"]


def test_a_queued_one_is_scored_once_it_is_reinstated(scene: Scene) -> None:
    scene.contest(labelled=False)
    sent = scene.send(scene.team("Blue"))
    held = jobs.claim(scene.portal.database, "one", scene.clock(), LEASE)
    with scene.portal.database.write() as connection:
        assert results.begun(connection, held, scene.clock())
        assert results.checked(connection, held, {"rows": 40}, scene.clock())
    organising.disqualify(scene.portal, scene.organiser, sent.id, "late fee")
    scene.labels()
    with scene.portal.database.read() as connection:
        assert {one.state for one in jobs.of_subject(connection, sent.id)} == {"done"}
    organising.reinstate(scene.portal, scene.organiser, sent.id)
    scene.judge("faces", sent.id, 0.5)
    assert scene.entry(sent.id).state == "scored"


def test_a_late_one_is_taken_if_the_organiser_says_so(scene: Scene) -> None:
    scene.contest("faces", moods_track(phases=[PHASE]))
    crew = scene.team("Blue")
    began = scene.clock()
    scene.clock.forward(days=1)
    late = scene.send(crew, began=began)
    assert (late.state, late.slot) == ("late", 1)
    with pytest.raises(ConflictError):
        organising.rerun(scene.portal, scene.organiser, late.id)
    organising.accept_late(scene.portal, scene.organiser, late.id)
    scene.judge("faces", late.id, 0.5)
    assert scene.entry(late.id).state == "scored"
    with pytest.raises(ConflictError):
        organising.accept_late(scene.portal, scene.organiser, late.id)


def test_a_failed_one_is_checked_anew_if_a_slot_is_free(scene: Scene) -> None:
    scene.contest("faces", moods_track(submissions=1))
    crew = scene.team("Blue")
    first, second = [fail(scene, scene.send(crew).id) for _ in range(2)]
    organising.rerun(scene.portal, scene.organiser, first)
    entry = scene.entry(first)
    assert (entry.state, entry.slot, entry.fault, entry.reason) == ("received", 1, None, "")
    with pytest.raises(ConflictError, match="slots"):
        organising.rerun(scene.portal, scene.organiser, second)
    scene.judge("faces", first, 0.5)
    assert scene.faults() == []


def fail(scene: Scene, key: str) -> str:
    held = scene._claim(key)
    with scene.portal.database.write() as connection:
        assert results.begun(connection, held, scene.clock())
        assert results.failed(connection, held, "123", scene.clock())
    return key
