"""Tasks: which scheme is predicted, and which metrics stand first. Metrics are named by string only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from affectcheck.schemes.scheme import Kind, Scheme


@dataclass(frozen=True)
class Task:
    """Default metrics of one kind of prediction.

    Attributes:
        kind: ``categories``, ``units`` or ``dimensions``.
        headline: the metric that a summary shows and a model is selected by.
        metrics: scored over the whole set and per group.
        per_part: scored per class, unit or dimension.
        disparities: scored over the groups of an attribute.
    """

    kind: Kind
    headline: str
    metrics: tuple[str, ...]
    per_part: tuple[str, ...]
    disparities: tuple[str, ...]


TASKS: Final[dict[str, Task]] = {
    "categories": Task(
        "categories",
        headline="uar",
        metrics=("uar", "uap", "f1_macro", "accuracy"),
        per_part=("recall", "precision", "f1"),
        disparities=("local_f1", "eop", "sp", "uar_gap", "uar_worst"),
    ),
    "units": Task(
        "units",
        headline="unit_f1",
        metrics=("unit_f1", "unit_accuracy", "emotionet"),
        per_part=("unit_recall", "unit_precision"),
        disparities=("unit_local_f1", "eod", "dpd", "unit_f1_gap", "unit_f1_worst"),
    ),
    "dimensions": Task(
        "dimensions",
        headline="ccc",
        metrics=("ccc", "pcc", "mae", "mde", "rmse", "jsd"),
        per_part=("ccc", "pcc", "mae", "mde", "rmse", "jsd"),
        disparities=("local_ccc", "ccc_gap", "ccc_worst"),
    ),
}


def task_of(scheme: Scheme) -> Task:
    """The task of a scheme's kind."""
    return TASKS[scheme.kind]
