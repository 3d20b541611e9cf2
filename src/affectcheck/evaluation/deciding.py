"""From the score of an action unit to a decision: thresholds that are stated, never guessed from the scores.

A score that equals its threshold is a decision for the unit, whatever the other rows hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.annotations.listing import name_list
from affectcheck.digest import digest_bytes, digest_table
from affectcheck.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.models.card import Output
    from affectcheck.schemes import Target

#: Where a score says by itself what it means; any other score takes a stated threshold.
NATURAL: Final[Mapping[Output, float]] = MappingProxyType({"probability": 0.5, "logit": 0.0})
LONGEST_VALUES: Final = 160
#: Stands in a signature between the rule that was asked for and the values that it found.
GIVES: Final = " gives "
#: The rule where the kind of score says by itself what is present; labels are decided so as well.
BY_KIND: Final = "natural"


@dataclass(frozen=True)
class Thresholds:
    """Score from which each action unit counts as present, in the scores' own scale.

    Attributes:
        values: unit to threshold.
        how: how they were chosen, as it stands in a signature; empty where they were stated.
        notes: what the reader should know, such as a unit for which nothing could be chosen.
        chosen_on: digest of the items and labels they were chosen on; empty where they were stated.
    """

    values: Mapping[str, float] = field(default_factory=dict)
    how: str = ""
    notes: tuple[str, ...] = ()
    chosen_on: str = ""

    def __post_init__(self) -> None:
        """A threshold is a finite number."""
        object.__setattr__(self, "values", {unit: float(value) for unit, value in self.values.items()})
        wild = [unit for unit, value in self.values.items() if not np.isfinite(value)]
        if wild:
            raise InputError(f"the threshold of {name_list(wild)} is no finite number", expected="a number such as 0.5")

    def __hash__(self) -> int:
        """By content, so that options which hold thresholds can be keys."""
        return hash((tuple(sorted(self.values.items())), self.how, self.notes))

    def __str__(self) -> str:
        """As they stand in a signature: the values, one number where all units share it, after how they were chosen."""
        told = ",".join(f"{unit}={self._number(value)}" for unit, value in self.values.items())
        if len(set(self.values.values())) == 1:
            told = self._number(next(iter(self.values.values())))
        elif len(told) > LONGEST_VALUES:
            told = f"{len(self.values)}@{digest_bytes(told)[:12]}"
        return f"{self.how}{GIVES}{told}" if self.how else told

    def told(self, output: Output) -> str:
        """In a sentence.

        Example:
            >>> Thresholds({"AU1": 0.5}, BY_KIND).told("probability")
            'a unit is present from a probability of 0.5 on'
        """
        if self.how == BY_KIND and self.values:
            return f"a unit is present from a {output} of {next(iter(self.values.values())):g} on"
        return f"a unit is present from this {output} on: {self}"

    def _number(self, value: float) -> str:
        """In full where it was stated; what was chosen follows from how it was."""
        return f"{value:g}" if self.how or float(f"{value:g}") == value else repr(value)

    def row(self, units: Sequence[str]) -> np.ndarray:
        """(M,) threshold of each unit."""
        return np.array([self.values[unit] for unit in units], np.float64)


#: What may be told: thresholds by unit, one for all, or None for what the kind of score says by itself.
Told = Thresholds | Mapping[str, float] | float | None


def thresholds_for(told: Told, units: Sequence[str], output: Output, *, also: Sequence[str] = ()) -> Thresholds | None:
    """The thresholds in force for the scored units.

    Args:
        told: what the user stated.
        units: the scored units.
        output: what the scores are.
        also: further units that the model gives, for which a threshold may be stated too.

    Returns:
        One threshold a scored unit; None where the model gives labels, which are decisions already.

    Raises:
        InputError: thresholds for labels, none for scores that need one, a probability above 1, or a unit without one.
        UnknownNameError: a threshold for a unit that there is not.

    Example:
        >>> str(thresholds_for(None, ("AU1",), "logit")), str(thresholds_for(0.3, ("AU1",), "probability"))
        ('natural gives 0', '0.3')
    """
    if output == "label":
        if told is None:
            return None
        raise InputError(
            "a threshold is stated, but the model gives labels, which are decided already",
            expected="no threshold, or the output declared as probability, logit or score",
            cause="scores that were not declared to be some",
        )
    if told is None and output not in NATURAL:
        raise InputError(
            f"nothing says from which {output} on a unit is present",
            expected="a threshold, or validation data to choose one on; or the output declared as probability or logit",
            cause="scores have no scale of their own",
        )
    stated = _stated(NATURAL[output] if told is None else told, units, also)
    if output == "probability":
        outside = [f"{unit}={value:g}" for unit, value in stated.values.items() if not 0.0 <= value <= 1.0]
        if outside:
            raise InputError(
                f"no probability reaches or falls below the threshold {', '.join(outside)}",
                expected="0 to 1",
                cause="a threshold of logits; declare the output as logit",
            )
    return _named(stated, output)


def _stated(told: Thresholds | Mapping[str, float] | float, units: Sequence[str], also: Sequence[str]) -> Thresholds:
    if isinstance(told, int | float):
        return Thresholds(dict.fromkeys(units, float(told)))
    given = told if isinstance(told, Thresholds) else Thresholds(told)
    for unit in given.values:
        if unit not in units and unit not in also:
            raise UnknownNameError.of("action unit in the thresholds", unit, units)
    without = [unit for unit in units if unit not in given.values]
    if without:
        raise InputError(
            f"no threshold for {name_list(without)}",
            expected="one for each of " + ", ".join(units) + ", or a single number for all",
            cause="units that were left out, or that the validation data do not have" if given.how else "",
        )
    return replace(given, values={unit: given.values[unit] for unit in units})


def _named(stated: Thresholds, output: Output) -> Thresholds:
    """By its name where it is what the kind of score says by itself."""
    natural = not stated.how and set(stated.values.values()) == {NATURAL.get(output)}
    return Thresholds(stated.values, BY_KIND, stated.notes) if natural else stated


def hindsight(told: Told, table: AnnotationTable, target: Target) -> tuple[str, ...]:
    """A note where thresholds were chosen on the very items and labels that are scored with them."""
    if not isinstance(told, Thresholds) or not told.chosen_on or told.chosen_on != labels_digest(table, target):
        return ()
    return ("the thresholds were chosen on the very data that are scored: scores in hindsight, which are no result",)


def labels_digest(table: AnnotationTable, target: Target) -> str:
    """Digest of a table's items and their labels, whatever else it says of them."""
    return digest_table(table.frame.select("item", *target.columns))


def decisions(scores: np.ndarray, thresholds: Thresholds | None, units: Sequence[str]) -> np.ndarray:
    """(n, M) int8, 1 where a unit is present; each unit in one piece, as it is counted.

    Example:
        >>> decisions(np.array([[0.4, 0.5], [0.5, 0.1]]), Thresholds({"AU1": 0.5, "AU2": 0.5}), ("AU1", "AU2")).tolist()
        [[0, 1], [1, 0]]
    """
    if thresholds is None:
        return np.asarray(scores.astype(np.int8, order="F"))
    made = np.empty(scores.shape, np.int8, order="F")
    for m, threshold in enumerate(thresholds.row(units)):
        np.greater_equal(scores[:, m], threshold, out=made[:, m].view(bool))
    return made
