"""The format of a behaviour test: one TOML file, checked key by key.

| key | meaning |
|---|---|
| ``name``, ``version``, ``title``, ``question`` | what the test is called, and what it asks in one plain sentence |
| ``family`` | ``correctness``, ``fairness`` or ``robustness`` |
| ``kind`` | what is done: see ``Kind`` |
| ``source`` | paper and table that the test and its limits come from |
| ``[data]`` | media, labels, columns and sizes that a data set needs; the sets of the paper; sampling and filters |
| ``[groups]`` | groups by column, by bins of a number, or by a second column within the first |
| ``[balance]`` | what is balanced between groups before they are compared |
| ``[reference]`` | what a value is compared with: the truth, all groups together, the mean over groups, the media as they are, another perturbed version, or a paired recording |
| ``[perturbation]`` | registered augmentation and its parameters |
| ``[speakers]`` | which speakers count, and how their quantiles are cut |
| ``[simulation]`` | the sizes that the published limits were simulated for |
| ``[[task]]`` | ``categories``, ``units`` or ``dimensions``: classes or dimensions of the paper, bins, histogram, expected ranges |
| ``[[task.comparison]]`` | metric, what it is taken per, rule, limit, where the limit comes from |
| ``[published]``, ``[corrected]`` | where the two modes differ: rounding, label sets, minimum supports, thresholds |
| ``notes`` | sentences for the reader |

``published`` does what the published results did, faults included. ``corrected``, the default, judges unrounded
values and takes no difference for a finding that chance explains.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, get_args

from pydantic import Field, field_validator, model_validator

from affectcheck.behaviour.comparable import faults
from affectcheck.behaviour.requirements import (
    Balance,
    Count,
    Data,
    Groups,
    PerturbationSpec,
    Reference,
    Simulation,
    Speakers,
)
from affectcheck.errors import UnknownNameError
from affectcheck.strict import Strict

if TYPE_CHECKING:
    from collections.abc import Mapping

Mode = Literal["corrected", "published"]
Family = Literal["correctness", "fairness", "robustness"]
Kind = Literal[
    "classification",
    "regression",
    "consistency",
    "distribution",
    "speaker average",
    "speaker ranking",
    "temporal behaviour",
    "group difference",
    "group prediction",
    "group shift",
    "group perturbation",
    "perturbation",
    "recording",
]
#: What can be compared, beside every registered metric: the name and what it is.
COMPARED: Final[Mapping[str, str]] = {
    "ccc": "concordance correlation",
    "pcc": "Pearson correlation",
    "mae": "mean absolute error",
    "mde": "mean directional error, prediction minus truth",
    "uar": "unweighted average recall",
    "uap": "unweighted average precision",
    "recall": "recall",
    "precision": "precision",
    "accuracy": "accuracy",
    "f1_macro": "macro F1",
    "jsd": "Jensen-Shannon distance of the histograms",
    "share": "share of the predictions",
    "mean": "mean prediction",
    "eop": "equality of opportunity, the distance between groups in what each class is taken for",
    "sp": "statistical parity, the distance between groups in what is predicted",
    "local_f1": "mean macro F1 of the groups minus that of all items",
    "unit_f1": "mean F1 of the units",
    "unit_recall": "recall of a unit: how often it is found where it is present",
    "unit_precision": "precision of a unit: how often it is present where it is found",
    "eod": "equal opportunity difference, the largest minus the smallest recall of a unit over groups",
    "dpd": "demographic parity difference, the largest minus the smallest share predicted of a unit over groups",
    "local_ccc": "mean concordance correlation of the groups minus that of all items",
    "unit_uar": "mean over units of the recall of presence and of absence",
    "unit_local_f1": "mean F1 of the units in the groups minus that in all items",
    "in_range": "share of predictions within the expected range",
    "unchanged": "share of predictions that stay as they were",
    "spearman": "rank correlation of the subjects",
    "precision_top": "precision of the top quantile of the subjects",
    "precision_bottom": "precision of the bottom quantile of the subjects",
    "top_bottom_confusions": "subjects that fall into the opposite quantile",
    "reactivity": "how far predictions change where the truth changes most",
    "stability": "how far predictions stay where the truth changes least",
}


class Range(Strict):
    """Where the predictions of some categories are expected, both ends included.

    In a mode's own ranges, one without categories moves the ends of every range of that name.
    """

    name: str
    dimension: str = ""
    categories: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None


class Comparison(Strict):
    """One metric and the limit that it is judged by.

    ``limits`` states limits of single classes or dimensions; ``absolute`` marks a value whose sign the published
    results ignored.
    """

    metric: str
    per: Literal["set", "class", "bin", "range", "unit", "attribute"] = "set"
    rule: Literal["gt", "lt", "abs_lt", "abs_gt"]
    limit: float
    limits: dict[str, float] = Field(default_factory=dict)
    threshold: Literal["stated", "simulated"] = "stated"
    absolute: bool = False
    tolerance: float | None = None
    source: str = ""

    @field_validator("metric")
    @classmethod
    def _known(cls, metric: str) -> str:
        if metric not in COMPARED:
            raise UnknownNameError.of("compared metric", metric, COMPARED)
        return metric

    @property
    def whose(self) -> str:
        """What the limit is called: one that was not published says so where it comes from."""
        return "stated" if "own limit" in self.source else "published"

    def rule_in(self, rules: Rules) -> Literal["gt", "lt", "abs_lt", "abs_gt"]:
        """The rule of one mode."""
        if self.absolute and rules.sign_blind:
            return "abs_gt" if self.rule.endswith("gt") else "abs_lt"
        return self.rule


class Task(Strict):
    """What is predicted, and what is compared."""

    kind: Literal["categories", "units", "dimensions"]
    classes: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    dimensions: tuple[str, ...] = ()
    bin_edges: tuple[float, ...] = ()
    histogram_edges: tuple[float, ...] = ()
    ranges: tuple[Range, ...] = ()
    sets: tuple[str, ...] = ()
    comparison: tuple[Comparison, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _supplied(self) -> Task:
        per = {one.per for one in self.comparison}
        if "class" in per and self.kind != "categories":
            raise ValueError("only categories have a comparison per class")
        if "unit" in per and self.kind != "units":
            raise ValueError("only units have a comparison per unit")
        if "bin" in per and not self.bin_edges:
            raise ValueError("a comparison per bin needs bin_edges")
        if "range" in per and not self.ranges:
            raise ValueError("a comparison per range needs ranges")
        return self


class Rules(Strict):
    """What one mode does."""

    prediction_decimals: Count | None = None
    prediction_float32: bool = False
    score_decimals: Count | None = None
    score_decimals_of: dict[str, Count] = Field(default_factory=dict)
    classes: Literal["declared", "paper"] = "declared"
    labels: Literal["tested", "observed"] = "tested"
    thresholds: Literal["stated", "by comparison"] = "by comparison"
    intervals: bool = True
    quantile: Annotated[float, Field(gt=0.5, lt=1)] = 0.99
    repetitions: Annotated[int, Field(ge=100)] = 1000
    items_per_group: Count | None = None
    minimum_per_group: Count = 1
    minimum_per_class: Count = 1
    minimum_per_bin: Count | Literal["expected"] = 1
    minimum_subjects_per_group: Count = 0
    shared_error: bool = False
    minimum_speakers: Count | None = None
    sign_blind: bool = False
    ties: Literal["shared", "row order"] = "shared"
    not_judged: str = ""
    histogram_edges: tuple[float, ...] = ()
    ranges: tuple[Range, ...] = ()
    parameters: dict[str, Any] = Field(default_factory=dict)


#: What all published tests share; a file states only where its own differs.
PUBLISHED: Final[Mapping[str, object]] = {
    "prediction_decimals": 2,
    "prediction_float32": True,
    "score_decimals": 2,
    "classes": "paper",
    "labels": "observed",
    "thresholds": "stated",
    "intervals": False,
    "sign_blind": True,
    "ties": "row order",
}


class Definition(Strict):
    """A behaviour test."""

    name: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
    version: Annotated[int, Field(ge=1)] = 1
    family: Family
    kind: Kind
    title: str
    question: str
    source: str
    data: Data = Data()
    groups: Groups | None = None
    balance: Balance | None = None
    reference: Reference
    perturbation: PerturbationSpec | None = None
    speakers: Speakers | None = None
    simulation: Simulation | None = None
    task: tuple[Task, ...] = Field(min_length=1)
    published: Rules = Rules()
    corrected: Rules = Rules()
    notes: tuple[str, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _published_defaults(cls, values: Any) -> Any:
        if isinstance(values, dict) and isinstance(values.get("published", {}), dict):
            return values | {"published": {**PUBLISHED, **values.get("published", {})}}
        return values

    @model_validator(mode="after")
    def _consistent(self) -> Definition:
        if self.kind.startswith("group") and self.groups is None:
            raise ValueError(f"kind {self.kind!r} needs [groups]")
        if self.kind.endswith("perturbation") and self.perturbation is None:
            raise ValueError(f"kind {self.kind!r} needs [perturbation]")
        if self.kind.startswith("speaker") and self.speakers is None:
            raise ValueError(f"kind {self.kind!r} needs [speakers]")
        if self.kind == "group shift" and not (self.groups and self.groups.within):
            raise ValueError("kind 'group shift' needs groups.within, the column whose values shift")
        wrong = tuple(faults(self))
        if wrong:
            raise ValueError("; ".join(wrong))
        return self

    def rules(self, mode: Mode) -> Rules:
        """What a mode does.

        Raises:
            UnknownNameError: there is no such mode.
        """
        if mode not in get_args(Mode):
            raise UnknownNameError.of("mode", mode, get_args(Mode))
        return self.published if mode == "published" else self.corrected

    def task_of(self, kind: str) -> Task | None:
        """The task for a kind of prediction, if the test has one."""
        return next((task for task in self.task if task.kind == kind), None)
