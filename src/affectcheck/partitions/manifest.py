"""Partitions on disk: ``partition.csv`` and ``manifest.json`` in one folder, the same bytes for the same partition."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from affectcheck.annotations.text import read_csv
from affectcheck.atomic import write_bytes, write_text
from affectcheck.digest import digest_bytes, digest_table
from affectcheck.errors import InputError, MissingPathError, UnknownNameError
from affectcheck.partitions.balance import Balance, Rare
from affectcheck.partitions.findings import Finding, judged
from affectcheck.partitions.leaks import leak
from affectcheck.partitions.options import NONE, Budget, PartitionOptions
from affectcheck.partitions.partition import Partition
from affectcheck.partitions.units import units_of
from affectcheck.records.codec import parse_strict_json, strict_json
from affectcheck.records.provenance import versions

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.annotations.table import AnnotationTable

ITEMS_FILE: Final = "partition.csv"
MANIFEST_FILE: Final = "manifest.json"
FORMAT: Final = "affectcheck partition"
VERSION: Final = 1


def partition_digest(partition: Partition) -> str:
    """Digest of which item is where, how it was asked for, and of which data; without versions and times."""
    options = strict_json(asdict(partition.options))
    return digest_bytes(digest_table(partition.frame), options, partition.data, partition.data_digest)


def save_manifest(partition: Partition, folder: Path) -> Path:
    """Write a partition to a folder; the manifest last.

    Returns:
        Path of the manifest.
    """
    write_bytes(folder / ITEMS_FILE, partition.frame.write_csv().encode())
    path = folder / MANIFEST_FILE
    write_text(path, strict_json(_encode(partition), indent=1) + "\n")
    return path


def require_same(partition: Partition, folder: Path, *, overwrite: bool = False) -> None:
    """Raise if a folder holds another partition, of which somebody may still have scores.

    Raises:
        InputError: it does, and ``overwrite`` is not set.
    """
    if overwrite or not (folder / MANIFEST_FILE).is_file():
        return
    held = load_manifest(folder)
    if partition_digest(held) != partition_digest(partition):
        raise InputError(
            f"{folder} holds another partition, {held.options.protocol} of {held.data!r} with seed {held.options.seed}",
            expected="another folder, or --overwrite to replace the partition",
        )


def load_manifest(folder: Path) -> Partition:
    """Read a partition from its folder.

    Raises:
        MissingPathError: a file is not there.
        InputError: files of another format, or a list of items that was changed afterwards.
    """
    for name in (ITEMS_FILE, MANIFEST_FILE):
        if not (folder / name).is_file():
            raise MissingPathError.of("file of the partition", folder / name, expected=f"{ITEMS_FILE}, {MANIFEST_FILE}")
    path = folder / MANIFEST_FILE
    data = parse_strict_json(path.read_text(encoding="utf-8"), where=str(path))
    if not isinstance(data, dict) or data.get("format") != FORMAT or data.get("version") != VERSION:
        raise InputError("not a manifest of a partition", where=str(path), expected=f"{FORMAT}, version {VERSION}")
    frame = read_csv(folder / ITEMS_FILE)
    for column in ("item", "part"):
        if column not in frame.columns:
            raise UnknownNameError.of("column", column, frame.columns, where=str(folder / ITEMS_FILE))
    try:
        found = _decode(data, frame.select("item", "part").sort("item"))
    except (KeyError, TypeError, AttributeError, pl.exceptions.PolarsError) as error:
        raise InputError(
            f"not a whole manifest of a partition: {type(error).__name__} {error}",
            where=str(path),
            expected="a file as `affectcheck partition make` writes it",
            cause=f"{MANIFEST_FILE} was changed after it was written",
        ) from error
    if partition_digest(found) != data.get("digest"):
        raise InputError(
            "the partition is not the one of its manifest",
            where=str(folder),
            expected=f"digest {data.get('digest')}",
            cause=f"{ITEMS_FILE} or {MANIFEST_FILE} was changed after it was written",
        )
    return found


def verify(partition: Partition, table: AnnotationTable) -> tuple[Finding, ...]:
    """Whether a partition still fits a table.

    Args:
        partition: made or loaded.
        table: what it is said to divide.

    Returns:
        Findings on the data's digest, on items without a set and without a row, and on subjects in two sets.
    """
    same = partition.data_digest == table.digest
    changed = Finding(
        "same data",
        "passed" if same else "failed",
        f"digest {table.digest}" if same else f"the table has digest {table.digest}, not {partition.data_digest}",
    )
    placed, rows = set(partition.frame.get_column("item")), set(table.items)
    coverage = judged(
        "every item in a set",
        tuple(sorted(rows - placed)),
        passed=f"all {len(rows)} items are in a set",
        failed=f"{len(rows - placed)} of {len(rows)} items are in no set",
    )
    strangers = judged(
        "every item in the table",
        tuple(sorted(placed - rows)),
        passed=f"all {len(placed)} items of the partition are in the table",
        failed=f"{len(placed - rows)} of {len(placed)} items of the partition are not in the table",
    )
    return changed, coverage, strangers, _independence(partition, table)


def _independence(partition: Partition, table: AnnotationTable) -> Finding:
    rule = "subject independence"
    if partition.options.subjects == NONE:
        return Finding(rule, "not applicable", "stated when it was made: no two items show the same person")
    frame = table.frame.sort("item").join(partition.frame, on="item", how="inner", maintain_order="left")
    if not frame.height:
        return Finding(rule, "inconclusive", "the partition and the table have no item in common")
    try:
        units = units_of(frame, partition.options)
    except InputError as error:
        return Finding(rule, "inconclusive", error.what)
    return leak(rule, frame, pl.Series(units.subjects), "subjects")


def _encode(partition: Partition) -> dict[str, Any]:
    report = partition.report
    return {
        "format": FORMAT,
        "version": VERSION,
        "digest": partition_digest(partition),
        "protocol": partition.options.protocol,
        "ratios": dict(zip(partition.names, partition.options.ratios, strict=True)),
        "seed": partition.options.seed,
        "sizes": {name: len(partition.items(name)) for name in partition.names},
        "data": {"name": partition.data, "digest": partition.data_digest, "items": partition.frame.height},
        "options": asdict(partition.options),
        "deviations": {
            "cost_pp": report.cost_pp,
            "share": report.max_deviation,
            "allocation": report.max_allocation_deviation,
            "size": report.size_deviation,
        },
        "balance": {
            "rows": report.rows(),
            "unsplittable": [asdict(rare) for rare in report.unsplittable],
            "uncovered": [asdict(rare) for rare in report.uncovered],
        },
        "notes": list(partition.notes),
        "software": versions(),
    }


def _decode(data: dict[str, Any], frame: pl.DataFrame) -> Partition:
    return Partition(
        frame=frame,
        options=_options(data["options"]),
        report=_balance(data["balance"]),
        data=data["data"]["name"],
        data_digest=data["data"]["digest"],
        notes=tuple(data["notes"]),
    )


def _options(data: dict[str, Any]) -> PartitionOptions:
    names = {field.name for field in fields(PartitionOptions)}
    plain: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in data.items() if name in names
    }
    if isinstance(plain.get("budget"), dict):
        plain["budget"] = Budget(**plain["budget"])
    return PartitionOptions(**plain)


def _balance(data: dict[str, Any]) -> Balance:
    def rare(entries: list[dict[str, Any]]) -> tuple[Rare, ...]:
        return tuple(Rare(**{**entry, "sets": tuple(entry["sets"])}) for entry in entries)

    return Balance(pl.DataFrame(data["rows"]), rare(data["unsplittable"]), rare(data["uncovered"]))
