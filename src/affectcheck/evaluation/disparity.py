"""A metric over groups in one convention: its value, those of its action units or dimensions, and what they say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from affectcheck.metrics import Worst
from affectcheck.records import Decision
from affectcheck.uncertainty import decide

if TYPE_CHECKING:
    from affectcheck.evaluation.grouping import Attribute
    from affectcheck.metrics import Metric
    from affectcheck.records import NoiseFloor, Signature
    from affectcheck.tallies import Tally


class Disparity(NamedTuple):
    """A metric over groups, in one convention."""

    metric: Metric
    convention: str

    @property
    def has_parts(self) -> bool:
        """Whether it has a value for each action unit or dimension."""
        return self.metric.kind in ("units", "dimensions") and self.metric.parts is not None

    @property
    def is_worst(self) -> bool:
        """Whether it is the value of one group, the worst, and no distance between groups."""
        return isinstance(self.metric.compute, Worst)

    @property
    def turned(self) -> float:
        """By what values are multiplied so that more is worse; noise floors speak of the worse end."""
        return -1.0 if self.is_worst and self.metric.higher_is_better else 1.0

    def parts(self, tally: Tally) -> np.ndarray:
        """(..., parts) values of tallies (..., G)."""
        if not self.has_parts or self.metric.parts is None:
            return np.empty((*tally.shape[:-1], 0))
        return np.asarray(self.metric.parts(tally, convention=self.convention))

    def number(self, tally: Tally, parts: tuple[str, ...]) -> int:
        """How many values ``values`` gives, of tallies of these classes, units or dimensions."""
        return 1 + (len(self.metric.part_names(tally, parts)) if self.has_parts else 0)

    def values(self, tally: Tally) -> np.ndarray:
        """(..., 1 + parts) the value of tallies (..., G), then those of its parts."""
        whole = np.asarray(self.metric.compute(tally, convention=self.convention))
        return np.concatenate([whole[..., None], self.parts(tally)], axis=-1)


@dataclass(frozen=True)
class Between:
    """A disparity over those groups of an attribute that count, (G,) tallies; ``reason``: why there is no value."""

    of: Disparity
    attribute: Attribute
    kept: list[int]
    tally: Tally
    signature: Signature
    reason: str

    @property
    def names(self) -> tuple[str, ...]:
        """The groups that count."""
        return tuple(self.attribute.groups[g] for g in self.kept)


def decided(value: float, floor: NoiseFloor | None, limit: float, few: str) -> Decision:
    """The three-way decision on a disparity, with its reason.

    Args:
        value: the disparity.
        floor: its noise floor; None where there is none.
        limit: the largest value that is accepted.
        few: why the support is too small to decide anything; empty where it is not.
    """
    if few:
        return Decision("inconclusive", limit, few)
    outcome = decide(value, floor, limit)
    chance = f"{floor.quantile:.{_decimals(value, floor.quantile)}f}" if floor else "an unknown value"
    reason = {
        "within": f"within the limit of {limit:g}: no unfairness detected at this support",
        "exceeds": f"above the limit of {limit:g} and above the {chance} that groups dealt out at random reach",
        "inconclusive": f"above the limit of {limit:g}, but groups dealt out at random reach {chance} at this support",
    }[outcome]
    return Decision(outcome, limit, reason)


def _decimals(first: float, second: float) -> int:
    """As many as tell two numbers apart, three or more."""
    return next((d for d in range(3, 9) if f"{first:.{d}f}" != f"{second:.{d}f}"), 3)
