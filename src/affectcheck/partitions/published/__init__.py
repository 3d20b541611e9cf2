"""Partitions that the papers publish, as data: their counts, what they state beside them, and where they do not add up."""

from affectcheck.partitions.published.checking import Inconsistency, inconsistencies
from affectcheck.partitions.published.loading import (
    Note,
    Published,
    beside_published,
    published,
    published_names,
    published_statistics,
)

__all__ = [
    "Inconsistency",
    "Note",
    "Published",
    "beside_published",
    "inconsistencies",
    "published",
    "published_names",
    "published_statistics",
]
