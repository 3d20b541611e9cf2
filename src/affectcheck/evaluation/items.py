"""The scored items as a frame and as a file: what another evaluation of the same items is compared with, row by row."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from affectcheck.atomic import write_bytes
from affectcheck.errors import InputError, MissingPathError
from affectcheck.evaluation.grouping import EXCLUDED
from affectcheck.schemes import CategoryScheme, DimensionScheme, UnitScheme

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from affectcheck.evaluation.alignment import Aligned
    from affectcheck.evaluation.grouping import Attribute, Clusters
    from affectcheck.evaluation.options import ClusterUnit
    from affectcheck.models.card import Output
    from affectcheck.schemes import Kind, Scheme

ITEMS_FILE: Final = "items.parquet"
LAYOUT_KEY: Final = "affectcheck-items"
_TAKEN: Final = ("item", "cluster", "truth", "prediction")
_PREFIXES: Final = ("truth_", "prediction_", "score_")


@dataclass(frozen=True)
class Layout:
    """What the columns of a table of items are.

    Attributes:
        target: name of what was scored.
        kind: ``categories``, ``units`` or ``dimensions``.
        parts: the scored classes, units or dimensions.
        low, high: the range of dimensions.
        unit: what a cluster is: ``subject``, ``media`` or ``item``.
        attributes: the group attributes; each has a column, see ``column_of``.
        minimum_support: items below which a crossed group is not scored.
        data: name and digest of the data, as in signatures.
        part: partition, as in signatures.
        output: what the model gives: ``label``, ``probability``, ``logit``, ``score`` or ``value``.
        no_scores: why there are no score columns; empty where there are.
    """

    target: str = ""
    kind: Kind = "categories"
    parts: tuple[str, ...] = ()
    low: float = 0.0
    high: float = 0.0
    unit: ClusterUnit = "item"
    attributes: tuple[str, ...] = ()
    minimum_support: int = 0
    data: str = ""
    part: str = ""
    output: Output = "value"
    no_scores: str = ""

    @property
    def scheme(self) -> Scheme:
        """The scheme that was scored, by its parts alone."""
        if self.kind == "categories":
            return CategoryScheme(self.target, self.parts)
        if self.kind == "units":
            return UnitScheme(self.target, self.parts)
        return DimensionScheme(self.target, self.parts, self.low, self.high)

    @property
    def truth_columns(self) -> tuple[str, ...]:
        """Columns of the truth."""
        return ("truth",) if self.kind == "categories" else tuple(f"truth_{part}" for part in self.parts)

    @property
    def prediction_columns(self) -> tuple[str, ...]:
        """Columns of the prediction."""
        return ("prediction",) if self.kind == "categories" else tuple(f"prediction_{part}" for part in self.parts)

    @property
    def score_columns(self) -> tuple[str, ...]:
        """Columns that hold the scores behind decisions, if there are any."""
        return tuple(f"score_{part}" for part in self.parts)


def column_of(attribute: str) -> str:
    """The column of an attribute: its name, unless a column of another meaning is called so.

    Example:
        >>> column_of("sex"), column_of("cluster")
        ('sex', 'group_cluster')
    """
    taken = attribute in _TAKEN or attribute.startswith((*_PREFIXES, "group_"))
    return f"group_{attribute}" if taken else attribute


def layout_of(aligned: Aligned, attributes: Sequence[Attribute], clusters: Clusters, *, data: str, part: str) -> Layout:
    """The layout of what an evaluation scores."""
    scheme = aligned.target.scheme
    low, high = (scheme.low, scheme.high) if isinstance(scheme, DimensionScheme) else (0.0, 0.0)
    return Layout(
        target=aligned.target.name,
        kind=scheme.kind,
        parts=aligned.parts,
        low=low,
        high=high,
        unit=clusters.unit,
        attributes=tuple(found.name for found in attributes),
        minimum_support=max((found.minimum_support for found in attributes), default=0),
        data=data,
        part=part,
        output=aligned.output,
        no_scores=aligned.no_scores,
    )


def items_frame(aligned: Aligned, attributes: Sequence[Attribute], layout: Layout) -> pl.DataFrame:
    """One row a scored item.

    Returns:
        ``item``; ``cluster``, null where an item without a subject (or media file) is a cluster of its own; a column
        an attribute, null where the item is in no group of it; truth and prediction, null where unknown or missing:
        ``truth`` and ``prediction`` of categories, else ``truth_<part>`` and ``prediction_<part>``; and
        ``score_<part>`` where the model gave scores.
    """
    item = aligned.frame.get_column("item")
    cluster = aligned.frame.get_column(layout.unit).cast(pl.String).alias("cluster")
    columns = [item, cluster]
    columns += [_labels(column_of(found.name), found.codes, found.groups) for found in attributes]
    for names, values in ((layout.truth_columns, aligned.truth), (layout.prediction_columns, aligned.prediction)):
        if layout.kind == "categories":
            columns.append(_labels(names[0], values, layout.parts))
        else:
            columns += [_values(name, values[:, place]) for place, name in enumerate(names)]
    if aligned.scores is not None:
        columns += [_values(name, aligned.scores[:, place]) for place, name in enumerate(layout.score_columns)]
    return pl.DataFrame(columns)


def _labels(name: str, codes: np.ndarray, labels: Sequence[str]) -> pl.Series:
    """Labels by code, null for a negative one."""
    entries = pl.Series(name, [*labels, None], pl.Enum(labels))
    return entries.gather(np.where(codes > EXCLUDED, codes, len(labels)))


def _values(name: str, values: np.ndarray) -> pl.Series:
    """Numbers, null for NaN and, among units, for -1."""
    column = pl.Series(name, np.ascontiguousarray(values))
    if column.dtype.is_float():
        return column.cast(pl.Float64).fill_nan(None)
    return column.cast(pl.Int8).set(column < 0, None)


@dataclass(frozen=True, eq=False)
class ScoredItems:
    """A table of scored items with its layout, as it lies in a run folder.

    Attributes:
        frame: see ``items_frame``.
        layout: what its columns are.
    """

    frame: pl.DataFrame
    layout: Layout

    def write(self, path: Path) -> None:
        """Write as Parquet, with the layout.

        Raises:
            WriteError: the disk is full or not writable.
        """
        contents = BytesIO()
        told = json.dumps(asdict(self.layout), sort_keys=True)
        self.frame.write_parquet(contents, metadata={LAYOUT_KEY: told})
        write_bytes(path, contents.getvalue())

    @classmethod
    def read(cls, path: Path) -> ScoredItems:
        """Read what ``write`` wrote.

        Raises:
            MissingPathError: there is no such file.
            InputError: another kind of file.
        """
        if not path.is_file():
            raise MissingPathError.of(
                "table of scored items",
                path,
                expected=f"a run folder that holds {ITEMS_FILE}",
                cause="a run that kept tallies of a stream alone, one of behaviour tests, or one by an earlier version",
            )
        try:
            frame, told = pl.read_parquet(path), pl.read_parquet_metadata(path)
        except (pl.exceptions.PolarsError, OSError) as error:
            raise InputError(f"not a Parquet file: {error}", where=str(path), cause="a file cut off") from error
        layout = _layout_from(told.get(LAYOUT_KEY, ""))
        if layout is None:
            raise InputError("not a table of scored items", where=str(path), expected=f"the {ITEMS_FILE} of a run")
        found = cls(frame, layout)
        lacking = [name for name in found.columns if name not in frame.columns]
        if lacking:
            raise InputError(
                f"a table of scored items without {', '.join(map(repr, lacking))}",
                where=str(path),
                expected=f"the columns {', '.join(found.columns)}",
                cause="a file that was changed by hand",
            )
        return found

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that every such table has."""
        of, groups = self.layout, map(column_of, self.layout.attributes)
        return ("item", "cluster", *groups, *of.truth_columns, *of.prediction_columns)


def _layout_from(text: str) -> Layout | None:
    """What ``write`` told of the columns; None where it is no such text."""
    try:
        told: Any = json.loads(text)
    except json.JSONDecodeError:
        return None
    if not isinstance(told, dict):
        return None
    known = {f.name for f in fields(Layout)}
    values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in told.items() if k in known}
    return Layout(**values)
