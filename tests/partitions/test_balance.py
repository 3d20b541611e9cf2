"""The balance report, by hand and by the reference measure."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

from affectcheck.annotations import make_table
from affectcheck.partitions import PartitionOptions, partition
from affectcheck.partitions.balance import Assigned, Rare, balance_of
from affectcheck.partitions.strata import strata_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable


def small() -> AnnotationTable:
    frame = pl.DataFrame({"item": list("abcdefgh"), "sex": ["female"] * 4 + ["male"] * 3 + [None]})
    return make_table(frame, targets=[], groups=("sex",))


def test_every_number_by_hand() -> None:
    strata = strata_of(small(), PartitionOptions())
    sets = np.array([0, 0, 0, 1, 0, 1, 1, 1])
    units = np.array([0, 0, 1, 2, 1, 3, 3, 4])
    report = balance_of(strata, Assigned(sets, units, ("train", "test"), (0.5, 0.5)))
    cell = report.frame.row(by_predicate=(pl.col("set") == "train") & (pl.col("value") == "female"), named=True)
    assert cell == {
        "set": "train", "column": "sex", "value": "female", "count": 3, "units": 2, "share": 0.75,
        "overall": 0.5, "allocation": 0.75, "target": 0.5, "deviation": 0.25,
    }  # fmt: skip
    # deviations: female ±1/4, male ±1/6, missing ±1/2, size 0
    assert report.cost_pp == pytest.approx(100 * 2 * (1 / 4 + 1 / 6 + 1 / 2 + 0) / 8)
    assert report.size_deviation == 0.0
    assert report.max_allocation_deviation == 0.25, "what one unit holds is named, not judged"
    assert report.max_deviation == 0.25
    assert report.unsplittable == (Rare("sex", "missing", 1, ("train",)),)
    assert report.uncovered == ()
    assert str(report.unsplittable[0]) == "sex = missing: 1 unit, missing in train"
    assert str(Rare("sex", "male", 2, ())) == "sex = male: 2 units"
    assert len(report.rows()) == 8


def test_a_value_that_could_be_everywhere_and_is_not() -> None:
    strata = strata_of(small(), PartitionOptions())
    sets = np.array([0, 0, 0, 0, 0, 1, 1, 1])
    report = balance_of(strata, Assigned(sets, np.arange(8), ("train", "test"), (0.5, 0.5)))
    assert report.uncovered == (Rare("sex", "female", 4, ("test",)),)


def test_an_empty_set_has_shares_of_zero() -> None:
    strata = strata_of(small(), PartitionOptions())
    report = balance_of(strata, Assigned(np.zeros(8, dtype=int), np.arange(8), ("train", "test"), (0.5, 0.5)))
    assert report.frame.filter(pl.col("set") == "test")["share"].to_list() == [0.0] * 4


@pytest.mark.shared
def test_the_cost_is_that_of_the_reference(shared_data: Path, corpus: Callable[..., AnnotationTable]) -> None:
    folder = str(shared_data / "reference" / "synthetic_databases")
    sys.path.insert(0, folder)
    try:
        from quality import cost, quality
    finally:
        sys.path.remove(folder)
    report = partition(corpus(20)).report
    frame = report.frame.with_columns(pl.int_range(pl.len()).over("set").alias("place"))
    shares = frame.pivot(on="set", index="place", values="allocation").select("train", "validation", "test").to_numpy()
    assert report.cost_pp == pytest.approx(cost(shares, [0.55, 0.15, 0.30]), abs=1e-9)
    counts = frame.pivot(on="set", index="place", values="count").select("train", "validation", "test").to_numpy()
    measured = quality(counts[:-1].T, counts[-1])
    assert report.size_deviation * 100 == pytest.approx(measured["size_max"], abs=1e-9)
    if not report.unsplittable:
        assert report.max_deviation * 100 == pytest.approx(measured["prop_max"], abs=1e-9)
        assert report.max_allocation_deviation * 100 == pytest.approx(measured["alloc_max"], abs=1e-9)
