"""Ratings from a table in any of the three forms in which they are kept.

| form | rows | columns |
|---|---|---|
| long | one a rating | item, rater (if known), and the label, or a column a dimension |
| wide | one an item | item, and one column a rater |
| counts | one an item | item, and one column a class with the number of its votes |
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from affectcheck.annotations.faulty_rows import require_items, sound_rows
from affectcheck.annotations.frames import as_polars
from affectcheck.annotations.listing import (
    name_list,
    plural,
    row_text,
    rows_by_value,
    rows_in_whole,
    rows_of,
    value_lines,
)
from affectcheck.annotations.plain import item_column, number_column, require_bare, text_column, whole_number_column
from affectcheck.annotations.rated_schemes import DROPPED, EMPTY, RatedLabels, rated_dimensions, require_countable
from affectcheck.annotations.rating_columns import RatingColumns
from affectcheck.annotations.rating_rows import Rows, by_name, dropped, empty_rows, occurring, places
from affectcheck.annotations.ratings import Ratings
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.schemes import DimensionScheme, StatedMapping, Target

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.schemes import Scheme

_ITEM: Final = ("item", "file")


def read_ratings(table: object, columns: RatingColumns | None = None, *, where: str = "") -> Ratings:
    """The ratings that a table holds.

    Args:
        table: Polars, pandas, Arrow or a dict of columns.
        columns: what the columns are called and mean; ``counts`` and ``raters`` choose the form, else it is long.
        where: the file, for messages.

    Raises:
        UnknownNameError: a column is not there, or a label is not of the scheme; all are listed with their rows.
        InputError: a rater rates an item twice, an item has two subjects, keys are empty, cells are no numbers.

    Example:
        >>> table = {"item": ["a", "a", "b"], "rater": ["r1", "r2", "r1"], "label": ["sad", "joy", "sad"]}
        >>> found = read_ratings(table)
        >>> found.parts, found.votes.tolist(), found.raters
        (('joy', 'sad'), [[1, 1], [0, 1]], ('r1', 'r2'))
    """
    columns = columns or RatingColumns()
    frame = as_polars(table, where=where)
    if frame.height == 0:
        raise InputError("no ratings", where=where, expected="at least one row below the header")
    if columns.counts and columns.raters:
        raise InputError("columns of counts and columns of raters", where=where, expected="one of the two forms")
    whole = _Reader(frame, columns, where)
    if columns.faulty == "error":
        require_items(frame, whole.key, where)
        return whole.read()
    sound = sound_rows(frame, *whole.keys_and_values(), where)
    with rows_in_whole(sound.rows):
        found = replace(whole, frame=sound.frame).read()
    return replace(found, notes=(*sound.notes, *found.notes))


@dataclass(frozen=True)
class _Reader:
    frame: pl.DataFrame
    columns: RatingColumns
    where: str

    def read(self) -> Ratings:
        """By the form that the columns tell of."""
        return self.counts() if self.columns.counts else self.wide() if self.columns.raters else self.long()

    def keys_and_values(self) -> tuple[list[str], list[str]]:
        """Columns that should name a row once, and those that it says something in; see ``sound_rows``."""
        told = self.columns
        single = list(self._dimensions.values()) or [told.label]
        values = list(by_name(told.counts).values()) or list(told.raters) or (single if self._rater else [])
        for name in values:
            self._column(name)
        return [self.key, *([self._rater] if values == single else [])], values

    @property
    def _rater(self) -> str:
        """The column of the rater of the long form; empty where raters have no names."""
        return self.columns.rater or ("rater" if "rater" in self.frame.columns else "")

    def counts(self) -> Ratings:
        """One row an item, a column of counts a class."""
        if self._dimensions:
            raise InputError("counts of dimensions", where=self.where, expected="counts of classes")
        items = item_column(self._key(), self.where)
        named = by_name(self.columns.counts)
        labels = self._labels(tuple(named))
        codes = labels.codes(pl.Series("label", list(named), dtype=pl.String), self.where)
        table = np.column_stack([self._votes(column) for column in named.values()])
        require_countable(table, list(named.values()), self.where)
        notes = (*dropped(int(table[:, codes < 0].sum())), *labels.uncounted(codes))
        kept = np.flatnonzero(codes >= 0)
        item, place = np.nonzero(table[:, kept])
        repeats = table[item, kept[place]]
        item, values = np.repeat(item, repeats), np.repeat(codes[kept[place]], repeats)
        return self._made(items, Rows(item, np.full(item.size, -1), values), labels.scheme, (), notes)

    def wide(self) -> Ratings:
        """One row an item, a column a rater."""
        if len(self._dimensions) > 1:
            raise InputError(
                f"columns of raters for {len(self._dimensions)} dimensions: {', '.join(self._dimensions)}",
                where=self.where,
                expected="one dimension, or the long form with a column a dimension",
            )
        items = item_column(self._key(), self.where)
        cells = pl.DataFrame([self._column(name) for name in self.columns.raters])
        item, rater = np.divmod(np.arange(cells.height * cells.width), cells.width)
        return self._answers(items, item, rater, cells)

    def _answers(self, items: pl.Series, item: np.ndarray, rater: np.ndarray, cells: pl.DataFrame) -> Ratings:
        raters = self.columns.raters
        if self._dimensions:
            numbers = [number_column(cells.get_column(name), self.where) for name in raters]
            self._require_finite(numbers)
            values = np.column_stack([column.fill_null(np.nan).to_numpy() for column in numbers]).reshape(-1, 1)
            rows = Rows(item, rater, values).without(np.isnan(values[:, 0]))
            return self._made(items, rows, self._range(rows.values), raters, ())
        texts = [text_column(cells.get_column(name), self.where) for name in raters]
        labels = self._labels(occurring(texts))
        coded = np.column_stack([labels.codes(column, self.where) for column in texts]).ravel()
        rows = Rows(item, rater, coded).without(coded < 0)
        return self._made(items, rows, labels.scheme, raters, dropped(int((coded == DROPPED).sum())))

    def long(self) -> Ratings:
        """One row a rating."""
        keys = text_column(self._key(), self.where)
        require_bare(keys, self.where, kind="item keys")
        named = self._rater
        raters = text_column(self._column(named), self.where) if named else pl.Series([None] * self.frame.height)
        if named:
            require_bare(raters, self.where, kind="raters")
            self._require_raters(raters)
            self._require_once(keys, raters)
        items, item = places(keys)
        names, rater = places(raters) if named else (pl.Series([], dtype=pl.String), np.full(keys.len(), -1))
        if self._dimensions:
            numbers = [number_column(self._column(name), self.where) for name in self._dimensions.values()]
            values = np.column_stack([column.fill_null(np.nan).to_numpy() for column in numbers])
            self._require_finite(numbers)
            rows = Rows(item, rater, values).without(np.isnan(values).all(axis=1))
            empty = len(values) - len(rows.values)
            return self._made(items, rows, self._range(values), tuple(names), empty_rows(empty))
        text = self._label()
        labels = self._labels(occurring([text]))
        codes = labels.codes(text, self.where)
        rows = Rows(item, rater, codes).without(codes < 0)
        notes = (*empty_rows(int((codes == EMPTY).sum())), *dropped(int((codes == DROPPED).sum())))
        return self._made(items, rows, labels.scheme, tuple(names), notes)

    def _made(
        self, items: pl.Series, rows: Rows, scheme: Scheme, raters: tuple[str, ...], notes: tuple[str, ...]
    ) -> Ratings:
        if not rows.item.size:
            raise InputError("no rating is left", where=self.where, expected="ratings", cause="; ".join(notes))
        target = Target(self.columns.target or ("affect" if self._dimensions else "expression"), scheme)
        unnamed = () if raters else ("who made which rating is not known: nothing is said of single raters",)
        unrated = len(items) - np.unique(rows.item).size
        told = (f"{plural(unrated, 'item')} without a rating",) if unrated else ()
        stated = self.columns.labels is not None or self._dimensions or self.columns.counts
        observed = () if stated else (_FROM_DATA,)
        return Ratings(
            target=target,
            items=items.alias("item"),
            item=rows.item.astype(np.int64),
            rater=rows.rater.astype(np.int64),
            values=rows.values,
            raters=raters,
            subjects=self._subjects(items),
            name=self.columns.name,
            notes=(*observed, *notes, *told, *unnamed),
        )

    @property
    def _dimensions(self) -> dict[str, str]:
        """Dimension to its column; those of a declared scheme, unless columns are named."""
        if not self.columns.dimensions and isinstance(self.columns.labels, DimensionScheme):
            return {name: name for name in self.columns.labels.dimensions}
        return by_name(self.columns.dimensions)

    @property
    def key(self) -> str:
        """The column of item keys."""
        wanted = (self.columns.item,) if self.columns.item else _ITEM
        name = next((known for known in wanted if known in self.frame.columns), None)
        if name is None:
            raise UnknownNameError.of("column of item keys", wanted[0], self.frame.columns, where=self.where)
        return name

    def _key(self) -> pl.Series:
        return self.frame.get_column(self.key).alias("item")

    def _column(self, name: str) -> pl.Series:
        if name not in self.frame.columns:
            raise UnknownNameError.of("column", name, self.frame.columns, where=self.where)
        return self.frame.get_column(name)

    def _label(self) -> pl.Series:
        if self.columns.label not in self.frame.columns:
            raise UnknownNameError(
                f"no column {self.columns.label!r}, no columns of raters, counts or dimensions are named",
                where=self.where,
                expected="a column of labels, one column a rater, one column of counts a class, or a column a dimension",
                cause=f"the table has {name_list(self.frame.columns)}",
            )
        return text_column(self.frame.get_column(self.columns.label), self.where)

    def _labels(self, occurring: tuple[str, ...]) -> RatedLabels:
        told = self.columns.mapping
        stated = told if isinstance(told, StatedMapping) else StatedMapping.parse(told)
        return RatedLabels.of(self.columns.labels, occurring, stated, in_order=bool(self.columns.counts))

    def _range(self, values: np.ndarray) -> DimensionScheme:
        return rated_dimensions(self.columns.labels, tuple(self._dimensions), values, self.where)

    def _votes(self, name: str) -> np.ndarray:
        counts = whole_number_column(self._column(name), self.where)
        wrong = counts.is_null() | (counts < 0)
        if wrong.any():
            raise InputError(
                f"column {name!r} holds cells that are no number of votes:{value_lines(rows_by_value(counts, wrong))}",
                where=self.where,
                expected="a whole number from 0 in every row",
            )
        return counts.to_numpy()

    def _require_raters(self, column: pl.Series) -> None:
        empty = rows_of(column.is_null())
        if empty:
            raise InputError(f"no rater in {row_text(empty)}", where=self.where, expected="the rater of every rating")

    def _require_once(self, keys: pl.Series, raters: pl.Series) -> None:
        pairs = pl.DataFrame([keys.alias("item"), raters.alias("rater")])
        twice = rows_of(pairs.is_duplicated())
        if twice:
            first = twice[0] - 1
            raise InputError(
                f"rater {raters[first]!r} rates item {keys[first]!r} more than once ({len(twice)} such rows)",
                where=f"{self.where}: {row_text(twice)}" if self.where else row_text(twice),
                expected="one rating a rater and item",
                cause="a question asked again; keep the first or the last answer, and say which",
            )

    def _require_finite(self, columns: Sequence[pl.Series]) -> None:
        for column in columns:
            wrong = (column.is_nan() | column.is_infinite()).fill_null(value=False)
            if wrong.any():
                raise InputError(
                    f"column {column.name!r} has {column.filter(wrong)[0]} in {row_text(rows_of(wrong))}",
                    where=self.where,
                    expected="finite numbers, or an empty cell where there is no rating",
                )

    def _subjects(self, items: pl.Series) -> pl.Series | None:
        name = self.columns.subject or ("subject" if "subject" in self.frame.columns else "")
        if not name:
            return None
        pairs = pl.DataFrame([text_column(self._key(), self.where), text_column(self._column(name), self.where)])
        pairs.columns = ["item", "subject"]
        by_item = pairs.unique(maintain_order=True)
        several = by_item.filter(pl.col("item").is_duplicated())
        if several.height:
            key = several.item(0, "item")
            told = several.filter(pl.col("item") == key).get_column("subject").to_list()
            raise InputError(
                f"item {key!r} has the subjects {name_list(map(str, told))}",
                where=self.where,
                expected="one subject an item",
            )
        return pl.DataFrame([items.alias("item")]).join(by_item, on="item", how="left", maintain_order="left")[
            "subject"
        ]


_FROM_DATA: Final = "the label set is what occurs in the data, since none was declared"
