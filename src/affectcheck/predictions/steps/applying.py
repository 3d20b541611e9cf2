"""Steps over a table of predictions, in order; decisions are made anew from the changed scores."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from affectcheck.annotations.listing import name_list, plural
from affectcheck.errors import InputError
from affectcheck.predictions.steps.sequences import Timeline
from affectcheck.predictions.steps.signal import Signal
from affectcheck.predictions.steps.text import steps_text
from affectcheck.predictions.table import make_predictions, score_column

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.predictions.steps.step import Step
    from affectcheck.predictions.table import PredictionTable


@dataclass(frozen=True, eq=False)
class Stepped:
    """Predictions after the steps.

    Attributes:
        table: the changed predictions.
        text: the steps as they stand in a signature, with every parameter that the model's card decided.
        left_out: items that a step left without a prediction.
        notes: sentences about what the steps did.
    """

    table: PredictionTable
    text: str = ""
    left_out: pl.Series = field(default_factory=lambda: pl.Series("item", [], pl.String))
    notes: tuple[str, ...] = ()


def apply_steps(predictions: PredictionTable, annotations: AnnotationTable, steps: Sequence[Step]) -> Stepped:
    """Do the steps, one after the other.

    Args:
        predictions: what the model returned.
        annotations: says in which recording, of whom and at which frame an item is.
        steps: what to do, in order; none changes nothing.

    Returns:
        The changed predictions. Of categories, every decision is the largest of the changed scores, ties to the first
        class, as in all predictions.

    Raises:
        InputError: the numbers are not of the kind that a step takes, or the table does not say what a step needs.
        UnknownNameError: a step names a class or dimension that the model does not have.
    """
    if not steps:
        return Stepped(predictions)
    bound = [step.bound(predictions.card) for step in steps]
    signal = Signal(_numbers(predictions), predictions.card, _timeline(predictions, annotations))
    notes = _disagreements(predictions, signal.values)
    for step in bound:
        signal = step.apply(signal)
    items = signal.timeline.frame.get_column("item")
    table = make_predictions(items, signal.values, signal.card, data=predictions.data, faults=predictions.faults)
    gone = len(items) < predictions.height
    left_out = predictions.items.filter(~predictions.items.is_in(items.implode())) if gone else items.clear()
    return Stepped(table, steps_text(bound), left_out, (*notes, *signal.notes))


def _numbers(predictions: PredictionTable) -> np.ndarray:
    """(n, parts) the numbers; one-hot where there are labels alone."""
    frame = predictions.frame
    if predictions.kind != "categories":
        return frame.select(predictions.parts).to_numpy().astype(np.float64)
    if predictions.has_scores:
        return frame.select(score_column(part) for part in predictions.parts).to_numpy().astype(np.float64)
    return np.asarray(np.eye(len(predictions.parts))[_codes(predictions)], np.float64)


def _codes(predictions: PredictionTable) -> np.ndarray:
    """(n,) the decisions as places among the model's classes."""
    decided = predictions.frame.get_column("prediction").cast(pl.Enum(predictions.parts))
    return decided.to_physical().to_numpy().astype(np.intp)


def _timeline(predictions: PredictionTable, annotations: AnnotationTable) -> Timeline:
    known = [name for name in ("media", "subject", "frame", "start_us") if name in annotations.frame.columns]
    told = annotations.frame.select("item", *known)
    if predictions.items.equals(annotations.items):
        return Timeline(told)
    strangers = predictions.items.filter(~predictions.items.is_in(annotations.items.implode()))
    if len(strangers):
        raise InputError(
            f"{plural(len(strangers), 'prediction')} belong to no item: {name_list(strangers)}",
            where=f"model {predictions.card.name!r}",
            expected="predictions of the table's items only",
            cause="predictions of another part of the data; select the table's items first",
        )
    return Timeline(predictions.frame.select("item").join(told, on="item", how="left", maintain_order="left"))


def _disagreements(predictions: PredictionTable, values: np.ndarray) -> tuple[str, ...]:
    """Decisions that a file states against its own scores are made anew, which is said."""
    if predictions.kind != "categories" or not predictions.has_scores:
        return ()
    other = int((_codes(predictions) != values.argmax(axis=1)).sum())
    if not other:
        return ()
    return (f"{plural(other, 'stated decision')} not of the largest score: decided anew from the scores by the steps",)
