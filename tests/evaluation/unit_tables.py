"""Small tables of action units for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from affect_tables import keys

from affectcheck.annotations.validation import make_table
from affectcheck.models.card import ModelCard
from affectcheck.predictions import make_predictions
from affectcheck.schemes import Target, UnitScheme

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.models.card import Output
    from affectcheck.predictions import PredictionTable

UNITS = ("AU1", "AU12")


def coded(
    truth: Sequence[Sequence[int | None]],
    *,
    units: Sequence[str] = UNITS,
    subject: Sequence[str] | None = None,
    **groups: Sequence[str | None],
) -> AnnotationTable:
    """1 present, 0 absent, -1 or None unknown."""
    columns: dict[str, list[object]] = {"item": keys(len(truth))}
    columns |= {unit: [row[m] for row in truth] for m, unit in enumerate(units)}
    columns |= {name: list(values) for name, values in groups.items()}
    columns |= {"subject": list(subject)} if subject is not None else {}
    scheme = UnitScheme("some", tuple(units))
    return make_table(columns, targets=[Target("units", scheme)], groups=tuple(groups), name="made")


def scored(
    values: Sequence[Sequence[float]],
    output: Output = "probability",
    *,
    units: Sequence[str] = UNITS,
    items: Sequence[str] | None = None,
) -> PredictionTable:
    card = ModelCard("made", "units", tuple(units), output)
    return make_predictions(items or keys(len(values)), np.array(values, np.float64).reshape(-1, len(units)), card)


def drawn(items: int, seed: int = 0, units: int = 2) -> tuple[list[list[int]], list[list[float]]]:
    """Truths, a tenth of them unknown but never all of an item, and probabilities that follow them."""
    random = np.random.default_rng(seed)
    truth = random.integers(0, 2, (items, units))
    chances = np.clip(0.5 + (truth - 0.5) * 0.5 + random.normal(0, 0.3, truth.shape), 0, 1)
    truth[random.random(truth.shape) < 0.1] = -1
    truth[(truth < 0).all(axis=1), 0] = 0
    return truth.tolist(), chances.tolist()
