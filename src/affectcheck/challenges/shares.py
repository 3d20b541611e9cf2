"""Shares of a score: tallies of a submission by cluster, small enough to be stored, from which places are drawn anew.

All submissions of a board are resampled by the same clusters, so that what is easy or hard about a cluster cancels between
them; no upload and no label is read again.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from io import BytesIO
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from affectcheck.challenges.flags import UNREADABLE
from affectcheck.challenges.result import SCORER
from affectcheck.errors import InputError
from affectcheck.metrics import METRICS
from affectcheck.tallies import Confusion, Moments, Tally, Units
from affectcheck.uncertainty import Resampling, resample
from affectcheck.uncertainty import rank_intervals as intervals_of_ranks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.challenges.track import Track
    from affectcheck.evaluation.sources import Tallies
    from affectcheck.uncertainty import ResampledValues

#: Kinds of tallies that are stored; every metric of the challenges of paper 3 and of the boards of paper 1 is of one.
_KINDS: Final[dict[str, type[Tally]]] = {kind.__name__: kind for kind in (Confusion, Moments, Units)}
_HEADER: Final = "header"


class RankInterval(NamedTuple):
    """Places that a submission may have.

    Attributes:
        low, high: bounds of the 95 % interval, both included; None where there is none.
        place: the observed one; None where the score is undefined.
        reason: why there is no interval; empty where there is one.
    """

    low: int | None
    high: int | None
    place: int | None
    reason: str = ""


class PairDifference(NamedTuple):
    """Two neighbours of a ranking.

    Attributes:
        ahead, behind: their numbers in the list of shares; of equal scores the earlier of the list is ahead.
        value: score of the first minus that of the second.
        low, high: bounds of the 95 % interval; None where there is none.
        apart: whether the interval leaves out 0, so that the two are told apart at this level.
        reason: why there is no interval; empty where there is one.
    """

    ahead: int
    behind: int
    value: float
    low: float | None
    high: float | None
    apart: bool
    reason: str = ""


@dataclass(frozen=True, eq=False)
class _Shares:
    """What the bytes say.

    Attributes:
        header: metric, unit, digest of the labels and version of the scorer.
        tally: (S,) tallies by cluster.
    """

    header: dict[str, str]
    tally: Tally


def shares_of(book: Tallies, track: Track, labels: str) -> bytes:
    """Tallies of a submission by cluster.

    Args:
        book: its tallies.
        track: whose metric they are to serve.
        labels: digest of the labels.

    Returns:
        An npz file; empty where the metric is no function of counts or moments.
    """
    kind = METRICS.get(track.metric).tally
    if kind.__name__ not in _KINDS:
        return b""
    tally = book.by_cluster(kind)
    header = {
        "kind": kind.__name__,
        "metric": track.metric,
        "unit": book.clusters.unit,
        "labels": labels,
        "scorer": SCORER,
    }
    arrays: dict[str, Any] = {name: _small(getattr(tally, name)) for name in tally.TRAILING}
    arrays[_HEADER] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    stored = BytesIO()
    np.savez_compressed(stored, **arrays)
    return stored.getvalue()


def rank_intervals(
    shares: Sequence[bytes], track: Track, *, resamples: int = 1000, seed: int = 0
) -> list[RankInterval]:
    """Intervals of the places of a board's submissions.

    All are ranked anew in each of ``resamples`` draws of clusters, the same for all. Equal scores share the best place of
    theirs. A score that is undefined in a draw has no place in it, and the others are ranked without it; one that is
    undefined in half of the draws or more has no interval. An interval always holds the observed place. Where items have no
    clusters, they are dealt into up to 2000 lots, which are drawn.

    Args:
        shares: of each submission that has a place.
        track: whose metric ranks.
        resamples: number of draws.
        seed: of the draws; with that of the scores, they are those of the scores' intervals.

    Returns:
        One for each, in their order.

    Raises:
        InputError: bytes that are no shares, or shares of other labels, metrics or versions of the scorer.

    Source: percentiles of bootstrapped ranks, Goldstein and Spiegelhalter 1996, J. R. Statist. Soc. A 159, 385-443.
    """
    drawn, missing = _drawn(shares, track, Resampling(resamples, seed))
    if not drawn:
        return [RankInterval(None, None, None, missing) for _ in shares]
    found = intervals_of_ranks(drawn, higher_is_better=track.higher_is_better)
    told = []
    for model in range(len(shares)):
        reason, place = found.reason(model), found.rank[model]
        observed = None if np.isnan(place) else int(place)
        low, high = (None, None) if reason else (int(found.low[model]), int(found.high[model]))
        told.append(RankInterval(low, high, observed, reason))
    return told


def differences(shares: Sequence[bytes], track: Track, *, resamples: int = 1000, seed: int = 0) -> list[PairDifference]:
    """Whether neighbours of a ranking are told apart: the paired interval of the difference of their scores.

    Args:
        shares: of each submission that has a place.
        track: whose metric ranks.
        resamples: number of draws, the same clusters for both of a pair.
        seed: of the draws.

    Returns:
        One for each two neighbours, best first; submissions without a score have none.

    Raises:
        InputError: see ``rank_intervals``.

    Source: paired bootstrap, Efron and Tibshirani 1993, An Introduction to the Bootstrap, chapter 13.
    """
    drawn, _ = _drawn(shares, track, Resampling(resamples, seed))
    sign = -1.0 if track.higher_is_better else 1.0
    points = [float(one.point) for one in drawn]
    order = sorted((n for n, value in enumerate(points) if not np.isnan(value)), key=lambda n: (sign * points[n], n))
    found = []
    for ahead, behind in pairwise(order):
        intervals = (drawn[ahead] - drawn[behind]).intervals()
        reason = intervals.reason()
        low, high = (None, None) if reason else (float(intervals.low), float(intervals.high))
        apart = low is not None and high is not None and not low <= 0.0 <= high
        found.append(PairDifference(ahead, behind, points[ahead] - points[behind], low, high, apart, reason))
    return found


def _drawn(shares: Sequence[bytes], track: Track, options: Resampling) -> tuple[list[ResampledValues], str]:
    """The metric of each submission in the same draws; or none, and the reason."""
    if not shares:
        return [], "no submissions"
    if not any(shares):
        return [], f"{track.metric} is no function of tallies that are stored"
    if not all(shares):
        return [], f"no tallies are stored of submission number {shares.index(b'') + 1}"
    read = [_read(one) for one in shares]
    first = read[0]
    _require_together(read, track)
    how = Resampling(options.resamples, options.seed, unit=first.header["unit"])
    compute = METRICS.get(track.metric).compute
    return [resample(one.tally, how).evaluated(compute) for one in read], ""


def _read(stored: bytes) -> _Shares:
    try:
        with np.load(BytesIO(stored), allow_pickle=False) as found:
            header = json.loads(found[_HEADER].tobytes())
            kind = _KINDS[header["kind"]]
            arrays = {name: _wide(found[name]) for name in kind.TRAILING}
    except UNREADABLE as error:
        raise InputError(f"no shares of a score: {error}", expected="BoardScore.shares as they were stored") from error
    return _Shares(header, kind(**arrays))


def _require_together(read: Sequence[_Shares], track: Track) -> None:
    """All are of one track and of the same labels.

    Raises:
        InputError: they are not.
    """
    first = read[0]
    if first.header["metric"] != track.metric:
        raise InputError(
            f"shares of {first.header['metric']}",
            expected=f"shares of {track.metric}, by which track {track.name!r} ranks",
            cause="a metric that was changed since they were scored",
        )
    for number, other in enumerate(read):
        same = np.array_equal(first.tally.support, other.tally.support)
        if other.header != first.header or not same:
            raise InputError(
                f"shares number 1 and {number + 1} are of other labels, metrics or versions of the scorer",
                expected="submissions that were scored alike",
                cause="labels that were changed, and submissions that were not scored again",
            )


def _small(array: np.ndarray) -> np.ndarray:
    """Counts in four bytes where they fit."""
    if array.dtype.kind == "f" or int(array.max(initial=0)) > np.iinfo(np.int32).max:
        return array
    return array.astype(np.int32)


def _wide(array: np.ndarray) -> Any:
    return array if array.dtype.kind == "f" else array.astype(np.int64)
