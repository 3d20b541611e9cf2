"""A model's numbers on their way through the steps."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import polars as pl

from affectcheck.errors import InputError
from affectcheck.predictions.steps.sequences import Timeline

if TYPE_CHECKING:
    import numpy as np

    from affectcheck.models.card import ModelCard, Output


@dataclass(frozen=True, eq=False)
class Signal:
    """Numbers of n items, those that a step left without a prediction no longer among them.

    Attributes:
        values: (n, parts) a score a class or unit, or a value a dimension; one-hot where only labels are known.
        card: the model; its output says what the numbers are now.
        timeline: the order of the items.
        notes: sentences about what the steps did.
    """

    values: np.ndarray
    card: ModelCard
    timeline: Timeline
    notes: tuple[str, ...] = ()

    def changed(self, values: np.ndarray, *, output: Output | None = None, note: str = "") -> Signal:
        """Other numbers, of another kind if one is given."""
        card = self.card if output is None else replace(self.card, output=output)
        return replace(self, values=values, card=card, notes=(*self.notes, *([note] if note else [])))

    def only(self, mask: np.ndarray) -> Signal:
        """The items of a mask."""
        timeline = Timeline(self.timeline.frame.filter(pl.Series(mask, dtype=pl.Boolean)))
        return replace(self, values=self.values[mask], timeline=timeline)

    def require_numbers(self, step: str) -> None:
        """Raise where the model returned labels alone.

        Raises:
            InputError: it did.
        """
        if self.card.output == "label":
            raise InputError(
                f"the step {step!r} takes a number for each of {', '.join(self.card.parts)}, "
                f"but the model {self.card.name!r} returned labels alone",
                expected="columns of scores, such as p_anger; or smooth:majority, which takes labels",
                cause="a file with the decided label only",
            )
