"""Who sees what of a track's scores at a moment; boards and pages of teams ask here, and nowhere else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from affectcheck.server.accounts.actors import Actor
    from affectcheck.server.contests.contest import Contest


@dataclass(frozen=True)
class Shown:
    """What somebody sees.

    Attributes:
        board: whether the ranking is shown.
        own_score: whether a team is told its own score.
        parts: whether scores of classes, units or dimensions are shown.
        exact: whether scores are shown with all their digits, and what concerns organisers alone.
        reason: why the ranking is not shown; empty where it is.
    """

    board: bool
    own_score: bool
    parts: bool
    exact: bool
    reason: str = ""


def ended(contest: Contest, now: datetime) -> bool:
    """Whether no phase is open or to come; a track without phases never ends."""
    phases = contest.track.phases
    return bool(contest.archived) or (bool(phases) and all(phase.state(now) == "after" for phase in phases))


def shown_to(contest: Contest, actor: Actor, now: datetime) -> Shown:
    """What somebody sees of a track at a moment."""
    if actor.organises:
        return Shown(board=True, own_score=True, parts=True, exact=True)
    over = ended(contest, now)
    told = over or contest.settings.feedback == "score"
    reason = _hidden(contest, now, told=told)
    return Shown(not reason, told, over and contest.settings.parts_shown, exact=False, reason=reason)


def _hidden(contest: Contest, now: datetime, *, told: bool) -> str:
    if contest.settings.board == "hidden":
        return "The organisers keep this ranking to themselves."
    if not told:
        return "Scores are told when the last phase has ended."
    hides = [phase.name for phase in contest.track.phases if phase.board == "hidden" and phase.state(now) == "open"]
    if hides and contest.settings.board == "phase" and not contest.archived:
        return f"The ranking is hidden while the phase {hides[0]!r} is open."
    return ""


def rounded(score: float, digits: int | None) -> float:
    """A score as it is shown and ranked.

    Example:
        >>> rounded(0.12345, 3), rounded(-0.0001, 3), rounded(0.12345, None)
        (0.123, 0.0, 0.12345)
    """
    return score if digits is None else float(f"{score:.{digits}f}") + 0.0
