"""Partitions on disk."""

from __future__ import annotations

import errno
import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl
import pytest

from affectcheck.annotations import make_table
from affectcheck.errors import InputError, MissingPathError, WriteError
from affectcheck.partitions import PartitionOptions, load_manifest, partition, require_same, save_manifest, verify
from affectcheck.partitions.manifest import ITEMS_FILE, MANIFEST_FILE, partition_digest
from affectcheck.partitions.preparing import prepare
from affectcheck.schemes import Target, scheme

if TYPE_CHECKING:
    from collections.abc import Callable

    from affectcheck.annotations import AnnotationTable

    Factory = Callable[..., AnnotationTable]

HISTORIC = Path(__file__).parent / "historic"
FIRST_PARTS = {"p0": "train", "p1": "validation", "p2": "test", "p3": "train", "p4": "validation", "p5": "test"}


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


# what is left out and kept


def mixed(table: AnnotationTable) -> AnnotationTable:
    """The first item of each subject has an automatic label."""
    made = pl.when(pl.col("item").str.ends_with("-000")).then(pl.lit("automatic")).otherwise(None)
    return replace(table, frame=table.frame.with_columns(made.alias("expression_provenance")))


def test_what_is_left_out_and_kept_comes_back(corpus: Factory, tmp_path: Path) -> None:
    table = mixed(corpus(6))
    keep = partition(table).frame.filter(pl.col("part") == "test").head(4)
    found = partition(table, keep=keep)
    data = json.loads(save_manifest(found, tmp_path).read_text())
    assert data["left_out"]["reasons"] == {"expression: automatic": 6}
    assert data["left_out"]["items"] + sum(data["sizes"].values()) == data["data"]["items"] == table.height
    assert data["kept"] == {"items": 4, "digest": found.kept.digest, "gone": 0}
    rows = (tmp_path / ITEMS_FILE).read_text().splitlines()
    assert rows[0] == "item,part,kept"
    assert sum(row.endswith(",test,yes") for row in rows) == 4
    back = load_manifest(tmp_path)
    assert back.left_out == {"expression: automatic": 6}
    assert back.left_out_digest == found.left_out_digest
    assert back.kept.frame.equals(keep.sort("item"))
    assert (back.cost, back.bound, back.proven, back.reproducible) == (
        *(found.cost, found.bound, found.proven, found.reproducible),
    )
    assert partition_digest(back) == partition_digest(found)
    require_same(found, tmp_path)


def test_what_the_search_knows_is_written(corpus: Factory, tmp_path: Path) -> None:
    made = replace(partition(corpus(6)), cost=0.5, bound=0.25, proven=False, reproducible=False)
    data = json.loads(save_manifest(made, tmp_path).read_text())
    assert data["search"] == {"cost": 0.5, "bound": 0.25, "gap": 1.0, "proven": False, "reproducible": False}
    assert load_manifest(tmp_path).gap == 1.0
    assert replace(made, bound=0.5).gap == 0.0
    assert replace(made, bound=None).gap is None


def test_names_of_files_with_commas_and_quotes_come_back(tmp_path: Path) -> None:
    items = ["a,1.jpg", 'b "x".jpg', "c.jpg"]
    found = partition(make_table({"item": items, "subject": list("xyz")}, targets=[]))
    save_manifest(found, tmp_path)
    assert load_manifest(tmp_path).frame.equals(found.frame)


# on disk


@pytest.fixture
def first_version(tmp_path: Path) -> Path:
    """A folder as version 1 wrote it; its list of items is written out here, as no table lies in the repository."""
    folder = tmp_path / "version-1"
    shutil.copytree(HISTORIC / "version-1", folder)
    lines = [f"{subject}-{number},{part}" for subject, part in FIRST_PARTS.items() for number in range(4)]
    (folder / ITEMS_FILE).write_text("\n".join(["item,part", *lines]) + "\n")
    return folder


def test_a_version_1_manifest_is_read(first_version: Path, tmp_path: Path) -> None:
    found = load_manifest(first_version)
    assert found.frame.height == 24
    assert found.options.seed == 3
    assert found.kept is None
    assert found.left_out == {}
    assert (found.cost, found.bound) == (None, None)
    rows = [
        {
            "item": f"p{s}-{n}",
            "subject": f"p{s}",
            "sex": "female" if s % 2 else "male",
            "expression": ("anger", "happiness", "neutral", "sadness")[(s + n) % 4],
        }
        for s in range(6)
        for n in range(4)
    ]
    table = make_table(
        pl.DataFrame(rows), targets=[Target("expression", scheme("expressions-4"))], groups=("sex",), name="historic"
    )
    told = statuses(verify(found, table))
    assert told.pop("what is left out") == "not applicable"
    assert told.pop("what is kept") == "not applicable"
    assert set(told.values()) == {"passed"}
    save_manifest(found, tmp_path)
    assert load_manifest(tmp_path).frame.equals(found.frame)


def test_a_changed_version_1_manifest_is_refused(first_version: Path) -> None:
    path = first_version / ITEMS_FILE
    path.write_text(path.read_text().replace(",test", ",train", 1))
    with pytest.raises(InputError, match="not the one of its manifest"):
        load_manifest(first_version)


@pytest.mark.parametrize(
    ("version", "message"), [(99, "a manifest of version 99"), (0, "not a manifest"), ("2", "not a")]
)
def test_other_versions_are_refused(corpus: Factory, tmp_path: Path, version: object, message: str) -> None:
    save_manifest(partition(corpus(6)), tmp_path)
    path = tmp_path / MANIFEST_FILE
    path.write_text(json.dumps(json.loads(path.read_text()) | {"version": version}))
    with pytest.raises(InputError, match=message) as caught:
        load_manifest(tmp_path)
    assert ("newer affectcheck" in caught.value.cause) is (version == 99)


@pytest.mark.parametrize("change", ["notes", "search", "left_out", "deviations", "sizes"])
def test_any_value_that_was_changed_is_found_out(corpus: Factory, tmp_path: Path, change: str) -> None:
    path = save_manifest(partition(mixed(corpus(6))), tmp_path)
    data = json.loads(path.read_text())
    value = data[change]
    if isinstance(value, list):
        value[0] += "!"
    else:
        first = next(iter(value))
        value[first] = 7
    path.write_text(json.dumps(data))
    with pytest.raises(InputError, match="not the one of its manifest"):
        load_manifest(tmp_path)


def test_what_is_missing_is_told(corpus: Factory, tmp_path: Path) -> None:
    with pytest.raises(MissingPathError, match=r"^partition not found: "):
        load_manifest(tmp_path / "nowhere")
    save_manifest(partition(corpus(6)), tmp_path)
    (tmp_path / MANIFEST_FILE).unlink()
    with pytest.raises(MissingPathError) as caught:
        load_manifest(tmp_path)
    assert (
        caught.value.cause
        == "the folder holds partition.csv only: a writing that was interrupted; make the partition again"
    )


def test_a_full_disk_leaves_the_partition_that_was_there(
    corpus: Factory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = partition(corpus(6))
    save_manifest(old, tmp_path)

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("affectcheck.atomic.os.fsync", full)
    with pytest.raises(WriteError, match="the disk is full"):
        save_manifest(partition(corpus(7)), tmp_path)
    assert load_manifest(tmp_path).frame.equals(old.frame)
    assert sorted(path.name for path in tmp_path.iterdir()) == [MANIFEST_FILE, ITEMS_FILE]


def test_another_partition_is_known_before_it_is_made(corpus: Factory, tmp_path: Path) -> None:
    table = corpus(6)
    require_same(prepare(table), tmp_path)
    save_manifest(partition(table), tmp_path)
    require_same(prepare(table), tmp_path)
    for other in (prepare(corpus(7)), prepare(table, options=PartitionOptions(seed=1))):
        with pytest.raises(InputError, match="holds another partition"):
            require_same(other, tmp_path)
        require_same(other, tmp_path, overwrite=True)
