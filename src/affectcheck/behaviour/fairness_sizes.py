"""Groups that are dealt out anew, at the sizes that they really have.

Sets of equal truth take as many items of each class from every group, so that a large group gives few items of each of
its subjects. Dealt out, it would hold as many items as its subjects are many, and lie as much closer to all groups
together, which it is compared with: what deals show would be too little. So dealt groups count by weights, as many
items as the real ones. Where all items are taken, group sizes are dealt out with the subjects, and nothing is weighted.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from affectcheck.behaviour.totals import Totals
from affectcheck.tallies import Confusion, Moments

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from affectcheck.behaviour.measured import Setting
    from affectcheck.tallies import Tally

#: Of moments, what is a sum over items.
_SUMS: Final = ("n", "squares_truth", "squares_prediction", "squares_difference", "products", "sum_abs")


def sized(real: Tally, setting: Setting) -> Callable[[Tally], Tally]:
    """What makes dealt groups as large as the real ones, where items of these were drawn; else nothing.

    Args:
        real: (G, ...) groups as they are.
        setting: the test and its rules.
    """
    drawn = setting.definition.balance is not None or setting.rules.items_per_group is not None
    return (lambda dealt: at_sizes(dealt, real)) if drawn else (lambda dealt: dealt)


def at_sizes(dealt: Tally, real: Tally) -> Tally:
    """Dealt groups with as many items of each true class as the real ones have, by weights; of values, as many items.

    Args:
        dealt: (R, G, ...) groups of every deal.
        real: (G, ...) groups as they are.

    Example:
        >>> dealt = Totals(np.array([[4, 2]]), np.array([[[1.0], [1.0]]]))
        >>> weighted = at_sizes(dealt, Totals(np.array([2, 4]), np.zeros((2, 1))))
        >>> weighted.items.tolist(), weighted.sums[..., 0].tolist()
        ([[2.0, 4.0]], [[0.5, 2.0]])
    """
    if isinstance(dealt, Confusion) and isinstance(real, Confusion):
        weight = _weight(dealt.truth_totals, real.truth_totals)
        return Confusion(dealt.counts * weight[..., None], dealt.unanswered * weight)
    if isinstance(dealt, Totals) and isinstance(real, Totals):
        weight = _weight(dealt.items, real.items)
        return Totals(dealt.items * weight, dealt.sums * weight[..., None])
    if isinstance(dealt, Moments) and isinstance(real, Moments):
        weight = _weight(dealt.n, real.n)
        changed: dict[str, Any] = {name: getattr(dealt, name) * weight for name in _SUMS}
        return replace(dealt, **changed)
    return dealt


def _weight(dealt: NDArray[Any], real: NDArray[Any]) -> NDArray[np.float64]:
    return np.asarray(np.where(dealt > 0, real / np.where(dealt > 0, dealt, 1), 0.0), np.float64)
