"""Whether an upload is taken: by its times, what the team sent before, and the slots that it has left.

An upload counts by the moment of its last byte. One that began while a phase was open and came in after its end is late:
it is kept, unscored, for the organiser to decide. Ends are not part of a phase: what arrives in the second of the end is late.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from affectcheck.annotations.listing import plural
from affectcheck.challenges.states import free_slot
from affectcheck.challenges.times import require_zone, told
from affectcheck.challenges.track_parts import Phase
from affectcheck.errors import InputError

if TYPE_CHECKING:
    from affectcheck.challenges.states import State
    from affectcheck.challenges.track import Track

#: Uploads of a team within 24 hours, whatever became of them.
UPLOADS_A_DAY: Final = 30
DAY: Final = timedelta(hours=24)
#: A track without phases is open without an end.
ALWAYS: Final = Phase(name="open")
#: States in which equal bytes are checked again: the fault may have been ours, or mended by the organiser.
CHECKED_ANEW: Final[frozenset[State]] = frozenset({"invalid", "failed"})
RefusalCode: TypeAlias = Literal[
    "E_NOT_OPEN_YET", "E_CLOSED", "E_TOO_MANY_UPLOADS", "E_ALL_SLOTS_TAKEN", "E_SLOTS_IN_USE"
]


@dataclass(frozen=True)
class Upload:
    """An upload, and what its team has sent before on the track, as read under the lock of the team.

    Attributes:
        began: when its first byte came.
        received: when its last byte came; ``began`` to ask whether an upload may begin.
        slots: slots that the team's submissions hold.
        running: how many of these are not yet scored, whose slots may be free again.
        earlier: when the team's uploads of the last 24 hours came, in any order; older ones do no harm.
        same: key of the newest submission of equal bytes in the same phase, by this team; empty where there is none.
        same_state: the state of that one.
    """

    began: datetime
    received: datetime
    slots: tuple[int, ...] = ()
    running: int = 0
    earlier: tuple[datetime, ...] = ()
    same: str = ""
    same_state: State = "scored"

    def __post_init__(self) -> None:
        """Times carry their zone."""
        for moment in (self.began, self.received, *self.earlier):
            require_zone(moment)


@dataclass(frozen=True)
class Admitted:
    """An upload that is taken.

    Attributes:
        state: ``received``, or ``late``.
        slot: that is reserved for it, counted from 1.
        phase: in which it began.
    """

    state: Literal["received", "late"]
    slot: int
    phase: Phase


@dataclass(frozen=True)
class AlreadyThere:
    """An upload of bytes that the team has sent before, which costs nothing.

    Attributes:
        key: of the submission that is there.
    """

    key: str


@dataclass(frozen=True)
class Refused:
    """An upload that is not taken.

    Attributes:
        code: for machines.
        sentence: for people.
        again: when it may be tried again; None where nobody knows, or never.
    """

    code: RefusalCode
    sentence: str
    again: datetime | None = None


Admission: TypeAlias = Admitted | AlreadyThere | Refused


def admitted(track: Track, upload: Upload, *, uploads_a_day: int = UPLOADS_A_DAY) -> Admission:
    """Decide on an upload; the same before its first byte and after its last one.

    Args:
        track: which it is for.
        upload: its times, and what the team has.
        uploads_a_day: uploads of a team within 24 hours, those refused by the check among them.

    Raises:
        InputError: a limit that allows none.

    Returns:
        The submission that is there, of equal bytes; else a slot; else why not. A team that sends once more what did arrive,
        since its connection broke, learns so at any time, even after the end.
    """
    if uploads_a_day < 1:
        raise InputError(f"{uploads_a_day} uploads a day", expected="1 or more")
    if upload.same and upload.same_state not in CHECKED_ANEW:
        return AlreadyThere(upload.same)
    phase = open_phase(track, upload.began)
    if phase is None:
        return _not_open(track, upload.began)
    refused = _too_many(upload, uploads_a_day)
    if refused is not None:
        return refused
    slot = free_slot(upload.slots, track.submissions)
    if slot is None:
        return _no_slot(upload, track.submissions)
    # Clocks are put back by a little now and then: what began in time and seems to end before it began is in time.
    late = phase.state(max(upload.began, upload.received)) == "after"
    return Admitted("late" if late else "received", slot, phase)


def open_phase(track: Track, now: datetime) -> Phase | None:
    """The phase that is open at a moment, ``ALWAYS`` of a track without phases; None where none is."""
    return track.phase(now) if track.phases else ALWAYS


@dataclass(frozen=True)
class Change:
    """A moment at which phases open or close.

    Attributes:
        at: the moment.
        opens, closes: names of the phases.
    """

    at: datetime
    opens: tuple[str, ...]
    closes: tuple[str, ...]


def next_change(track: Track, now: datetime) -> Change | None:
    """The next moment at which a phase of a track opens or closes; None where nothing changes any more."""
    ends = [end for phase in track.phases for end in (phase.opens, phase.closes) if end is not None and end > now]
    if not ends:
        return None
    at = min(ends)
    return Change(
        at,
        tuple(phase.name for phase in track.phases if phase.opens == at),
        tuple(phase.name for phase in track.phases if phase.closes == at),
    )


def _not_open(track: Track, now: datetime) -> Refused:
    coming = [phase.opens for phase in track.phases if phase.opens is not None and phase.opens > now]
    closed = [phase.closes for phase in track.phases if phase.closes is not None and phase.closes <= now]
    if not coming:
        return Refused("E_CLOSED", f"The track closed at {told(max(closed)).utc}.")
    before = f"A phase closed at {told(max(closed)).utc}; the next one" if closed else "The track"
    return Refused("E_NOT_OPEN_YET", f"{before} opens at {told(min(coming)).utc}.", min(coming))


def _too_many(upload: Upload, most: int) -> Refused | None:
    recent = sorted(moment for moment in upload.earlier if moment > upload.received - DAY)
    if len(recent) < most:
        return None
    again = recent[len(recent) - most] + DAY
    return Refused(
        "E_TOO_MANY_UPLOADS",
        f"The team has sent {plural(len(recent), 'upload')} within 24 hours, and {most} are allowed; "
        f"the next one is taken from {told(again).utc} on.",
        again,
    )


def _no_slot(upload: Upload, limit: int) -> Refused:
    if upload.running:
        return Refused(
            "E_SLOTS_IN_USE",
            f"All {limit} submissions of the team are used, {upload.running} of them not yet scored; "
            "one that turns out invalid, or fails by no fault of the team, gives its place back.",
        )
    return Refused("E_ALL_SLOTS_TAKEN", f"All {limit} submissions of the team are used.")
