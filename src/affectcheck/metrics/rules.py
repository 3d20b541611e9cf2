"""Conventions, and what a mean does with a part that is undefined."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, get_args

import numpy as np

from affectcheck.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

#: ``paper``: the formulae as printed; ``tables``: what the published tables must have used; ``upstream``: the
#: public code of their authors.
Convention = Literal["paper", "tables", "upstream"]
CONVENTIONS: Final[tuple[Convention, ...]] = get_args(Convention)

#: What each rule does, in words for reports.
RULES: Final[Mapping[str, str]] = {
    "zero": "an undefined part counts as 0",
    "skip": "an undefined part is left out, and the mean divides by the number of the others",
    "propagate": "an undefined part makes the whole undefined",
    "seen": "only labels that occur in truth or prediction are averaged, 0/0 counting as 0",
    "common-rows": "a pair of groups is compared on the true classes that both have",
    "uniform": "a true class that a group lacks is taken as a uniform row",
}


@dataclass(frozen=True)
class Rules:
    """The rules for undefined parts that a metric knows.

    Attributes:
        default: the default rule in each convention the metric has; a convention that is absent is not supported.
        allowed: every rule that may be asked for.
        distinct: whether the conventions give other values, so that a signature must name the one used.
    """

    default: Mapping[Convention, str]
    allowed: tuple[str, ...] = ()
    distinct: bool = True

    def resolve(self, convention: str, undefined: str = "") -> str:
        """The rule to use; an empty ``undefined`` asks for the convention's default.

        Raises:
            UnknownNameError: no such convention or rule.
            InputError: the metric has no definition in this convention.
        """
        if convention not in CONVENTIONS:
            raise UnknownNameError.of("convention", convention, CONVENTIONS)
        found = {str(name): rule for name, rule in self.default.items()}.get(convention)
        if found is None:
            raise InputError(
                f"the metric has no definition in the convention {convention!r}",
                expected=f"one of {', '.join(self.default)}",
                cause="the authors' public code does not contain it",
            )
        if undefined and undefined not in self.allowed:
            raise UnknownNameError.of("rule for undefined parts", undefined, self.allowed)
        return undefined or found

    def supports(self, convention: str) -> bool:
        """Whether the metric is defined in a convention."""
        return convention in self.default


def _everywhere(rule: str) -> dict[Convention, str]:
    return dict.fromkeys(CONVENTIONS, rule)


#: A metric without parts, or one whose parts stand for themselves.
NO_PARTS: Final = Rules(_everywhere(""), distinct=False)
#: A mean over the declared classes.
OVER_CLASSES: Final = Rules(
    {"paper": "zero", "tables": "seen", "upstream": "seen"}, ("zero", "skip", "propagate", "seen")
)
#: A mean over dimensions.
OVER_DIMENSIONS: Final = Rules(_everywhere("propagate"), ("propagate", "skip", "zero"), distinct=False)
#: A mean over the declared action units: a 0/0 counts as 0 in the public code as in the formula.
OVER_UNITS: Final = Rules(_everywhere("zero"), ("zero", "skip", "propagate"), distinct=False)


def ratio(numerator: NDArray[np.generic], denominator: NDArray[np.generic]) -> NDArray[np.float64]:
    """Quotient, NaN where the denominator is 0."""
    top, bottom = np.broadcast_arrays(np.asarray(numerator, np.float64), np.asarray(denominator, np.float64))
    quotient = np.full(top.shape, np.nan)
    np.divide(top, bottom, out=quotient, where=bottom != 0.0)
    return quotient


def mean_of(values: NDArray[np.float64], rule: str, axis: int = -1) -> NDArray[np.float64]:
    """Mean over one axis of parts, of which NaN ones are undefined.

    Args:
        values: parts, NaN where undefined.
        rule: ``zero``, ``skip`` or ``propagate``.
        axis: the axis of the parts.

    Returns:
        The mean; NaN where every part is undefined and left out, or one is and propagates.
    """
    known = ~np.isnan(values)
    total = np.where(known, values, 0.0).sum(axis=axis)
    number = known.sum(axis=axis)
    parts = values.shape[axis]
    if rule == "skip":
        return ratio(total, number)
    mean = ratio(total, np.asarray(parts))
    return mean if rule == "zero" else np.where(number == parts, mean, np.nan)


def mean_of_present(
    values: NDArray[np.float64], present: NDArray[np.bool_], rule: str, axis: int = -1
) -> NDArray[np.float64]:
    """Mean over one axis of groups or pairs, of those that are present.

    Args:
        values: NaN where undefined.
        present: whether there is anything to value; what is not present is left out whatever the rule.
        rule: ``propagate`` makes the mean undefined where a present value is; any other leaves it out.
        axis: the axis of the groups or pairs.

    Returns:
        The mean; NaN where nothing is left.
    """
    mean = mean_of(np.where(present, values, np.nan), "skip", axis)
    if rule == "propagate":
        return np.where((present & np.isnan(values)).any(axis=axis), np.nan, mean)
    return mean
