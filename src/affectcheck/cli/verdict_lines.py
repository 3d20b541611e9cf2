"""Verdicts as lines of text: each failure by itself, and what is alike and many in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from affectcheck.cli.output import columns

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from affectcheck.records import Verdict

#: Comparisons of one metric between the same groups, or for the same reason, that are shown one by one.
SINGLE: Final = 12
SINGLE_NOT_MADE: Final = 2
_HEAD: Final = ("verdict", "test", "metric", "of", "value", "passes if", "random", "n", "reason")

_Row = tuple[object, ...]


def verdict_text(verdicts: Sequence[Verdict], counts: dict[str, int]) -> str:
    """Lines of the comparisons, then the counts, then shares beside those of the random model.

    Args:
        verdicts: of every comparison.
        counts: how many there are of each verdict.
    """
    from affectcheck.annotations.listing import plural  # noqa: PLC0415
    from affectcheck.reports import share_lines  # noqa: PLC0415

    groups = _alike(verdicts)
    rows = [row for group in groups for row in ([_together(group)] if _many(group, groups) else map(_single, group))]
    told = ", ".join(f"{n} {status}" for status, n in counts.items())
    if len(rows) < len(verdicts):
        told += f" (in {plural(len(rows), 'line')}; each by itself in the report of -o and with --json)"
    return "\n\n".join((columns(rows, head=_HEAD), told, "\n".join(share_lines(verdicts))))


def _alike(verdicts: Sequence[Verdict]) -> list[list[Verdict]]:
    """Verdicts of one test, metric, kind of groups and outcome, in the order of the first of each."""
    found: dict[tuple[str, ...], list[Verdict]] = {}
    for one in verdicts:
        made = one.status != "not applicable"
        what = (one.metric, one.place.attribute) if made else (one.reason,)
        found.setdefault((one.test, one.status, *what), []).append(one)
    return list(found.values())


def _many(group: Sequence[Verdict], groups: Sequence[Sequence[Verdict]]) -> bool:
    """Whether a group is told in one line: never what failed."""
    first = group[0]
    if first.status == "failed" or len(group) == 1:
        return False
    if first.status == "not applicable":
        return len(group) > SINGLE_NOT_MADE
    of = (first.test, first.metric, first.place.attribute)
    return sum(len(one) for one in groups if (one[0].test, one[0].metric, one[0].place.attribute) == of) > SINGLE


def _single(one: Verdict) -> _Row:
    value = "" if one.value is None else f"{one.value:.3f}"
    random = "" if one.baseline is None else f"{one.baseline:.3f}"
    limit = one.threshold or ""
    return one.status, one.test, one.metric, one.place.words, value, limit, random, one.support, one.reason


def _together(group: Sequence[Verdict]) -> _Row:
    first = group[0]
    metrics, attributes = ({get(one) for one in group} for get in (_metric, _attribute))
    of = " ".join(filter(None, (*sorted(attributes), f"({len(group)} comparisons)")))
    metric = first.metric if len(metrics) == 1 else f"{len(metrics)} metrics"
    nearest = max(group, key=_nearness)
    reason = first.reason
    if first.status != "not applicable":
        reason = f"nearest to its limit: {nearest.place.words}" + (f": {nearest.reason}" if nearest.reason else "")
    made = first.status != "not applicable"
    limit = _limits(group) if made else ""
    values, random = (_range(group, get) for get in (_value, _baseline))
    return first.status, first.test, metric, of, values, limit, random, _range(group, _support, "d"), reason


def _metric(one: Verdict) -> str:
    return one.metric


def _attribute(one: Verdict) -> str:
    return one.place.attribute


def _value(one: Verdict) -> float | None:
    return one.value


def _baseline(one: Verdict) -> float | None:
    return one.baseline


def _support(one: Verdict) -> int | None:
    return one.support


def _nearness(one: Verdict) -> float:
    """Higher, the less a value lies away from its limit."""
    if one.value is None or one.threshold is None:
        return float("-inf")
    size = abs(one.value) if one.threshold.rule.startswith("abs") else one.value
    return -abs(size - one.threshold.value)


def _range(group: Sequence[Verdict], get: Callable[[Verdict], float | None], form: str = ".3f") -> str:
    known = [value for value in map(get, group) if value is not None]
    if not known:
        return ""
    low, high = format(min(known), form), format(max(known), form)
    return low if low == high else f"{low} to {high}"


def _limits(group: Sequence[Verdict]) -> str:
    """The limits, of which the widest is told as well where they differ."""
    known = sorted((one.threshold for one in group if one.threshold is not None), key=lambda one: one.value)
    if not known:
        return ""
    return str(known[0]) if known[0].value == known[-1].value else f"{known[0]} to {known[-1].value:.6g}"
