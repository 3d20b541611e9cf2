"""Who stands where on a board: one pure function of all submissions, on scores as they are, never on what is shown.

A submission without a finite score ranks nowhere, in either direction, and never hides a better one of its team. Equal
scores share a place and the places behind them are left out (1, 2, 2, 4); within a place the earlier comes first.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias, cast

from affectcheck.challenges.states import STATES, State
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.uncertainty import ranks

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

#: What decides for a team: its best score, or the submission that it chose, and its best where it chose none.
Counting: TypeAlias = Literal["best", "chosen"]

#: Digits behind the point that boards show unless more are needed to tell scores apart.
LEAST_DIGITS: Final = 3
#: More than a float of this size holds.
MOST_DIGITS: Final = 15


@dataclass(frozen=True)
class Entry:
    """A submission, as far as a board needs it.

    Attributes:
        key: its public name.
        team: whose it is.
        received: when its last byte arrived, with a time zone.
        state: only a scored one can rank.
        score: by which the challenge ranks; None where there is none.
        chosen: whether its team chose it to count.
    """

    key: str
    team: str
    received: datetime
    state: State
    score: float | None
    chosen: bool = False

    def __post_init__(self) -> None:
        """States are of the list, times carry their zone."""
        if self.state not in STATES:
            raise UnknownNameError.of("state of a submission", self.state, STATES)
        if self.received.tzinfo is None:
            raise InputError(f"submission {self.key!r} has a time without a zone", expected="a time in UTC")

    @property
    def fault(self) -> str:
        """Why it cannot rank; empty where it can."""
        if self.state != "scored":
            return f"is {self.state}"
        if self.score is None or not math.isfinite(self.score):
            return f"has the score {self.score}, which ranks nowhere"
        return ""


class Ranked(NamedTuple):
    """A team's row.

    Attributes:
        place: 1 is best, shared by equal scores; None where the team has no valid score.
        team: its name.
        entry: the submission that counts; None where there is none.
        reason: why there is none.
    """

    place: int | None
    team: str
    entry: Entry | None
    reason: str = ""


def ranking(entries: Iterable[Entry], *, higher_is_better: bool, counting: Counting = "best") -> tuple[Ranked, ...]:
    """Rank teams.

    Args:
        entries: every submission of every team, in any order.
        higher_is_better: direction of the metric.
        counting: which submission of a team counts.

    Returns:
        Teams by place, within a place by time of the submission that counts, then by name; those without a valid score
        behind all others, by name.
    """
    teams: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        teams[entry.team].append(entry)
    counted = {team: _counted(found, higher_is_better, counting) for team, found in teams.items()}
    valid = sorted(
        (entry for entry in counted.values() if entry is not None), key=lambda entry: (entry.received, entry.team)
    )
    places = ranks([_score(entry) for entry in valid], higher_is_better=higher_is_better).astype(int).tolist()
    rows = [Ranked(place, entry.team, entry) for place, entry in zip(places, valid, strict=True)]
    rows.sort(key=lambda row: row.place or 0)
    without = [Ranked(None, team, None, _why(teams[team])) for team in sorted(teams) if counted[team] is None]
    return (*rows, *without)


def digits_apart(scores: Sequence[float], *, most: int = MOST_DIGITS) -> int:
    """Digits behind the point that tell all unequal scores apart.

    Args:
        scores: finite ones; 0 and -0 are equal.
        most: digits that are never exceeded, such as an organiser's limit on what a board tells of hidden labels.

    Example:
        >>> digits_apart([0.5, 0.50000001, 0.3])
        8
        >>> digits_apart([0.5, 0.50000001, 0.3], most=4)
        4
    """
    unequal = len(set(scores))
    for digits in range(min(LEAST_DIGITS, most), most):
        if len({f"{score:z.{digits}f}" for score in scores}) == unequal:
            return digits
    return most


def _counted(entries: Sequence[Entry], higher_is_better: bool, counting: Counting) -> Entry | None:
    """The submission of a team that counts: of equal ones the earlier."""
    valid = [entry for entry in entries if not entry.fault]
    chosen = [entry for entry in valid if entry.chosen]
    pool = chosen if counting == "chosen" and chosen else valid
    sign = -1.0 if higher_is_better else 1.0
    return min(pool, key=lambda entry: (sign * _score(entry), entry.received, entry.key), default=None)


def _score(entry: Entry) -> float:
    return cast("float", entry.score)  # only of those without a fault


def _why(entries: Sequence[Entry]) -> str:
    ordered = sorted(entries, key=lambda entry: (entry.received, entry.key))
    return "no valid score: " + "; ".join(f"{entry.key} {entry.fault}" for entry in ordered)
