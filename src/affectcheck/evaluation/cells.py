"""From a table to tallies by cell in one pass: groups, clusters and labels are coded as the rows go by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import polars as pl

from affectcheck.annotations.groups import group_column
from affectcheck.annotations.labels import category_column
from affectcheck.annotations.listing import plural
from affectcheck.annotations.plain import text_column
from affectcheck.annotations.table import AnnotationTable
from affectcheck.errors import InputError
from affectcheck.evaluation.batches import batches
from affectcheck.evaluation.coding import Combinations
from affectcheck.evaluation.grouping import Clusters, attribute
from affectcheck.evaluation.options import CROSS
from affectcheck.evaluation.sides import Sides
from affectcheck.evaluation.tallied import Tallied
from affectcheck.schemes import CategoryScheme, DimensionScheme, UnitScheme, parts
from affectcheck.tallies import Confusion, Histogram, Moments, Range, Tally, Units
from affectcheck.tallies.merging import padded
from affectcheck.tallies.tally import require_codes

if TYPE_CHECKING:
    from affectcheck.evaluation.batches import Table
    from affectcheck.schemes import Scheme

#: A column of classes; of units or dimensions, one a part in the scheme's order, or part to column.
Columns: TypeAlias = "str | Sequence[str] | Mapping[str, str]"


def tally_frame(  # noqa: PLR0913  # a table, and one keyword a role that its columns can have
    frame: Table,
    *,
    truth: Columns,
    prediction: Columns,
    scheme: Scheme | Sequence[str],
    by: Sequence[str] = (),
    clusters: str | None = None,
    histogram: bool = False,
) -> Tallied:
    """Count truth and predictions by group and cluster in one pass, in flat memory whatever the number of rows.

    Args:
        frame: a Polars frame or lazy frame, a Parquet file, or a folder or pattern of such files.
        truth: column of the truth. Classes are labels of the scheme (text or enumeration) or numbers 0 … C-1 in its
            order, null where unknown; units are 0, 1, and -1 or null where unknown; dimensions are real, NaN or null
            where unknown.
        prediction: the same of the prediction, of which every row needs one.
        scheme: the declared classes, units or dimensions; a sequence of names declares classes.
        by: group columns; ``sex*age`` crosses two. Any type but real numbers; unknown groups are left out of their
            attribute, and counted.
        clusters: column of what is resampled as a whole, such as the subject.
        histogram: whether dimensions are binned too, which the Jensen-Shannon divergence takes.

    Returns:
        Tallies by cell: ``pooled`` and ``by_cluster`` give those of all items, of an attribute's groups, of clusters.
        Items without a known label are not among them.

    Raises:
        UnknownNameError: a column is not there, or a label not in the scheme.
        InputError: a code, label or value that means nothing.

    Example:
        >>> frame = pl.DataFrame({"t": [0, 1, 1], "p": [0, 1, 0], "sex": ["f", "m", None]})
        >>> found = tally_frame(frame, truth="t", prediction="p", scheme=("sad", "happy"), by=["sex"])
        >>> found.pooled(Confusion).counts.tolist()
        [[1, 0], [1, 1]]
        >>> found.attributes["sex"].groups, found.pooled(Confusion, "sex").support.tolist()
        (('f', 'm'), [1, 1])
        >>> found.attributes["sex"].told
        'missing=1'
    """
    declared = scheme if isinstance(scheme, CategoryScheme | UnitScheme | DimensionScheme) else _classes(scheme)
    sides = _listed(truth, declared), _listed(prediction, declared)
    asked = CellColumns(declared, *sides, tuple(by), clusters, histogram)
    if isinstance(declared, CategoryScheme):
        return _classes_by_cell(frame, asked, declared)
    return _parts_by_cell(frame, asked)


@dataclass(frozen=True)
class CellColumns:
    """Which columns are counted by which.

    Attributes:
        scheme: the declared classes, units or dimensions.
        truth, prediction: one column of classes, or one a unit or dimension, in the scheme's order.
        by: attributes, crossed ones by ``*``.
        clusters: column of clusters; None for none.
        histogram: whether dimensions are binned too.
    """

    scheme: Scheme
    truth: tuple[str, ...]
    prediction: tuple[str, ...]
    by: tuple[str, ...] = ()
    clusters: str | None = None
    histogram: bool = False

    @property
    def groups(self) -> tuple[str, ...]:
        """The group columns, each once."""
        return tuple(dict.fromkeys(name.strip() for told in self.by for name in told.split(CROSS)))

    @property
    def names(self) -> tuple[str, ...]:
        """Every column: keys, truth, prediction."""
        return (*self.keys, *self.truth, *self.prediction)

    @staticmethod
    def placed(batch: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
        """Columns under the numbers of their places, since one may stand in two."""
        return pl.DataFrame([batch.get_column(name).alias(str(place)) for place, name in enumerate(names)])

    @property
    def keys(self) -> tuple[str, ...]:
        """The columns that say which cell a row is in."""
        return tuple(dict.fromkeys((*self.groups, *([self.clusters] if self.clusters else []))))


def _classes(labels: Sequence[str]) -> CategoryScheme:
    if isinstance(labels, str):
        raise InputError(f"a single text {labels!r} declares no classes", expected="a scheme, or names of classes")
    return CategoryScheme("declared", tuple(labels))


def _listed(columns: Columns, scheme: Scheme) -> tuple[str, ...]:
    if isinstance(scheme, CategoryScheme):
        if not isinstance(columns, str):
            raise InputError(f"columns {columns!r} of classes", expected="the name of one column")
        return (columns,)
    names = parts(scheme)
    if isinstance(columns, Mapping):
        return tuple(columns.get(name, name) for name in names)
    told = (columns,) if isinstance(columns, str) else tuple(columns)
    if len(told) != len(names):
        raise InputError(
            f"{len(told)} columns for {len(names)} {scheme.kind}", expected=f"one for each of {', '.join(names)}"
        )
    return told


def _classes_by_cell(frame: Table, asked: CellColumns, scheme: CategoryScheme) -> Tallied:
    """Counted by cell and by pair of labels as they stand in the table; what they mean is settled once at the end."""
    cells, pairs = Combinations(), Combinations()
    counts = np.zeros((1, 0), np.int64)
    for batch in batches(frame, asked.names):
        where = cells.numbers(asked.placed(batch, asked.keys)) if asked.keys else np.zeros(batch.height, np.int32)
        labels = pairs.numbers(asked.placed(batch, (*asked.truth, *asked.prediction)))
        shape = (max(cells.size, 1), pairs.size)
        counts = np.pad(counts, [(0, new - old) for new, old in zip(shape, counts.shape, strict=True)])
        key = where.astype(np.intp) * pairs.size + labels
        counts += np.bincount(key, minlength=counts.size).reshape(shape)
    true, predicted = (_class_codes(pairs.frame.to_series(side), scheme) for side in (0, 1))
    missing = int(counts[:, (true >= 0) & (predicted < 0)].sum())
    if missing:
        raise InputError(
            f"{plural(missing, 'row')} without a prediction in column {asked.prediction[0]!r}",
            expected="a prediction in every row",
            cause="items that the model failed on; leaving them out would reward it",
        )
    classes, known = len(parts(asked.scheme)), true >= 0
    key = np.arange(len(counts))[:, None] * classes**2 + (true * classes + predicted)[known]
    total = np.bincount(key.ravel(), counts[:, known].ravel(), len(counts) * classes**2)  # whole below 2**53
    tally = Confusion.of_counts(total.reshape(-1, classes, classes))
    return _tallied(asked, cells.frame, {Confusion: tally}, tally.support)


def _class_codes(column: pl.Series, scheme: CategoryScheme) -> np.ndarray:
    """(n,) codes of classes, -1 for an empty cell."""
    if column.dtype.is_integer() and not scheme.codes:
        require_codes(column.drop_nulls().to_numpy(), len(scheme.labels), "class", "another order or set of classes")
        return (column.fill_null(-1) if column.null_count() else column).to_numpy().astype(np.int64)
    labels: pl.Series = category_column(column, scheme, (), "")
    return labels.to_physical().cast(pl.Int64).fill_null(-1).to_numpy()


def _parts_by_cell(frame: Table, asked: CellColumns) -> Tallied:
    """Units or dimensions, tallied batch by batch."""
    cells = Combinations()
    total: dict[type[Tally], Tally] = {}
    weights = np.zeros(1, np.int64)
    before, sides = 0, Sides(asked.truth, asked.prediction, isinstance(asked.scheme, DimensionScheme))
    for batch in batches(frame, asked.names):
        where = cells.numbers(asked.placed(batch, asked.keys)) if asked.keys else np.zeros(batch.height, np.int32)
        number = cells.size if asked.keys else 1
        try:
            known, tallies = _tallies(*sides.of(batch), asked, {"cells": where, "n_cells": (number,)})
        except InputError as error:
            told = f"in the rows from {before} on: {error.where}" if before else error.where
            raise InputError(error.what, where=told, expected=error.expected, cause=error.cause) from error
        counted = where if known is None else where[known]
        weights = np.append(weights, np.zeros(max(number - weights.size, 0), np.int64))
        weights += np.bincount(counted, minlength=number)
        total = {kind: padded(total[kind], number) + made if total else made for kind, made in tallies.items()}
        before += batch.height
    if not total:
        raise InputError("the table has no rows", expected="at least one item")
    return _tallied(asked, cells.frame, total, weights[: max(cells.size, 1)])


def _tallies(
    truth: np.ndarray, prediction: np.ndarray, asked: CellColumns, where: dict[str, Any]
) -> tuple[np.ndarray | None, dict[type[Tally], Tally]]:
    """Which rows have a known label (None: all), and the tallies of a batch."""
    if isinstance(asked.scheme, DimensionScheme):
        unknown = np.isnan(truth)
        known = ~unknown.all(axis=1) if unknown.any() else np.ones(0, bool)
        made: dict[type[Tally], Tally] = {Moments: Moments.of(truth, prediction, **where)}
        if asked.histogram:
            bins = Range(asked.scheme.low, asked.scheme.high)
            made[Histogram] = Histogram.of(truth, prediction, on=bins, **where)
    else:
        made = {Units: Units.count(truth, prediction, **where)}
        known = np.ones(0, bool) if (truth.min(axis=0, initial=0) >= 0).any() else (truth >= 0).any(axis=1)
    return None if known.all() else known, made


def _tallied(
    asked: CellColumns, cells: pl.DataFrame, tallies: Mapping[type[Tally], Tally], weights: np.ndarray
) -> Tallied:
    """Cells that hold items, with their attributes and clusters."""
    kept = np.flatnonzero(weights > 0)
    named = cells.rename(dict(zip(cells.columns, asked.keys, strict=True))) if asked.keys else cells
    rows = named[kept.tolist()] if asked.keys else named
    weights = weights[kept]
    groups = {name: group_column(rows.get_column(name), None, "") for name in asked.groups}
    table = AnnotationTable(pl.DataFrame(list(groups.values())), {}, asked.groups)
    attributes = {name: attribute(table, table.frame, name, 0, weights) for name in dict.fromkeys(asked.by)}
    return Tallied(
        parts(asked.scheme),
        {kind: tally[kept] for kind, tally in tallies.items()},
        attributes,
        int(weights.sum()),
        _clusters(rows.get_column(asked.clusters)) if asked.clusters else None,
    )


def _clusters(column: pl.Series) -> Clusters:
    text = text_column(column, "")
    if text.null_count():
        raise InputError(
            f"rows without a value in the column of clusters {column.name!r}",
            expected="a cluster for every item",
            cause="items whose subject is not known",
        )
    values = text.unique().sort()
    codes = text.cast(pl.Enum(values)).to_physical().cast(pl.Int64).to_numpy()
    return Clusters("subject", codes, len(values))
