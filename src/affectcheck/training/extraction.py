"""Features and labels of the items of a table, measured by the same run that predicts: pool, faults, progress."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from affectcheck.errors import InputError
from affectcheck.models import FeatureCache, FeatureSetName, ModelCard, feature_set, level_features
from affectcheck.predictions import PredictOptions, predict
from affectcheck.schemes import CategoryScheme, parts

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.media.clip import Item
    from affectcheck.records import Fault
    from affectcheck.schemes import Target
    from affectcheck.training.options import TrainOptions


@dataclass(frozen=True)
class FeatureModel:
    """The features as a model, so that measuring them is a prediction run like any other.

    Attributes:
        measured: which features.
        cache: folder of features.
    """

    measured: FeatureSetName
    cache: Path | None

    @cached_property
    def card(self) -> ModelCard:
        """One dimension a feature."""
        wanted = feature_set(self.measured)
        return ModelCard(
            name=wanted.measured,
            kind="dimensions",
            parts=wanted.names(),
            output="value",
            media=(wanted.medium,),
            rate_hz=wanted.rate_hz,
            low=-inf,
            high=inf,
            digest=wanted.digest(),
        )

    def predict(self, items: Sequence[Item]) -> np.ndarray:
        """Features, (n, d)."""
        cache, wanted = FeatureCache(self.cache, self.measured), feature_set(self.measured)
        return np.array([cache.features(wanted.of(item)) for item in items])


@dataclass(frozen=True, eq=False)
class Material:
    """What can be learned from: features and labels of the items that have features.

    Attributes:
        target: what is learned.
        data: name of the data set, in words.
        keys: item keys, in table order.
        features: (n, d); of the kind ``sensitive``, zeros where a gain changes nothing, so that nothing is learned there.
        truth: categories (n,) int64 label indices, -1 where unknown; dimensions (n, D) and units
            (n, M) float64, NaN where unknown.
        known: (n,) whether an item has a label at all.
        faults: items without features, and cautions.
    """

    target: Target
    data: str
    keys: tuple[str, ...]
    features: np.ndarray
    truth: np.ndarray
    known: np.ndarray
    faults: tuple[Fault, ...]

    def rows(self, items: Sequence[str]) -> np.ndarray:
        """Row numbers of the items that have features, in table order."""
        wanted = frozenset(items)
        return np.flatnonzero([key in wanted for key in self.keys])


def material(table: AnnotationTable, target: Target, *, measured: FeatureSetName, options: TrainOptions) -> Material:
    """Measure the features of every item of a table, and read its labels.

    Raises:
        InputError: too many items have no features.
    """
    if table.height == 0:
        raise InputError("no items to learn from", expected="at least one item in the training part")
    run = PredictOptions(
        workers=options.workers,
        batch=8,
        max_fault_share=options.max_fault_share,
        progress=options.progress,
    )
    done = predict(FeatureModel(measured, options.cache), table, options=run)
    found = table.select(done.items)
    truth = _truth(found, target)
    known = truth >= 0 if truth.ndim == 1 else ~np.isnan(truth).all(axis=1)
    features = done.frame.select(pl.col(feature_set(measured).names())).to_numpy().astype(np.float64)
    if measured == "sensitive":  # a model that hears more than the level leans on what a gain does not change
        features = np.where(level_features(), features, 0.0)
    return Material(target, table.name or "an unnamed data set", tuple(done.items), features, truth, known, done.faults)


def _truth(table: AnnotationTable, target: Target) -> np.ndarray:
    if isinstance(target.scheme, CategoryScheme):
        codes = {label: code for code, label in enumerate(parts(target.scheme))}
        labels = table.frame.get_column(target.name).cast(pl.String)
        return np.array([-1 if label is None else codes[label] for label in labels], dtype=np.int64)
    values = table.frame.select(pl.col(target.columns).cast(pl.Float64).fill_null(np.nan))
    return np.asarray(values.to_numpy(), dtype=np.float64)
