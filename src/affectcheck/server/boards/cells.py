"""Cells of a board: values as they are shown, to the digits that may be told."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from affectcheck.challenges import BoardValue
from affectcheck.metrics import METRICS
from affectcheck.server.boards.view import Cell, Column
from affectcheck.server.contests.showing import rounded

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

ABSENT: Final = "–"
NOT_COMPUTED: Final = Cell(ABSENT, None, reason="not computed for this submission")
NOT_TOLD: Final = Cell(ABSENT, None, reason="not published")


@dataclass(frozen=True)
class Columns:
    """What the cells of all rows are of, beside the score."""

    parts: tuple[Column, ...] = ()
    groups: tuple[Column, ...] = ()
    disparities: tuple[Column, ...] = ()


@dataclass(frozen=True)
class Digits:
    """How values are shown.

    Attributes:
        shown: digits behind the point of texts.
        told: digits of numbers; None for all.
    """

    shown: int
    told: int | None

    def text(self, value: float) -> str:
        """A value as it stands on the page.

        Example:
            >>> Digits(3, 3).text(-0.0001)
            '0.000'
        """
        return f"{rounded(value, self.shown):.{self.shown}f}"

    def number(self, value: float | None) -> float | None:
        """A value as programs are told it; None for one that no JSON holds."""
        if value is None or not math.isfinite(value):
            return None
        return rounded(value, self.told)

    def cell(self, found: BoardValue) -> Cell:
        """A value of a score."""
        value = self.number(found.value)
        return Cell(
            text=ABSENT if value is None else self.text(value),
            value=value,
            low=self.number(found.low),
            high=self.number(found.high),
            support=found.support,
            small=found.small,
            floor=self.number(found.floor),
            outcome=found.outcome,
            reason=found.reason if value is None else "",
        )

    def stated(self, value: float) -> Cell:
        """A finite value of which nothing more is known, as it was published."""
        return Cell(self.text(value), value)


def value_of(values: Mapping[str, Any]) -> BoardValue:
    """A value of a score, as it is kept."""
    return BoardValue(**{**values, "notes": tuple(values["notes"])})


def columns_of(found: Iterable[Iterable[BoardValue]]) -> tuple[Column, ...]:
    """The columns that the values of several submissions need, each once, in their order."""
    keys: dict[tuple[str, str, str, str], None] = {}
    for values in found:
        keys.update(dict.fromkeys(map(_key, values)))
    return tuple(_column(*key) for key in keys)


def row_of(values: Sequence[BoardValue], columns: Sequence[Column], digits: Digits) -> tuple[Cell, ...]:
    """Cells in the order of the columns."""
    found = {_key(value): value for value in values}
    keys = [(one.metric, one.attribute, one.group, one.part) for one in columns]
    return tuple(digits.cell(found[key]) if key in found else NOT_COMPUTED for key in keys)


def better(metric: str) -> str:
    """Which direction of a metric is better."""
    higher = METRICS.get(metric).higher_is_better
    return "" if higher is None else "higher" if higher else "lower"


def _key(value: BoardValue) -> tuple[str, str, str, str]:
    return value.metric, value.attribute, value.group, value.part


def _column(metric: str, attribute: str, group: str, part: str) -> Column:
    return Column(metric, METRICS.get(metric).title, attribute, group, part, better(metric))
