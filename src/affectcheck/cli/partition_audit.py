"""``affectcheck partition audit``: judge any partition by the rules of the protocol."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from affectcheck.cli.choices import Data
from affectcheck.cli.output import Json, progress, say
from affectcheck.cli.partition_findings import show

if TYPE_CHECKING:
    from affectcheck.annotations import AnnotationTable

Subjects = Annotated[
    str,
    typer.Option("--subjects", help="column, none (items are independent), or a regular expression on the item's key."),
]


def register(noun: typer.Typer) -> None:
    """Add the verb."""
    noun.command()(audit)


def audit(
    data: Data,
    folder: Annotated[
        Path | None, typer.Argument(help="Folder of a manifest; default: the data set's own partition.")
    ] = None,
    subjects: Subjects = "column",
    content: Annotated[
        bool, typer.Option("--content/--no-content", help="Decode media to find copies in two sets.")
    ] = True,
    json: Json = False,
) -> None:
    """Judge a partition by the rules of the protocol. Exits with 1 if a rule is broken."""
    from affectcheck.datasets import load_dataset  # noqa: PLC0415
    from affectcheck.partitions import AuditOptions, PartitionOptions, load_manifest  # noqa: PLC0415
    from affectcheck.partitions import audit as judge  # noqa: PLC0415

    table = load_dataset(data)
    given = load_manifest(folder) if folder else None
    options = AuditOptions(given.options if given else PartitionOptions(subjects=subjects))
    digests = _digests(table) if content else None
    found = judge(table, given, digests=digests, options=options)
    show(found.findings, json=json)


def _digests(table: AnnotationTable) -> dict[str, str] | None:
    """Digest of every item's samples; None where there is nothing to decode."""
    from affectcheck.errors import MediaError  # noqa: PLC0415
    from affectcheck.media import load_item  # noqa: PLC0415

    if "media" not in table.frame.columns:
        return None
    found: dict[str, str] = {}
    with progress("decoding") as update:
        for place, row in enumerate(table.frame.iter_rows(named=True)):
            if row["media"] is not None:
                try:
                    found[row["item"]] = load_item(row, table.root).digest
                except MediaError as error:
                    say(f"not compared: {error}")
            update(place + 1, table.height)
    return found
