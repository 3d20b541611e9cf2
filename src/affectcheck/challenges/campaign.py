"""A re-scoring before it is shown: which teams would move, which scores differ, and which are lost.

After labels or a scorer were mended, all submissions are scored anew, beside the scores that the board shows. An organiser
sees the difference, and only then the board is switched, as a whole. Nothing here knows a database.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from affectcheck.annotations.listing import name_list, plural
from affectcheck.challenges.ranking import digits_apart, ranking
from affectcheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from affectcheck.challenges.ranking import Counting, Entry, Ranked


@dataclass(frozen=True)
class RankChange:
    """A team before and after.

    Attributes:
        team: its name.
        place_before, place_after: None where it ranks nowhere.
        score_before, score_after: of the submission that counts; None where there is none.
        key_before, key_after: which submission counts; empty where none does.
        reason: why none counts afterwards.
    """

    team: str
    place_before: int | None
    place_after: int | None
    score_before: float | None
    score_after: float | None
    key_before: str
    key_after: str
    reason: str = ""

    @property
    def moves(self) -> bool:
        """Whether its place is another one."""
        return self.place_before != self.place_after

    @property
    def lost(self) -> bool:
        """Whether it had a place and has none any more."""
        return self.place_before is not None and self.place_after is None

    @property
    def differs(self) -> bool:
        """Whether anything about it is another: place, score, or the submission that counts."""
        return self.moves or (self.score_before, self.key_before) != (self.score_after, self.key_after)


@dataclass(frozen=True)
class ScoreChange:
    """A submission before and after.

    Attributes:
        key: its public name.
        team: whose it is.
        before, after: its scores; None where there is none that is finite.
    """

    key: str
    team: str
    before: float | None
    after: float | None


@dataclass(frozen=True)
class RankChanges:
    """What a switch of the board would do.

    Attributes:
        teams: all teams, by their place afterwards, those without one behind the others.
        scores: submissions whose score differs, in the order of their time.
        scored: how many submissions were scored anew.
    """

    teams: tuple[RankChange, ...]
    scores: tuple[ScoreChange, ...]
    scored: int

    @property
    def moved(self) -> tuple[RankChange, ...]:
        """Teams whose place is another one."""
        return tuple(row for row in self.teams if row.moves)

    @property
    def undefined(self) -> tuple[ScoreChange, ...]:
        """Submissions that had a score and have none any more."""
        return tuple(one for one in self.scores if one.after is None)

    def plain(self) -> dict[str, Any]:
        """The values as JSON holds them."""
        return {
            "scored": self.scored,
            "moved": len(self.moved),
            "undefined": [one.key for one in self.undefined],
            "teams": [asdict(row) | {"moves": row.moves} for row in self.teams],
            "scores": [asdict(one) for one in self.scores],
        }

    def text(self) -> str:
        """For the organiser, before the switch: a sentence, then a line for each team of which anything differs."""
        head = (
            f"{plural(self.scored, 'submission')} scored anew: {plural(len(self.scores), 'score')} "
            f"{'differs' if len(self.scores) == 1 else 'differ'}, {plural(len(self.moved), 'team')} "
            f"{'moves' if len(self.moved) == 1 else 'move'}, {plural(len(self.undefined), 'score')} "
            f"{'is' if len(self.undefined) == 1 else 'are'} lost."
        )
        digits = digits_apart(
            [score for row in self.teams for score in (row.score_before, row.score_after) if score is not None]
        )
        return "\n".join([head, *(_line(row, digits) for row in self.teams if row.differs)])


def rank_changes(
    entries: Iterable[Entry], after: Mapping[str, float | None], *, higher_is_better: bool, counting: Counting = "best"
) -> RankChanges:
    """Compare a board with what it would be.

    Args:
        entries: every submission of every team, with the score that the board shows.
        after: the new score of each scored one, by its key; None, NaN or infinite where it is undefined.
        higher_is_better: direction of the metric.
        counting: which submission of a team counts.

    Raises:
        InputError: a scored submission without a new score, since the re-scoring is not done, a score of a submission
            that there is not, or two submissions of one key.
    """
    found = sorted(entries, key=lambda entry: (entry.received, entry.key))
    scored = {entry.key: entry for entry in found if entry.state == "scored"}
    _require_all(found, scored, after)
    renewed = [replace(entry, score=after[entry.key]) if entry.key in scored else entry for entry in found]
    old = {row.team: row for row in ranking(found, higher_is_better=higher_is_better, counting=counting)}
    new = ranking(renewed, higher_is_better=higher_is_better, counting=counting)
    scores = tuple(
        ScoreChange(key, entry.team, _finite(entry.score), _finite(after[key])) for key, entry in scored.items()
    )
    return RankChanges(
        tuple(_change(old[row.team], row) for row in new),
        tuple(one for one in scores if one.before != one.after),
        len(scored),
    )


def _require_all(found: list[Entry], scored: Mapping[str, Entry], after: Mapping[str, float | None]) -> None:
    keys = [entry.key for entry in found]
    if len(set(keys)) < len(keys):
        twice = sorted({key for key in keys if keys.count(key) > 1})
        raise InputError(f"submissions of one key: {name_list(twice)}", expected="a key for each submission")
    missing, unknown = sorted(scored.keys() - after.keys()), sorted(after.keys() - scored.keys())
    if missing:
        raise InputError(
            f"{plural(len(missing), 'submission')} not scored anew: {name_list(missing)}",
            expected="a new score for every scored submission, or that it is undefined",
            cause="a re-scoring that is not done",
        )
    if unknown:
        raise InputError(
            f"{plural(len(unknown), 'new score')} of what is not a scored submission: {name_list(unknown)}",
            expected="keys of scored submissions",
            cause="a submission that was withdrawn or disqualified meanwhile; take its new score away",
        )


def _finite(score: float | None) -> float | None:
    return score if score is not None and math.isfinite(score) else None


def _change(old: Ranked, new: Ranked) -> RankChange:
    before, after = old.entry, new.entry
    return RankChange(
        new.team,
        old.place,
        new.place,
        None if before is None else before.score,
        None if after is None else after.score,
        "" if before is None else before.key,
        "" if after is None else after.key,
        new.reason,
    )


def _line(row: RankChange, digits: int) -> str:
    places = [str(place or "–") for place in (row.place_before, row.place_after)]
    scores = ["–" if score is None else f"{score:z.{digits}f}" for score in (row.score_before, row.score_after)]
    line = f"{_from_to(*places)}  {row.team}  {_from_to(*scores)}"
    if row.reason:
        return f"{line}  {row.reason}"
    return (
        line if row.key_before == row.key_after else f"{line}  counts: {_from_to(row.key_before or '–', row.key_after)}"
    )


def _from_to(before: str, after: str) -> str:
    return before if before == after else f"{before} → {after}"
