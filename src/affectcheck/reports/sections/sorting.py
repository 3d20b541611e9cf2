"""The scores of an attribute by what they say."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from affectcheck.reports.glossary import better_of, is_difference, is_shift, is_worst

if TYPE_CHECKING:
    from collections.abc import Iterable

    from affectcheck.records import Scored


@dataclass(frozen=True)
class Sorted:
    """Scores of one attribute by what they say.

    Attributes:
        by_group: of each group.
        disparities: distances between groups: 0 where all are alike.
        means: scores of each group, averaged.
        worst: scores of the worst group.
        shifts: each group minus all together.
        differences: first group minus second.
    """

    by_group: tuple[Scored, ...]
    disparities: tuple[Scored, ...]
    means: tuple[Scored, ...]
    worst: tuple[Scored, ...]
    shifts: tuple[Scored, ...]
    differences: tuple[Scored, ...]


def sort(scores: Iterable[Scored]) -> Sorted:
    """Sort the scores of an attribute."""
    kinds: dict[str, list[Scored]] = {field.name: [] for field in fields(Sorted)}
    for score in scores:
        kinds[_kind(score)].append(score)
    return Sorted(**{name: tuple(found) for name, found in kinds.items()})


def _kind(score: Scored) -> str:
    if is_difference(score.metric):
        return "differences"
    if is_shift(score.metric):
        return "shifts"
    if is_worst(score.metric):
        return "worst"
    if score.place.group:
        return "by_group"
    return "means" if better_of(score.metric) == "higher" else "disparities"
