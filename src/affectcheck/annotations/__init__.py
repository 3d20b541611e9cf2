"""The annotation table: media, subjects, groups and labels under one schema, from every common file format."""

from affectcheck.annotations.frames import as_polars
from affectcheck.annotations.keys import Segment, seconds_to_us, segment_key, split_key
from affectcheck.annotations.matching import Match, match
from affectcheck.annotations.table import COLUMNS, AnnotationTable
from affectcheck.annotations.text import read_csv
from affectcheck.annotations.validation import make_table

__all__ = [
    "COLUMNS",
    "AnnotationTable",
    "Match",
    "Segment",
    "as_polars",
    "make_table",
    "match",
    "read_csv",
    "seconds_to_us",
    "segment_key",
    "split_key",
]
