"""Truth and predictions side by side: one row an item, every item that is left out counted and named."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from affectcheck.annotations.listing import name_list, plural
from affectcheck.annotations.matching import match
from affectcheck.errors import InputError
from affectcheck.evaluation.class_scores import LABELS_ONLY, MISSING_WRONG, NO_CLASSES, class_scores
from affectcheck.evaluation.common_labels import common_table, settle_outside
from affectcheck.evaluation.deciding import Thresholds, decisions, hindsight, thresholds_for
from affectcheck.evaluation.labels import LabelTable, label_table
from affectcheck.evaluation.options import RULES
from affectcheck.evaluation.outside_range import on_range, predicted_outside
from affectcheck.records import Fault
from affectcheck.schemes import CategoryScheme

if TYPE_CHECKING:
    from collections.abc import Mapping

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.evaluation.options import EvaluationOptions
    from affectcheck.models.card import Output
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
        truth: (n,) codes for categories; (n, M) int8 for units, -1 where unknown; (n, D) float64 for dimensions, NaN
            where unknown.
        prediction: the same, all of it known: for units the decisions; for categories -1 where a missing prediction
            counts as wrong.
        steps: what was done to the predictions before, as it stands in a signature.
        mapping: the label mapping that was used, as it stands in a signature.
        missing: the rule for missing predictions and how many there were.
        notes: sentences about what was left out.
        faults: items that were left out or have a caution.
        scores: (n, parts) what the model gave for each class or unit before it was decided; None where it did not.
        output: what the model gives: ``label``, ``probability``, ``logit``, ``score`` or ``value``.
        no_scores: why there are no scores; empty where there are.
        thresholds: from which score on a unit is present; None where nothing was decided here.
        outside: where only common classes are scored, items of the truth and decisions of the model outside, by class.
    """

    target: Target
    parts: tuple[str, ...]
    frame: pl.DataFrame
    truth: np.ndarray
    prediction: np.ndarray
    steps: str = ""
    mapping: str = ""
    missing: str = ""
    notes: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = field(default=())
    scores: np.ndarray | None = None
    output: Output = "value"
    no_scores: str = ""
    thresholds: Thresholds | None = None
    outside: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

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
            scores=None if self.scores is None else self.scores[mask],
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
    require_options(target, options)
    rows, keys = _paired(truth, prediction, options)
    labels = labels_for(target, prediction.parts, options)
    aligned = aligned_rows(PairedRows(rows, prediction, target), labels, options)
    told = hindsight(options.thresholds, truth, target)
    aligned = replace(
        aligned,
        mapping=str(labels),
        missing=keys.rule,
        notes=tuple(dict.fromkeys((*truth.notes, *keys.notes, *aligned.notes, *told))),
        faults=(*prediction.faults, *keys.faults),
        output=prediction.card.output,
    )
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
    failed -= set(prediction.items) if failed else set()
    failed = failed if options.missing == "error" else set()
    wanted = truth.frame.filter(~pl.col("item").is_in(list(failed))) if failed else truth.frame
    found = match(wanted.get_column("item"), prediction.items, rule=RULES[options.missing], where=where)
    if found.extra:
        raise InputError(
            f"{plural(len(found.extra), 'prediction')} belong to no item: {name_list(found.extra)}",
            where=where,
            expected="predictions of the table's items only",
            cause="predictions of another part of the data; select the table's items first",
        )
    pairs = found.pairs
    rows = wanted if pairs.height == wanted.height else wanted[pairs.get_column("truth_row")]
    rows = rows.with_columns(pairs.get_column("prediction_row"))
    without = len(found.missing) + truth.height - wanted.height
    rule = f"{options.missing}, {without} without a prediction" if without else options.missing
    done = "counted as wrong" if options.missing == "wrong" else "left out"
    notes = (f"{plural(without, 'item')} without a prediction: {done}",) if without else ()
    known = {fault.item for fault in prediction.faults}
    told = f"no prediction by model {prediction.card.name!r}; {done}"
    faults = tuple(Fault(item, "no prediction", told) for item in found.missing if item not in known)
    return rows, _Keys(rule, notes, faults)


@dataclass(frozen=True, eq=False)
class PairedRows:
    """Rows of the truth that have a prediction, or go without one."""

    frame: pl.DataFrame
    prediction: PredictionTable
    target: Target

    @cached_property
    def taken(self) -> np.ndarray:
        """(n,) row of each item's prediction; -1 where there is none."""
        return np.asarray(self.frame.get_column("prediction_row").fill_null(-1).cast(pl.Int64).to_numpy())

    @cached_property
    def in_order(self) -> bool:
        """Whether each item's prediction stands in the item's own row."""
        same = self.taken.size == self.prediction.height
        return same and bool((self.taken == np.arange(self.taken.size)).all())

    @property
    def items(self) -> pl.DataFrame:
        """What the truth says of each item."""
        return self.frame.drop("prediction_row")

    def predicted(self, column: str) -> np.ndarray:
        """(n,) numbers of the model; those of items without a prediction mean nothing."""
        values = self.prediction.frame.get_column(column).to_numpy()
        return np.asarray(values if self.in_order else values[self.taken])


def require_options(target: Target, options: EvaluationOptions) -> None:
    """Raise where an option means nothing for the target.

    Raises:
        InputError: it does not.
    """
    if options.missing == "wrong" and target.scheme.kind == "dimensions":
        raise InputError(
            f"a missing value of {target.name!r} cannot be counted as wrong",
            expected="missing='error' or 'leave out' for dimensions",
            cause="no value is the wrong one",
        )
    if options.thresholds is not None and target.scheme.kind != "units":
        raise InputError(
            f"thresholds are stated, but target {target.name!r} is of {target.scheme.kind}",
            expected="thresholds for action units only",
            cause="another target than the one that is meant",
        )


def labels_for(target: Target, model: tuple[str, ...], options: EvaluationOptions) -> LabelTable:
    """The labels, units or dimensions that are scored, and the codes of truth and model in them."""
    settle = common_table if options.labels_rule == "intersection" else label_table
    return settle(target, model, options.stated)


def aligned_rows(rows: PairedRows, labels: LabelTable, options: EvaluationOptions) -> Aligned:
    """What is scored of rows that are paired, with notes about what of them is not."""
    if isinstance(rows.target.scheme, CategoryScheme):
        return _codes(rows, labels)
    return _units(rows, labels, options) if rows.target.scheme.kind == "units" else _values(rows, labels)


def _values(rows: PairedRows, labels: LabelTable) -> Aligned:
    names = labels.parts
    truth = rows.frame.select(pl.col(name).cast(pl.Float64).fill_null(float("nan")) for name in names).to_numpy()
    values = rows.prediction.frame.select(labels.columns).to_numpy()[rows.taken].astype(np.float64)
    values, mapped = on_range(values, rows.prediction.card, rows.target.scheme)
    aligned = Aligned(rows.target, names, rows.items, truth, values, no_scores=NO_CLASSES)
    known = ~np.isnan(truth)
    some = known[known.any(axis=1)]
    aligned = aligned.keep(known.any(axis=1), "without any label: left out")
    partly = tuple(
        f"{plural(int((~some[:, i]).sum()), 'item')} without a label of {name}"
        for i, name in enumerate(names)
        if not some[:, i].all()
    )
    return replace(aligned, notes=(*labels.notes, *mapped, *aligned.notes, *partly, *predicted_outside(aligned)))


def _units(rows: PairedRows, labels: LabelTable, options: EvaluationOptions) -> Aligned:
    units, card = labels.parts, rows.prediction.card
    truth = np.empty((rows.frame.height, len(units)), np.int8, order="F")
    scores = np.empty(truth.shape, np.float64, order="F")
    for m, unit in enumerate(units):
        truth[:, m] = rows.frame.get_column(unit).fill_null(-1).to_numpy()
        scores[:, m] = rows.predicted(unit)
    thresholds = thresholds_for(options.thresholds, units, card.output, also=card.parts)
    decided = decisions(scores, thresholds, units)
    missing = rows.taken < 0
    decided[missing] = truth[missing] == 0  # the wrong answer, whatever the truth
    why = LABELS_ONLY if thresholds is None else MISSING_WRONG if missing.any() else ""
    aligned = Aligned(rows.target, units, rows.items, truth, decided, notes=labels.notes, no_scores=why)
    aligned = replace(aligned, scores=None if why else scores, thresholds=thresholds)
    aligned = aligned.keep(np.asarray((truth >= 0).any(axis=1)), "without any label: left out")
    unknown = (aligned.truth < 0).sum(axis=0)
    told = ", ".join(f"{unit} {count}" for unit, count in zip(units, unknown, strict=True) if count)
    notes = [f"cells of scored items that are not annotated: {told}"] if told else []
    if thresholds is not None:
        notes += [thresholds.told(card.output), *thresholds.notes]
    return replace(aligned, notes=(*aligned.notes, *notes))


def _codes(rows: PairedRows, labels: LabelTable) -> Aligned:
    frame = rows.prediction.frame
    true = labels.truth_codes(rows.frame.get_column(rows.target.name))
    predicted = np.append(labels.prediction_codes(frame.get_column("prediction")), labels.MISSING)[rows.taken]
    scores, why = class_scores(rows.prediction, labels)
    if scores is not None:
        scores = np.vstack([scores, np.full(scores.shape[1], np.nan)])[rows.taken]
    aligned = Aligned(rows.target, labels.parts, rows.items, true, predicted, notes=labels.notes, no_scores=why)
    aligned = replace(aligned, scores=scores)
    aligned = aligned.keep(aligned.truth != labels.UNKNOWN, "without a label: left out")
    aligned = aligned.keep(aligned.truth != labels.DROPPED, "of a class that the mapping leaves out")
    aligned = settle_outside(aligned, labels)
    aligned = aligned.keep(aligned.prediction != labels.DROPPED, "predicted as a class that the mapping leaves out")
    return replace(aligned, notes=(*aligned.notes, *_other_decisions(aligned)))


def _other_decisions(aligned: Aligned) -> tuple[str, ...]:
    """A note where a file decides otherwise than its own scores do."""
    if aligned.scores is None or not aligned.height:
        return ()
    decided = aligned.prediction >= 0
    other = int((aligned.scores[decided].argmax(axis=1) != aligned.prediction[decided]).sum())
    return (f"{plural(other, 'item')} whose decision is not the class of the largest score",) if other else ()
