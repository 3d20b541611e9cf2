"""A board from files of submissions and labels: what a portal shows, without one."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from affectcheck.challenges.board_score import BoardOptions, score_for_board
from affectcheck.challenges.checking import check
from affectcheck.challenges.kept_labels import keep_labels, wanted_of_kept
from affectcheck.challenges.shares import RankInterval, differences, rank_intervals
from affectcheck.errors import InputError
from affectcheck.predictions import no_progress
from affectcheck.uncertainty import ranks

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from affectcheck.challenges.result import BoardScore
    from affectcheck.challenges.shares import PairDifference
    from affectcheck.challenges.track import Track

_UNDRAWN: Final = RankInterval(None, None, None, "no draws were asked for")


@dataclass(frozen=True)
class ScoredOptions:
    """How submissions are scored and ranked.

    Attributes:
        by: groups that scores are told for; None for all single ones that the labels have.
        resamples: of all intervals, the same draws for all submissions; 0 for none.
        seed: of the draws.
        progress: is told submissions done and in all.
    """

    by: tuple[str, ...] | None = None
    resamples: int = 1000
    seed: int = 0
    progress: Callable[[int, int], None] = field(default=no_progress)


@dataclass(frozen=True)
class ScoredRow:
    """A submission's row.

    Attributes:
        name: of the file, without its ending.
        place: 1 is best, shared by equal scores; None where the score is undefined.
        score: of it.
        interval: of its place.
    """

    name: str
    place: int | None
    score: BoardScore
    interval: RankInterval

    def plain(self) -> dict[str, Any]:
        """The row as JSON holds it."""
        place = {"place": self.place, "place_low": self.interval.low, "place_high": self.interval.high}
        return {"name": self.name, **place, "reason": self.interval.reason, **self.score.plain()}


@dataclass(frozen=True)
class ScoredBoard:
    """Submissions by place, those without a score behind all others.

    Attributes:
        rows: of all submissions.
        differences: of neighbours, by the numbers of their rows.
    """

    rows: tuple[ScoredRow, ...]
    differences: tuple[PairDifference, ...]


def scored_board(
    submissions: Sequence[Path], track: Track, labels: Path, options: ScoredOptions | None = None
) -> ScoredBoard:
    """Check, score and rank submissions.

    Args:
        submissions: files, each called after its team.
        track: whose metric ranks.
        labels: whatever ``read_labels`` takes.
        options: groups, draws, progress.

    Raises:
        MissingPathError: a file is not there.
        InputError: no file, two of one name, or the first fault of a file.
    """
    options = options or ScoredOptions()
    names = [path.stem for path in submissions]
    twice = next((name for name in names if names.count(name) > 1), None)
    if not names:
        raise InputError("no submission", expected="one file or more")
    if twice is not None:
        raise InputError(f"two submissions are called {twice!r}", expected="a file of another name for each")
    scores = _scores(submissions, track, labels, options)
    places = _places(scores, track)
    order = sorted(range(len(scores)), key=lambda number: (places[number] or len(scores) + 1, number))
    shares = [scores[number].shares for number in order]
    drawn = {"resamples": options.resamples, "seed": options.seed}
    intervals = rank_intervals(shares, track, **drawn) if options.resamples else [_UNDRAWN] * len(order)
    rows = tuple(
        ScoredRow(names[number], places[number], scores[number], interval)
        for number, interval in zip(order, intervals, strict=True)
    )
    return ScoredBoard(rows, tuple(differences(shares, track, **drawn)) if options.resamples else ())


def _places(scores: Sequence[BoardScore], track: Track) -> list[int | None]:
    """Equal scores share a place; one that is undefined has none."""
    values = [score.headline.value for score in scores]
    found = iter(ranks([value for value in values if value is not None], higher_is_better=track.higher_is_better))
    return [None if value is None else int(next(found)) for value in values]


def _scores(submissions: Sequence[Path], track: Track, labels: Path, options: ScoredOptions) -> list[BoardScore]:
    """One submission at a time is in memory, and the sketches of those before it."""
    scores: list[BoardScore] = []
    with tempfile.TemporaryDirectory() as folder:
        kept = keep_labels(labels, track, Path(folder) / "labels.parquet")
        wanted = wanted_of_kept(kept, track)
        for number, path in enumerate(submissions, 1):
            asked = BoardOptions(
                by=options.by,
                resamples=options.resamples,
                seed=options.seed,
                name=path.stem,
                others={other.stem: score.sketch for other, score in zip(submissions, scores, strict=False)},
            )
            scores.append(score_for_board(check(path, track, wanted=wanted), kept, track, asked))
            options.progress(number, len(submissions))
    return scores
