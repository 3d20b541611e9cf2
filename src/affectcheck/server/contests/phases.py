"""When a track is open: phases are moved in order, with a reason, and members learn of an extension."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from affectcheck.challenges import ALWAYS, parse_track, plain, told
from affectcheck.errors import UnknownNameError
from affectcheck.server.accounts.letters import post
from affectcheck.server.contests import texts
from affectcheck.server.contests.contest import Contest, Edit, edited, locked_contest
from affectcheck.server.faults import ConflictError, RefusedError
from affectcheck.server.storage.tables import account, membership, submission

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from affectcheck.challenges import Track
    from affectcheck.challenges.track_parts import Phase
    from affectcheck.server.accounts.actors import Actor
    from affectcheck.server.portal import Portal


def require_order(phases: Sequence[Phase]) -> None:
    """Each phase ends before the next begins.

    Raises:
        RefusedError: two that overlap, or the order of which is not known.
    """
    for before, after in pairwise(phases):
        if before.closes is None or after.opens is None or before.closes > after.opens:
            raise RefusedError(
                f"phase {after.name!r} opens before {before.name!r} has closed",
                code="E_PHASE_ORDER",
                expected=f"{before.name!r} closes, and {after.name!r} opens then or later",
                cause="phases that are not listed by date, or an end that is not stated",
            )


def edit_phases(portal: Portal, actor: Actor, slug: str, phases: Sequence[Phase], reason: str = "") -> Contest:
    """Change the phases of a track.

    Args:
        portal: where.
        actor: an organiser.
        slug: the track.
        phases: all of them, by date.
        reason: needed once the track is published; for the audit log, and for members when a phase is extended.

    Raises:
        NotThereError: no such track.
        ConflictError: it is archived, or a phase is left out in which submissions were sent.
        RefusedError: dates that are not in order, or no reason.
    """
    return _moved(portal, actor, slug, reason, lambda _, __: tuple(phases))


def open_phase(portal: Portal, actor: Actor, slug: str, phase: str, reason: str) -> Contest:
    """Open a phase now; one that has ended is open again until the next phase, or until it is closed.

    Raises:
        NotThereError: no such track.
        UnknownNameError: no such phase.
        ConflictError: it is open, or the track is archived.
        RefusedError: no reason, or another phase is open.
    """

    def opened(found: Contest, now: datetime) -> tuple[Phase, ...]:
        place, one = _named(found, phase)
        state = one.state(now)
        if state == "open":
            raise ConflictError(f"phase {phase!r} is open", code="E_PHASE_OPEN", expected="one that is not")
        if state == "before":
            return _with(found, place, {"opens": now})
        following = found.track.phases[place + 1 :]
        return _with(found, place, {"closes": following[0].opens if following else None})

    return _moved(portal, actor, slug, texts.stated(reason), opened)


def close_phase(portal: Portal, actor: Actor, slug: str, phase: str, reason: str) -> Contest:
    """Close a phase now; of a track that is always open, the phase ``open``.

    Raises:
        NotThereError: no such track.
        UnknownNameError: no such phase.
        ConflictError: it is not open, or the track is archived.
        RefusedError: no reason.
    """

    def closed(found: Contest, now: datetime) -> tuple[Phase, ...]:
        place, one = _named(found, phase)
        if one.state(now) != "open":
            raise ConflictError(f"phase {phase!r} is not open", code="E_PHASE_NOT_OPEN", expected="one that is")
        return _with(found, place, {"closes": now})

    return _moved(portal, actor, slug, texts.stated(reason), closed)


def _named(found: Contest, name: str) -> tuple[int, Phase]:
    phases = found.track.phases or (ALWAYS,)
    place = next((place for place, one in enumerate(phases) if one.name == name), None)
    if place is None:
        raise UnknownNameError.of("phase", name, [one.name for one in phases])
    return place, phases[place]


def _with(found: Contest, place: int, values: dict[str, datetime | None]) -> tuple[Phase, ...]:
    phases = list(found.track.phases or (ALWAYS,))
    phases[place] = phases[place].model_copy(update=values)
    return tuple(phases)


def _moved(
    portal: Portal,
    actor: Actor,
    slug: str,
    reason: str,
    change: Callable[[Contest, datetime], tuple[Phase, ...]],
) -> Contest:
    with portal.database.write() as connection:
        found, now = locked_contest(connection, slug, actor), portal.now()
        phases = change(found, now)
        require_order(phases)
        why = texts.stated(reason) if reason or found.published else ""
        _require_kept(connection, found, phases)
        track = _track_with(found.track, phases)
        before, after = ([one.model_dump(mode="json") for one in some] for some in (found.track.phases, phases))
        longer = extended(found.track.phases, track.phases)
        detail = {"before": before, "after": after, "reason": why, "extended": [one.name for one in longer]}
        if found.published:
            for one in longer:
                _tell(connection, portal, found, one, why)
        return edited(connection, portal, actor, found, Edit("contest.phases", {"track": plain(track)}, detail))


def extended(before: Sequence[Phase], after: Sequence[Phase]) -> tuple[Phase, ...]:
    """Phases that close later than they were to."""
    ends = {one.name: one.closes for one in before}
    return tuple(one for one in after if _later(ends.get(one.name), one.closes))


def _later(before: datetime | None, after: datetime | None) -> bool:
    return before is not None and (after is None or after > before)


def _require_kept(connection: sa.Connection, found: Contest, phases: Sequence[Phase]) -> None:
    used = set(connection.scalars(sa.select(submission.c.phase).where(submission.c.contest == found.id).distinct()))
    gone = sorted(used - {one.name for one in phases or (ALWAYS,)})
    if gone:
        raise ConflictError(
            f"phase {gone[0]!r} is left out, in which submissions were sent",
            code="E_PHASE_USED",
            expected=f"a phase {gone[0]!r} among the others",
            cause="a phase that was given another name",
        )


def _track_with(track: Track, phases: Sequence[Phase]) -> Track:
    """The track with other phases, as strictly read as any."""
    values: dict[str, Any] = plain(track)
    return parse_track({**values, "phases": [one.model_dump(mode="json", exclude_unset=True) for one in phases]})


def _tell(connection: sa.Connection, portal: Portal, found: Contest, phase: Phase, reason: str) -> None:
    """Write to every member of a team of the event."""
    end = "until it is closed"
    if phase.closes is not None:
        times = told(phase.closes)
        end = f"until {times.utc} ({times.anywhere})"
    body = (
        f"The phase {phase.name!r} of {found.track.title} ({found.event_title}) is extended: it is open {end}.\n\n"
        f"Reason: {reason}\n\n{portal.settings.address}\n"
    )
    members = (
        sa.select(account.c.email)
        .join(membership, membership.c.account == account.c.id)
        .where(membership.c.event == found.event_id, account.c.active)
        .order_by(account.c.email)
    )
    for email in connection.scalars(members).all():
        post(connection, email, f"{found.track.title}: phase {phase.name!r} extended", body, portal.now())
