"""From a verdict to the items behind it: those that the model errs on, or whose prediction a perturbation changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from affectcheck.behaviour.column_bins import with_groups
from affectcheck.behaviour.consistency import expectations
from affectcheck.behaviour.measuring import case_of, reference_key
from affectcheck.behaviour.predicting import CLEAN
from affectcheck.behaviour.units_behind import unit_rows
from affectcheck.schemes import CategoryScheme, fold

if TYPE_CHECKING:
    from affectcheck.behaviour.definition import Mode
    from affectcheck.behaviour.planning import PlannedTest
    from affectcheck.behaviour.running import Examined
    from affectcheck.models.card import ModelCard
    from affectcheck.predictions import PredictionTable
    from affectcheck.records import Verdict
    from affectcheck.schemes import Target

#: A change or error of a value below this is not shown as one: limits of paper 2 call it unchanged.
LEAST: Final = 0.05
COLUMNS: Final = ("item", "media", "subject", "group", "truth", "prediction", "perturbed", "size")


@dataclass(frozen=True)
class Behind:
    """The items behind a verdict.

    Attributes:
        verdict: the verdict.
        frame: ``COLUMNS``, the worst first: ``size`` is the error, or the change under the perturbation, in units of
            the range of values; 1 for another class.
        perturbation: key of the perturbed predictions; empty for the media as they are.
    """

    verdict: Verdict
    frame: pl.DataFrame
    perturbation: str = ""


def items_behind(verdict: Verdict, test: PlannedTest, examined: Examined) -> Behind:
    """The items that a verdict on a model rests on, the worst first.

    For correctness and fairness these are the items of the verdict's group and class whose prediction is wrong (of
    values: off by 0.05 of the range or more); for robustness those whose prediction the perturbation changed. Where
    nothing is annotated, fairness has no wrong items, and the items of the group are listed as they are. For
    consistency, they are the items of the class whose value lies out of the expected range.

    Args:
        verdict: one that has a value.
        test: the planned test that it belongs to.
        examined: the predictions that were judged.
    """
    if test.definition.kind == "consistency":
        return Behind(verdict, _out_of_range(verdict, test, examined))
    key = test.perturbation.key if test.perturbation else CLEAN
    units = test.task is not None and test.task.kind == "units"
    frame = unit_rows(verdict, test, examined, key) if units else _joined(verdict, test, examined, key)
    if verdict.place.group and verdict.place.attribute in frame.columns:
        frame = frame.filter(pl.col("group") == verdict.place.group)
    frame = frame if units else _of_class(frame, verdict)
    shown = frame.filter(pl.col("size") > 0) if _has_sizes(frame) else frame
    ordered = shown.sort(["size", "item"], descending=[True, False], nulls_last=True)
    return Behind(verdict, ordered.select(COLUMNS), key)


def _out_of_range(verdict: Verdict, test: PlannedTest, examined: Examined) -> pl.DataFrame:
    """Items of the verdict's class whose value lies out of the range that is expected."""
    mode: Mode = "published" if verdict.mode == "published" else "corrected"
    case = case_of(test, examined, mode)
    if case is None:
        raise LookupError(verdict.test)
    material = case.material().labelled()
    band = next(one for one in expectations(material, case.setting) if one.name == verdict.place.part)
    values = np.asarray(material.prediction[:, band.dimension], np.float64)
    frame = material.frame.with_columns(
        **{
            name: pl.lit(None, pl.String)
            for name in ("group", "perturbed", "media", "subject")
            if name not in material.frame.columns
        },
        truth=pl.lit(material.categories[band.code]),
        prediction=pl.Series([f"{value:.4g}" for value in values], dtype=pl.String),
        size=pl.Series(np.maximum(np.maximum(band.low - values, values - band.high), 0.0)),
    )
    outside = frame.filter(pl.Series((material.truth == band.code) & ~band.holds(material)))
    return outside.sort(["size", "item"], descending=[True, False]).select(COLUMNS)


def _has_sizes(frame: pl.DataFrame) -> bool:
    return frame.get_column("size").null_count() < frame.height


def _joined(verdict: Verdict, test: PlannedTest, examined: Examined, key: str) -> pl.DataFrame:
    if examined.table is None:
        raise LookupError(verdict.test)
    table, groups = examined.table.frame, test.definition.groups
    if groups is not None and test.attribute in table.columns:
        table = with_groups(table, groups, test.attribute).frame
    null = pl.lit(None, pl.String)
    attribute = verdict.place.attribute
    named = [
        pl.col("item"),
        *(pl.col(name) if name in table.columns else null.alias(name) for name in ("media", "subject")),
        (pl.col(attribute).cast(pl.String) if attribute in table.columns else null).alias("group"),
        *([pl.col(attribute)] if attribute in table.columns else []),
    ]
    part = verdict.place.part.partition(" ")[0]
    frame = table.select(*named, truth=_truth(test.target, part, table))
    before = _predicted(examined.predictions[reference_key(test)], part, "prediction")
    frame = frame.join(before, on="item", how="inner", maintain_order="left")
    card = examined.predictions[CLEAN].card
    if key != CLEAN:
        after = _predicted(examined.predictions[key], part, "perturbed")
        frame = frame.join(after, on="item", how="inner", maintain_order="left")
        return frame.with_columns(size=_size(pl.col("prediction"), pl.col("perturbed"), card))
    frame = frame.with_columns(perturbed=null)
    return frame.with_columns(size=_size(pl.col("truth"), pl.col("prediction"), card))


def _truth(target: Target | None, part: str, table: pl.DataFrame) -> pl.Expr:
    """The annotation as text; null where there is none."""
    if target is None:
        return pl.lit(None, pl.String)
    if isinstance(target.scheme, CategoryScheme):
        return pl.col(target.name).cast(pl.String)
    own = {fold(name): name for name in table.columns}
    column = own.get(fold(part))
    return pl.col(column).cast(pl.String) if column else pl.lit(None, pl.String)


def _predicted(prediction: PredictionTable, part: str, name: str) -> pl.DataFrame:
    frame = prediction.frame
    if "prediction" in frame.columns:
        return frame.select("item", pl.col("prediction").cast(pl.String).alias(name))
    own = {fold(column): column for column in frame.columns}
    return frame.select("item", pl.col(own[fold(part)]).cast(pl.String).alias(name))


def _size(before: pl.Expr, after: pl.Expr, card: ModelCard) -> pl.Expr:
    """How far two predictions, or truth and prediction, are apart; below ``LEAST`` of the range it is 0."""
    if card.kind == "categories":
        return pl.when(before.is_null()).then(None).otherwise((before != after).cast(pl.Float64))
    apart = (after.cast(pl.Float64, strict=False) - before.cast(pl.Float64, strict=False)).abs()
    share = apart / (card.high - card.low)
    return pl.when(share < LEAST).then(0.0).otherwise(share)


def _of_class(frame: pl.DataFrame, verdict: Verdict) -> pl.DataFrame:
    """Items of the verdict's class: annotated as it for recall, predicted as it for precision, either otherwise."""
    part = verdict.place.part
    annotated, predicted = pl.col("truth") == part, pl.col("prediction") == part
    if not part or not frame.select((annotated | predicted).any()).item():
        return frame
    if verdict.metric.startswith("recall"):
        return frame.filter(annotated)
    return frame.filter(predicted if verdict.metric.startswith("precision") else annotated | predicted)
