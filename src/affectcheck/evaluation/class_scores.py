"""Scores of classes in the order of the scored labels, as far as a label mapping leaves them a meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.evaluation.common_labels import renormalised
from affectcheck.predictions import score_column

if TYPE_CHECKING:
    from affectcheck.evaluation.labels import LabelTable
    from affectcheck.predictions import PredictionTable

LABELS_ONLY: Final = "the model gives labels only, no scores"
MISSING_WRONG: Final = "units without a prediction count as wrong, but have no scores"
NO_CLASSES: Final = "values of dimensions are no scores of classes"


def class_scores(prediction: PredictionTable, labels: LabelTable) -> tuple[np.ndarray | None, str]:
    """(n, C) scores of the scored labels, or None and the reason.

    Probabilities of labels that a mapping makes one are added up, and where the model has classes that the truth does
    not have, those of the common ones are renormalised. A class that the model cannot predict has the
    probability 0, or a score below all others.
    """
    if prediction.card.output == "label" or not prediction.has_scores:
        return None, LABELS_ONLY
    told = [(part, new) for part in prediction.parts if (new := labels.prediction.get(part)) is not None]
    if len(told) + len(labels.model_only) < len(prediction.parts):
        return None, "the label mapping leaves out classes that the model gives scores for"
    merged = len({new for _, new in told}) < len(told)
    if merged and prediction.card.output != "probability":
        return None, f"the label mapping merges classes, and a {prediction.card.output} of both is not defined"
    values = prediction.frame.select(score_column(part) for part, _ in told).to_numpy()
    lowest = 0.0 if prediction.card.output == "probability" else -np.inf
    scores = np.full((len(values), len(labels.parts)), lowest)
    for label in {new for _, new in told}:
        columns = [place for place, (_, new) in enumerate(told) if new == label]
        scores[:, labels.parts.index(label)] = values[:, columns].sum(axis=1)
    if labels.model_only and prediction.card.output == "probability":
        scores = renormalised(scores)
    return scores, ""
