"""A prediction table from any frame: which columns mean what, which labels, and what kind of score."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from affectcheck.annotations.keys import seconds_column, segment_keys
from affectcheck.annotations.listing import name_list, row_number
from affectcheck.digest import digest_table
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.models.card import ModelCard
from affectcheck.predictions.cells import require_scores
from affectcheck.predictions.labels import ModelLabels, model_labels, resolve_column, stated_labels
from affectcheck.predictions.table import PredictionTable, score_column
from affectcheck.records import Fault
from affectcheck.schemes import CategoryScheme, parts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from affectcheck.models.card import Output
    from affectcheck.schemes import Scheme, StatedMapping

ITEM_COLUMNS: Final = ("item", "file")
SCORE_PREFIXES: Final = ("score_", "p_", "prob_", "probability_", "logit_")
_PREFIX_OUTPUT: Final[dict[str, Output]] = {
    "p_": "probability",
    "prob_": "probability",
    "probability_": "probability",
    "logit_": "logit",
}


@dataclass(frozen=True)
class PredictionColumns:
    """What the columns of a frame of predictions are called and mean.

    Attributes:
        item: column of item keys; empty takes ``item`` or ``file``.
        start, end: columns of a segment's borders in seconds; the key then is that of the segment.
        prediction: column of decided labels, for categories; empty takes ``prediction``, or the largest score where
            there is no such column.
        scores: prefix of the score columns; empty takes the first of ``SCORE_PREFIXES`` that occurs for categories,
            and none for units and dimensions.
        parts: unit or dimension to its column, where they differ.
        scheme: the declared labels, units or dimensions; without one, the labels are those of the score columns, or
            those that occur, and the card says so.
        mapping: label or code in the file to label of the scheme; an empty right side leaves the item out.
        output: what the numbers are; empty takes what the prefix says (``p_`` is a probability).
        name: name of the model; empty takes the file's.
        data: name of the data set.
    """

    item: str = ""
    start: str = ""
    end: str = ""
    prediction: str = ""
    scores: str = ""
    parts: Mapping[str, str] = field(default_factory=dict)
    scheme: Scheme | None = None
    mapping: StatedMapping | None = None
    output: Output | None = None
    name: str = ""
    data: str = ""


def table_from_columns(
    frame: pl.DataFrame, *, columns: PredictionColumns | None = None, where: str = ""
) -> PredictionTable:
    """The prediction table that a frame holds.

    Args:
        frame: one row an item; cells may be text.
        columns: what the columns are called and mean.
        where: the file, for messages.

    Raises:
        UnknownNameError: a column is not there, or a label is not of the scheme; every one is listed with its rows.
        InputError: duplicate or empty keys, numbers that are none, or scores that are not what they are declared.
    """
    columns = columns or PredictionColumns()
    if frame.height == 0:
        raise InputError("no predictions", where=where, expected="at least one row below the header")
    frame = frame.with_columns(item_keys(frame, columns, where))
    require_unique(frame, where)
    made = keyed_predictions(frame, columns, where)
    name = columns.name or where.rpartition("/")[2].partition(".")[0] or "predictions"
    return replace(made, card=replace(made.card, name=name, digest=digest_table(made.frame)), data=columns.data)


def keyed_predictions(frame: pl.DataFrame, columns: PredictionColumns, where: str = "") -> PredictionTable:
    """The same where the keys have been seen to: they are in ``item``, of any type, and what they are is not checked.

    Raises:
        UnknownNameError: as for ``table_from_columns``.
        InputError: numbers that are none, or scores that are not what they are declared.
    """
    categories = (
        columns.scheme.kind == "categories" if columns.scheme else _looks_like_categories(frame, columns, where)
    )
    return _categories(frame, columns, where) if categories else _values(frame, columns, where)


def item_keys(frame: pl.DataFrame, columns: PredictionColumns, where: str = "") -> pl.Series:
    """The item keys of a frame; those of segments where borders are given.

    Raises:
        UnknownNameError: the column is not there.
        InputError: a key is empty.
    """
    wanted = (columns.item,) if columns.item else ITEM_COLUMNS
    name = next((known for known in wanted if known in frame.columns), None)
    if name is None:
        raise UnknownNameError.of("column of item keys", wanted[0], frame.columns, where=where)
    keys = frame.get_column(name).cast(pl.String)
    empty = (keys.is_null() | (keys == "")).arg_true()
    if len(empty):
        raise InputError(
            f"{len(empty)} rows have no key in column {name!r}",
            where=f"{where}: row {row_number(empty[0])}" if where else f"row {row_number(empty[0])}",
            expected="a key in every row",
        )
    if columns.start or columns.end:
        keys = _segment_keys(keys, frame, columns, where)
    return keys.alias("item")


def _segment_keys(keys: pl.Series, frame: pl.DataFrame, columns: PredictionColumns, where: str) -> pl.Series:
    borders = [
        seconds_column(require_column(frame, name, where), where) if name else None
        for name in (columns.start, columns.end)
    ]
    return segment_keys(keys, *borders)


def require_column(frame: pl.DataFrame, name: str, where: str) -> pl.Series:
    """A column by name.

    Raises:
        UnknownNameError: it is not there; the columns that are, are named.
    """
    if name not in frame.columns:
        raise UnknownNameError.of("column", name, frame.columns, where=where)
    return frame.get_column(name)


def require_unique(frame: pl.DataFrame, where: str) -> None:
    """Raise where a key occurs twice, telling rows that agree from rows that contradict each other.

    Raises:
        InputError: a key occurs twice.
    """
    twice = frame.filter(pl.col("item").is_duplicated())
    if twice.height == 0:
        return
    distinct = twice.unique().group_by("item", maintain_order=True).len()
    conflicting = distinct.filter(pl.col("len") > 1).get_column("item").sort()
    identical = distinct.filter(pl.col("len") == 1).get_column("item").sort()
    told = [
        f"{kind}: {name_list(found)}"
        for kind, found in (("with conflicting values", conflicting), ("with identical values", identical))
        if len(found)
    ]
    raise InputError(
        f"{distinct.height} items occur more than once, {'; '.join(told)}",
        where=where,
        expected="one row an item",
        cause="two runs written into one file",
    )


def score_prefix(frame: pl.DataFrame, columns: PredictionColumns) -> str:
    """The prefix of the score columns; empty where there are none.

    Raises:
        UnknownNameError: a prefix was asked for that no column has.
    """
    if columns.scores:
        if not any(name.startswith(columns.scores) for name in frame.columns):
            raise UnknownNameError.of("prefix of score columns", columns.scores, frame.columns)
        return columns.scores
    return next((p for p in SCORE_PREFIXES if sum(name.startswith(p) for name in frame.columns) > 1), "")


def labels_in(frame: pl.DataFrame, columns: PredictionColumns, where: str = "") -> tuple[str, ...]:
    """The labels of a frame of predictions of which no scheme is known: those of the score columns and decisions.

    Raises:
        InputError: numeric codes that nobody explains.
    """
    prefix = score_prefix(frame, columns)
    names = [name[len(prefix) :] for name in frame.columns if prefix and name.startswith(prefix)]
    decided = _decided(frame, columns, where, needed=not names)
    texts = () if decided is None else stated_labels(decided, columns.mapping, where)
    return tuple(dict.fromkeys([*stated_labels(names, columns.mapping, where), *texts]))


def _looks_like_categories(frame: pl.DataFrame, columns: PredictionColumns, where: str) -> bool:
    """Without a scheme only categories can be read: what units or dimensions there are must be declared."""
    name = columns.prediction or "prediction"
    if name in frame.columns or score_prefix(frame, columns):
        return True
    raise UnknownNameError.of("column of predictions", name, frame.columns, where=where)


def _categories(frame: pl.DataFrame, columns: PredictionColumns, where: str) -> PredictionTable:
    prefix = score_prefix(frame, columns)
    score_names = [name for name in frame.columns if prefix and name.startswith(prefix)]
    decided = _decided(frame, columns, where, needed=not score_names)
    if columns.output not in (None, "label") and not score_names:
        raise InputError(
            f"the output is declared as {columns.output}, but there are no score columns",
            where=where,
            expected=f"a column a class called {SCORE_PREFIXES[0]}LABEL, or their prefix stated",
        )
    scheme = columns.scheme if isinstance(columns.scheme, CategoryScheme) else None
    spelt = ModelLabels(scheme, columns.mapping, tuple(name[len(prefix) :] for name in score_names))
    labels = model_labels(spelt, decided, where)
    output: Output = columns.output or (_PREFIX_OUTPUT.get(prefix, "score") if score_names else "label")
    if labels.merged and output != "probability":
        raise InputError(
            f"score columns that mean one label: {', '.join(labels.merged)}",
            where=where,
            expected="one column a label, or probabilities, which may be added up",
        )
    card = ModelCard("", "categories", labels.parts, output, media=(), rate_hz=None, notes=labels.notes)
    scores: list[pl.Series] = []
    merged = np.zeros((frame.height, len(labels.parts)))
    if score_names:
        merged = labels.merge(require_scores(frame.select(score_names), card, where))
        scores = [pl.Series(score_column(part), merged[:, i]) for i, part in enumerate(labels.parts)]
    if decided is None:
        decided = pl.Series([labels.parts[code] for code in merged.argmax(axis=1)], dtype=pl.String)
    resolved = resolve_column(decided, labels, where).cast(pl.Enum(labels.parts)).alias("prediction")
    whole = pl.DataFrame([frame.get_column("item"), resolved, *scores])
    empty = resolved.is_null()
    return PredictionTable(whole.filter(~empty), card, faults=_empty_cells(whole.get_column("item").filter(empty)))


def _decided(frame: pl.DataFrame, columns: PredictionColumns, where: str, *, needed: bool) -> pl.Series | None:
    name = columns.prediction or "prediction"
    if name in frame.columns or columns.prediction or needed:
        return require_column(frame, name, where)
    return None


def _values(frame: pl.DataFrame, columns: PredictionColumns, where: str) -> PredictionTable:
    if columns.scheme is None:
        raise InputError("units and dimensions need a declared scheme", where=where, expected="a scheme")
    names = parts(columns.scheme)
    if columns.scheme.kind == "dimensions" and columns.output not in (None, "value"):
        raise InputError(
            f"the output is declared as {columns.output}, but {name_list(names)} are values of dimensions",
            where=where,
            expected="no kind of output",
        )
    told = [columns.parts.get(name, f"{columns.scores}{name}") for name in names]
    twice = [name for name in dict.fromkeys(told) if told.count(name) > 1]
    if twice:
        raise InputError(
            f"{name_list(twice)} named for more than one of {', '.join(names)}",
            where=where,
            expected="a column for each",
        )
    found = [require_column(frame, name, where) for name in told]
    told_by_prefix = _PREFIX_OUTPUT.get(columns.scores, "score" if columns.scores else "label")
    output: Output = columns.output or ("value" if columns.scheme.kind == "dimensions" else told_by_prefix)
    low, high = getattr(columns.scheme, "low", 0.0), getattr(columns.scheme, "high", 1.0)
    card = ModelCard("", columns.scheme.kind, names, output, media=(), rate_hz=None, low=low, high=high)
    if output == "label" and all(_is_decided(column) for column in found):
        decided = [column.cast(pl.Float64).alias(name) for column, name in zip(found, names, strict=True)]
        return PredictionTable(pl.DataFrame([frame.get_column("item"), *decided]), card)
    empty = pl.DataFrame(found).select(pl.any_horizontal(pl.all().is_null())).to_series()
    # Whole columns under the file's names are checked, so that an error tells the file's own column and row.
    values = require_scores(pl.DataFrame([_filled(column) for column in found]), card, where)[~empty.to_numpy()]
    kept = frame.get_column("item").filter(~empty)
    made = pl.DataFrame([kept, *(pl.Series(name, values[:, i]) for i, name in enumerate(names))])
    return PredictionTable(made, card, faults=_empty_cells(frame.get_column("item").filter(empty)))


def _is_decided(column: pl.Series) -> bool:
    """Whether a column holds whole numbers from 0 to 1 in every row: what needs no further look."""
    low, high = (column.min(), column.max()) if column.dtype.is_integer() and not column.null_count() else (None, None)
    return isinstance(low, int) and isinstance(high, int) and low >= 0 and high <= 1


def _filled(column: pl.Series) -> pl.Series:
    if column.dtype == pl.Null:
        return column.cast(pl.Float64).fill_null(0.0)
    return column.fill_null("0" if column.dtype == pl.String else 0)


def _empty_cells(items: pl.Series) -> tuple[Fault, ...]:
    return tuple(Fault(item, "no prediction", "the cell is empty, or its label is mapped to nothing") for item in items)
