"""Behaviour tests: definitions as data, a plan of what applies, and verdicts with their thresholds and supports."""

from affectcheck.behaviour.catalogue import definition_names, load_suite, load_suites, read_definition, suite_names
from affectcheck.behaviour.definition import Definition
from affectcheck.behaviour.explanation import explain
from affectcheck.behaviour.options import SuiteOptions
from affectcheck.behaviour.parsing import parse_definition
from affectcheck.behaviour.planning import Plan, PlannedTest, plan, unrunnable
from affectcheck.behaviour.running import run

__all__ = [
    "Definition",
    "Plan",
    "PlannedTest",
    "SuiteOptions",
    "definition_names",
    "explain",
    "load_suite",
    "load_suites",
    "parse_definition",
    "plan",
    "read_definition",
    "run",
    "suite_names",
    "unrunnable",
]
