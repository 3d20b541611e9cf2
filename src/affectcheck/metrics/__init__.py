"""Metrics: pure functions of tallies, over any leading axes (group, resample), NaN where undefined.

Every metric is registered in ``METRICS`` with its range, direction, conventions and rules, and is an attribute of
this package by its name: ``affectcheck.metrics.f1_macro(tally)``.
"""

from typing import Any

from affectcheck.metrics.gaps import spread
from affectcheck.metrics.metric import Compute, Diagnosis, Kind, Level, Metric, Names
from affectcheck.metrics.registry import METRICS, metrics_of, register
from affectcheck.metrics.rules import CONVENTIONS, RULES, Convention, Rules
from affectcheck.metrics.shifts import to_combined
from affectcheck.metrics.worst import Worst, worst_group

__all__ = [
    "CONVENTIONS",
    "METRICS",
    "RULES",
    "Compute",
    "Convention",
    "Diagnosis",
    "Kind",
    "Level",
    "Metric",
    "Names",
    "Rules",
    "Worst",
    "metrics_of",
    "register",
    "spread",
    "to_combined",
    "worst_group",
]


def __getattr__(name: str) -> Any:
    """The compute function of a registered metric."""
    if not name.startswith("_") and name in METRICS:
        return METRICS.get(name).compute
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
