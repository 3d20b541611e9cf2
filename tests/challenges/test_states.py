"""States: every move that is not stated is refused, and no history of a team holds more slots than it has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affectcheck.challenges.states import (
    ACTORS,
    EVENTS,
    HOLDS_SLOT,
    MOST_ATTEMPTS,
    RUNNING,
    STATES,
    TRANSITIONS,
    Event,
    MoveError,
    State,
    after_loss,
    events_of,
    free_slot,
    moved,
    slot_after,
)
from affectcheck.errors import UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Sequence

LIMIT = 3


@pytest.mark.parametrize(
    ("events", "end"),
    [
        (["check", "queue", "score", "finish"], "scored"),
        (["check", "refuse"], "invalid"),
        (["check", "retry", "check", "queue", "score", "retry", "score", "finish", "withdraw"], "withdrawn"),
        (["check", "fail", "reopen"], "received"),
        (["check", "queue", "score", "fail"], "failed"),
        (["check", "refuse", "disqualify"], "disqualified"),
    ],
)
def test_a_submission_goes_its_way(events: Sequence[Event], end: State) -> None:
    state: State = "received"
    for event in events:
        state = moved(state, event)
    assert state == end


def test_a_late_one_starts_when_the_organiser_accepts_it() -> None:
    assert moved("late", "accept") == "received"
    assert events_of("late", "organiser") == ("accept", "disqualify")
    assert events_of("late", "team") == events_of("late", "server") == ()


@pytest.mark.parametrize("state", [state for state in STATES if state != "disqualified"])
def test_whatever_is_disqualified_is_reinstated_to_what_it_was(state: State) -> None:
    assert moved(state, "disqualify") == "disqualified"
    back = moved("disqualified", "reinstate", before=state)
    assert back == {"checking": "received", "scoring": "queued"}.get(state, state)


def test_only_the_stated_moves_are_moves() -> None:
    allowed = {(state, event) for state in STATES for event in EVENTS if _moves(state, event)}
    assert allowed == set(TRANSITIONS) | {("disqualified", "reinstate")}


def _moves(state: State, event: Event) -> bool:
    try:
        moved(state, event, before="scored")
    except MoveError:
        return False
    return True


def test_a_move_that_is_not_allowed_says_which_would_be() -> None:
    with pytest.raises(MoveError, match="'withdraw' of a submission that is queued") as caught:
        moved("queued", "withdraw")
    assert caught.value.expected == "one that is scored"
    with pytest.raises(MoveError) as caught:
        moved("scored", "reinstate", before="scored")
    assert caught.value.expected == "one that is disqualified"
    with pytest.raises(MoveError) as caught:
        moved("checking", "score")
    assert caught.value.expected == "one that is queued"


@pytest.mark.parametrize("before", [None, "disqualified"])
def test_what_it_was_must_be_known(before: Any) -> None:
    with pytest.raises(MoveError, match=f"'reinstate' of a submission that was {before}"):
        moved("disqualified", "reinstate", before=before)


def test_unknown_states_and_events_are_named() -> None:
    unknown: Any = "scord"
    with pytest.raises(UnknownNameError, match="unknown state of a submission 'scord'"):
        moved(unknown, "check")
    with pytest.raises(UnknownNameError, match="unknown event of a submission 'scord'"):
        moved("scored", unknown)
    with pytest.raises(UnknownNameError, match="unknown state of a submission 'scord'"):
        moved("disqualified", "reinstate", before=unknown)


def test_everybody_knows_what_he_may_do() -> None:
    assert set(ACTORS) == set(EVENTS)
    assert events_of("scored", "team") == ("withdraw",)
    assert events_of("disqualified", "organiser") == ("reinstate",)
    assert events_of("checking", "server") == ("refuse", "queue", "retry", "fail")
    assert not any(events_of(state, "team") for state in STATES if state != "scored")


def test_work_that_is_lost_is_tried_three_times() -> None:
    assert [after_loss(attempts) for attempts in range(1, MOST_ATTEMPTS + 1)] == ["retry", "retry", "fail"]


@pytest.mark.parametrize(
    ("taken", "limit", "slot"), [([], 5, 1), ([1, 2], 5, 3), ([3, 1], 5, 2), ([5, 4, 3, 2, 1], 5, None), ([7], 1, 1)]
)
def test_the_lowest_free_slot_is_taken(taken: list[int], limit: int, slot: int | None) -> None:
    assert free_slot(iter(taken), limit) == slot


def test_a_slot_is_kept_or_given_back() -> None:
    assert slot_after("invalid", 2, taken=[], limit=5) is None
    assert slot_after("failed", 2, taken=[], limit=5) is None
    assert slot_after("withdrawn", 2, taken=[1], limit=5) == 2
    assert slot_after("disqualified", 2, taken=[1], limit=5) == 2
    assert slot_after("disqualified", None, taken=[1], limit=5) is None
    assert slot_after("received", None, taken=[1], limit=5) == 2
    with pytest.raises(MoveError, match="all 2 slots of the team are taken"):
        slot_after("received", None, taken=[1, 2], limit=2)


def test_states_that_run_hold_their_slot() -> None:
    assert RUNNING < HOLDS_SLOT
    assert set(STATES) - HOLDS_SLOT == {"invalid", "failed"}


@given(st.lists(st.tuples(st.integers(0, 5), st.sampled_from(EVENTS), st.booleans()), max_size=60))
def test_no_history_of_a_team_holds_a_slot_twice(history: list[tuple[int, Event, bool]]) -> None:
    states: dict[int, State] = {}
    slots: dict[int, int | None] = {}
    before: dict[int, State] = {}
    for key, event, frees in history:
        if key not in states:
            slot = free_slot([one for one in slots.values() if one], LIMIT)
            if slot is not None:
                states[key], slots[key] = "received", slot
            continue
        taken = [one for other, one in slots.items() if one and other != key]
        own = None if event == "disqualify" and frees else slots[key]
        try:
            state = moved(states[key], event, before=before.get(key))
            slot = slot_after(state, own, taken=taken, limit=LIMIT)
        except MoveError:
            continue
        before[key], states[key], slots[key] = states[key], state, slot
        held = [one for one in slots.values() if one]
        assert len(set(held)) == len(held) <= LIMIT
        assert sum(state in ("queued", "scoring", "scored", "withdrawn") for state in states.values()) <= LIMIT
