"""Whether models that are better are better elsewhere too: Spearman's rank correlation over models, with its interval."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

_NORMAL: Final = 1.959963984540054  # of a two-sided interval of 95 %
_LEAST: Final = 4


@dataclass(frozen=True)
class RankCorrelation:
    """A rank correlation over models.

    Attributes:
        value: from -1 to 1.
        low, high: 95 % interval by Fisher's transformation with the variance of Bonett and Wright (2000). It takes models
            for independent of each other; those of one family are not, so that it is rather too narrow.
        models: how many.
    """

    value: float
    low: float
    high: float
    models: int


@dataclass(frozen=True)
class NoCorrelation:
    """Why there is none, over how many models."""

    reason: str
    models: int


def rank_correlation(first: Sequence[float], second: Sequence[float]) -> RankCorrelation | NoCorrelation:
    """Spearman's rank correlation of two values of the same models.

    Args:
        first: (M,) one value a model.
        second: (M,) the other.

    Returns:
        The correlation, or why there is none: fewer than 4 models, or equal values of all.

    Example:
        >>> rank_correlation([1, 2, 3, 4, 5], [1, 2, 3, 5, 4]).value
        0.9
    """
    if len(first) < _LEAST:
        return NoCorrelation(
            f"{len(first)} model{'s' * (len(first) != 1)}; a rank correlation needs {_LEAST}", len(first)
        )
    if len(set(first)) == 1 or len(set(second)) == 1:
        return NoCorrelation("all models have the same value", len(first))
    from scipy.stats import spearmanr  # noqa: PLC0415  # `import affectcheck` loads no SciPy

    value = float(spearmanr(first, second).statistic)
    value = 0.0 + round(min(max(value, -1.0), 1.0), 12)
    if abs(value) == 1.0:
        return RankCorrelation(value, value, value, len(first))
    reach = _NORMAL * math.sqrt((1 + value**2 / 2) / (len(first) - 3))
    low, high = (math.tanh(math.atanh(value) + sign * reach) for sign in (-1, 1))
    return RankCorrelation(value, low, high, len(first))
