"""What a change of a model did to its verdicts: fixed, broken or neither, each comparison by itself.

A verdict near its limit may fall on the other side when a random perturbation is drawn anew, or when the model is run
on another machine. So a comparison that passed is called broken only if its new value lies beyond the limit by more
than the margin; the margin is the larger of the stated one and the rerun noise, how far the same comparison moved on
other draws. Fixed is what failed and passes now, and is beyond its limit by more than the margin too.

| before | after | called |
|---|---|---|
| passed | failed, beyond the margin | broken |
| passed | failed within the margin | unchanged, and listed as near its limit |
| passed or failed | undecided at its support, or the reverse | unchanged, and listed as near its limit |
| failed | passed, beyond the margin | fixed |
| passed or failed | not applicable, or not there | gone |
| not applicable, or not there | passed or failed | appeared |
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from affectcheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from affectcheck.records import Place, Status, Verdict

Outcome = Literal["fixed", "broken", "unchanged", "appeared", "gone"]
OUTCOMES: Final[tuple[Outcome, ...]] = ("broken", "fixed", "unchanged", "appeared", "gone")
#: 0.95 − 0.94 is a little more than 0.01 for a machine; a value as far from its limit as the margin is within it.
_ROUNDING: Final = 1e-9
_DECIDED: Final = frozenset({"passed", "failed", "inconclusive"})


@dataclass(frozen=True)
class Margins:
    """How far a value must lie beyond its limit for a change to count.

    Attributes:
        margin: of every metric.
        by_metric: of single metrics, instead.
        rerun_noise: whether the spread over other draws of the perturbation is a margin as well.
    """

    margin: float = 0.0
    by_metric: Mapping[str, float] | None = None
    rerun_noise: bool = True

    def __post_init__(self) -> None:
        """Margins are sizes."""
        for value in (self.margin, *(self.by_metric or {}).values()):
            if not 0 <= value < float("inf"):
                raise InputError(f"a margin of {value}", expected="0 or more, in the unit of the metric")

    def of(self, before: Verdict | None, after: Verdict) -> float:
        """The margin of one comparison: the larger of what is stated and what other draws showed."""
        stated = (self.by_metric or {}).get(after.metric, self.margin)
        drawn = [_spread(one) for one in (before, after) if one is not None] if self.rerun_noise else []
        return max(stated, *drawn, 0.0)


@dataclass(frozen=True)
class Change:
    """One comparison, before and after.

    Attributes:
        outcome: what became of it.
        test, metric, place, data: the comparison, and the name of the data that it was made on.
        before, after: its verdicts; empty where it is not there.
        value_before, value_after: its values.
        margin: how far beyond the limit a value had to be.
        near: the verdict changed within the margin, so the change is not counted.
        reason: in words.
    """

    outcome: Outcome
    test: str
    metric: str
    place: Place
    data: str = ""
    before: Status | Literal[""] = ""
    after: Status | Literal[""] = ""
    value_before: float | None = None
    value_after: float | None = None
    margin: float = 0.0
    near: bool = False
    reason: str = ""


@dataclass(frozen=True)
class Gate:
    """All comparisons of two runs, by what became of them.

    Attributes:
        fixed, broken, unchanged, appeared, gone: the comparisons.
        other_data: names of data whose content is another in the two runs.
    """

    fixed: tuple[Change, ...] = ()
    broken: tuple[Change, ...] = ()
    unchanged: tuple[Change, ...] = ()
    appeared: tuple[Change, ...] = ()
    gone: tuple[Change, ...] = ()
    other_data: tuple[str, ...] = ()

    @property
    def lost(self) -> tuple[str, ...]:
        """Tests of data of which no comparison is decided any more: single ones may be skipped for their support."""
        left = {(one.data, one.test) for one in (*self.fixed, *self.broken, *self.unchanged, *self.appeared)}
        lost = dict.fromkeys((one.data, one.test) for one in self.gone if (one.data, one.test) not in left)
        return tuple(f"{test} on {data}" if data else test for data, test in lost)

    @property
    def apart(self) -> str:
        """That nothing which the baseline decided is decided in the run, in words; empty if something is."""
        if not self.gone or self.fixed or self.broken or self.unchanged:
            return ""
        before, after = (
            ", ".join(sorted({one.data or "unnamed data" for one in held})) for held in (self.gone, self.appeared)
        )
        return f"no comparison is decided in both: the baseline's are of {before}, the run's of {after or 'nothing'}"

    @property
    def passed(self) -> bool:
        """Whether nothing is broken, no whole test is lost, and something was compared."""
        return not self.broken and not self.lost and not self.apart

    @property
    def near(self) -> tuple[Change, ...]:
        """Unchanged for their margin alone, or for being undecided once."""
        return tuple(one for one in self.unchanged if one.near)


def compare_verdicts(before: Iterable[Verdict], after: Iterable[Verdict], margins: Margins | None = None) -> Gate:
    """Compare the verdicts of two runs.

    Args:
        before: of the baseline.
        after: of the run that is gated.
        margins: how far beyond its limit a value must lie; None for the rerun noise alone.

    Raises:
        InputError: the runs were judged in different modes, or one of them holds no verdicts.
    """
    margins = margins or Margins()
    old, new = _by_key(before, "the baseline"), _by_key(after, "the run")
    modes = {one.mode for one in (*old.values(), *new.values())}
    if len(modes) > 1:
        raise InputError(
            f"verdicts of different modes: {' and '.join(sorted(modes))}", expected="two runs in the same mode"
        )
    changes = [_change(old.get(key), new.get(key), margins) for key in dict.fromkeys((*old, *new))]
    found = [one for one in changes if one is not None]
    return Gate(
        **{outcome: tuple(one for one in found if one.outcome == outcome) for outcome in OUTCOMES},
        other_data=_other_data(old, new),
    )


#: Name of the data, test, metric and place: what a comparison is found by in another run.
_Key: TypeAlias = "tuple[str, str, str, Place]"


def _by_key(verdicts: Iterable[Verdict], whose: str) -> dict[_Key, Verdict]:
    held: dict[_Key, Verdict] = {}
    for one in verdicts:
        key = (_name(one), one.test, one.metric, one.place)
        if key not in held or held[key].status not in _DECIDED:
            held[key] = one
        elif one.status in _DECIDED:
            raise InputError(
                f"{whose} holds two verdicts of {one.test!r}, {one.metric} of one place",
                expected="data sets with names of their own",
            )
    if not held:
        raise InputError(f"{whose} holds no verdicts", expected="runs of `affectcheck test` or `affectcheck audit`")
    return held


def _name(verdict: Verdict) -> str:
    """Name of the data without the digest of their content, which a new version changes."""
    return verdict.data.rpartition("@")[0]


def _other_data(before: Mapping[_Key, Verdict], after: Mapping[_Key, Verdict]) -> tuple[str, ...]:
    shared = [(before[key].data, after[key].data, key[0]) for key in before.keys() & after.keys()]
    return tuple(sorted({name or "unnamed data" for old, new, name in shared if old != new}))


def _change(before: Verdict | None, after: Verdict | None, margins: Margins) -> Change | None:
    """What became of a comparison; None if it was decided in neither run."""
    was, now = (one is not None and one.status in _DECIDED for one in (before, after))
    if not (was or now):
        return None
    if before is None or after is None or not (was and now):
        undecided = before if now else after
        return _made("appeared" if now else "gone", before, after, reason=undecided.reason if undecided else "")
    margin = margins.of(before, after)
    if before.status == after.status:
        return _made("unchanged", before, after, margin=margin)
    if "inconclusive" in (before.status, after.status):
        return _made("unchanged", before, after, margin=margin, near=True, reason=after.reason)
    if margin and _distance(after) <= margin + _ROUNDING:
        reason = f"within {margin:.3g} of the limit {after.threshold}"
        return _made("unchanged", before, after, margin=margin, near=True, reason=reason)
    return _made("fixed" if after.status == "passed" else "broken", before, after, margin=margin, reason=after.reason)


def _distance(verdict: Verdict) -> float:
    """How far the value is from its limit; nothing is near a limit that is not known."""
    if verdict.value is None or verdict.threshold is None:
        return float("inf")
    size = abs(verdict.value) if verdict.threshold.rule.startswith("abs") else verdict.value
    return abs(size - verdict.threshold.value)


def _spread(verdict: Verdict) -> float:
    """How far the same comparison moved on other draws of the perturbation."""
    if verdict.value is None:
        return 0.0
    return max((abs(other - verdict.value) for other in verdict.reruns), default=0.0)


def _made(outcome: Outcome, before: Verdict | None, after: Verdict | None, **more: Any) -> Change:
    one = after or before
    if one is None:
        raise AssertionError(outcome)
    return Change(
        outcome,
        one.test,
        one.metric,
        one.place,
        _name(one),
        before=before.status if before else "",
        after=after.status if after else "",
        value_before=before.value if before else None,
        value_after=after.value if after else None,
        **more,
    )


def gate_values(gate: Gate) -> dict[str, Any]:
    """The gate as plain values: whether it passed, counts, and every change but the unchanged ones that are not near."""
    counts = {outcome: len(getattr(gate, outcome)) for outcome in OUTCOMES}
    listed: dict[str, Any] = {
        outcome: [asdict(one) for one in getattr(gate, outcome)] for outcome in OUTCOMES if outcome != "unchanged"
    }
    near = [asdict(one) for one in gate.near]
    return {
        "passed": gate.passed,
        "counts": counts | {"near": len(near)},
        "lost": list(gate.lost),
        "other_data": list(gate.other_data),
        "apart": gate.apart,
        **listed,
        "near": near,
    }


def gate_text(gate: Gate) -> str:
    """The gate in lines: counts, then what is broken, gone, fixed, near its limit and new."""
    counts = ", ".join(f"{len(getattr(gate, outcome))} {outcome}" for outcome in OUTCOMES)
    lines = [f"against the baseline: {counts}" + (f" ({len(gate.near)} near their limit)" if gate.near else "")]
    lines += [f"  note: {name}: not the same content in both runs" for name in gate.other_data]
    if gate.apart:
        lines.append(f"  note: {gate.apart}")
    lines += [f"  lost: {test}, no comparison is decided any more" for test in gate.lost]
    lines += [
        _line(name, one)
        for name, held in (
            ("broken", gate.broken),
            ("gone", gate.gone),
            ("fixed", gate.fixed),
            ("near", gate.near),
            ("appeared", gate.appeared),
        )
        for one in held
    ]
    return "\n".join(lines)


def _line(name: str, one: Change) -> str:
    of = f"{one.data} {one.place.words}".strip()
    moved = f"{_number(one.value_before)} to {_number(one.value_after)}"
    states = f"{one.before or 'not there'} to {one.after or 'not there'}"
    told = f": {one.reason}" if one.reason else ""
    return f"  {name}: {one.test} {one.metric}{f' of {of}' if of else ''}, {states}, {moved}{told}"


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:.3f}"
