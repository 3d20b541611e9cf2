"""What is there of a set of predictions while it is made: numbers in one array, and the faults of few items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from affectcheck.predictions.checks import outside_range
from affectcheck.predictions.table import make_predictions
from affectcheck.records import Fault

if TYPE_CHECKING:
    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.models.card import ModelCard
    from affectcheck.predictions.outcomes import Outcome
    from affectcheck.predictions.table import PredictionTable

OUTSIDE: Final = "outside the declared range"


class Gathered:
    """The outcomes of one set, by the place of each item in the table.

    Args:
        items: number of items.
        parts: numbers of a prediction.
    """

    def __init__(self, items: int, parts: int) -> None:
        self.values = np.zeros((items, parts))
        self.predicted = np.zeros(items, bool)
        self.settled = np.zeros(items, bool)
        self.faults: dict[int, tuple[Fault, ...]] = {}

    def add(self, outcome: Outcome) -> None:
        """Take what became of an item."""
        self.settled[outcome.place] = True
        if outcome.values is not None:
            self.values[outcome.place] = outcome.values
            self.predicted[outcome.place] = True
        if outcome.faults:
            self.faults[outcome.place] = outcome.faults

    def table(self, table: AnnotationTable, card: ModelCard, more: tuple[Fault, ...] = ()) -> PredictionTable:
        """The finished set, in the order of the table.

        Args:
            table: the items.
            card: the model.
            more: faults of the whole set.
        """
        places = np.flatnonzero(self.predicted)
        values = self.values[places]
        keys = table.items.cast(pl.String).gather(places)
        faults = dict(self.faults)
        for row, told in outside_range(values, card).items():
            place = int(places[row])
            faults[place] = (*faults.get(place, ()), Fault(keys[row], OUTSIDE, told, "warning"))
        listed = tuple(fault for place in sorted(faults) for fault in faults[place])
        return make_predictions(keys, values, card, data=table.name, faults=listed + more)
