"""Reports on partitions: statistics, figures and audits as HTML, Markdown, LaTeX and CSV."""

from affectcheck.reports.partitions.latex import statistics_latex
from affectcheck.reports.partitions.outline import PartitionMaterial
from affectcheck.reports.partitions.writing import (
    FORMATS,
    PartitionShown,
    partition_material,
    require_format,
    write_material,
    write_partition_report,
)

__all__ = [
    "FORMATS",
    "PartitionMaterial",
    "PartitionShown",
    "partition_material",
    "require_format",
    "statistics_latex",
    "write_material",
    "write_partition_report",
]
