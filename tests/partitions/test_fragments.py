"""Units cut by set."""

from __future__ import annotations

import numpy as np
import polars as pl

from affectcheck.annotations import make_table
from affectcheck.partitions import PartitionOptions
from affectcheck.partitions.fragments import Fragments, blocks_of, present_codes
from affectcheck.partitions.strata import strata_of
from affectcheck.schemes import Target, UnitScheme, scheme


def test_codes_are_renumbered_whatever_their_size() -> None:
    for size in (9, 10**9):
        new, old = present_codes(np.array([5, 2, 5]), size)
        assert (new.tolist(), old.tolist()) == ([1, 0, 1], [2, 5])


def test_a_unit_in_two_sets_is_a_fragment_in_each_and_one_holder_of_all() -> None:
    found = Fragments.of(np.array([0, 0, 0, 1, 2]), np.array([0, 1, 1, 1, 0]), 3)
    assert (found.count, found.nested, found.alone) == (4, False, False)
    counts = np.zeros((4, 1))
    np.add.at(counts, (found.codes, 0), 1)
    by_set, everywhere = found.holders(counts)
    assert by_set.tolist() == [[2], [2], [0]]
    assert everywhere.tolist() == [3]
    assert found.pooled(counts).tolist() == [[2], [3], [0]]


def test_whole_units_are_counted_once() -> None:
    found = Fragments.of(np.array([0, 0, 1]), np.array([1, 1, 0]), 2)
    by_set, everywhere = found.holders(np.array([[2], [0]]))
    assert found.nested
    assert (by_set.tolist(), everywhere.tolist()) == ([[0], [1]], [1])


def test_blocks_know_labels_units_regions_and_groups() -> None:
    frame = pl.DataFrame(
        {
            "item": list("abcd"),
            "sex": ["female", "male", None, "male"],
            "expression": ["anger", "anger", "neutral", None],
            "AU1": [1, 0, None, 0],
            "AU2": [0, 0, 0, None],
            "valence": [0.1, 0.5, -0.5, None],
            "arousal": [0.0, 0.0, 0.0, 0.0],
        }
    )
    targets = [
        Target("expression", scheme("expressions-4")),
        Target("au", UnitScheme("two", ("AU1", "AU2"))),
        Target("affect", scheme("valence-arousal")),
    ]
    table = make_table(frame, targets=targets, groups=("sex",))
    strata = strata_of(table, PartitionOptions(targets=("expression", "au", "affect")))
    blocks = {block.column: block for block in blocks_of(strata, table)}
    assert {name: block.kind for name, block in blocks.items()} == {
        "expression": "label", "AU1": "unit", "AU2": "unit", "valence × arousal": "region", "sex": "group",
    }  # fmt: skip
    counts = strata.counts(np.zeros(4, dtype=np.int64), 1)
    assert blocks["AU1"].of(counts).tolist() == [[1, 2]], "present and absent, where known"
    assert blocks["AU2"].of(counts).tolist() == [[0, 3]]
    assert int(blocks["sex"].of(counts).sum()) == 4, "missing is a value"
