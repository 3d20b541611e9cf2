"""What a partition is asked to be."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from affectcheck.errors import InputError, UnknownNameError

#: ``subjects`` that are no rule.
COLUMN: Final = "column"
NONE: Final = "none"
_SOURCES: Final = ("item", "media")


@dataclass(frozen=True)
class Budget:
    """How much work may be spent on a good partition. Counted, so that the result depends on no clock, unless asked.

    Attributes:
        nodes: of the mixed-integer programme, at most; 0 for none.
        effort: factor on the steps of every search.
        seconds: wall-clock time after which the best so far is taken; the manifest then says that the partition
            cannot be reproduced. None for no clock.
    """

    nodes: int = 1000
    effort: float = 1.0
    seconds: float | None = None

    def __post_init__(self) -> None:
        """No negative work."""
        if self.nodes < 0 or not self.effort > 0 or (self.seconds is not None and not self.seconds > 0):
            raise InputError(
                f"a budget of {self.nodes} nodes, effort {self.effort}, {self.seconds} seconds",
                expected="nodes of 0 or more; effort and seconds above 0",
            )


@dataclass(frozen=True)
class PartitionOptions:
    r"""How to partition a table.

    Attributes:
        protocol: shares of the sets in percent, joined by hyphens; ``55-15-30`` is the fair protocol (paper 1,
            section II-B).
        names: of the sets, in the order of the protocol.
        seed: picks one of the near-optimal partitions, and which alike items go where.
        targets: whose labels are balanced; None for the table's first target, an empty tuple for none.
        groups: group columns that are balanced; None for all, an empty tuple for none.
        subjects: ``column`` (the table names them), ``none`` (there are none: items are independent), or a regular
            expression that finds the subject in the item key, such as ``SN\d+``; its first group, if it has one.
        subject_source: where that expression looks: ``item`` or ``media``.
        together: columns whose equal values keep items in one set, such as the recording; columns that the table
            lacks are passed over.
        tolerance_pp: how much worse than the best found partition, in percentage points of the mean deviation, one
            may be that the seed picks. 0 for the best only, as with fewer than three subjects a set.
        provenance: how affect labels may have been made (paper 1, section II-B, rule v): items whose labels were
            made otherwise are left out and counted. Of ``manual``, ``semi-automatic``, ``automatic``.
        budget: how much work may be spent.
    """

    protocol: str = "55-15-30"
    names: tuple[str, ...] = ("train", "validation", "test")
    seed: int = 0
    targets: tuple[str, ...] | None = None
    groups: tuple[str, ...] | None = None
    subjects: str = COLUMN
    subject_source: str = "item"
    together: tuple[str, ...] = ("media",)
    tolerance_pp: float = 0.75
    provenance: tuple[str, ...] = ("manual",)
    budget: Budget = field(default_factory=Budget)

    def __post_init__(self) -> None:
        """The shares add up, the names fit, the rule is an expression."""
        if len(set(self.names)) < len(self.names) or len(self.names) != len(self.ratios):
            raise InputError(
                f"protocol {self.protocol!r} has {len(self.ratios)} sets, but the names are {', '.join(self.names)}",
                expected="one distinct name a set",
            )
        if self.subject_source not in _SOURCES:
            raise UnknownNameError.of("source of subjects", self.subject_source, _SOURCES)
        if not self.tolerance_pp >= 0:
            raise InputError(f"tolerance_pp is {self.tolerance_pp}", expected="0 or more percentage points")
        if self.rule:
            _compiled(self.rule)

    @property
    def ratios(self) -> tuple[float, ...]:
        """Target shares of the sets, as fractions."""
        return parse_protocol(self.protocol)

    @property
    def rule(self) -> str:
        """The expression that finds the subject; empty where none is used."""
        return "" if self.subjects in {COLUMN, NONE} else self.subjects


def parse_protocol(text: str) -> tuple[float, ...]:
    """Shares in percent, joined by hyphens, as fractions.

    Raises:
        InputError: not at least two positive numbers that add up to 100.

    Example:
        >>> parse_protocol("55-15-30")
        (0.55, 0.15, 0.3)
    """
    try:
        percents = [float(part) for part in text.split("-")]
    except ValueError:
        percents = []
    if len(percents) < 2 or not min(percents) > 0 or abs(sum(percents) - 100) > 1e-9:
        raise InputError(
            f"not a protocol: {text!r}", expected="positive percentages that add up to 100, such as 55-15-30 or 80-20"
        )
    return tuple(percent / 100 for percent in percents)


def _compiled(rule: str) -> re.Pattern[str]:
    try:
        return re.compile(rule)
    except re.error as error:
        raise InputError(
            f"the rule for subjects is no regular expression: {error}",
            where=rule,
            expected=r"'column', 'none' or an expression such as SN\d+",
        ) from error
