"""Statistics against counts made one item at a time, for labels, units, regions and groups, whatever the rows' order."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affectcheck.annotations import make_table
from affectcheck.errors import InputError
from affectcheck.partitions import (
    Budget,
    Division,
    PartitionOptions,
    Statistics,
    deviations,
    own_partition,
    partition,
    published_statistics,
    statistics,
    unsplittable,
)
from affectcheck.partitions.counted import NOWHERE, beside, in_order, is_protocol, with_shares
from affectcheck.partitions.deviations import regions
from affectcheck.partitions.task_split import task_splits
from affectcheck.schemes import Target, scheme

if TYPE_CHECKING:
    from collections.abc import Callable

    from affectcheck.annotations import AnnotationTable

UNITS = ("AU1", "AU2", "AU4")
PARTS = ("Train", "val", "test", None)


def faces(items: int = 90, seed: int = 0, *, subjects: bool = True, own: bool = True) -> AnnotationTable:
    """Items with an expression, units of which some are unknown, valence and arousal, two groups and a partition."""
    draw = np.random.Generator(np.random.PCG64(seed))
    labels = scheme("expressions-4").labels
    units = scheme("au-12-disfa").units
    frame = {
        "item": [f"{row:04d}" for row in range(items)],
        "gender": draw.choice(["female", "male", None], items).tolist(),
        "accent": draw.choice(["north", "south"], items).tolist(),
        "race": draw.choice(["asian", "white"], items).tolist(),
        "expression": [labels[code] if code < 4 else None for code in draw.integers(0, 5, items)],
        "valence": np.round(draw.uniform(-1, 1, items), 2),
        "arousal": [None if row % 11 == 0 else float(np.round(draw.uniform(-1, 1), 2)) for row in range(items)],
        **{unit: draw.choice([0, 1, None], items).tolist() for unit in UNITS},
        **{unit: [0] * items for unit in units if unit not in UNITS},
    }
    if subjects:
        frame["subject"] = [f"s{row % 7}" if row % 13 else None for row in range(items)]
    if own:
        frame["partition"] = [PARTS[row % 4] if row % 3 else PARTS[0] for row in range(items)]
    targets = [
        Target("expression", scheme("expressions-4")),
        Target("affect", scheme("valence-arousal")),
        Target("action units", scheme("au-12-disfa")),
    ]
    return make_table(pl.DataFrame(frame), targets=targets, groups=("race", "accent", "gender"), name="faces")


def counted(table: AnnotationTable, column: str) -> dict[tuple[str, str], int]:
    """Count by set and value, one item at a time."""
    rows = table.frame.to_dicts()
    pairs = Counter((row["partition"] or NOWHERE, row[column] or "missing") for row in rows)
    return {(part, value): count for (part, value), count in pairs.items() if count}


def test_every_label_and_group_is_counted_in_every_set() -> None:
    table = faces()
    found = statistics(table)
    assert [d.name for d in found.divisions] == ["original"]
    assert found.divisions[0].sets == ("Train", "val", "test", NOWHERE)
    assert found.divisions[0].real == ("Train", "val", "test")
    assert [column.name for column in found.columns][:5] == ["items", "gender", "race", "accent", "expression"]
    for column in ("gender", "accent", "race", "expression"):
        held = {key: count for key, count in found.counts("original", column).items() if count}
        assert held == counted(table, column)
    assert found.sizes("original") == Counter(part or NOWHERE for part in table.frame.get_column("partition"))
    assert found.people == 7
    assert found.division("original") is found.divisions[0]


def test_units_are_counted_where_they_are_present_and_where_nobody_knows() -> None:
    table = faces()
    found = statistics(table)
    for unit in UNITS:
        rows = table.frame.select("partition", unit).rows()
        present = Counter(part or NOWHERE for part, cell in rows if cell == 1)
        unknown = Counter(part or NOWHERE for part, cell in rows if cell is None)
        counts = found.counts("original", unit)
        assert {part: count for (part, value), count in counts.items() if value == "present"} == present
        assert {part: count for (part, value), count in counts.items() if value == "missing"} == unknown
    assert "AU5" not in {column.name for column in found.columns}  # never present, never unknown


def test_subjects_of_a_cell_are_distinct_and_null_without_subjects() -> None:
    table = faces()
    row = statistics(table).frame.row(
        by_predicate=(pl.col("set") == "Train") & (pl.col("value") == "female"), named=True
    )
    inside = table.frame.filter(pl.col("partition") == "Train", pl.col("gender") == "female")
    assert row["subjects"] == inside.get_column("subject").drop_nulls().n_unique()
    assert (
        statistics(faces(subjects=False)).frame.get_column("subjects").null_count() == statistics(faces()).frame.height
    )


def test_the_plane_holds_every_item_of_known_valence_and_arousal_in_its_square() -> None:
    table = faces()
    found = statistics(table)
    known = table.frame.drop_nulls(["valence", "arousal"])
    expected = Counter(
        (part or NOWHERE, min(int(np.floor(v * 10 + 1e-6)), 9) / 10, min(int(np.floor(a * 10 + 1e-6)), 9) / 10)
        for part, v, a in known.select("partition", "valence", "arousal").rows()
    )
    assert {(p, v, a): n for _, p, v, a, n in found.plane.rows()} == expected
    assert (found.square, found.low) == (pytest.approx(0.1), -1.0)


def test_labels_are_crossed_with_every_group() -> None:
    table = faces()
    cross = statistics(table).cross
    expected = Counter(
        (part or NOWHERE, label or "missing", group or "missing")
        for part, label, group in table.frame.select("partition", "expression", "gender").rows()
    )
    rows = cross.filter(column="expression", by="gender").select("set", "value", "by_value", "count").rows()
    assert {(p, v, b): n for p, v, b, n in rows if n} == expected
    assert set(cross.get_column("by").unique()) == {"gender", "race", "accent"}


def test_a_table_without_a_partition_is_one_set_and_one_without_groups_crosses_nothing() -> None:
    table = faces(own=False)
    found = statistics(table)
    assert found.divisions[0].sets == ("all",)
    bare = make_table(table.frame.select("item"), targets=[], name="bare")
    assert statistics(bare).sizes("original") == {"all": 90}
    assert not statistics(bare).cross.height
    assert not statistics(bare).plane.height


def test_made_partitions_stand_beside_the_own_one_and_strangers_are_told() -> None:
    table = faces()
    made = partition(
        table, options=PartitionOptions(targets=("expression",), groups=(), subjects="none", budget=Budget(nodes=0))
    )
    frame = pl.DataFrame({"item": ["0000", "9999"], "part": ["b", "a"]})
    found = statistics(table, {"own": own_partition(table), "fair": made, "odd": frame})
    assert [division.name for division in found.divisions] == ["own", "fair", "odd"]
    assert found.division("fair").ratios == (0.55, 0.15, 0.3)
    assert found.division("odd").sets == ("b", NOWHERE)
    assert any("1 item of the partition 'odd'" in note for note in found.notes)
    assert found.sizes("fair") == {name: len(made.items(name)) for name in made.names}


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 1000))
def test_the_order_of_rows_changes_nothing(seed: int) -> None:
    table = faces(40, seed)
    turned = replace(table, frame=table.frame.sample(fraction=1.0, shuffle=True, seed=seed))
    first, second = statistics(table), statistics(turned)
    assert first.frame.equals(second.frame)
    assert first.cross.equals(second.cross)
    assert first.plane.equals(second.plane)


def test_shares_are_of_the_set_and_allocations_of_the_value() -> None:
    table = faces()
    frame = with_shares(statistics(table).frame).filter(column="gender")
    assert statistics(table).rows() == with_shares(statistics(table).frame).to_dicts()
    for part in ("Train", "val", "test", NOWHERE):
        assert frame.filter(set=part).get_column("share").sum() == pytest.approx(1)
    for value in ("female", "male", "missing"):
        assert frame.filter(value=value).get_column("allocation").sum() == pytest.approx(1)
    assert frame.filter(set=NOWHERE).get_column("allocation").null_count() == 3


def test_sets_are_ordered_and_recognised_by_what_databases_call_them() -> None:
    assert in_order(["test", "zoo", "Dev", "TRAIN"]) == ("TRAIN", "Dev", "test", "zoo")
    assert is_protocol(("training", "val", "evaluation"))
    assert not is_protocol(("train", "test"))


def test_the_same_measures_as_of_a_made_partition() -> None:
    """Its own report and the counts give one and the same deviations."""
    table = faces(400, subjects=False)
    options = PartitionOptions(targets=("expression",), groups=("gender", "accent", "race"), subjects="none")
    made = partition(table, options=options)
    found = statistics(replace(table, targets={"expression": table.targets["expression"]}), {"fair": made})
    measured = deviations(found, found.divisions[0])
    assert measured is not None
    assert measured.share_max == pytest.approx(made.report.max_deviation)
    assert measured.allocation_max == pytest.approx(made.report.max_allocation_deviation)
    assert measured.size == pytest.approx(made.report.size_deviation)
    assert measured.targets == (0.55, 0.15, 0.3)


def by_hand(counts: dict[str, list[int]], sets: tuple[str, ...], ratios: tuple[float, ...] = ()) -> Statistics:
    rows = [
        ("p", part, *name.split("="), count, None)
        for name, cells in counts.items()
        for part, count in zip(sets, cells, strict=True)
    ]
    frame = pl.DataFrame(rows, schema=published_statistics("raf-db").frame.schema, orient="row")
    empty = published_statistics("raf-db")
    columns = [
        replace(empty.columns[0], name=name, role="group")
        for name in dict.fromkeys(key.split("=")[0] for key in counts)
    ]
    columns[0] = empty.columns[0]
    return Statistics(frame, empty.cross, tuple(columns), (Division("p", sets, ratios),))


def test_deviations_by_hand() -> None:
    """Sizes 60, 20, 20; a is 30, 0, 10: shares .5, 0, .5 of .4; allocations .75, 0, .25 of .55, .15, .30."""
    counts = {
        "items=all": [60, 20, 20],
        "g=a": [30, 0, 10],
        "g=b": [30, 20, 10],
        "h=only": [60, 20, 20],
        "h=none": [0, 0, 0],
    }
    found = by_hand(counts, ("train", "dev", "test"))
    measured = deviations(found, found.divisions[0])
    assert measured is not None
    assert measured.share_max == pytest.approx(0.4)
    assert measured.share_mean == pytest.approx((0.1 + 0.4 + 0.1) / 3)
    assert measured.allocation_max == pytest.approx(0.2)
    assert measured.worst == ("g", "a", "train")
    assert (measured.smallest, measured.empty, measured.cells) == (0, 1, 6)
    assert measured.size == pytest.approx(0.1)
    skipped = deviations(found, found.divisions[0], skip={("g", "a")})
    assert skipped is not None
    assert skipped.cells == 3


def test_other_sets_than_the_protocols_are_measured_by_their_own_sizes() -> None:
    found = by_hand({"items=all": [80, 20], "g=a": [8, 2], "g=b": [72, 18]}, ("train", "test"))
    measured = deviations(found, found.divisions[0])
    assert measured is not None
    assert measured.allocation_max == pytest.approx(0)
    assert measured.targets == (0.8, 0.2)
    asked = by_hand({"items=all": [80, 20], "g=a": [8, 2], "g=b": [72, 18]}, ("train", "test"), (0.5, 0.5))
    measured = deviations(asked, asked.divisions[0])
    assert measured is not None
    assert measured.size == pytest.approx(0.3)


def test_nothing_is_measured_of_one_set_or_of_no_values() -> None:
    one = by_hand({"items=all": [80], "g=a": [8]}, ("all",))
    assert deviations(one, one.divisions[0]) is None
    bare = by_hand({"items=all": [8, 2]}, ("a", "b"))
    assert deviations(bare, bare.divisions[0]) is None
    empty = by_hand({"items=all": [0, 0], "g=a": [1, 0]}, ("a", "b"))
    assert deviations(empty, empty.divisions[0]) is None


def test_values_that_fewer_subjects_hold_than_there_are_sets_cannot_be_split() -> None:
    rows = [
        ("a1", "s1", "x", "train"),
        ("a2", "s1", "x", "train"),
        ("b1", "s2", "y", "test"),
        ("b2", "s3", "y", "train"),
    ]
    frame = pl.DataFrame(rows, schema=["item", "subject", "group", "partition"], orient="row")
    table = make_table(frame, targets=[], groups=("group",), name="few")
    found = statistics(table)
    assert unsplittable(found, found.divisions[0]) == {("group", "x")}
    alone = statistics(replace(table, frame=frame.drop("subject")))
    assert unsplittable(alone, alone.divisions[0]) == frozenset()


def test_regions_are_told_apart() -> None:
    found = statistics(faces())
    assert {column for column, _ in regions(found)} == {"valence × arousal"}
    assert len(regions(found)) == len(found.values("valence × arousal"))


def test_two_statistics_beside_each_other_share_their_columns() -> None:
    own = statistics(faces())
    both = beside(own, published_statistics("disfa"))
    names = [column.name for column in both.columns]
    assert len(set(names)) == len(names)
    assert [column.role for column in both.columns] == sorted(
        (column.role for column in both.columns), key=["size", "group", "label", "unit", "region"].index
    )
    assert {column.of for column in both.columns if column.role == "unit"} == {"action units"}
    assert both.values("gender", "new") == ("female", "male")
    renamed = beside(own, published_statistics("raf-db"), {"gender": "accent"})
    assert "female" in renamed.values("accent")


def test_the_task_split_follows_the_largest_label_through_the_groups() -> None:
    table = faces()
    made = partition(table, options=PartitionOptions(subjects="none", budget=Budget(nodes=0)))
    expression, affect, units = task_splits(table, made, "fair")
    assert [split.role for split in (expression, affect, units)] == ["label", "region", "unit"]
    assert [level.attribute for level in expression.levels] == ["gender", "race", "accent"]
    rows = table.frame.join(made.frame, on="item")
    chosen = rows.filter(pl.col("expression").cast(pl.String).fill_null("missing") == expression.chosen)
    assert sum(sum(counts) for _, counts in expression.rows) == 90
    assert sum(dict(expression.rows)[expression.chosen]) == chosen.height
    for level in expression.levels:
        held = chosen.get_column(level.attribute).fill_null("missing")
        assert dict(level.values) == {value: (held == value).sum() for value, _ in level.values}
        chosen = chosen.filter(pl.col(level.attribute).fill_null("missing") == level.chosen)
    assert dict(zip(made.names, expression.cell, strict=True)) == {
        name: (chosen.get_column("part") == name).sum() for name in made.names
    }
    assert expression.cells == rows.select("expression", "gender", "race", "accent").n_unique()
    assert (units.column, expression.column, affect.column) == ("action units", "expression", "valence × arousal")
    assert [value for value, _ in units.rows] == list(UNITS)


def test_items_that_are_nowhere_take_no_part_in_the_split() -> None:
    table = faces()
    expression, *_ = task_splits(table, own_partition(table))
    placed = table.frame.drop_nulls("partition")
    assert sum(sum(counts) for _, counts in expression.rows) == placed.height


def test_targets_without_a_label_have_no_split(corpus: Callable[..., AnnotationTable]) -> None:
    table = faces()
    empty = table.frame.with_columns(pl.lit(0, dtype=pl.Int8).alias(unit) for unit in scheme("au-12-disfa").units)
    names = [split.target for split in task_splits(replace(table, frame=empty), own_partition(table))]
    assert names == ["expression", "affect"]
    unknown = table.frame.with_columns(pl.lit(None, dtype=pl.Int8).alias(unit) for unit in scheme("au-12-disfa").units)
    names = [split.target for split in task_splits(replace(table, frame=unknown), own_partition(table))]
    assert names == ["expression", "affect"]
    assert [split.target for split in task_splits(corpus(), own_partition(corpus()))] == ["expression"]


def test_a_frame_is_read_as_an_audit_reads_it() -> None:
    table = faces(own=False)
    items = table.frame.get_column("item").to_list()
    given = pl.DataFrame(
        {"item": [*items, items[1]], "part": [" train" if n % 2 else "" for n in range(90)] + ["train"]}
    )
    found = statistics(table, {"given": given})
    assert found.divisions[0].sets == ("train", NOWHERE)
    assert found.sizes("given") == {"train": 45, NOWHERE: 45}
    with pytest.raises(InputError, match="rows contradict each other on 1 item"):
        statistics(table, {"given": given.with_columns(item=pl.lit("0001"))})
