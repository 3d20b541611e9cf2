"""``affectcheck partition stats``: how many items of every label and group are in every set, of any partitions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from affectcheck.cli.choices import Data
from affectcheck.cli.choices import names as words
from affectcheck.cli.output import Json, columns, emit, say

if TYPE_CHECKING:
    import polars as pl

    from affectcheck.annotations import AnnotationTable
    from affectcheck.partitions import Partition, Statistics

Beside = Annotated[
    str | None,
    typer.Option("--beside", help="Published partitions to show beside, by commas (see `partition published`)."),
]
Report = Annotated[Path | None, typer.Option("--output", "-o", help="File to write: .html, .md, .tex or .csv.")]


def register(noun: typer.Typer) -> None:
    """Add the verb."""
    noun.command()(stats)


def stats(
    data: Data,
    folders: Annotated[
        list[Path] | None, typer.Argument(help="Folders of manifests, shown beside the data set's own partition.")
    ] = None,
    beside: Beside = None,
    output: Report = None,
    shares: Annotated[bool, typer.Option("--shares/--no-shares", help="Shares of the set beside the counts.")] = True,
    json: Json = False,
) -> None:
    """Count every label and group in every set: the tables of the fair protocol's paper for any data."""
    from affectcheck.datasets import load_dataset  # noqa: PLC0415
    from affectcheck.reports.partitions import (  # noqa: PLC0415
        PartitionShown,
        partition_material,
        require_format,
        write_material,
    )

    if output:
        require_format(output)
    table = load_dataset(data)
    shown = PartitionShown(named_partitions(table, folders or ()), words(beside))
    material = partition_material(table, shown)
    for note in material.notes:
        say(f"note: {note}")
    if output:
        path = write_material(material, output, shares=shares)
        emit({"report": str(path)} | plain(material.statistics), f"Report: {path}", as_json=json)
    else:
        emit(plain(material.statistics), text_of(material.statistics, shares=shares), as_json=json)


def named_partitions(table: AnnotationTable, folders: list[Path] | tuple[()]) -> dict[str, Partition | pl.DataFrame]:
    """The data set's own partition, then those of the folders by their names; equal names are numbered."""
    from affectcheck.partitions import load_manifest, own_partition  # noqa: PLC0415
    from affectcheck.partitions.statistics import OWN  # noqa: PLC0415

    found: dict[str, Partition | pl.DataFrame] = {OWN: own_partition(table)}
    for folder in folders:
        name = folder.resolve().name or "partition"
        same = sum(known == name or known.startswith(f"{name} (") for known in found)
        found[f"{name} ({same + 1})" if same else name] = load_manifest(folder)
    return found


def plain(statistics: Statistics) -> dict[str, Any]:
    """Statistics as plain values."""
    from dataclasses import asdict  # noqa: PLC0415

    from affectcheck.partitions import deviations, unsplittable  # noqa: PLC0415

    measured = {one: deviations(statistics, one, skip=unsplittable(statistics, one)) for one in statistics.divisions}
    return {
        "data": statistics.name,
        "digest": statistics.digest,
        "source": statistics.source,
        "notes": list(statistics.notes),
        "partitions": [
            asdict(one) | {"deviations": asdict(found) if found else None} for one, found in measured.items()
        ],
        "counts": statistics.rows(),
        "crossed": statistics.cross.to_dicts(),
    }


def text_of(statistics: Statistics, *, shares: bool) -> str:
    """Statistics for a terminal: the table, how far each partition is from its protocol, and the sources."""
    from affectcheck.reports.partitions import DEVIATION_HEAD, deviation_rows, text_rows  # noqa: PLC0415

    head, rows = text_rows(statistics, shares=shares)
    parts = [columns(rows, head=head)]
    measured = list(deviation_rows(statistics))
    if measured:
        parts.append(f"Deviations in percentage points:\n{columns(measured, head=DEVIATION_HEAD)}")
    if statistics.source:
        parts.append(f"Published counts: {statistics.source}")
    return "\n\n".join(parts)
