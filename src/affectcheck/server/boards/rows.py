"""Rows of teams, with as much of each score as may be shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import sqlalchemy as sa

from affectcheck.server.boards.cells import Columns, columns_of, row_of, value_of
from affectcheck.server.boards.standing import Places, places_of
from affectcheck.server.boards.view import BoardRow, Declared
from affectcheck.server.storage.tables import evaluation, submission, team

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from affectcheck.challenges import BoardValue, Ranked
    from affectcheck.server.boards.cells import Digits
    from affectcheck.server.contests.showing import Shown
    from affectcheck.server.contests.tracks import Contest

_DECLARED: Final = ("method", "link", "uni_task", "pretraining", "other_data")
#: States in which a submission has used up its slot.
_USED: Final = ("scored", "withdrawn", "disqualified")
_NO_PLACES: Final = Places(None, None)


@dataclass(frozen=True)
class Told:
    """What rows are made of.

    Attributes:
        ranked: teams that have a row.
        shown: what is shown of them.
        digits: how values are shown.
    """

    ranked: Sequence[Ranked]
    shown: Shown
    digits: Digits


@dataclass(frozen=True)
class _Values:
    """What is shown of one score."""

    headline: BoardValue
    parts: tuple[BoardValue, ...]
    groups: tuple[BoardValue, ...]
    disparities: tuple[BoardValue, ...]


def rows_of(connection: sa.Connection, contest: Contest, told: Told) -> tuple[tuple[BoardRow, ...], Columns]:
    """Rows of teams in the order of the ranking, and what their cells are of."""
    entries = {row.entry.key: row for row in told.ranked if row.entry is not None}
    details = _details(connection, contest, list(entries))
    values = {key: _values(details[key], contest, told.shown) for key in entries}
    columns = Columns(
        columns_of(one.parts for one in values.values()),
        columns_of(one.groups for one in values.values()),
        columns_of(one.disparities for one in values.values()),
    )
    places = places_of(contest, told.ranked) if told.shown.board else {}
    used = _used(connection, contest)
    made = []
    for key, row in entries.items():
        own = values[key]
        cells: dict[str, Any] = {
            "score": told.digits.cell(own.headline),
            "parts": row_of(own.parts, columns.parts, told.digits),
            "groups": row_of(own.groups, columns.groups, told.digits),
            "disparities": row_of(own.disparities, columns.disparities, told.digits),
        }
        place = row.place if told.shown.board else None
        about = _about(row.team, details[key], places.get(key, _NO_PLACES))
        about |= {"used": used.get(row.team, 0), "limit": contest.track.submissions}
        made.append(BoardRow(kind="team", place=place, **about, **cells))
    return tuple(made), columns


def _about(team_id: str, detail: sa.Row[Any], interval: Places) -> dict[str, Any]:
    """What is told of every submission that has a row, beside its score."""
    return {
        "team": detail.name,
        "team_id": team_id,
        "affiliation": detail.affiliation,
        "submission": detail.id,
        "place_low": interval.low,
        "place_high": interval.high,
        "declared": _declared(detail.declaration),
        "received": detail.received,
    }


def _values(detail: sa.Row[Any], contest: Contest, shown: Shown) -> _Values:
    """What may be shown of a score; what may not gets no further than here."""
    settings = contest.settings
    groups = [one for one in detail.groups if one["attribute"] in settings.groups]
    fairness = settings.fairness_shown or shown.exact
    disparities = [one for one in detail.disparities if fairness and one["attribute"] in settings.groups]
    return _Values(
        value_of(detail.headline),
        tuple(map(value_of, detail.parts if shown.parts else ())),
        tuple(map(value_of, groups)),
        tuple(map(value_of, disparities)),
    )


def _declared(values: Mapping[str, Any]) -> Declared:
    told = {name: values[name] for name in _DECLARED if name in values}
    return Declared(**told, notes=tuple(values.get("notes", ())))


#: Single values of a result are asked for, since it holds a score of every video, too.
_DETAILS: Final = (
    sa.select(
        submission.c.id,
        submission.c.received,
        submission.c.declaration,
        team.c.name,
        team.c.affiliation,
        *(evaluation.c.result[name].label(name) for name in ("headline", "parts", "groups", "disparities")),
    )
    .join(team, team.c.id == submission.c.team)
    .join(evaluation, evaluation.c.submission == submission.c.id)
)


def _details(connection: sa.Connection, contest: Contest, keys: Sequence[str]) -> dict[str, sa.Row[Any]]:
    mine = (evaluation.c.label_set == contest.label_set) & (evaluation.c.scorer == contest.scorer)
    return {row.id: row for row in connection.execute(_DETAILS.where(mine, submission.c.id.in_(keys)))}


def _used(connection: sa.Connection, contest: Contest) -> dict[str, int]:
    """Team to the number of its submissions that were scored and still count against its limit."""
    mine = (submission.c.contest == contest.id) & submission.c.state.in_(_USED) & submission.c.slot.is_not(None)
    asked = sa.select(submission.c.team, sa.func.count()).where(mine).group_by(submission.c.team)
    return {row[0]: row[1] for row in connection.execute(asked)}
