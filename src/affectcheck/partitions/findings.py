"""Findings about a partition: a rule, its verdict, why, and the items that offend."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from affectcheck.records.verdict import Status


@dataclass(frozen=True)
class Finding:
    """What one rule says about a partition.

    Attributes:
        rule: short name of the rule.
        status: passed, failed, inconclusive or not applicable.
        reason: why, in words, with the numbers.
        items: those that offend, sorted.
    """

    rule: str
    status: Status
    reason: str
    items: tuple[str, ...] = ()


def judged(rule: str, offending: tuple[str, ...], *, passed: str, failed: str) -> Finding:
    """Passed without offending items, failed with them."""
    return Finding(rule, "failed", failed, offending) if offending else Finding(rule, "passed", passed)
