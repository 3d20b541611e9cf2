"""Truth and predictions side by side: one row an item, every item that is left out counted and named."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from affectcheck.annotations.listing import name_list, plural
from affectcheck.annotations.matching import match
from affectcheck.errors import InputError
from affectcheck.evaluation.labels import LabelTable, label_table
from affectcheck.evaluation.options import RULES
from affectcheck.records import Fault
from affectcheck.schemes import CategoryScheme, parts

if TYPE_CHECKING:
    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.evaluation.options import EvaluationOptions
    from affectcheck.predictions import PredictionTable
    from affectcheck.schemes import Target

#: An empty cell in a file is an abstention, which must not pay: only what this program itself could not predict is
#: excused from the rule that every item needs a prediction.
NOT_EXCUSED: Final = frozenset({"no prediction"})


@dataclass(frozen=True, eq=False)
class Aligned:
    """What is scored.

    Attributes:
        target: what is scored.
        parts: the labels, or dimensions, that the codes stand for.
        frame: rows of the annotation table that are scored, in its order.
        truth: (n,) codes for categories; (n, D) float64 for dimensions, NaN where unknown.
        prediction: the same; for categories -1 where a missing prediction counts as wrong.
        mapping: the label mapping that was used, as it stands in a signature.
        missing: the rule for missing predictions and how many there were.
        notes: sentences about what was left out.
        faults: items that were left out or have a caution.
    """

    target: Target
    parts: tuple[str, ...]
    frame: pl.DataFrame
    truth: np.ndarray
    prediction: np.ndarray
    mapping: str = ""
    missing: str = ""
    notes: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = field(default=())

    @property
    def height(self) -> int:
        """Items scored."""
        return self.frame.height

    @property
    def is_categories(self) -> bool:
        """Whether classes are scored; else dimensions."""
        return self.target.scheme.kind == "categories"

    def keep(self, mask: np.ndarray, note: str) -> Aligned:
        """Only the rows of a mask, with a note of how many are left out."""
        if mask.all():
            return self
        return replace(
            self,
            frame=self.frame.filter(pl.Series(mask)),
            truth=self.truth[mask],
            prediction=self.prediction[mask],
            notes=(*self.notes, f"{plural(int((~mask).sum()), 'item')} {note}"),
        )


def align(truth: AnnotationTable, prediction: PredictionTable, options: EvaluationOptions) -> Aligned:
    """Pair predictions with items, and their labels with the truth's.

    Raises:
        InputError: kinds differ, keys do not match, labels differ without a mapping, or nothing is left to score.
    """
    target = truth.target(options.target)
    if target.scheme.kind != prediction.kind:
        raise InputError(
            f"target {target.name!r} is of {target.scheme.kind}, model {prediction.card.name!r} predicts {prediction.kind}",
            expected="a model of the target's kind",
            cause="another target; this table has " + ", ".join(truth.targets),
        )
    if options.missing == "wrong" and target.scheme.kind != "categories":
        raise InputError(
            f"a missing value of {target.name!r} cannot be counted as wrong",
            expected="missing='error' or 'leave out' for dimensions",
            cause="no value is the wrong one",
        )
    rows, keys = _paired(truth, prediction, options)
    labels = label_table(target, prediction.parts, options.stated)
    aligned = _arrays(rows, labels, prediction, target)
    aligned = replace(
        aligned, mapping=str(labels), missing=keys.rule, notes=(*truth.notes, *keys.notes, *aligned.notes)
    )
    aligned = replace(aligned, faults=(*prediction.faults, *keys.faults))
    if aligned.height == 0:
        raise InputError(
            "no item is left to score",
            expected="items with a known label and a prediction",
            cause="; ".join(aligned.notes),
        )
    return aligned


@dataclass(frozen=True)
class _Keys:
    rule: str
    notes: tuple[str, ...]
    faults: tuple[Fault, ...]


def _paired(
    truth: AnnotationTable, prediction: PredictionTable, options: EvaluationOptions
) -> tuple[pl.DataFrame, _Keys]:
    """Rows of the truth with the row number of their prediction, null where that counts as wrong."""
    where = f"model {prediction.card.name!r}"
    failed = {f.item for f in prediction.faults if f.severity == "error" and f.kind not in NOT_EXCUSED}
    failed -= set(prediction.items)
    excused = (
        truth.items.is_in(list(failed)) if options.missing == "error" else pl.repeat(False, truth.height, eager=True)
    )
    found = match(truth.items.filter(~excused), prediction.items, rule=RULES[options.missing], where=where)
    if found.extra:
        raise InputError(
            f"{plural(len(found.extra), 'prediction')} belong to no item: {name_list(found.extra)}",
            where=where,
            expected="predictions of the table's items only",
            cause="predictions of another part of the data; select the table's items first",
        )
    rows = truth.frame.join(found.pairs.select("item", "prediction_row"), on="item", how="inner", maintain_order="left")
    without = len(found.missing) + int(excused.sum())
    rule = f"{options.missing}, {without} without a prediction" if without else options.missing
    done = "counted as wrong" if options.missing == "wrong" else "left out"
    notes = (f"{plural(without, 'item')} without a prediction: {done}",) if without else ()
    known = {fault.item for fault in prediction.faults}
    told = f"no prediction by model {prediction.card.name!r}; {done}"
    faults = tuple(Fault(item, "no prediction", told) for item in found.missing if item not in known)
    return rows, _Keys(rule, notes, faults)


def _arrays(rows: pl.DataFrame, labels: LabelTable, prediction: PredictionTable, target: Target) -> Aligned:
    if isinstance(target.scheme, CategoryScheme):
        return _codes(rows, labels, prediction, target)
    if target.scheme.kind == "units":
        raise InputError("units are not scored yet", expected="a target of categories or dimensions")
    names = parts(target.scheme)
    truth = rows.select(pl.col(name).cast(pl.Float64).fill_null(float("nan")) for name in names).to_numpy()
    taken = rows.get_column("prediction_row").to_numpy()
    values = prediction.frame.select(labels.columns).to_numpy()[taken]
    aligned = Aligned(target, names, rows.drop("prediction_row"), truth, values.astype(np.float64))
    known = ~np.isnan(truth)
    some = known[known.any(axis=1)]
    aligned = aligned.keep(known.any(axis=1), "without any label: left out")
    partly = tuple(
        f"{plural(int((~some[:, i]).sum()), 'item')} without a label of {name}"
        for i, name in enumerate(names)
        if not some[:, i].all()
    )
    return replace(aligned, notes=(*labels.notes, *aligned.notes, *partly))


def _codes(rows: pl.DataFrame, labels: LabelTable, prediction: PredictionTable, target: Target) -> Aligned:
    true = labels.truth_codes(rows.get_column(target.name))
    predicted = np.append(labels.prediction_codes(prediction.frame.get_column("prediction")), labels.MISSING)
    taken = rows.get_column("prediction_row").fill_null(-1).cast(pl.Int64).to_numpy()
    aligned = Aligned(target, labels.parts, rows.drop("prediction_row"), true, predicted[taken], notes=labels.notes)
    aligned = aligned.keep(aligned.truth != labels.UNKNOWN, "without a label: left out")
    aligned = aligned.keep(aligned.truth != labels.DROPPED, "of a class that the mapping leaves out")
    return aligned.keep(aligned.prediction != labels.DROPPED, "predicted as a class that the mapping leaves out")
