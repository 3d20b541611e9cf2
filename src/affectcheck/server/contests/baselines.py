"""Scores of reference, which stand beside those of teams."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

import sqlalchemy as sa

from affectcheck.server.contests import texts
from affectcheck.server.contests.contest import Edit, edited, locked_contest
from affectcheck.server.faults import ConflictError, NotThereError, RefusedError
from affectcheck.server.identifiers import new_id
from affectcheck.server.storage.tables import baseline

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from affectcheck.challenges.track_parts import Baseline
    from affectcheck.server.accounts.actors import Actor
    from affectcheck.server.contests.contest import Contest
    from affectcheck.server.portal import Portal

#: Of a track.
MOST_BASELINES: Final = 100
_NAME: Final = 120
_SPLIT: Final = 64
_SOURCE: Final = 400


@dataclass(frozen=True)
class KeptBaseline:
    """A score of reference.

    Attributes:
        id: of the row.
        name: of the method.
        split: the part of the data that it is of.
        score: as stated.
        parts: class, unit or dimension to its score, as stated.
        source: where it is from.
    """

    id: str
    name: str
    split: str
    score: float
    parts: Mapping[str, float]
    source: str


def baselines_of(connection: sa.Connection, contest_id: str) -> tuple[KeptBaseline, ...]:
    """Scores of reference of a track, in the order in which they were added."""
    rows = connection.execute(
        sa.select(baseline).where(baseline.c.contest == contest_id).order_by(baseline.c.created, baseline.c.id)
    )
    return tuple(KeptBaseline(row.id, row.name, row.split, row.score, row.parts, row.source) for row in rows)


def baseline_rows(contest_id: str, found: Sequence[Baseline], now: datetime) -> list[dict[str, Any]]:
    """Rows of the baselines of a track that is made."""
    return [_row(contest_id, one, now + timedelta(microseconds=place)) for place, one in enumerate(found)]


def add_baseline(portal: Portal, actor: Actor, slug: str, found: Baseline) -> Contest:
    """Add a score of reference.

    Raises:
        NotThereError: no such track.
        ConflictError: it is archived, has one of that name and split, or too many.
        RefusedError: a text or number that is not taken.
    """
    now = portal.now()
    with portal.database.write() as connection:
        contest = locked_contest(connection, slug, actor)
        there = baselines_of(connection, contest.id)
        row = _row(contest.id, found, now + timedelta(microseconds=len(there)))
        unknown = sorted(set(found.parts) - set(contest.track.parts))
        if unknown:
            raise RefusedError(
                f"a score of {unknown[0]!r}, which the track does not have",
                code="E_BASELINE",
                expected=f"of {', '.join(contest.track.parts)}",
            )
        if any((one.name, one.split) == (row["name"], row["split"]) for one in there) or len(there) >= MOST_BASELINES:
            raise ConflictError(
                f"a baseline {row['name']!r} is there" if len(there) < MOST_BASELINES else f"{len(there)} baselines",
                code="E_BASELINE_THERE",
                expected=f"another name, and at most {MOST_BASELINES} in all",
            )
        connection.execute(sa.insert(baseline).values(row))
        detail = {name: row[name] for name in ("id", "name", "split", "score", "parts", "source")}
        return edited(connection, portal, actor, contest, Edit("contest.baseline", {}, detail))


def remove_baseline(portal: Portal, actor: Actor, slug: str, baseline_id: str) -> Contest:
    """Remove a score of reference.

    Raises:
        NotThereError: no such track, or no such baseline of it.
        ConflictError: it is archived.
    """
    with portal.database.write() as connection:
        contest = locked_contest(connection, slug, actor)
        there = next((one for one in baselines_of(connection, contest.id) if one.id == baseline_id), None)
        if there is None:
            raise NotThereError("no such baseline", code="E_NO_BASELINE")
        connection.execute(sa.delete(baseline).where(baseline.c.id == baseline_id))
        detail = {"id": there.id, "name": there.name, "split": there.split, "score": there.score}
        return edited(connection, portal, actor, contest, Edit("contest.baseline-removed", {}, detail))


def _row(contest_id: str, found: Baseline, now: datetime) -> dict[str, Any]:
    for value in (found.score, *found.parts.values()):
        if not math.isfinite(value):
            raise RefusedError(f"a baseline with the score {value}", code="E_BASELINE", expected="finite numbers")
    return {
        "id": new_id(now),
        "contest": contest_id,
        "name": texts.line("name of a baseline", found.name, most=_NAME),
        "split": texts.line("split of a baseline", found.split, most=_SPLIT),
        "score": found.score,
        "parts": dict(found.parts),
        "source": texts.line("source of a baseline", found.source, most=_SOURCE),
        "created": now,
    }
