"""Verdicts of behaviour tests: four states, each counted, none but passed a pass."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, get_args

from affectcheck.records.score import Place

if TYPE_CHECKING:
    from collections.abc import Iterable

Status = Literal["passed", "failed", "inconclusive", "not applicable"]
STATUSES: tuple[Status, ...] = get_args(Status)


@dataclass(frozen=True)
class Threshold:
    """A limit and the rule that compares with it; comparisons are strict, on unrounded values.

    Attributes:
        value: the limit.
        rule: ``gt`` x > t; ``lt`` x < t; ``abs_lt`` |x| < t; ``abs_gt`` |x| > t.
        source: where the limit comes from: a table of a paper, or a simulation with its sizes and quantile.
    """

    value: float
    rule: Literal["gt", "lt", "abs_lt", "abs_gt"]
    source: str

    def met_by(self, value: float) -> bool:
        """Whether the value is on the passing side."""
        size = abs(value) if self.rule.startswith("abs") else value
        return size > self.value if self.rule.endswith("gt") else size < self.value

    def __str__(self) -> str:
        """As a formula, with full precision."""
        symbol = ">" if self.rule.endswith("gt") else "<"
        return f"{'|x|' if self.rule.startswith('abs') else 'x'} {symbol} {self.value:.6g}"


@dataclass(frozen=True)
class Verdict:
    """One comparison of a behaviour test.

    Attributes:
        test: name of the test definition.
        family: ``correctness``, ``fairness`` or ``robustness``.
        metric: what was compared.
        place: the group and the class, bin or dimension.
        status: one of the four states.
        reason: why, in words; always set unless passed.
        value: the compared value, None where there is none.
        threshold: the limit, None where not applicable before a limit was found.
        support: items in the comparison.
        minimum_support: items it takes.
        baseline: the same value for the random model, if it was run.
        detectable: smallest difference that this support could have shown, for fairness.
        mode: ``corrected`` or ``published``.
        data: name of the data.
        signature: the score's signature.
        reruns: the same comparison on other draws of the perturbation, where there were some: how far a verdict
            on random changes depends on the draw.
        notes: further sentences.
    """

    test: str
    family: str
    metric: str
    status: Status
    reason: str = ""
    place: Place = field(default_factory=Place)
    value: float | None = None
    threshold: Threshold | None = None
    support: int = 0
    minimum_support: int = 0
    baseline: float | None = None
    detectable: float | None = None
    mode: str = "corrected"
    data: str = ""
    signature: str = ""
    reruns: tuple[float, ...] = ()
    notes: tuple[str, ...] = ()


def count(verdicts: Iterable[Verdict]) -> dict[Status, int]:
    """How many verdicts there are of each state, all four named."""
    seen = Counter(verdict.status for verdict in verdicts)
    return {status: seen[status] for status in STATUSES}
