"""``affectcheck partition make``: a partition of any database, with its manifest."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from affectcheck.cli.choices import Data, Seed
from affectcheck.cli.choices import names as words
from affectcheck.cli.output import Json, columns, emit, say

if TYPE_CHECKING:
    from affectcheck.annotations import AnnotationTable
    from affectcheck.partitions import Partition

Protocol = Annotated[str, typer.Option("--protocol", help="Shares of the sets in percent, joined by hyphens.")]
Names = Annotated[str, typer.Option("--names", help="Names of the sets, by commas.")]
Subjects = Annotated[
    str,
    typer.Option("--subjects", help="column, none (items are independent), or a regular expression on the item's key."),
]
Targets = Annotated[
    str | None, typer.Option("--targets", help="Targets that are balanced, by commas; default: the first.")
]
Groups = Annotated[
    str | None, typer.Option("--groups", help="Group columns that are balanced; default: all; 'none' for none.")
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace another partition that the folder holds.")]


def register(noun: typer.Typer) -> None:
    """Add the verb."""
    noun.command()(make)


def make(
    data: Data,
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder to write the manifest into.")],
    protocol: Protocol = "55-15-30",
    names: Names = "train,validation,test",
    subjects: Subjects = "column",
    targets: Targets = None,
    groups: Groups = None,
    seed: Seed = 0,
    overwrite: Overwrite = False,
    json: Json = False,
) -> None:
    """Make a partition with no subject in two sets, balanced over labels and groups, and write its manifest."""
    from affectcheck.datasets import load_dataset  # noqa: PLC0415
    from affectcheck.partitions import PartitionOptions, require_same, save_manifest  # noqa: PLC0415
    from affectcheck.partitions import partition as divide  # noqa: PLC0415

    options = PartitionOptions(
        protocol=protocol,
        names=words(names),
        seed=seed,
        targets=None if targets is None else words(targets),
        groups=None if groups is None else () if groups == "none" else words(groups),
        subjects=subjects,
    )
    table = load_dataset(data)
    made = divide(table, options=options)
    require_same(made, output, overwrite=overwrite)
    path = save_manifest(made, output)
    for note in made.notes:
        say(f"note: {note}")
    emit(_plain(made, path), _text(made, table, path), as_json=json)


def _plain(made: Partition, path: Path) -> dict[str, Any]:
    report = made.report
    return {
        "manifest": str(path),
        "sizes": {name: len(made.items(name)) for name in made.names},
        "cost_pp": report.cost_pp,
        "max_deviation": report.max_deviation,
        "size_deviation": report.size_deviation,
        "balance": report.rows(),
        "notes": list(made.notes),
    }


def _text(made: Partition, table: AnnotationTable, path: Path) -> str:
    frame = made.report.frame
    rows = []
    for (column, value), group in frame.group_by("column", "value", maintain_order=True):
        cells = {row["set"]: f"{row['count']} ({row['allocation']:.1%})" for row in group.to_dicts()}
        rows.append((column, value, *(cells[name] for name in made.names)))
    targets = [f"{ratio:.0%}" for ratio in made.options.ratios]
    head = ("column", "value", *(f"{n}, target {t}" for n, t in zip(made.names, targets, strict=True)))
    subjects = f" of {table.frame.get_column('subject').n_unique()} subjects" if table.has_subjects else ""
    summary = (
        f"{table.height} items{subjects}; in percentage points: mean deviation from the targets "
        f"{made.report.cost_pp:.2f}, largest of a share that every set could hold {100 * made.report.max_deviation:.2f}"
    )
    return f"{columns(rows, head=head)}\n\n{summary}\n{path}"
