"""Which metrics are scored: those that are named, those of the task, or every one of the kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from affectcheck.errors import InputError
from affectcheck.metrics import METRICS, metrics_of
from affectcheck.schemes import TASKS, fold, parts, scheme

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.evaluation.alignment import Aligned
    from affectcheck.evaluation.options import EvaluationOptions
    from affectcheck.metrics import Metric

#: Words that stand for several metrics.
DEFAULT: Final = "default"
ALL: Final = "all"


def chosen_metrics(aligned: Aligned, options: EvaluationOptions) -> tuple[Metric, ...]:
    """The metrics that are asked for, or those of the task, each once.

    ``default`` among the names stands for those of the task, ``all`` for every metric of the kind that is defined for
    these classes, units or dimensions; disparities only where there are groups.

    Raises:
        UnknownNameError: no such metric.
        InputError: a metric of another kind of prediction, or of another number of parts.
    """
    target, count = aligned.target, len(aligned.parts)
    kind = target.scheme.kind
    task = TASKS[kind]
    default = (*task.metrics, *task.per_part, *(task.disparities if options.by else ()))
    every = [m.name for m in metrics_of(kind) if _fits(m, aligned.parts) and _asked(m, options)]
    words: dict[str, Sequence[str]] = {DEFAULT: default, ALL: every}
    names = [name for word in (options.metrics or (DEFAULT,)) for name in words.get(word, (word,))]
    metrics = tuple(METRICS.get(name) for name in dict.fromkeys(names))
    wrong = [metric.name for metric in metrics if metric.kind != kind]
    if wrong:
        raise InputError(
            f"metrics of another kind than {kind}: {', '.join(wrong)}",
            expected=f"metrics such as {', '.join(task.metrics)}",
            cause=f"target {target.name!r} is of {kind}",
        )
    for metric in metrics:
        if metric.number_of_parts not in (0, count):
            raise InputError(
                f"{metric.name} is defined for {metric.number_of_parts} {kind}, target {target.name!r} has {count}",
                expected=f"the {kind} of the challenge, or a metric such as {task.headline}",
            )
        if not _fits(metric, aligned.parts):
            raise InputError(
                f"{metric.name} is defined for other {kind} than those of target {target.name!r}: "
                f"{', '.join(aligned.parts)}",
                expected=f"{', '.join(parts(scheme(metric.scheme)))} (the scheme {metric.scheme!r})",
                cause=f"another task with as many {kind}; {task.headline} serves any",
            )
    return metrics


def _fits(metric: Metric, found: Sequence[str]) -> bool:
    """Whether the classes, units or dimensions are those that a metric is defined for."""
    if not metric.scheme:
        return metric.number_of_parts in (0, len(found))
    return {fold(part) for part in found} == {fold(part) for part in parts(scheme(metric.scheme))}


def _asked(metric: Metric, options: EvaluationOptions) -> bool:
    return metric.level != "disparity" or bool(options.by)
