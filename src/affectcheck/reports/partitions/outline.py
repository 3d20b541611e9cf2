"""What a report on a partition says, in its order: the same for HTML and Markdown."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from affectcheck.partitions.deviations import deviations, regions, unsplittable
from affectcheck.partitions.manifest import partition_digest
from affectcheck.reports.document import Details, Document, Facts, Lines, Section, Table, Text, Tile, Tiles
from affectcheck.reports.partitions import audited
from affectcheck.reports.partitions.figures import heat_maps, plane_figures
from affectcheck.reports.partitions.protocol_figure import protocol_figure
from affectcheck.reports.partitions.split_figures import split_figure
from affectcheck.reports.partitions.tables import deviation_table, regions_table, statistics_table
from affectcheck.reports.wording import clean, count_text
from affectcheck.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from affectcheck.partitions.audit import Audit
    from affectcheck.partitions.counted import Division, Statistics
    from affectcheck.partitions.partition import Partition
    from affectcheck.partitions.task_split import TaskSplit
    from affectcheck.reports.document import Block

PERCEIVED = (
    "Age, gender and race are as annotated: what people, or a model trained on their answers, perceived from outside. They "
    "say nothing of how a person would describe themself. Values such as missing, unsure or other are counted as values of "
    "their own, and name no group."
)
_ROUNDING = "Shares are rounded here; the CSV file and --json hold the counts."


@dataclass(frozen=True, eq=False)
class PartitionMaterial:
    """All that a report on partitions is made from; nothing else is read.

    Attributes:
        statistics: counts of all partitions that are shown.
        main: the partition that the report is on.
        splits: its task splits.
        audit: what an audit of it found, if there was one.
        partition: the partition as it was made or loaded; None for a data set's own.
        notes: on the data; those on published counts stand with the statistics.
        subtitle: the verb.
    """

    statistics: Statistics
    main: str
    splits: Sequence[TaskSplit] = ()
    audit: Audit | None = None
    partition: Partition | None = None
    notes: Sequence[str] = ()
    subtitle: str = field(default="affectcheck partition stats")

    @property
    def division(self) -> Division:
        """The sets of the partition."""
        return self.statistics.division(self.main)


def outline(material: PartitionMaterial, *, shares: bool = True) -> Document:
    """The document; ``shares`` puts those of the sets beside the counts."""
    sections = audited.present(
        (
            _summary(material),
            *_audited(material),
            _protocol(material),
            *_statistics(material, shares=shares),
            _reading(material),
        )
    )
    title = f"Partition {material.main} of {material.statistics.name or 'the data'}"
    footer = f"Written by affectcheck {__version__}"
    if material.statistics.digest:
        footer += f" from data {material.statistics.digest[:12]}"
    return clean(Document(title, material.subtitle, sections, footer=footer, rounding=_ROUNDING))


def _summary(material: PartitionMaterial) -> Section:
    blocks: list[Block] = [Tiles(tuple(_tiles(material))), Facts(tuple(_facts(material))), Text(PERCEIVED, "note")]
    notes = (*material.notes, *(material.partition.notes if material.partition else ()))
    if notes:
        blocks.append(Lines(tuple(dict.fromkeys(notes)), "Notes"))
    return Section("summary", "Summary", tuple(blocks))


def _tiles(material: PartitionMaterial) -> Iterator[Tile]:
    sizes = material.statistics.sizes(material.main)
    whole = sum(sizes[part] for part in material.division.real) or 1
    if material.audit is not None:
        failed = material.audit.failed
        judged = sum(found.status != "not applicable" for found in material.audit.findings)
        yield Tile("Rules broken", f"{len(failed)}", f"of {judged} judged", "verdicts")
    for place, part in enumerate(material.division.sets):
        ratio = material.division.ratios[place : place + 1]
        detail = (
            f"{sizes[part] / whole:.1%}" + (f", asked {ratio[0]:.0%}" if ratio else "")
            if part in material.division.real
            else ""
        )
        yield Tile(part, f"{sizes[part]:,}", f"{material.division.unit}{', ' if detail else ''}{detail}")
    skip = unsplittable(material.statistics, material.division) | regions(material.statistics)
    found = deviations(material.statistics, material.division, skip=skip)
    if found is not None:
        column, value, part = found.worst
        yield Tile(
            "Largest deviation of a share",
            f"{100 * found.share_max:.2f}",
            "percentage points from its share of all sets",
            "statistics",
        )
        told = f"percentage points, {column if value == 'present' else f'{column} = {value}'} in {part}"
        yield Tile("Largest deviation of an allocation", f"{100 * found.allocation_max:.2f}", told, "statistics")


def _facts(material: PartitionMaterial) -> Iterator[tuple[str, str]]:
    statistics, made = material.statistics, material.partition
    sizes = statistics.sizes(material.main)
    yield "Data", f"{statistics.name or 'no name'}, {sum(sizes.values()):,} {material.division.unit}"
    if statistics.digest:
        yield "Digest of the data", statistics.digest
    if made is None:
        yield "Partition", f"{material.main}: {', '.join(material.division.sets)}"
        return
    yield "Partition", f"{material.main}: {', '.join(made.names)}"
    yield "Digest of the partition", partition_digest(made)
    yield "Protocol", made.options.protocol
    yield "Seed", str(made.options.seed)
    if made.cost is not None:
        yield "Mean deviation", f"{100 * made.cost:.3f} percentage points over sets, values and the size"
    if made.bound is not None:
        proven = "proven: none is better" if made.proven else "not proven"
        yield "Lower bound", f"{100 * made.bound:.3f} percentage points; {proven}"
    yield "Reproducible", "yes, from the seed" if made.reproducible else "no: a clock ended the search"
    if made.left_out:
        yield "Left out", "; ".join(f"{count:,}: {reason}" for reason, count in made.left_out.items())


def _audited(material: PartitionMaterial) -> tuple[Section | None, ...]:
    audit = material.audit
    if audit is None:
        return ()
    return (
        audited.verdicts(audit),
        audited.offending(audit),
        audited.distances(audit),
        audited.joint_cells(audit),
        audited.adequacy(audit),
    )


def _protocol(material: PartitionMaterial) -> Section:
    made = material.partition
    asked = f"{made.options.protocol}, seed {made.options.seed}" if made else ""
    first = protocol_figure(material.statistics, material.division, material.splits, asked)
    rest = tuple(split_figure(split, material.statistics) for split in material.splits)
    return Section("protocol", "From the database to the sets", (first, *rest))


def _statistics(material: PartitionMaterial, *, shares: bool) -> Iterator[Section]:
    statistics = material.statistics
    blocks: list[Block] = [statistics_table(statistics, shares=shares)]
    measured = deviation_table(statistics)
    regions = regions_table(statistics)
    if measured is not None:
        blocks.append(measured)
    if regions is not None:
        blocks.append(Details("Regions of the plane", (regions,), aside=count_text(_values(regions), "region")))
    if statistics.source:
        published = tuple(note for note in statistics.notes if note not in material.notes)
        blocks.append(Lines(published, f"Published counts: {statistics.source}"))
    yield Section("statistics", "Statistics", tuple(blocks))
    figures: tuple[Block, ...] = (*plane_figures(statistics), *heat_maps(statistics))
    if figures:
        yield Section("figures", "Labels in the sets", figures)


def _values(table: Table) -> int:
    return sum(not row.heading for row in table.rows)


def _reading(material: PartitionMaterial) -> Section:
    lines = (
        "Three sets of 55, 15 and 30 percent, each with the same shares of labels, age, gender and race as far as counts "
        "allow, no subject in two sets, and labels made by hand: paper 1, section II-B.",
        "A value that fewer subjects hold than there are sets cannot be in every set; no partition changes that.",
        "A share is of the items of a set. An allocation is the part of a value's items that a set got.",
    )
    return Section("reading", "How to read this", (Lines(lines),))
