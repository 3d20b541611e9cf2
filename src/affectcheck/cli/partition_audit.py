"""``affectcheck partition audit``: judge any partition by the points of the protocol."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from affectcheck.cli.choices import Cache, Data, Seed
from affectcheck.cli.choices import names as words
from affectcheck.cli.output import Json, progress, say, waiting
from affectcheck.cli.partition_findings import leave, show_audit
from affectcheck.cli.partition_make import Groups, Provenance, Source, Subjects, Targets
from affectcheck.cli.partition_stats import Beside
from affectcheck.cli.score_options import Delimiter

if TYPE_CHECKING:
    import polars as pl

    from affectcheck.annotations import AnnotationTable
    from affectcheck.partitions import Audit, Contents, Partition, PartitionOptions

_FAULTS = 5  # that are told one by one
_FORMATS = ("html", "md", "tex", "csv", "json")

Folder = Annotated[Path | None, typer.Argument(help="Folder of a manifest; default: the data set's own partition.")]
File = Annotated[
    Path | None, typer.Option("--partition", help="CSV or Parquet file with one row an item and its set, in its place.")
]
ItemColumn = Annotated[
    str, typer.Option("--item-column", help="Its column of the item key; default: item, file, name …")
]
PartColumn = Annotated[
    str, typer.Option("--part-column", help="Its column of the set; default: part, partition, split, set …")
]
Content = Annotated[bool, typer.Option("--content/--no-content", help="Decode media to find copies in two sets.")]
Views = Annotated[
    str,
    typer.Option(
        "--views",
        help="How views of one recording are told: auto (LeftVideo…, RightVideo…), none, or a regular expression that "
        "finds the recording in the media path.",
    ),
]
Videos = Annotated[
    str,
    typer.Option(
        "--videos", help="How frames of one video are told: auto (folders of numbered files), none, or an expression."
    ),
]
Draws = Annotated[int, typer.Option("--draws", min=1, help="Random divisions that distances are compared with.")]
Deviation = Annotated[
    float, typer.Option("--max-deviation", help="Most that a share may deviate in a set, as a fraction.")
]
SizeTolerance = Annotated[
    float, typer.Option("--size-tolerance", help="Most that a set's size may deviate, as a fraction of all items.")
]
Minimum = Annotated[
    int, typer.Option("--minimum-support", min=1, help="Fewest items of a label or group in a set that say anything.")
]
Width = Annotated[
    float, typer.Option("--width", help="Widest 95 % interval of a share that counts as adequate support.")
]
Correlation = Annotated[
    float, typer.Option("--correlation", help="Of right answers within a subject: 0 counts items, 1 subjects.")
]
Offending = Annotated[
    Path | None, typer.Option("--offending", help="CSV file to write with every item that breaks a rule.")
]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", help="Report to write: .html, .md, .tex, .csv or .json.")
]


def register(noun: typer.Typer) -> None:
    """Add the verb."""
    noun.command()(audit)


def audit(
    data: Data,
    folder: Folder = None,
    partition: File = None,
    item_column: ItemColumn = "",
    part_column: PartColumn = "",
    subjects: Subjects = "column",
    subject_source: Source = "item",
    targets: Targets = None,
    groups: Groups = None,
    provenance: Provenance = "manual",
    content: Content = True,
    views: Views = "auto",
    videos: Videos = "auto",
    seed: Seed = 0,
    draws: Draws = 1000,
    max_deviation: Deviation = 0.05,
    size_tolerance: SizeTolerance = 0.05,
    minimum_support: Minimum = 5,
    width: Width = 0.20,
    correlation: Correlation = 0.2,
    cache: Cache = None,
    offending: Offending = None,
    output: Output = None,
    beside: Beside = None,
    delimiter: Delimiter = ",",
    json: Json = False,
) -> None:
    """Judge any partition by the points of the protocol. Exits with 1 if a rule is broken."""
    from affectcheck.datasets import Making, load_dataset  # noqa: PLC0415
    from affectcheck.partitions import AdequacyLimits, AuditOptions, Chance, PartitionOptions  # noqa: PLC0415
    from affectcheck.partitions import audit as judge  # noqa: PLC0415

    given = _given(folder, partition, (item_column, part_column), delimiter)
    named = None if given is None else {(folder or partition or Path("audited")).resolve().stem: given}
    _require_format(output)
    _require_published(words(beside), output)
    with progress("data") as update:
        table = load_dataset(data, making=Making(progress=update))
    _tell_other_data(given, table)
    wanted = PartitionOptions(
        seed=seed,
        targets=_targets(targets, table),
        groups=None if groups is None else _listed(groups),
        subjects=subjects,
        subject_source=subject_source,
        provenance=words(provenance),
    )
    options = AuditOptions(
        partition=_options(given, wanted),
        max_deviation=max_deviation,
        size_tolerance=size_tolerance,
        minimum_support=minimum_support,
        adequacy=AdequacyLimits(width, correlation),
        chance=Chance(draws, seed),
        views=views,
        videos=videos,
    )
    contents = _contents(table, cache) if content else None
    with waiting("judging"):
        found = judge(table, given, contents=contents, options=options)
    _write(found, offending, output, (table, named, words(beside)))
    show_audit(found, json=json)
    leave(found.findings)


def _given(
    folder: Path | None, file: Path | None, named: tuple[str, str], delimiter: str
) -> Partition | pl.DataFrame | None:
    from affectcheck.cli.score_options import delimiter_of  # noqa: PLC0415
    from affectcheck.errors import InputError  # noqa: PLC0415
    from affectcheck.partitions import load_manifest  # noqa: PLC0415
    from affectcheck.partitions.given_file import read_partition  # noqa: PLC0415

    if folder and file:
        raise InputError(f"two partitions: {folder} and {file}", expected="a manifest's folder, or --partition FILE")
    item, part = named
    if (item or part) and not file:
        raise InputError("--item-column and --part-column are of no use", expected="--partition FILE with them")
    if file:
        return read_partition(file, item=item, part=part, delimiter=delimiter_of(delimiter))
    return load_manifest(folder) if folder else None


def _tell_other_data(given: Partition | pl.DataFrame | None, table: AnnotationTable) -> None:
    from affectcheck.partitions import Partition  # noqa: PLC0415

    if isinstance(given, Partition) and given.data_digest not in {"", table.digest}:
        made = f"{given.data or 'data without a name'} with digest {given.data_digest}"
        say(f"note: the manifest was made of {made}, not of this table ({table.name}, {table.digest})")


def _options(given: Partition | pl.DataFrame | None, wanted: PartitionOptions) -> PartitionOptions:
    """What a manifest says of its own making; what is asked for elsewhere."""
    from affectcheck.partitions import Partition  # noqa: PLC0415

    return given.options if isinstance(given, Partition) else wanted


def _listed(text: str) -> tuple[str, ...]:
    return () if text == "none" else words(text)


def _targets(text: str | None, table: AnnotationTable) -> tuple[str, ...] | None:
    if text is None:
        return None
    return tuple(table.targets) if text == "all" else _listed(text)


def _contents(table: AnnotationTable, cache: Path | None) -> Contents | None:
    """What the media hold; None where the table names none."""
    from affectcheck.cache import cache_folder  # noqa: PLC0415
    from affectcheck.partitions import content_of  # noqa: PLC0415
    from affectcheck.partitions.leaks import told_of  # noqa: PLC0415

    if "media" not in table.frame.columns or table.frame.get_column("media").null_count() == table.height:
        return None
    with progress("decoding") as update:
        found = content_of(table, progress=update, cache=cache or cache_folder())
    faults = found.faults
    for why, items in list(faults.items())[:_FAULTS]:
        say(f"not compared: {told_of(items)}: {why}")
    if len(faults) > _FAULTS:
        say(f"not compared: {len(found.unreadable)} items in all")
    return found


def _require_format(output: Path | None) -> None:
    from affectcheck.errors import UnknownNameError  # noqa: PLC0415

    if output is not None and output.suffix.removeprefix(".") not in _FORMATS:
        raise UnknownNameError.of("format of a report", output.suffix.removeprefix("."), _FORMATS, where=str(output))


def _require_published(beside: tuple[str, ...], output: Path | None) -> None:
    """Before anything is judged: published partitions that there are, and a report to show them in."""
    from affectcheck.errors import InputError  # noqa: PLC0415
    from affectcheck.partitions import published  # noqa: PLC0415

    for name in beside:
        published(name)
    if beside and output is None:
        raise InputError("--beside without a report", expected="--output FILE; or `partition stats --beside`")


def _write(
    found: Audit,
    offending: Path | None,
    output: Path | None,
    judged: tuple[AnnotationTable, dict[str, Partition | pl.DataFrame] | None, tuple[str, ...]],
) -> None:
    """The files that were asked for."""
    from affectcheck.atomic import write_text  # noqa: PLC0415
    from affectcheck.records import strict_json  # noqa: PLC0415

    if offending is not None:
        write_text(offending, found.offending.write_csv())
        say(str(offending))
    if output is not None and output.suffix == ".json":
        write_text(output, strict_json(found.plain(), indent=1) + "\n")
    elif output is not None:
        from affectcheck.reports.partitions import PartitionShown, write_partition_report  # noqa: PLC0415

        table, named, beside = judged
        shown = PartitionShown(named, beside, found, "affectcheck partition audit")
        write_partition_report(table, output, shown)
    if output is not None:
        say(str(output))
