"""Partitions on disk."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl
import pytest

from affectcheck.errors import InputError, MissingPathError
from affectcheck.partitions import PartitionOptions, load_manifest, partition, require_same, save_manifest, verify
from affectcheck.partitions.manifest import ITEMS_FILE, MANIFEST_FILE, partition_digest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable

    Factory = Callable[..., AnnotationTable]


def statuses(findings: tuple[object, ...]) -> dict[str, str]:
    return {finding.rule: finding.status for finding in findings}


def test_a_partition_comes_back(corpus: Factory, tmp_path: Path) -> None:
    found = partition(corpus(12), options=PartitionOptions(seed=4))
    assert save_manifest(found, tmp_path) == tmp_path / MANIFEST_FILE
    back = load_manifest(tmp_path)
    assert back.frame.equals(found.frame)
    assert back.options == found.options
    assert back.report.frame.equals(found.report.frame)
    assert back.report.unsplittable == found.report.unsplittable
    assert back.notes == found.notes
    assert partition_digest(back) == partition_digest(found)


def test_the_same_partition_gives_the_same_bytes(corpus: Factory, tmp_path: Path) -> None:
    table = corpus(9)
    for name in ("one", "two"):
        save_manifest(partition(table), tmp_path / name)
    for name in (ITEMS_FILE, MANIFEST_FILE):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_what_the_manifest_says(corpus: Factory, tmp_path: Path) -> None:
    table = corpus(12)
    found = partition(table)
    data = json.loads(save_manifest(found, tmp_path).read_text())
    assert data["protocol"] == "55-15-30"
    assert data["ratios"] == {"train": 0.55, "validation": 0.15, "test": 0.3}
    assert sum(data["sizes"].values()) == data["data"]["items"] == table.height
    assert data["data"]["digest"] == table.digest
    assert data["deviations"]["cost_pp"] == found.report.cost_pp
    assert "affectcheck" in data["software"]
    assert not {"time", "times", "created"} & data.keys()


@pytest.mark.parametrize("name", [ITEMS_FILE, MANIFEST_FILE])
def test_a_missing_file_is_named(corpus: Factory, tmp_path: Path, name: str) -> None:
    save_manifest(partition(corpus(9)), tmp_path)
    (tmp_path / name).unlink()
    with pytest.raises(MissingPathError, match=name):
        load_manifest(tmp_path)


def test_a_changed_list_of_items_is_refused(corpus: Factory, tmp_path: Path) -> None:
    save_manifest(partition(corpus(9)), tmp_path)
    path = tmp_path / ITEMS_FILE
    path.write_text(path.read_text().replace(",test", ",train", 1))
    with pytest.raises(InputError, match="not the one of its manifest"):
        load_manifest(tmp_path)


@pytest.mark.parametrize("change", ["options", "data", "notes", "balance", "digest", "protocol"])
def test_a_changed_manifest_is_refused(corpus: Factory, tmp_path: Path, change: str) -> None:
    save_manifest(partition(corpus(9)), tmp_path)
    path = tmp_path / MANIFEST_FILE
    data = json.loads(path.read_text())
    if change == "protocol":
        data["options"]["protocol"] = "80-20"
    else:
        del data[change]
    path.write_text(json.dumps(data))
    with pytest.raises(InputError):
        load_manifest(tmp_path)


def test_a_list_of_items_without_its_columns_is_refused(corpus: Factory, tmp_path: Path) -> None:
    save_manifest(partition(corpus(9)), tmp_path)
    (tmp_path / ITEMS_FILE).write_text("item,set\na,test\n")
    with pytest.raises(InputError, match="unknown column 'part'"):
        load_manifest(tmp_path)


def test_another_partition_is_replaced_only_if_asked(corpus: Factory, tmp_path: Path) -> None:
    made = partition(corpus(9))
    require_same(made, tmp_path)
    save_manifest(made, tmp_path)
    require_same(made, tmp_path)
    other = partition(corpus(9), options=PartitionOptions(protocol="60-20-20"))
    with pytest.raises(InputError, match="holds another partition, 55-15-30"):
        require_same(other, tmp_path)
    require_same(other, tmp_path, overwrite=True)


def test_another_file_is_no_manifest(corpus: Factory, tmp_path: Path) -> None:
    save_manifest(partition(corpus(9)), tmp_path)
    (tmp_path / MANIFEST_FILE).write_text("[]")
    with pytest.raises(InputError, match="not a manifest of a partition"):
        load_manifest(tmp_path)


def test_a_fitting_partition_passes_every_check(corpus: Factory) -> None:
    table = corpus(9)
    found = statuses(verify(partition(table), table, again=True))
    assert found.pop("what is kept") == "not applicable"
    assert set(found.values()) == {"passed"}
    assert "made again" in found


def test_a_changed_table_is_found_out(corpus: Factory) -> None:
    table = corpus(9)
    found = partition(table)
    first = table.items[0]
    frame = table.frame.with_columns(pl.col("item").replace(first, "new"))
    findings = verify(found, replace(table, frame=frame))
    by_rule = {finding.rule: finding for finding in findings}
    assert statuses(findings) == {
        "same data": "failed",
        "every item in a set": "failed",
        "every item in the table": "failed",
        "what is left out": "passed",
        "what is kept": "not applicable",
        "balance as stated": "not applicable",
        "subject independence": "passed",
    }
    assert by_rule["every item in a set"].items == ("new",)
    assert by_rule["every item in the table"].items == (first,)
    assert "the table has digest" in by_rule["same data"].reason


def test_a_subject_in_two_sets_is_found_out(corpus: Factory) -> None:
    table = corpus(9)
    found = partition(table)
    moved = found.items("train")[0]
    part = pl.when(pl.col("item") == moved).then(pl.lit("test")).otherwise("part").alias("part")
    independence = verify(replace(found, frame=found.frame.with_columns(part)), table)[-1]
    assert independence.status == "failed"
    assert moved in independence.items
    assert "1 subjects are in more than one set" in independence.reason


def test_independence_that_cannot_be_judged(corpus: Factory, portraits: Factory) -> None:
    table = portraits(30)
    stated = partition(table, options=PartitionOptions(subjects="none"))
    assert verify(stated, table)[-1].status == "not applicable"
    found = partition(corpus(9))
    assert verify(found, table)[-1].status == "inconclusive"
    nameless = replace(corpus(9), frame=corpus(9).frame.drop("subject"))
    assert verify(found, nameless)[-1].status == "inconclusive"
