"""Values of dimensions derived from class probabilities, so that a model of classes can be asked for consistency.

Each class that something is expected of has a prototype in each dimension: .75 where high values are expected, .45
where neutral, .25 where low ones are (after the expected ranges of paper 2, Table II). A derived value is the mean of the
prototypes, weighted by the probabilities of the classes that have one; the others say nothing of the dimension. It shows
whether the probabilities that a model spreads over classes agree with the annotation, and is no measurement of arousal,
dominance or valence: every verdict on derived values says so.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.predictions import make_predictions
from affectcheck.schemes import fold

if TYPE_CHECKING:
    from affectcheck.behaviour.definition import Task
    from affectcheck.models.card import ModelCard
    from affectcheck.predictions import PredictionTable

PROTOTYPES: Final = {"high": 0.75, "neutral": 0.45, "low": 0.25}
#: What a derived value is where no class with a prototype has any probability: the middle says least.
NOTHING_KNOWN: Final = PROTOTYPES["neutral"]
DERIVED: Final = (
    "values are derived from class probabilities by prototypes (high .75, neutral .45, low .25), not predicted: this "
    "shows whether the probabilities agree with the annotation, no more"
)


def has_prototypes(card: ModelCard, task: Task) -> bool:
    """Whether values can be derived: probabilities of at least one class that something is expected of."""
    return card.kind == "categories" and card.output in ("probability", "label") and bool(np.any(_known(card, task)))


def derived(prediction: PredictionTable, task: Task) -> PredictionTable:
    """The values that stand for a model's class probabilities.

    Args:
        prediction: of a model for which ``has_prototypes`` is true.
        task: the dimensions, with the ranges that are expected of classes.

    Returns:
        Predictions of the task's dimensions on [0, 1], of the same items.
    """
    card, shares = prediction.card, _shares(prediction)
    known, values = _known(card, task), _values(card, task)
    weights = shares @ known
    summed = shares @ (known * values)
    found = np.where(weights > 0, summed / np.where(weights > 0, weights, 1.0), NOTHING_KNOWN)
    items = prediction.frame.get_column("item").to_list()
    return make_predictions(items, found, derived_card(card, task), data=prediction.data)


def derived_card(card: ModelCard, task: Task) -> ModelCard:
    """The card of the derived values."""
    notes = (*card.notes, DERIVED)
    return replace(card, kind="dimensions", parts=task.dimensions, output="value", low=0.0, high=1.0, notes=notes)


def _shares(prediction: PredictionTable) -> np.ndarray:
    """(n, classes) probabilities; one for the label where there are none."""
    parts, frame = prediction.card.parts, prediction.frame
    if prediction.card.output == "label":
        labels = frame.get_column("prediction").to_list()
        return np.array([[label == part for part in parts] for label in labels], np.float64).reshape(-1, len(parts))
    return frame.select([f"score_{part}" for part in parts]).to_numpy().astype(np.float64)


def _values(card: ModelCard, task: Task) -> np.ndarray:
    """(classes, dimensions) prototypes; NaN-free: 0 where there is none."""
    found = np.zeros((len(card.parts), len(task.dimensions)))
    for one in task.ranges:
        wanted = {fold(name) for name in one.categories}
        for row, part in enumerate(card.parts):
            for column, dimension in enumerate(task.dimensions):
                if fold(part) in wanted and fold(dimension) == fold(one.dimension):
                    found[row, column] = PROTOTYPES[one.name]
    return found


def _known(card: ModelCard, task: Task) -> np.ndarray:
    """(classes, dimensions) 1 where a class has a prototype."""
    return (_values(card, task) > 0).astype(np.float64)
