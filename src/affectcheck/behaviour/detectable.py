"""The smallest true difference between groups that a support would show, with a power of 0.8.

A difference fails where it reaches its threshold and exceeds its noise floor. Both hold of what is observed, which
lies about the true difference; so the true one must lie beyond both, by as much as chance takes from it in one run of
five. Two things grow with a true difference d, and are counted as they would be if it were there:

| what | how |
|---|---|
| noise floor | groups are dealt out over subjects of whom some then differ; the variance of what deals show grows by d² over the number of subjects |
| spread | shares vary the more, the closer they are to a half, correlations to 0, errors the larger they are; the group may lie on either side of all, and the side on which it varies more is taken |

Distances between groups say nothing of which groups lie apart. Theirs holds of groups that lie evenly apart: dealt
out, G groups lie apart by the square root of G over the number of subjects of what they did, on average; single deals
by more, as far as their mean over G - 1 independent differences varies. Local scores have no such size: they grow with
the square of what groups differ by.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.behaviour.fairness_disparities import LOCAL
from affectcheck.behaviour.thresholds import POWER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from affectcheck.behaviour.measured import Question
    from affectcheck.records import NoiseFloor

    Floats = NDArray[np.float64]

#: Differences that are looked at; between them, the one that is found is interpolated.
_STEPS: Final = 2000
#: Standard deviation of the distance between two values drawn from one normal distribution, over its mean.
_HALF_NORMAL: Final = (np.pi / 2 - 1) ** 0.5
_SHARES: Final = (
    "accuracy",
    "f1_macro",
    "precision",
    "recall",
    "share",
    "uap",
    "uar",
    "unchanged",
    "unit_recall",
    "unit_uar",
)
_CORRELATIONS: Final = ("ccc", "pcc")
#: Where values of a metric vary most; those of other metrics vary the same everywhere.
_WIDEST: Final[Mapping[str, float]] = {
    **dict.fromkeys(_SHARES, 0.5),
    **dict.fromkeys(_CORRELATIONS, 0.0),
    "mae": np.inf,
}


@dataclass(frozen=True)
class Seen:
    """What chance shows of one difference.

    Attributes:
        floor: size that all differences of a family keep at once where groups are dealt out.
        spread: standard deviation over the deals.
        clusters: what groups are dealt out over.
        limit: size that must be reached as well.
        metric: of which groups differ.
        level: its value for all groups together; None where it plays no part.
        share: of the items, that the group has.
        groups: number of groups, for distances between them.
        centre: mean of a distance over the deals, 0 for what has a sign.
    """

    floor: float
    spread: float
    clusters: int
    limit: float = 0.0
    metric: str = ""
    level: float | None = None
    share: float = 0.0
    groups: int = 2
    centre: float = 0.0


def smallest_found(seen: Seen) -> float | None:
    """The smallest true difference up to 1 that would be found with a power of 0.8; None where none would.

    Args:
        seen: what chance shows.

    Example:
        >>> round(smallest_found(Seen(0.03, 0.01, 100)), 4), smallest_found(Seen(0.1, 0.01, 100))
        (0.0408, None)

        A group of which .1 of the predictions change varies more where more of them do.

        >>> round(smallest_found(Seen(0.03, 0.01, 100, metric="unchanged", level=0.9, share=0.25)), 4)
        0.0448
    """
    size = np.linspace(0.0, 1.0, _STEPS + 1)
    wider = _variance(seen, size)
    needed = np.maximum(seen.limit, _floor(seen, size, wider))
    lacking = needed + NormalDist().inv_cdf(POWER) * seen.spread * np.sqrt(wider) - size
    enough = np.flatnonzero(lacking <= 0)
    if not enough.size:
        return None
    after = int(enough[0])
    if after == 0:
        return 0.0
    low, high = lacking[after - 1], lacking[after]
    return float(size[after - 1] + (size[after] - size[after - 1]) * low / (low - high))


def found_beyond(question: Question, index: int, floor: NoiseFloor | None, spread: float, limit: float) -> float | None:
    """The smallest true difference at a place of a question; None where there is no floor.

    Args:
        question: what was asked.
        index: of the place.
        floor: its noise floor.
        spread: standard deviation over the deals.
        limit: size that must be reached as well.
    """
    metric = question.comparison.metric
    if floor is None or metric in LOCAL:
        return None
    return smallest_found(
        Seen(
            floor.quantile,
            spread,
            question.tally.shape[0],
            limit,
            metric,
            question.levels[index] if question.levels else None,
            question.shares[index],
            question.tally.shape[1],
            floor.mean if question.unsigned else 0.0,
        )
    )


def _variance(seen: Seen, size: Floats) -> Floats:
    """How many times as much the group varies as all, where it differs from all, itself among them, by a size."""
    if seen.level is None or seen.metric not in _WIDEST:
        return np.ones_like(size)
    gap = size / max(1.0 - seen.share, 1e-9)
    furthest = np.clip(_WIDEST[seen.metric], seen.level - gap, seen.level + gap)
    now = float(_varying(seen.metric, np.asarray(seen.level)))
    return _varying(seen.metric, furthest) / now if now > 0 else np.ones_like(size)


def _varying(metric: str, level: Floats) -> Floats:
    """Variance of one item, up to a factor."""
    if metric in _SHARES:
        return np.asarray(level * (1.0 - level))
    return np.asarray((1.0 - level**2) ** 2 if metric in _CORRELATIONS else level**2)


def _floor(seen: Seen, size: Floats, wider: Floats) -> Floats:
    """The noise floor where groups differ by a size."""
    factor = (seen.floor - seen.centre) / seen.spread if seen.spread > 0 else 0.0
    clusters = max(1, seen.clusters)
    if seen.centre > 0:
        apart = (1.0 + factor * _HALF_NORMAL / max(1, seen.groups - 1) ** 0.5) ** 2 * seen.groups / clusters
        return np.asarray(np.sqrt(seen.floor**2 + apart * size**2))
    own = seen.spread**2 * (1.0 + seen.share * (wider - 1.0))
    return np.asarray(factor * np.sqrt(own + size**2 / clusters))
