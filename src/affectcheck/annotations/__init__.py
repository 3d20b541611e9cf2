"""The annotation table: media, subjects, groups and labels under one schema, from every common file format."""

from affectcheck.annotations.adjudication import adjudicate, disagreements, merged, require_attributes, with_model
from affectcheck.annotations.affwild2 import read_frames
from affectcheck.annotations.attributes import read_attributes
from affectcheck.annotations.audformat_database import AudformatOptions, read_audformat, write_audformat
from affectcheck.annotations.description import TableDescription, describe, read_description
from affectcheck.annotations.formats import FORMATS, read_table, write_table
from affectcheck.annotations.frames import as_polars
from affectcheck.annotations.keys import Segment, seconds_to_us, segment_key, split_key
from affectcheck.annotations.matching import Match, match
from affectcheck.annotations.provenance import provenance_name, provenance_of
from affectcheck.annotations.raters import Gold, count_votes, gold_by_majority
from affectcheck.annotations.rating_columns import RatingColumns
from affectcheck.annotations.ratings import Ratings
from affectcheck.annotations.reading_ratings import read_ratings
from affectcheck.annotations.settling import Settled, Settling, settle
from affectcheck.annotations.table import COLUMNS, AnnotationTable
from affectcheck.annotations.text import read_csv
from affectcheck.annotations.validation import make_table

__all__ = [
    "COLUMNS",
    "FORMATS",
    "AnnotationTable",
    "AudformatOptions",
    "Gold",
    "Match",
    "RatingColumns",
    "Ratings",
    "Segment",
    "Settled",
    "Settling",
    "TableDescription",
    "adjudicate",
    "as_polars",
    "count_votes",
    "describe",
    "disagreements",
    "gold_by_majority",
    "make_table",
    "match",
    "merged",
    "provenance_name",
    "provenance_of",
    "read_attributes",
    "read_audformat",
    "read_csv",
    "read_description",
    "read_frames",
    "read_ratings",
    "read_table",
    "require_attributes",
    "seconds_to_us",
    "segment_key",
    "settle",
    "split_key",
    "with_model",
    "write_audformat",
    "write_table",
]
