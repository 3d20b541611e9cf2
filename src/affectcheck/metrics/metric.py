"""What is known of a metric beside its formula: direction, range, tally, conventions, and why it can be undefined."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from affectcheck.metrics.rules import NO_PARTS, Rules

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from affectcheck.tallies import Tally

#: The kind of prediction that is scored; ``raters``: ratings of one item by several people, without a prediction.
Kind = Literal["categories", "units", "dimensions", "raters"]
Level = Literal["overall", "part", "disparity"]
#: ``compute(tally, *, convention="paper", undefined="")`` over the tally's leading axes, NaN where undefined.
Compute = Callable[..., "NDArray[np.float64]"]


@dataclass(frozen=True)
class Names:
    """Names of classes or dimensions, and of groups, for sentences; a number stands where a name is not given."""

    parts: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()

    def part(self, index: int) -> str:
        """Name of a class or dimension."""
        return self.parts[index] if index < len(self.parts) else str(index)

    def group(self, index: int) -> str:
        """Name of a group."""
        return self.groups[index] if index < len(self.groups) else str(index)


@dataclass(frozen=True)
class Diagnosis:
    """Which parts of a metric are undefined, and in which words.

    Attributes:
        count: tally to the number of undefined parts, over the leading axes.
        sentences: one tally (no further leading axes) and names to one sentence for each undefined part.
        of_part: one tally and names to the reason of each part, empty where it is defined; None without parts.
    """

    count: Callable[[Any], NDArray[Any]]
    sentences: Callable[[Any, Names], tuple[str, ...]]
    of_part: Callable[[Any, Names], tuple[str, ...]] | None = None

    @classmethod
    def by_part(
        cls, reasons: Callable[[Any, Names], tuple[str, ...]], mask: Callable[[Any], NDArray[Any]]
    ) -> Diagnosis:
        """From the reason of each part, and a mask (..., parts) that is true where one is undefined."""
        return cls(
            count=lambda tally: mask(tally).sum(axis=-1),
            sentences=lambda tally, names: tuple(reason for reason in reasons(tally, names) if reason),
            of_part=reasons,
        )


def _no_parts() -> Diagnosis:
    return Diagnosis(count=lambda tally: np.zeros(tally.shape, np.int64), sentences=lambda _tally, _names: ())


@dataclass(frozen=True)
class Metric:
    """A registered metric.

    Attributes:
        name: what it is asked for by.
        title: for reports.
        kind: kind of prediction.
        level: ``overall``, ``part`` (one value a class) or ``disparity`` (one value over groups).
        tally: the class of tally it is computed from.
        compute: ``compute(tally, *, convention="paper", undefined="")``. Over the leading axes; at level ``part``
            with a trailing axis of parts; at level ``disparity`` the last leading axis is the groups and is reduced.
        low, high: the range; infinite where the declared range of a dimension decides.
        higher_is_better: None where neither is (a signed error).
        source: paper and equation.
        undefined: when there is no value, in words.
        parts: like ``compute`` with a trailing axis of classes or dimensions; None where the metric has no parts.
        rules: conventions and rules for undefined parts.
        options: further tokens for the signature, such as ``ddof=0``.
        diagnosis: which parts are undefined and why.
        base: of a gap, the metric whose values over groups are compared.
        limit_in: of a disparity, the conventions in whose scaling the limit of 0.1 (paper 1) can be judged.
        number_of_parts: of a challenge's score, the number of classes, units or dimensions that it is defined for, any
            other being an error; 0 where any number will do.
        scheme: of a challenge's score, the scheme of its classes, units or dimensions; empty where any will do.
        naming: tally and names of classes, units or dimensions to the names of the metric's own parts, where those are
            finer (the bins of a dimension); None where they are the same.
    """

    name: str
    title: str
    kind: Kind
    level: Level
    tally: type[Tally]
    compute: Compute
    low: float
    high: float
    higher_is_better: bool | None
    source: str
    undefined: str
    parts: Compute | None = None
    rules: Rules = NO_PARTS
    options: tuple[str, ...] = ()
    diagnosis: Diagnosis = field(default_factory=_no_parts)
    base: str = ""
    limit_in: tuple[str, ...] = ()
    number_of_parts: int = 0
    scheme: str = ""
    naming: Callable[[Any, tuple[str, ...]], tuple[str, ...]] | None = None

    @property
    def conventions(self) -> tuple[str, ...]:
        """The conventions in which the metric has a definition."""
        return tuple(self.rules.default)

    def supports(self, convention: str) -> bool:
        """Whether the metric is defined in a convention; elsewhere ``compute`` raises."""
        return self.rules.supports(convention)

    def signature(self, convention: str = "paper", undefined: str = "") -> dict[str, str]:
        """Fields that the metric adds to a signature: convention, undefined and options.

        Raises:
            InputError: the convention or rule is unknown to the metric.
        """
        rule = self.rules.resolve(convention, undefined)
        return {
            "convention": convention if self.rules.distinct else "",
            "undefined": rule,
            "options": ",".join(self.options),
        }

    def counted(self, tally: Tally) -> Metric:
        """The same metric, whose options are those by which a tally was counted, where it states any.

        Example:
            >>> from affectcheck.metrics import METRICS
            >>> from affectcheck.tallies import Signs
            >>> METRICS.get("sign_agreement").counted(Signs.zero(dimensions=1, neutral=0.5)).options
            ('neutral=0.5',)
        """
        named = {option.partition("=")[0]: option for option in (*self.options, *tally.options)}
        return replace(self, options=tuple(named.values()))

    def part_names(self, tally: Tally, parts: tuple[str, ...]) -> tuple[str, ...]:
        """Names of the metric's parts, from those of the classes, units or dimensions."""
        return self.naming(tally, parts) if self.naming is not None else parts

    def undefined_parts(self, tally: Tally) -> NDArray[Any]:
        """How many classes, dimensions, groups or rows are undefined, over the leading axes."""
        return np.asarray(self.diagnosis.count(tally))

    def notes(self, tally: Tally, parts: tuple[str, ...] = (), groups: tuple[str, ...] = ()) -> tuple[str, ...]:
        """One sentence for each undefined part of one tally, naming it.

        Args:
            tally: without leading axes (at level ``disparity`` with the group axis alone).
            parts: names of the classes or dimensions.
            groups: names of the groups.

        Returns:
            Sentences; empty where every part is defined.
        """
        return self.diagnosis.sentences(tally, Names(tuple(parts), tuple(groups)))

    def part_reasons(self, tally: Tally, parts: tuple[str, ...] = (), groups: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Why each class or dimension of one tally is undefined; empty where it is defined."""
        of_part = self.diagnosis.of_part
        return () if of_part is None else of_part(tally, Names(tuple(parts), tuple(groups)))

    def reason(self, tally: Tally, parts: tuple[str, ...] = (), groups: tuple[str, ...] = ()) -> str:
        """Why the value of one tally is undefined, for a value that is.

        Returns:
            ``no items``, or the sentences of the undefined parts, or the metric's own rule in words.
        """
        if float(np.asarray(tally.support, np.float64).sum()) == 0.0:
            return "no items"
        return "; ".join(self.notes(tally, parts, groups)) or self.undefined
