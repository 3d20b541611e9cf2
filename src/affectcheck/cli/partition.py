"""``affectcheck partition``: make a partition, verify a manifest against the data, audit any partition."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from affectcheck.cli.choices import Data, Seed
from affectcheck.cli.choices import names as words
from affectcheck.cli.output import Json, columns, emit, progress, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.annotations import AnnotationTable
    from affectcheck.partitions import Finding, Partition

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


def register(app: typer.Typer) -> None:
    """Add the noun and its verbs."""
    noun = typer.Typer(help="Subject-independent partitions: make, verify, audit.", no_args_is_help=True)
    app.add_typer(noun, name="partition")
    noun.command()(make)
    noun.command()(verify)
    noun.command()(audit)


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


def verify(
    folder: Annotated[Path, typer.Argument(help="Folder of the manifest.")], data: Data, json: Json = False
) -> None:
    """Check that a manifest fits the data. Exits with 1 if it does not."""
    from affectcheck.datasets import load_dataset  # noqa: PLC0415
    from affectcheck.partitions import load_manifest  # noqa: PLC0415
    from affectcheck.partitions import verify as check  # noqa: PLC0415

    _show(check(load_manifest(folder), load_dataset(data)), json=json)


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
    _show(found.findings, json=json)


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


def _show(findings: Sequence[Finding], *, json: bool) -> None:
    rows = [(f.status, f.rule, f.reason) for f in findings]
    offending = [f"\n{f.rule}:\n  " + "\n  ".join(f.items[:20]) for f in findings if f.items]
    more = [f"  … and {len(f.items) - 20} more (--json lists all)" for f in findings if len(f.items) > 20]
    text = "\n".join((columns(rows, head=("verdict", "rule", "reason")), *offending, *more))
    emit([asdict(f) for f in findings], text, as_json=json)
    if any(f.status == "failed" for f in findings):
        raise typer.Exit(1)


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
