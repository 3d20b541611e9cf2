"""Models beside each other: the difference of two on the same items, and the rank of each among several."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from affectcheck.records.score import Place

if TYPE_CHECKING:
    from affectcheck.records.score import Interval
    from affectcheck.records.signature import Signature


@dataclass(frozen=True)
class Comparison:
    """One metric of two models on the same items and clusters.

    Attributes:
        metric: registered name.
        first, second: the models.
        signature: that of both scores; only the model may differ between them.
        first_value, second_value: the two scores; None where one is undefined.
        difference: first minus second; None where one of them is undefined.
        place: what the scores are of.
        support: items that entered.
        interval: of the difference, from the same resamples for both models.
        p_value: two-sided, of the null that the two models are exchangeable on every cluster.
        p_holm: the same after Holm's correction over the family; None where there is no p-value.
        family: number of tests in the family that was corrected.
        test: how the p-value was made, such as ``permutation of 24 subjects, 10000 draws``.
        reason: why a difference, an interval or a p-value is not given; empty where all are.
        notes: sentences for the reader.
    """

    metric: str
    first: str
    second: str
    signature: Signature
    first_value: float | None
    second_value: float | None
    difference: float | None
    place: Place = field(default_factory=Place)
    support: int = 0
    interval: Interval | None = None
    p_value: float | None = None
    p_holm: float | None = None
    family: int = 1
    test: str = ""
    reason: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Rank:
    """The rank of one model among those compared, by one metric.

    Attributes:
        metric: registered name.
        model: the model.
        value: its score; None where undefined, which ranks nowhere.
        rank: 1 is best; models of equal unrounded scores share the best rank of theirs. None where undefined.
        low, high: interval of the rank over the resamples, both ends included; None where there is none.
        models: number of models that are ranked.
        level: nominal coverage of the interval.
        place: what the scores are of.
        reason: why there is no rank or no interval.
        convention: of the metric, where conventions differ.
    """

    metric: str
    model: str
    value: float | None
    rank: int | None
    low: int | None = None
    high: int | None = None
    models: int = 0
    level: float = 0.95
    place: Place = field(default_factory=Place)
    reason: str = ""
    convention: str = ""
