"""Finished predictions that name no classes: those of the annotations, so that one never predicted is not left out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from affectcheck.models import ModelSpec
from affectcheck.models.table_model import TableModel
from affectcheck.schemes import CategoryScheme, fold

if TYPE_CHECKING:
    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.models import Predictor
    from affectcheck.schemes import Target


def with_annotated_classes(model: Predictor, spec: str, table: AnnotationTable, target: Target) -> Predictor:
    """The model; a table of predicted classes alone has the annotated ones too, as it may never predict some of them.

    Args:
        model: the model.
        spec: as it was named: classes that are stated there are all there are.
        table: the annotated items.
        target: what they are annotated with.
    """
    if not isinstance(model, TableModel) or not isinstance(target.scheme, CategoryScheme):
        return model
    if model.card.output != "label" or "labels" in ModelSpec.parse(spec).options:
        return model
    known = target.scheme.spellings()
    said = {known.get(fold(part)) for part in model.card.parts}
    annotated = set(table.frame.get_column(target.columns[0]).cast(str).drop_nulls())
    never = tuple(label for label in target.scheme.labels if label in annotated - said)
    values = np.hstack([model.values, np.zeros((len(model.keys), len(never)))])
    return TableModel(model.keys, values, replace(model.about, parts=(*model.about.parts, *never)))
