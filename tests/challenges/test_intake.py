"""Intake: the end to a second, slots that are held, uploads of a day, and equal bytes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from affectcheck.challenges.catalogue import load_track, parse_track
from affectcheck.challenges.intake import (
    ALWAYS,
    Admitted,
    AlreadyThere,
    Change,
    Refused,
    Upload,
    admitted,
    next_change,
    open_phase,
)
from affectcheck.challenges.track import Track, plain
from affectcheck.errors import InputError

OPENS = datetime(2027, 3, 1, tzinfo=UTC)
CLOSES = datetime(2027, 3, 13, 23, 59, 59, tzinfo=timezone(timedelta(hours=-12)))
SECOND = timedelta(seconds=1)


def with_phases(*phases: dict[str, Any]) -> Track:
    return parse_track(plain(load_track("abaw6-va")) | {"phases": list(phases)})


ENDLESS = with_phases()


@pytest.fixture(scope="module")
def two() -> Track:
    """A trial on the validation part, a break of a day, and the test."""
    return with_phases(
        {"name": "trial", "split": "validation", "closes": (OPENS - timedelta(days=1)).isoformat()},
        {"name": "test", "opens": OPENS.isoformat(), "closes": CLOSES.isoformat()},
    )


def sent(at: datetime, *, seconds: float = 0, **more: Any) -> Upload:
    return Upload(began=at, received=at + timedelta(seconds=seconds), **more)


@pytest.mark.parametrize(
    ("before_end", "lasts", "state"),
    [(1, 0, "received"), (2, 1, "received"), (1, 1, "late"), (1, 3600, "late"), (1, 0.999_999, "received")],
)
def test_the_last_byte_counts(two: Track, before_end: float, lasts: float, state: str) -> None:
    found = admitted(two, sent(CLOSES - before_end * SECOND, seconds=lasts))
    assert found == Admitted(state, 1, two.phases[1])  # type: ignore[arg-type]


def test_the_end_is_closed_and_the_beginning_open(two: Track) -> None:
    assert admitted(two, sent(CLOSES)) == Refused("E_CLOSED", "The track closed at 2027-03-14 11:59:59 UTC.")
    assert admitted(two, sent(OPENS)) == Admitted("received", 1, two.phases[1])
    early = admitted(two, sent(OPENS - SECOND, seconds=5))
    assert early == Refused(
        "E_NOT_OPEN_YET",
        "A phase closed at 2027-02-28 00:00:00 UTC; the next one opens at 2027-03-01 00:00:00 UTC.",
        OPENS,
    )


def test_before_the_first_phase_it_opens() -> None:
    track = with_phases({"name": "test", "opens": OPENS.isoformat()})
    found = admitted(track, sent(OPENS - SECOND))
    assert found == Refused("E_NOT_OPEN_YET", "The track opens at 2027-03-01 00:00:00 UTC.", OPENS)
    assert isinstance(admitted(track, sent(OPENS + timedelta(days=9999))), Admitted)


def test_what_is_late_for_one_phase_is_not_in_time_for_the_next() -> None:
    track = with_phases(
        {"name": "trial", "split": "validation", "closes": OPENS.isoformat()},
        {"name": "test", "opens": OPENS.isoformat()},
    )
    assert admitted(track, sent(OPENS - SECOND, seconds=2)) == Admitted("late", 1, track.phases[0])


def test_a_clock_that_is_put_back_makes_nothing_late_or_early(two: Track) -> None:
    found = admitted(two, sent(OPENS, seconds=-1))
    assert found == Admitted("received", 1, two.phases[1])


def test_a_track_without_phases_is_always_open() -> None:
    assert admitted(ENDLESS, sent(OPENS, slots=(1, 3), running=1)) == Admitted("received", 2, ALWAYS)
    assert open_phase(ENDLESS, OPENS) is ALWAYS
    assert next_change(ENDLESS, OPENS) is None


def test_there_is_no_sixth_slot() -> None:
    every = tuple(range(1, 6))
    assert admitted(ENDLESS, sent(OPENS, slots=every)) == Refused(
        "E_ALL_SLOTS_TAKEN", "All 5 submissions of the team are used."
    )
    busy = admitted(ENDLESS, sent(OPENS, slots=every, running=2))
    assert isinstance(busy, Refused)
    assert busy.code == "E_SLOTS_IN_USE"
    assert busy.again is None
    assert "2 of them not yet scored" in busy.sentence


def test_uploads_of_the_last_24_hours_are_counted() -> None:
    times = tuple(OPENS + timedelta(minutes=minute) for minute in (40, 0, 20))
    now = OPENS + timedelta(hours=2)
    assert isinstance(admitted(ENDLESS, sent(now, earlier=times), uploads_a_day=4), Admitted)
    refused = admitted(ENDLESS, sent(now, earlier=times), uploads_a_day=2)
    assert isinstance(refused, Refused)
    assert refused.code == "E_TOO_MANY_UPLOADS"
    assert refused.again == OPENS + timedelta(hours=24, minutes=20)
    assert refused.sentence == (
        "The team has sent 3 uploads within 24 hours, and 2 are allowed; "
        "the next one is taken from 2027-03-02 00:20:00 UTC on."
    )
    assert isinstance(admitted(ENDLESS, sent(refused.again, earlier=times), uploads_a_day=2), Admitted)
    just_before = sent(refused.again - SECOND / 1000, earlier=times)
    assert isinstance(admitted(ENDLESS, just_before, uploads_a_day=2), Refused)


def test_thirty_uploads_a_day_are_allowed_unless_stated() -> None:
    times = tuple(OPENS - timedelta(minutes=minute) for minute in range(30))
    assert isinstance(admitted(ENDLESS, sent(OPENS, earlier=times[1:])), Admitted)
    assert isinstance(admitted(ENDLESS, sent(OPENS, earlier=times)), Refused)


def test_equal_bytes_are_there_already_even_after_the_end(two: Track) -> None:
    full = {"slots": (1, 2, 3, 4, 5), "same": "s-1"}
    assert admitted(two, sent(CLOSES + SECOND, **full)) == AlreadyThere("s-1")
    assert admitted(two, sent(OPENS, same="s-1", same_state="withdrawn")) == AlreadyThere("s-1")


@pytest.mark.parametrize("state", ["invalid", "failed"])
def test_equal_bytes_are_checked_again_where_the_fault_may_have_gone(two: Track, state: Any) -> None:
    assert isinstance(admitted(two, sent(OPENS, same="s-1", same_state=state)), Admitted)


def test_bad_input_is_told() -> None:
    with pytest.raises(InputError, match="0 uploads a day"):
        admitted(ENDLESS, sent(OPENS), uploads_a_day=0)
    with pytest.raises(InputError, match="a time without a zone"):
        sent(OPENS, earlier=(datetime.fromisoformat("2027-01-01"),))


def test_the_next_change_names_what_opens_and_closes(two: Track) -> None:
    first = OPENS - timedelta(days=1)
    assert next_change(two, first - SECOND) == Change(first, (), ("trial",))
    assert next_change(two, first) == Change(OPENS, ("test",), ())
    assert next_change(two, OPENS) == Change(CLOSES, (), ("test",))
    assert next_change(two, CLOSES) is None
    track = with_phases(
        {"name": "trial", "closes": OPENS.isoformat()},
        {"name": "test", "opens": OPENS.astimezone(CLOSES.tzinfo).isoformat()},
    )
    assert next_change(track, first) == Change(OPENS, ("test",), ("trial",))
