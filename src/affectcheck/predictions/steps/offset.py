"""Offsets added to the scores of classes before the largest one decides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final, Self

from affectcheck.errors import InputError, UnknownNameError
from affectcheck.predictions.steps.registry import STEPS
from affectcheck.predictions.steps.step import ByName, Step, Told, by_name, plain_number
from affectcheck.schemes import fold

if TYPE_CHECKING:
    from affectcheck.predictions.steps.signal import Signal

EXPECTED: Final = "offset:CLASS=NUMBER,CLASS=NUMBER, such as offset:neutral=-0.2"


@STEPS.register("offset")
@dataclass(frozen=True)
class Offset(Step):
    """Add a number to the scores of some classes: a negative one makes the class rarer among the decisions.

    Probabilities are no probabilities afterwards, since they do not sum to 1; they count as scores.

    Attributes:
        values: class to what is added, in the unit of the scores.
    """

    values: ByName

    NAME: ClassVar[str] = "offset"

    def __post_init__(self) -> None:
        """Each class once, in one order."""
        object.__setattr__(self, "values", by_name(self.values, "offset"))

    @classmethod
    def read(cls, told: Told) -> Self:
        """From ``CLASS=NUMBER`` pairs."""
        told.require(0, 0, EXPECTED)
        pairs = {name: text for name, text in told.pairs.items() if name != "fitted"}
        if not pairs:
            raise InputError(f"{told.step!r} is no step", expected=EXPECTED)
        return cls({name: told.number(text, f"offset of {name}") for name, text in pairs.items()}, fitted=told.fitted)

    def words(self) -> tuple[str, ...]:
        """``CLASS=NUMBER`` pairs."""
        return tuple(f"{name}={plain_number(value)}" for name, value in dict(self.values).items())

    def apply(self, signal: Signal) -> Signal:
        """Scores with the offsets of their classes."""
        card = signal.card
        if card.kind != "categories":
            raise InputError(
                f"offsets for the {card.kind} of model {card.name!r}",
                expected="a model of categories",
                cause="a threshold, which decides whether a unit is present"
                if card.kind == "units"
                else "scale, which shifts dimensions",
            )
        signal.require_numbers(self.NAME)
        places = {fold(label): place for place, label in enumerate(card.parts)}
        values = signal.values.copy()
        for name, number in dict(self.values).items():
            if fold(name) not in places:
                raise UnknownNameError.of(f"class in the step {self.NAME!r}", name, card.parts)
            values[:, places[fold(name)]] += number
        return signal.changed(values, output="score" if card.output == "probability" else None)
