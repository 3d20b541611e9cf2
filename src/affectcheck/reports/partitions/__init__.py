"""Reports on partitions: statistics, figures and audits as HTML, Markdown, LaTeX and CSV."""

from affectcheck.reports.partitions.latex import statistics_latex
from affectcheck.reports.partitions.outline import PartitionMaterial
from affectcheck.reports.partitions.tables import DEVIATION_HEAD, deviation_rows, text_rows
from affectcheck.reports.partitions.writing import (
    FORMATS,
    PartitionShown,
    partition_material,
    require_format,
    write_material,
    write_partition_report,
)

__all__ = [
    "DEVIATION_HEAD",
    "FORMATS",
    "PartitionMaterial",
    "PartitionShown",
    "deviation_rows",
    "partition_material",
    "require_format",
    "statistics_latex",
    "text_rows",
    "write_material",
    "write_partition_report",
]
