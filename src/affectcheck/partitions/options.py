"""What a partition is asked to be."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from affectcheck.annotations.listing import name_list
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.partitions.protocol import read_protocol
from affectcheck.partitions.set_names import default_names
from affectcheck.schemes import PROVENANCES

if TYPE_CHECKING:
    from collections.abc import Sequence

#: ``subjects`` that are no rule.
COLUMN: Final = "column"
NONE: Final = "none"
_SEVERAL: Final = ("names", "targets", "groups", "together", "provenance")
_SOURCES: Final = ("item", "media")

#: Tolerance with which seeds give partitions that differ, for what is repeated over several of them.
VARIED_PP: Final = 0.75


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
        factors = [self.effort, *([] if self.seconds is None else [self.seconds])]
        if self.nodes < 0 or not all(factor > 0 and math.isfinite(factor) for factor in factors):
            raise InputError(
                f"a budget of {self.nodes} nodes, effort {self.effort}, {self.seconds} seconds",
                expected="nodes of 0 or more; effort and seconds above 0, and finite",
            )


@dataclass(frozen=True)
class PartitionOptions:
    r"""How to partition a table.

    Attributes:
        protocol: shares of the sets in percent, joined by hyphens; ``55-15-30`` is the fair protocol (paper 1,
            section II-B). Commas and fractions that add up to 1 are read too, and written in percent.
        names: of the sets, in the order of the protocol; empty for train, validation and test, for train and test
            of two sets, and for set-1 and so on of more.
        seed: picks one of the best partitions, or of those within the tolerance, and which alike items go where.
        targets: whose labels are balanced; None for the table's first target, an empty tuple for none.
        groups: group columns that are balanced; None for all, an empty tuple for none.
        subjects: ``column`` (the table names them), ``none`` (there are none: items are independent), or a regular
            expression that finds the subject in the item key, such as ``SN\d+``; its first group, if it has one. An
            item in which that group takes no part, or is empty, has no subject.
        subject_source: where that expression looks: ``item`` or ``media``.
        together: columns whose equal values keep items in one set, such as the session. ``media`` also keeps the
            persons of one video together, who are told apart by ``_left`` and ``_right`` behind its name, and the
            views of one recording, such as ``LeftVideo1`` and ``RightVideo1``; a table without media is looked at by
            its item keys and subjects.
        tolerance_pp: how much worse than the best found partition, in percentage points of the mean deviation, one
            may be that the seed picks: 0 for the best only, ``VARIED_PP`` for several that differ. With fewer than
            three subjects a set always the best only.
        provenance: how affect labels may have been made (paper 1, section II-B, rule v): items whose labels were
            made otherwise are left out and counted. Of ``manual``, ``semi-automatic``, ``automatic``.
        budget: how much work may be spent.
        allow_contradictions: whether one subject may have two genders, sexes or races; each item then counts by its
            own value.
    """

    protocol: str = "55-15-30"
    names: tuple[str, ...] = ()
    seed: int = 0
    targets: tuple[str, ...] | None = None
    groups: tuple[str, ...] | None = None
    subjects: str = COLUMN
    subject_source: str = "item"
    together: tuple[str, ...] = ("media",)
    tolerance_pp: float = 0.0
    provenance: tuple[str, ...] = ("manual",)
    budget: Budget = field(default_factory=Budget)
    allow_contradictions: bool = False

    def __post_init__(self) -> None:
        """The shares add up, the names fit, the rule is an expression."""
        for name in _SEVERAL:
            object.__setattr__(self, name, _several(name, getattr(self, name)))
        object.__setattr__(self, "protocol", read_protocol(self.protocol).text)
        object.__setattr__(self, "names", self.names or default_names(len(self.ratios)))
        _check_names(self.names, self.protocol, len(self.ratios))
        if not self.provenance:
            raise InputError("no provenance is allowed", expected=f"one or more of {', '.join(PROVENANCES)}")
        for name in self.provenance:
            if name not in PROVENANCES:
                raise UnknownNameError.of("provenance", name, PROVENANCES)
        if self.subject_source not in _SOURCES:
            raise UnknownNameError.of("source of subjects", self.subject_source, _SOURCES)
        if not (self.tolerance_pp >= 0 and math.isfinite(self.tolerance_pp)):
            raise InputError(f"tolerance_pp is {self.tolerance_pp}", expected="0 or more percentage points")
        if self.subjects not in {COLUMN, NONE}:
            _check_rule(self.rule)

    @property
    def ratios(self) -> tuple[float, ...]:
        """Target shares of the sets, as fractions."""
        return read_protocol(self.protocol).ratios

    @property
    def rule(self) -> str:
        """The expression that finds the subject; empty where none is used."""
        return "" if self.subjects in {COLUMN, NONE} else self.subjects


def _several(what: str, names: Sequence[str] | None) -> tuple[str, ...] | None:
    """A tuple of distinct names; one text is a mistake, since it would be taken letter by letter."""
    if names is None:
        return None
    if isinstance(names, str):
        raise InputError(f"{what} is one text, {names!r}", expected=f"several names, such as ({names!r},)")
    twice = sorted({name for name in names if list(names).count(name) > 1})
    if twice and what != "names":  # of which all are told
        raise InputError(f"{what}: {name_list(twice)} named more than once", expected="each name once")
    return tuple(names)


def _check_names(names: tuple[str, ...], protocol: str, sets: int) -> None:
    folded = {name.strip().casefold() for name in names}
    if len(folded) < len(names) or len(names) != sets:
        raise InputError(
            f"protocol {protocol!r} has {sets} sets, but the names are {', '.join(names)}",
            expected="one distinct name a set",
        )
    if any(name != name.strip() or not name.isprintable() or not name for name in names):
        raise InputError(
            f"names of sets: {', '.join(map(repr, names))}",
            expected="names without surrounding blanks and control characters",
        )


def _check_rule(rule: str) -> None:
    expected = r"'column', 'none' or an expression such as SN\d+"
    try:
        compiled = re.compile(rule)
    except re.error as error:
        raise InputError(
            f"the rule for subjects, '{rule}', is no regular expression: {error}", expected=expected
        ) from error
    if compiled.search("") is not None:
        raise InputError(f"the rule for subjects, '{rule}', finds one in the empty text", expected=expected)
