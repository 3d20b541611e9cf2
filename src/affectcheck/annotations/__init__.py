"""The annotation table: media, subjects, groups and labels under one schema, from every common file format."""

from affectcheck.annotations.frames import as_polars
from affectcheck.annotations.table import COLUMNS, AnnotationTable
from affectcheck.annotations.text import read_csv
from affectcheck.annotations.validation import make_table

__all__ = ["COLUMNS", "AnnotationTable", "as_polars", "make_table", "read_csv"]
