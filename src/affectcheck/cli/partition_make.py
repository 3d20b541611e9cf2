"""``affectcheck partition make``: a partition of any database, with its manifest."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from affectcheck.cli.choices import Data, Seed
from affectcheck.cli.choices import names as words
from affectcheck.cli.output import Json, emit, progress, say, waiting

if TYPE_CHECKING:
    from affectcheck.partitions.preparing import Prepared

_UNSPLITTABLE_SHOWN = 20

Protocol = Annotated[
    str, typer.Option("--protocol", help="Shares of the sets, such as 55-15-30, 80-20, 55,15,30 or .55-.15-.30.")
]
Names = Annotated[
    str | None,
    typer.Option(
        "--names",
        help="Names of the sets, by commas; default: train,validation,test; train,test of two; set-1 and so on of more.",
    ),
]
Subjects = Annotated[
    str,
    typer.Option("--subjects", help="column, none (items are independent), or a regular expression on the item's key."),
]
Source = Annotated[str, typer.Option("--subject-source", help="Where that expression looks: item or media.")]
Together = Annotated[
    str,
    typer.Option(
        "--together",
        help="Columns whose equal values stay in one set, by commas; media also keeps the _left and _right persons of "
        "a video together, and views such as LeftVideo1 and RightVideo1; 'none' for none.",
    ),
]
Targets = Annotated[
    str | None, typer.Option("--targets", help="Targets that are balanced, by commas; 'all'; default: the first.")
]
Groups = Annotated[
    str | None, typer.Option("--groups", help="Group columns that are balanced; default: all; 'none' for none.")
]
Provenance = Annotated[
    str,
    typer.Option(
        "--provenance",
        help="How labels may have been made, by commas: manual, semi-automatic, automatic. Others are left out.",
    ),
]
Keep = Annotated[
    str | None,
    typer.Option(
        "--keep",
        help="Leave items where they are: the folder of a manifest, or 'partition' for the data set's own; "
        "WHERE:test keeps that set only.",
    ),
]
Tolerance = Annotated[
    float,
    typer.Option(
        "--tolerance",
        help="How much worse than the best one, in points, a partition may be that the seed picks; 0.75 varies.",
    ),
]
Nodes = Annotated[int, typer.Option("--nodes", min=0, help="Nodes of the exact search, at most; 0 for none.")]
Effort = Annotated[float, typer.Option("--effort", help="Factor on the steps of every search.")]
TimeLimit = Annotated[
    float | None,
    typer.Option("--time-limit", help="Seconds after which the best so far is taken, which no other run may find."),
]
Contradictions = Annotated[
    bool,
    typer.Option(
        "--allow-contradictions", help="Let a subject have two genders or races; each item counts by its own."
    ),
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace another partition that the folder holds.")]


def register(noun: typer.Typer) -> None:
    """Add the verb."""
    noun.command()(make)


def make(
    data: Data,
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder to write the manifest into.")],
    protocol: Protocol = "55-15-30",
    names: Names = None,
    keep: Keep = None,
    subjects: Subjects = "column",
    subject_source: Source = "item",
    together: Together = "media",
    targets: Targets = None,
    groups: Groups = None,
    provenance: Provenance = "manual",
    seed: Seed = 0,
    tolerance: Tolerance = 0.0,
    nodes: Nodes = 1000,
    effort: Effort = 1.0,
    time_limit: TimeLimit = None,
    allow_contradictions: Contradictions = False,
    overwrite: Overwrite = False,
    json: Json = False,
) -> None:
    """Make a partition with no subject in two sets, balanced over labels and groups, and write its manifest."""
    from affectcheck.cli.partition_text import plain, text  # noqa: PLC0415
    from affectcheck.datasets import Making, load_dataset  # noqa: PLC0415
    from affectcheck.partitions import Budget, PartitionOptions, require_same, save_manifest  # noqa: PLC0415
    from affectcheck.partitions.keep_where import keep_where  # noqa: PLC0415
    from affectcheck.partitions.partition import divide  # noqa: PLC0415
    from affectcheck.partitions.preparing import prepare  # noqa: PLC0415

    options = PartitionOptions(
        protocol=protocol,
        names=words(names),
        seed=seed,
        targets=None if targets in {None, "all"} else _chosen(targets),
        groups=None if groups is None else _chosen(groups),
        subjects=subjects,
        subject_source=subject_source,
        together=_chosen(together),
        tolerance_pp=tolerance,
        provenance=words(provenance),
        budget=Budget(nodes, effort, time_limit),
        allow_contradictions=allow_contradictions,
    )
    _require_writable(output)
    with progress("data") as update:
        table = load_dataset(data, making=Making(progress=update))
    if targets == "all":
        options = replace(options, targets=tuple(table.targets))
    kept = None if keep is None else keep_where(keep, table, options.names)
    prepared = prepare(table, options=options, keep=kept)
    _announce(prepared)
    require_same(prepared, output, overwrite=overwrite)
    with waiting("dividing"):
        made = divide(prepared)
    require_same(made, output, overwrite=overwrite)
    path = save_manifest(made, output)
    told = {*prepared.notes, *(f"unsplittable: {rare}" for rare in made.report.unsplittable)}
    for note in made.notes:
        if note not in told:
            say(f"note: {note}")
    emit(plain(made, path), text(made, path), as_json=json)


def _chosen(text: str | None) -> tuple[str, ...]:
    return () if text == "none" else words(text)


def _announce(prepared: Prepared) -> None:
    """What is known before the work starts."""
    for note in (*prepared.table.notes, *prepared.notes):
        say(f"note: {note}")
    rare = prepared.unsplittable
    for entry in rare[:_UNSPLITTABLE_SHOWN]:
        say(f"unsplittable, as fewer units than sets hold it: {entry}")
    if len(rare) > _UNSPLITTABLE_SHOWN:
        say(f"unsplittable: {len(rare) - _UNSPLITTABLE_SHOWN} more values (--json lists all)")
    say(
        f"dividing {prepared.table.height} items, {prepared.units.count} {prepared.units.noun}, "
        f"over {len(prepared.strata.values)} values of labels and groups"
    )


def _require_writable(folder: Path) -> None:
    """Nobody should wait for a partition that cannot be written."""
    from affectcheck.errors import WriteError  # noqa: PLC0415

    place = folder
    while not place.exists() and place != place.parent:
        place = place.parent
    if not place.is_dir() or not os.access(place, os.W_OK | os.X_OK):
        raise WriteError(
            f"cannot write into {folder}",
            expected="a folder that can be written into, or made",
            cause=f"{place} is {'not writable' if place.is_dir() else 'a file'}",
        )
