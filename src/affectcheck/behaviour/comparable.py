"""What a kind of test can compare: each metric with what it is taken per, for classes, dimensions and units."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from affectcheck.behaviour.definition import Definition, Task

#: Metrics by what they are taken per.
_Table = dict[str, frozenset[str]]


def _table(**metrics: str) -> _Table:
    return {per: frozenset(names.split()) for per, names in metrics.items()}


_SCORES: Final = "accuracy f1_macro uap uar"
_ERRORS: Final = "ccc mae mde pcc"
_DISPARITIES: Final = "eop local_f1 sp"
_RANKED: Final = "precision_bottom precision_top spearman top_bottom_confusions"
_CHANGES: Final = "jsd mae mde reactivity stability"
_RECOGNISED: Final = (_table(set=_SCORES, **{"class": "precision recall"}), _table(set=_ERRORS))
_COMPARED: Final = _table(set=_SCORES, attribute=_DISPARITIES, **{"class": "precision recall"})
_PREDICTED: Final = (_table(**{"class": "share"}, attribute="sp"), _table(set="mean", bin="share"))
_CHANGED: Final = (_table(set=f"{_SCORES} unchanged"), _table(set=f"{_ERRORS} mean unchanged"))

#: What is compared of units, by the kinds of test that there are of them.
_OF_UNITS: Final[dict[str, _Table]] = {
    "classification": _table(set="unit_f1", unit="unit_precision unit_recall"),
    "consistency": _table(range="in_range"),
    "distribution": _table(unit="share"),
    "speaker average": _table(unit="mae mde"),
    "speaker ranking": _table(unit=_RANKED),
    "temporal behaviour": _table(unit=_CHANGES),
    "group prediction": _table(unit="share", attribute="dpd"),
    "group difference": _table(unit="unit_recall", attribute="dpd eod unit_local_f1"),
    "group perturbation": _table(set="unchanged unit_uar"),
    "perturbation": _table(set="unchanged unit_f1"),
}
#: Of each kind of test, what is compared of categories, and what of dimensions.
_BY_KIND: Final[dict[str, tuple[_Table, _Table]]] = {
    "classification": _RECOGNISED,
    "regression": _RECOGNISED,
    "consistency": ({}, _table(range="in_range")),
    "distribution": (_table(**{"class": "share"}), _table(set="jsd mean")),
    "speaker average": (_table(**{"class": "mae mde"}), _table(set="mae mde")),
    "speaker ranking": (_table(**{"class": _RANKED}), _table(set=_RANKED)),
    "temporal behaviour": (_table(set=_CHANGES), _table(set=_CHANGES)),
    "group difference": (_COMPARED, _table(set=_ERRORS, bin="precision recall", attribute="local_ccc")),
    "group prediction": _PREDICTED,
    "group shift": (_table(**{"class": "share"}), _PREDICTED[1]),
    "group perturbation": (_table(set="uar unchanged"), _table(set="mae mean unchanged")),
    "perturbation": _CHANGED,
    "recording": _CHANGED,
}


def faults(definition: Definition) -> Iterator[str]:
    """What a test cannot compare, one sentence each.

    Args:
        definition: the test.
    """
    family = _family(definition.kind)
    if definition.family != family:
        yield f"a test of kind {definition.kind!r} is of the family {family!r}, not {definition.family!r}"
    for task in definition.task:
        of_units = _OF_UNITS.get(definition.kind, {})
        known = of_units if task.kind == "units" else _BY_KIND[definition.kind][task.kind == "dimensions"]
        for comparison in task.comparison:
            if comparison.metric not in known.get(comparison.per, ()):
                yield (
                    f"a test of kind {definition.kind!r} does not compare {_named(comparison.metric, comparison.per)} "
                    f"of {task.kind}, but {_listed(known)}"
                )
            if (
                definition.kind == "group difference"
                and not definition.balance
                and _moved(task.kind, comparison.metric)
            ):
                yield f"{comparison.metric!r} hangs on how frequent the truth is: it needs [balance]"
            if comparison.threshold == "simulated" and family != "fairness":
                yield f"the threshold of {comparison.metric!r} can only be stated: only differences of groups are simulated"
            if comparison.limits and comparison.per in ("set", "attribute") and task.kind != "dimensions":
                yield f"{_named(comparison.metric, comparison.per)} has no limits of single {task.kind}: it is one value"


def is_simulated(definition: Definition, task: Task) -> bool:
    """Whether limits of a test can be simulated for sizes alone: of perturbations, they hang on what is changed."""
    return definition.family == "fairness" and definition.kind != "group perturbation" and task.kind != "units"


def _moved(kind: str, metric: str) -> bool:
    """Whether groups differ in a metric where only the frequency of their truth differs."""
    return kind == "dimensions" or (kind == "categories" and metric not in ("recall", "uar", "eop"))


def _family(kind: str) -> str:
    if kind.startswith("group"):
        return "fairness"
    return "robustness" if kind in ("perturbation", "recording") else "correctness"


def _named(metric: str, per: str) -> str:
    return metric if per == "set" else f"{metric} per {per}"


def _listed(known: _Table) -> str:
    return ", ".join(_named(one, per) for per, names in known.items() for one in sorted(names)) or "nothing"
