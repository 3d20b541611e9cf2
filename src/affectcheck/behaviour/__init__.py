"""Behaviour tests: definitions as data, a plan of what applies, and verdicts with their thresholds and supports."""

from affectcheck.behaviour.catalogue import definition_names, load_suite, load_suites, read_definition, suite_names
from affectcheck.behaviour.definition import Definition
from affectcheck.behaviour.explanation import explain
from affectcheck.behaviour.figures import figure_tables
from affectcheck.behaviour.items_behind import Behind, items_behind
from affectcheck.behaviour.options import SuiteOptions
from affectcheck.behaviour.parsing import parse_definition
from affectcheck.behaviour.pitch_groups import add_pitch
from affectcheck.behaviour.planning import Plan, PlannedTest, plan
from affectcheck.behaviour.rater_limits import RaterLimits, RaterOptions, rater_thresholds
from affectcheck.behaviour.running import Examined, examine, run
from affectcheck.behaviour.selecting import select
from affectcheck.behaviour.verdict_table import verdicts_frame

__all__ = [
    "Behind",
    "Definition",
    "Examined",
    "Plan",
    "PlannedTest",
    "RaterLimits",
    "RaterOptions",
    "SuiteOptions",
    "add_pitch",
    "definition_names",
    "examine",
    "explain",
    "figure_tables",
    "items_behind",
    "load_suite",
    "load_suites",
    "parse_definition",
    "plan",
    "rater_thresholds",
    "read_definition",
    "run",
    "select",
    "suite_names",
    "verdicts_frame",
]
