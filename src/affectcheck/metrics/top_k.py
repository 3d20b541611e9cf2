"""Top-k accuracy: whether the true class is among the k classes of highest score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from affectcheck.metrics.metric import Diagnosis, Metric, Names
from affectcheck.metrics.registry import register
from affectcheck.metrics.rules import NO_PARTS, ratio
from affectcheck.tallies import TrueRanks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True)
class TopK:
    r"""Share of items whose true class is among the k classes of highest score.

    $$\mathrm{top}_k = \frac{1}{n} \sum_{r=0}^{k-1} n_r$$

    with n_r the items in which r classes stand before the true one. Of equal scores the class that is declared first
    stands first, as in the decision, so that k = 1 is the accuracy.

    Range: 0 to 1; higher is better; k/C for scores at random.

    Undefined when: there are no items, or no more than k classes, since every class is among the first k then. An item
    without scores is wrong.

    Tally: TrueRanks (..., C).

    Signature: k.

    Args:
        k: how many classes are looked at.
        tally: (..., C) counts of items by rank.
        convention: one of the three; the same in all.
        undefined: empty; it is no mean over parts.

    Returns:
        (...) shares.

    Raises:
        InputError: the convention is unknown, or a rule is asked for.

    Source: Russakovsky, O. et al. (2015), ImageNet large scale visual recognition challenge, as 1 minus its
        error. A common library orders equal scores by the last class first, and gives 1 where there are no more
        than k classes.

    Example:
        The true class is first, second, and third of three.

        >>> from affectcheck.metrics import METRICS
        >>> from affectcheck.tallies import TrueRanks
        >>> tally = TrueRanks.count([0, 0, 2], [[0.5, 0.3, 0.2], [0.4, 0.5, 0.1], [0.5, 0.4, 0.1]])
        >>> round(float(METRICS.get("top_2").compute(tally)), 4), float(METRICS.get("top_3").compute(tally))
        (0.6667, nan)
    """

    k: int

    def __call__(self, tally: TrueRanks, *, convention: str = "paper", undefined: str = "") -> Floats:
        """The shares."""
        NO_PARTS.resolve(convention, undefined)
        share = ratio(tally.counts[..., : self.k].sum(axis=-1), tally.support)
        return share if self.k < tally.labels else np.full_like(share, np.nan)

    def diagnosis(self) -> Diagnosis:
        """Undefined as a whole, with too few classes."""

        def count(tally: TrueRanks) -> NDArray[Any]:
            return np.isnan(self(tally)).astype(np.int64)

        def sentences(tally: TrueRanks, _names: Names) -> tuple[str, ...]:
            if self.k < tally.labels or tally.support == 0:
                return ()
            return (f"{tally.labels} classes: each of them is among the first {self.k}",)

        return Diagnosis(count, sentences)


for _k in (2, 3, 5):
    register(
        Metric(
            name=f"top_{_k}",
            title=f"top-{_k} accuracy",
            kind="categories",
            level="overall",
            tally=TrueRanks,
            compute=TopK(_k),
            low=0.0,
            high=1.0,
            higher_is_better=True,
            source="Russakovsky et al. (2015)",
            undefined=f"no items, or no more than {_k} classes",
            options=(f"k={_k}",),
            diagnosis=TopK(_k).diagnosis(),
        )
    )
