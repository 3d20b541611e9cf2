"""What a board shows to somebody: plain values, which pages, programs and files are made of alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from datetime import datetime

#: ``ready``: places have intervals; ``computing``: a worker makes them; ``none``: there are none to be had.
StandingState: TypeAlias = Literal["ready", "computing", "none"]
Kind: TypeAlias = Literal["team", "baseline"]


@dataclass(frozen=True)
class Column:
    """What a column beside the score is of.

    Attributes:
        metric: registered name.
        title: for people.
        attribute: column of the labels, of groups and disparities; empty for parts.
        group: of the attribute; empty for disparities and parts.
        part: class, unit or dimension; empty for groups and disparities.
        better: ``higher``, ``lower``, or empty where neither is.
    """

    metric: str
    title: str
    attribute: str = ""
    group: str = ""
    part: str = ""
    better: str = ""


@dataclass(frozen=True)
class Cell:
    """A value as it is shown.

    Attributes:
        text: the value to the digits that are shown; a dash where there is none.
        value: the same as a number; with all its digits for organisers; None where there is none.
        low, high: bounds of the 95 % interval, as ``value``; None where there is none.
        support: items that entered; None where that is not known.
        small: whether few subjects or recordings entered, which is to be said beside it.
        floor: of a disparity, what groups that are dealt out at random reach in 95 % of draws.
        outcome: of a disparity to which a limit applies: ``exceeds``, ``within`` or ``inconclusive``.
        reason: why there is no value; empty where there is one.
    """

    text: str
    value: float | None
    low: float | None = None
    high: float | None = None
    support: int | None = None
    small: bool = False
    floor: float | None = None
    outcome: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Declared:
    """What a team declared of the submission that counts.

    Attributes:
        method: its name.
        link: where it is described, by https; empty for none.
        uni_task: whether no other annotations than those of the track were used; None where it was not asked.
        pretraining: what models had been trained on before.
        other_data: what other data or annotations were used.
        notes: what readers of the board should notice.
    """

    method: str = ""
    link: str = ""
    uni_task: bool | None = None
    pretraining: str = ""
    other_data: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class BoardRow:
    """A team or a baseline.

    Attributes:
        kind: ``team`` or ``baseline``.
        place: 1 is best, shared by scores that are equal as they are shown; None where it has none, or is not told.
        team: name of the team or of the baseline.
        team_id: of the team; empty for baselines.
        affiliation: of the team.
        submission: id of the one that counts; empty for baselines.
        score: by which the track ranks.
        place_low, place_high: bounds of the 95 % interval of its place, both included; None where there are none.
        parts, groups, disparities: in the order of the view's columns.
        declared: of the submission that counts.
        used, limit: submissions that the team has used, of how many.
        received: when the last byte of the one that counts arrived; None for baselines.
        is_own: whether it is the team of whoever looks.
        split, source: of a baseline, the part of the data that it is of, and where it is from.
        comparable: whether its score is of what teams are ranked on.
        better: of a comparable baseline, how many teams are better; None where that is not told.
    """

    kind: Kind
    place: int | None
    team: str
    score: Cell
    team_id: str = ""
    affiliation: str = ""
    submission: str = ""
    place_low: int | None = None
    place_high: int | None = None
    parts: tuple[Cell, ...] = ()
    groups: tuple[Cell, ...] = ()
    disparities: tuple[Cell, ...] = ()
    declared: Declared = Declared()
    used: int = 0
    limit: int = 0
    received: datetime | None = None
    is_own: bool = False
    split: str = ""
    source: str = ""
    comparable: bool = True
    better: int | None = None


@dataclass(frozen=True)
class Disqualified:
    """A submission that was taken off the board, for organisers.

    Attributes:
        submission: its id.
        team: name of its team.
        reason: why.
        received: when its last byte arrived.
    """

    submission: str
    team: str
    reason: str
    received: datetime


@dataclass(frozen=True)
class BoardView:
    """A board, as somebody sees it.

    Attributes:
        slug, title: of the track.
        event_slug, event_title: what it is a part of.
        metric, metric_title: by which it ranks.
        higher_is_better: direction of the ranking.
        split: the part of the data that teams are ranked on.
        digits: behind the point, to which scores are shown and ranked.
        counting: ``best`` or ``chosen``.
        tie_rule: how places are decided, in sentences.
        rows: teams by place; where the ranking is not shown, the own team alone, without a place.
        baselines: scores of reference, those that can be compared first, best first.
        disqualified: for organisers; empty for others.
        part_columns, group_columns, disparity_columns: what the cells of rows are of.
        visible: whether the ranking is shown.
        reason: why it is not; empty where it is.
        standing: whether places have intervals.
        exact: whether values have all their digits, as for organisers.
        ended: whether no phase is open or to come.
        as_of: the moment of which this is true.
        version: of the track; a board of the same version shows the same while no phase begins or ends.
    """

    slug: str
    title: str
    event_slug: str
    event_title: str
    metric: str
    metric_title: str
    higher_is_better: bool
    split: str
    digits: int
    counting: str
    tie_rule: str
    rows: tuple[BoardRow, ...]
    baselines: tuple[BoardRow, ...]
    disqualified: tuple[Disqualified, ...]
    part_columns: tuple[Column, ...]
    group_columns: tuple[Column, ...]
    disparity_columns: tuple[Column, ...]
    visible: bool
    reason: str
    standing: StandingState
    exact: bool
    ended: bool
    as_of: datetime
    version: int

    @property
    def own(self) -> BoardRow | None:
        """The row of the team of whoever looks."""
        return next((row for row in self.rows if row.is_own), None)
