"""Predictions: the prediction table; plan, run, cache and resume; files of predictions."""

from affectcheck.predictions.options import Perturbation, PredictOptions, no_progress
from affectcheck.predictions.run import predict
from affectcheck.predictions.table import PredictionTable, make_predictions, score_column

__all__ = [
    "Perturbation",
    "PredictOptions",
    "PredictionTable",
    "make_predictions",
    "no_progress",
    "predict",
    "score_column",
]
