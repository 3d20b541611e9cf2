"""Strata: regions of dimensions, presence of units, missing values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

from affectcheck.annotations import make_table
from affectcheck.errors import UnknownNameError
from affectcheck.partitions import PartitionOptions, partition
from affectcheck.partitions.strata import Strata, strata_of
from affectcheck.schemes import Target, UnitScheme

if TYPE_CHECKING:
    from collections.abc import Callable

    from affectcheck.annotations import AnnotationTable

PLAIN = PartitionOptions(subjects="none")


@pytest.mark.parametrize(
    ("valence", "arousal", "region"),
    [
        (-0.9, -0.7, "[-1, -0.8) × [-0.8, -0.6)"),  # the region that paper 1, section II-B, gives as its example
        (-0.8, -0.8, "[-0.8, -0.6) × [-0.8, -0.6)"),
        (-1.0, 1.0, "[-1, -0.8) × [0.8, 1]"),
        (0.6, 0.0, "[0.6, 0.8) × [0, 0.2)"),
    ],
)
def test_regions_of_valence_and_arousal(
    affect: Callable[..., AnnotationTable], valence: float, arousal: float, region: str
) -> None:
    strata = strata_of(affect(np.array([[valence, arousal]])), PLAIN)
    assert strata.values == (("valence × arousal", region),)


def test_regions_scale_with_the_range_and_third_dimensions_stand_alone(
    affect: Callable[..., AnnotationTable],
) -> None:
    strata = strata_of(affect(np.array([[0.05, 0.95, 0.31]]), "affect-3"), PLAIN)
    assert strata.values == (("valence × arousal", "[0.3, 0.4) × [0, 0.1)"), ("dominance", "[0.9, 1]"))


def test_dimensions_without_the_plane_are_binned_alone(affect: Callable[..., AnnotationTable]) -> None:
    strata = strata_of(affect(np.full((2, 6), 0.55), "mimicry-6"), PLAIN)
    assert [column for column, _ in strata.values] == [
        "admiration", "amusement", "determination", "empathic pain", "excitement", "joy",
    ]  # fmt: skip
    assert {value for _, value in strata.values} == {"[0.5, 0.6)"}


def test_an_item_with_an_unknown_dimension_is_missing(affect: Callable[..., AnnotationTable]) -> None:
    strata = strata_of(affect(np.array([[0.1, 0.1], [0.1, np.nan], [np.nan, np.nan]])), PLAIN)
    assert strata.values[-1] == ("valence × arousal", "missing")
    assert strata.counts(np.zeros(3, dtype=int), 1).tolist() == [[1, 2, 3]]


def test_all_unknown_is_one_missing_stratum(affect: Callable[..., AnnotationTable]) -> None:
    strata = strata_of(affect(np.array([[np.nan, np.nan], [np.nan, 0.2]])), PLAIN)
    assert strata.values == (("valence × arousal", "missing"),)


def units(rows: list[list[int | None]]) -> AnnotationTable:
    columns = {f"AU{place}": [row[place] for row in rows] for place in range(len(rows[0]))}
    frame = pl.DataFrame({"item": [f"{row:03d}" for row in range(len(rows))], **columns})
    return make_table(frame, targets=[Target("units", UnitScheme("some", tuple(columns)))])


def test_units_count_their_presence_and_what_is_unknown() -> None:
    strata = strata_of(units([[1, 0, 0], [0, None, 0], [1, 1, 0], [0, 0, 0]]), PLAIN)
    assert strata.values == (("AU0", "present"), ("AU1", "present"), ("AU1", "missing"))
    assert strata.counts(np.array([0, 0, 1, 1]), 2).tolist() == [[1, 0, 1, 2], [1, 1, 0, 2]]


def test_a_unit_never_present_and_sometimes_unknown() -> None:
    strata = strata_of(units([[None], [0]]), PLAIN)
    assert strata.values == (("AU0", "missing"),)
    assert strata.counts(np.zeros(2, dtype=int), 1).tolist() == [[1, 2]]


def test_units_are_balanced_in_every_set() -> None:
    draw = np.random.default_rng(0)
    table = units((draw.random((600, 4)) < [0.1, 0.3, 0.5, 0.05]).astype(int).tolist())
    assert partition(table, options=PLAIN).report.max_allocation_deviation < 0.03


def test_labels_come_in_the_order_of_their_scheme(corpus: Callable[..., AnnotationTable]) -> None:
    strata = strata_of(corpus(4), PartitionOptions(groups=()))
    assert [value for _, value in strata.values] == ["anger", "happiness", "neutral", "sadness"]


def test_members_agree_with_counts(corpus: Callable[..., AnnotationTable]) -> None:
    table = corpus(6)
    strata = strata_of(table, PartitionOptions())
    rows = np.arange(table.height)
    assert np.array_equal(strata.members(rows), strata.counts(rows, table.height))
    assert strata.cells.max() < table.height


def test_joint_cells_are_numbered_by_their_first_item_and_told_in_words() -> None:
    strata = strata_of(units([[0, 0, 0], [1, None, 0], [0, 0, 0], [1, 1, 0]]), PLAIN)
    assert strata.cells.tolist() == [0, 1, 0, 2]
    assert strata.first.tolist() == [0, 1, 3]
    assert strata.cell_texts() == ("none", "AU0 × AU1 = missing", "AU0 × AU1")
    assert strata.cell_values().rows() == [(None, None), ("present", "missing"), ("present", "present")]


def test_joint_cells_of_some_columns(corpus: Callable[..., AnnotationTable]) -> None:
    whole = strata_of(corpus(8), PartitionOptions())
    some = whole.select(["sex", "age"])
    assert len(some.first) == 8
    assert some.cell_texts()[0] == "sex = male × age = missing"
    assert some.cell_values().columns == ["sex", "age"]
    assert [column.group for column in whole.columns] == [False, True, True]
    with pytest.raises(UnknownNameError, match="sexe"):
        whole.select(["sexe"])


def test_without_columns_all_items_are_one_cell() -> None:
    strata = Strata((), 3)
    assert strata.cells.tolist() == [0, 0, 0]
    assert strata.cell_texts() == ("all",)
