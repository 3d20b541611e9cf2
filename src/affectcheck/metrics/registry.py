"""The registry of metrics: a module of this room that calls ``register`` adds a metric, its gap and its worst group."""

from __future__ import annotations

from affectcheck.metrics.gaps import gap_of
from affectcheck.metrics.metric import Diagnosis, Level, Metric, Names
from affectcheck.metrics.worst import worst_metric
from affectcheck.registry import Registry

METRICS: Registry[Metric] = Registry("metric", "affectcheck.metrics", listed="affectcheck metrics list")

__all__ = ["METRICS", "Diagnosis", "Level", "Metric", "Names", "metrics_of", "register"]


def register(metric: Metric) -> Metric:
    """File a metric under its name; an overall one brings its gap over groups, ``<name>_gap``, and ``<name>_worst``.

    A challenge's score brings neither: it is that of a whole test set, and the metric that it is made of has both.

    Raises:
        DuplicateNameError: the name is taken.
    """
    origin = f"{metric.compute.__module__}:{getattr(metric.compute, '__qualname__', metric.name)}"
    METRICS.add(metric.name, metric, origin=origin)
    if metric.level == "overall" and not metric.number_of_parts:
        METRICS.add(f"{metric.name}_gap", gap_of(metric), origin=f"{origin} (gap)")
        METRICS.add(f"{metric.name}_worst", worst_metric(metric), origin=f"{origin} (worst group)")
    return metric


def metrics_of(kind: str, level: str = "") -> tuple[Metric, ...]:
    """Every metric of a kind of prediction, and of a level if one is given, sorted by name.

    Example:
        >>> [metric.name for metric in metrics_of("categories", "part")]
        ['f1', 'precision', 'recall', 'share']
    """
    return tuple(m for _, m in METRICS.items() if m.kind == kind and level in ("", m.level))
