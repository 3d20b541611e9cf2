"""Compare models on the same items: differences with intervals, permutation tests corrected by Holm, ranks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from affectcheck.annotations.listing import plural
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.evaluation.contest import Contest
from affectcheck.evaluation.entrants import Entrant, Key, named_apart, same_items, shared_scores
from affectcheck.evaluation.match import Match
from affectcheck.evaluation.result import Evaluation
from affectcheck.metrics import METRICS
from affectcheck.uncertainty import Exchanging, Resampling

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.records import Comparison, Rank, Scored
    from affectcheck.uncertainty import Method


@dataclass(frozen=True)
class CompareOptions:
    """How models are compared.

    Attributes:
        metrics: which of the metrics that all runs share; None takes all of them.
        by: group attributes: every group's scores are compared as well, and the disparities over them.
        parts: compare every class, unit and dimension as well.
        reference: compare all others with this model alone; empty compares all pairs.
        resamples: of the intervals of differences and ranks; 0 gives none.
        draws: of the permutation tests, at most; where there are no more ways to exchange, each is taken once.
        seed: of both.
        level: nominal coverage of the intervals, a fraction.
        method: ``percentile-t`` or ``bca``, of the differences' intervals.
    """

    metrics: tuple[str, ...] | None = None
    by: tuple[str, ...] = ()
    parts: bool = False
    reference: str = ""
    resamples: int = 1000
    draws: int = 10_000
    seed: int = 0
    level: float = 0.95
    method: Method = "percentile-t"

    def __post_init__(self) -> None:
        """Counts are not negative, names stand in tuples."""
        if any(isinstance(names, str) for names in (self.by, self.metrics)):
            raise InputError("by or metrics is a single text", expected="a tuple of names", cause="a comma left out")
        if self.resamples < 0:
            raise InputError(f"{self.resamples} resamples", expected="0 or more")
        object.__setattr__(self, "by", tuple(self.by))
        object.__setattr__(self, "metrics", None if self.metrics is None else tuple(self.metrics))
        self.exchanging, self.resampling  # noqa: B018  # their own checks

    @property
    def resampling(self) -> Resampling:
        """How differences and ranks are resampled."""
        return Resampling(max(self.resamples, 1), self.seed, self.level, self.method)

    @property
    def exchanging(self) -> Exchanging:
        """How models are exchanged."""
        return Exchanging(self.draws, self.seed)


class Compared(NamedTuple):
    """Models beside each other.

    Attributes:
        comparisons: each pair on each metric and place.
        ranks: each model on each metric and place.
        models: their names, as they stand in both.
        notes: sentences for the reader.
    """

    comparisons: tuple[Comparison, ...]
    ranks: tuple[Rank, ...]
    models: tuple[str, ...]
    notes: tuple[str, ...] = ()


def compare(runs: Sequence[Evaluation | Entrant], options: CompareOptions | None = None) -> Compared:
    """Compare models on the items that all of them were scored on.

    Every metric that the runs share is compared over the whole set, and on request by group, by part, and in its
    disparities. All models enter a resample together, and two models are exchanged cluster by cluster in the test, so
    that what the items have in common cancels. p-values are corrected by Holm over the pairs of one metric and place.

    Args:
        runs: evaluations, or entrants read from run folders; two or more.
        options: metrics, groups, draws.

    Returns:
        Comparisons and ranks.

    Raises:
        InputError: fewer than two runs, runs of other items, or runs that share no score.
        SignatureMismatchError: two scores differ in more than the model; the message names every field that does.
        UnknownNameError: no such metric, attribute or model among the runs.
    """
    chosen = options or CompareOptions()
    if len(runs) < 2:
        raise InputError(
            f"{plural(len(runs), 'run')} to compare", expected="two or more", cause="a run folder left out"
        )
    given = [run if isinstance(run, Entrant) else Entrant.of(_evaluation(run)) for run in runs]
    entrants = named_apart([entrant.require_items() for entrant in given])
    _require_attributes(entrants, chosen.by)
    shared = shared_scores(entrants)
    notes, shared = _alone(entrants, shared), _asked(shared, chosen)
    entrants = same_items(entrants, chosen.by)
    match = Match(tuple(entrants), Contest.of([e.items for e in entrants], chosen.by), chosen)
    return Compared(*match.outcome(shared), tuple(e.model for e in entrants), notes)


def _evaluation(run: object) -> Evaluation:
    if not isinstance(run, Evaluation):
        raise InputError(
            f"{run!r} to compare, which is no evaluation",
            expected="what `evaluate` returns",
            cause="a path; `compare_runs` compares run folders",
        )
    return run


def _require_attributes(entrants: Sequence[Entrant], by: Sequence[str]) -> None:
    for name in by:
        for entrant in entrants:
            known = entrant.items.layout.attributes
            if name not in known:
                raise UnknownNameError.of("attribute of a run", name, known, where=entrant.told)


def _asked(shared: dict[Key, tuple[Scored, ...]], options: CompareOptions) -> dict[Key, tuple[Scored, ...]]:
    """The scores that are asked for; differences of groups are no metric and stand aside."""
    known = dict.fromkeys(key.metric for key in shared if key.metric in METRICS)
    for name in options.metrics or ():
        if name not in known:
            raise UnknownNameError.of("metric that all runs share", name, known)
    wanted = known if options.metrics is None else options.metrics
    return {
        key: scores
        for key, scores in shared.items()
        if key.metric in wanted
        and (not key.place.attribute or key.place.attribute in options.by)
        and (not key.place.part or options.parts)
    }


def _alone(entrants: Sequence[Entrant], shared: dict[Key, tuple[Scored, ...]]) -> tuple[str, ...]:
    """What is not compared, since not every run has it."""
    metrics = {key.metric for key in shared}
    left = dict.fromkeys(
        k.metric for e in entrants for k in e.table() if k.metric in METRICS and k.metric not in metrics
    )
    return (f"not compared, since not every run scored it: {', '.join(left)}",) if left else ()
