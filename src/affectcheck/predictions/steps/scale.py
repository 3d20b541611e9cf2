"""Dimensions rescaled by a straight line, such as one that gives predictions the mean and spread of a validation set."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple, Self

import numpy as np

from affectcheck.errors import InputError, UnknownNameError
from affectcheck.predictions.steps.registry import STEPS
from affectcheck.predictions.steps.step import SHOWN, Step, Told, by_name, plain_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.predictions.steps.signal import Signal
    from affectcheck.predictions.table import PredictionTable

EXPECTED: Final = "scale:DIMENSION=FACTORx+SHIFT, such as scale:valence=1.2x-0.05,arousal=0.9x"
_NUMBER: Final = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_LINE: Final = re.compile(rf"(?P<factor>{_NUMBER})x(?P<shift>[+-]{_NUMBER.removeprefix('[+-]?')})?")


class Line(NamedTuple):
    """``factor * value + shift``."""

    factor: float = 1.0
    shift: float = 0.0

    def __str__(self) -> str:
        """As in a step's text, such as ``1.2x-0.05``."""
        shift = f"{plain_number(self.shift)}" if self.shift < 0 else f"+{plain_number(self.shift)}"
        return f"{plain_number(self.factor)}x{shift if self.shift else ''}"


@STEPS.register("scale")
@dataclass(frozen=True)
class Scale(Step):
    """Put every value of some dimensions on a straight line: ``factor * value + shift``.

    Values may leave the declared range; ``clip`` brings them back.

    Attributes:
        lines: dimension to its line; dimensions that are not named stay as they are.
    """

    lines: Mapping[str, Line] | Iterable[tuple[str, Line]]

    NAME: ClassVar[str] = "scale"

    def __post_init__(self) -> None:
        """Each dimension once, in one order, with a line that tells values apart."""
        pairs = dict(self.lines)
        by_name({name: line.factor for name, line in pairs.items()}, "scale")
        by_name({name: line.shift for name, line in pairs.items()}, "scale")
        flat = [name for name, line in pairs.items() if line.factor == 0.0]
        if flat:
            raise InputError(f"a scale of factor 0 for {flat[0]!r}", expected="another factor than 0")
        object.__setattr__(self, "lines", tuple(sorted(pairs.items())))

    @classmethod
    def read(cls, told: Told) -> Self:
        """From ``DIMENSION=FACTORx+SHIFT`` pairs."""
        told.require(0, 0, EXPECTED)
        pairs = {name: text for name, text in told.pairs.items() if name != "fitted"}
        found = {name: _LINE.fullmatch(text.replace(" ", "")) for name, text in pairs.items()}
        wrong = [name for name, match in found.items() if match is None]
        if wrong or not found:
            given = f"{wrong[0]}={pairs[wrong[0]]}" if wrong else told.step
            raise InputError(f"{given!r} is no step of scale", expected=EXPECTED)
        lines = {
            name: Line(float(match["factor"]), float(match["shift"] or 0.0)) for name, match in found.items() if match
        }
        return cls(lines, fitted=told.fitted)

    def words(self) -> tuple[str, ...]:
        """``DIMENSION=FACTORx+SHIFT`` pairs."""
        return tuple(f"{name}={line}" for name, line in dict(self.lines).items())

    def apply(self, signal: Signal) -> Signal:
        """Values on their lines."""
        card = signal.card
        if card.kind != "dimensions":
            raise InputError(f"a scale for the {card.kind} of model {card.name!r}", expected="a model of dimensions")
        values = signal.values.copy()
        for name, line in dict(self.lines).items():
            if name not in card.parts:
                raise UnknownNameError.of(f"dimension in the step {self.NAME!r}", name, card.parts)
            place = card.parts.index(name)
            values[:, place] = line.factor * values[:, place] + line.shift
        return signal.changed(values)


def fit_scale(truth: AnnotationTable, predictions: PredictionTable, *, target: str | None = None) -> Scale:
    """The lines that give predictions of a validation set the mean and the standard deviation of its truth.

    Args:
        truth: annotations of the validation set.
        predictions: of the same model, for items of it; items without a value of a dimension stay out of its line.
        target: which target of the table; None for its first.

    Returns:
        A line a dimension that both have, with the digest of the annotations that it was fitted on.

    Raises:
        InputError: the target is of another kind, or a dimension has fewer than two values or no spread.
    """
    wanted = truth.target(target)
    shared = [name for name in wanted.columns if name in predictions.parts]
    if wanted.scheme.kind != "dimensions" or predictions.kind != "dimensions" or not shared:
        raise InputError(
            f"a scale of target {wanted.name!r} by predictions of {', '.join(predictions.parts)}",
            expected="dimensions that both have",
        )
    true = {name: f"truth {name}" for name in shared}
    joined = truth.frame.select("item", *shared).rename(true).join(predictions.frame, on="item", how="inner")
    lines = {}
    for name in shared:
        known = joined.drop_nulls(true[name])
        lines[name] = _line(known.get_column(true[name]).to_numpy(), known.get_column(name).to_numpy(), name)
    return Scale(lines, fitted=truth.digest[:SHOWN])


def _line(truth: np.ndarray, prediction: np.ndarray, name: str) -> Line:
    if truth.size < 2 or np.ptp(prediction) == 0.0 or np.ptp(truth) == 0.0:
        raise InputError(
            f"no scale of {name!r} can be fitted: {truth.size} items, of which truth or predictions do not vary",
            expected="at least two items whose truth and predictions differ",
        )
    factor = float(truth.std() / prediction.std())
    return Line(factor, float(truth.mean() - factor * prediction.mean()))
