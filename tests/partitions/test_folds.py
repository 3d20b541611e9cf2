"""Folds: every item is tested once, no subject is on both sides."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl
import pytest

from affectcheck.annotations import make_table
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.partitions import PartitionOptions, folds

if TYPE_CHECKING:
    from collections.abc import Callable

    from affectcheck.annotations import AnnotationTable
    from affectcheck.partitions import Fold

    Factory = Callable[..., AnnotationTable]


def check(table: AnnotationTable, found: tuple[Fold, ...], column: str = "subject") -> None:
    tested = [item for fold in found for item in fold.test]
    assert sorted(tested) == sorted(table.items)
    owner = dict(table.frame.select("item", column).iter_rows())
    for fold in found:
        assert not {owner[item] for item in fold.train} & {owner[item] for item in fold.test}
        assert sorted([*fold.train, *fold.test]) == sorted(table.items)


def test_one_subject_out(corpus: Factory) -> None:
    table = corpus(6)
    found = folds(table)
    check(table, found)
    assert [fold.name for fold in found] == [f"s{number:03d}" for number in range(6)]


@pytest.mark.parametrize("k", [2, 3, pytest.param(5, marks=pytest.mark.slow), pytest.param(7, marks=pytest.mark.slow)])
def test_k_balanced_folds(corpus: Factory, k: int) -> None:
    table = corpus(14)
    found = folds(table, k=k)
    check(table, found)
    assert [fold.name for fold in found] == [f"fold {number}" for number in range(1, k + 1)]
    assert max(len(fold.test) for fold in found) < 2 * table.height / k


def test_folds_do_not_depend_on_the_order_of_rows(corpus: Factory) -> None:
    table = corpus(11)
    mixed = replace(table, frame=table.frame.sample(fraction=1.0, shuffle=True, seed=1))
    for one, other in zip(folds(table, k=3), folds(mixed, k=3), strict=True):
        assert one.test.equals(other.test)


def test_one_language_out(corpus: Factory) -> None:
    table = corpus(6)
    found = folds(table, by="sex")
    check(table, found, "sex")
    assert [fold.name for fold in found] == ["female", "male"]


def test_subjects_of_one_recording_are_left_out_together() -> None:
    rows = [{"item": f"{v}{who}", "media": f"{v}.mp4", "subject": f"{v}{who}"} for v in "abc" for who in "lr"]
    found = folds(make_table(pl.DataFrame(rows), targets=[]))
    assert [fold.name for fold in found] == ["al + ar", "bl + br", "cl + cr"]


def test_one_item_out_where_there_are_no_subjects(portraits: Factory) -> None:
    found = folds(portraits(5), options=PartitionOptions(subjects="none"))
    assert [fold.test.to_list() for fold in found] == [[f"{number:05d}.jpg"] for number in range(5)]


def test_what_cannot_be_folded(corpus: Factory) -> None:
    table = corpus(4)
    with pytest.raises(InputError, match="too few subjects for 5 sets: 4"):
        folds(table, k=5)
    with pytest.raises(InputError, match="1 folds"):
        folds(table, k=1)
    with pytest.raises(InputError, match="k folds by 'sex'"):
        folds(table, by="sex", k=2)
    with pytest.raises(UnknownNameError, match="column to leave out by 'race'"):
        folds(table, by="race")
    with pytest.raises(InputError, match="items have no age"):
        folds(table, by="age")
    with pytest.raises(InputError, match="all items are of one subject: s000"):
        folds(table.filter(pl.col("subject") == "s000"))
