"""From a measurement to a verdict. Comparisons are strict; only what the support can decide is decided.

| family | mode | failed | inconclusive |
|---|---|---|---|
| any | published | the limit is not met by the rounded score | never |
| correctness, robustness | corrected | the limit is not met, by the value and all of its interval | the interval holds values on both sides of the limit |
| fairness | corrected | the difference reaches the threshold and exceeds the noise floor | it reaches the threshold but not the floor; or it does not, while the threshold is more than twice the published limit |

The threshold of a fairness comparison is what random models show at the real sizes; the published limit, made for
other sizes, is stated beside it. The noise floor is what groups dealt out at random over subjects show with this very
model: speakers differ, and a difference between few of them is none between groups. Without an interval (fewer than
five clusters), the value decides and the verdict says that it holds for these items only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.behaviour.fairness_disparities import LOCAL
from affectcheck.records import Threshold, Verdict

if TYPE_CHECKING:
    from affectcheck.behaviour.definition import Comparison, Definition, Mode, Rules
    from affectcheck.behaviour.measured import Measured
    from affectcheck.records import Interval, Status

#: A threshold this many times the published limit says nothing about differences of the size that paper 2 is about.
WIDEST: Final = 2.0


def judge(measured: Measured, definition: Definition, mode: Mode, baseline: float | None = None) -> Verdict:
    """The verdict on one measurement.

    Args:
        measured: the value with its support.
        definition: the test.
        mode: ``corrected`` or ``published``.
        baseline: the random model's value.
    """
    rules = definition.rules(mode)
    threshold = measured.threshold or stated(measured.comparison, rules, measured.place.part)
    value = rounded(measured.value, measured.comparison.metric, rules)
    status, reason = _decide(measured, value, threshold, rules)
    return Verdict(
        test=definition.name,
        family=definition.family,
        metric=_named(measured, definition),
        place=measured.place,
        status=status,
        reason=reason,
        value=value,
        threshold=threshold,
        support=measured.support,
        minimum_support=measured.minimum,
        baseline=rounded(baseline, measured.comparison.metric, rules),
        detectable=measured.detectable,
        mode=mode,
        notes=(*measured.notes, *_support_notes(measured, rules)),
    )


def stated(comparison: Comparison, rules: Rules, *parts: str) -> Threshold:
    """The limit of the definition.

    Args:
        comparison: what is compared.
        rules: those of the mode.
        *parts: classes or dimensions; the first that a limit of its own is stated for has that limit.
    """
    limit = next((comparison.limits[part] for part in parts if part in comparison.limits), comparison.limit)
    return Threshold(limit, comparison.rule_in(rules), comparison.source)


def rounded(value: float | None, metric: str, rules: Rules) -> float | None:
    """A score as the mode takes it: in published mode rounded, halves to the even digit, before it is compared."""
    decimals = rules.score_decimals_of.get(metric, rules.score_decimals)
    return value if value is None or decimals is None else float(np.round(value, decimals)) + 0.0


def _decide(measured: Measured, value: float | None, threshold: Threshold, rules: Rules) -> tuple[Status, str]:
    if value is None:
        return "not applicable", measured.reason
    met = threshold.met_by(value)
    if not rules.intervals:
        return ("passed", "") if met else ("failed", _beyond(value, threshold))
    if measured.comparison.threshold == "simulated":
        return _difference(measured, value, threshold)
    if measured.interval and _straddles(measured.interval, threshold):
        low, high = measured.interval.low, measured.interval.high
        return "inconclusive", f"the interval {low:.3g} to {high:.3g} holds values on both sides of {threshold}"
    return ("passed", "") if met else ("failed", _beyond(value, threshold))


def _difference(measured: Measured, value: float, threshold: Threshold) -> tuple[Status, str]:
    """A difference between groups: found, not found, or not to be decided at this support."""
    if not threshold.met_by(value):
        if measured.floor and abs(value) <= measured.floor.quantile:
            return "inconclusive", (
                f"{value:+.3g} is beyond {threshold}, but groups dealt out at random differ by up to "
                f"{measured.floor.quantile:.3g}"
            )
        small = abs(value) < measured.comparison.limit
        whose, limit = measured.comparison.whose, measured.comparison.limit
        within = f", though it is within the {whose} limit of {limit:g}" if small else ""
        return "failed", _beyond(value, threshold) + within
    if threshold.value > WIDEST * measured.comparison.limit:
        return "inconclusive", (
            f"no unfairness detected, but chance alone reaches {threshold.value:.3g} at this support: "
            f"a difference of the {measured.comparison.whose} {measured.comparison.limit:g} could not be seen"
        )
    return "passed", ""


def _beyond(value: float, threshold: Threshold) -> str:
    return f"{value:.4g} does not meet {threshold}"


def _straddles(interval: Interval, threshold: Threshold) -> bool:
    """Whether some values of the interval meet the threshold and others do not."""
    ends = [threshold.met_by(end) for end in (interval.low, interval.high)]
    inside = interval.low < 0 < interval.high and threshold.rule.startswith("abs")
    return len({*ends, *([threshold.met_by(0.0)] if inside else [])}) > 1


def _named(measured: Measured, definition: Definition) -> str:
    """What was compared: a metric, its difference between groups, or its change under a perturbation."""
    metric = measured.comparison.metric
    if definition.kind == "group perturbation":
        return f"{metric}_difference" if metric == "unchanged" else f"{metric}_change_difference"
    if definition.kind == "distribution" and metric in ("mean", "share"):
        return f"{metric}_difference"
    if metric == "unchanged" or definition.family == "correctness":
        return metric
    if measured.comparison.per == "attribute" and metric not in LOCAL:
        return metric
    return f"{metric}_difference" if definition.family == "fairness" else f"{metric}_change"


def _support_notes(measured: Measured, rules: Rules) -> tuple[str, ...]:
    """What the support can show, in words."""
    if measured.value is None or not rules.intervals:
        return ()
    notes = []
    interval, floor = measured.interval, measured.floor
    if interval is not None:
        over = f"over {interval.clusters} clusters ({interval.unit})"
        notes.append(f"{interval.level:.0%} interval {interval.low:.4f} to {interval.high:.4f} {over}")
        notes += [interval.note] if interval.note else []
    if floor is not None:
        notes.append(f"noise floor {floor.quantile:.4f} ({floor.method})")
    return tuple(notes)
