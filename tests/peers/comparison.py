"""What a metric is compared with, and what came of it."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from affectcheck.metrics import METRICS
from peers.kernels import cases_of, ours, written_out

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from peers.draws import Case

#: What stands for the value of a function that refuses its input.
REFUSED = np.inf
NEAR_IN_FLOAT32 = 1e-6
MODULES = {
    "scikit-learn": "sklearn.metrics",
    "fairlearn": "fairlearn.metrics",
    "audmetric": "audmetric",
    "SciPy": "scipy",
}


def always(_case: Case) -> bool:
    return True


def answered(case: Case) -> bool:
    return case.answered


def several(case: Case) -> bool:
    """More than one item: fairlearn takes a single one for no array."""
    return case.items > 1


def nothing_unknown(case: Case) -> bool:
    return bool((case.truth >= 0).all())


@dataclass(frozen=True, eq=False)
class Comparison:
    """A metric and a function of another library.

    Attributes:
        metric: a registered name.
        peer: the library and its function, as on the page of peers.
        call: a case to what the function gives.
        theirs: a case to what its definition gives, written out, where it is not ours.
        convention, undefined: what is asked of ours.
        among: the cases that the function is for.
        cases: seed to other cases than those of the metric's kind.
        tolerance: of a function that computes in float32.
    """

    metric: str
    peer: str
    call: Callable[[Case], Any]
    theirs: Callable[[Case], Any] | None = None
    convention: str = "paper"
    undefined: str = ""
    among: Callable[[Case], bool] = always
    cases: Callable[[int], Sequence[Case]] | None = None
    tolerance: float = 0.0

    @property
    def ours(self) -> str:
        """Our side, as on the page of peers."""
        rule = f", rule `{self.undefined}`" if self.undefined else ""
        return f"`{self.metric}`{'' if self.convention == 'paper' else f', `{self.convention}`'}{rule}"

    @property
    def name(self) -> str:
        return f"{self.ours} against {self.peer}"

    @property
    def needs(self) -> tuple[str, ...]:
        """The modules that have to be there."""
        return tuple(module for library, module in MODULES.items() if library in self.peer)

    def drawn(self, seed: int) -> list[Case]:
        cases = self.cases(seed) if self.cases is not None else cases_of(self.metric, seed)
        return [case for case in cases if self.among(case)]

    def value(self, case: Case) -> np.ndarray:
        return ours(self.metric, case, convention=self.convention, undefined=self.undefined)

    def definition(self, case: Case) -> np.ndarray:
        return written_out(self.metric, case, convention=self.convention, undefined=self.undefined)

    def expected(self, case: Case) -> np.ndarray:
        """What the other definition gives."""
        return self.definition(case) if self.theirs is None else np.asarray(self.theirs(case), float)

    def observed(self, case: Case) -> np.ndarray:
        """What the other function gives; it may warn, and refuse."""
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                return np.asarray(self.call(case), float)
            except (ValueError, ZeroDivisionError):
                return np.asarray(REFUSED)

    def near(self, case: Case) -> float:
        """How far apart two values may be that are the same; others stay in float32 where the data are."""
        in_float32 = case.truth.dtype == np.float32
        return max(self.tolerance, case.tolerance, NEAR_IN_FLOAT32 if in_float32 else 0.0)


def function(name: str) -> Callable[..., Any]:
    """A function by its full name, loaded when it is called."""
    module, _, attribute = name.rpartition(".")

    def call(*given: Any, **options: Any) -> Any:
        return getattr(import_module(module), attribute)(*given, **options)

    return call


def required(comparison: Comparison) -> None:
    """Skip where a library is not installed."""
    for module in comparison.needs:
        pytest.importorskip(module)


def with_zeros(name: str, value: float = 0.0, **options: Any) -> Callable[[Case], Any]:
    """Our definition, another value standing where it is undefined."""
    return lambda case: np.nan_to_num(written_out(name, case, **options), nan=value)


def frame(case: Case, of_group: Callable[[Case], Any] | Mapping[str, Callable[[Case], Any]]) -> Any:
    """fairlearn's table of metrics by group; rows are told by their numbers, so that items may have any shape."""
    rows = np.arange(case.items)

    def by_rows(metric: Callable[[Case], Any]) -> Callable[[Any, Any], float]:
        return lambda numbers, _prediction: float(metric(case.take(np.asarray(numbers))))

    metrics = {n: by_rows(m) for n, m in of_group.items()} if isinstance(of_group, dict) else by_rows(of_group)
    return function("fairlearn.metrics.MetricFrame")(
        metrics=metrics, y_true=rows, y_pred=rows, sensitive_features=case.group
    )


@cache
def framed(kind: str, case: Case) -> Any:
    """The table of all metrics of a kind that have a gap."""
    bases = sorted({metric.base for _, metric in METRICS.items() if metric.kind == kind and metric.base})
    return frame(case, {name: partial(written_out, name) for name in bases})


@dataclass(frozen=True)
class Outcome:
    """Both sides of one comparison on one case, and what their definitions give."""

    case: str
    ours: np.ndarray
    definition: np.ndarray
    theirs: np.ndarray
    expected: np.ndarray
    near: float


@cache
def outcomes(comparison: Comparison, seed: int) -> tuple[Outcome, ...]:
    """Both sides on all cases."""
    return tuple(
        Outcome(
            case.name,
            comparison.value(case),
            comparison.definition(case),
            comparison.observed(case),
            comparison.expected(case),
            comparison.near(case),
        )
        for case in comparison.drawn(seed)
    )


RELATIONS = ("same", "same where ours is defined", "differs")


def relation(found: Iterable[Outcome]) -> str:
    """How two functions are related by their values."""
    worst = 0
    for outcome in found:
        first, second = np.broadcast_arrays(outcome.ours, outcome.theirs)
        alike = np.isclose(first, second, rtol=outcome.near, atol=outcome.near, equal_nan=True)
        worst = max(worst, 0 if alike.all() else 1 if alike[~np.isnan(first)].all() else 2)
    return RELATIONS[worst]


def gaps() -> list[Comparison]:
    """Every gap and every worst group against fairlearn's table by group."""
    found = []
    for name, metric in METRICS.items():
        if metric.base:
            found.append(_gap(name) if name.endswith("_gap") else _worst(name))
    return found


def _gap(name: str) -> Comparison:
    base, kind = METRICS.get(name).base, METRICS.get(name).kind

    def theirs(case: Case) -> Any:
        values = np.array([written_out(base, group) for group in case.by_group if group.items])
        return 0.0 if (~np.isnan(values)).sum() == 1 else written_out(name, case)

    return Comparison(
        name,
        "fairlearn `MetricFrame.difference`",
        lambda case: framed(kind, case).difference()[base],
        theirs,
        among=several,
    )


def _worst(name: str) -> Comparison:
    metric = METRICS.get(name)
    side = {True: "group_min", False: "group_max", None: "group_max"}[metric.higher_is_better]

    def call(case: Case) -> Any:
        return getattr(framed(metric.kind, case), side)()[metric.base]

    def largest(case: Case) -> Any:
        values = [written_out(metric.base, group) for group in case.by_group if group.items]
        return max((v for v in values if not np.isnan(v)), default=np.nan)

    theirs = largest if metric.higher_is_better is None else None
    return Comparison(name, "fairlearn `MetricFrame.group_min`, of errors `group_max`", call, theirs, among=several)
