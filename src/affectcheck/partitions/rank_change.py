"""Does another partition rank the models otherwise? The same models on two test sets (paper 1, section III)."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from affectcheck.annotations.listing import plural
from affectcheck.partitions.rank_boards import board_of
from affectcheck.partitions.rank_frames import models_frame, pairs_frame, stability_frame
from affectcheck.partitions.rank_options import RankOptions
from affectcheck.records import Interval, Score, Signature, Undefined
from affectcheck.uncertainty import (
    LEAST,
    Ranked,
    Redealt,
    Resampling,
    Subsetting,
    concordance,
    memberships,
    number_of,
    rankings_by_size,
    redealt,
    too_few,
)
from affectcheck.uncertainty.bootstrap import multinomial_weights
from affectcheck.uncertainty.intervals import quantile_at
from affectcheck.uncertainty.kendall import kendall_tau, undefined_reason
from affectcheck.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping

    from affectcheck.evaluation import ScoredItems
    from affectcheck.partitions.rank_boards import Board, RankedSet
    from affectcheck.records import Scored
    from affectcheck.uncertainty import Concordance

TAU = "kendall_tau_b"
METHOD = "all pairs at once"


@dataclass(frozen=True, eq=False)
class RankChange:
    """Two rankings of the same models side by side.

    Attributes:
        tau: Kendall's tau-b with its interval and signature, or why there is none.
        models: one row a model, best on the second set first: ``model``, ``score_a``, ``score_b``, ``rank_a``, ``rank_b``,
            ``change`` (places gained), and with items the ends of the ranks' intervals.
        pairs: one row a pair: differences on both sets, ``swapped``, and with items ``swap_probability``, ``ahead_a`` and
            ``ahead_b`` (probability that the first is ahead) and ``verdict``.
        stability: one row a test set and size: how much of the ranking a smaller test set keeps.
        names: what the sets are called.
        metric: by which models are ranked.
        resampled: central share of the taus of resamples. Noise pulls them towards 0: no interval of the true tau.
        redealt: what two sets dealt anew from the same clusters give, or why that is not known.
        p_value: without items: of the null that one ranking tells nothing of the other.
        method: how the p-value was made.
        notes: what the reader must know.
    """

    tau: Scored
    models: pl.DataFrame
    pairs: pl.DataFrame
    stability: pl.DataFrame
    names: tuple[str, str]
    metric: str
    resampled: tuple[float, float] | None = None
    redealt: Redealt | str = ""
    p_value: float | None = None
    method: str = ""
    notes: tuple[str, ...] = field(default=())

    @property
    def signature(self) -> Signature:
        """How all of it was made."""
        return self.tau.signature

    @property
    def movers(self) -> pl.DataFrame:
        """The models by how many places they moved, most first."""
        return self.models.filter(pl.col("change") != 0).sort(
            pl.col("change").abs(), descending=True, maintain_order=True
        )

    def plain(self) -> dict[str, Any]:
        """All of it as plain values."""
        from affectcheck.records.codec import encode_score  # noqa: PLC0415

        again = self.redealt
        return {
            "metric": self.metric,
            "names": list(self.names),
            "tau": encode_score(self.tau),
            "p_value": self.p_value,
            "p_method": self.method,
            "resampled": list(self.resampled) if self.resampled else None,
            "redealt": {"reason": again} if isinstance(again, str) else asdict(again),
            "models": self.models.to_dicts(),
            "pairs": self.pairs.to_dicts(),
            "stability": self.stability.to_dicts(),
            "signature": str(self.signature),
            "notes": list(self.notes),
        }


def rank_change(
    first: Mapping[str, ScoredItems], second: Mapping[str, ScoredItems], *, options: RankOptions | None = None
) -> RankChange:
    """Compare the rankings of the same models on two test sets, from the scored items of both.

    Models enter a resample together, and clusters that are in both test sets are drawn for both at once, so that what
    the items have in common cancels.

    Args:
        first: model to its scored items on the first test set, as ``Evaluation.scored_items`` or a run folder has them.
        second: the same on the second.
        options: metric, names, draws.

    Returns:
        Tau with an interval, both ranks of every model, every pair, and the stability against the size of the sets.

    Raises:
        InputError: no model is on both, or the items of a set are not the same for all models.
        UnknownNameError: no such metric.
    """
    chosen = options or RankOptions()
    board = board_of(first, second, chosen)
    sides = [_points(board, one) for one in board.sets]
    ranked = _resampled(board, sides, chosen) if chosen.resamples else None
    found = concordance(*ranked, level=chosen.level) if ranked else None
    stable = [_stability(board, one, points, chosen) for one, points in zip(board.sets, sides, strict=True)]
    tau = float(kendall_tau(*sides))
    again = _redealt(board, tau, chosen) if chosen.resamples else "no resamples were asked for"
    turned = 1.0 if board.metric.higher_is_better else -1.0
    scores = (turned * sides[0], turned * sides[1])
    return RankChange(
        tau=_tau(board, found, (tau, sides), chosen),
        models=models_frame(
            board.models, scores, sides, ranked, Resampling(max(chosen.resamples, 1), level=chosen.level)
        ),
        pairs=pairs_frame(board.models, scores, sides, found),
        stability=stability_frame(dict(zip(chosen.names, stable, strict=True)), board.unit),
        names=chosen.names,
        metric=board.metric.name,
        resampled=None if found is None else _central(found, chosen.level),
        redealt=again,
        notes=_notes(board),
    )


def _points(board: Board, of: RankedSet) -> np.ndarray:
    held = np.flatnonzero(of.held)
    return np.asarray(board.scores(of, held, np.ones((1, held.size), np.uint8))[0])


def _resampled(board: Board, points: list[np.ndarray], options: RankOptions) -> tuple[Ranked, Ranked]:
    """Each set's clusters drawn by themselves; of sets that share some, all clusters at once, for both."""
    every = np.arange(board.shared.size)
    together = bool(board.shared.any())
    found = []
    for side, (of, point) in enumerate(zip(board.sets, points, strict=True)):
        clusters = every if together else np.flatnonzero(of.held)
        key = board.unit if together else f"{board.unit} {side}"
        drawn = multinomial_weights(clusters.size, options.resamples, options.seed, key)
        draws = np.concatenate([board.scores(of, clusters, weights) for weights in drawn])
        found.append(Ranked(point, draws, _independent(board, of)))
    return found[0], found[1]


def _independent(board: Board, of: RankedSet) -> int:
    """Clusters behind the scores of a set; single items count one by one, though they are drawn in lots."""
    return of.items if board.unit == "item" else int(of.held.sum())


def _stability(board: Board, of: RankedSet, full: np.ndarray, options: RankOptions) -> tuple[Any, ...]:
    held = np.flatnonzero(of.held)
    if not options.draws or held.size < LEAST:
        return ()

    def scores(weights: np.ndarray) -> np.ndarray:
        return board.scores(of, held, weights)

    return rankings_by_size(scores, held.size, full, Subsetting(options.draws, options.seed, options.level))


def _redealt(board: Board, tau: float, options: RankOptions) -> Redealt | str:
    """Deal the clusters that one set alone holds to either, as often as there are resamples."""
    own = [np.flatnonzero(of.held & ~board.shared) for of in board.sets]
    fewest = min(one.size for one in own)
    if fewest < LEAST:
        return f"{number_of(fewest, board.unit)} in one test set alone: to deal them anew takes {LEAST}"
    clusters = np.concatenate(own)
    rows = max(1, 4_000_000 // clusters.size)
    every = memberships(own[0].size, own[1].size, draws=options.resamples, seed=options.seed)
    taus = [
        kendall_tau(*board.dealt(clusters, every[start : start + rows])) for start in range(0, options.resamples, rows)
    ]
    return redealt(tau, np.concatenate(taus))


def _central(found: Concordance, level: float) -> tuple[float, float] | None:
    low, high = (float(quantile_at(found.resampled, np.array(share))) for share in ((1 - level) / 2, (1 + level) / 2))
    return None if np.isnan(low) else (low, high)


def _tau(
    board: Board, found: Concordance | None, observed: tuple[float, list[np.ndarray]], options: RankOptions
) -> Scored:
    tau, sides = observed
    counts = [_independent(board, of) for of in board.sets]
    signature = Signature(
        TAU,
        labels=",".join(board.layout.parts),
        target=board.layout.target,
        options=f"of={board.metric.name},models={len(board.models)}",
        data=",".join(of.told for of in board.sets),
        part=",".join(options.names),
        n=",".join(str(of.items) for of in board.sets),
        clusters=f"{board.unit} {','.join(map(str, counts))}",
        version=__version__,
    )
    if options.resamples:
        how = Resampling(options.resamples, options.seed, options.level)
        signature = signature.with_(resamples=how.signed, seed=str(options.seed))
    known = ~np.isnan(sides[0]) & ~np.isnan(sides[1])
    reason = undefined_reason(sides[0][known], sides[1][known])
    if reason:
        return Undefined(TAU, reason, int(known.sum()), signature)
    if found is None:
        return Score(TAU, tau, int(known.sum()), signature)
    if np.isnan(found.low):
        why = too_few(min(counts), board.unit) if min(counts) < LEAST else f"undefined in {found.undefined} resamples"
        return Score(TAU, tau, int(known.sum()), signature, notes=(f"no interval: {why}",))
    interval = Interval(found.low, found.high, options.level, METHOD, min(counts), board.unit, found.undefined)
    return Score(TAU, tau, int(known.sum()), signature, interval=interval)


def _notes(board: Board) -> tuple[str, ...]:
    shared = int(board.shared.sum())
    unit = board.unit
    told = f"in both test sets: {plural(board.shared_items, 'item')}, {number_of(shared, unit)}"
    both = (f"{told}; they are drawn for both at once",) if shared else ()
    return (*board.notes, *both)
