"""The prediction table: one row an item, with the decision and the scores of one model."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import polars as pl

from affectcheck.digest import digest_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from affectcheck.models.card import ModelCard
    from affectcheck.records import Fault
    from affectcheck.schemes import Kind


def score_column(part: str) -> str:
    """Name of the column that holds a class's score."""
    return f"score_{part}"


@dataclass(frozen=True)
class PredictionTable:
    """What a model predicted.

    Attributes:
        frame: ``item`` (String, unique) and, for categories, ``prediction`` (Enum of the model's labels) with one
            Float64 column ``score_<label>`` a label unless the model returns labels only; for units and dimensions
            one Float64 column a part. Items that could not be predicted are in ``faults``, not here.
        card: the model.
        data: name of the data set.
        faults: items without a prediction, or with a caution.
    """

    frame: pl.DataFrame
    card: ModelCard
    data: str = ""
    faults: tuple[Fault, ...] = ()

    @property
    def kind(self) -> Kind:
        """Categories, units or dimensions."""
        return self.card.kind

    @property
    def parts(self) -> tuple[str, ...]:
        """The model's classes, units or dimensions, in its order."""
        return self.card.parts

    @property
    def has_scores(self) -> bool:
        """Whether there is a number a part; a model of categories may return labels only."""
        return self.kind != "categories" or all(score_column(part) in self.frame.columns for part in self.parts)

    @property
    def items(self) -> pl.Series:
        """The item keys, in table order."""
        return self.frame.get_column("item")

    @property
    def height(self) -> int:
        """Number of predicted items."""
        return self.frame.height

    @cached_property
    def digest(self) -> str:
        """Digest of every value, independent of row order and file format."""
        return digest_table(self.frame)

    def select(self, items: pl.Series | Sequence[str]) -> PredictionTable:
        """The rows of these items, in table order; items without a prediction stay out."""
        wanted = pl.Series("item", items, dtype=pl.String)
        kept = set(wanted)
        return replace(
            self,
            frame=self.frame.filter(pl.col("item").is_in(wanted.implode())),
            faults=tuple(fault for fault in self.faults if fault.item in kept),
        )


def make_predictions(
    items: Sequence[str] | pl.Series,
    values: np.ndarray,
    card: ModelCard,
    *,
    data: str = "",
    faults: tuple[Fault, ...] = (),
) -> PredictionTable:
    """A table from what a model returned.

    Args:
        items: n item keys.
        values: (n, parts) float64, already checked.
        card: the model.
        data: name of the data set.
        faults: items without a prediction, or with a caution.

    Returns:
        The table; the decision of a row of categories is its largest score, ties to the first class.
    """
    columns = [pl.Series("item", items, dtype=pl.String)]
    if card.kind == "categories":
        codes = values.argmax(axis=1) if len(values) else []
        columns.append(pl.Series("prediction", card.parts, dtype=pl.Enum(card.parts)).gather(codes))
    if card.output != "label" or card.kind != "categories":
        name = score_column if card.kind == "categories" else str
        columns += [pl.Series(name(part), values[:, i], dtype=pl.Float64) for i, part in enumerate(card.parts)]
    return PredictionTable(pl.DataFrame(columns), card, data, faults)
