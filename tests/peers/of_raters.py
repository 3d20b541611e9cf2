"""Agreement of raters against krippendorff, statsmodels and torchmetrics, whose numbers are fixtures."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from peers.comparison import REFUSED, Comparison
from peers.kernels import written_out
from peers.plain import NAN
from peers.plain_dimensions import ratings
from peers.stored import stored, stored_cases

if TYPE_CHECKING:
    from collections.abc import Callable

    from peers.draws import Case


def even(case: Case) -> bool:
    """Whether every item has the same number of ratings, more than one."""
    return len(set(case.truth.sum(axis=1))) == 1 and case.truth[0].sum() > 1


def rated(metric: str, file: str, peer: str, theirs: Callable[[Case], Any] | None = None, **options: Any) -> Comparison:
    """A comparison by name."""
    name, _, how = peer.partition(", ")
    library, _, function = name.partition(" ")
    return Comparison(
        metric,
        f"{library} `{function}`{f', {how}' if how else ''}",
        stored(file, "raters", f"{function}, {how}" if how else function),
        theirs,
        cases=lambda _seed: stored_cases(file, "raters"),
        **options,
    )


def _or_refused(metric: str, case: Case) -> Any:
    """No pair of ratings is refused."""
    return written_out(metric, case) if ratings(case) else REFUSED


def _damped(case: Case) -> float:
    """With 1e-5 added below, and every item taken to have as many ratings as the most rated one."""
    counts = case.truth.astype(float)
    raters = counts.sum(axis=1).max()
    if raters < 2:
        return NAN
    agree = ((counts**2).sum(axis=1) - raters) / (raters * (raters - 1))
    chance = ((counts.sum(axis=0) / (len(counts) * raters)) ** 2).sum()
    return float((agree.mean() - chance) / (1 - chance + 1e-5))


COMPARISONS = [
    *[
        rated(f"alpha_{level}", "agreement", f"krippendorff alpha, {level}", partial(_or_refused, f"alpha_{level}"))
        for level in ("nominal", "ordinal", "interval", "ratio")
    ],
    rated("fleiss_kappa", "agreement", "statsmodels fleiss_kappa", among=even),
    rated("fleiss_kappa", "torchmetrics", "torchmetrics fleiss_kappa", _damped, tolerance=1e-6),
]
