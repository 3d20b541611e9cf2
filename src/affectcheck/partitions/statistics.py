"""Statistics of a data set and of its partitions, as paper 1 prints them in Tables I to III and in Figure 4."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from affectcheck.annotations.listing import plural
from affectcheck.partitions.balance import SIZE
from affectcheck.partitions.counted import ALL, CROSS, FRAME, NOWHERE, PLANE, Described, Division, Statistics, in_order
from affectcheck.partitions.given_sets import one_row_an_item
from affectcheck.partitions.options import PartitionOptions
from affectcheck.partitions.partition import Partition
from affectcheck.partitions.strata import Column, strata_of
from affectcheck.schemes import CategoryScheme, DimensionScheme, UnitScheme

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.schemes import Target

#: What the data set's own partition is called beside others.
OWN: Final = "original"
#: Squares a side of the plane: two in each region of the protocol.
SQUARES: Final = 20
_PLANE: Final = ("valence", "arousal")
#: The order of paper 1's tables; other groups follow in the table's own.
_GROUPS: Final = ("gender", "sex", "race", "age")
_ROUND_OFF: Final = 1e-9  # (-0.8 + 1) / 0.1 is a little below 2, but -0.8 belongs to the upper square


@dataclass(frozen=True, eq=False)
class Divided:
    """A division, and where every item is.

    Attributes:
        division: its name and sets.
        codes: (n,) index of the set of every item of the table sorted by item.
        strange: items of the partition that the table does not have.
    """

    division: Division
    codes: np.ndarray
    strange: int = 0

    @property
    def sets(self) -> int:
        """How many sets there are."""
        return len(self.division.sets)


def own_partition(table: AnnotationTable) -> pl.DataFrame:
    """The data set's own partition as ``item`` and ``part``; all items in one set where it has none."""
    if "partition" in table.frame.columns:
        return table.frame.select("item", part=pl.col("partition").cast(pl.String))
    return table.frame.select("item", part=pl.lit(ALL))


def statistics(table: AnnotationTable, partitions: Mapping[str, pl.DataFrame | Partition] | None = None) -> Statistics:
    """Count every label, group and region of a table in every set of some partitions.

    Args:
        table: the data.
        partitions: by name: made or loaded, or frames with ``item`` and ``part``; the table's own if None.

    Returns:
        The counts, also of labels by groups and of the valence-arousal plane. Items that a partition does not name
        are counted apart, in ``NOWHERE``.
    """
    given = {OWN: own_partition(table)} if partitions is None else partitions
    ordered = replace(table, frame=table.frame.sort("item"))
    divided, notes = [], list(table.notes)
    for name, partition in given.items():
        one = divide(ordered, name, partition)
        divided.append(one)
        if one.strange:
            notes.append(f"{plural(one.strange, 'item')} of the partition {name!r} are not in the data")
    columns = counted_columns(ordered)
    return Statistics(
        _frame(ordered, columns, divided),
        _cross(columns, divided),
        (Described(SIZE[0], "size"), *(described for described, _ in columns)),
        tuple(one.division for one in divided),
        table.name,
        _plane(ordered, divided),
        *_edges(ordered),
        table.digest,
        table.frame.get_column("subject").drop_nulls().n_unique() if table.has_subjects else None,
        notes=tuple(notes),
    )


def divide(ordered: AnnotationTable, name: str, given: pl.DataFrame | Partition) -> Divided:
    """The set of every item of a table sorted by item."""
    frame = given.frame if isinstance(given, Partition) else one_row_an_item(given)
    parts = ordered.frame.select("item").join(frame, on="item", how="left", maintain_order="left").get_column("part")
    strange = frame.join(ordered.frame.select("item"), on="item", how="anti").height
    if isinstance(given, Partition):
        sets, ratios = given.names, given.options.ratios
    else:
        sets, ratios = in_order(parts.drop_nulls().unique()), ()
    if parts.null_count():
        sets = (*sets, NOWHERE)
    index = {part: code for code, part in enumerate(sets)}
    codes = np.array([index[part] for part in parts.fill_null(NOWHERE)], dtype=np.int64)
    return Divided(Division(name, sets, ratios), codes, strange)


def counted_columns(ordered: AnnotationTable) -> list[tuple[Described, Column]]:
    """Groups in the order of the paper's tables, then the labels of every target."""
    strata = strata_of(ordered, PartitionOptions(targets=tuple(ordered.targets)))
    found = {column.name: column for column in strata.columns}
    known = [name for name in _GROUPS if name in ordered.groups]
    groups = [*known, *(name for name in ordered.groups if name not in known)]
    described = [Described(name, "group") for name in groups]
    for target in ordered.targets.values():
        described += _described(target, list(found))
    return [(one, found[one.name]) for one in described if one.name in found]


def _described(target: Target, found: list[str]) -> list[Described]:
    if isinstance(target.scheme, CategoryScheme):
        return [Described(target.name, "label", target.name)]
    if isinstance(target.scheme, UnitScheme):
        return [Described(unit, "unit", target.name) for unit in target.columns]
    own = {" × ".join(_PLANE), *target.columns}
    return [Described(name, "region", target.name) for name in found if name in own]


def _frame(ordered: AnnotationTable, columns: list[tuple[Described, Column]], divided: list[Divided]) -> pl.DataFrame:
    whole = Column(SIZE[0], (SIZE[1],), np.zeros(ordered.height, dtype=np.int64))
    people = _people(ordered)
    blocks = []
    for one in divided:
        for column in (whole, *(column for _, column in columns)):
            width, sets = len(column.values), one.division.sets
            has = column.codes >= 0
            key = one.codes[has] * width + column.codes[has]
            held = _distinct(key, people[has], one.sets * width) if people is not None else None
            block = {
                "partition": [one.division.name] * (one.sets * width),
                "set": np.repeat(sets, width).tolist(),
                "column": [column.name] * (one.sets * width),
                "value": list(column.values) * one.sets,
                "count": np.bincount(key, minlength=one.sets * width),
                "subjects": held,
            }
            blocks.append(pl.DataFrame(block, schema=FRAME))
    return pl.concat(blocks)


def _people(ordered: AnnotationTable) -> np.ndarray | None:
    """An index of the subject of every item, -1 where unknown; None where no item names one."""
    if not ordered.has_subjects:
        return None
    names = ordered.frame.get_column("subject").cast(pl.String)
    return np.asarray((names.rank("dense").cast(pl.Int64) - 1).fill_null(-1).to_numpy())


def _distinct(key: np.ndarray, people: np.ndarray, size: int) -> np.ndarray:
    """How many people each key has."""
    named = people >= 0
    count = int(people.max(initial=0)) + 1
    pairs = np.unique(key[named] * count + people[named])
    return np.bincount(pairs // count, minlength=size)


def _cross(columns: list[tuple[Described, Column]], divided: list[Divided]) -> pl.DataFrame:
    groups = [column for described, column in columns if described.role == "group"]
    labels = [column for described, column in columns if described.role != "group"]
    blocks = [
        _crossed(one, label, group) for one in divided for label in labels for group in groups
    ]  # in the order of the frame
    return pl.concat([pl.DataFrame(schema=CROSS), *blocks])


def _crossed(one: Divided, label: Column, group: Column) -> pl.DataFrame:
    rows, width = len(label.values), len(group.values)
    has = (label.codes >= 0) & (group.codes >= 0)
    key = (one.codes[has] * rows + label.codes[has]) * width + group.codes[has]
    size = one.sets * rows * width
    block = {
        "partition": [one.division.name] * size,
        "set": np.repeat(one.division.sets, rows * width).tolist(),
        "column": [label.name] * size,
        "value": np.repeat(label.values, width).tolist() * one.sets,
        "by": [group.name] * size,
        "by_value": list(group.values) * (one.sets * rows),
        "count": np.bincount(key, minlength=size),
    }
    return pl.DataFrame(block, schema=CROSS)


def _affect(table: AnnotationTable) -> DimensionScheme | None:
    """The scheme whose dimensions span the plane of valence and arousal, if the table has one."""
    schemes = (target.scheme for target in table.targets.values() if set(_PLANE) <= set(target.columns))
    return next((scheme for scheme in schemes if isinstance(scheme, DimensionScheme)), None)


def _edges(table: AnnotationTable) -> tuple[float, float]:
    """Side of a square and lower end of the plane."""
    scheme = _affect(table)
    return ((scheme.high - scheme.low) / SQUARES, scheme.low) if scheme else (0.1, -1.0)


def _plane(ordered: AnnotationTable, divided: list[Divided]) -> pl.DataFrame:
    scheme = _affect(ordered)
    if scheme is None:
        return pl.DataFrame(schema=PLANE)
    return pl.concat(list(_squares(ordered, scheme, divided)))


def _squares(ordered: AnnotationTable, scheme: DimensionScheme, divided: list[Divided]) -> Iterator[pl.DataFrame]:
    """The squares that hold items, by set."""
    side = (scheme.high - scheme.low) / SQUARES
    values = ordered.frame.select(_PLANE)
    known = values.select(pl.all_horizontal(pl.all().is_not_null())).to_series().to_numpy()
    steps = np.floor((values.fill_null(scheme.low).to_numpy() - scheme.low) / side + _ROUND_OFF)
    steps = np.clip(steps, 0, SQUARES - 1).astype(np.int64)
    flat = steps[:, 0] * SQUARES + steps[:, 1]
    for one in divided:
        key = one.codes[known] * SQUARES**2 + flat[known]
        counts = np.bincount(key, minlength=one.sets * SQUARES**2)
        held = np.flatnonzero(counts)
        part, square = np.divmod(held, SQUARES**2)
        corner = scheme.low + side * np.stack(np.divmod(square, SQUARES))
        yield pl.DataFrame(
            {
                "partition": [one.division.name] * len(held),
                "set": [one.division.sets[code] for code in part],
                "valence": corner[0].round(9),
                "arousal": corner[1].round(9),
                "count": counts[held],
            },
            schema=PLANE,
        )
