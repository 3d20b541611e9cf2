"""Scores straight from frames or files: truth and predictions in one, or in one each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, TypeAlias

import polars as pl

from affectcheck.annotations.frames import as_polars
from affectcheck.annotations.matching import match
from affectcheck.annotations.table import COLUMNS
from affectcheck.annotations.validation import make_table
from affectcheck.errors import InputError
from affectcheck.evaluation.options import CROSS, RULES, EvaluationOptions
from affectcheck.evaluation.run import evaluate
from affectcheck.evaluation.scored_parts import narrowed, require_two_columns
from affectcheck.predictions import PredictionColumns, read_frame, table_from_columns
from affectcheck.predictions.columns import ITEM_COLUMNS, item_keys, labels_in, require_column
from affectcheck.predictions.labels import stated_labels
from affectcheck.schemes import (
    CategoryScheme,
    DimensionScheme,
    StatedMapping,
    Target,
    UnitScheme,
    fold,
    parts,
    scheme_names,
)
from affectcheck.schemes import scheme as named_scheme

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from affectcheck.annotations.matching import Leniency
    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.evaluation.result import Evaluation
    from affectcheck.models.card import Output
    from affectcheck.schemes import Scheme

#: A column for categories; for units and dimensions, part to column.
Columns: TypeAlias = "str | Mapping[str, str]"

LABELS_FROM_DATA: Final = "the label set is what occurs in the data, since none was declared"


@dataclass(frozen=True)
class ScoredColumns:
    """What the columns of scored frames are called and mean.

    Attributes:
        truth: column of the annotated label; for dimensions, dimension to column.
        prediction: column of the predicted label; for dimensions, dimension to column.
        labels: the declared labels, or a scheme. Without, what occurs in the data is taken, and said.
        item: column of item keys in both frames; empty takes ``item`` or ``file``, and row numbers in a single frame.
        start, end: columns of a segment's borders in seconds.
        subject: column that says who is heard or seen; empty takes ``subject``, if there is one.
        media: column of the recording that an item is of; empty takes ``media``, if there is one.
        frame: column of its frame number, counted from 1, by which steps such as smoothing find its neighbours; empty
            takes ``frame``, if there is one and steps are done.
        scores: prefix of the score columns.
        output: what the scores are; empty takes what the prefix says.
        truth_labels, prediction_labels: what labels or codes in the column mean, such as ``0=neutral,1=anger``.
        forgive: faults of keys that are let pass, see ``annotations.matching``.
        name: name of the data.
        model: name of the model.
    """

    truth: Columns = "truth"
    prediction: Columns = "prediction"
    labels: Scheme | Sequence[str] | None = None
    item: str = ""
    start: str = ""
    end: str = ""
    subject: str = ""
    media: str = ""
    frame: str = ""
    scores: str = ""
    output: Output | None = None
    truth_labels: str | StatedMapping = ""
    prediction_labels: str | StatedMapping = ""
    forgive: tuple[Leniency, ...] = field(default=())
    name: str = ""
    model: str = ""


def evaluate_frames(
    frame: object,
    predictions: object | None = None,
    *,
    columns: ScoredColumns | None = None,
    options: EvaluationOptions | None = None,
) -> Evaluation:
    """Score frames: Polars, pandas, Arrow, or a dict of columns.

    Args:
        frame: the truth, groups and, without ``predictions``, the predictions.
        predictions: the predictions, if they are in a frame of their own; matched by item.
        columns: what the columns are called and mean.
        options: groups, metrics, rules; see ``EvaluationOptions``.

    Returns:
        The scores.

    Raises:
        InputError: the frames do not hold what is asked for; the message names every row or key that does not fit.

    Example:
        >>> frame = {"truth": ["sad", "happy", "sad"], "prediction": ["sad", "happy", "happy"]}
        >>> evaluate_frames(frame, options=EvaluationOptions(metrics=("accuracy",)))["accuracy"].value.__round__(3)
        0.667
    """
    told = None if predictions is None else as_polars(predictions)
    return _Frames(as_polars(frame), told, columns or ScoredColumns(), options or EvaluationOptions()).evaluate()


def score_file(
    path: Path,
    predictions: Path | None = None,
    *,
    columns: ScoredColumns | None = None,
    options: EvaluationOptions | None = None,
) -> Evaluation:
    """Score a CSV or Parquet file, or two.

    Args:
        path: the truth, groups and, without ``predictions``, the predictions.
        predictions: the file of predictions, if there are two; matched by item.
        columns: what the columns are called and mean.
        options: groups, metrics, rules.

    Returns:
        The scores.

    Raises:
        MissingPathError: a file is not there.
        InputError: as for ``evaluate_frames``, with the file's name.
    """
    columns = columns or ScoredColumns()
    columns = replace(columns, name=columns.name or path.stem, model=columns.model or (predictions or path).stem)
    told = None if predictions is None else read_frame(predictions)
    where = _Where(str(path), str(predictions or path))
    return _Frames(
        read_frame(path, kind="file to score"), told, columns, options or EvaluationOptions(), where
    ).evaluate()


@dataclass(frozen=True)
class _Where:
    truth: str = ""
    prediction: str = ""


@dataclass(frozen=True)
class _Frames:
    truth: pl.DataFrame
    prediction: pl.DataFrame | None
    columns: ScoredColumns
    options: EvaluationOptions
    where: _Where = field(default_factory=_Where)

    def evaluate(self) -> Evaluation:
        truth = self._keyed(self.truth, self.where.truth)
        predicted = truth
        if self.prediction is not None:
            predicted = self._matched(truth, self._keyed(self.prediction, self.where.prediction))
        declared = _declared(self.columns.labels)
        scheme = declared or self._observed(truth, predicted)
        one = self.prediction is None
        shared = () if one else set(truth.columns) & set(predicted.columns)
        scheme, left = narrowed(scheme, self.columns.truth, self.columns.prediction, shared)
        if one:
            require_two_columns(scheme, self.columns.truth, self.columns.prediction, self.where.truth)
        table = self._table(truth, scheme)
        made = table_from_columns(predicted, columns=self._reading(scheme), where=self.where.prediction)
        notes = left if declared else (LABELS_FROM_DATA,)
        options = replace(self.options, target=next(iter(table.targets)))
        return evaluate(replace(table, notes=(*table.notes, *notes)), made, options=options)

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
        told = stated_labels(column, _stated(self.columns.truth_labels), self.where.truth)
        told += labels_in(predicted, self._reading(None), self.where.prediction)
        distinct = {fold(label): label for label in reversed(told)}
        return CategoryScheme("observed", tuple(sorted(distinct.values(), key=fold)))

    def _table(self, truth: pl.DataFrame, scheme: Scheme) -> AnnotationTable:
        """The annotations, with the truth's columns under the target's names."""
        columns, where = self.columns, self.where.truth
        groups = tuple(dict.fromkeys(g.strip() for name in self.options.by for g in name.split(CROSS)))
        taken = {"item": "item", **{group: group for group in groups}}
        subject = columns.subject or ("subject" if "subject" in truth.columns else "")
        taken |= {"subject": subject} if subject else {}
        taken |= _order(columns, truth, steps=bool(self.options.steps))
        dropped: tuple[str, ...] = ()
        if isinstance(columns.truth, Mapping) or not isinstance(scheme, CategoryScheme):
            spelt = columns.truth if isinstance(columns.truth, Mapping) else {}
            target = Target("truth", scheme)
            taken |= {part: spelt.get(part, part) for part in parts(scheme)}
        else:
            scheme, dropped = _with_codes(scheme, _stated(columns.truth_labels))
            name = columns.truth if columns.truth not in {*COLUMNS, *groups} else "truth"
            target = Target(name, scheme)
            taken[name] = columns.truth
        frame = pl.DataFrame([require_column(truth, old, where).alias(new) for new, old in taken.items()])
        unknown = {target.name: dropped} if dropped else {}
        return make_table(frame, targets=[target], groups=groups, name=columns.name, unknown=unknown, where=where)

    def _reading(self, scheme: Scheme | None) -> PredictionColumns:
        told = self.columns.prediction
        named = isinstance(told, str) and told != ScoredColumns.prediction
        return PredictionColumns(
            item="item",
            prediction=str(told) if named else "",
            scores=self.columns.scores,
            parts=told if isinstance(told, Mapping) else {},
            scheme=scheme,
            mapping=_stated(self.columns.prediction_labels),
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


def _declared(labels: Scheme | Sequence[str] | None) -> Scheme | None:
    if labels is None or isinstance(labels, CategoryScheme | UnitScheme | DimensionScheme):
        return labels
    return CategoryScheme("declared", tuple(labels))


def _dimension_schemes() -> list[str]:
    return [name for name in scheme_names() if isinstance(named_scheme(name), DimensionScheme)]


def _stated(mapping: str | StatedMapping) -> StatedMapping | None:
    found = mapping if isinstance(mapping, StatedMapping) else StatedMapping.parse(mapping)
    return found if found.table else None


def _with_codes(scheme: CategoryScheme, stated: StatedMapping | None) -> tuple[CategoryScheme, tuple[str, ...]]:
    """The scheme with what the user says about spellings, and the spellings that mean no label."""
    table = stated.resolve(scheme) if stated else {}
    aliases = {old: new for old, new in table.items() if new is not None}
    return replace(scheme, aliases={**scheme.aliases, **aliases}), tuple(
        old for old, new in table.items() if new is None
    )
