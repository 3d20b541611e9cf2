"""What an evaluation is told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from numbers import Integral
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

from affectcheck.errors import InputError, UnknownNameError
from affectcheck.evaluation.deciding import Thresholds
from affectcheck.evaluation.labels import LabelsRule
from affectcheck.predictions.steps import Step, parse_steps
from affectcheck.schemes import StatedMapping
from affectcheck.uncertainty import Method

if TYPE_CHECKING:
    from collections.abc import Iterable

    from affectcheck.annotations.matching import Rule

MissingRule: TypeAlias = Literal["error", "wrong", "leave out"]
ClusterUnit: TypeAlias = Literal["subject", "media", "item"]
Convention: TypeAlias = Literal["paper", "tables", "upstream"]
#: What a group is compared to.
CombinedSet: TypeAlias = Literal["all", "balanced"]

CROSS: Final = "*"
#: What each rule is called where keys are matched.
RULES: Final[dict[MissingRule, Rule]] = {"error": "reject", "wrong": "missing wrong", "leave out": "leave out"}


@dataclass(frozen=True)
class EvaluationOptions:
    """How predictions are scored. All of it that can change a number stands in the scores' signatures.

    Attributes:
        target: which target of the table is scored; None takes its first.
        by: group attributes; ``sex*age`` crosses two.
        metrics: names of metrics; None takes those of the task, for which ``default`` stands; ``all`` stands for every
            metric of the kind. A name serves every level it is registered for.
        clusters: what is resampled as a whole. Where a table has no subjects, media are taken, then items.
        resamples: of the bootstrap and of the null model; 0 gives neither intervals nor noise floors.
        seed: of both.
        level: nominal coverage of the intervals, a fraction.
        convention: ``paper``, ``tables`` or ``upstream``.
        beside: further conventions in which disparities are given, where they differ; views show the first alone.
        missing: an item without a prediction is an ``error``, a ``wrong`` answer, or ``leave out``.
        mapping: label to label of the truth's scheme, such as ``calm=neutral``; an empty right side leaves the label's
            items out. It holds for labels of the truth and of the model alike.
        labels_rule: ``declared`` scores the classes, units or dimensions that the truth declares; ``intersection`` those
            that truth and model have in common, see ``common_labels``.
        part: which partition the items are, as it stands in signatures.
        limit: largest disparity that is accepted, where the metric's scaling admits one (paper 1 calls 0.1 fair).
        minimum_support: items below which a crossed group is shown as undefined and enters no disparity.
        thresholds: score from which a unit counts as present: one number, or one a unit, or what
            ``choose_thresholds`` found on validation data. None takes 0.5 for probabilities and 0 for logits.
        steps: what is done to the predictions before they are scored, in order, such as ``smooth:mean,11|lag:5``; the
            scores of the predictions as the model gave them stand in ``Evaluation.before``.
        shifts: whether every metric of each group is also told minus that of all groups together, with what is
            predicted (paper 2): against ``all`` items, or a set that is ``balanced`` by class or value; empty for not.
        interval: how intervals are made: ``percentile-t``, or ``bca``, bias-corrected and accelerated.
    """

    target: str | None = None
    by: tuple[str, ...] = ()
    metrics: tuple[str, ...] | None = None
    clusters: ClusterUnit = "subject"
    resamples: int = 1000
    seed: int = 0
    level: float = 0.95
    convention: Convention = "paper"
    beside: tuple[Convention, ...] = ("tables",)
    missing: MissingRule = "error"
    mapping: str | StatedMapping = field(default="")
    labels_rule: LabelsRule = "declared"
    part: str = ""
    limit: float = 0.1
    minimum_support: int = 10
    thresholds: Thresholds | Mapping[str, float] | float | None = None
    steps: str | tuple[Step, ...] = ()
    shifts: CombinedSet | Literal[""] = ""
    interval: Method = "percentile-t"

    def __post_init__(self) -> None:
        """Names are of their lists, counts are not negative."""
        _require("rule for missing predictions", self.missing, get_args(MissingRule))
        _require("rule for labels", self.labels_rule, get_args(LabelsRule))
        _require("cluster unit", self.clusters, get_args(ClusterUnit))
        _require("combined set of shifts", self.shifts, ("", *get_args(CombinedSet)))
        _require("kind of interval", self.interval, get_args(Method))
        for convention in (self.convention, *self.beside):
            _require("convention", convention, get_args(Convention))
        if any(isinstance(names, str) for names in (self.by, self.metrics)):
            raise InputError(
                "by or metrics is a single text", expected="a tuple of names", cause="a comma left out: ('sex',)"
            )
        whole = (self.resamples, self.minimum_support, self.seed)
        if not all(isinstance(number, Integral) for number in whole):
            raise InputError(
                f"resamples, minimum support or seed of {', '.join(map(str, whole))}", expected="whole numbers"
            )
        if self.resamples < 0 or self.minimum_support < 0 or not 0.0 < self.level < 1.0:
            raise InputError(
                f"resamples {self.resamples}, minimum support {self.minimum_support}, level {self.level}",
                expected="counts of 0 or more and a level between 0 and 1",
            )
        if not self.limit >= 0.0:
            raise InputError(f"a limit of {self.limit}", expected="the largest disparity that is accepted, 0 or more")
        # Sequences of any kind are welcome; stored as tuples so that options stay hashable and unchanged.
        object.__setattr__(self, "by", tuple(self.by))
        unnamed = [name for name in self.by if not all(piece.strip() for piece in name.split(CROSS))]
        if unnamed:
            raise InputError(
                f"the attribute {unnamed[0]!r} names no column beside {CROSS!r}", expected="such as age*sex"
            )
        object.__setattr__(self, "metrics", None if self.metrics is None else tuple(self.metrics))
        steps = parse_steps(self.steps) if isinstance(self.steps, str) else tuple(self.steps)
        object.__setattr__(self, "steps", steps)
        if isinstance(self.thresholds, Mapping):
            object.__setattr__(self, "thresholds", Thresholds(self.thresholds))

    @property
    def parsed_steps(self) -> tuple[Step, ...]:
        """The steps, parsed."""
        return parse_steps(self.steps) if isinstance(self.steps, str) else self.steps

    @property
    def stated(self) -> StatedMapping:
        """The mapping, parsed."""
        return self.mapping if isinstance(self.mapping, StatedMapping) else StatedMapping.parse(self.mapping)


def _require(kind: str, name: str, known: Iterable[str]) -> None:
    if name not in known:
        raise UnknownNameError.of(kind, name, known)
