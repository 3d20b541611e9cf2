"""Predictions: the prediction table; plan, run, cache and resume; files of predictions."""

from affectcheck.predictions.columns import PredictionColumns, table_from_columns
from affectcheck.predictions.formats import (
    predictions_from_frame,
    read_frame,
    read_predictions,
    require_format,
    write_predictions,
)
from affectcheck.predictions.options import Perturbation, PredictOptions, no_progress
from affectcheck.predictions.outcomes import NOT_APPLICABLE
from affectcheck.predictions.repeating import REPEATED
from affectcheck.predictions.run import predict, predict_sets
from affectcheck.predictions.table import PredictionTable, make_predictions, score_column

__all__ = [
    "NOT_APPLICABLE",
    "REPEATED",
    "Perturbation",
    "PredictOptions",
    "PredictionColumns",
    "PredictionTable",
    "make_predictions",
    "no_progress",
    "predict",
    "predict_sets",
    "predictions_from_frame",
    "read_frame",
    "read_predictions",
    "require_format",
    "score_column",
    "table_from_columns",
    "write_predictions",
]
