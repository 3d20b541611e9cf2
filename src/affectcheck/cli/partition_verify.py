"""``affectcheck partition verify``: does a manifest fit the data?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from affectcheck.cli.choices import Data
from affectcheck.cli.output import Json
from affectcheck.cli.partition_findings import show


def register(noun: typer.Typer) -> None:
    """Add the verb."""
    noun.command()(verify)


def verify(
    folder: Annotated[Path, typer.Argument(help="Folder of the manifest.")], data: Data, json: Json = False
) -> None:
    """Check that a manifest fits the data. Exits with 1 if it does not."""
    from affectcheck.datasets import load_dataset  # noqa: PLC0415
    from affectcheck.partitions import load_manifest  # noqa: PLC0415
    from affectcheck.partitions import verify as check  # noqa: PLC0415

    show(check(load_manifest(folder), load_dataset(data)), json=json)
