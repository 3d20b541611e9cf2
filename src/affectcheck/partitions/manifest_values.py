"""What a manifest says of a partition, as plain values, and back."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import Any, Final

import polars as pl

from affectcheck.digest import digest_bytes
from affectcheck.partitions.balance import Balance, Rare
from affectcheck.partitions.keeping import Kept
from affectcheck.partitions.options import Budget, PartitionOptions
from affectcheck.partitions.partition import Partition
from affectcheck.records.codec import strict_json
from affectcheck.records.provenance import versions
from affectcheck.schemes import PROVENANCES

FORMAT: Final = "affectcheck partition"
#: 1: without what is left out and kept, and without bounds. 2: with them.
VERSION: Final = 2


def checksum(values: dict[str, Any]) -> str:
    """Digest of a manifest's values, without the checksum itself."""
    return digest_bytes(strict_json({name: value for name, value in values.items() if name != "checksum"}))


def encode(partition: Partition, digest: str) -> dict[str, Any]:
    """The values of a manifest, in their order.

    Args:
        partition: what it describes.
        digest: of the same.
    """
    report, left_out = partition.report, sum(partition.left_out.values())
    values = {
        "format": FORMAT,
        "version": VERSION,
        "digest": digest,
        "protocol": partition.options.protocol,
        "ratios": dict(zip(partition.names, partition.options.ratios, strict=True)),
        "seed": partition.options.seed,
        "sizes": {name: len(partition.items(name)) for name in partition.names},
        "data": {
            "name": partition.data,
            "digest": partition.data_digest,
            "items": partition.frame.height + left_out,
            "notes": list(partition.data_notes),
        },
        "left_out": {"items": left_out, "reasons": dict(partition.left_out), "digest": partition.left_out_digest},
        "kept": _kept(partition.kept),
        "options": asdict(partition.options),
        "search": {
            "cost": partition.cost,
            "bound": partition.bound,
            "gap": partition.gap,
            "proven": partition.proven,
            "reproducible": partition.reproducible,
        },
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
    return {**values, "checksum": checksum(values)}


def decode(data: dict[str, Any], frame: pl.DataFrame) -> Partition:
    """The partition that a manifest and its list of items describe.

    Args:
        data: of any version up to ours.
        frame: ``item``, ``part`` and perhaps ``kept``, sorted by item.

    Raises:
        KeyError, TypeError, AttributeError, PolarsError: the values are not those of a manifest.
    """
    if data["version"] == 1:
        data = {**data, "search": {}, "left_out": {"reasons": {}, "digest": ""}, "kept": None}
    search = {name: data["search"][name] for name in ("cost", "bound", "proven", "reproducible") if data["search"]}
    return Partition(
        frame=frame.select("item", "part"),
        options=_options(data["options"]),
        report=_balance(data["balance"]),
        data=data["data"]["name"],
        data_digest=data["data"]["digest"],
        data_notes=tuple(data["data"].get("notes", ())),
        notes=tuple(data["notes"]),
        left_out=data["left_out"]["reasons"],
        left_out_digest=data["left_out"]["digest"],
        kept=None if data["kept"] is None else _read_kept(data["kept"], frame),
        **search,
    )


def _kept(kept: Kept | None) -> dict[str, Any] | None:
    return None if kept is None else {"items": kept.count, "digest": kept.digest, "gone": kept.gone}


def _read_kept(data: dict[str, Any], frame: pl.DataFrame) -> Kept:
    return Kept(frame.filter(pl.col("kept") == "yes").select("item", "part"), data["gone"])


def _options(data: dict[str, Any]) -> PartitionOptions:
    names = {field.name for field in fields(PartitionOptions)}
    plain: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in data.items() if name in names
    }
    if "budget" in plain:
        plain["budget"] = Budget(**plain["budget"])
    plain.setdefault("provenance", PROVENANCES)  # the first version left nothing out
    return PartitionOptions(**plain)


def _balance(data: dict[str, Any]) -> Balance:
    def rare(entries: list[dict[str, Any]]) -> tuple[Rare, ...]:
        return tuple(Rare(**{**entry, "sets": tuple(entry["sets"])}) for entry in entries)

    return Balance(pl.DataFrame(data["rows"]), rare(data["unsplittable"]), rare(data["uncovered"]))
