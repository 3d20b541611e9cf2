"""What a submission goes through: states, the events that move it, and the slot that it holds meanwhile.

A slot is reserved when an upload arrives, so that nobody is told afterwards that it was one too many. What the check
refuses gives its slot back, and so does what failed by no fault of the team; what was scored keeps it, withdrawn or not.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

from affectcheck.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

State: TypeAlias = Literal[
    "received", "checking", "invalid", "queued", "scoring", "scored", "failed", "withdrawn", "disqualified", "late"
]
STATES: Final[tuple[State, ...]] = get_args(State)
Event: TypeAlias = Literal[
    "check",
    "refuse",
    "queue",
    "score",
    "finish",
    "retry",
    "fail",
    "accept",
    "reopen",
    "withdraw",
    "disqualify",
    "reinstate",
]
EVENTS: Final[tuple[Event, ...]] = get_args(Event)
Actor: TypeAlias = Literal["server", "team", "organiser"]

#: Who may cause an event.
ACTORS: Final[Mapping[Event, Actor]] = MappingProxyType(
    {
        "check": "server",
        "refuse": "server",
        "queue": "server",
        "score": "server",
        "finish": "server",
        "retry": "server",
        "fail": "server",
        "accept": "organiser",
        "reopen": "organiser",
        "withdraw": "team",
        "disqualify": "organiser",
        "reinstate": "organiser",
    }
)
_MOVES: Final[dict[tuple[State, Event], State]] = {
    ("received", "check"): "checking",
    ("checking", "refuse"): "invalid",
    ("checking", "queue"): "queued",
    ("checking", "retry"): "received",
    ("checking", "fail"): "failed",
    ("queued", "score"): "scoring",
    ("scoring", "finish"): "scored",
    ("scoring", "retry"): "queued",
    ("scoring", "fail"): "failed",
    ("late", "accept"): "received",
    ("failed", "reopen"): "received",
    ("scored", "withdraw"): "withdrawn",
}
#: Every move but that out of ``disqualified``, whose end is where the submission came from.
TRANSITIONS: Final[Mapping[tuple[State, Event], State]] = MappingProxyType(
    _MOVES | {(state, "disqualify"): "disqualified" for state in STATES if state != "disqualified"}
)
#: States in which a submission keeps the slot that it has; in the others it has none.
HOLDS_SLOT: Final[frozenset[State]] = frozenset(STATES) - {"invalid", "failed"}
#: States that the check or the scorer will end by themselves; a slot held in one may yet be free again.
RUNNING: Final[frozenset[State]] = frozenset({"received", "checking", "queued", "scoring"})
#: Attempts to check or score a submission before it counts as failed.
MOST_ATTEMPTS: Final = 3
#: Where work that was broken off starts anew.
_ANEW: Final[Mapping[State, State]] = MappingProxyType({"checking": "received", "scoring": "queued"})


class MoveError(InputError):
    """An event that does not happen to a submission in its state."""


def moved(state: State, event: Event, *, before: State | None = None) -> State:
    """The state behind an event.

    Args:
        state: of the submission.
        event: what happens to it.
        before: what it was before it was disqualified; to be reinstated it must be known.

    Raises:
        UnknownNameError: no such state or event.
        MoveError: the event does not happen in that state.

    Example:
        >>> moved("scored", "withdraw")
        'withdrawn'
        >>> moved("disqualified", "reinstate", before="scoring")
        'queued'
    """
    if state not in STATES:
        raise UnknownNameError.of("state of a submission", state, STATES)
    if event not in EVENTS:
        raise UnknownNameError.of("event of a submission", event, EVENTS)
    if (state, event) == ("disqualified", "reinstate"):
        return _reinstated(before)
    found = TRANSITIONS.get((state, event))
    if found is None:
        raise MoveError(f"{event!r} of a submission that is {state}", expected=_possible(event))
    return found


def events_of(state: State, actor: Actor) -> tuple[Event, ...]:
    """What somebody may do with a submission in a state."""
    ways = {event for from_, event in TRANSITIONS if from_ == state} | (
        {"reinstate"} if state == "disqualified" else set()
    )
    return tuple(event for event in EVENTS if event in ways and ACTORS[event] == actor)


def after_loss(attempts: int) -> Event:
    """What happens to a submission whose worker has gone or whose scorer raised.

    Args:
        attempts: how often its check or its scoring was begun, this time included.
    """
    return "retry" if attempts < MOST_ATTEMPTS else "fail"


def free_slot(taken: Iterable[int], limit: int) -> int | None:
    """The lowest slot that is free, counted from 1; None where all are taken.

    Args:
        taken: slots of a team on a track.
        limit: how many there are.

    Example:
        >>> free_slot([1, 3], 5)
        2
    """
    gone = frozenset(taken)
    return next((slot for slot in range(1, limit + 1) if slot not in gone), None)


def slot_after(state: State, slot: int | None, *, taken: Iterable[int], limit: int) -> int | None:
    """The slot that a submission has in a state into which it moves.

    Args:
        state: the new one.
        slot: that it has; None where it has none, or where it is to be freed with its disqualification.
        taken: slots of the team's other submissions on the track.
        limit: how many there are.

    Returns:
        None where it needs none; its own where it has one; else the lowest that is free.

    Raises:
        MoveError: it needs one, as a submission that is reopened or reinstated does, and none is free.
    """
    if state not in HOLDS_SLOT:
        return None
    if slot is not None or state == "disqualified":
        return slot
    found = free_slot(taken, limit)
    if found is None:
        raise MoveError(
            f"all {limit} slots of the team are taken",
            expected="a free one, which this submission no longer has",
            cause="the team has used it for another submission meanwhile",
        )
    return found


def _reinstated(before: State | None) -> State:
    if before is None or before == "disqualified":
        raise MoveError(
            f"'reinstate' of a submission that was {before}", expected="the state before it was disqualified"
        )
    if before not in STATES:
        raise UnknownNameError.of("state of a submission", before, STATES)
    return _ANEW.get(before, before)


def _possible(event: Event) -> str:
    states = [from_ for from_, one in TRANSITIONS if one == event] or ["disqualified"]
    return f"one that is {' or '.join(states)}"
