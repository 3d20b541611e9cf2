"""The three-way verdict of each disparity, in the scaling in which a limit holds, with its reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from affectcheck.metrics import METRICS
from affectcheck.records import Score

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from affectcheck.records import Scored, Status
    from affectcheck.reports.charts import Decision
    from affectcheck.reports.reading import Reading

#: A verdict is given in the first of these in which a limit was judged.
SCALINGS: Final = ("tables", "", "upstream", "paper")
_OUTCOMES: Final[dict[str, Decision]] = {"failed": "exceeds", "passed": "within", "inconclusive": "inconclusive"}
_STATES: Final[dict[str, Status]] = {outcome: status for status, outcome in _OUTCOMES.items()}  # type: ignore[misc]  # both are states
_WORDS: Final = {
    "failed": "exceeds the limit and the noise floor",
    "passed": "within the limit: no unfairness detected at this support",
    "inconclusive": "inconclusive",
}
_NO_LIMIT: Final = "no one limit holds for this scale"
_NOT_JUDGED: Final = "the limit was not judged"


@dataclass(frozen=True)
class Judged:
    """One disparity over the groups of an attribute, in every scaling that it is given in.

    Attributes:
        title: the metric, and what sets its run apart.
        scores: by convention; an empty one where all conventions agree.
        judged: the score that the verdict is of.
        status: one of the four states.
        reason: why.
        limit: the limit; None where none applies.
    """

    title: str
    scores: Mapping[str, Scored]
    judged: Scored
    status: Status
    reason: str
    limit: float | None = None


def judge(reading: Reading, scores: Sequence[Scored], title: str) -> Judged:
    """The verdict on one disparity from its scores in several conventions."""
    by_convention = {score.signature.convention: score for score in scores}
    order = [*SCALINGS, *by_convention]
    found = [by_convention[name] for name in dict.fromkeys(order) if name in by_convention]
    outcomes = {id(s): decide(reading, s) for s in found if isinstance(s, Score)}
    decided = [s for s in found if id(s) in outcomes and outcomes[id(s)][0]]
    if not decided:
        chosen = next((s for s in found if s.defined), found[0])
        return Judged(title, by_convention, chosen, "not applicable", _why_not(chosen))
    chosen = decided[0]
    outcome, reason = outcomes[id(chosen)]
    others = [
        f"in the {s.signature.convention} scaling: {outcomes[id(s)][0]}"
        for s in decided[1:]
        if outcomes[id(s)][0] != outcome
    ]
    limit = chosen.decision.limit if isinstance(chosen, Score) and chosen.decision else None
    return Judged(title, by_convention, chosen, _STATES[outcome], "; ".join([reason, *others]), limit)


def decide(reading: Reading, score: Score) -> tuple[Decision, str]:
    """The three-way decision and its reason: that of the verdict on the same score, else that of the score itself."""
    for verdict in reading.record.verdicts:
        same = verdict.metric == score.metric and verdict.place == score.place
        if same and verdict.signature == str(score.signature) and verdict.status in _OUTCOMES:
            return _OUTCOMES[verdict.status], verdict.reason or _WORDS[verdict.status]
    if score.decision is not None:
        return score.decision.outcome, score.decision.reason
    return "", against_floor(score)


def against_floor(score: Score) -> str:
    """What a disparity that no limit judges says in view of its noise floor."""
    if score.floor is None:
        return "no null band was drawn"
    if score.value > score.floor.quantile:
        return "above what groups dealt out at random reach"
    return "no more than groups dealt out at random reach at this support"


def _why_not(score: Scored) -> str:
    """Why no limit was judged."""
    if not isinstance(score, Score):
        return score.reason
    limit_in = METRICS.get(score.metric).limit_in if score.metric in METRICS else ()
    if not limit_in:
        why = _NO_LIMIT
    elif score.signature.convention and score.signature.convention not in limit_in:
        why = f"a limit is judged in the {' or '.join(limit_in)} scaling only, in which it was not scored"
    else:
        why = _NOT_JUDGED
    return f"{why}; {against_floor(score)}"
