"""Consistency: do values of dimensions lie where they are expected for the annotated class?

For each dimension and each class that occurs and that something is expected of, the share of predictions within the
expected range, both ends included.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from affectcheck.behaviour.intervals import with_intervals
from affectcheck.behaviour.measured import Measured, Question
from affectcheck.metrics.rules import ratio
from affectcheck.records import Place
from affectcheck.schemes import fold
from affectcheck.tallies import Histogram, Range

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from affectcheck.behaviour import definition
    from affectcheck.behaviour.material import Material
    from affectcheck.behaviour.measured import Setting


@dataclass(frozen=True)
class Expected:
    """Where predictions of a dimension are expected for a class.

    Attributes:
        dimension: place of the dimension among those predicted.
        code: code of the class.
        range: the range.
        name: dimension and class.
    """

    dimension: int
    code: int
    range: definition.Range
    name: str

    @property
    def low(self) -> float:
        """The lower end; minus infinity where the range has none."""
        return -np.inf if self.range.low is None else self.range.low

    @property
    def high(self) -> float:
        """The upper end; infinity where the range has none."""
        return np.inf if self.range.high is None else self.range.high

    @property
    def note(self) -> str:
        """The range in words."""
        ends = [("at least", self.range.low), ("at most", self.range.high)]
        told = " and ".join(f"{word} {end:g}" for word, end in ends if end is not None)
        return f"expected: {self.range.name}, {told}"

    def holds(self, material: Material) -> NDArray[np.bool_]:
        """(n,) whether each prediction lies in the range, compared in its own precision."""
        values = material.prediction[:, self.dimension]
        low, high = (values.dtype.type(end) for end in (self.low, self.high))
        return np.asarray((values >= low) & (values <= high))


def measure_consistency(material: Material, setting: Setting) -> list[Measured]:
    """Share of predictions in the expected range, for every dimension and class that occurs."""
    known = material.labelled()
    expected = expectations(known, setting)
    if not expected:
        reason = "no items of a class that a range is expected of"
        return [Measured(comparison, reason=reason) for comparison in setting.task.comparison]
    tally = _tally(known, expected)
    supports = tuple(int(np.sum(known.truth == one.code)) for one in expected)
    questions = [
        Question(
            comparison,
            tally,
            statistic=_shares,
            places=tuple(Place(part=one.name) for one in expected),
            supports=supports,
            minimum=setting.rules.minimum_per_class,
            reasons=lambda: ("",) * len(expected),
        )
        for comparison in setting.task.comparison
    ]
    notes = {one.name: one.note for one in expected}
    found = with_intervals(questions, known, setting)
    return [replace(one, notes=(*one.notes, notes[one.place.part])) for one in found]


def expectations(material: Material, setting: Setting) -> list[Expected]:
    """What is expected, by dimension, range and class, of the classes that occur.

    Ranges of the mode move the ends of the task's range of the same name, and of the same dimension if they state one.
    """
    codes = {fold(label): code for code, label in enumerate(material.categories)}
    present = set(np.unique(material.truth).tolist())
    found = []
    for index, dimension in enumerate(material.parts):
        for one in setting.task.ranges:
            if one.dimension and fold(one.dimension) != fold(dimension):
                continue
            moved = _moved(one, dimension, setting.rules.ranges)
            for category in one.categories:
                code = codes.get(fold(category))
                if code in present and code is not None:
                    name = f"{dimension} {material.categories[code]}"
                    found.append(Expected(index, code, moved, name))
    return found


def _moved(one: definition.Range, dimension: str, others: tuple[definition.Range, ...]) -> definition.Range:
    for other in others:
        if other.name == one.name and (not other.dimension or fold(other.dimension) == fold(dimension)):
            return one.model_copy(update={"low": other.low, "high": other.high})
    return one


def _tally(material: Material, expected: list[Expected]) -> Histogram:
    """Counts of predictions outside and inside each range; an item counts where its class is the one in question."""
    member = np.column_stack([np.where(material.truth == one.code, 0.0, np.nan) for one in expected])
    inside = np.column_stack([one.holds(material) for one in expected]).astype(np.float64)
    cells, number = material.clusters, material.n_clusters
    return Histogram.of(member, inside, on=Range(bins=2), cells=cells, n_cells=number)


def _shares(tally: Any) -> NDArray[np.float64]:
    return ratio(tally.prediction[..., 1], tally.prediction.sum(axis=-1))
