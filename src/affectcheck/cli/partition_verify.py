"""``affectcheck partition verify``: does a manifest fit the data, and does its partition come out again?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from affectcheck.cli.choices import Data
from affectcheck.cli.output import Json, waiting
from affectcheck.cli.partition_findings import show


def register(noun: typer.Typer) -> None:
    """Add the verb."""
    noun.command()(verify)


def verify(
    folder: Annotated[Path, typer.Argument(help="Folder of the manifest.")],
    data: Data,
    again: Annotated[
        bool, typer.Option("--again", help="Make the partition once more from its options, and compare.")
    ] = False,
    json: Json = False,
) -> None:
    """Check that a manifest fits the data. Exits with 1 if it does not."""
    from affectcheck.datasets import load_dataset  # noqa: PLC0415
    from affectcheck.partitions import load_manifest  # noqa: PLC0415
    from affectcheck.partitions import verify as check  # noqa: PLC0415

    made = load_manifest(folder)
    table = load_dataset(data)
    with waiting("verifying"):
        found = check(made, table, again=again)
    show(found, json=json)
