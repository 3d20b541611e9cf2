"""Frames of truth and predictions as annotations and a prediction table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, NamedTuple

import polars as pl

from affectcheck.annotations.matching import match
from affectcheck.annotations.table import COLUMNS
from affectcheck.annotations.validation import make_table
from affectcheck.errors import InputError
from affectcheck.evaluation.markers import markers_of
from affectcheck.evaluation.model_labels import model_scheme, of_kind
from affectcheck.evaluation.options import CROSS, RULES, EvaluationOptions
from affectcheck.evaluation.scored_columns import ScoredColumns, stated
from affectcheck.evaluation.scored_parts import narrowed, require_two_columns
from affectcheck.predictions import PredictionColumns, table_from_columns
from affectcheck.predictions.columns import ITEM_COLUMNS, item_keys, labels_in, require_column
from affectcheck.predictions.labels import stated_labels
from affectcheck.schemes import CategoryScheme, DimensionScheme, StatedMapping, Target, fold, parts, scheme_names
from affectcheck.schemes import scheme as named_scheme

if TYPE_CHECKING:
    from affectcheck.annotations.labels import Marker
    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.predictions import PredictionTable
    from affectcheck.schemes import Scheme

LABELS_FROM_DATA: Final = "the label set is what occurs in the data, since none was declared"


class Tables(NamedTuple):
    """What frames hold, and the options with the target that was found."""

    truth: AnnotationTable
    prediction: PredictionTable
    options: EvaluationOptions


class Labelled(NamedTuple):
    """A target, its label columns by the names they get, and the cells that mean no label."""

    target: Target
    columns: dict[str, str]
    unknown: tuple[Marker, ...] = ()


@dataclass(frozen=True)
class Where:
    """Files of truth and predictions, for messages."""

    truth: str = ""
    prediction: str = ""


@dataclass(frozen=True)
class Framed:
    """Frames of truth and predictions, to be read as tables.

    Attributes:
        truth: the truth, groups and, without ``prediction``, the predictions.
        prediction: the predictions, if they are in a frame of their own.
        columns: what the columns are called and mean.
        options: groups, steps, and rules for missing predictions.
        where: the files, for messages.
    """

    truth: pl.DataFrame
    prediction: pl.DataFrame | None
    columns: ScoredColumns
    options: EvaluationOptions
    where: Where = field(default_factory=Where)

    def tables(self) -> Tables:
        """The annotations and predictions that the frames hold.

        Raises:
            InputError: the frames do not hold what is asked for; the message names every row or key that does not fit.
        """
        truth = self._keyed(self.truth, self.where.truth)
        predicted = truth
        if self.prediction is not None:
            predicted = self._matched(truth, self._keyed(self.prediction, self.where.prediction))
        scheme, notes = self.scheme(truth, predicted)
        table = self._table(truth, scheme)
        made = table_from_columns(predicted, columns=self.reading(scheme, predicted), where=self.where.prediction)
        options = replace(self.options, target=next(iter(table.targets)))
        return Tables(replace(table, notes=(*table.notes, *notes)), made, options)

    def scheme(self, truth: pl.DataFrame, predicted: pl.DataFrame) -> tuple[Scheme, tuple[str, ...]]:
        """What is scored, and sentences about what of it is not, or where it is from."""
        declared, one = self.columns.declared, self.prediction is None
        found = declared or self._observed(truth, predicted)
        scheme, left = narrowed(found, self.columns, () if one else set(truth.columns) & set(predicted.columns))
        if one:
            require_two_columns(scheme, self.columns, self.where.truth)
        return scheme, left if declared else (LABELS_FROM_DATA,)

    def reading(self, scheme: Scheme, predicted: pl.DataFrame) -> PredictionColumns:
        """How predictions of a scheme are read."""
        return self._reading(self._of_model(scheme, predicted))

    def _keyed(self, frame: pl.DataFrame, where: str) -> pl.DataFrame:
        """With the key in ``item``; a single frame may do without keys, since truth and prediction share its rows."""
        keyless = not self.columns.item and not any(name in frame.columns for name in ITEM_COLUMNS)
        if keyless and self.prediction is None:
            return frame.with_columns(pl.Series("item", [f"row {n}" for n in range(1, frame.height + 1)], pl.String))
        asked = PredictionColumns(item=self.columns.item, start=self.columns.start, end=self.columns.end)
        return frame.with_columns(item_keys(frame, asked, where))

    def _matched(self, truth: pl.DataFrame, predicted: pl.DataFrame) -> pl.DataFrame:
        """The predictions of known items, once each; one error names every fault of the keys."""
        keys = {self.columns.item, self.columns.start, self.columns.end, *ITEM_COLUMNS}
        compared = predicted.select("item", *(name for name in predicted.columns if name not in keys))
        items, forgive, where = truth.get_column("item"), self.columns.forgive, self.where.prediction
        found = match(items, compared, rule=RULES[self.options.missing], forgive=forgive, where=where)
        if found.extra:  # no rule lets predictions of strangers pass; the strict one tells of them
            match(items, compared, forgive=forgive, where=where)
        pairs = found.pairs.filter(pl.col("prediction_row").is_not_null())
        return predicted[pairs.get_column("prediction_row").to_list()].with_columns(pairs.get_column("item"))

    def _observed(self, truth: pl.DataFrame, predicted: pl.DataFrame) -> CategoryScheme:
        """The labels that occur on either side."""
        if isinstance(self.columns.truth, Mapping):
            raise InputError(
                "columns are named by unit or dimension, which takes a declared scheme",
                where=self.where.truth,
                expected=f"as labels, a scheme such as {' or '.join(_dimension_schemes())}",
            )
        column = require_column(truth, self.columns.truth, self.where.truth)
        told = stated_labels(column, stated(self.columns.truth_labels), self.where.truth)
        if self.options.labels_rule == "declared":
            told += labels_in(predicted, self._reading(None), self.where.prediction)
        distinct = {fold(label): label for label in reversed(told)}
        return CategoryScheme("observed", tuple(sorted(distinct.values(), key=fold)))

    def _of_model(self, scheme: Scheme, predicted: pl.DataFrame) -> Scheme | None:
        """The scheme that predictions are read by; None for the labels that their score columns name."""
        if self.options.labels_rule == "declared":
            if self.columns.model_labels is not None:
                raise InputError(
                    "labels of the model are declared, but the labels of the truth are scored",
                    expected="the rule 'intersection' for labels, or no labels of the model",
                )
            return scheme
        own = self.columns.model_declared
        if own is not None:
            return of_kind(scheme, own)
        return model_scheme(scheme, predicted, self._reading(None), self.where.prediction)

    def _table(self, truth: pl.DataFrame, scheme: Scheme) -> AnnotationTable:
        """The annotations, with the truth's columns under the target's names."""
        columns, where = self.columns, self.where.truth
        groups = self.groups
        taken = {"item": "item", **{group: group for group in groups}}
        subject = columns.subject or ("subject" if "subject" in truth.columns else "")
        taken |= {"subject": subject} if subject else {}
        taken |= _order(columns, truth, steps=bool(self.options.steps))
        labelled = self.truth_columns(scheme)
        target, taken = labelled.target, taken | labelled.columns
        frame = pl.DataFrame([require_column(truth, old, where).alias(new) for new, old in taken.items()])
        unknown = {target.name: labelled.unknown} if labelled.unknown else {}
        return make_table(frame, targets=[target], groups=groups, name=columns.name, unknown=unknown, where=where)

    @property
    def groups(self) -> tuple[str, ...]:
        """The group columns, each once."""
        return tuple(dict.fromkeys(g.strip() for name in self.options.by for g in name.split(CROSS)))

    def truth_columns(self, scheme: Scheme) -> Labelled:
        """The target, where its labels stand, and what means none."""
        columns = self.columns
        if isinstance(columns.truth, Mapping) or not isinstance(scheme, CategoryScheme):
            spelt = columns.truth if isinstance(columns.truth, Mapping) else {}
            named = {part: spelt.get(part, part) for part in parts(scheme)}
            return Labelled(Target("truth", scheme), named, markers_of(scheme, columns, self.where.truth))
        scheme, dropped = _with_codes(scheme, stated(columns.truth_labels))
        name = columns.truth if columns.truth not in {*COLUMNS, *self.groups} else "truth"
        return Labelled(Target(name, scheme), {name: columns.truth}, dropped)

    def _reading(self, scheme: Scheme | None) -> PredictionColumns:
        told = self.columns.prediction
        named = isinstance(told, str) and told != ScoredColumns.prediction
        return PredictionColumns(
            item="item",
            prediction=str(told) if named else "",
            scores=self.columns.scores,
            parts=told if isinstance(told, Mapping) else {},
            scheme=scheme,
            mapping=stated(self.columns.prediction_labels),
            output=self.columns.output,
            name=self.columns.model or "predictions",
            data=self.columns.name,
        )


def _order(columns: ScoredColumns, truth: pl.DataFrame, *, steps: bool) -> dict[str, str]:
    """The columns that say where an item stands; frames and times only where steps may ask for them."""
    media = columns.media or ("media" if "media" in truth.columns else "")
    frame = columns.frame or ("frame" if steps and "frame" in truth.columns else "")
    time = "start_us" if steps and "start_us" in truth.columns else ""
    return {name: told for name, told in (("media", media), ("frame", frame), ("start_us", time)) if told}


def _dimension_schemes() -> list[str]:
    return [name for name in scheme_names() if isinstance(named_scheme(name), DimensionScheme)]


def _with_codes(scheme: CategoryScheme, stated: StatedMapping | None) -> tuple[CategoryScheme, tuple[str, ...]]:
    """The scheme with what the user says about spellings, and the spellings that mean no label."""
    table = stated.resolve(scheme) if stated else {}
    aliases = {old: new for old, new in table.items() if new is not None}
    return replace(scheme, aliases={**scheme.aliases, **aliases}), tuple(
        old for old, new in table.items() if new is None
    )
