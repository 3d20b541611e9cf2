"""Write reports and statistics of partitions to disk, each format by the suffix of the file."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from affectcheck.atomic import write_text
from affectcheck.errors import UnknownNameError
from affectcheck.partitions.counted import with_shares
from affectcheck.partitions.partition import Partition
from affectcheck.partitions.published import beside_published
from affectcheck.partitions.statistics import OWN, own_partition, statistics
from affectcheck.partitions.task_split import task_splits
from affectcheck.reports.markdown import render_document
from affectcheck.reports.page import render_page
from affectcheck.reports.partitions.latex import statistics_latex
from affectcheck.reports.partitions.outline import PartitionMaterial, outline

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.partitions.audit import Audit

FORMATS: Final = ("html", "md", "tex", "csv")


@dataclass(frozen=True, eq=False)
class PartitionShown:
    """What a report shows of a table.

    Attributes:
        partitions: by name, in order; the last one is what the report is on. None for the data set's own.
        beside: names of published partitions that stand beside them.
        audit: of the last partition, if it was judged.
        subtitle: the verb.
    """

    partitions: Mapping[str, Partition | pl.DataFrame] | None = None
    beside: Sequence[str] = ()
    audit: Audit | None = None
    subtitle: str = field(default="affectcheck partition stats")


def partition_material(table: AnnotationTable, shown: PartitionShown | None = None) -> PartitionMaterial:
    """Count everything that a report on partitions of a table shows.

    Raises:
        UnknownNameError: no such published partition.
    """
    shown = shown or PartitionShown()
    partitions = shown.partitions or {OWN: own_partition(table)}
    counted = statistics(table, partitions)
    notes = counted.notes
    main, given = list(partitions.items())[-1]
    for name in shown.beside:
        counted = beside_published(counted, name)
    made = given if isinstance(given, Partition) else None
    return PartitionMaterial(counted, main, task_splits(table, given, main), shown.audit, made, notes, shown.subtitle)


def write_partition_report(table: AnnotationTable, path: Path, shown: PartitionShown | None = None) -> Path:
    """Write a report on one partition of a table, others beside it.

    Args:
        table: the data.
        path: ``.html`` (one page that needs no network), ``.md``, ``.tex`` (the statistics as a table for a paper) or
            ``.csv`` (the counts; with an audit, the offending items).
        shown: which partitions, and what was found.

    Returns:
        The file written, whole or not at all.

    Raises:
        UnknownNameError: another suffix, or a published partition that there is not.
        ExtraMissingError: HTML without the extra ``report``.
    """
    require_format(path)
    return write_material(partition_material(table, shown), path)


def write_material(material: PartitionMaterial, path: Path, *, shares: bool = True) -> Path:
    """Write a report from what was counted already.

    Raises:
        UnknownNameError: another suffix.
    """
    path = Path(path)
    name = require_format(path)
    write_text(path, _rendered(material, name, shares=shares))
    return path


def require_format(path: Path) -> str:
    """The format that a file's suffix names.

    Raises:
        UnknownNameError: it names none.
    """
    name = Path(path).suffix.removeprefix(".").lower()
    if name not in FORMATS:
        raise UnknownNameError.of("format of a partition report", name, FORMATS, where=str(path))
    return name


def _rendered(material: PartitionMaterial, name: str, *, shares: bool) -> str:
    if name == "tex":
        return statistics_latex(material.statistics, shares=shares)
    if name == "csv":
        frame = with_shares(material.statistics.frame) if material.audit is None else material.audit.offending
        return frame.write_csv()
    doc = outline(material, shares=shares)
    return render_page(doc) if name == "html" else render_document(doc)
