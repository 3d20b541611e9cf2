"""Predictions that another program made, as a model: looked up by item, never computed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from affectcheck.annotations.listing import rows_by_value, value_lines
from affectcheck.annotations.text import read_csv
from affectcheck.digest import digest_array, digest_bytes
from affectcheck.errors import InputError, MissingPathError, ModelError, NoPredictionError, UnknownNameError
from affectcheck.models.card import ModelCard
from affectcheck.models.declaring import require_known
from affectcheck.models.options import SOURCE, Option, describe
from affectcheck.models.registry import MODELS, number, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.media.clip import Item

_KEYS: Final = ("item", "file")  # as predictions are read elsewhere
_SCORE: Final = "score_"
_NOTE: Final = "a table of finished predictions: it does not hear or see, so changed media change nothing"


@dataclass(frozen=True, eq=False)
class TableModel:
    """A prediction table as a model.

    Attributes:
        keys: item keys, each once.
        values: (n, parts) float64, row i for key i.
        about: the card without a digest.
    """

    keys: tuple[str, ...]
    values: np.ndarray
    about: ModelCard

    def __post_init__(self) -> None:
        """One row of finite numbers a key."""
        shape = (len(self.keys), len(self.about.parts))
        if self.values.shape != shape:
            raise ModelError(f"values of shape {self.values.shape}", where=self.about.name, expected=f"{shape}")
        wrong = [key for key, row in zip(self.keys, self.values, strict=True) if not np.isfinite(row).all()]
        if wrong:
            raise ModelError(
                f"{len(wrong)} items have a prediction that is missing or not finite: {', '.join(wrong[:5])}",
                where=self.about.name,
                expected="a finite number in every cell",
            )
        if len(self._rows) < len(self.keys):
            twice = sorted({key for key in self.keys if self.keys.count(key) > 1})
            raise ModelError(f"items occur twice: {', '.join(twice[:5])}", where=self.about.name, expected="each once")

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {key: row for row, key in enumerate(self.keys)}

    @cached_property
    def card(self) -> ModelCard:
        """What it is; the digest is that of its content."""
        digest = digest_bytes("table", *self.keys, digest_array(self.values), *self.about.parts)
        return ModelCard(**{**vars(self.about), "digest": digest})

    def predict(self, items: Sequence[Item]) -> np.ndarray:
        """Look the items up.

        Raises:
            NoPredictionError: an item is not in the table.
        """
        strangers = [item.key for item in items if item.key not in self._rows]
        if strangers:
            raise NoPredictionError(
                f"no prediction for {', '.join(repr(key) for key in strangers[:5])}",
                where=f"model {self.about.name!r}",
                expected=f"keys such as {', '.join(repr(key) for key in self.keys[:3])}",
                cause="predictions of another data set or part, or keys with another folder in front",
            )
        return self.values[[self._rows[item.key] for item in items]]


@dataclass(frozen=True)
class TableColumns:
    """What the columns of a prediction table mean.

    Attributes:
        item: column of the item keys; empty takes ``item`` or ``file``.
        prediction: column of the predicted class; a table without it holds dimensions.
        labels: the classes, where the table does not say; ``score_`` columns do, else the classes that occur.
        low, high: range of dimensions.
        name: what the model is called.
        dimensions: the columns that are dimensions; empty takes all but that of the keys.
    """

    item: str = ""
    prediction: str = "prediction"
    labels: tuple[str, ...] = ()
    low: float = 0.0
    high: float = 1.0
    name: str = "table"
    dimensions: tuple[str, ...] = ()


def table_model(frame: pl.DataFrame, *, columns: TableColumns | None = None) -> TableModel:
    """Make a model of a prediction table in memory.

    Args:
        frame: a row an item: its key, and either the predicted class (with ``score_<label>`` columns or without) or
            a number a dimension.
        columns: what the columns mean.

    Raises:
        UnknownNameError: a column or class is not there.
        ModelError: an item twice, a cell that is empty or no finite number.
    """
    columns = columns or TableColumns()
    wanted = (columns.item,) if columns.item else _KEYS
    item = next((name for name in wanted if name in frame.columns), None)
    if item is None:
        raise UnknownNameError.of("column of item keys", wanted[0], frame.columns, where=columns.name)
    keys = tuple(frame.get_column(item).cast(pl.String).fill_null("").to_list())
    if columns.prediction in frame.columns and not columns.dimensions:
        return _categories(frame, keys, columns)
    dimensions = columns.dimensions or tuple(name for name in frame.columns if name != item)
    if not dimensions:
        raise ModelError("a table without predictions", where=columns.name, expected=f"a column {columns.prediction!r}")
    about = ModelCard(
        name=columns.name,
        kind="dimensions",
        parts=dimensions,
        output="value",
        media=(),
        rate_hz=None,
        low=columns.low,
        high=columns.high,
        notes=(_NOTE,),
    )
    return TableModel(keys, _numbers(frame, dimensions, columns), about)


def _categories(frame: pl.DataFrame, keys: tuple[str, ...], columns: TableColumns) -> TableModel:
    decided = frame.get_column(columns.prediction).cast(pl.String)
    scored = tuple(name.removeprefix(_SCORE) for name in frame.columns if name.startswith(_SCORE))
    labels = columns.labels or scored or tuple(sorted(decided.drop_nulls().unique()))
    for label in sorted(decided.drop_nulls().unique()):
        if label not in labels:
            raise UnknownNameError.of("class", label, labels, where=columns.name)
    if decided.null_count():
        empty = [key for key, label in zip(keys, decided, strict=True) if label is None]
        raise ModelError(f"no prediction in the row of {', '.join(empty[:5])}", where=columns.name)
    if scored:
        values = _numbers(frame, [f"{_SCORE}{label}" for label in labels], columns)
    else:
        values = (decided.to_numpy()[:, None] == np.array(labels)).astype(np.float64)
    about = ModelCard(
        name=columns.name,
        kind="categories",
        parts=labels,
        output="score" if scored else "label",
        media=(),
        rate_hz=None,
        notes=(_NOTE,),
    )
    model = TableModel(keys, values, about)
    found = np.array(labels)[values.argmax(axis=1)] if len(values) else np.array([])
    odd = [key for key, one, other in zip(keys, found, decided, strict=True) if one != other]
    if odd:
        raise ModelError(
            f"{len(odd)} items have a predicted class that is not the one with the largest score: {', '.join(odd[:5])}",
            where=columns.name,
            cause="scores of other classes than the columns say, or a decision made by another rule",
        )
    return model


def _numbers(frame: pl.DataFrame, names: Sequence[str], columns: TableColumns) -> np.ndarray:
    for name in names:
        if name not in frame.columns:
            raise UnknownNameError.of("column", name, frame.columns, where=columns.name)
    return np.column_stack([_column(frame.get_column(name), columns.name) for name in names])


def _column(column: pl.Series, where: str) -> np.ndarray:
    """A column as float64, NaN where a cell is empty."""
    if column.dtype == pl.String:
        column = column.str.strip_chars()
        bad = column.is_not_null() & column.cast(pl.Float64, strict=False).is_null()
        if bad.any():
            raise ModelError(
                f"column {column.name!r} holds what is no number:{value_lines(rows_by_value(column, bad))}",
                where=where,
                expected="a number in every cell, or ?dimensions= to say which columns are dimensions",
                cause="a decimal comma, or a column of something else",
            )
    elif not (column.dtype.is_numeric() or column.dtype in {pl.Boolean, pl.Null}):
        raise ModelError(f"column {column.name!r} holds {column.dtype}", where=where, expected="numbers")
    return column.cast(pl.Float64).fill_null(np.nan).to_numpy()


_OPTIONS: Final = describe(
    "table",
    Option(SOURCE, "path of a .csv or .parquet file, also without the name", needed="yes"),
    Option("item", "column of the item keys", "item, or else file"),
    Option("prediction", "column of the predicted class; a table without it holds dimensions", "prediction"),
    Option(
        "labels",
        "the classes, separated by commas",
        "those of the score_ columns, or those that occur (in `audit` and `test` the annotated ones too)",
    ),
    Option("dimensions", "the columns that are dimensions, separated by commas", "all but that of the keys"),
    Option("range", "LOW,HIGH of the dimensions", "the data's in `audit` and `test`, else 0,1"),
)


@MODELS.register("table")
def load_table_model(source: str, **options: Any) -> TableModel:
    """Read a prediction table from CSV or Parquet.

    Args:
        source: path of the table.
        **options: as described above; see ``TableColumns``.

    Raises:
        MissingPathError: no such file.
        InputError: it is not readable, a column is not there, or a cell is not what it should be.
    """
    path = Path(source).expanduser()
    require_known(options, _OPTIONS, where=f"table:{source}")
    if not path.is_file():
        raise MissingPathError.of("prediction table", path, expected="a .csv or .parquet file")
    ends = words(options.get("range", "0,1"))
    if len(ends) != 2:
        raise InputError(f"option 'range' is {options['range']!r}", where=str(path), expected="LOW,HIGH, such as 1,5")
    low, high = (number("range", end) for end in ends)
    columns = TableColumns(
        item=str(options.get("item", "")),
        prediction=str(options.get("prediction", "prediction")),
        labels=words(options.get("labels", ())),
        low=low,
        high=high,
        name=path.name,
        dimensions=words(options.get("dimensions", ())),
    )
    return table_model(_read_parquet(path) if path.suffix == ".parquet" else read_csv(path), columns=columns)


def _read_parquet(path: Path) -> pl.DataFrame:
    try:
        return pl.read_parquet(path)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise InputError("not a Parquet file", where=str(path), cause=str(error)) from error
