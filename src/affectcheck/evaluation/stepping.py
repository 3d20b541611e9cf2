"""Predictions after the declared steps, joined with the truth; and how the scores without the steps are asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl

from affectcheck.evaluation.alignment import Aligned, align
from affectcheck.predictions.steps import apply_steps

if TYPE_CHECKING:
    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.evaluation.options import EvaluationOptions
    from affectcheck.predictions import PredictionTable


def align_after_steps(truth: AnnotationTable, prediction: PredictionTable, options: EvaluationOptions) -> Aligned:
    """Do the steps, then pair what they leave with the items.

    Every predicted item takes part in the steps, those without a label too: what is unknown of a frame does not part
    the frames before it from those after.

    Raises:
        InputError: a step does not fit the predictions, or they do not fit the truth.
    """
    stepped = apply_steps(prediction, truth, options.parsed_steps)
    if not stepped.text:
        return align(truth, prediction, options)
    kept = truth.filter(~pl.col("item").is_in(stepped.left_out.implode())) if len(stepped.left_out) else truth
    aligned = align(kept, stepped.table, options)
    return replace(aligned, steps=stepped.text, notes=(*aligned.notes, *stepped.notes))


def without_steps(aligned: Aligned, prediction: PredictionTable, options: EvaluationOptions) -> EvaluationOptions:
    """How the same predictions are scored as the model gave them: over the whole set and by part, not by group.

    Stated thresholds hold for the numbers after the steps; where these are of another kind before, such as logits,
    they are decided by what that kind says of itself.
    """
    same = aligned.output == prediction.card.output
    return replace(options, steps=(), by=(), thresholds=options.thresholds if same else None)
