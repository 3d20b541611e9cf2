"""The mean fundamental frequency of every item, measured once and kept by content.

An estimator is run as a model is: decoded once an item, over any number of processes, journalled, resumed after a kill.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from affectcheck.behaviour.applicability import PITCH
from affectcheck.behaviour.column_bins import MEASURED_BY
from affectcheck.media.pitch import mean_pitch, pitch_estimator
from affectcheck.models.card import ModelCard
from affectcheck.predictions import PredictOptions, predict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.media.clip import Item
    from affectcheck.media.pitch import PitchEstimator


@dataclass(frozen=True)
class PitchModel:
    """An estimator in the place of a model.

    Attributes:
        estimator: name of the estimator.
        card: with the estimator's version as its digest.
    """

    estimator: str
    card: ModelCard = field(init=False)

    def __post_init__(self) -> None:
        """The card follows from the estimator, so that kept numbers are never those of another one."""
        found = self._found()
        card = ModelCard(
            f"pitch by {found.name}",
            "dimensions",
            (PITCH,),
            output="value",
            high=600.0,
            digest=f"{found.name} {found.version}",
        )
        object.__setattr__(self, "card", card)

    def predict(self, items: Sequence[Item]) -> np.ndarray:
        """(n, 1) mean frequency in hertz; 0 where no frame is voiced."""
        found = self._found()
        return np.array([[mean_pitch(item.audio, found) or 0.0] for item in items])

    def _found(self) -> PitchEstimator:
        return pitch_estimator(self.estimator)


def add_pitch(
    table: AnnotationTable,
    *,
    estimator: str = "auto",
    cache: Path | None = None,
    workers: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> AnnotationTable:
    """Measure the mean fundamental frequency of every item.

    Args:
        table: the items with their sound. One that has a column ``f0_hz`` is returned as it is.
        estimator: ``praat``, ``autocorrelation``, or ``auto`` for Praat where it is installed.
        cache: folder of what is measured already; a killed run goes on from there.
        workers: processes.
        progress: called with (done, total).

    Returns:
        The table with ``f0_hz``, null where nothing is voiced or the sound cannot be read, and a column that names
        the estimator with its version.

    Raises:
        UnknownNameError: there is no such estimator.
        ExtraMissingError: Praat is wanted and not installed.
    """
    if PITCH in table.frame.columns:
        return table
    model = PitchModel(pitch_estimator(estimator).name)
    options = PredictOptions(cache=cache, workers=workers, batch=8, max_fault_share=1.0, progress=progress)
    found = predict(model, table, options=options).frame.select("item", PITCH)
    voiced = pl.when(pl.col(PITCH) > 0.0).then(pl.col(PITCH)).alias(PITCH)
    measured = table.frame.join(found, on="item", how="left", maintain_order="left").with_columns(
        voiced, pl.lit(model.card.digest).alias(f"{PITCH}{MEASURED_BY}")
    )
    return replace(table, frame=measured)
