"""Small tables and predictions for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from affectcheck.annotations.validation import make_table
from affectcheck.models.card import ModelCard
from affectcheck.predictions import make_predictions
from affectcheck.schemes import CategoryScheme, DimensionScheme, Target

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.predictions import PredictionTable
    from affectcheck.records import Fault

LABELS = ("anger", "neutral", "sadness")
AFFECT = DimensionScheme("affect-2", ("arousal", "valence"), 0.0, 1.0)


def keys(count: int) -> list[str]:
    return [f"i{number}" for number in range(count)]


def labelled(
    truth: Sequence[str | None],
    *,
    scheme: CategoryScheme | None = None,
    subject: Sequence[str | None] | None = None,
    media: Sequence[str | None] | None = None,
    **groups: Sequence[str | None],
) -> AnnotationTable:
    columns = {"item": keys(len(truth)), "expression": list(truth)}
    columns |= {name: list(values) for name, values in groups.items()}
    columns |= {"subject": list(subject)} if subject is not None else {}
    columns |= {"media": list(media)} if media is not None else {}
    target = Target("expression", scheme or CategoryScheme("three", LABELS))
    return make_table(columns, targets=[target], groups=tuple(groups), name="made")


def predicted(
    decisions: Sequence[str],
    *,
    labels: Sequence[str] = LABELS,
    items: Sequence[str] | None = None,
    name: str = "made",
    faults: tuple[Fault, ...] = (),
) -> PredictionTable:
    card = ModelCard(name, "categories", tuple(labels), "label")
    scores = np.eye(len(labels))[[list(labels).index(decision) for decision in decisions]].reshape(-1, len(labels))
    return make_predictions(items if items is not None else keys(len(decisions)), scores, card, faults=faults)


def affect(
    truth: np.ndarray, *, subject: Sequence[str] | None = None, **groups: Sequence[str | None]
) -> AnnotationTable:
    columns: dict[str, list[object]] = {"item": keys(len(truth))}
    for index, name in enumerate(AFFECT.dimensions):
        columns[name] = [None if np.isnan(value) else float(value) for value in truth[:, index]]
    columns |= {name: list(values) for name, values in groups.items()}
    columns |= {"subject": list(subject)} if subject is not None else {}
    return make_table(columns, targets=[Target("affect", AFFECT)], groups=tuple(groups), name="made")


def predicted_affect(values: np.ndarray, *, names: tuple[str, ...] = AFFECT.dimensions) -> PredictionTable:
    return make_predictions(keys(len(values)), values, ModelCard("made", "dimensions", names, "value"))
