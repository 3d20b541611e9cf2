"""Titles of metrics and how to read them: a sentence each, for people who did not write the code."""

from typing import Final

from affectcheck.reports.entries.behaviour import BEHAVIOUR
from affectcheck.reports.entries.categories import CATEGORIES
from affectcheck.reports.entries.challenges import CHALLENGES
from affectcheck.reports.entries.dimensions import DIMENSIONS
from affectcheck.reports.entries.entry import Better, Entry
from affectcheck.reports.entries.raters import RATERS
from affectcheck.reports.entries.units import UNITS

METRICS: Final[dict[str, Entry]] = CATEGORIES | UNITS | DIMENSIONS | CHALLENGES | RATERS | BEHAVIOUR

__all__ = ["METRICS", "Better", "Entry"]
