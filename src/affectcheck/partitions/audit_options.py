"""Against what a partition is judged."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import polars as pl

from affectcheck.errors import InputError
from affectcheck.partitions.adequacy import AdequacyLimits
from affectcheck.partitions.distances import Chance
from affectcheck.partitions.options import PartitionOptions

AUTO: Final = "auto"
NEVER: Final = "none"


@dataclass(frozen=True)
class AuditOptions:
    r"""Against what a partition is judged. The paper states no limits; the defaults are ours.

    Attributes:
        partition: the protocol, what is balanced, and how subjects are found.
        max_deviation: most that the share of a label or group in a set may differ from its share of all items; or
            half the share of the set's largest subject, if that is more: whole subjects allow nothing finer. A shift
            between two sets, which is a total variation, has the same limit.
        size_tolerance: most that the size of a set may differ from the protocol, as a fraction of all items.
        minimum_support: fewest items of a label or group in a set that say anything about it.
        adequacy: how wide an interval each value's support may leave.
        chance: how the random divisions are drawn that distances are compared with.
        views: how several views of one recording are told: ``auto`` for ``LeftVideo…`` and ``RightVideo…``, ``none``,
            or a regular expression on the media path (the item key where there is none) that finds the recording: its
            groups, joined, or the whole match.
        videos: how frames of one video are told: ``auto`` for files in one folder whose names are numbers, ``none``,
            or such an expression.
    """

    partition: PartitionOptions = field(default_factory=PartitionOptions)
    max_deviation: float = 0.05
    size_tolerance: float = 0.05
    minimum_support: int = 5
    adequacy: AdequacyLimits = field(default_factory=AdequacyLimits)
    chance: Chance = field(default_factory=Chance)
    views: str = AUTO
    videos: str = AUTO

    def __post_init__(self) -> None:
        """Limits are numbers that can be kept, rules are expressions."""
        limits = {
            "largest deviation of a share": self.max_deviation,
            "tolerance of a size": self.size_tolerance,
            "widest interval": self.adequacy.width,
            "correlation within subjects": self.adequacy.correlation,
        }
        wrong = [f"a {name} of {limit:g}" for name, limit in limits.items() if not 0 <= limit <= 1]
        if wrong:
            raise InputError(", ".join(wrong), expected="fractions from 0 to 1, such as 0.05 for 5 %")
        if self.minimum_support < 1 or self.chance.draws < 1:
            raise InputError(
                f"a minimum support of {self.minimum_support} items, {self.chance.draws} random divisions",
                expected="1 or more of each",
            )
        for name, rule in (("views", self.views), ("videos", self.videos)):
            if rule not in {AUTO, NEVER}:
                _check(name, rule)


def _check(name: str, rule: str) -> None:
    try:
        pl.Series([""]).str.contains(rule)
    except pl.exceptions.ComputeError as error:
        why = next((line for line in str(error).splitlines() if line.startswith("error: ")), "")
        raise InputError(
            f"the rule for {name} is no regular expression: {why.removeprefix('error: ')}",
            where=rule,
            expected=rf"'{AUTO}', '{NEVER}' or an expression such as (SN\d+), without looking ahead or behind",
        ) from error
