"""Truth and prediction of the items that a test may use, joined: labelled, unlabelled, or values beside classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from affectcheck.behaviour.coding import answer_codes, truth_codes, unit_range
from affectcheck.behaviour.material import PREDICTED, UNKNOWN, Material, round_predictions, tested_parts
from affectcheck.behaviour.units import annotated, decided
from affectcheck.schemes import CategoryScheme, DimensionScheme, fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.behaviour.definition import Definition, Rules, Task
    from affectcheck.models.card import ModelCard
    from affectcheck.predictions.table import PredictionTable
    from affectcheck.schemes import Target


def gather_for(
    definition: Definition,
    table: AnnotationTable,
    prediction: PredictionTable,
    target: Target | None,
    *,
    rules: Rules,
) -> Material:
    """The material of a test.

    Args:
        definition: the test; whether it takes labels, and of which kind, follows from it.
        table: the items.
        prediction: what the model said.
        target: what is annotated; None where nothing is.
        rules: those of the mode.
    """
    task = definition.task_of(prediction.card.kind)
    if task is None:  # such a test is not applicable, and never comes here
        raise LookupError(definition.name)
    if definition.kind == "consistency" and target is not None:
        return gather_beside_classes(table, prediction, target, task, rules=rules)
    if target is None or not definition.data.labels:
        return gather_unlabelled(table, prediction, task, rules=rules)
    return gather(table, prediction, target, task, rules)


def gather(table: AnnotationTable, prediction: PredictionTable, target: Target, task: Task, rules: Rules) -> Material:
    """Join truth and prediction of the items that a task may use.

    Items without a prediction are left out and counted in the notes.
    """
    joined, notes = _joined(table, prediction)
    parts = tested_parts(target.scheme, prediction.card.parts, task, rules)
    frame = joined.select(table.frame.columns)
    if isinstance(target.scheme, CategoryScheme):
        codes = answer_codes(target.scheme, prediction.card.parts, parts)
        truth = truth_codes(frame.get_column(target.name), parts)
        predicted = [codes[label] for label in joined.get_column(f"{PREDICTED}prediction")]
        others = len(codes) - len(parts)
        return Material(frame, truth, np.array(predicted, np.int64), parts, others, notes=notes)
    if isinstance(target.scheme, DimensionScheme):
        own = {fold(part): f"{PREDICTED}{part}" for part in prediction.card.parts}
        values = _values(joined, [own[fold(part)] for part in parts], prediction.card)
        truths = _values(joined, parts, target.scheme)
        return Material(frame, truths, round_predictions(values, rules), parts, notes=notes)
    own = {fold(part): f"{PREDICTED}{part}" for part in prediction.card.parts}
    made = decided(joined, [own[fold(part)] for part in parts], prediction.card)
    return Material(frame, annotated(joined, parts), made, parts, notes=notes)


def gather_unlabelled(table: AnnotationTable, prediction: PredictionTable, task: Task, *, rules: Rules) -> Material:
    """The predictions alone; every truth is unknown."""
    joined, notes = _joined(table, prediction)
    frame, parts = joined.select(table.frame.columns), predicted_parts(prediction.card, task, rules)
    if task.kind == "dimensions":
        values = _values(joined, [f"{PREDICTED}{part}" for part in parts], prediction.card)
        return Material(frame, np.full(values.shape, np.nan), round_predictions(values, rules), parts, notes=notes)
    if task.kind == "units":
        made = decided(joined, [f"{PREDICTED}{part}" for part in parts], prediction.card)
        return Material(frame, np.full(made.shape, UNKNOWN, np.int8), made, parts, notes=notes)
    others = [part for part in prediction.card.parts if part not in parts]
    codes = {part: code for code, part in enumerate([*parts, *others])}
    predicted = [codes[label] for label in joined.get_column(f"{PREDICTED}prediction")]
    truth = np.full(joined.height, UNKNOWN, np.int64)
    return Material(frame, truth, np.array(predicted, np.int64), parts, len(others), notes=notes)


def gather_beside_classes(
    table: AnnotationTable, prediction: PredictionTable, target: Target, task: Task, *, rules: Rules
) -> Material:
    """Predicted values of dimensions beside the annotated class of each item."""
    if not isinstance(target.scheme, CategoryScheme):
        raise TypeError(target)
    joined, notes = _joined(table, prediction)
    parts = predicted_parts(prediction.card, task, rules)
    labels = tuple(target.scheme.labels)
    truth = truth_codes(joined.get_column(target.name).cast(pl.String), labels)
    columns = [f"{PREDICTED}{part}" for part in parts]
    if task.kind == "units":
        values = decided(joined, columns, prediction.card).astype(np.float64)
    else:
        values = round_predictions(_values(joined, columns, prediction.card), rules)
    return Material(joined.select(table.frame.columns), truth, values, parts, notes=notes, categories=labels)


def predicted_parts(card: ModelCard, task: Task, rules: Rules) -> tuple[str, ...]:
    """The model's classes, dimensions or units that are tested without a truth: of the paper's only in published mode.

    Dimensions are always the paper's, since limits are meant for them; so they keep the model's spelling and order.
    """
    paper = {fold(one) for one in (task.classes or task.dimensions or task.units)}
    if not paper or (task.kind == "categories" and rules.classes == "declared"):
        return card.parts
    return tuple(part for part in card.parts if fold(part) in paper)


def _joined(table: AnnotationTable, prediction: PredictionTable) -> tuple[pl.DataFrame, tuple[str, ...]]:
    named = {name: f"{PREDICTED}{name}" for name in prediction.frame.columns if name != "item"}
    joined = table.frame.join(prediction.frame.rename(named), on="item", how="inner", maintain_order="left")
    lost = table.height - joined.height
    return joined, ((f"{lost} of {table.height} items have no prediction and are left out",) if lost else ())


def _values(frame: pl.DataFrame, columns: Sequence[str], ranged: DimensionScheme | ModelCard) -> NDArray[np.float64]:
    """Columns on [0, 1], mapped from the range of the scheme or of the model; NaN where there is no value."""
    values = frame.select(pl.col(columns).cast(pl.Float64).fill_null(float("nan"))).to_numpy()
    return unit_range(values, ranged.low, ranged.high)
