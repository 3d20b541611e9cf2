"""Findings about a partition: a rule, its verdict, why, and the items that offend."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from affectcheck.records.verdict import Status

#: What the points of the protocol ask for (paper 1, section II-B).
POINTS: Final = {
    "i": "three sets: training, validation and test",
    "ii": "an adequate amount of data and subjects in each set",
    "iii": "similar distributions of labels, age, race and gender in each set",
    "iv": "no subject in two sets",
    "v": "affect labels made by hand only",
    "vi": "the protocol's metrics",
    "vii": "one annotation format",
}
_SHOWN: Final = 8


@dataclass(frozen=True)
class Finding:
    """What one rule says about a partition.

    Attributes:
        rule: short name of the rule.
        status: passed, failed, inconclusive or not applicable.
        reason: why, in words, with the numbers.
        items: those that offend, sorted.
        point: the point of the protocol that the rule belongs to, ``i`` to ``vii`` (see ``POINTS``); empty for none.
    """

    rule: str
    status: Status
    reason: str
    items: tuple[str, ...] = ()
    point: str = ""


def judged(rule: str, offending: tuple[str, ...], *, passed: str, failed: str, point: str = "") -> Finding:
    """Passed without offending items, failed with them."""
    status: Status = "failed" if offending else "passed"
    return Finding(rule, status, failed if offending else passed, offending, point)


def no_offenders() -> pl.DataFrame:
    """An empty frame of offending items."""
    return pl.DataFrame(schema={"value": pl.String, "item": pl.String, "set": pl.String})


@dataclass(frozen=True, eq=False)
class Judgement:
    """A finding with the items that offend, one row an item.

    Attributes:
        finding: the verdict.
        offending: ``value`` (the subject, recording or copy that the item shares, or why it offends), ``item``,
            ``set`` (null where the item is in none), by value and item.
    """

    finding: Finding
    offending: pl.DataFrame = field(default_factory=no_offenders)


def offending_of(judgements: Iterable[Judgement]) -> pl.DataFrame:
    """Every offending item: ``rule``, ``value``, ``item``, ``set``."""
    frames = [
        entry.offending.select(pl.lit(entry.finding.rule).alias("rule"), "value", "item", "set")
        for entry in judgements
        if entry.offending.height
    ]
    return pl.concat(frames) if frames else no_offenders().insert_column(0, pl.Series("rule", [], dtype=pl.String))


def listed(texts: Sequence[str], *, shown: int = _SHOWN, separator: str = "; ") -> str:
    """The first of many, and how many more there are.

    Example:
        >>> listed(["a", "b", "c"], shown=2)
        'a; b and 1 more'
    """
    more = f" and {len(texts) - shown} more" if len(texts) > shown else ""
    return separator.join(texts[:shown]) + more


def counted(number: int, nouns: str) -> str:
    """A number and what is counted.

    Args:
        number: how many.
        nouns: the plural, a noun with an s first.

    Example:
        >>> counted(2, "videos of several persons"), counted(1, "videos of several persons")
        ('2 videos of several persons', '1 video of several persons')
    """
    if number != 1:
        return f"{number} {nouns}"
    first, *rest = nouns.split(" ")
    return " ".join(("1", first.removesuffix("s"), *rest))
