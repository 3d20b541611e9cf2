"""What is kept does not move; new items of a kept subject follow it; all else is placed anew."""

from __future__ import annotations

import importlib
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

from affectcheck.annotations import make_table
from affectcheck.errors import AffectcheckError, InputError, MissingPathError, UnknownNameError
from affectcheck.partitions import VARIED_PP, PartitionOptions, partition, save_manifest
from affectcheck.partitions.assigning import Solution
from affectcheck.partitions.keep_where import keep_where
from affectcheck.partitions.keeping import kept_of
from affectcheck.partitions.preparing import prepare

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable
    from affectcheck.partitions import Partition

    Factory = Callable[..., AnnotationTable]

ITEMS = pl.Series("item", list("abcdef"))


def frame(**parts: str | None) -> pl.DataFrame:
    return pl.DataFrame(
        {"item": list(parts), "part": list(parts.values())}, schema={"item": pl.String, "part": pl.String}
    )


def small(**columns: list) -> AnnotationTable:
    return make_table({"item": list("abcdef"), "subject": list("uuvvww"), **columns}, targets=[])


def places(found: Partition) -> dict[str, str]:
    return dict(found.frame.iter_rows())


# what is given


def test_sets_are_understood_and_free_items_are_free() -> None:
    found = kept_of(frame(a="Train", b="dev", c=None, z="test"), ITEMS, PartitionOptions())
    assert found.frame.rows() == [("a", "train"), ("b", "validation")]
    assert (found.count, found.gone) == (2, 1)
    again = kept_of(pl.concat([frame(b="valid", a="training")] * 2), ITEMS, PartitionOptions())
    assert again.digest == found.digest
    assert again.gone == 0


@pytest.mark.parametrize(
    ("keep", "message"),
    [
        (frame(a="train", b="fold 1"), "sets to keep that the new partition does not have: 'fold 1'"),
        (pl.DataFrame({"item": ["a"], "set": ["train"]}), "unknown column of the partition to keep 'part'"),
        (pl.concat([frame(a="train"), frame(a="test")]), "1 item in two sets of the partition to keep: 'a'"),
        (frame(x="train", y="test"), "the table has none of the 2 items to keep"),
        (frame(a=None), "there is nothing to keep: no row"),
    ],
)
def test_what_cannot_be_kept(keep: pl.DataFrame, message: str) -> None:
    with pytest.raises(InputError) as caught:
        kept_of(keep, ITEMS, PartitionOptions())
    assert message in caught.value.what


# what is fixed


def fixed(table: AnnotationTable, keep: pl.DataFrame, **options: object) -> list[int]:
    found = prepare(table, options=PartitionOptions(**options), keep=keep).fixed
    assert found is not None
    return found.tolist()


def test_items_of_a_kept_subject_follow_it() -> None:
    assert fixed(small(), frame(a="test")) == [2, 2, -1, -1, -1, -1]
    assert fixed(small(), frame(a="test", c="train", d="train")) == [2, 2, 0, 0, -1, -1]


def test_without_keep_nothing_is_fixed() -> None:
    assert prepare(small()).fixed is None
    assert prepare(small()).kept is None


def test_a_subject_in_two_sets_is_named_with_its_items() -> None:
    with pytest.raises(InputError) as caught:
        prepare(small(), keep=frame(a="train", b="test", c="test"))
    assert caught.value.what == (
        "1 of 3 subjects in two sets of the partition to keep:\n  'u': 1 item in test: 'b'; 1 item in train: 'a'"
    )


def test_items_of_one_recording_in_two_sets_are_named() -> None:
    table = make_table({"item": list("abcdef"), "media": list("uuvvww")}, targets=[])
    with pytest.raises(InputError, match="items: 1 item in test: 'b'; 1 item in train: 'a'"):
        prepare(table, options=PartitionOptions(subjects="none"), keep=frame(a="train", b="test"))


def test_many_torn_subjects_are_counted() -> None:
    table = make_table(
        {"item": [f"{n:02d}" for n in range(16)], "subject": [f"s{n // 2}" for n in range(16)]}, targets=[]
    )
    keep = pl.DataFrame({"item": [f"{n:02d}" for n in range(16)], "part": ["train", "test"] * 8})
    with pytest.raises(InputError, match=r"(?s)8 of 8 subjects .*and 3 more"):
        prepare(table, keep=keep)


def test_a_set_that_nothing_can_fill_is_named() -> None:
    full = frame(a="train", b="train", c="train", d="train", e="test")
    with pytest.raises(InputError) as caught:
        prepare(small(), keep=full)
    assert caught.value.what == "nothing of what is kept is in validation, and 0 free subjects cannot fill that"


# what comes out


def test_what_is_kept_stays_and_the_rest_is_balanced(corpus: Factory) -> None:
    table = corpus(30)
    old = partition(table, options=PartitionOptions(seed=1))
    tested = old.frame.filter(pl.col("part") == "test")
    new = partition(table, options=PartitionOptions(seed=2, tolerance_pp=VARIED_PP), keep=tested)
    assert any(note.startswith("among those that move nothing that is kept: best") for note in new.notes)
    assert {item for item, part in places(new).items() if part == "test"} >= set(tested["item"])
    assert not new.frame.equals(old.frame)
    assert new.report.size_deviation < 0.05
    assert new.kept is not None
    assert new.kept.count == tested.height
    assert any(note.startswith(f"kept where they were: {tested.height} items; placed anew: ") for note in new.notes)


@pytest.mark.parametrize(("before", "after"), [(20, 30), (100, 150)])
def test_a_grown_table_moves_no_old_item(corpus: Factory, before: int, after: int) -> None:
    whole = corpus(after, items=4)
    first = [f"s{n:03d}" for n in range(before)]
    old_rows = pl.col("subject").is_in(first) & ~pl.col("item").str.ends_with("-003")
    old = partition(whole.filter(old_rows))
    grown = partition(whole, keep=old.frame)
    then, now = places(old), places(grown)
    assert len(now) == whole.height
    assert all(now[item] == part for item, part in then.items())
    by_subject = whole.frame.join(grown.frame, on="item").group_by("subject").agg(pl.col("part").n_unique())
    assert (by_subject["part"] == 1).all()
    assert any("of kept subjects go with them" in note for note in grown.notes)
    assert grown.report.size_deviation < 0.05


def test_a_search_that_moves_what_is_kept_is_our_own_fault(corpus: Factory, monkeypatch: pytest.MonkeyPatch) -> None:
    module = importlib.import_module("affectcheck.partitions.partition")
    table = corpus(6)
    monkeypatch.setattr(module, "assign", lambda strata, *_: Solution(np.zeros(strata.height, dtype=np.int64), 1.0))
    with pytest.raises(AffectcheckError, match=r"\d+ kept items were moved") as caught:
        partition(table, keep=pl.DataFrame({"item": table.items[:1], "part": ["test"]}))
    assert caught.value.exit_code == 3


def test_a_shrunken_table_counts_what_is_gone(corpus: Factory) -> None:
    table = corpus(12)
    old = partition(table)
    fewer = table.filter(pl.col("subject") != "s000")
    found = partition(fewer, keep=old.frame)
    assert found.frame.equals(old.frame.filter(~pl.col("item").str.starts_with("s000-")))
    assert found.kept is not None
    assert any("to keep: the table has them no longer" in note for note in found.notes)
    assert found.kept.gone == old.frame.height - fewer.height


def test_items_without_subjects_are_kept(portraits: Factory) -> None:
    table = portraits(900)
    options = PartitionOptions(subjects="none")
    old = partition(table.filter(pl.col("item") < "00600.jpg"), options=options)
    found = partition(table, options=options, keep=old.frame)
    now = places(found)
    assert all(now[item] == part for item, part in places(old).items())
    assert found.report.size_deviation < 0.01
    assert found.report.max_deviation < 0.01


# where it comes from


def test_a_folder_and_some_of_its_sets(corpus: Factory, tmp_path: Path) -> None:
    table = corpus(9)
    old = partition(table)
    folder = tmp_path / "old:one"
    save_manifest(old, folder)
    assert keep_where(str(folder), table, old.names).equals(old.frame)
    found = keep_where(f"{folder}:test, dev", table, old.names)
    assert set(found["part"]) == {"test", "validation"}
    with pytest.raises(UnknownNameError, match="unknown set to keep 'tset'"):
        keep_where(f"{folder}:tset", table, old.names)
    with pytest.raises(InputError, match="no sets behind the colon"):
        keep_where(f"{folder}:", table, old.names)
    with pytest.raises(MissingPathError, match="partition to keep not found"):
        keep_where(str(tmp_path / "none"), table, old.names)


def test_the_tables_own_partition(corpus: Factory) -> None:
    table = small(partition=["train", "train", "dev", "dev", None, None])
    names = PartitionOptions().names
    assert keep_where("partition", table, names)["part"].to_list() == ["train", "train", "dev", "dev", None, None]
    assert keep_where("partition:validation", table, names)["item"].to_list() == ["c", "d"]
    with pytest.raises(InputError, match="no partition of its own to keep"):
        keep_where("partition", corpus(4), names)
    empty = replace(table, frame=table.frame.with_columns(pl.lit(None, pl.String).alias("partition")))
    with pytest.raises(InputError, match="no partition of its own to keep"):
        keep_where("partition:test", empty, names)


@pytest.mark.parametrize("keep", [frame(a="train").clear(), frame(a=None), {"item": [], "part": []}])
def test_nothing_to_keep_is_said(keep: object) -> None:
    with pytest.raises(InputError, match="there is nothing to keep: no row"):
        kept_of(keep, ITEMS, PartitionOptions())


def test_any_table_can_be_kept() -> None:
    table = frame(a="train", b="dev")
    for keep in (table.lazy(), table.to_dict(as_series=False), table.to_pandas()):
        assert kept_of(keep, ITEMS, PartitionOptions()).frame.equals(kept_of(table, ITEMS, PartitionOptions()).frame)
    with pytest.raises(InputError):
        kept_of("partition", ITEMS, PartitionOptions())
